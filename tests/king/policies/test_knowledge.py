"""What each policy goes by: nothing, its own cards, what lies open, or all that was ever shown."""

from __future__ import annotations

import random
from typing import Any

import pytest

from simlib.games.king.policies import POLICIES
from simlib.games.king.view import CONTRACT, DISCARD, PLAY, TRUMP
from simlib.rng import below, new

from .table import LANE, Table
from .test_contract import decisions, position

CLEVER = ("sensible", "counting")
CLUBS, DIAMONDS = 3, 2


def plays(name: str, hand: str, contract: str, *tricks: str) -> str:
    return Table(hand, contract=contract).plays(name, *tricks)


# random, low, high


def test_random_draws_once_at_each_decision() -> None:
    compiled = POLICIES["random"].compiled()
    for number, view in enumerate(decisions(random.Random(1), 200)):
        drawn, wanted = new(number), new(number)
        answer = int(compiled(view, drawn))
        options = [bit for bit in range(63) if int(view.options) >> bit & 1]
        assert answer == options[int(below(wanted, len(options)))]
        assert position(drawn) == position(wanted)


def test_low_and_high_play_by_rank_alone() -> None:
    hand = "9S KS 8H AH TD QD 7C JC"
    for contract in ("no-tricks", "tricks"):
        assert plays("low", hand, contract, ".") == "7C"
        assert plays("high", hand, contract, ".") == "AH"
        assert plays("low", hand, contract, "JS .") == "9S"
        assert plays("high", hand, contract, "TS .") == "KS"
    # a heart may not be led here (K-4)
    assert plays("high", hand, "no-hearts", ".") == "KS"
    # of one rank the first suit, S H D C
    assert plays("low", "7D 7C 9S", "no-tricks", ".") == "7D"


def test_low_and_high_take_the_first_and_the_last_elsewhere() -> None:
    table = Table("9S KS 8H AH TD QD 7C JC", variety="ordered", declares=True)
    assert table.names_contract("low", CONTRACT, "no-hearts", "king", "all") == "no-hearts"
    assert table.names_contract("high", CONTRACT, "no-hearts", "king", "all") == "all"
    table = Table("9S KS 8H AH TD QD 7C JC", variety="ordered", contract="king", declares=True)
    assert table.names_trump("low", TRUMP) == "none"
    assert table.names_trump("high", TRUMP) == "C"
    hand = "7S 8S 9S TS 7H 8H 9H TH AC KD 7D 8D"
    table = Table(hand, variety="minsk", contract="no-tricks", declares=True)
    assert table.lays_away("low", DISCARD) == "7S 8S"
    assert Table(hand, variety="trade").bids("low") == 0
    assert Table(hand, variety="trade").bids("high", above=3) == 13


# sensible: safe cards are kept, dangerous ones go


@pytest.mark.parametrize("name", CLEVER)
def test_a_void_throws_its_dangers_away_and_keeps_safe_low_cards(name: str) -> None:
    assert plays(name, "7S AS 7H 8H 9D JD QS", "no-tricks", "KC .") == "AS"
    # an ace that nothing lower guards goes before a king with two
    assert plays(name, "7S 8S KS 7H 8H AH JD QD", "no-tricks", "KC .") == "AH"
    # low hearts take no heart: they stay, though hearts cost
    assert plays(name, "7H 8H AS KS AD QD 7D JD", "no-hearts", "KC .") == "AD"
    assert plays("duck", "7H 8H AS KS AD QD 7D JD", "no-hearts", "KC .") == "8H"
    # what would take a jack goes first where no jack is in hand
    assert plays(name, "7S 8S QS 7H 8H 9D TD KD", "no-jacks", "KC .") == "KD"


@pytest.mark.parametrize("name", CLEVER)
def test_a_void_keeps_its_winners_where_tricks_pay(name: str) -> None:
    assert plays(name, "7S 8S AS AH KH 9D JD KD", "tricks", "KC .") == "7S"


@pytest.mark.parametrize("name", CLEVER)
def test_a_queen_is_thrown_where_it_costs_and_kept_where_it_pays(name: str) -> None:
    hand = "7S 8S 9S 7H 8H QH KD AD"
    assert plays(name, hand, "no-queens", "KC .") == "QH"
    assert plays(name, hand, "queens", "KC .") != "QH"


# sensible does not remember, counting does


def forget(view: Any, chance: random.Random) -> None:
    """Put something else in place of what was played or shown, his own tricks excepted."""
    others = int(view.deck) & ~int(view.hand) & ~int(view.table)
    view.gone = others & chance.getrandbits(63)
    view.unseen = others & ~int(view.gone)
    for place in range(1, int(view.players)):
        view.may_hold[place] = int(view.unseen) & chance.getrandbits(63)
        view.taken[place] = int(view.gone) & chance.getrandbits(63)
        view.tricks[place] = chance.randrange(3)


def answers(name: str) -> list[tuple[int, int]]:
    """Return answers to plays, with the right memory and with a wrong one."""
    compiled = POLICIES[name].compiled()
    chance = random.Random(3)
    found = []
    for view in decisions(chance, 400):
        if view.decision == PLAY:
            before = int(compiled(view, new(0)))
            forget(view, chance)
            found.append((before, int(compiled(view, new(0)))))
    return found


def test_sensible_plays_from_what_lies_open() -> None:
    found = answers("sensible")
    assert len(found) > 200
    assert all(before == after for before, after in found)


def test_counting_goes_by_what_it_remembers() -> None:
    assert sum(before != after for before, after in answers("counting")) > 20


def leads(name: str, hand: str, void: int, **table: Any) -> str:
    """Return what is led when the next player has shown to have none of a suit."""
    seat = Table(hand, **table)
    seat.lacks[1] |= LANE << 16 * void
    return seat.plays(name, ".")


def test_counting_leads_an_ace_that_nobody_will_ruff() -> None:
    table = {"variety": "ordered", "contract": "tricks", "trump": "H", "declares": True}
    hand = "7S 8S AD AC 7D 7C 9S TS"
    assert leads("counting", hand, DIAMONDS, **table) == "AC"
    assert leads("counting", hand, CLUBS, **table) == "AD"
    assert leads("sensible", hand, DIAMONDS, **table) == leads("sensible", hand, CLUBS, **table)


def test_counting_leads_a_suit_that_the_next_player_can_take() -> None:
    hand = "8D 8C TD TC KD KC"
    for contract in ("no-tricks", "no-queens"):
        assert leads("counting", hand, DIAMONDS, contract=contract) == "8C"
        assert leads("counting", hand, CLUBS, contract=contract) == "8D"
        assert leads("sensible", hand, CLUBS, contract=contract) == "8C"
        assert leads("sensible", hand, DIAMONDS, contract=contract) == "8C"


def test_counting_gives_no_heart_to_a_player_who_will_throw_one() -> None:
    # who has no diamonds will throw a heart on the king
    hand = "8D 8C TD TC KD KC"
    assert leads("counting", hand, DIAMONDS, contract="no-hearts") == "KC"
    assert leads("counting", hand, CLUBS, contract="no-hearts") == "KD"
    assert leads("sensible", hand, CLUBS, contract="no-hearts") == "KC"
