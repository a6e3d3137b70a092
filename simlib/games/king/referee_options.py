"""The varieties and options of King as its referee knows them (C-12).

The tables are written from RULES.md alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simlib.games.refereeing import Option, is_whole

__all__ = [
    "ALL_CARDS",
    "ATOMIC_SIX",
    "ERALASHES",
    "EVERY",
    "IF_ABSENT",
    "JOKERS",
    "MINSKS",
    "OPTIONAL_KEYS",
    "OPTIONS",
    "ORDERING",
    "RANKS",
    "SUITS",
    "VARIETIES",
    "WITHOUT_CONTRACTS",
    "WITH_TALON",
    "contract_list",
    "contract_names",
    "options_of",
    "players_of",
    "show",
]

SUITS = "SHDC"
RANKS = "23456789TJQKA"
JOKERS = ("X1", "X2")
ALL_CARDS = frozenset([rank + suit for rank in RANKS for suit in SUITS] + list(JOKERS))

VARIETIES = (
    "simple", "threesome", "ordered", "minsk", "minsk-declarer", "domino", "jokers",
    "trade", "omnibus", "atomic",
)  # fmt: skip
MINSKS = ("minsk", "minsk-declarer")
ORDERING = ("ordered", *MINSKS, "atomic")
WITH_TALON = (*MINSKS, "atomic")
WITHOUT_CONTRACTS = ("jokers", "trade", "omnibus")

FOURTEEN = (
    "no-tricks", "no-jacks", "no-queens", "no-hearts", "no-king", "no-last-two", "no-all",
    "tricks", "jacks", "queens", "hearts", "king", "last-two", "all",
)  # fmt: skip
MINSK_NINE = (
    "no-tricks", "no-last-two", "no-queens", "no-jacks", "no-king", "no-hearts",
    "win-back", "win-back", "win-back",
)  # fmt: skip
ATOMIC_SIX = ("no-tricks", "no-hearts", "no-jacks", "no-queens", "no-last-two", "no-king")
ERALASHES = ("no-all", "all")


def show(value: object) -> str:
    """Write a value of a record in a message, cut to one line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# --- options (C-12) ----------------------------------------------------------------


def _one_of(*values: str | int) -> Option:
    def allows(value: Any) -> bool:
        return (isinstance(value, str) or is_whole(value)) and value in values

    return Option(allows, " or ".join(str(value) for value in values))


def _flag() -> Option:
    return Option(lambda value: isinstance(value, bool), "true or false")


def _whole_from(low: int, *, or_null: bool = False) -> Option:
    def allows(value: Any) -> bool:
        return (or_null and value is None) or (is_whole(value) and value >= low)

    return Option(allows, f"{'null or ' if or_null else ''}a whole number from {low} up")


def _negative() -> Option:
    return Option(lambda value: is_whole(value) and value < 0, "a whole number below 0")


def contract_list(known: Sequence[str]) -> Option:
    """Return what the option `contracts` may be where these contracts are known (K-7)."""
    names = frozenset(known)

    def allows(value: Any) -> bool:
        if value is None:
            return True
        return (
            isinstance(value, list)
            and bool(value)
            and all(isinstance(name, str) and name in names for name in value)
        )

    return Option(allows, f"null or a list of {', '.join(sorted(names))}")


OPTIONS: Mapping[str, Option] = {
    "play_out": _flag(),
    "first": _one_of("zero", "rotate"),
    "max_deals": _whole_from(1),
    "must_trump": _flag(),
    "removed": _one_of("aces", "sevens"),
    "trump_in": _one_of("positive", "all", "none"),
    "no_trump": _flag(),
    "order_when": _one_of("look", "blind"),
    "trump_lead": _one_of("free", "declarer"),
    "kept_as": _one_of("cards", "trick"),
    "deck": _one_of(32, 52),
    "limit": _negative(),
    "deals": _whole_from(1, or_null=True),
    "jokers": _one_of(1, 2),
    "joker_play": _one_of("void_or_hearts", "void", "any"),
    "joker_loses": _one_of("contains", "led"),
    "bid": _one_of("cost", "gain"),
    "auction": _one_of("round", "open"),
    "bidder_leads": _flag(),
    "eralash": _flag(),
    "hvalenki": _whole_from(0),
    "kings_as_boys": _flag(),
}

EVERY = ("play_out", "first", "max_deals", "must_trump")
_ORDERS = ("trump_in", "no_trump", "order_when")

KEYS: Mapping[str, tuple[str, ...]] = {
    "simple": ("contracts", *EVERY),
    "threesome": ("contracts", *EVERY, "removed"),
    "ordered": ("contracts", *EVERY, *_ORDERS),
    "minsk": ("contracts", *EVERY, *_ORDERS, "trump_lead"),
    "minsk-declarer": ("contracts", *EVERY, *_ORDERS, "trump_lead"),
    "domino": ("contracts", *EVERY, "limit", "kept_as", "deck"),
    "jokers": (*EVERY, "deals", "jokers", "joker_play", "joker_loses"),
    "trade": (*EVERY, "limit", "bid", "auction", "bidder_leads"),
    "omnibus": (*EVERY, "limit"),
    "atomic": ("contracts", *EVERY, *_ORDERS, "eralash", "hvalenki", "kings_as_boys"),
}

# RULES.md leaves open whether these belong to the variety: a duty to trump where there
# is no trump, a cap where the match has a fixed length. A record may have them or not;
# a value that is given must be a right one and is obeyed.
OPTIONAL_KEYS: Mapping[str, tuple[str, ...]] = {
    "simple": ("must_trump", "max_deals"),
    "threesome": ("must_trump", "max_deals"),
    "ordered": ("max_deals",),
    "minsk": ("max_deals",),
    "minsk-declarer": ("max_deals",),
    "domino": ("must_trump", "max_deals"),
    "jokers": ("must_trump", "max_deals"),
    "trade": ("must_trump",),
    "omnibus": ("must_trump",),
    "atomic": ("max_deals",),
}
IF_ABSENT: Mapping[str, Any] = {"must_trump": False, "max_deals": 1000}


def contract_names(variety: str) -> tuple[str, ...]:
    """Return the contracts that a variety knows."""
    if variety in MINSKS:
        return MINSK_NINE
    if variety == "atomic":
        return (*ATOMIC_SIX, *ERALASHES, "tricks")
    return () if variety in WITHOUT_CONTRACTS else FOURTEEN


def players_of(variety: str | None) -> tuple[int, ...]:
    """Return the numbers of players of a variety."""
    if variety in WITHOUT_CONTRACTS:
        return (3, 4)
    return (3,) if variety in ("threesome", *WITH_TALON) else (4,)


def options_of(variety: str, rules: object) -> dict[str, Option]:
    """Return the options that a record of this variety must have.

    Of `OPTIONAL_KEYS` those are named which `rules`, as found in the record, holds.
    """
    given = rules if isinstance(rules, dict) else {}
    absent = [key for key in OPTIONAL_KEYS[variety] if key not in given]
    known = {key: OPTIONS[key] for key in KEYS[variety] if key in OPTIONS and key not in absent}
    if "contracts" in KEYS[variety]:
        known["contracts"] = contract_list(contract_names(variety))
    if variety == "minsk-declarer":
        known["trump_lead"] = _one_of("declarer")
    return known
