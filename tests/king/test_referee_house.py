"""The referee and house varieties: the table comes with the record (K-3, C-10).

Most bad records here are honest games at another table: they were played with one number or flag
of the table changed, and then say that it was not.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from simlib.games import get
from simlib.games.king.referee import check
from simlib.games.king.rules import make_plan, rules_model
from simlib.record import record_of, verify_lines
from simlib.setup import prepare
from tests.king.house_tables import Table, example, random_table, whole
from tests.king.kernel_rows import GAMES
from tests.king.referee_helpers import Record, clause_of, drop, put
from tests.king.test_house import CHANGED, house_of

POLICIES = list(get("king").policies)


def records(
    table: Table, games: range, *, unit: str = "deal", policies: Any = "random", **options: Any
) -> list[Record]:
    """Return records of games at a table."""
    setup = prepare(
        "king",
        variety="house",
        players=table.get("players", 4),
        unit=unit,
        rules={"custom": table, **options},
        policies=policies,
        seed=len(str(table)),
    )
    return [record_of(setup, index) for index in games]


def accept(table: Table, games: range, **how: Any) -> None:
    for record in records(table, games, **how):
        fault = check(record)
        assert fault is None, (fault, table, how, record["seed"], record["index"])


# --- right games are accepted ---------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_accepts_the_example_with_every_policy(policy: str) -> None:
    rules = example()
    table = rules.pop("custom")
    accept(table, range(40), policies=policy, **rules)
    accept(table, range(2), unit="match", policies=policy, **rules)


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_accepts_every_variety_written_as_a_house(variety: str, players: int) -> None:
    for options in ({}, CHANGED.get(variety, {})):
        model = rules_model(variety)(**options)
        table = house_of(variety, make_plan(model, players), model.model_dump())
        accept(table, range(15))
        accept(table, range(1), unit="match")


def at_random(seed: int) -> None:
    chance = random.Random(seed)
    table = random_table(chance)
    options = {
        "max_deals": chance.choice([1, 4, 30]),
        "play_out": chance.random() < 0.3,
        "first": chance.choice(["zero", "rotate"]),
    }
    if table["choice"] != "auction" and chance.random() < 0.3:
        options["contracts"] = [chance.choice(table["contracts"])["name"] for _ in range(3)]
    policies = [chance.choice(POLICIES) for _ in range(table["players"])]
    accept(table, range(6), policies=policies, **options)
    accept(table, range(2), unit="match", policies=policies, **options)


@pytest.mark.parametrize("seed", range(60))
def test_accepts_tables_at_random(seed: int) -> None:
    at_random(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_accepts_a_thousand_tables(part: int, scaled: Any) -> None:
    for seed in range(scaled(100)):
        at_random(1000 + 100 * part + seed)


def test_a_record_read_back_from_a_file_is_accepted() -> None:
    rules = example()
    lines = [json.dumps(record) for record in records(rules.pop("custom"), range(3), **rules)]
    lines.append(lines[0].replace('"slam": 200', '"slam": 2000'))
    clauses = [verdict.fault and verdict.fault.clause for verdict in verify_lines(lines)]
    assert clauses == [None, None, None, "C-10"]


def test_a_match_of_the_example_says_the_names_of_its_contracts() -> None:
    rules = example()
    record = records(rules.pop("custom"), range(1), unit="match", **rules)[0]
    named = [event["contract"] for deal in record["deals"] for event in deal["events"][:1]]
    assert named == [deal["contract"] for deal in record["deals"]]
    assert set(named) <= {row["name"] for row in record["rules"]["custom"]["contracts"]}


# --- games at another table -----------------------------------------------------------

TRICKS = {"name": "tricks", "trick": -2}
QUEENS = {"name": "queens", "ranks": {"Q": -5}}
FEAST = {"name": "feast", "trick": 3, "trump": True}
LADY = {"name": "lady", "cards": {"QS": -5}, "slam": 9}
ORDERED: Table = {"deck": 32, "choice": "declarer"}
AUCTION: Table = {"deck": 32, "choice": "auction", "limit": -40}
BAZAAR: Table = {"deck": 32, "hand_size": 6, "reserve": True}
MINSK: Table = {"players": 3, "deck": 32, "choice": "declarer", "talon": 2}
JOKERS: Table = {"players": 3, "deck": 32, "jokers": 2, "without": ["7S"]}

#: clause, the table claimed, what of it was otherwise when the game was played.
OTHER_TABLES: list[tuple[str, Table, Table]] = [
    ("K-3", {"deck": 32, "contracts": [TRICKS]}, {"contracts": [{**TRICKS, "trick": -3}]}),
    ("K-3", {"deck": 32, "contracts": [{"name": "end", "last_two": 8}]},
     {"contracts": [{"name": "end", "last_two": 7}]}),
    ("K-3", {"deck": 32, "contracts": [QUEENS]}, {"contracts": [{**QUEENS, "ranks": {"Q": -4}}]}),
    ("K-3", {"deck": 32, "contracts": [{"name": "red", "suits": {"H": 1}}]},
     {"contracts": [{"name": "red", "suits": {"H": 2}}]}),
    ("K-3", {"deck": 32, "contracts": [{"name": "one", "cards": {"KH": -16}}]},
     {"contracts": [{"name": "one", "cards": {"KH": -15}}]}),
    ("K-3", {"deck": 32, "contracts": [LADY]}, {"contracts": [{**LADY, "slam": 8}]}),
    ("K-3", {"deck": 32, "contracts": [LADY]}, {"contracts": [{**LADY, "slam": 0}]}),
    ("K-3", {**AUCTION, "contracts": [TRICKS]}, {"bid": "gain"}),
    ("K-2", {**ORDERED, "must_trump": True, "no_trump": False, "contracts": [FEAST]},
     {"must_trump": False}),
    ("K-4", {"deck": 32, "contracts": [{**TRICKS, "held_back": ["S", "D"]}]},
     {"contracts": [{**TRICKS, "held_back": ["S"]}]}),
    ("K-5", {"deck": 32, "contracts": [{**TRICKS, "duty": ["AH", "KC"]}]},
     {"contracts": [{**TRICKS, "duty": ["AH"]}]}),
    ("K-O", {**ORDERED, "contracts": [{**TRICKS, "trump": True}]}, {"contracts": [TRICKS]}),
    ("K-O", {**ORDERED, "contracts": [TRICKS]}, {"contracts": [{**TRICKS, "trump": True}]}),
    ("K-O", {**ORDERED, "no_trump": False, "contracts": [FEAST]}, {"no_trump": True}),
    ("K-O", {**ORDERED, "declarer": "next", "contracts": [FEAST]}, {"declarer": "leader"}),
    ("K-M", {**ORDERED, "no_trump": False,
             "contracts": [{**FEAST, "declarer_leads_trumps": True}]}, {"contracts": [FEAST]}),
    ("K-M", {**ORDERED, "no_trump": False,
             "contracts": [{**FEAST, "held_back": ["H"], "declarer_leads_trumps": True}]},
     {"contracts": [{**FEAST, "held_back": ["H"]}]}),
    ("K-1", {"deck": 32, "without": ["7S", "7H", "7D", "8C"], "contracts": [TRICKS]},
     {"without": ["7S", "7H", "7D", "7C"]}),
    ("K-1", {**BAZAAR, "contracts": [TRICKS]}, {"hand_size": 5}),
    ("K-1", {**JOKERS, "contracts": [TRICKS]}, {"jokers": 1, "without": []}),
    ("K-O", {**ORDERED, "declarer": "next", "contracts": [FEAST]}, {"bidder_leads": True}),
    ("K-D", {**BAZAAR, "kept_as": "trick", "contracts": [TRICKS]}, {"kept_as": "cards"}),
    ("K-A", {**AUCTION, "most_bid": 5, "contracts": [TRICKS]}, {"most_bid": 13}),
    ("K-A", {**AUCTION, "auction": "open", "contracts": [TRICKS]}, {"auction": "round"}),
    ("K-A", {**AUCTION, "bidder_leads": True, "contracts": [TRICKS]}, {"bidder_leads": False}),
    ("K-A", {**AUCTION, "contracts": [TRICKS]}, {"contracts": [TRICKS, FEAST]}),
    ("K-J", {**JOKERS, "joker_play": "void", "contracts": [TRICKS]}, {"joker_play": "any"}),
    ("K-J", {**JOKERS, "joker_loses": "led", "contracts": [TRICKS]},
     {"joker_loses": "contains"}),
]  # fmt: skip


def claim(record: Record, table: Table) -> Record:
    """Return a record that says it was played at a table."""
    return put(record, "rules", "custom", whole(table))


def refused(clause: str, claimed: list[Record], least: int) -> None:
    """Require this clause of all that are refused; options that nobody took say nothing."""
    found = [clause_of(record) for record in claimed]
    bad = [one for one in found if one not in (None, "K-8", "K-9")]
    assert set(bad) == {clause}, found
    assert len(bad) >= least, found


@pytest.mark.parametrize(("clause", "table", "changes"), OTHER_TABLES)
def test_refuses_deals_of_another_table(clause: str, table: Table, changes: Table) -> None:
    accept(table, range(20))
    played = records({**table, **changes}, range(30))
    refused(clause, [claim(record, table) for record in played], 3)


#: The same for matches.
OTHER_MATCHES: list[tuple[str, Table, Table]] = [
    ("K-O", {**ORDERED, "contracts": [{**TRICKS, "times": 2}, FEAST]},
     {"contracts": [TRICKS, {**FEAST, "times": 2}]}),
    ("K-11", {**AUCTION, "contracts": [TRICKS]}, {"limit": -20}),
    ("K-11", {**AUCTION, "contracts": [TRICKS]}, {"limit": -60}),
    ("K-11", {**AUCTION, "bid": "gain", "limit_high": 20, "contracts": [FEAST]},
     {"limit_high": 50}),
    ("K-7", {"deck": 32, "deals": 3, "contracts": [TRICKS]}, {"deals": 4}),
    ("K-7", {"deck": 32, "deals": 4, "contracts": [TRICKS]}, {"deals": 3}),
    ("K-7", {"deck": 32, "contracts": [TRICKS, QUEENS]}, {"contracts": [QUEENS, TRICKS]}),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "table", "changes"), OTHER_MATCHES)
def test_refuses_matches_of_another_table(clause: str, table: Table, changes: Table) -> None:
    accept(table, range(10), unit="match")
    played = records({**table, **changes}, range(10), unit="match")
    refused(clause, [claim(record, table) for record in played], 2)


def test_an_end_that_is_too_early_or_too_late_breaks_k_6() -> None:
    table = {"deck": 32, "contracts": [LADY]}
    for one, other in ((True, False), (False, True)):
        played = records(table, range(20), play_out=one)
        refused("K-6", [put(record, "rules", "play_out", other) for record in played], 10)


def test_every_number_of_the_example_is_read() -> None:
    rules = example()
    table = rules.pop("custom")
    found = records(table, range(400), **rules)
    for row, contract in enumerate(table["contracts"]):
        for way in _numbers(contract):
            caught = 0
            for record in found[row :: len(table["contracts"])]:
                path = ("rules", "custom", "contracts", row, *way)
                clause = clause_of(put(record, *path, _at(record, path) + 1))
                assert clause in (None, "K-3")
                caught += clause == "K-3"
            assert caught >= 20, (contract["name"], way)


def _numbers(row: Table) -> list[tuple[str, ...]]:
    return [
        way
        for key, value in row.items()
        for way in ([(key, one) for one in value] if isinstance(value, dict) else [(key,)])
        if key in ("trick", "last_two", "ranks", "suits", "cards")
    ]


def _at(record: Record, path: tuple[Any, ...]) -> Any:
    place: Any = record
    for key in path:
        place = place[key]
    return place


# --- bad acts -------------------------------------------------------------------------


def test_a_scoring_card_is_not_laid_away() -> None:
    table = {**MINSK, "contracts": [QUEENS]}
    caught = 0
    for record in records(table, range(20)):
        hand = [*record["deals"][0]["hands"][0], *record["deals"][0]["table"]["talon"]]
        at = [event["do"] for event in record["deals"][0]["events"]].index("discard")
        for queen in (card for card in hand if card[0] == "Q"):
            assert clause_of(put(record, "deals", 0, "events", at, "cards", 0, queen)) == "K-M"
            caught += 1
    assert caught >= 10


def test_a_scoring_card_laid_away_for_want_of_others_counts() -> None:
    rows = [{"name": "most", "suits": dict.fromkeys("SHD", -1), "ranks": {"7": -1, "8": -1}}]
    laid = 0
    for record in records({**MINSK, "contracts": rows}, range(200)):
        assert check(record) is None
        scored = sum(record["deals"][0]["scores"])
        laid += any(
            card[1] != "C" or card[0] in "78"
            for event in record["deals"][0]["events"]
            if event["do"] == "discard"
            for card in event["cards"]
        )
        assert scored == -32
    assert laid >= 3


def test_draws_and_cards_kept_belong_to_k_d() -> None:
    table = {**BAZAAR, "contracts": [TRICKS]}
    caught = 0
    for record in records(table, range(10)):
        acts = [event["do"] for event in record["deals"][0]["events"]]
        for act in ("draw", "keep"):
            if act in acts:
                at = ("deals", 0, "events", acts.index(act))
                assert clause_of(drop(record, *at)) == "K-D"
                caught += 1
    assert caught >= 10


def test_the_slam_is_told() -> None:
    table = {"deck": 32, "contracts": [LADY]}
    for record in records(table, range(4)):
        assert sorted(record["deals"][0]["scores"]) == [0, 0, 0, 9]
        assert clause_of(put(record, "outcome", "slam", False)) == "K-B"


def test_there_is_no_slam_where_all_that_scores_is_set_aside() -> None:
    rows = [{**LADY, "ranks": {"9": 1}, "cards": {"QS": -5, "9S": -1}}]
    table = {"deck": 32, "hand_size": 2, "contracts": rows}
    found = records(table, range(60))
    assert all(check(record) is None for record in found)
    scoring = {"QS", "9H", "9D", "9C"}
    aside = [record for record in found if scoring <= set(record["deals"][0]["table"]["aside"])]
    assert len(aside) >= 5
    assert {tuple(record["deals"][0]["scores"]) for record in aside} == {(0, 0, 0, 0)}
    assert not any(record["outcome"]["slam"] for record in aside)


# --- tables that are none -------------------------------------------------------------


@pytest.fixture(scope="module")
def record() -> Record:
    return records({"deck": 32, "contracts": [TRICKS, FEAST | {"trump": False}]}, range(1))[0]


ROW = ("rules", "custom", "contracts", 0)


@pytest.mark.parametrize(
    "way",
    [
        ("rules", "custom"),
        ("rules", "contracts"),
        ("rules", "custom", "limit"),
        ("rules", "custom", "contracts"),
        (*ROW, "slam"),
        (*ROW, "name"),
    ],
)
def test_a_table_has_every_key(record: Record, way: tuple[Any, ...]) -> None:
    assert clause_of(drop(record, *way)) == "C-10"


@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("rules", "must_trump"), False),  # stands in the table
        (("rules", "custom"), None),
        (("rules", "custom"), []),
        (("rules", "custom"), "house_king.toml"),
        (("rules", "custom", "stakes"), 3),
        (("rules", "custom", "players"), 3),
        (("rules", "custom", "deck"), 40),
        (("rules", "custom", "deck"), 32.0),
        (("rules", "custom", "jokers"), False),
        (("rules", "custom", "talon"), 0.0),
        (("rules", "custom", "reserve"), 0),
        (("rules", "custom", "contracts"), []),
        ((*ROW, "trick"), -2.0),
        ((*ROW, "trick"), 10**30),
        ((*ROW, "slam"), True),
        ((*ROW, "cards"), {"1H": 1}),
        ((*ROW, "stakes"), 3),
        (("rules", "contracts"), ["no-such"]),
        (("rules", "contracts"), []),
        (("players",), 5),
        (("players",), 3),
    ],
)
def test_a_table_is_checked(record: Record, way: tuple[Any, ...], value: Any) -> None:
    assert clause_of(put(record, *way, value)) == "C-10"


def test_no_list_of_contracts_binds_a_highest_bidder() -> None:
    bid = records({**AUCTION, "contracts": [TRICKS]}, range(1))[0]
    assert clause_of(bid) is None
    assert clause_of(put(bid, "rules", "contracts", ["tricks"])) == "C-10"


JUNK = (None, True, 1.0, 10**30, -1, "", "S", [], {}, [1], ["KH"], {"a": 1}, float("nan"))


def test_junk_in_a_table_never_stops_the_referee(record: Record) -> None:
    ways = list(_ways(record["rules"]))
    assert len(ways) > 50
    for way in ways:
        for junk in JUNK:
            fault = check(put(copy.deepcopy(record), "rules", *way, junk))
            assert fault is None or "\n" not in fault.reason


def _ways(value: Any, way: tuple[Any, ...] = ()) -> Any:
    if way:
        yield way
    if isinstance(value, list):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _ways(one, (*way, key))
