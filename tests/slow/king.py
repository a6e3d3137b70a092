"""King, all ten varieties, slowly and in plain Python (DESIGN, verification ladder, rung 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .king_deal import Deal, Table
from .king_policies import Policy, find_policies
from .king_tables import (
    FIXED,
    NAMED,
    Rules,
    card,
    card_set,
    check_rules,
    contract_list,
    default_rules,
    distinct_in_order,
)
from .streams import DECK, Stream

__all__ = ["default_rules", "play"]


def play(
    *,
    players: int,
    variety: str,
    unit: str = "deal",
    rules: Rules,
    policies: list[str],
    seed: int,
    play_seed: int | None = None,
    index: int,
    policy_table: Mapping[str, Policy] | None = None,
    deck: Mapping[int, list[str]] | None = None,
) -> dict[str, Any]:
    """Play one game of King.

    Parameters
    ----------
    players, variety, unit, rules, policies, seed, play_seed, index
        As in the game record (C-10); `rules` names every option of the variety.
    policy_table
        Further policies by name; each takes an `Ask` and returns one of its options.
    deck
        Deck orders to use instead of shuffled ones, by number of the deal, first card first.

    Returns
    -------
    dict
        `record`, the game record with its outcome, and `deals_rows`, the rows of the deals.

    Raises
    ------
    ValueError
        Options, policies or a deck that do not fit; `IllegalAnswer` for C-5.
    """
    check_rules(variety, players, rules)
    if unit not in ("deal", "match") or len(policies) != players:
        raise ValueError("unit is deal or match, with one policy a seat")
    deciders, uses_chance = find_policies(policies, policy_table)
    luck = seed if play_seed is None else play_seed
    table = Table(players, variety, rules, deciders, list(policies), seed, luck, index)
    if unit == "deal":
        deal = play_deal(table, 0, imposed(table), deck)
        deals, outcome = [deal], deal_outcome(deal)
    else:
        deals, outcome = play_match(table, deck)
    record = {
        "format": "simlib-record/1",
        "game": "king",
        "variety": variety,
        "players": players,
        "unit": unit,
        "rules": dict(rules),
        "seed": seed,
        "play_seed": luck,
        "index": index,
        "policies": list(policies),
        "uses_chance": uses_chance,
        "deals": [deal.record() for deal in deals],
        "outcome": outcome,
    }
    return {"record": record, "deals_rows": [deal.row() for deal in deals]}


# ---------------------------------------------------------------- one deal


def first_seat(table: Table, number: int) -> int:
    """The seat that is `first` in deal `number` of the game (C-3)."""
    start = table.index if table.rules["first"] == "rotate" else 0
    return (start + number) % table.players


def deck_order(table: Table, number: int, forced: Mapping[int, list[str]] | None) -> list[int]:
    """Deck order of a deal (C-4), or the forced one."""
    cards = card_set(table.variety, table.players, table.rules)
    if forced is not None and number in forced:
        order = [card(name) for name in forced[number]]
        if sorted(order) != cards:
            raise ValueError(f"deal {number}: the deck given is not the deck of {table.variety}")
        return order
    cards.sort(key=lambda number: (number % 16, number))  # a new pack, jokers last
    Stream(table.seed, table.index, DECK, number).shuffle(cards)
    return cards


def play_deal(
    table: Table, number: int, choices: list[str], forced: Mapping[int, list[str]] | None
) -> Deal:
    """Play deal `number` with the contracts that may be named."""
    deck = deck_order(table, number, forced)
    deal = Deal(table, number, first_seat(table, number), choices, deck)
    deal.run()
    deal.check_cards()
    return deal


def imposed(table: Table) -> list[str]:
    """The contract of a deal on its own (K-7)."""
    names = contract_list(table.variety, table.rules)
    return [names[table.index % len(names)]] if names else []


# ---------------------------------------------------------------- a match


def play_match(
    table: Table, forced: Mapping[int, list[str]] | None
) -> tuple[list[Deal], dict[str, Any]]:
    """Play deals until the match ends."""
    names = contract_list(table.variety, table.rules)
    left = [list(names) for _ in range(table.players)]
    totals = [0] * table.players
    deals: list[Deal] = []
    ending = ""
    while not ending:
        number = len(deals)
        if table.variety in FIXED:
            choices = [names[number]]
        else:
            choices = distinct_in_order(left[declarer_of(table, number)], table.variety)
        deal = play_deal(table, number, choices, forced)
        deals.append(deal)
        if table.variety in NAMED:
            assert deal.declarer is not None and deal.contract is not None
            left[deal.declarer].remove(deal.contract)
        totals = [a + b for a, b in zip(totals, deal.scores(), strict=True)]
        ending = match_ending(table, len(deals), len(names), totals)
    return deals, match_outcome(table, deals, totals, ending)


def declarer_of(table: Table, number: int) -> int:
    """Who declares in deal `number`: `first`, in Atomic the seat after him (K-X)."""
    step = 1 if table.variety == "atomic" else 0
    return (first_seat(table, number) + step) % table.players


def match_ending(table: Table, played: int, contracts: int, totals: list[int]) -> str:
    """Ending of a match after `played` deals, "" if it goes on (K-7, K-11)."""
    rules = table.rules
    if "limit" in rules and min(totals) <= rules["limit"]:
        return "limit"
    if rules.get("bid") == "gain" and max(totals) >= -rules["limit"]:
        return "limit"
    if played == full_length(table, contracts):
        return "complete"
    return "censored" if played == rules["max_deals"] else ""


def full_length(table: Table, contracts: int) -> int | None:
    """Deals of a complete match; None where only a limit ends it."""
    if table.variety in FIXED:
        return contracts
    if table.variety in NAMED:
        return contracts * table.players
    if table.variety == "jokers":
        wanted: int | None = table.rules["deals"]
        return table.players if wanted is None else wanted
    return None


# ---------------------------------------------------------------- outcomes


def shares(scores: list[int]) -> dict[str, float]:
    """Win share of each seat: the highest score, ties shared (C-9)."""
    best = max(scores)
    winners = scores.count(best)
    return {f"win_share_{s}": 1 / winners if x == best else 0.0 for s, x in enumerate(scores)}


def no_shares(players: int) -> dict[str, float]:
    """Nobody wins."""
    return {f"win_share_{s}": 0.0 for s in range(players)}


def deal_outcome(deal: Deal) -> dict[str, Any]:
    """Row of the table of games for a deal on its own: nobody wins a void one (K-10)."""
    void = deal.ending == "void"
    won = no_shares(deal.table.players) if void else shares(deal.scores())
    return deal.row() | won | {"censored": False}


def match_outcome(
    table: Table, deals: list[Deal], totals: list[int], ending: str
) -> dict[str, Any]:
    """Row of the table of games for a match."""
    censored = ending == "censored"
    row: dict[str, Any] = {"seed": table.seed, "index": table.index, "deals": len(deals)}
    row |= {f"total_{s}": total for s, total in enumerate(totals)}
    row |= no_shares(table.players) if censored else shares(totals)
    return row | {
        "censored": censored,
        "ending": ending,
        "decisions": sum(deal.decisions for deal in deals),
        "options": sum(deal.options for deal in deals),
    }
