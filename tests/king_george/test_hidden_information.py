"""C-6: a view does not change when the cards that cannot be seen are dealt again.

The deal is stepped from decision to decision, which also shows that play can start at any of
them (the middle of a turn included).
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from simlib.cards import pick
from simlib.games.control import SEAT, new_control
from simlib.games.king_george import kernel, kernel_cards, kernel_turns
from simlib.games.king_george.view import ACE, VIEW
from simlib.jit import quiet
from simlib.policy import PAUSE, STOP, policy
from simlib.setup import prepare

U = np.uint64
GAME = "king-george-iii"


@policy(GAME, builtin=True)
def pauses(view: Any, rng: Any) -> int:
    """Leaves the deal where it is."""
    return PAUSE


class Stepper:
    """A deal of one game that stops at every decision."""

    def __init__(self, rules: dict[str, Any], players: int, seed: int) -> None:
        setup = prepare(GAME, players=players, rules=rules, policies=pauses, seed=seed)
        self.rules = setup.packed()
        self.rules["stepping"] = 1
        self.policies = setup.compiled()
        self.work = kernel.scratch(self.rules, setup.params())
        self.control = new_control()
        self.state = self.work[0]
        self.state["players"] = players
        self.state["seats"][0] = range(5)
        with quiet():
            kernel_cards.deal_cards(self.rules[0], self.state[0], self.work[1], U(seed), 0, 0, None)
            kernel_cards.start_play_streams(self.state[0], self.work[1], U(seed), 0, 0)

    def go(self) -> int:
        """Play on to the next decision, or to the end."""
        states, streams, views, templates, snapshots, codes, turns = self.work
        with quiet():
            return int(
                kernel_turns.play_on(
                    self.rules[0], self.policies, states[0], streams, views, templates,
                    snapshots[0], codes, turns, kernel_turns.NEVER, kernel_turns.PROVE,
                    self.control, None,
                )
            )  # fmt: skip

    def view(self) -> bytes:
        """Return the view that was shown last, to the byte."""
        return bytes(self.work[2][int(self.control[SEAT])].tobytes())

    def deal_unseen_again(self, chance: random.Random) -> bool:
        """Deal the cards in other hands and in the stock anew; tell whether any moved."""
        state = self.state[0]
        player, head, edge = int(state["player"]), int(state["head"]), int(state["edge"])
        others = [p for p in range(int(state["players"])) if p != player]
        hands = [pick(int(state["hands"][p])) for p in others]
        stock = [int(state["ring"][i & 63]) for i in range(head, edge)]
        cards = [card for hand in hands for card in hand] + stock
        dealt = chance.sample(cards, len(cards))
        place = 0
        for p, hand in zip(others, hands, strict=True):
            part = dealt[place : place + len(hand)]
            state["hands"][p] = sum(1 << card for card in part)
            place += len(hand)
        for i, card in zip(range(head, edge), dealt[place:], strict=True):
            state["ring"][i & 63] = card
        return dealt != cards


RULES: list[dict[str, Any]] = [
    {},
    {"lead": "run", "ace_choice": True},
    {"ace_scope": "player", "wrap": True, "ace_fits": "any"},
    {"draw": "one", "recycle": "shuffle", "recycle_when": "emptied"},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("players", [2, 5])
def test_c_6_the_view_shows_nothing_hidden(rules: dict[str, Any], players: int) -> None:
    chance = random.Random(players)
    moved = decisions = 0
    for seed in range(6):
        table = Stepper(rules, players, seed)
        while table.go() == kernel_turns.PAUSED and decisions < 400:
            decisions += 1
            seen = table.view()
            kept = table.state.copy()
            moved += table.deal_unseen_again(chance)
            assert table.go() == kernel_turns.PAUSED
            assert table.view() == seen
            table.state[:] = kept
            view = table.work[2][int(table.control[SEAT])]
            answers = pick(int(view["options"])) + [STOP] * int(view["may_stop"])
            table.state["pending"] = chance.choice(answers)
            if view["decision"] == ACE:
                assert set(answers) == {0, 1}
    assert decisions > 50
    assert moved > decisions / 2


def test_every_field_of_the_view_is_documented() -> None:
    game_fields = prepare(GAME).game.view_fields
    assert [name for name, _, _ in game_fields] == list(VIEW.names or ())
    assert all(says for _, _, says in game_fields)
