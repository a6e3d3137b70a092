"""Mutations for the clauses of the varieties K-T, K-O, K-M and K-X, each otherwise legal (C-11)."""

from __future__ import annotations

from typing import Any

import pytest

from simlib.games.king.referee import check
from simlib.games.king.referee_scores import score
from simlib.games.king.referee_tricks import allowed
from tests.king.referee_helpers import (
    accepts,
    clause_of,
    contract_index,
    drop,
    lay,
    put,
    refuses,
)
from tests.king.tiny_player import TinyKing

Trick = list[tuple[int, str]]


class PlainUnits(TinyKing):
    """Scores with the points of `simple`."""

    def units(self) -> tuple[int, ...]:
        return (2, 4, 4, 2, 16, 8)


class SeatOneDeclares(TinyKing):
    def declarer_seat(self) -> int:
        return (self.first + 1) % self.n

    def opening_leader(self) -> int:
        return self.first


class SecondLeads(TinyKing):
    def opening_leader(self) -> int:
        return (self.first + 1) % self.n


class NamesAgain(TinyKing):
    """Lets a player name the same contract in every deal."""

    def name_contract(self) -> None:
        self.contract = "no-tricks"
        super().name_contract()


# --- K-T ------------------------------------------------------------------------------


def test_k_t_which_cards_are_out() -> None:
    class OtherWay(TinyKing):
        def deck(self) -> list[str]:
            out = ["7S", "7C"] if self.rules["removed"] == "aces" else ["AS", "AC"]
            return [c for c in TinyKing("simple").deck() if c not in out]

    refuses("K-T", OtherWay, "threesome", seeds=4, least=4)
    refuses("K-T", OtherWay, "threesome", removed="sevens", seeds=4, least=4)


def test_k_t_ten_cards_each() -> None:
    class Uneven(TinyKing):
        def hand_sizes(self) -> list[int]:
            return [10, 11, 9]

    class Eight(TinyKing):
        def hand_sizes(self) -> list[int]:
            return [8, 8, 8]

    refuses("K-T", Uneven, "threesome", seeds=3, least=3)
    refuses("K-T", Eight, "threesome", seeds=3, least=3)


@pytest.mark.parametrize("contract", ["no-jacks", "queens", "no-last-two", "king", "no-all"])
def test_k_t_points(contract: str) -> None:
    index = contract_index("threesome", contract)
    refuses("K-T", PlainUnits, "threesome", index=index, seeds=5, least=5)


def test_k_t_sums() -> None:
    sums = (-20, -20, -20, -16, -20, -20, -116, 20, 20, 20, 16, 20, 20, 116)
    for index, total in enumerate(sums):
        record = TinyKing("threesome", index=index).record()
        assert check(record) is None
        assert sum(record["deals"][0]["scores"]) == total


# --- K-O ------------------------------------------------------------------------------


def test_k_o_first_declares_and_leads() -> None:
    refuses("K-O", SeatOneDeclares, "ordered", seeds=4, least=4)
    refuses("K-O", SecondLeads, "ordered", seeds=4, least=4)


def test_k_o_each_contract_once() -> None:
    refuses("K-O", NamesAgain, "ordered", unit="match", seeds=3, least=3)
    say = {"contract": ["win-back"]}
    refuses("K-O", TinyKing, "ordered", unit="match", seeds=3, least=3, say=say)


def test_k_o_when_a_trump_is_named() -> None:
    class AlwaysTrump(TinyKing):
        def trump_is_named(self) -> bool:
            return True

    class NeverTrump(TinyKing):
        def trump_is_named(self) -> bool:
            return False

    for variety in ("ordered", "minsk", "minsk-declarer"):
        refuses("K-O", AlwaysTrump, variety, index=0, seeds=4, least=4)
        refuses("K-O", NeverTrump, variety, index=7, seeds=4, least=4)
        refuses("K-O", NeverTrump, variety, index=0, trump_in="all", seeds=4, least=4)
        refuses("K-O", AlwaysTrump, variety, index=7, trump_in="none", seeds=4, least=4)
    refuses("K-O", AlwaysTrump, "atomic", index=8, seeds=4, least=4)


def test_k_o_no_trump() -> None:
    for variety in ("ordered", "minsk"):
        say = {"trump": ["none"]}
        accepts(variety, index=7, say=say)
        refuses("K-O", TinyKing, variety, index=7, say=say, no_trump=False, seeds=4, least=4)


def test_k_o_trump_in_the_head() -> None:
    record = TinyKing("ordered", index=7, say={"trump": ["S"]}).record()
    assert clause_of(put(record, "deals", 0, "trump", "H")) == "K-O"
    record = TinyKing("ordered", index=7, say={"trump": ["none"]}).record()
    assert clause_of(put(record, "deals", 0, "trump", "none")) == "K-O"
    assert clause_of(put(record, "deals", 0, "events", 1, "trump", "X")) == "K-O"


def test_k_o_contract_before_trump() -> None:
    record = TinyKing("ordered", index=7).record()
    events = record["deals"][0]["events"]
    swapped = [events[1], events[0], *events[2:]]
    assert clause_of(put(record, "deals", 0, "events", swapped)) == "K-O"


def test_k_o_declarer_is_told() -> None:
    record = TinyKing("ordered").record()
    assert clause_of(put(record, "deals", 0, "declarer", None)) == "K-O"
    gone = drop(record, "deals", 0, "events", 0)
    assert clause_of(gone) == "K-O"


# --- K-M and K-X: talon and cards laid away ---------------------------------------------

TALONS = [("minsk", "K-M"), ("minsk-declarer", "K-M"), ("atomic", "K-X")]


class LaysAwayAnything(TinyKing):
    def may_lay_away(self) -> list[str]:
        return list(self.hands[self.declarer or 0])


class LaysAwayThree(TinyKing):
    def lay_away(self) -> None:
        super().lay_away()
        extra = self.hands[self.declarer or 0].pop()
        self.events[-1]["cards"].append(extra)


class ShowsOthers(TinyKing):
    def act(self, seat: int, do: str, **more: Any) -> None:
        if do == "talon":
            more["cards"] = [more["cards"][0], self.hands[seat][0]]
        super().act(seat, do, **more)


class NoTalon(TinyKing):
    def hand_sizes(self) -> list[int]:
        return [11, 11, 10]


@pytest.mark.parametrize(("variety", "clause"), TALONS)
def test_k_m_k_x_laying_away(variety: str, clause: str) -> None:
    for contract in ("no-hearts", "no-queens", "no-jacks"):
        index = contract_index(variety, contract)
        refuses(clause, LaysAwayAnything, variety, index=index)
    refuses(clause, LaysAwayThree, variety, seeds=4, least=4)
    for contract in ("no-tricks", "no-last-two"):
        accepts(variety, index=contract_index(variety, contract))


@pytest.mark.parametrize(("variety", "clause"), TALONS)
def test_k_m_k_x_the_talon(variety: str, clause: str) -> None:
    refuses(clause, ShowsOthers, variety, seeds=4, least=4)
    refuses(clause, NoTalon, variety, seeds=4, least=4)
    record = TinyKing(variety, trump_in="none").record()
    for place, name in ((1, "talon"), (2, "discard")):
        assert record["deals"][0]["events"][place]["do"] == name
        gone = drop(record, "deals", 0, "events", place)
        assert clause_of(gone) == clause


@pytest.mark.parametrize(("variety", "clause"), TALONS)
def test_k_m_k_x_points(variety: str, clause: str) -> None:
    for index in range(6):
        refuses(clause, PlainUnits, variety, index=index, seeds=4, least=3)


@pytest.mark.parametrize(("variety", "clause"), TALONS)
def test_k_m_k_x_each_contract_once(variety: str, clause: str) -> None:
    refuses(clause, NamesAgain, variety, unit="match", seeds=3, least=3)
    say = {"contract": ["queens"]}
    refuses(clause, TinyKing, variety, unit="match", say=say, seeds=3, least=3)


def test_k_m_first_declares_and_leads() -> None:
    refuses("K-M", SeatOneDeclares, "minsk", seeds=4, least=4)
    refuses("K-M", SecondLeads, "minsk", seeds=4, least=4)


def test_k_m_win_back() -> None:
    class SixATrick(TinyKing):
        def trick_points(self) -> int:
            return 6

    refuses("K-M", SixATrick, "minsk", index=8, seeds=4, least=4)
    total = sum(sum(TinyKing("minsk", index=i).record()["deals"][0]["scores"]) for i in range(9))
    assert total == 0


def test_k_m_only_the_declarer_leads_trumps() -> None:
    class Free(TinyKing):
        def trumps_held(self, seat: int) -> bool:
            return False

    class HeldUntilAllTrumps(TinyKing):
        def trumps_held(self, seat: int) -> bool:
            return super().trumps_held(seat) and len(self.winners) < 3

    for wrong in (Free, HeldUntilAllTrumps):
        refuses("K-M", wrong, "minsk-declarer", index=6, no_trump=False, least=8)
        refuses("K-M", wrong, "minsk", index=6, no_trump=False, trump_lead="declarer", least=8)
    accepts("minsk", index=6, no_trump=False)
    # Nothing else in hand: he may. The declarer may. Another contract: he may.
    table = lay("minsk-declarer", "win-back", {0: "7S 8H", 1: "7S 8H", 2: "7S 9S"}, trump="S")
    table.declarer = 0
    assert [allowed(table, seat, []).cards for seat in range(3)] == [
        {"7S", "8H"}, {"8H"}, {"7S", "9S"},
    ]  # fmt: skip
    table.contract = "no-tricks"
    assert allowed(table, 1, []).cards == {"7S", "8H"}


# --- K-X -------------------------------------------------------------------------------


def test_k_x_seat_one_declares_and_seat_zero_leads() -> None:
    class FirstDeclares(TinyKing):
        def declarer_seat(self) -> int:
            return self.first

    refuses("K-X", FirstDeclares, "atomic", seeds=4, least=4)
    refuses("K-X", SecondLeads, "atomic", seeds=4, least=4)
    refuses("K-X", FirstDeclares, "atomic", unit="match", seeds=2, least=2)


@pytest.mark.parametrize("contract", ["no-all", "all", "tricks"])
def test_k_x_points_of_the_other_contracts(contract: str) -> None:
    refuses("K-X", PlainUnits, "atomic", index=contract_index("atomic", contract), least=15)


def test_k_x_sums_to_zero() -> None:
    choices: list[dict[str, Any]] = [{}, {"eralash": False}, {"kings_as_boys": True}]
    for rules in choices:
        length = len(TinyKing("atomic", **rules).contract_list())
        games = [TinyKing("atomic", index=i, **rules).record() for i in range(length)]
        assert all(check(game) is None for game in games)
        assert sum(sum(game["deals"][0]["scores"]) for game in games) == 0


def test_k_x_kings_as_boys() -> None:
    class OnlyJacks(TinyKing):
        def contract_card_points(self, card: str) -> int:
            self.rules["kings_as_boys"] = False
            points = super().contract_card_points(card)
            self.rules["kings_as_boys"] = True
            return points

    class KingsToo(TinyKing):
        def contract_card_points(self, card: str) -> int:
            self.rules["kings_as_boys"] = True
            points = super().contract_card_points(card)
            self.rules["kings_as_boys"] = False
            return points

    for contract in ("no-all", "all"):
        index = contract_index("atomic", contract)
        refuses("K-X", OnlyJacks, "atomic", index=index, kings_as_boys=True, least=15)
        refuses("K-X", KingsToo, "atomic", index=index, least=15)


def test_k_x_which_contracts_there_are() -> None:
    eight = {"contract": ["no-all"]}
    accepts("atomic", unit="match", say=eight, max_deals=2)
    game: dict[str, Any] = {"unit": "match", "say": eight, "max_deals": 2}
    refuses("K-X", TinyKing, "atomic", eralash=False, seeds=3, least=3, **game)
    game["say"] = {"contract": ["tricks"]}
    refuses("K-X", TinyKing, "atomic", hvalenki=0, seeds=3, least=3, **game)
    game = {"unit": "match", "contracts": ["tricks"], "max_deals": 9}
    refuses("K-X", NamesAgain, "atomic", seeds=3, least=3, **game)


# Seat 1 declares a hand of hearts, jacks and queens.
ONE_FREE = {1: "7H 8H 9H TH JH QH KH AH JS QS"}


def test_k_x_fewer_than_two_cards_that_do_not_score() -> None:
    class ScoringFirst(TinyKing):
        def lay_away(self) -> None:
            self.say["discard"] = ["7H", "7S"]
            super().lay_away()

    class NotCounted(TinyKing):
        def declarer_points(self) -> int:
            return 0

    for contract in ("no-all", "all"):
        game: dict[str, Any] = {"hands": ONE_FREE, "index": contract_index("atomic", contract)}
        one = {"talon": "7S JD", **game}
        accepts("atomic", **one)
        refuses("K-X", ScoringFirst, "atomic", seeds=3, least=3, **one)
        refuses("K-X", NotCounted, "atomic", seeds=3, least=3, **one)
        none = {"talon": "JC JD", **game}
        accepts("atomic", **none)
        refuses("K-X", NotCounted, "atomic", seeds=3, least=3, **none)
        # Two that do not score: both go.
        two = {"talon": "7S 7D", **game}
        accepts("atomic", **two)
        refuses("K-X", LaysAwayAnything, "atomic", least=15, **two)


def test_k_x_points_of_a_card_laid_away() -> None:
    table = lay("atomic", "no-all")
    table.declarer, table.laid_away, table.winners = 1, ["7S", "QH"], [0, 0]
    assert score(table) == [-8 - 40, -15, 0]
    table.laid_away = ["7S", "8S"]
    assert score(table)[1] == 0
