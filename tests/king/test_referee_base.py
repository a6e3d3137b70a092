"""Mutations for the clauses of the base game, K-1 … K-5, each otherwise legal (C-11)."""

from __future__ import annotations

import pytest

from tests.king.referee_helpers import (
    clause_of,
    contract_index,
    drop,
    insert_event,
    refuses,
)
from tests.king.tiny_player import TinyKing

Trick = list[tuple[int, str]]


# --- K-1 ------------------------------------------------------------------------------


def test_k_1_first_leads() -> None:
    class SecondLeads(TinyKing):
        def opening_leader(self) -> int:
            return (self.first + 1) % self.n

    for variety in ("simple", "threesome", "domino", "jokers", "omnibus"):
        refuses("K-1", SecondLeads, variety, seeds=4, least=4)


def test_k_1_winner_leads() -> None:
    class LeadGoesRound(TinyKing):
        def next_leader(self, winner: int) -> int:
            return len(self.winners) % self.n

    class LoserLeads(TinyKing):
        def next_leader(self, winner: int) -> int:
            return (winner + 1) % self.n

    refuses("K-1", LeadGoesRound, "simple", least=20)
    refuses("K-1", LoserLeads, "ordered", least=20)


def test_k_1_eight_cards_each() -> None:
    class Uneven(TinyKing):
        def hand_sizes(self) -> list[int]:
            return [9, 7, 8, 8]

    class Seven(TinyKing):
        def hand_sizes(self) -> list[int]:
            return [7] * 4

    refuses("K-1", Uneven, "simple", seeds=4, least=4)
    refuses("K-1", Seven, "simple", seeds=4, least=4)
    refuses("K-1", Uneven, "ordered", seeds=4, least=4)


def test_k_1_thirty_two_cards() -> None:
    class WithSixes(TinyKing):
        def deck(self) -> list[str]:
            return [card for card in super().deck() if card[0] != "7"] + ["6S", "6H", "6D", "6C"]

    refuses("K-1", WithSixes, "simple", seeds=4, least=4)


# --- K-2 ------------------------------------------------------------------------------


def test_k_2_follow_suit() -> None:
    class Revokes(TinyKing):
        def may_play(self, seat: int, trick: Trick) -> list[str]:
            return list(self.hands[seat]) if trick else super().may_play(seat, trick)

    for variety in ("simple", "threesome", "trade", "omnibus"):
        refuses("K-2", Revokes, variety, least=20)


def test_k_2_highest_card_wins() -> None:
    class LowestWins(TinyKing):
        def winner(self, trick: Trick) -> int:
            led = trick[0][1][1]
            return min(("23456789TJQKA".find(c[0]), seat) for seat, c in trick if c[1] == led)[1]

    class HighestOfAllWins(TinyKing):
        def winner(self, trick: Trick) -> int:
            return max(("23456789TJQKA".find(c[0]), -k, s) for k, (s, c) in enumerate(trick))[2]

    refuses("K-2", LowestWins, "simple", least=20)
    refuses("K-2", HighestOfAllWins, "simple", least=20)
    refuses("K-2", HighestOfAllWins, "omnibus", least=20)


def test_k_2_highest_trump_wins() -> None:
    class TrumpsAreWorthless(TinyKing):
        def winner(self, trick: Trick) -> int:
            trump, self.trump = self.trump, None
            seat = super().winner(trick)
            self.trump = trump
            return seat

    class FirstTrumpWins(TinyKing):
        def winner(self, trick: Trick) -> int:
            ruffs = [seat for seat, card in trick if card[1] == self.trump]
            return ruffs[0] if ruffs else super().winner(trick)

    for wrong in (TrumpsAreWorthless, FirstTrumpWins):
        refuses("K-2", wrong, "ordered", index=7, no_trump=False, least=15)
        refuses("K-2", wrong, "minsk", index=7, no_trump=False, least=15)


def test_k_2_duty_to_trump() -> None:
    class NeverForced(TinyKing):
        def when_void(self, hand: list[str]) -> list[str]:
            return list(hand)

    for variety in ("ordered", "minsk"):
        refuses("K-2", NeverForced, variety, index=7, must_trump=True, no_trump=False, least=10)
    refuses("K-2", NeverForced, "atomic", must_trump=True, trump_in="all", least=10)


def test_k_2_one_card_each_and_a_winner() -> None:
    record = TinyKing("simple").record()
    for place in (2, 4):
        damaged = drop(record, "deals", 0, "events", place)
        assert clause_of(damaged) == "K-2"
    twice = insert_event(record, 5, {"seat": 0, "do": "trick"})
    assert clause_of(twice) == "K-2"


# --- K-3 ------------------------------------------------------------------------------

OTHER_UNITS = {
    "no-tricks": (1, 4, 4, 2, 16, 8),
    "no-jacks": (2, 5, 4, 2, 16, 8),
    "queens": (2, 4, 5, 2, 16, 8),
    "hearts": (2, 4, 4, 1, 16, 8),
    "no-king": (2, 4, 4, 2, 20, 8),
    "last-two": (2, 4, 4, 2, 16, 10),
    "no-all": (2, 4, 4, 2, 16, 7),
    "all": (3, 4, 4, 2, 16, 8),
}


@pytest.mark.parametrize(("contract", "units"), OTHER_UNITS.items())
def test_k_3_points_per_unit(contract: str, units: tuple[int, ...]) -> None:
    class OtherUnits(TinyKing):
        def units(self) -> tuple[int, ...]:
            return units

    for variety in ("simple", "ordered"):
        index = contract_index(variety, contract)
        refuses("K-3", OtherUnits, variety, index=index, seeds=6, least=5)


def test_k_3_sign() -> None:
    class Reversed(TinyKing):
        def about(self) -> tuple[int, list[str]]:
            sign, parts = super().about()
            return -sign, parts

    for index in range(14):
        refuses("K-3", Reversed, "simple", index=index, seeds=3, least=3)


def test_k_3_parts_of_all() -> None:
    class WithoutTricks(TinyKing):
        def about(self) -> tuple[int, list[str]]:
            sign, parts = super().about()
            return sign, parts[1:] if len(parts) > 1 else parts

    class KingIsNoHeart(TinyKing):
        def contract_card_points(self, card: str) -> int:
            sign, parts = self.about()
            points = super().contract_card_points(card)
            return points - sign * 2 * (card == "KH" and len(parts) > 1)

    for contract in ("no-all", "all"):
        index = contract_index("simple", contract)
        refuses("K-3", WithoutTricks, "simple", index=index, least=25)
        refuses("K-3", KingIsNoHeart, "simple", index=index, least=25)


def test_k_3_last_two_tricks() -> None:
    class OnlyTheLast(TinyKing):
        def scores(self) -> list[int]:
            return [2 * self.last_points() * (seat == self.winners[-1]) for seat in range(self.n)]

    class FirstTwo(TinyKing):
        def scores(self) -> list[int]:
            points = self.last_points()
            return [points * self.winners[:2].count(seat) for seat in range(self.n)]

    index = contract_index("simple", "no-last-two")
    refuses("K-3", OnlyTheLast, "simple", index=index, least=5)
    refuses("K-3", FirstTwo, "simple", index=index, least=15)


# --- K-4 ------------------------------------------------------------------------------

HEART_CONTRACTS = ("no-hearts", "no-king", "no-all", "hearts", "king", "all")


class HeartsFree(TinyKing):
    def hearts_held(self) -> bool:
        return False


@pytest.mark.parametrize("contract", HEART_CONTRACTS)
def test_k_4_no_heart_is_led(contract: str) -> None:
    for variety in ("simple", "threesome", "ordered"):
        refuses("K-4", HeartsFree, variety, index=contract_index(variety, contract), least=10)


@pytest.mark.parametrize("contract", ["no-hearts", "no-king"])
def test_k_4_in_games_with_a_talon(contract: str) -> None:
    for variety in ("minsk", "minsk-declarer", "atomic"):
        refuses("K-4", HeartsFree, variety, index=contract_index(variety, contract), least=10)


def test_k_4_hearts_are_never_broken() -> None:
    class Broken(TinyKing):
        def hearts_held(self) -> bool:
            fell = any(card[1] == "H" for taken in self.taken for card in taken)
            return super().hearts_held() and not fell

    for contract in ("no-hearts", "all"):
        refuses("K-4", Broken, "simple", index=contract_index("simple", contract), least=10)


def test_k_4_binds_only_the_leader_and_only_these_contracts() -> None:
    class DiscardsHeld(TinyKing):
        def when_void(self, hand: list[str]) -> list[str]:
            return [card for card in hand if card[1] != "H"] or hand

    class HeldEverywhere(TinyKing):
        def hearts_held(self) -> bool:
            return True

    for seed in range(6):
        index = contract_index("simple", "no-hearts")
        assert clause_of(DiscardsHeld("simple", index=index, seed=seed).record()) in (None, "K-8")
        assert clause_of(HeldEverywhere("simple", seed=seed).record()) in (None, "K-8")


# --- K-5 ------------------------------------------------------------------------------


class NoDuty(TinyKing):
    def king_duty(self) -> bool:
        return False


@pytest.mark.parametrize("contract", ["no-king", "no-all", "king", "all"])
def test_k_5_king_falls_at_the_first_chance(contract: str) -> None:
    for variety in ("simple", "threesome", "ordered", "domino"):
        least = 2 if variety == "domino" else 8
        index = contract_index(variety, contract)
        refuses("K-5", NoDuty, variety, index=index, least=least)


def test_k_5_in_games_with_a_talon() -> None:
    refuses("K-5", NoDuty, "minsk", index=contract_index("minsk", "no-king"), least=8)
    for contract in ("no-king", "no-all", "all"):
        refuses("K-5", NoDuty, "atomic", index=contract_index("atomic", contract), least=8)


def test_k_5_goes_before_the_duty_to_trump() -> None:
    class TrumpsFirst(TinyKing):
        def when_void(self, hand: list[str]) -> list[str]:
            trumps = [card for card in hand if card[1] == self.trump]
            return trumps or super().when_void(hand)

    rules = {"must_trump": True, "trump_in": "all", "no_trump": False}
    for contract in ("no-king", "all"):
        index = contract_index("ordered", contract)
        refuses("K-5", TrumpsFirst, "ordered", index=index, seeds=40, least=3, **rules)


def test_k_5_not_in_the_other_contracts() -> None:
    class DutyEverywhere(TinyKing):
        def king_duty(self) -> bool:
            return True

    for index in (0, 3, 5, 7, 10):
        for seed in range(4):
            clause = clause_of(DutyEverywhere("simple", index=index, seed=seed).record())
            assert clause in (None, "K-8")
