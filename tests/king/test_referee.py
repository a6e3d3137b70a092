"""The referee of King as a whole: right games, envelope, damage, the cases of RULES.md."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from simlib.games.king.referee import check
from simlib.games.king.referee_options import OPTIONAL_KEYS
from simlib.games.king.referee_scores import score, slam
from simlib.games.king.referee_tricks import allowed, winner
from tests.king.referee_helpers import (
    Record,
    accepts,
    clause_of,
    contract_index,
    drop,
    lay,
    put,
)
from tests.king.tiny_player import TinyKing
from tests.king.tiny_tables import BIG, VARIETIES, default_rules

VALUES: dict[str, list[Any]] = {
    "play_out": [True],
    "first": ["rotate"],
    "max_deals": [1, 3],
    "must_trump": [True],
    "removed": ["sevens"],
    "trump_in": ["positive", "all", "none"],
    "no_trump": [False],
    "order_when": ["blind"],
    "trump_lead": ["declarer"],
    "kept_as": ["trick"],
    "deck": [52],
    "limit": [-20, -200],
    "deals": [1, 5],
    "joker_play": ["void", "any"],
    "joker_loses": ["led"],
    "bid": ["gain"],
    "auction": ["open"],
    "bidder_leads": [True],
    "eralash": [False],
    "hvalenki": [0, 2],
    "kings_as_boys": [True],
    "contracts": [["no-king"], ["no-tricks", "no-hearts", "no-hearts"]],
}


# --- right games are accepted ---------------------------------------------------------


@pytest.mark.parametrize("variety", VARIETIES)
def test_accepts_every_contract(variety: str) -> None:
    for index in range(15):
        accepts(variety, seeds=3, index=index)


@pytest.mark.parametrize("variety", VARIETIES)
def test_accepts_matches(variety: str) -> None:
    for players in (3, 4) if variety in BIG else (None,):
        accepts(variety, seeds=2, unit="match", players=players)


@pytest.mark.parametrize("variety", VARIETIES)
def test_accepts_every_option_value(variety: str) -> None:
    for key in default_rules(variety):
        for value in VALUES.get(key, []):
            for index in (0, 5, 7):
                accepts(variety, seeds=1, index=index, **{key: value})
            accepts(variety, seeds=1, index=1, unit="match", **{key: value})


@pytest.mark.parametrize("variety", VARIETIES)
def test_accepts_combinations_of_options(variety: str) -> None:
    dice = random.Random(variety)
    for index in range(25):
        rules = {
            key: dice.choice([value, *VALUES.get(key, [])])
            for key, value in default_rules(variety).items()
        }
        if variety == "minsk-declarer":
            rules["trump_lead"] = "declarer"
        players = dice.choice([3, 4]) if variety in BIG else None
        unit = dice.choice(["deal", "deal", "match"])
        accepts(variety, seeds=1, index=index, unit=unit, players=players, **rules)


@pytest.mark.parametrize("joker_play", ["void_or_hearts", "void", "any"])
@pytest.mark.parametrize("joker_loses", ["contains", "led"])
def test_accepts_two_jokers(joker_play: str, joker_loses: str) -> None:
    rules = {"jokers": 2, "joker_play": joker_play, "joker_loses": joker_loses}
    accepts("jokers", seeds=8, players=3, **rules)


@pytest.mark.parametrize("variety", VARIETIES)
def test_optional_keys_may_be_there_or_not(variety: str) -> None:
    for key in OPTIONAL_KEYS[variety]:
        right: Any = {"must_trump": False, "max_deals": 1000}[key]
        wrong: Any = {"must_trump": "yes", "max_deals": 0}[key]
        record = TinyKing(variety).record()
        assert clause_of(drop(record, "rules", key)) is None
        assert clause_of(put(record, "rules", key, right)) is None
        assert clause_of(put(record, "rules", key, wrong)) == "C-10"


def test_a_cap_below_the_length_of_a_fixed_match_is_obeyed() -> None:
    record = TinyKing("simple", unit="match", max_deals=3).record()
    assert len(record["deals"]) == 3
    assert record["outcome"]["ending"] == "censored"
    assert check(record) is None


def test_aside_may_be_a_card_or_a_list() -> None:
    record = TinyKing("jokers", players=3, jokers=2).record()
    (card,) = record["deals"][0]["table"]["aside"]
    assert clause_of(put(record, "deals", 0, "table", "aside", card)) is None


# --- envelope and deal heads ----------------------------------------------------------


@pytest.mark.parametrize("variety", VARIETIES)
def test_c_10_foreign_and_missing_options(variety: str) -> None:
    record = TinyKing(variety).record()
    for key in {*VALUES, "jokers", "hand_size", "custom"} - set(default_rules(variety)):
        if key in OPTIONAL_KEYS[variety]:
            continue
        value = VALUES.get(key, [1])[0]
        assert clause_of(put(record, "rules", key, value)) == "C-10"
    for key in set(default_rules(variety)) - set(OPTIONAL_KEYS[variety]):
        assert clause_of(drop(record, "rules", key)) == "C-10"


@pytest.mark.parametrize("variety", VARIETIES)
def test_c_10_wrong_option_values(variety: str) -> None:
    record = TinyKing(variety).record()
    for key in default_rules(variety):
        values: list[Any] = ["x", -1.5, [], {}, ["no-such"]]
        for value in values:
            wrong = put(record, "rules", key, value)
            assert clause_of(wrong) == "C-10", (key, value)


@pytest.mark.parametrize(
    ("variety", "key", "value"),
    [
        ("minsk-declarer", "trump_lead", "free"),
        ("jokers", "jokers", 2),
        ("jokers", "jokers", True),
        ("domino", "deck", 36),
        ("trade", "limit", 0),
        ("simple", "contracts", []),
        ("simple", "contracts", ["win-back"]),
        ("minsk", "contracts", ["tricks"]),
        ("simple", "play_out", 1),
        ("atomic", "hvalenki", -1),
    ],
)
def test_c_10_option_values_of_other_tables(variety: str, key: str, value: Any) -> None:
    record = TinyKing(variety).record()
    assert clause_of(put(record, "rules", key, value)) == "C-10"


@pytest.mark.parametrize("key", ["game", "variety", "players", "unit", "format", "index"])
def test_c_10_wrong_head(key: str) -> None:
    record = TinyKing("simple").record()
    values: list[Any] = [None, "x", 5.5, [], {}, True, -1]
    for value in values:
        assert clause_of(put(record, key, value)) == "C-10"
    assert clause_of(drop(record, key)) == "C-10"


def test_c_10_a_name_names_one_thing() -> None:
    record = TinyKing("ordered", index=7).record()
    both = {"seat": 0, "do": "name", "contract": "tricks", "trump": "none"}
    for event in (both, {"seat": 0, "do": "name"}):
        assert clause_of(put(record, "deals", 0, "events", 0, event)) == "C-10"


def test_k_x_any_number_of_hvalenki_is_read() -> None:
    many = 10**15
    accepts("atomic", unit="match", max_deals=2, contracts=None, hvalenki=6)
    record = TinyKing("atomic", index=13).record()
    assert clause_of(put(record, "rules", "hvalenki", many)) is None


def test_c_3_first_and_number_of_deals() -> None:
    record = TinyKing("simple", first="rotate", index=2).record()
    assert record["deals"][0]["first"] == 2
    assert clause_of(put(record, "deals", 0, "first", 0)) == "C-3"
    assert clause_of(put(record, "rules", "first", "zero")) == "C-3"
    assert clause_of(put(record, "deals", record["deals"] * 2)) == "C-3"


def test_c_7_cards() -> None:
    record = TinyKing("simple").record()
    deal = record["deals"][0]
    assert clause_of(put(record, "deals", 0, "hands", 0, 0, deal["hands"][1][0])) == "C-7"
    assert clause_of(put(record, "deals", 0, "hands", 0, 0, deal["hands"][0][1])) == "C-7"
    assert clause_of(put(record, "deals", 0, "hands", 0, 0, "1S")) == "C-1"
    foreign = deal["hands"][1][0]
    assert clause_of(put(record, "deals", 0, "events", 0, "card", foreign)) == ("C-7")


def test_c_10_null_where_the_variety_has_none() -> None:
    for variety in VARIETIES:
        record = TinyKing(variety, say={"bid": [0, 0, 0, 3]}).record()
        deal = record["deals"][0]
        for key, value in (("declarer", 2), ("contract", "no-tricks"), ("trump", "S")):
            if deal[key] is None:
                wrong = clause_of(put(record, "deals", 0, key, value))
                assert wrong in ("C-10", "K-O"), (variety, key)


def test_k_2_turns_go_clockwise() -> None:
    class Counterclockwise(TinyKing):
        def order(self, leader: int) -> list[int]:
            return [(leader - k) % self.n for k in range(self.n)]

    record = Counterclockwise("simple").record()
    assert clause_of(record) == "K-2"


# --- nothing can be changed without notice --------------------------------------------

FREE = {"policies", "uses_chance", "play_seed", "rules", "hands", "aside"}


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path and path[-1] in FREE:
        return
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _leaves(item, (*path, key))
    else:
        yield path


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, None, "x"]
    if value is None:
        return [0, "S", "no-tricks", []]
    if isinstance(value, int | float):
        return [value + 1, value - 1, str(value), None]
    return [None, 1, "7S", "KH", "S", "no-tricks", "played", ""]


def _set(record: Record, path: tuple[Any, ...], value: Any) -> None:
    place: Any = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value


def _same(variety: str, path: tuple[Any, ...], new: Any) -> bool:
    """Tell whether a change is none, or one that C-10 leaves open."""
    if path[-1] == "slam" and variety != "omnibus":
        return new is False
    return path[-1] == "bid" and variety != "trade" and new is None


@pytest.mark.parametrize("variety", VARIETIES)
def test_every_leaf_is_checked(variety: str) -> None:
    told = {"bid": [1, 3, 0, 0]}
    record = TinyKing(variety, index=6, seed=2, say=told).record()
    assert check(record) is None
    for path in list(_leaves(record)):
        old = record
        for key in path:
            old = old[key]
        for new in _others(old):
            if (new == old and type(new) is type(old)) or _same(variety, path, new):
                continue
            _set(record, path, new)
            assert check(record) is not None, (path, old, new)
        _set(record, path, old)
    assert check(record) is None


@pytest.mark.parametrize("variety", VARIETIES)
def test_every_event_is_needed(variety: str) -> None:
    record = TinyKing(variety, index=6, seed=3).record()
    events = record["deals"][0]["events"]
    for place in range(len(events)):
        for piece in ([], [events[place]] * 2, [events[place], {"seat": 0, "do": "trick"}]):
            wrong = [*events[:place], *piece, *events[place + 1 :]]
            damaged = put(record, "deals", 0, "events", wrong)
            assert check(damaged) is not None, (place, piece)


@pytest.mark.parametrize("unit", ["deal", "match"])
@pytest.mark.parametrize("variety", ["simple", "minsk", "jokers", "trade", "omnibus"])
def test_every_outcome_column_is_needed(variety: str, unit: str) -> None:
    record = TinyKing(variety, unit=unit, max_deals=2).record()
    for key in record["outcome"]:
        assert clause_of(drop(record, "outcome", key)) == "K-10"
    assert clause_of(put(record, "outcome", "other", [1])) is None


# --- fuzz -----------------------------------------------------------------------------

ODD: list[Any] = [
    None, True, False, 0, -1, 2**70, 10**5000, 1.5, float("nan"), float("inf"), "", "x",
    "7S", "X1", "none", "no-all", [], {}, [[]], [None], [{}], {"": []}, ["7S", "7S"], "\ud800",
]  # fmt: skip


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def test_never_raises_on_any_value() -> None:
    for value in [*ODD, _nested(100_000), {"format": 1}]:
        assert check(value) is not None
    record = TinyKing("minsk").record()
    for value in [*ODD, _nested(100_000)]:
        for key in record:
            check(record | {key: value})
        for key in record["deals"][0]:
            check(record | {"deals": [record["deals"][0] | {key: value}]})
        for key in record["rules"]:
            check(record | {"rules": record["rules"] | {key: value}})
        for key in record["outcome"]:
            check(record | {"outcome": record["outcome"] | {key: value}})


@pytest.mark.parametrize("variety", VARIETIES)
def test_never_raises_on_damaged_records(variety: str) -> None:
    dice = random.Random(f"fuzz {variety}")
    texts = [
        json.dumps(TinyKing(variety, seed=seed, index=seed, unit=unit, max_deals=2).record())
        for seed in range(4)
        for unit in ("deal", "match")
    ]
    for _ in range(300):
        record = json.loads(dice.choice(texts))
        for _ in range(dice.randint(1, 3)):
            _damage(record, dice)
        check(record)


def _damage(record: Any, dice: random.Random) -> None:
    place = record
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = dice.choice(keys)
        if isinstance(place[key], dict | list) and dice.random() < 0.85:
            place = place[key]
            continue
        deed = dice.randrange(3)
        if deed == 0:
            del place[key]
        elif deed == 1:
            place[key] = dice.choice(ODD)
        else:
            place[key], place[keys[0]] = place[keys[0]], place[key]
        return


# --- the cases of RULES.md ------------------------------------------------------------


def test_case_1_hearts_may_not_be_led() -> None:
    table = lay("simple", "no-hearts", {0: "7H 8C", 1: "7H AH"})
    table.taken[1] = ["KH", "9C", "TC", "JC"]
    assert allowed(table, 0, []).cards == {"8C"}
    assert allowed(table, 1, []).cards == {"7H", "AH"}


def test_case_2_king_of_hearts() -> None:
    table = lay("simple", "no-king", {0: "9H 8D", 1: "KH AD 8S", 2: "KH 7H"})
    assert allowed(table, 0, [(3, "AS")]).cards == {"9H", "8D"}
    assert allowed(table, 1, [(3, "AC")]).cards == {"KH"}
    assert allowed(table, 2, [(3, "9H")]).cards == {"KH", "7H"}
    table.contract = "no-hearts"
    assert allowed(table, 1, [(3, "AC")]).cards == {"KH", "AD", "8S"}


def test_case_3_highest_of_the_suit_led() -> None:
    table = lay("simple", "no-tricks")
    assert winner(table, [(2, "9S"), (3, "AS"), (0, "KS"), (1, "7D")]) == 3


@pytest.mark.parametrize(
    ("variety", "points"), [("simple", -16), ("threesome", -20), ("minsk", -40)]
)
def test_case_4_both_last_tricks(variety: str, points: int) -> None:
    table = lay(variety, "no-last-two")
    table.winners = [1, 2, 1, 0, 0]
    assert score(table)[0] == points
    table.winners = [0, 0, 0, 1, 0]
    assert score(table)[0] == points // 2


def test_case_5_omnibus() -> None:
    hearts = [rank + "H" for rank in "23456789TJQKA"]
    for cards, points in (
        ([*hearts[:3], "QS"], -16),
        ([*hearts, "QS"], -26),
        (["TD", "2C"], 10),
    ):
        table = lay("omnibus")
        table.taken[2] = cards
        assert score(table) == [0, 0, points, 0]
        assert slam(table) is None
    table = lay("omnibus")
    table.taken[1], table.taken[2] = [*hearts, "QS", "TD"], ["2C"]
    assert score(table) == [0, 26, 0, 0]
    assert slam(table) == 1


def test_case_6_trade() -> None:
    record = TinyKing("trade", say={"bid": [3, 0, 5, 0]}).record()
    assert check(record) is None
    deal = record["deals"][0]
    assert deal["declarer"] == 2
    assert deal["events"][4]["seat"] == 2
    assert clause_of(TinyKing("trade", say={"bid": [3, 0, 3, 0]}).record()) == "K-A"
    void = TinyKing("trade", say={"bid": [0, 0, 0, 0]}).record()
    assert check(void) is None
    assert void["deals"][0]["ending"] == void["outcome"]["ending"] == "void"
    assert void["deals"][0]["scores"] == [0, 0, 0, 0]
    assert void["outcome"]["win_share_0"] == 0


def test_case_10_domino_last_holder() -> None:
    """A game in which two are out and the winner's last card is played."""

    class Watched(TinyKing):
        seen = False

        def domino_over(self, holders: list[int]) -> bool:
            over = super().domino_over(holders)
            self.seen |= over and bool(holders) and holders != [self.winners[-1]]
            return over

    seen = 0
    for seed in range(60):
        game = Watched("domino", seed=seed, index=contract_index("domino", "no-tricks"))
        record = game.record()
        if game.seen:
            seen += 1
            assert check(record) is None
            keep = record["deals"][0]["events"][-1]
            assert keep["do"] == "keep"
            assert keep["seat"] != record["deals"][0]["events"][-2]["seat"]
    assert seen > 0


def test_case_10_domino_the_next_with_cards_leads() -> None:
    class Watched(TinyKing):
        seen = False

        def next_leader(self, winner: int) -> int:
            leader = super().next_leader(winner)
            self.seen |= leader != winner
            return leader

    class Wrong(TinyKing):
        def next_leader(self, winner: int) -> int:
            return self.order(winner)[0 if self.hands[winner] else -1]

    seen = 0
    for seed in range(60):
        game = Watched("domino", seed=seed)
        assert check(game.record()) is None
        if game.seen:
            seen += 1
            assert clause_of(Wrong("domino", seed=seed).record()) in (None, "K-D")
    assert seen > 0
