"""C-6: a view does not change when the cards that cannot be seen are dealt again.

The deal is stepped from decision to decision, which also shows that play can start at any of
them: the auction, the talon and the middle of a trick included.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from simlib.cards import pick
from simlib.games.control import SEAT, new_control
from simlib.games.king import kernel
from simlib.games.king.kernel_choices import PAUSED, clear_deal, deal_cards, start_play_streams
from simlib.games.king.policies import POLICIES
from simlib.games.king.view import BID, CONTRACT, DISCARD, PLAY, SUIT, TRUMP, VIEW
from simlib.jit import quiet
from simlib.policy import PAUSE, Policy, policy
from simlib.rng import new
from simlib.setup import prepare
from tests.king.house_tables import random_table
from tests.king.kernel_rows import GAMES, deal_rows, play

U = np.uint64


@policy("king")
def pauses(view: Any, rng: Any) -> int:
    """Leaves the deal where it is."""
    return PAUSE


@policy("king", name="pauses-and-never-writes", builtin=True)
def trusted(view: Any, rng: Any) -> int:
    """Leaves the deal where it is, and is trusted not to write."""
    return PAUSE


class Stepper:
    """A deal that stops at every decision."""

    def __init__(
        self,
        variety: str,
        players: int,
        rules: dict[str, Any],
        *,
        game: int = 0,
        match: bool = False,
        waits: Policy = pauses,
    ) -> None:
        setup = prepare(
            "king", variety=variety, players=players, rules=rules, policies=waits, seed=7,
            unit="match" if match else "deal",
        )  # fmt: skip
        self.players = players
        self.rules = setup.packed()
        self.rules["stepping"] = 1
        self.policies = setup.compiled()
        self.work = kernel.scratch(self.rules, setup.params())
        self.control = new_control()
        self.state = self.work[0]
        row, state = self.rules[0], self.state[0]
        with quiet():
            kernel.start_match(row, state)
            state["first"] = game % players if row["first"] else 0
            state["deal"] = 0
            clear_deal(row, state)
            kernel.find_choices(row, state, game)
            deal_cards(row, state, self.work[1][0], U(7), game, 0, None)
            start_play_streams(row, self.work[1], U(7), game, 0)

    def go(self) -> int:
        """Play on to the next decision, or to the end."""
        states, streams, views, words, templates, blocks, _ = self.work
        with quiet():
            return int(
                kernel.play_on(
                    self.rules[0], self.policies, states[0], streams, views, words, templates,
                    blocks, self.control, None,
                )
            )  # fmt: skip

    @property
    def seat(self) -> int:
        return int(self.control[SEAT])

    def view(self) -> np.ndarray:
        """Return a copy of the view that was shown last, gaps between fields included."""
        words = self.work[3][self.seat].copy()
        return words.view(VIEW)

    def deal_unseen_again(self, chance: random.Random) -> bool:
        """Deal other hands, reserve, and what lies face down anew; tell whether any moved."""
        state, row = self.state[0], self.rules[0]
        blind = int(self.work[2][self.seat]["hand"]) == 0  # he has not looked (K-O)
        others = [p for p in range(self.players) if blind or p != self.seat]
        order = state["order"] if row["talon"] else state["deck"]
        head, tail = int(state["head"]), int(state["tail"])
        hands = [pick(int(state["hands"][p])) for p in others]
        reserve = [int(order[i]) for i in range(head, tail)]
        away = [] if self.seat == int(state["declarer"]) else pick(int(state["away"]))
        talon = [] if state["talon"] else self._talon_face_down()
        aside = pick(int(row["deck_mask"]) & ~int(state["in_play"]))
        places = [*hands, reserve, away, talon, aside]
        cards = [card for place in places for card in place]
        dealt = iter(again := chance.sample(cards, len(cards)))
        *held, reserve, away, talon, aside = [[next(dealt) for _ in place] for place in places]
        for p, hand in zip(others, held, strict=True):
            state["hands"][p] = mask(hand)
        order[head:tail] = reserve
        if away:
            state["away"] = mask(away)
        if talon:
            at = int(row["talon_at"])
            state["deck"][at : at + len(talon)] = talon
        state["in_play"] = int(row["deck_mask"]) & ~mask(aside)
        return again != cards

    def _talon_face_down(self) -> list[int]:
        at, size = int(self.rules[0]["talon_at"]), int(self.rules[0]["talon"])
        return [int(card) for card in self.state[0]["deck"][at : at + size]]


def mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


class Looked:
    """What a walk through a deal met."""

    def __init__(self) -> None:
        self.kinds: dict[int, int] = {}
        self.moved = 0

    def walk(self, table: Stepper, chance: random.Random) -> None:
        while table.go() == PAUSED:
            seen = table.view()
            kept = table.state.copy()
            self.moved += table.deal_unseen_again(chance)
            assert table.go() == PAUSED
            again = table.view()
            assert (again.view(U) == seen.view(U)).all(), differing(seen, again)
            table.state[:] = kept
            kind = int(seen[0]["decision"])
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            table.state["pending"] = chance.choice(pick(int(seen[0]["options"])))


def differing(one: np.ndarray, other: np.ndarray) -> list[str]:
    return [name for name in VIEW.names or () if (one[name] != other[name]).any()]


OPTIONS: dict[str, list[dict[str, Any]]] = {
    "ordered": [{}, {"must_trump": True, "trump_in": "all", "order_when": "blind"}],
    "domino": [{}, {"deck": 52, "kept_as": "trick"}],
    "minsk": [{}, {"order_when": "blind"}],
    "trade": [{}, {"auction": "open", "bidder_leads": True}],
}


@pytest.mark.parametrize("waits", [pauses, trusted], ids=["rewritten", "trusted"])
@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_c_6_the_view_shows_nothing_hidden(variety: str, players: int, waits: Policy) -> None:
    chance = random.Random(variety)
    looked = Looked()
    for rules in OPTIONS.get(variety, [{}]):
        for game in (0, 6, 7, 13):
            for match in (False, True):
                looked.walk(
                    Stepper(variety, players, rules, game=game, match=match, waits=waits), chance
                )
    assert looked.kinds[PLAY] > 60
    assert looked.moved > 0.8 * sum(looked.kinds.values())
    wanted = {PLAY}
    wanted |= {CONTRACT, TRUMP} if variety in ("ordered", "minsk", "minsk-declarer") else set()
    wanted |= {CONTRACT} if variety == "atomic" else set()
    wanted |= {DISCARD} if variety in ("minsk", "minsk-declarer", "atomic") else set()
    wanted |= {BID, SUIT} if variety == "trade" else set()
    assert set(looked.kinds) == wanted


def test_c_6_nothing_hidden_shows_in_houses() -> None:
    chance = random.Random(6)
    looked = Looked()
    for _ in range(40):
        table = random_table(chance)
        rules = {"custom": table}
        for match in (False, True):
            looked.walk(Stepper("house", table["players"], rules, match=match), chance)
    assert set(looked.kinds) == {PLAY, CONTRACT, TRUMP, DISCARD, BID}


def test_a_card_that_was_shown_is_seen() -> None:
    table = Stepper("jokers", 3, {"jokers": 2})
    assert table.go() == PAUSED
    seen = table.view()
    table.state["gone"] = table.state[0]["hands"][(table.seat + 1) % 3]
    assert table.go() == PAUSED
    assert differing(seen, table.view()) == ["gone", "unseen", "may_hold"]


@pytest.mark.parametrize("name", ["low", "sensible", "counting"])
@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_a_deal_played_on_from_every_decision_is_the_same_deal(
    variety: str, players: int, name: str
) -> None:
    decide = POLICIES[name].compiled()
    for game in range(4):
        table = Stepper(variety, players, {}, game=game)
        while table.go() == PAUSED:
            view = table.work[2][table.seat]
            table.state["pending"] = int(decide(view, new(0)))
        whole = play(variety, {}, [name] * players, first_game=game, seed=7)
        row = deal_rows(whole, game, players)[0]
        state = table.state[0]
        if row["ending"] != "void":
            with quiet():
                kernel.deal_scores(table.rules[0], state, bool(table.rules[0]["choice"] == 2))
            assert [int(points) for points in state["scores"][:players]] == [
                row[f"score_{seat}"] for seat in range(players)
            ]
        assert int(state["decisions"]) == row["decisions"]
        assert int(state["options"]) == row["options"]
