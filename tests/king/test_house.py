"""House varieties: rows of the same table from a file, validated, played by the same kernel."""

from __future__ import annotations

from typing import Any

import pytest

import simlib
from simlib.errors import BadInput
from simlib.games.king.contracts import LABELS, Contract, Plan
from simlib.games.king.house import House
from simlib.games.king.outcome import contract_labels
from simlib.games.king.rules import HouseRules, make_plan, rules_model
from tests.king.house_tables import example
from tests.king.kernel_rows import GAMES, SEATS, play

RANKS = "23456789TJQKA"


def text(card: int) -> str:
    return f"X{card - 60}" if card > 60 else RANKS[card % 16] + "SHDC"[card // 16]


def row_of(contract: Contract, name: str, times: int) -> dict[str, Any]:
    """Write a contract of a variety as a row of a house."""
    return {
        "name": name,
        "trick": contract.trick,
        "last_two": contract.last,
        "cards": {text(card): points for card, points in contract.cards.items()},
        "held_back": ["SHDC"[suit] for suit in contract.held_back],
        "duty": [text(card) for card in contract.duty],
        "trump": contract.trump,
        "declarer_leads_trumps": contract.declarer_leads_trumps,
        "slam": contract.slam,
        "times": times,
    }


def house_of(variety: str, plan: Plan, options: dict[str, Any]) -> dict[str, Any]:
    """Write a variety of the seeds as a house."""
    low = min(card % 16 for card in plan.deck if card < 60)
    jokers = sum(card > 60 for card in plan.deck)
    whole = {s * 16 + r for s in range(4) for r in range(low, 13)}
    names = [contract.name or f"row-{place}" for place, contract in enumerate(plan.contracts)]
    custom: dict[str, Any] = {
        "players": plan.players,
        "deck": 52 if low == 0 else 32,
        "without": [text(card) for card in sorted(whole - set(plan.deck))],
        "jokers": jokers,
        "hand_size": plan.hand_size,
        "talon": plan.talon,
        "reserve": plan.reserve,
        "choice": plan.choice,
        "declarer": "next" if plan.declarer_step else "leader",
        "limit": plan.limit,
        "limit_high": plan.limit_high,
        "contracts": [
            row_of(contract, name, plan.listed.count(place))
            for place, (contract, name) in enumerate(zip(plan.contracts, names, strict=True))
        ],
    }
    if plan.choice == "fixed":
        custom["deals"] = plan.length or 0
    for name in ("must_trump", "no_trump", "order_when", "kept_as", "auction", "bid",
                 "bidder_leads", "joker_play", "joker_loses"):  # fmt: skip
        if name in options:
            custom[name] = options[name]
    return custom


CHANGED: dict[str, dict[str, Any]] = {
    "ordered": {"must_trump": True, "no_trump": False, "trump_in": "all"},
    "minsk-declarer": {"order_when": "blind"},
    "domino": {"kept_as": "trick", "deck": 52},
    "jokers": {"joker_play": "any", "joker_loses": "led"},
    "trade": {"auction": "open", "bid": "gain", "bidder_leads": True},
    "atomic": {"kings_as_boys": True},
}


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_a_variety_written_as_a_house_is_the_same_game(variety: str, players: int) -> None:
    for options in ({}, CHANGED.get(variety)):
        if options is None:
            continue
        model = rules_model(variety)(**options)
        plan = make_plan(model, players)
        custom = house_of(variety, plan, model.model_dump())
        for unit in ("deal", "match"):
            policies = ["random"] * players
            one = play(variety, {**options, "max_deals": 20}, policies, unit=unit, total=30)
            two = play("house", {"custom": custom, "max_deals": 20}, policies, unit=unit, total=30)
            assert (one.games == two.games).all()
            for column in one.deals.dtype.names or ():
                if column != "contract":
                    assert (one.deals[column] == two.deals[column]).all(), column


def read(**changes: Any) -> House:
    custom = example()["custom"]
    house = HouseRules(custom={**custom, **changes}).custom
    assert house is not None
    return house


def test_the_example_is_played() -> None:
    rules = example()
    played = play("house", rules, ["random"] * 4, total=4000, trusted=True).deals
    model = HouseRules(**rules)
    labels = contract_labels(model)
    sums = {"no-tricks": -260, "no-hearts": -260, "no-men": -240, "no-queens": -200,
            "no-king": -160, "no-last-two": -180, "feast": 325}  # fmt: skip
    for code in set(played["contract"]):
        rows = played[played["contract"] == code]
        if labels[code] in sums:
            assert set(rows["score"].sum(1)) == {sums[labels[code]]}
        else:
            assert set(rows["score"].sum(1)) == {10, 200} or set(rows["score"].sum(1)) == {10}
    record = simlib.replay("king", variety="house", unit="match", index=1, rules=rules)
    assert record["outcome"]["deals"] <= 32
    assert record["deals"][0]["contract"] in labels
    assert record["rules"]["custom"]["players"] == 4
    assert "feast" in record.text()


def test_labels_of_a_house_follow_those_of_the_seeds() -> None:
    model = HouseRules(custom=read())
    assert contract_labels(model)[: len(LABELS)] == LABELS
    assert contract_labels(model)[len(LABELS)] == "no-tricks"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": 5}, r"custom\.players"),
        ({"players": "4"}, r"custom\.players"),
        ({"deck": 40}, r"custom\.deck"),
        ({"hand_size": 14}, r"cards of the deck"),
        ({"talon": 2}, r"cards of the deck"),
        ({"without": ["1H"]}, r"custom\.without.*1H"),
        ({"stakes": 3}, r"custom\.stakes"),
        ({"contracts": []}, r"custom\.contracts"),
        ({"contracts": [{"name": "No Tricks", "trick": 1}]}, r"contracts\.0\.name"),
        ({"contracts": [{"name": "a"}]}, r"'a': nothing scores"),
        ({"contracts": [{"name": "a", "trick": 1.5}]}, r"contracts\.0\.trick"),
        ({"contracts": [{"name": "a", "trick": 5000}]}, r"contracts\.0\.trick"),
        ({"contracts": [{"name": "a", "trick": 1}] * 2}, r"same name"),
        ({"contracts": [{"name": "a", "suits": {"Z": 1}}]}, r"contracts\.0\.suits"),
        ({"contracts": [{"name": "a", "cards": {"ZZ": 1}}]}, r"contracts\.0\.cards.*ZZ"),
        ({"contracts": [{"name": "a", "trick": 1, "slam": 5}]}, r"slam"),
        ({"contracts": [{"name": "a", "trick": 1, "suits": {"H": 1}, "slam": 5}]}, r"no tricks"),
        ({"contracts": [{"name": "a", "cards": {"TH": 1, "10H": 2}}]}, r"'10H' is given twice"),
        ({"choice": "fixed"}, r"trump needs"),
        ({"choice": "fixed", "bidder_leads": True}, r"needs choice"),
        ({"deals": 3}, r"no deals"),
        ({"choice": "auction", "limit": None}, r"to end"),
        ({"choice": "auction", "limit": None, "deals": 0}, r"to end"),
    ],
)
def test_bad_houses_are_named(changes: dict[str, Any], words: str) -> None:
    rules = example()
    with pytest.raises(BadInput, match=words):
        simlib.replay(
            "king", variety="house", index=0, rules={"custom": {**rules["custom"], **changes}}
        )


def test_a_highest_bidder_names_any_contract() -> None:
    custom = {"choice": "auction", "limit": -9, "contracts": [{"name": "a", "trick": -1}]}
    with pytest.raises(BadInput, match="contracts: with choice auction"):
        simlib.replay(
            "king", variety="house", index=0, rules={"custom": custom, "contracts": ["a"]}
        )


def test_a_house_is_for_its_own_number_of_players() -> None:
    custom = read().model_dump() | {"players": 3, "hand_size": 17}
    simlib.replay("king", variety="house", players=3, index=0, rules={"custom": custom})
    with pytest.raises(BadInput, match="players 4"):
        simlib.replay("king", variety="house", players=4, index=0, rules={"custom": custom})
    assert SEATS == 4
