"""What the referees of all games share: faults, and the shape of a record (C-10).

A referee reads one game record and recomputes what the rules allow, without the
kernel. It works in plain Python on card texts and stops at the first fault.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

__all__ = [
    "Fault",
    "Option",
    "Refusal",
    "check_cards",
    "check_envelope",
    "check_keys",
    "is_whole",
    "refuse",
    "same_number",
]

FORMAT = "simlib-record/1"

TOP_KEYS = (
    "format", "game", "variety", "players", "unit", "rules", "seed", "play_seed",
    "index", "policies", "uses_chance", "deals", "outcome",
)  # fmt: skip


class Fault(NamedTuple):
    """One broken clause: which, why, and where in the record.

    Attributes
    ----------
    clause : str
        Clause id of RULES.md, for example ``"KG-3"``.
    reason : str
        One sentence for a person.
    deal : int or None
        Index of the deal within the record.
    event : int or None
        Index of the event within that deal.
    """

    clause: str
    reason: str
    deal: int | None = None
    event: int | None = None


class Refusal(Exception):
    """Raised inside a referee to end the reading at the first fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def refuse(
    clause: str, reason: str, *, deal: int | None = None, event: int | None = None
) -> NoReturn:
    """Stop the reading with a fault."""
    raise Refusal(Fault(clause, reason, deal, event))


class Option(NamedTuple):
    """What one option of a game may be: a test, and the same in words."""

    allows: Callable[[Any], bool]
    words: str


def is_whole(value: object) -> bool:
    """Tell whether `value` is a whole number (``True`` and ``1.0`` are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def same_number(found: object, wanted: float) -> bool:
    """Tell whether `found` is a number equal to `wanted` up to float rounding."""
    if isinstance(found, bool) or not isinstance(found, int | float):
        return False
    try:
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    except OverflowError:  # a whole number too large for a float
        return False


def check_keys(
    value: object,
    wanted: Sequence[str],
    where: str,
    *,
    optional: Sequence[str] = (),
    deal: int | None = None,
    event: int | None = None,
) -> Mapping[str, Any]:
    """Require a JSON object with exactly these keys (C-10) and return it."""
    if not isinstance(value, dict):
        refuse("C-10", f"{where} is not a JSON object", deal=deal, event=event)
    missing = [key for key in wanted if key not in value]
    if missing:
        refuse("C-10", f"{where} lacks {', '.join(missing)}", deal=deal, event=event)
    extra = [key for key in value if key not in wanted and key not in optional]
    if extra:
        refuse("C-10", f"{where} has an unknown key {extra[0]!r}", deal=deal, event=event)
    return value


def check_cards(
    value: object,
    deck: frozenset[str] | set[str],
    where: str,
    *,
    deal: int | None = None,
    event: int | None = None,
) -> list[str]:
    """Require a list of card texts of this deck (C-1, C-7 for repeats) and return it."""
    if not isinstance(value, list):
        refuse("C-10", f"{where} is not a list of cards", deal=deal, event=event)
    for card in value:
        if not isinstance(card, str) or card not in deck:
            refuse("C-1", f"{where}: {card!r} is no card of this deck", deal=deal, event=event)
    if len(set(value)) != len(value):
        refuse("C-7", f"{where} holds a card twice", deal=deal, event=event)
    return value


def check_envelope(
    record: object,
    *,
    game: str,
    varieties: Sequence[str | None],
    units: Sequence[str],
    players: Callable[[str | None], Sequence[int]],
    options: Callable[[str | None], Mapping[str, Option]],
) -> Mapping[str, Any]:
    """Check everything of a record outside ``deals`` and ``outcome`` (C-10, C-12).

    Parameters
    ----------
    record : object
        Anything that JSON can hold.
    game, varieties, units
        What the game calls itself, and which varieties and units it has.
    players, options
        For a variety: the numbers of players, and each option's allowed values.

    Returns
    -------
    Mapping
        The record itself.

    Raises
    ------
    Refusal
        At the first fault.
    """
    head = check_keys(record, TOP_KEYS, "the record")
    if head["format"] != FORMAT:
        refuse("C-10", f"format is {head['format']!r}, not {FORMAT!r}")
    if head["game"] != game:
        refuse("C-10", f"game is {head['game']!r}, not {game!r}")
    _check_choice(head, "variety", varieties)
    _check_choice(head, "unit", units)
    _check_choice(head, "players", players(head["variety"]), whole=True)
    for key in ("seed", "play_seed", "index"):
        if not is_whole(head[key]) or not 0 <= head[key] < 2**64:
            refuse("C-10", f"{key} is {head[key]!r}, not a whole number from 0 to 2**64 - 1")
    _check_seat_list(head, "policies", str)
    _check_seat_list(head, "uses_chance", bool)
    if "random" in head["policies"]:
        for name, chance in zip(head["policies"], head["uses_chance"], strict=True):
            if name == "random" and not chance:
                refuse("C-10", "uses_chance is false for a seat whose policy is random")
    known = options(head["variety"])
    rules = check_keys(head["rules"], list(known), "rules")
    for key, option in known.items():
        if not option.allows(rules[key]):
            refuse("C-10", f"rules: {key} is {rules[key]!r}; valid: {option.words}")
    if not isinstance(head["deals"], list) or not head["deals"]:
        refuse("C-10", "deals is not a list with at least one deal")
    if not isinstance(head["outcome"], dict):
        refuse("C-10", "outcome is not a JSON object")
    return head


def _check_choice(
    head: Mapping[str, Any], key: str, valid: Sequence[object], *, whole: bool = False
) -> None:
    value = head[key]
    if (whole and not is_whole(value)) or isinstance(value, list | dict) or value not in valid:
        words = ", ".join("null" if item is None else str(item) for item in valid)
        refuse("C-10", f"{key} is {value!r}; valid: {words}")


def _check_seat_list(head: Mapping[str, Any], key: str, kind: type) -> None:
    value = head[key]
    if not isinstance(value, list) or len(value) != head["players"]:
        refuse("C-10", f"{key} is not a list with one entry a seat")
    if any(not isinstance(item, kind) for item in value):
        refuse("C-10", f"{key} holds something that is not a {kind.__name__}")
