"""King: ten varieties of one trick-taking game (K).

For people: :func:`legal_cards`, :func:`trick_winner`, :func:`score_deal`. For policies: the
jitted :func:`suit`, :func:`rank`, :func:`lane_of`, :func:`beaten_by`, :func:`lowest_rank`,
:func:`highest_rank`, and the codes ``PLAY`` … ``SUIT`` of ``view.decision``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: Names of this folder that people use, loaded when they are first used.
_LAZY = {
    "legal_cards": "faces",
    "score_deal": "faces",
    "trick_winner": "faces",
    "beaten_by": "kernel_tricks",
    "lane_of": "kernel_tricks",
    "rank": "kernel_tricks",
    "suit": "kernel_tricks",
    "highest_rank": "policies",
    "lowest_rank": "policies",
    "CONTRACTS": "outcome",
    **dict.fromkeys(("PLAY", "CONTRACT", "TRUMP", "DISCARD", "BID", "SUIT"), "view"),
}

__all__ = list(_LAZY)


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
