"""``python -m benchmarks``: prints every budget of the design with what was measured.

Ratios are of processor time on one core, measured in turns in one run, the best of some rounds,
so that other programs disturb them little; rows on threads and on seconds are of time that
passes. A budget missed is printed, and is no error.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from benchmarks.rows import GROUPS, Row, Size

QUICK = Size()
FULL = Size(rounds=9, slow_rounds=5, memory_games=100_000_000)


def main() -> int:
    """Measure, print, and return 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print a JSON list and nothing else")
    parser.add_argument("--full", action="store_true", help="more rounds, and 1e8 games of memory")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=list(GROUPS))
    given = parser.parse_args()
    rows: list[Row] = []
    for group in given.only:
        for row in GROUPS[group](FULL if given.full else QUICK):
            rows.append(row)
            if not given.json:
                print(line(row), flush=True)
    if given.json:
        print(json.dumps([{**asdict(row), "met": row.met} for row in rows], indent=1))
    else:
        missed = sum(row.met is False for row in rows)
        print(f"{len(rows)} budgets, {missed} missed")
    return 0


def line(row: Row) -> str:
    """Return a row as a line of the table."""
    measured = "-" if row.measured is None else f"{row.measured:.2f}{row.unit}"
    bound = f"{'>=' if row.at_least else '<='} {row.bound:g}{row.unit}"
    verdict = {True: "met", False: "MISSED", None: "not measured"}[row.met]
    return f"{row.what:58} {measured:>8}  {bound:9} {verdict:13} {row.note}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
