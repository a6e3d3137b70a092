"""The referee of King George III: the rules again, from the record alone (C-10, KG-1 to KG-14).

It reads one game record and recomputes every legal act, every ending, who won and the whole
outcome row. Nothing here asks the kernel; what only a replay can tell (C-4, C-6, the fairness
of C-5) is not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from simlib.games.king_george.referee_deal import Counts, DealReader, Ending
from simlib.games.king_george.referee_table import DECK, OPTIONS, Options, Table, most_cards
from simlib.games.refereeing import (
    Fault,
    Refusal,
    check_cards,
    check_envelope,
    check_keys,
    is_whole,
    refuse,
    same_number,
)

__all__ = ["check"]

GAME = "king-george-iii"
DEAL_KEYS = (
    "deal", "first", "seats", "declarer", "contract", "trump", "hands", "stock", "table",
    "events", "ending", "scores",
)  # fmt: skip
PROOF_KEYS = ("proof", "cycle_of")


@dataclass(frozen=True)
class _Deal:
    """What the rules make of one deal."""

    first: int
    seats: Sequence[int]
    end: Ending
    outs: Sequence[int]
    left: Mapping[int, int]
    orphans: Mapping[int, int]
    counts: Counts


class _Verdict(NamedTuple):
    """Who won, or who plays on (KG-10 to KG-12); `clause` says by which rule."""

    clause: str
    winners: Sequence[int] = ()
    censored: bool = False
    playoff: Sequence[int] = ()


def check(record: object) -> Fault | None:
    """Read one record of King George III and name the first fault in it.

    Parameters
    ----------
    record : object
        Any JSON value; a right one is a game record (C-10).

    Returns
    -------
    Fault or None
        The first fault with the most specific clause (C-11), or None if the record is right.
        Never raises, whatever the value.
    """
    try:
        _read(record)
    except Refusal as refusal:
        return refusal.fault
    except (RecursionError, ValueError):
        # Only while putting an absurd value into words: nested too deep, or too many digits.
        return Fault("C-10", "the record holds a value that cannot be shown")
    return None


def _read(record: object) -> None:
    head = check_envelope(
        record,
        game=GAME,
        varieties=(None,),
        units=("deal",),
        players=lambda _: range(2, 6),
        options=lambda _: OPTIONS,
    )
    players, options = head["players"], Options(**head["rules"])
    if options.hand_size is not None and options.hand_size > most_cards(players):
        refuse("KG-1", f"hand_size {options.hand_size} leaves no stock for {players} players")
    deals: list[_Deal] = []
    verdict = _Verdict("KG-10", playoff=range(players))
    first = head["index"] % players if options.first == "rotate" else 0
    while verdict.playoff:
        if len(deals) == len(head["deals"]):
            refuse(verdict.clause, f"the playoff of seats {list(verdict.playoff)} is missing")
        deals.append(_read_deal(head, options, len(deals), verdict.playoff, first))
        verdict = _judge(deals[-1], options, len(deals) - 1)
        if verdict.playoff:
            first = _next_first(verdict.playoff, first, players)
    if len(deals) < len(head["deals"]):
        refuse(verdict.clause, "the game was decided before this deal", deal=len(deals))
    _check_outcome(head, deals, verdict)


# Who wins


def _next_first(seats: Sequence[int], first: int, players: int) -> int:
    """First of the playoff's seats clockwise after the last deal's `first` (KG-10)."""
    return min(seats, key=lambda seat: (seat - first - 1) % players)


def _judge(deal: _Deal, options: Options, playoffs: int) -> _Verdict:
    """Decide the game after a deal, `playoffs` of them being over (KG-10, KG-11, KG-12)."""
    ending = deal.end.ending
    if ending == "out":
        return _settle("KG-10", deal.outs, options.out_tie, options, playoffs)
    if ending == "deadlock" or (ending == "endless" and options.endless == "fewest"):
        fewest = min(deal.left.values())
        tied = [seat for seat in deal.seats if deal.left[seat] == fewest]
        clause = "KG-11" if ending == "deadlock" else "KG-12"
        return _settle(clause, tied, options.deadlock_tie, options, playoffs)
    if playoffs:
        return _Verdict("KG-10", winners=deal.seats, censored=True)
    return _Verdict("KG-12", censored=ending == "truncated")


def _settle(
    clause: str, tied: Sequence[int], tie: str, options: Options, playoffs: int
) -> _Verdict:
    if len(tied) == 1 or tie == "share":
        return _Verdict(clause, winners=tied)
    if playoffs >= options.max_playoffs:
        return _Verdict("KG-10", winners=tied, censored=True)
    return _Verdict(clause, playoff=sorted(tied))


# One deal


def _read_deal(
    head: Mapping[str, Any], options: Options, number: int, seats: Sequence[int], first: int
) -> _Deal:
    entry = check_keys(
        head["deals"][number], DEAL_KEYS, "the deal", optional=PROOF_KEYS, deal=number
    )
    _check_place(entry, number, seats, first)
    table = _deal_out(entry, options, number, seats, first)
    moves = {
        seat: True if head["policies"][seat] == "random" else None if uses else False
        for seat, uses in enumerate(head["uses_chance"])
    }
    reader = DealReader(number, table, entry, moves)
    end = reader.read()
    left = {seat: len(table.hands[seat]) for seat in seats}
    _check_scores(entry, number, [-left[seat] for seat in seats])
    return _Deal(first, seats, end, table.outs, left, table.orphans(), reader.counts)


def _check_place(entry: Mapping[str, Any], number: int, seats: Sequence[int], first: int) -> None:
    """Check which deal this is and who plays it (C-2, C-3, C-10, KG-10)."""
    found = entry["seats"]
    if not is_whole(entry["deal"]) or entry["deal"] != number:
        refuse("C-10", f"deal is {entry['deal']!r}, not {number}", deal=number)
    if not isinstance(found, list) or not all(is_whole(seat) for seat in found):
        refuse("C-10", "seats is not a list of seats", deal=number)
    if found != list(seats):
        clause = "C-10" if sorted(found) == list(seats) else "KG-10" if number else "C-2"
        refuse(clause, f"seats is {found}, not {list(seats)}", deal=number)
    if not is_whole(entry["first"]) or entry["first"] != first:
        clause = "KG-10" if number else "C-3"
        refuse(clause, f"first is {entry['first']!r}, not {first}", deal=number)
    for key in ("declarer", "contract", "trump"):
        if entry[key] is not None:
            refuse("C-10", f"{key} is not null", deal=number)
    if entry["table"] != {}:
        refuse("C-10", "table is not empty", deal=number)
    if not isinstance(entry["events"], list):
        refuse("C-10", "events is not a list", deal=number)


def _deal_out(
    entry: Mapping[str, Any], options: Options, number: int, seats: Sequence[int], first: int
) -> Table:
    """Check hands and stock and lay the table (KG-1, C-1, C-7)."""
    hands, each = entry["hands"], options.cards_each(len(seats))
    if not isinstance(hands, list) or len(hands) != len(seats):
        refuse("C-10", "hands is not a list with one entry a seat", deal=number)
    cards: list[str] = []
    for seat, hand in zip(seats, hands, strict=True):
        cards += check_cards(hand, DECK, f"the hand of seat {seat}", deal=number)
        if len(hand) != each:
            refuse("KG-1", f"seat {seat} is dealt {len(hand)} cards, not {each}", deal=number)
    stock = check_cards(entry["stock"], DECK, "the stock", deal=number)
    cards += stock
    if len(cards) != len(DECK) or set(cards) != DECK:
        refuse("C-7", "hands and stock are not the whole deck once", deal=number)
    start = list(seats).index(first)
    order = [*seats[start:], *seats[:start]]
    held = {seat: set(hand) for seat, hand in zip(seats, hands, strict=True)}
    return Table(options, order, held, list(stock))


def _check_scores(entry: Mapping[str, Any], number: int, wanted: list[int]) -> None:
    found = entry["scores"]
    whole = isinstance(found, list) and all(is_whole(score) for score in found)
    if not whole or found != wanted:
        refuse("C-10", f"scores is {found!r}; the cards left give {wanted}", deal=number)


# The outcome


def _check_outcome(head: Mapping[str, Any], deals: Sequence[_Deal], verdict: _Verdict) -> None:
    """Compare every known column of the outcome (KG-14).

    Others are passed over: the columns are those "at least", a program may have more of its own.
    """
    found = head["outcome"]
    for key, wanted in _columns(head, deals, verdict).items():
        if key not in found:
            refuse("KG-14", f"the outcome lacks {key}")
        _check_column(key, found[key], wanted)
    # C-10 lets the columns of the deal stand beside those of the game; where they do they count.
    for key, wanted in (("deal", 0), ("first", deals[0].first)):
        if key in found:
            _check_column(key, found[key], wanted)


def _check_column(key: str, found: object, wanted: object) -> None:
    if isinstance(wanted, float):
        right = same_number(found, wanted)
    else:
        right = type(found) is type(wanted) and found == wanted
    if not right:
        refuse("KG-14", f"the outcome's {key} is {found!r}, not {wanted!r}")


def _columns(
    head: Mapping[str, Any], deals: Sequence[_Deal], verdict: _Verdict
) -> dict[str, object]:
    """The outcome row: counts and `ending` of the first deal, the winner of the game (KG-14)."""
    deal = deals[0]
    winners = verdict.winners
    columns: dict[str, object] = {
        "seed": head["seed"],
        "index": head["index"],
        "ending": deal.end.ending,
        "final_ending": deals[-1].end.ending,
        "proof": deal.end.proof,
        "cycle_of": deal.end.cycle_of,
        "playoffs": len(deals) - 1,
        "winner": winners[0] if len(winners) == 1 else -1,
        "censored": verdict.censored,
        "first_out": deal.outs[0] if deal.outs else -1,
        **asdict(deal.counts),
    }
    for seat in range(head["players"]):
        columns[f"win_share_{seat}"] = 1 / len(winners) if seat in winners else 0.0
        columns[f"cards_left_{seat}"] = deal.left[seat]
        columns[f"orphans_{seat}"] = deal.orphans[seat]
    return columns
