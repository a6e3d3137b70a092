"""Small tables of games, worked out by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd

from simlib.games.king_george.outcome import ENDINGS, PROOFS

__all__ = ["CELL", "TEN", "games"]

#: Labels of the one cell of these tables.
CELL = {"players": 2, "policy": "random"}


def games(*rows: dict[str, Any]) -> pd.DataFrame:
    """Return a frame of games of two players; what a row does not say has a plain value."""
    plain = {
        "ending": "out", "proof": None, "turns": 10, "resets": 0, "last_reset": -1,
        "longest_draw": 2, "longest_run": 3, "playoffs": 0, "censored": False,
        "win_share_0": 0.0, "win_share_1": 0.0, "orphans_0": 0, "orphans_1": 0,
    }  # fmt: skip
    frame = pd.DataFrame([{**plain, **row} for row in rows])
    frame["ending"] = pd.Categorical(frame["ending"], categories=pd.Index(list(ENDINGS)))
    frame["proof"] = pd.Categorical(frame["proof"], categories=pd.Index(list(PROOFS)))
    return frame


def _out(turns: int, winner: int, **more: Any) -> dict[str, Any]:
    return {"turns": turns, f"win_share_{winner}": 1.0, **more}


def _endless(turns: int, proof: str, **more: Any) -> dict[str, Any]:
    return {"ending": "endless", "proof": proof, "turns": turns, **more}


#: Ten games: five out (one after a playoff), one shared deadlock, three endless, one cut off.
TEN = games(
    _out(9, 0, resets=1, last_reset=4, longest_draw=0, longest_run=5),
    _out(12, 0, resets=2, last_reset=7, longest_draw=4),
    _out(12, 1, resets=3, last_reset=11, longest_draw=9),
    _out(30, 0, resets=3, last_reset=20, orphans_1=2),
    _out(31, 1, playoffs=2, longest_run=8),
    {"ending": "deadlock", "turns": 40, "win_share_0": 0.5, "win_share_1": 0.5, "resets": 3,
     "last_reset": 25, "longest_run": 20},
    _endless(15, "orphans", resets=1, last_reset=13, orphans_0=3, orphans_1=1),
    _endless(22, "orphans", resets=3, last_reset=20, orphans_0=1, orphans_1=1),
    _endless(60, "cycle", resets=3, last_reset=18),
    {"ending": "truncated", "turns": 2000, "censored": True},
)  # fmt: skip
