"""The slow engine of King in many games: sums, endings, every option."""

from __future__ import annotations

import json
from math import sqrt
from statistics import mean, stdev
from typing import Any

import pytest

from .king_scripts import events, run, scores
from .king_tables import (
    VARIETIES,
    allowed_players,
    card,
    contract_list,
    default_rules,
    suit,
)

GAMES = [(v, n) for v in VARIETIES for n in allowed_players(v)]

# Every single value that differs from a default, by option.
OTHER_VALUES: dict[str, list[Any]] = {
    "first": ["rotate"],
    "play_out": [True],
    "max_deals": [1],
    "must_trump": [True],
    "no_trump": [False],
    "order_when": ["blind"],
    "trump_in": ["positive", "all", "none"],
    "trump_lead": ["declarer"],
    "removed": ["sevens"],
    "kept_as": ["trick"],
    "deck": [52],
    "joker_play": ["void", "any"],
    "joker_loses": ["led"],
    "deals": [1, 5],
    "bid": ["gain"],
    "auction": ["open"],
    "bidder_leads": [True],
    "limit": [-1],
    "eralash": [False],
    "hvalenki": [0, 2],
    "kings_as_boys": [True],
}


# ---------------------------------------------------------------- sums, matches, options


def fixed_sum(variety: str, row: dict[str, Any]) -> int:
    """What the scores of a deal must sum to (K-3, K-T, K-M, K-J, K-X)."""
    if variety == "jokers":
        return -124
    if variety in ("simple", "ordered"):
        amount = 96 if row["contract"] in ("no-all", "all") else 16
    elif variety == "threesome":
        by_name = {"hearts": 16, "king": 20, "all": 116}
        amount = by_name.get(row["contract"].removeprefix("no-"), 20)
    elif row["contract"] == "win-back":
        amount = 80
    else:
        amount = 240 if row["contract"] in ("no-all", "all") else 40
    return -amount if row["contract"].startswith("no-") else amount


@pytest.mark.parametrize(
    ("variety", "players"), [g for g in GAMES if g[0] not in ("domino", "trade", "omnibus")]
)
def test_sums(variety: str, players: int) -> None:
    for kings in (False, True) if variety == "atomic" else (False,):
        for index in range(56):
            more = {"kings_as_boys": True} if kings else {}
            game = run(variety, players, index, rules=more)
            row = game["deals_rows"][0]
            assert sum(row[f"score_{s}"] for s in range(players)) == fixed_sum(variety, row)


def test_sums_of_the_others() -> None:
    for index in range(40):
        for players in (3, 4):
            row = run("omnibus", players, index)["deals_rows"][0]
            total = sum(row[f"score_{s}"] for s in range(players))
            assert total == (26 if row["slam"] else -16)
            game = run("trade", players, index)
            row = game["deals_rows"][0]
            if row["ending"] != "void":
                short = players == 3 and events(game, "name")[0]["suit"] == "C"
                total = sum(row[f"score_{s}"] for s in range(players))
                assert total == -(12 if short else 13) - row["bid"]
        game = run("jokers", 3, index, rules={"jokers": 2})
        aside = card(game["record"]["deals"][0]["table"]["aside"][0])
        worth = 20 if aside in (61, 62) else aside % 16 + 2 if suit(aside) == 1 else 0
        assert sum(scores(game)) == -144 + worth


@pytest.mark.parametrize(
    ("variety", "players", "deals"),
    [
        ("simple", 4, 14),
        ("threesome", 3, 14),
        ("ordered", 4, 56),
        ("minsk", 3, 27),
        ("minsk-declarer", 3, 27),
        ("atomic", 3, 42),
        ("jokers", 3, 3),
        ("jokers", 4, 4),
    ],
)
def test_complete_matches(variety: str, players: int, deals: int) -> None:
    game = run(variety, players, index=5, unit="match")
    outcome = game["record"]["outcome"]
    assert (outcome["ending"], outcome["deals"], outcome["censored"]) == ("complete", deals, False)
    rows = game["deals_rows"]
    for seat in range(players):
        assert outcome[f"total_{seat}"] == sum(row[f"score_{seat}"] for row in rows)
    assert [row["first"] for row in rows] == [d % players for d in range(deals)]
    assert outcome["options"] == sum(row["options"] for row in rows)
    assert sum(outcome[f"win_share_{s}"] for s in range(players)) == pytest.approx(1)


@pytest.mark.parametrize("variety", ["domino", "trade", "omnibus"])
def test_limits(variety: str) -> None:
    for index in range(5):
        game = run(variety, 4, index, unit="match")
        outcome, rows = game["record"]["outcome"], game["deals_rows"]
        totals = [outcome[f"total_{s}"] for s in range(4)]
        limit = game["record"]["rules"]["limit"]
        before = [t - rows[-1][f"score_{s}"] for s, t in enumerate(totals)]
        assert outcome["ending"] == "limit"
        assert min(totals) <= limit < min(before)
    short = run(variety, 4, unit="match", rules={"max_deals": 1})["record"]["outcome"]
    assert (short["ending"], short["censored"]) == ("censored", True)
    assert sum(short[f"win_share_{s}"] for s in range(4)) == 0


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_every_option(variety: str, players: int) -> None:
    defaults = default_rules(variety, players)
    tries: list[dict[str, Any]] = [{}]
    tries += [{name: v} for name in defaults for v in OTHER_VALUES.get(name, [])]
    if defaults.get("contracts", 0) is None:
        names = contract_list(variety, defaults)
        tries += [{"contracts": [names[-1], names[0], names[0]]}]
    if (variety, players) == ("jokers", 3):
        tries += [{"jokers": 2}]
    for rules in tries:
        for policy in ("random", "low", "high"):
            for unit in ("deal", "match"):
                # A match of every contract is played once a policy, with a cap elsewhere.
                cap = {} if unit == "deal" or not rules else {"max_deals": 6}
                game = run(
                    variety,
                    players,
                    index=9,
                    unit=unit,
                    rules=cap | rules,
                    policies=[policy] * players,
                )
                assert json.loads(json.dumps(game)) == game
                assert len(game["deals_rows"]) == len(game["record"]["deals"])


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_early_end_changes_no_score(variety: str, players: int) -> None:
    for index in range(28):
        short = run(variety, players, index)["deals_rows"][0]
        long = run(variety, players, index, rules={"play_out": True})["deals_rows"][0]
        assert long["ending"] in ("played", "void")
        assert short["slam"] == long["slam"]
        for seat in range(players):
            assert short[f"score_{seat}"] == long[f"score_{seat}"]


def test_decks_are_common_and_play_seed_is_apart() -> None:
    one = run("simple", 4, policies=["low"] * 4)["record"]
    two = run("simple", 4, play_seed=99)["record"]
    three = run("simple", 4, play_seed=99)["record"]
    assert one["deals"][0]["hands"] == two["deals"][0]["hands"]
    assert two == three
    assert run("simple", 4)["record"]["deals"][0]["events"] != two["deals"][0]["events"]


def test_low_and_high() -> None:
    game = run("jokers", 4, policies=["low", "high", "high", "low"])
    assert game["record"]["uses_chance"] == [False] * 4
    hands = game["record"]["deals"][0]["hands"]
    lowest = min(hands[0], key=lambda name: (card(name) % 16, card(name)))
    assert events(game, "play")[0]["card"] == lowest


def test_leader_of_no_tricks() -> None:
    rules = {"contracts": ["no-tricks"]}
    found = [scores(run("simple", 4, i, rules=rules))[0] for i in range(4000)]
    error = stdev(found) / sqrt(len(found))
    assert abs(mean(found) + 4.13) < 4 * error
