"""``python -m simlib``."""

from simlib.cli import main

main()
