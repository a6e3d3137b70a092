"""KG-12: no deal that a proof calls endless ever ends when it is played on without the proof."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from simlib.games.king_george.outcome import CYCLE, ENDLESS, ORPHANS, TRUNCATED
from simlib.games.king_george.policies import POLICIES
from simlib.games.king_george.rules import PLAYERS
from tests.king_george.kernel_rows import combination, play

FAR = 20_000
#: Enough games that some are endless, few enough to be quick.
BATCH = 200


def drawn(chance: random.Random) -> dict[str, Any]:
    """Return options under which a proof may be found; half of the time the defaults."""
    options = combination(chance) if chance.random() < 0.5 else {}
    if options.get("recycle") == "none":
        options["recycle"] = "shuffle"
    return {**options, "max_playoffs": 0, "max_turns": 2000}


def play_on(name: str, wanted: int, number: int) -> dict[int, int]:
    """Play endless deals of a policy on to turn 20 000; return how many of each proof."""
    chance = random.Random(f"{name} {number}")
    seen = {ORPHANS: 0, CYCLE: 0}
    while sum(seen.values()) < wanted:
        options = drawn(chance)
        players = chance.choice(PLAYERS)
        names = [name] * players
        if chance.random() < 0.3:
            names[chance.randrange(players)] = chance.choice(list(POLICIES))
        seed = chance.randrange(1 << 64)
        proved = play(options, names, total=BATCH, seed=seed)
        assert proved.error == 0
        endless = np.flatnonzero(proved.games["ending"] == ENDLESS)
        for game in endless[: max(wanted // 10, 1)].tolist():
            options["max_turns"] = FAR
            on = play(options, names, first_game=game, seed=seed, prove=False).games[0]
            where = f"{options} {names} seed {seed} game {game}"
            assert on["ending"] == TRUNCATED, where
            assert on["turns"] == FAR, where
            seen[int(proved.games["proof"][game])] += 1
    return seen


@pytest.mark.parametrize("name", POLICIES)
def test_kg_12_endless_deals_never_end(name: str) -> None:
    # 43 deals of each of seven policies: 300 in all
    seen = play_on(name, -(-300 // len(POLICIES)), 0)
    assert min(seen.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", POLICIES)
def test_kg_12_endless_deals_never_end_at_full_size(name: str) -> None:
    seen = play_on(name, 10_000, 1)
    assert min(seen.values()) > 100
