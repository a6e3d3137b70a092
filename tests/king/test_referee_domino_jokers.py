"""Mutations for the clauses of the varieties K-D and K-J, each otherwise legal (C-11)."""

from __future__ import annotations

from typing import Any

import pytest

from simlib.games.king.referee_tricks import allowed, winner
from tests.king.referee_helpers import (
    accepts,
    contract_index,
    lay,
    refuses,
)
from tests.king.tiny_player import TinyKing

Trick = list[tuple[int, str]]


# --- K-D ------------------------------------------------------------------------------


def test_k_d_six_cards_each() -> None:
    class Eight(TinyKing):
        def hand_sizes(self) -> list[int]:
            return [8] * 4

    class OtherDeck(TinyKing):
        def deck(self) -> list[str]:
            return TinyKing("domino", deck=84 - self.rules["deck"]).deck()

    refuses("K-D", Eight, "domino", seeds=3, least=3)
    refuses("K-D", OtherDeck, "domino", seeds=3, least=3)
    refuses("K-D", OtherDeck, "domino", deck=52, seeds=3, least=3)


def test_k_d_drawing() -> None:
    class NeverDraws(TinyKing):
        def must_draw(self, seat: int, led: str) -> bool:
            return False

    class DrawsOne(TinyKing):
        def draw(self, seat: int, trick: Trick) -> None:
            before, suit = len(self.events), trick[0][1][1]
            while self.must_draw(seat, suit) and len(self.events) == before:
                card = self.stock.pop(0)
                self.act(seat, "draw", card=card)
                self.hands[seat].append(card)
                self.drawn += 1

    class AlwaysDraws(TinyKing):
        def draw(self, seat: int, trick: Trick) -> None:
            if self.stock and len(self.winners) == 1:
                self.hands[seat].append(self.stock[0])
                self.act(seat, "draw", card=self.stock.pop(0))
                self.drawn += 1
            super().draw(seat, trick)

    class FromTheBottom(TinyKing):
        def draw(self, seat: int, trick: Trick) -> None:
            self.stock.reverse()
            super().draw(seat, trick)
            self.stock.reverse()

    for wrong in (NeverDraws, DrawsOne, AlwaysDraws, FromTheBottom):
        refuses("K-D", wrong, "domino", least=15)
        refuses("K-D", wrong, "domino", deck=52, seeds=10, least=9)


def test_k_d_the_card_drawn_is_played() -> None:
    class KeepsIt(TinyKing):
        def may_play(self, seat: int, trick: Trick) -> list[str]:
            drew = self.events and self.events[-1]["do"] == "draw"
            fits = super().may_play(seat, trick)
            others = [card for card in self.hands[seat] if card not in fits]
            return others or fits if drew else fits

    refuses("K-D", KeepsIt, "domino", least=12)


def test_k_d_who_leads() -> None:
    class DealerSide(TinyKing):
        def next_leader(self, winner: int) -> int:
            return self.order(winner)[0 if self.hands[winner] else -1]

    refuses("K-D", DealerSide, "domino", seeds=60)
    refuses("K-D", DealerSide, "domino", deck=52, seeds=60)


def test_k_d_the_last_holder() -> None:
    class PlaysItAlone(TinyKing):
        def domino_over(self, holders: list[int]) -> bool:
            return not holders

    class TwoAreEnough(TinyKing):
        def domino_over(self, holders: list[int]) -> bool:
            return len(holders) <= 2

        def keep(self, seat: int) -> None:
            if len([hand for hand in self.hands if hand]) == 1:
                super().keep(seat)

    class NothingKept(TinyKing):
        def keep(self, seat: int) -> None:
            pass

    class GivenToTheWinner(TinyKing):
        def keep(self, seat: int) -> None:
            self.act(self.winners[-1], "keep", cards=list(self.hands[seat]))
            self.taken[self.winners[-1]] += self.hands[seat]

    for wrong in (PlaysItAlone, TwoAreEnough, NothingKept):
        refuses("K-D", wrong, "domino", least=10)
    refuses("K-D", GivenToTheWinner, "domino", seeds=60, least=5)


def test_k_d_kept_cards_count_as_taken() -> None:
    class NotCounted(TinyKing):
        def keep(self, seat: int) -> None:
            super().keep(seat)
            self.taken[seat] = self.taken[seat][: -len(self.hands[seat])]

    class OneMissing(TinyKing):
        def keep(self, seat: int) -> None:
            self.act(seat, "keep", cards=self.hands[seat][1:])

    for contract in ("no-hearts", "no-all"):
        index = contract_index("domino", contract)
        refuses("K-D", NotCounted, "domino", index=index, play_out=True, least=5)
    refuses("K-D", OneMissing, "domino", least=10)


def test_k_d_kept_as() -> None:
    class OtherWay(TinyKing):
        def keep(self, seat: int) -> None:
            asked = self.rules["kept_as"]
            self.rules["kept_as"] = {"cards": "trick", "trick": "cards"}[asked]
            super().keep(seat)
            self.rules["kept_as"] = asked

    for kept_as in ("cards", "trick"):
        for contract in ("no-tricks", "tricks"):
            index = contract_index("domino", contract)
            refuses("K-D", OtherWay, "domino", index=index, kept_as=kept_as, least=10)


def test_k_d_hearts_may_be_led() -> None:
    assert allowed(lay("domino", "no-hearts", {0: "7H 8S"}), 0, []).cards == {"7H", "8S"}


def test_k_d_king_of_hearts_falls_only_when_the_reserve_is_empty() -> None:
    accepts("domino", seeds=20, index=contract_index("domino", "no-king"))


# --- K-J ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
def test_k_j_cards(players: int) -> None:
    class NoJoker(TinyKing):
        def deck(self) -> list[str]:
            return [card for card in super().deck() if card[0] != "X"] + ["2C"]

    class Uneven(TinyKing):
        def hand_sizes(self) -> list[int]:
            sizes = super().hand_sizes()
            return [sizes[0] + 1, sizes[1] - 1, *sizes[2:]]

    refuses("K-J", NoJoker, "jokers", players=players, seeds=3, least=3)
    refuses("K-J", Uneven, "jokers", players=players, seeds=3, least=3)


def test_k_j_points() -> None:
    class AllHeartsAlike(TinyKing):
        def card_points(self, card: str) -> int:
            return -10 * (card[1] == "H") if card[0] != "X" else -20

    class CheapJoker(TinyKing):
        def card_points(self, card: str) -> int:
            return super().card_points(card) + 10 * (card[0] == "X")

    class AceIsOne(TinyKing):
        def card_points(self, card: str) -> int:
            return -1 if card == "AH" else super().card_points(card)

    for wrong in (AllHeartsAlike, CheapJoker, AceIsOne):
        refuses("K-J", wrong, "jokers", seeds=4, least=4)
    deal = TinyKing("jokers", players=3).record()["deals"][0]
    assert sum(deal["scores"]) == -124


def test_k_j_when_the_joker_may_be_played() -> None:
    for claimed, played, at_least in (("void", "any", 15), ("void", "void_or_hearts", 5)):

        class Otherwise(TinyKing):
            other = played

            def may_follow_jokers(self, hand: list[str], trick: Trick) -> list[str]:
                asked, self.rules["joker_play"] = self.rules["joker_play"], self.other
                cards = super().may_follow_jokers(hand, trick)
                self.rules["joker_play"] = asked
                return cards

        refuses("K-J", Otherwise, "jokers", joker_play=claimed, seeds=60, least=at_least)
    hands = {0: "7H X1 8S", 1: "X1 8S"}
    for how, on_hearts, on_spades in (
        ("void_or_hearts", {"7H", "X1"}, {"8S"}),
        ("void", {"7H"}, {"8S"}),
        ("any", {"7H", "X1"}, {"8S", "X1"}),
    ):
        table = lay("jokers", None, hands, joker_play=how)
        assert allowed(table, 0, [(3, "AH")]).cards == on_hearts
        assert allowed(table, 1, [(3, "AS")]).cards == on_spades
        assert allowed(table, 1, [(3, "AH")]).cards == {"X1", "8S"}
        assert allowed(table, 0, [(3, "X2")]).cards == {"7H", "X1", "8S"}
        assert allowed(table, 0, [(2, "X2"), (3, "AS")]).cards == on_spades


def test_k_j_when_the_joker_wins() -> None:
    class AlwaysWins(TinyKing):
        def joker_beaten(self, led: str, natural: list[str]) -> bool:
            return False

    class NeverWins(TinyKing):
        def joker_beaten(self, led: str, natural: list[str]) -> bool:
            return True

    class TenBeatsIt(TinyKing):
        def joker_beaten(self, led: str, natural: list[str]) -> bool:
            return any(card[1] == "H" and card[0] in "789TJQKA" for card in natural)

    class OtherOption(TinyKing):
        def joker_beaten(self, led: str, natural: list[str]) -> bool:
            high = bool({"JH", "QH", "KH", "AH"} & set(natural))
            return high and (self.rules["joker_loses"] == "led" or led == "H")

    for wrong in (AlwaysWins, NeverWins, TenBeatsIt):
        refuses("K-J", wrong, "jokers", seeds=40, least=3)
    for how in ("led", "contains"):
        refuses("K-J", OtherOption, "jokers", joker_loses=how, seeds=80)


def test_k_j_tricks_with_jokers() -> None:
    contains = lay("jokers", players=3, jokers=2)
    led = lay("jokers", players=3, jokers=2, joker_loses="led")
    for trick, by_contains, by_led in (
        ([(0, "AS"), (1, "X1"), (2, "2S")], 1, 1),
        ([(0, "AS"), (1, "X1"), (2, "JH")], 0, 1),
        ([(0, "2H"), (1, "X1"), (2, "JH")], 2, 2),
        ([(0, "2H"), (1, "X1"), (2, "TH")], 1, 1),
        ([(0, "X2"), (1, "X1"), (2, "2S")], 0, 0),
        ([(0, "X2"), (1, "AH"), (2, "X1")], 1, 1),
        ([(0, "X2"), (1, "AS"), (2, "KH")], 1, 0),
    ):
        assert winner(contains, trick) == by_contains
        assert winner(led, trick) == by_led


def test_k_j_second_joker_does_not_win() -> None:
    class SecondWins(TinyKing):
        def winner(self, trick: Trick) -> int:
            return (
                super().winner(trick[::-1])
                if len({c[0] for _, c in trick} & {"X"})
                else (super().winner(trick))
            )

    hands = {0: "X1", 1: "X2"}
    say = {"play": ["X1", "X2", "2S"]}
    game: dict[str, Any] = {"players": 3, "jokers": 2, "hands": hands | {2: "2S"}, "say": say}
    accepts("jokers", **game)
    refuses("K-J", SecondWins, "jokers", seeds=3, least=3, **game)


def test_k_j_number_of_deals() -> None:
    class Others(TinyKing):
        def match_length(self) -> int:
            return 2

    refuses("K-J", Others, "jokers", unit="match", seeds=2, least=2)
    refuses("K-J", Others, "jokers", unit="match", deals=1, seeds=2, least=2)
    refuses("K-J", Others, "jokers", unit="match", players=3, seeds=2, least=2)
