"""One question a file: which runs it needs, how rows become tables, and what is shown."""
