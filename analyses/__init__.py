"""Pipelines from rows to answers: one question a file."""
