"""Mutations for the clauses of the varieties K-A and K-B, each otherwise legal (C-11)."""

from __future__ import annotations

from typing import Any

import pytest

from simlib.games.king.referee import check
from simlib.games.king.referee_tricks import allowed
from tests.king.referee_helpers import (
    accepts,
    clause_of,
    drop,
    insert_event,
    lay,
    put,
    refuses,
)
from tests.king.tiny_player import TinyKing

Trick = list[tuple[int, str]]


# --- K-A ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bids", [[3, 3, 0, 0], [3, 2, 0, 0], [14, 0, 0, 0], [-1, 0, 0, 0], [13, 13, 0, 0], [1, 0, 1, 0]]
)
def test_k_a_bids(bids: list[int]) -> None:
    for auction in ("round", "open"):
        say = {"bid": bids}
        refuses("K-A", TinyKing, "trade", say=say, auction=auction, seeds=2, least=2)


def test_k_a_order_of_bidding() -> None:
    class SecondBidsFirst(TinyKing):
        def auction(self) -> None:
            self.first = (self.first + 1) % self.n
            super().auction()
            self.first = (self.first - 1) % self.n

    refuses("K-A", SecondBidsFirst, "trade", seeds=4, least=4)
    record = TinyKing("trade", say={"bid": [13, 0, 0, 0]}).record()
    for place in range(4):
        gone = drop(record, "deals", 0, "events", place)
        assert clause_of(gone) == "K-A"


def test_k_a_auctions() -> None:
    class OtherAuction(TinyKing):
        def auction(self) -> None:
            asked = self.rules["auction"]
            self.rules["auction"] = {"round": "open", "open": "round"}[asked]
            super().auction()
            self.rules["auction"] = asked

    say = {"bid": [1, 2, 3, 0, 0, 0]}
    for auction in ("round", "open"):
        accepts("trade", say=say, auction=auction)
        refuses("K-A", OtherAuction, "trade", say=say, auction=auction, seeds=4, least=4)


def test_k_a_the_last_one_is_asked() -> None:
    for bids, ending in (([0, 0, 0, 0], "void"), ([0, 0, 0, 5], "played")):
        record = TinyKing("trade", auction="open", play_out=True, say={"bid": bids}).record()
        assert check(record) is None
        assert record["deals"][0]["ending"] == ending
        gone = drop(record, "deals", 0, "events", 3)
        assert clause_of(gone) == "K-A"
    record = TinyKing("trade", auction="open", say={"bid": [4, 0, 0, 0]}).record()
    again = {"seat": 0, "do": "bid", "points": 0}
    assert clause_of(insert_event(record, 4, again)) == "K-A"


def test_k_a_the_highest_bidder_names_the_suit() -> None:
    record = TinyKing("trade", say={"bid": [3, 0, 5, 0], "suit": ["H"]}).record()
    for key, value in (("seat", 0), ("suit", "none")):
        wrong = put(record, "deals", 0, "events", 4, key, value)
        assert clause_of(wrong) == "K-A"
    gone = drop(record, "deals", 0, "events", 4)
    assert clause_of(gone) == "K-A"
    assert clause_of(put(record, "deals", 0, "declarer", 0)) == "K-A"


def test_k_a_points() -> None:
    class Otherwise(TinyKing):
        def declarer_points(self) -> int:
            return -super().declarer_points()

    class BidIsFree(TinyKing):
        def declarer_points(self) -> int:
            return 0

    class TwoACard(TinyKing):
        def card_points(self, card: str) -> int:
            return 2 * super().card_points(card)

    say = {"bid": [3, 0, 5, 0]}
    for wrong in (Otherwise, BidIsFree, TwoACard):
        for bid in ("cost", "gain"):
            refuses("K-A", wrong, "trade", say=say, bid=bid, seeds=4, least=4)


def test_k_a_who_leads() -> None:
    class OtherLeads(TinyKing):
        def opening_leader(self) -> int:
            return self.first if self.rules["bidder_leads"] else (self.declarer or 0)

    say = {"bid": [3, 0, 5, 0]}
    for leads in (True, False):
        refuses("K-A", OtherLeads, "trade", say=say, bidder_leads=leads, seeds=4, least=4)


def test_k_a_void_deals() -> None:
    record = TinyKing("trade", say={"bid": [0, 0, 0, 0]}).record()
    suit = {"seat": 0, "do": "name", "suit": "H"}
    assert clause_of(insert_event(record, 4, suit)) == "K-A"
    assert clause_of(put(record, "deals", 0, "ending", "played")) == "K-A"
    scores = [-1, 0, 0, 0]
    assert clause_of(put(record, "deals", 0, "scores", scores)) == "K-A"


def test_k_a_match_with_gains() -> None:
    accepts("trade", unit="match", bid="gain", limit=-25)
    ended = [
        max(outcome[f"total_{seat}"] for seat in range(4)) >= 25
        for outcome in (
            TinyKing("trade", unit="match", bid="gain", limit=-25, seed=seed).record()["outcome"]
            for seed in range(12)
        )
    ]
    assert any(ended)


# --- K-B ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "points"), [("QS", -12), ("TD", 0), ("TD", 5), ("AH", -2), ("2H", 0), ("JS", -1)]
)
def test_k_b_points(card: str, points: int) -> None:
    class Otherwise(TinyKing):
        def card_points(self, asked: str) -> int:
            return points if asked == card else super().card_points(asked)

    refuses("K-B", Otherwise, "omnibus", play_out=True, seeds=4, least=4)


@pytest.mark.parametrize("players", [3, 4])
def test_k_b_cards(players: int) -> None:
    class Uneven(TinyKing):
        def hand_sizes(self) -> list[int]:
            sizes = super().hand_sizes()
            return [sizes[0] - 1, sizes[1] + 1, *sizes[2:]]

    class OtherCardOut(TinyKing):
        def deck(self) -> list[str]:
            cards = super().deck()
            return [card for card in cards if card != "2D"] + ["2C"] if self.n == 3 else cards[:-4]

    refuses("K-B", Uneven, "omnibus", players=players, seeds=3, least=3)
    refuses("K-B", OtherCardOut, "omnibus", players=players, seeds=3, least=3)


def slam_game(keep_ten: bool = False) -> dict[str, Any]:
    """Seat 0 leads a hand of hearts; the last trick, in diamonds, may go to seat 1."""
    hearts = "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H"
    own, other = ("2D", "TD") if keep_ten else ("AD", "2D")
    hands = {0: f"{hearts} {own}", 1: f"2H {other} 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"}
    plays: list[str | None] = []
    seat_1 = hands[1].split()
    for place, card in enumerate(hearts.split()):
        plays += [card, seat_1[0] if place == 0 else seat_1[place + 1], None, None]
    return {"hands": hands, "say": {"play": [*plays, own, other, None, None]}, "play_out": True}


def test_k_b_slam() -> None:
    class NoBonus(TinyKing):
        def scores(self) -> list[int]:
            return [sum(map(self.card_points, cards)) for cards in self.taken]

    class OthersPay(TinyKing):
        def scores(self) -> list[int]:
            return [26 if seat == self.slam() else -26 for seat in range(self.n)]

    class Small(TinyKing):
        def scores(self) -> list[int]:
            return [16 * (seat == self.slam()) for seat in range(self.n)]

    game = slam_game()
    record = TinyKing("omnibus", **game).record()
    assert check(record) is None
    assert record["deals"][0]["scores"] == [26, 0, 0, 0]
    for value in (0, False, None, 2):
        assert clause_of(put(record, "outcome", "slam", value)) == "K-B"
    assert clause_of(put(record, "outcome", "slam", 1)) is None
    for wrong in (NoBonus, OthersPay, Small):
        refuses("K-B", wrong, "omnibus", seeds=2, least=2, **game)


def test_k_b_no_slam_without_the_ten() -> None:
    hands = slam_game(keep_ten=True)
    others = {
        2: "3D 4D 5D 6D 7D 8D 9D KC AC KS AS JS QS",
        3: "JD QD KD AD 2S 3S 4S 5S 6S 7S 8S 9S TS",
    }
    hands["hands"] |= others
    plays = hands["say"]["play"]
    # Seats 2 and 3 discard clubs and spades first and keep a diamond for the last trick.
    for trick in range(12):
        plays[4 * trick + 2] = others[2].split()[::-1][trick]
        plays[4 * trick + 3] = others[3].split()[::-1][trick]

    class SlamAnyway(TinyKing):
        def slam(self) -> int | None:
            return 0

    record = TinyKing("omnibus", **hands).record()
    assert check(record) is None
    assert record["deals"][0]["scores"] == [-26, 0, 0, 10]
    assert not record["outcome"]["slam"]
    refuses("K-B", SlamAnyway, "omnibus", seeds=2, least=2, **hands)


def test_k_b_any_suit_may_be_led() -> None:
    table = lay("omnibus", None, {0: "7H 8S QS"})
    assert allowed(table, 0, []).cards == {"7H", "8S", "QS"}
