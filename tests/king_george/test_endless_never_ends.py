"""KG-12: no deal that a proof calls endless ever ends when it is played on without the proof.

One case is left out, and tested on its own: the clause counts an ace among the reachable ranks
with ``ace_fits=any``, also where nothing fits on that ace. Read to the letter, as the kernel, the
slow engine and the referee do, it then calls a deal endless that may still end in a deadlock.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from simlib.cards import count
from simlib.games.king_george.outcome import CYCLE, DEADLOCK, ENDLESS, ORPHANS, TRUNCATED
from simlib.games.king_george.policies import POLICIES
from simlib.games.king_george.rules import PLAYERS
from tests.king_george.kernel_rows import combination, play

FAR = 20_000
#: Enough games that some are endless, few enough to be quick.
BATCH = 200
TWOS, KINGS, ACES = 0xF, 0xF << 44, 0xF << 48


def drawn(chance: random.Random) -> dict[str, Any]:
    """Return options under which a proof may be found; half of the time the defaults."""
    options = combination(chance) if chance.random() < 0.5 else {}
    if options.get("recycle") == "none":
        options["recycle"] = "shuffle"
    return {**options, "max_playoffs": 0, "max_turns": 2000}


def lone_ace(options: Mapping[str, Any], state: Any) -> bool:
    """Whether an ace can be played on every card, and then nothing on that ace."""
    in_play = ~int(state["aside"])
    on_an_ace = KINGS | (TWOS if options.get("wrap") else 0)
    return (
        options.get("ace_fits") == "any" and count(in_play & ACES) == 1 and in_play & on_an_ace == 0
    )


def played_on(options: Mapping[str, Any], names: list[str], seed: int, game: int) -> Any:
    """Return the row of a game whose first deal is played to turn 20 000, without proofs."""
    far = {**options, "max_turns": FAR}
    return play(far, names, first_game=game, seed=seed, prove=False).games[0]


def play_on(name: str, wanted: int, number: int) -> dict[int, int]:
    """Play endless deals of a policy on; return how many there were of each proof."""
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
            on = played_on(options, names, seed, game)
            if on["ending"] == DEADLOCK:
                again = play(options, names, first_game=game, seed=seed)
                assert again.games[0]["proof"] == ORPHANS
                assert lone_ace(options, again.state)
                continue
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


def test_kg_12_to_the_letter_with_a_lone_ace() -> None:
    # 2S lies, AS is drawn and fits on it, nothing fits on AS: two reachable cards, then a deadlock
    options = {
        "ace_fits": "any",
        "must_run": True,
        "recycle": "shuffle",
        "out_tie": "share",
        "max_playoffs": 0,
    }
    seed, game, names = 1077835486411491783, 20, ["one-card"] * 2
    proved = play(options, names, first_game=game, seed=seed)
    assert proved.games[0]["proof"] == ORPHANS
    assert lone_ace(options, proved.state)
    assert played_on(options, names, seed, game)["ending"] == DEADLOCK


@pytest.mark.slow
@pytest.mark.parametrize("name", POLICIES)
def test_kg_12_endless_deals_never_end_at_full_size(
    name: str, scaled: Callable[[int], int]
) -> None:
    deals = scaled(10_000)
    seen = play_on(name, deals, 1)
    assert min(seen.values()) >= deals // 100
