"""The kernel decision by decision: from any point on, and what a policy sees there (C-6)."""

from __future__ import annotations

import random

import pytest

from .stepper import Stepper
from .views import random_rules, slow_game


@pytest.mark.parametrize("seed", range(60))
def test_every_view_is_what_the_slow_engine_sees_and_play_goes_on_from_there(seed: int) -> None:
    chance = random.Random(seed)
    players = chance.choice((2, 3, 4))
    rules = random_rules(chance, players)
    record, decisions = slow_game(rules, players, chance, stops=0.3)
    deal = record["deals"][0]
    game = Stepper(
        [" ".join(hand) for hand in deal["hands"]],
        [" ".join(pile) for pile in deal["table"]["corners"]],
        " ".join(deal["stock"]),
        first=deal["first"],
        **{name: value for name, value in rules.items() if name != "first"},
    )
    for decision in decisions:
        assert game.seat == decision.seat
        for name in decision.view.dtype.names:
            ours, theirs = game.view[name], decision.view[0][name]
            assert (ours == theirs).all(), (name, ours, theirs, rules)
        assert game.view_bytes() == decision.view.tobytes()
        game.answer(decision.answer)
    assert game.ending == deal["ending"]
    outcome = record["outcome"]
    for name in ("turns", "decisions", "options", "hand_plays", "stock_plays", "pile_moves"):
        assert getattr(game, name) == outcome[name]
    assert [len(game.hand(seat)) for seat in range(players)] == [
        outcome[f"cards_left_{seat}"] for seat in range(players)
    ]
