"""What the slow engine of King asks its policies, and the policies by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .king_tables import is_joker, rank
from .streams import Stream


@dataclass(frozen=True)
class Ask:
    """One decision point with more than one option.

    Attributes
    ----------
    kind
        "contract", "trump", "discard", "bid", "suit" or "play".
    seat
        Who decides.
    options
        In the fixed order: card numbers ascending, contract names, "none" and suit letters,
        or points (0 = pass).
    hand
        Own cards; None where they are not looked at yet (K-O `order_when=blind`).
    trick
        Cards on the table, (seat, card), the lead first.
    stream
        The seat's stream in this deal.
    """

    kind: str
    seat: int
    options: list[Any]
    hand: tuple[int, ...] | None
    trick: tuple[tuple[int, int], ...]
    stream: Stream


Policy = Callable[[Ask], Any]


class IllegalAnswer(ValueError):
    """An answer that is not among the options (C-5)."""


def play_random(ask: Ask) -> Any:
    """Any option, each as likely (K-9)."""
    return ask.options[ask.stream.below(len(ask.options))]


def height(number: int) -> int:
    """Rank for `low` and `high`; jokers, all alike, are above the aces."""
    return 13 if is_joker(number) else rank(number)


def play_low(ask: Ask) -> Any:
    """The lowest legal card; otherwise the first option.

    `min` keeps the first of equals, and the options ascend: ties go by S H D C.
    """
    if ask.kind == "play":
        return min(ask.options, key=height)
    return ask.options[0]


def play_high(ask: Ask) -> Any:
    """The highest legal card, ties by S H D C; otherwise the last option."""
    if ask.kind == "play":
        return max(ask.options, key=height)
    return ask.options[-1]


POLICIES: dict[str, Policy] = {"random": play_random, "low": play_low, "high": play_high}


def find_policies(
    names: list[str], more: Mapping[str, Policy] | None
) -> tuple[list[Policy], list[bool]]:
    """The callables of the seats, and whether each uses chance.

    A callable of one's own says so with an attribute `uses_chance`.
    """
    table = POLICIES | dict(more or {})
    found = [table[name] for name in names]
    chance = [f is play_random or bool(getattr(f, "uses_chance", False)) for f in found]
    return found, chance
