"""Mutations for the clauses of the base game, K-6 … K-11, each otherwise legal (C-11)."""

from __future__ import annotations

from typing import Any

import pytest

from simlib import replay
from simlib.games.king.referee import check
from tests.king.referee_helpers import (
    Record,
    clause_of,
    contract_index,
    drop,
    put,
    refuses,
)
from tests.king.tiny_player import TinyKing
from tests.king.tiny_tables import NEGATIVE, POSITIVE

Trick = list[tuple[int, str]]


# --- K-6 ------------------------------------------------------------------------------

# In the two contracts of hearts the last heart nearly always falls in the last trick.
EARLY = ("no-jacks", "no-queens", "no-king", "jacks", "queens", "king")


class PlaysOn(TinyKing):
    def stops_early(self) -> bool:
        return False


@pytest.mark.parametrize("contract", EARLY)
def test_k_6_stops_when_nothing_scores(contract: str) -> None:
    for variety in ("simple", "threesome", "ordered"):
        index = contract_index(variety, contract)
        refuses("K-6", PlaysOn, variety, index=index, seeds=30)


@pytest.mark.parametrize("contract", ["no-hearts", "hearts"])
def test_k_6_stops_when_the_hearts_are_gone(contract: str) -> None:
    hands = {0: "7C 8C 9C TC JC QC KC AC", 1: "7H 8H 9H", 2: "TH JH QH", 3: "KH AH"}
    plays = ["7C", "7H", "TH", "KH", "8C", "8H", "JH", "AH", "9C", "9H", "QH"]
    game: dict[str, Any] = {"index": contract_index("simple", contract), "hands": hands}
    record = TinyKing("simple", say={"play": plays}, **game).record()
    assert check(record) is None
    assert record["deals"][0]["ending"] == "early"
    assert record["outcome"]["tricks_played"] == 3
    refuses("K-6", PlaysOn, "simple", say={"play": plays}, seeds=3, least=3, **game)


def test_k_6_stops_in_the_other_varieties() -> None:
    for variety in ("jokers", "trade", "omnibus"):
        refuses("K-6", PlaysOn, variety, seeds=30)
    for variety in ("minsk", "atomic"):
        refuses("K-6", PlaysOn, variety, index=contract_index(variety, "no-king"))


def test_k_6_not_before_the_last_scoring_card() -> None:
    class StopsTooSoon(TinyKing):
        def stops_early(self) -> bool:
            return len(self.winners) == 2

    for contract in ("no-tricks", "last-two", "all"):
        index = contract_index("simple", contract)
        refuses("K-6", StopsTooSoon, "simple", index=index, least=25)
    refuses("K-6", StopsTooSoon, "domino", index=1, least=20)


def test_k_6_play_out() -> None:
    class StopsAnyway(TinyKing):
        def stops_early(self) -> bool:
            asked, self.rules["play_out"] = self.rules["play_out"], False
            stops = super().stops_early()
            self.rules["play_out"] = asked
            return stops

    for index in (1, 4, 8):
        refuses("K-6", StopsAnyway, "simple", index=index, play_out=True, least=5)
    refuses("K-6", StopsAnyway, "trade", play_out=True, least=1, seeds=40)


def test_k_6_name_of_the_ending() -> None:
    for index in (1, 4, 0):
        record = TinyKing("simple", index=index).record()
        right = record["deals"][0]["ending"]
        other = "early" if right == "played" else "played"
        assert clause_of(_with_ending(record, other)) == "K-6"
    values: list[Any] = ["stopped", None, 3, []]
    for wrong in values:
        assert clause_of(_with_ending(record, wrong)) == "C-10"


def _with_ending(record: Record, ending: Any) -> Record:
    return put(put(record, "deals", 0, "ending", ending), "outcome", "ending", ending)


# --- K-7 ------------------------------------------------------------------------------


def test_k_7_contract_of_a_deal() -> None:
    class OneLater(TinyKing):
        def imposed(self, number: int) -> str | None:
            names = self.contract_list()
            return names[(self.index + 1) % len(names)]

    for variety in ("simple", "threesome", "domino", "ordered", "minsk", "atomic"):
        refuses("K-7", OneLater, variety, index=2, seeds=4, least=4)


def test_k_7_contract_list() -> None:
    class IgnoresTheList(TinyKing):
        def contract_list(self) -> list[str]:
            return NEGATIVE + POSITIVE

    refuses("K-7", IgnoresTheList, "simple", contracts=["no-king", "all"], seeds=4, least=4)
    refuses("K-7", IgnoresTheList, "simple", unit="match", contracts=["all"], seeds=2, least=2)


def test_k_7_order_in_a_match() -> None:
    class Backwards(TinyKing):
        def imposed(self, number: int) -> str | None:
            return self.contract_list()[::-1][number]

    refuses("K-7", Backwards, "simple", unit="match", seeds=3, least=3)
    refuses("K-7", Backwards, "threesome", unit="match", seeds=3, least=3)


@pytest.mark.parametrize(("variety", "length"), [("simple", 14), ("ordered", 56), ("minsk", 27)])
def test_k_7_length_of_a_match(variety: str, length: int) -> None:
    class OneShort(TinyKing):
        def match_length(self) -> int:
            return length - 1

    class OneMore(TinyKing):
        def match_length(self) -> int:
            return length + 1

        def imposed(self, number: int) -> str | None:
            return super().imposed(number % length)

        def name_contract(self) -> None:
            if not self.left[self.declarer or 0]:
                self.left[self.declarer or 0] = ["no-tricks"]
            super().name_contract()

    for wrong in (OneShort, OneMore):
        refuses("K-7", wrong, variety, unit="match", seeds=2, least=2)


def test_k_7_ending_of_a_complete_match() -> None:
    record = TinyKing("simple", unit="match").record()
    for wrong in ("limit", "censored"):
        assert clause_of(put(record, "outcome", "ending", wrong)) == "K-7"


# --- K-8 and K-9 ----------------------------------------------------------------------


class Miscounts(TinyKing):
    """Counts points that were none."""

    def answer(self, kind: str, options: list[Any]) -> Any:
        if len(options) == 1:
            self.counts.append(1)
        return super().answer(kind, options)


def test_k_8_points_with_one_option_do_not_count() -> None:
    for variety in ("simple", "threesome", "domino", "jokers", "omnibus"):
        refuses("K-8", Miscounts, variety, seeds=5, least=5)


def test_k_8_each_legal_card_counts() -> None:
    class HandCounts(TinyKing):
        def answer(self, kind: str, options: list[Any]) -> Any:
            picked = super().answer(kind, options)
            if len(options) > 1:
                self.counts[-1] = max(map(len, self.hands))
            return picked

    class OnePointATrick(TinyKing):
        def answer(self, kind: str, options: list[Any]) -> Any:
            before = len(self.counts)
            picked = super().answer(kind, options)
            if len(self.winners) % 2:
                del self.counts[before:]
            return picked

    refuses("K-8", HandCounts, "simple", seeds=5, least=5)
    refuses("K-8", OnePointATrick, "simple", seeds=5, least=5)
    refuses("K-8", HandCounts, "simple", unit="match", seeds=2, least=2)


def test_k_9_each_decision_of_its_own() -> None:
    class OneForTwo(TinyKing):
        def lay_away(self) -> None:
            before = len(self.counts)
            super().lay_away()
            if len(self.counts) - before == 2:
                self.counts[before:] = [self.counts[before] * self.counts[before + 1]]

    refuses("K-9", OneForTwo, "minsk", seeds=5, least=5)
    refuses("K-9", OneForTwo, "atomic", seeds=5, least=5)


@pytest.mark.parametrize("kind", ["trump", "bid", "suit", "contract"])
def test_k_9_what_the_options_are(kind: str) -> None:
    class OneMore(TinyKing):
        def answer(self, asked: str, options: list[Any]) -> Any:
            picked = super().answer(asked, options)
            if asked == kind and len(options) > 1:
                self.counts[-1] += 1
            return picked

    if kind in ("bid", "suit"):
        refuses("K-9", OneMore, "trade", say={"bid": [2, 0, 0, 0]}, seeds=4, least=4)
    else:
        refuses("K-9", OneMore, "minsk", unit="match", seeds=2, least=2)


def test_k_9_repeated_contracts_are_one_option() -> None:
    class EachCounts(TinyKing):
        def name_contract(self) -> None:
            left = len(self.left[self.declarer or 0])
            before = len(self.counts)
            super().name_contract()
            if len(self.counts) > before:
                self.counts[before] = left

    refuses("K-9", EachCounts, "minsk", unit="match", seeds=2, least=2)


def test_k_9_an_imposed_contract_is_no_decision() -> None:
    class Counted(TinyKing):
        def name_contract(self) -> None:
            self.counts.append(9)
            super().name_contract()

    refuses("K-9", Counted, "minsk", seeds=4, least=4)


# --- K-10 -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("score_1", 5),
        ("tricks_2", 9),
        ("tricks_played", 7),
        ("cards_drawn", 1),
        ("contract", "no-jacks"),
        ("declarer", 0),
        ("declarer", None),
        ("trump", "S"),
        ("bid", 1),
        ("first", 1),
        ("deal", 1),
        ("ending", "early"),
        ("win_share_0", 0.9),
        ("censored", True),
        ("index", 1),
        ("seed", 1),
    ],
)
def test_k_10_columns_of_a_deal(key: str, value: object) -> None:
    record = TinyKing("simple").record()
    assert clause_of(put(record, "outcome", key, value)) == "K-10"


@pytest.mark.parametrize("variety", ["simple", "minsk", "trade", "omnibus", "jokers"])
def test_k_10_the_programs_own_columns_are_right_or_absent(variety: str) -> None:
    record = dict(replay("king", variety=variety, index=3))
    assert check(record) is None
    for key in ("slam", "taken_0", "taken_2"):
        for value in ([None], "KH", 3.0, 30, -1, 1e300, 2**70, None):
            assert clause_of(put(record, "outcome", key, value)) in ("K-10", "K-B"), (key, value)
    assert clause_of(drop(record, "outcome", "taken_1")) is None
    assert clause_of(put(record, "outcome", "a_column_of_its_own", 1)) is None


@pytest.mark.parametrize(
    "variety", ["simple", "threesome", "ordered", "minsk", "domino", "jokers", "trade", "atomic"]
)
def test_k_10_no_slam_is_told_where_nobody_took_everything(variety: str) -> None:
    records = [dict(replay("king", variety=variety, index=index)) for index in range(14)]
    without = [record for record in records if not record["outcome"]["slam"]]
    assert without
    for record in without:
        assert clause_of(put(record, "outcome", "slam", True)) == "K-10"
    for record in records:
        assert check(record) is None


@pytest.mark.parametrize("key", ["total_0", "total_3", "deals", "win_share_2"])
def test_k_10_columns_of_a_match(key: str) -> None:
    record = TinyKing("simple", unit="match").record()
    value = record["outcome"][key] + 1
    assert clause_of(put(record, "outcome", key, value)) == "K-10"


def test_k_10_the_highest_score_wins() -> None:
    class LowestWins(TinyKing):
        def win_shares(self, ending: str) -> list[float]:
            worst = min(self.totals)
            return [(t == worst) / self.totals.count(worst) for t in self.totals]

    class NoTies(TinyKing):
        def win_shares(self, ending: str) -> list[float]:
            best = self.totals.index(max(self.totals))
            return [float(seat == best) for seat in range(self.n)]

    refuses("K-10", LowestWins, "simple", least=20)
    refuses("K-10", NoTies, "simple", least=5)
    refuses("K-10", LowestWins, "jokers", unit="match", seeds=4, least=3)


def test_k_10_a_void_deal_has_no_winner() -> None:
    class AllShare(TinyKing):
        def win_shares(self, ending: str) -> list[float]:
            return [1 / self.n] * self.n

    refuses("K-10", AllShare, "trade", say={"bid": [0, 0, 0, 0]}, seeds=3, least=3)


# --- K-11 -----------------------------------------------------------------------------


@pytest.mark.parametrize("variety", ["trade", "omnibus", "domino", "simple"])
def test_k_11_stops_at_the_cap(variety: str) -> None:
    class NoCap(TinyKing):
        def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
            return "censored" if len(deals) == 3 else None

    rules = {"max_deals": 2} | ({} if variety == "simple" else {"limit": -500})
    refuses("K-11", NoCap, variety, unit="match", seeds=3, least=3, **rules)


def test_k_11_not_before_the_cap() -> None:
    class OneShort(TinyKing):
        def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
            return "censored" if len(deals) == 4 else None

    for variety in ("trade", "omnibus"):
        refuses("K-11", OneShort, variety, unit="match", max_deals=5, limit=-900, seeds=3, least=3)


def test_k_11_a_censored_match_has_no_winner() -> None:
    class Winner(TinyKing):
        def win_shares(self, ending: str) -> list[float]:
            return super().win_shares("complete")

    for variety in ("trade", "omnibus", "simple"):
        refuses("K-11", Winner, variety, unit="match", max_deals=2, seeds=3, least=3)


def test_k_11_a_censored_match_says_so() -> None:
    record = TinyKing("omnibus", unit="match", max_deals=2).record()
    assert check(record) is None
    for key, value in (("censored", False), ("ending", "limit"), ("ending", "complete")):
        damaged = put(record, "outcome", key, value)
        assert clause_of(damaged) == "K-11", key


@pytest.mark.parametrize(("variety", "limit"), [("domino", -30), ("trade", -77), ("omnibus", -100)])
def test_k_11_the_limit_ends_the_match(variety: str, limit: int) -> None:
    class OneDealLate(TinyKing):
        def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
            before = [
                sum(scores) for scores in zip(*(d["scores"] for d in deals[:-1]), strict=True)
            ]
            return "limit" if before and min(before) <= limit else None

    class FarLimit(TinyKing):
        def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
            return "limit" if min(self.totals) <= limit - 1 else None

    class NearLimit(TinyKing):
        def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
            return "limit" if min(self.totals) <= limit + 10 else None

    game: dict[str, Any] = {"unit": "match", "limit": limit}
    refuses("K-11", OneDealLate, variety, seeds=3, least=3, **game)
    refuses("K-11", FarLimit, variety, seeds=40, **game)
    refuses("K-11", NearLimit, variety, seeds=15, least=3, **game)


def test_k_11_void_deals_count() -> None:
    class VoidsAreFree(TinyKing):
        def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
            played = sum(deal["ending"] != "void" for deal in deals)
            return "censored" if played == 1 else None

    say = {"bid": [0, 0, 0, 0, 2, 0, 0, 0]}
    refuses("K-11", VoidsAreFree, "trade", unit="match", max_deals=1, say=say, seeds=3, least=3)
