"""The contract that every built-in policy keeps (C-5, C-6, DESIGN: Policies)."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

from simlib.games.royal_corners.policies import POLICIES
from simlib.games.royal_corners.rules import PLAYERS, PRESETS
from simlib.policy import STOP, parse
from simlib.rng import new
from tests.royal_corners.kernel_games import SINGLES, dealable, play
from tests.royal_corners.views import positions, random_rules

NAMES = ["random", "eager", "kings-first", "merge-first", "holder", "planner"]
CHANCE = ("random", "eager")


def test_the_policies_in_order() -> None:
    assert list(POLICIES) == NAMES
    for name, policy in POLICIES.items():
        assert policy.name == name
        assert policy.game == "royal-corners"
        assert policy.builtin
        assert policy.says.endswith(".")
        assert policy.uses_chance == (name in CHANCE)
        assert policy.allocates == (name == "planner")


def agree(options: dict[str, Any], names: list[str], seed: int) -> None:
    """Play with every view rewritten and with trust; no answer is refused, nothing differs."""
    checked = play(options, names, total=6, seed=seed, trusted=False)
    trusted = play(options, names, total=6, seed=seed, trusted=True)
    assert (checked.games == trusted.games).all()
    assert (checked.deals == trusted.deals).all()


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_under_every_option(name: str) -> None:
    for options in (*SINGLES, *PRESETS.values()):
        for players in PLAYERS:
            if dealable(options, players):
                agree(dict(options), [name] * players, players)


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_under_random_options(name: str) -> None:
    chance = random.Random(name)
    for number in range(100):
        players = chance.choice(PLAYERS)
        names = [name, *chance.choices(NAMES, k=players - 1)]
        chance.shuffle(names)
        agree(random_rules(chance, players), names, number)


def place_in_stream(rng: Any) -> tuple[int, ...]:
    return tuple(int(rng[name]) for name in ("s0", "s1", "s2", "s3"))


@pytest.mark.parametrize("name", NAMES)
def test_machine_code_and_python_decide_alike(name: str) -> None:
    policy = POLICIES[name]
    compiled = policy.compiled()
    for number, position in enumerate(positions(random.Random(name), 400)):
        view = position.view[0]
        streams = [new(number), new(number)]
        start = place_in_stream(streams[0])
        before = position.view.tobytes()
        answer = int(compiled(view, streams[0]))
        assert policy(view, streams[1]) == answer
        assert answer == STOP or view["options"][answer >> 3] >> (answer & 7) & 1
        # it reads its view only, and only policies of chance their stream, once
        assert position.view.tobytes() == before
        assert place_in_stream(streams[0]) == place_in_stream(streams[1])
        one_of_many = name == "random" or (name == "eager" and view["moves"] > 1)
        assert (place_in_stream(streams[0]) != start) == one_of_many


@pytest.mark.parametrize("name", [name for name in NAMES if name not in CHANCE])
@pytest.mark.parametrize("players", PLAYERS)
def test_c_9_relabelled_seats_have_relabelled_outcomes(name: str, players: int) -> None:
    names = [name, "planner", "kings-first", "holder"][:players]
    total = 40
    for start in range(players):
        # game g with first=rotate begins at seat g mod n: the same deal, seats moved on
        here = play({}, names, total=total, seed=3)
        moved = [names[(seat - start) % players] for seat in range(players)]
        there = play({"first": "rotate"}, moved, total=total, seed=3)
        games = [game for game in range(total) if game % players == start]
        for seat in range(players):
            to = (seat + start) % players
            for column in ("penalty", "cards_left", "kings_left", "out_order"):
                assert (
                    here.deals[games][column][:, seat] == there.deals[games][column][:, to]
                ).all()
            for column in ("win_share", "total"):
                assert (
                    here.games[games][column][:, seat] == there.games[games][column][:, to]
                ).all()
        for column in ("ending", "turns", "hand_plays", "pile_moves", "draws", "decisions"):
            assert (here.deals[games][column] == there.deals[games][column]).all()


def test_c_4_play_seed_moves_the_play_and_not_the_deal() -> None:
    one = play({}, ["random"] * 4, total=200, seed=5)
    assert (one.games == play({}, ["random"] * 4, total=200, seed=5, play_seed=5).games).all()
    assert (one.games != play({}, ["random"] * 4, total=200, seed=5, play_seed=6).games).any()
    still = play({}, ["planner"] * 4, total=200, seed=5)
    assert (still.games == play({}, ["planner"] * 4, total=200, seed=5, play_seed=6).games).all()


def test_c_8_a_match_that_finds_no_room_is_left_for_the_next_call() -> None:
    from simlib.games.control import DEALS, DONE, FULL, new_control
    from simlib.games.royal_corners import kernel
    from simlib.games.royal_corners.outcome import DEAL, GAME
    from simlib.games.royal_corners.rules import RoyalCornersRules, pack

    rules = pack(RoyalCornersRules(), 2, match=True)
    compiled = (POLICIES["random"].compiled(),) * 4
    whole = play({}, ["random"] * 2, unit="match", total=3)
    room = len(whole.deals) - 1
    games, deals, control = np.zeros(3, GAME), np.zeros(room, DEAL), new_control()
    work = kernel.scratch(rules, np.zeros((4, 8)))
    seeds = np.zeros(2, np.uint64)
    kernel.simulate(rules, compiled, seeds, 0, 3, games, deals, work, control, None, None)
    assert (control[FULL], control[DONE]) == (1, 2)
    assert control[DEALS] == whole.games["deals"][:2].sum()
    kept = int(control[DEALS])
    assert (games[:2] == whole.games[:2]).all()
    assert (deals[:kept] == whole.deals[:kept]).all()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("planner", "planner"),
        ("planner(keep_corners=-1)", "planner"),
        ("planner(keep_corners=0)", "planner(keep_corners=0)"),
    ],
)
def test_a_policy_of_ours_is_named_by_what_is_not_default(asked: str, said: str) -> None:
    policy = parse(asked, "royal-corners", POLICIES)
    assert policy.spec == said
    assert pickle.loads(pickle.dumps(policy)) == policy
