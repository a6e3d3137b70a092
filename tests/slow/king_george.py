"""King George III once more, slowly: the rules KG-1 … KG-14 in plain Python.

The outcome rows of the fast kernel are compared with those of this engine, so it shares no
code with the library; only the streams of chance are the same by construction. One deal is
in `king_george_deal`; here are the policies, the playoffs, the record and the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .king_george_deal import ACE, SET_ASIDE, STOP, Deal, Info, Option, Policy, card_of, text
from .streams import DECK, TABLE, Stream, seat_purpose

HAND_SIZE = {2: 13, 3: 9, 4: 7, 5: 6}

DEFAULTS: dict[str, Any] = {
    "first": "zero",
    "hand_size": None,
    "lead": "one",
    "wrap": False,
    "ace_fits": "neighbour",
    "must_run": False,
    "draw": "until_fits",
    "recycle": "turn",
    "recycle_when": "needed",
    "ace_resets": 3,
    "ace_choice": False,
    "ace_scope": "deal",
    "after_out": "lap",
    "out_tie": "playoff",
    "max_playoffs": 32,
    "deadlock_tie": "share",
    "max_turns": 2000,
    "endless": "none",
}


# Policies


def random(hand: tuple[int, ...], options: list[Option], top: int | None, info: Info) -> Option:
    """Pick any option, each equally often (C-5)."""
    number: int = info["below"](len(options))
    return options[number]


random.uses_chance = True  # type: ignore[attr-defined]


def one_card(hand: tuple[int, ...], options: list[Option], top: int | None, info: Info) -> Option:
    """Put the lowest card that fits, then stop; set every ace aside."""
    return STOP if STOP in options else options[0]


def eager(hand: tuple[int, ...], options: list[Option], top: int | None, info: Info) -> Option:
    """Lay on while it can: equal rank, lower neighbour, anything else; lead the highest."""
    if info["decision"] == "ace":
        return SET_ASIDE
    cards = [card for card in options if isinstance(card, int)]
    if top is None:
        highest = max(card // 4 for card in cards)
        return min(card for card in cards if card // 4 == highest)
    rank = top // 4
    lower = rank - 1
    if rank == 0 and info["rules"]["wrap"]:
        lower = ACE
    for wanted in (rank, lower):
        matching = [card for card in cards if card // 4 == wanted]
        if matching:
            return min(matching)
    return min(cards)


POLICIES: dict[str, Policy] = {"random": random, "one-card": one_card, "eager": eager}


# A game: a deal and its playoffs


@dataclass
class Verdict:
    """Who wins after a deal: the winners share, or play off if ``playoff``."""

    winners: list[int]
    playoff: bool = False
    censored: bool = False


def judge(deal: Deal, ending: str, number: int, rules: Mapping[str, Any]) -> Verdict:
    """Decide what follows from the ending of a deal (KG-10 … KG-12)."""
    if ending == "out":
        winners, tie = sorted(deal.out), rules["out_tie"]
    elif ending == "deadlock" or (ending == "endless" and rules["endless"] == "fewest"):
        winners, tie = deal.fewest(), rules["deadlock_tie"]
    elif number > 0:
        return Verdict(sorted(deal.order), censored=True)
    else:
        return Verdict([], censored=ending == "truncated")
    if len(winners) == 1 or tie == "share":
        return Verdict(winners)
    if number >= rules["max_playoffs"]:
        return Verdict(winners, censored=True)
    return Verdict(winners, playoff=True)


def first_of(candidates: Sequence[int], before: int, players: int) -> int:
    """Return the first of some seats clockwise after the seat ``before`` (KG-10)."""
    return min(candidates, key=lambda seat: (seat - before - 1) % players)


def dealt(
    cards: list[int], order: Sequence[int], size: int
) -> tuple[dict[int, list[int]], list[int]]:
    """Deal a deck out one by one (C-4a); return the hands in the order dealt and the stock."""
    end = len(order) * size
    hands = {seat: cards[place : end : len(order)] for place, seat in enumerate(order)}
    return hands, cards[end:]


def deal_row(deal: Deal, ending: str, first: int, players: int) -> dict[str, Any]:
    """Return the columns that a deal has in both tables (KG-14)."""
    left, orphans, counts = deal.cards_left(), deal.orphans(), deal.counts
    row: dict[str, Any] = {"first": first, "ending": ending, "proof": deal.proof}
    row.update(vars(counts))
    row.update({f"cards_left_{seat}": left.get(seat, -1) for seat in range(players)})
    row.update({f"orphans_{seat}": orphans.get(seat, -1) for seat in range(players)})
    row["cycle_of"] = deal.cycle_of
    return row


def deal_record(
    deal: Deal, ending: str, number: int, hands: Mapping[int, list[int]], stock: list[int]
) -> dict[str, Any]:
    """Return one entry of ``deals`` in the game record (C-10)."""
    seats = sorted(deal.order)
    left = deal.cards_left()
    record: dict[str, Any] = {
        "deal": number,
        "first": deal.order[0],
        "seats": seats,
        "declarer": None,
        "contract": None,
        "trump": None,
        "hands": [[text(card) for card in hands[seat]] for seat in seats],
        "stock": [text(card) for card in stock],
        "table": {},
        "events": deal.events,
        "ending": ending,
        "scores": [-left[seat] for seat in seats],
    }
    if ending == "endless":
        record["proof"] = deal.proof
        if deal.proof == "cycle":
            record["cycle_of"] = deal.cycle_of
    return record


def check_arguments(players: int, rules: Mapping[str, Any], policies: Sequence[str]) -> None:
    """Refuse what would silently play something else."""
    if not 2 <= players <= 5:
        raise ValueError(f"players={players}: 2 to 5 (KG-1)")
    if set(rules) != set(DEFAULTS):
        raise ValueError(f"rules must be complete; differing: {set(rules) ^ set(DEFAULTS)}")
    if len(policies) != players:
        raise ValueError(f"{len(policies)} policies for {players} players")
    size = rules["hand_size"]
    if size is not None and not (size >= 1 and size * players < 52):
        raise ValueError(f"hand_size={size} leaves no stock (KG-1)")


def play(
    *,
    players: int,
    variety: None = None,
    unit: str = "deal",
    rules: Mapping[str, Any],
    policies: Sequence[str],
    seed: int,
    play_seed: int | None = None,
    index: int,
    prove: bool = True,
    deck: Mapping[int, Sequence[str]] | None = None,
    more_policies: Mapping[str, Policy] | None = None,
) -> dict[str, Any]:
    """Play one game and return its record and the rows of its deals.

    Parameters
    ----------
    players : int
        2 to 5.
    variety, unit
        Always None and ``deal`` here.
    rules : mapping
        Every option; `DEFAULTS` has them all.
    policies : sequence of str
        One name a seat, of `POLICIES` or ``more_policies``.
    seed, play_seed, index : int
        The chance (C-4); ``play_seed`` is ``seed`` when None.
    prove : bool
        With False neither proof of KG-12 is looked for.
    deck : mapping, optional
        Decks to be used instead of shuffled ones: deal number to card texts in deck order.
    more_policies : mapping, optional
        Name to ``policy(hand, options, top, info)``: cards are numbers, ``top`` is None on a
        lead; it returns one of ``options``. One that draws from ``info["below"]`` needs an
        attribute ``uses_chance = True``.

    Returns
    -------
    dict
        ``record`` (C-10) and ``deals_rows``, one dict a deal.

    Raises
    ------
    ValueError
        For incomplete rules, and for an answer that is not an option (C-5).
    """
    check_arguments(players, rules, policies)
    if variety is not None or unit != "deal":
        raise ValueError("King George III has no varieties and unit 'deal' only")
    play_seed = seed if play_seed is None else play_seed
    known = {**POLICIES, **(more_policies or {})}
    seats = list(range(players))
    first = index % players if rules["first"] == "rotate" else 0
    records: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    while True:
        number = len(records)
        if deck is not None and number in deck:
            cards = [card_of(name) for name in deck[number]]
        else:
            cards = list(range(52))
            Stream(seed, index, DECK, number).shuffle(cards)
        order = sorted(seats, key=lambda seat: (seat - first) % players)
        hands, stock = dealt(cards, order, rules["hand_size"] or HAND_SIZE[len(order)])
        deal = Deal(
            rules=rules,
            order=order,
            hands={seat: set(hand) for seat, hand in hands.items()},
            stock=list(stock),
            policies={seat: known[policies[seat]] for seat in order},
            table=Stream(play_seed, index, TABLE, number),
            streams={seat: Stream(play_seed, index, seat_purpose(seat), number) for seat in order},
            where=f"game {index}, deal {number}",
            names=dict(enumerate(policies)),
        )
        ending = deal.run(prove)
        records.append(deal_record(deal, ending, number, hands, stock))
        key = {"seed": seed, "index": index, "deal": number}
        rows.append({**key, **deal_row(deal, ending, first, players)})
        verdict = judge(deal, ending, number, rules)
        if not verdict.playoff:
            break
        seats = verdict.winners
        first = first_of(seats, first, players)
    record = {
        "format": "simlib-record/1",
        "game": "king-george-iii",
        "variety": None,
        "players": players,
        "unit": "deal",
        "rules": dict(rules),
        "seed": seed,
        "play_seed": play_seed,
        "index": index,
        "policies": list(policies),
        "uses_chance": [bool(getattr(known[name], "uses_chance", False)) for name in policies],
        "deals": records,
        "outcome": outcome(rows, verdict, players),
    }
    return {"record": record, "deals_rows": rows}


def outcome(rows: list[dict[str, Any]], verdict: Verdict, players: int) -> dict[str, Any]:
    """Return the row of the table of games: the first deal's columns and who won (KG-14)."""
    winners = verdict.winners
    row = {name: value for name, value in rows[0].items() if name not in ("deal", "first")}
    for seat in range(players):
        row[f"win_share_{seat}"] = 1 / len(winners) if seat in winners else 0.0
    row["censored"] = verdict.censored
    row["final_ending"] = rows[-1]["ending"]
    row["playoffs"] = len(rows) - 1
    row["winner"] = winners[0] if len(winners) == 1 else -1
    return row
