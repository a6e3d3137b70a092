"""The contract that every built-in policy keeps (C-5, C-6, DESIGN: Policies)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simlib.games.king_george.policies import POLICIES
from simlib.games.king_george.rules import PLAYERS, PRESETS
from simlib.games.king_george.view import ACE, FOLLOW, LEAD, RUN, VIEW
from simlib.policy import STOP
from simlib.rng import new
from tests.king_george.kernel_rows import SINGLE, Played, combination, play

from .table import ACE_RANK, Table, mask

NAMES = ["random", "one-card", "eager", "longest-run", "ace-early", "ace-late", "no-orphans"]
PLANNED = [name for name in NAMES if name != "random"]


def test_the_policies_in_order() -> None:
    assert list(POLICIES) == NAMES
    for name, policy in POLICIES.items():
        assert policy.name == name
        assert policy.game == "king-george-iii"
        assert policy.builtin
        assert policy.says.endswith(".")
        assert policy.uses_chance == (name == "random")


# Legal answers


def agree(options: dict[str, Any], names: list[str], seed: int) -> None:
    """Play with every view rewritten and with trust; no answer is refused, nothing differs."""
    checked = play(options, names, total=6, seed=seed, trusted=False)
    trusted = play(options, names, total=6, seed=seed, trusted=True)
    assert checked.error == 0, (options, names, seed)
    assert (checked.games == trusted.games).all()
    assert (checked.deals == trusted.deals).all()


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_under_every_option(name: str) -> None:
    for options in (*SINGLE, *PRESETS.values()):
        for players in PLAYERS:
            agree(dict(options), [name] * players, players)


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_under_random_options(name: str) -> None:
    chance = random.Random(name)
    for number in range(150):
        names = [name, *chance.choices(NAMES, k=chance.choice(PLAYERS) - 1)]
        chance.shuffle(names)
        agree(combination(chance), names, number)


# One decision, from the machine code and from the plain Python


def decisions(chance: random.Random, number: int) -> Iterator[Any]:
    """Yield views of random decisions of every kind, under random options."""
    for _ in range(number):
        cards = chance.sample(range(52), chance.randint(12, 52))
        held = chance.randint(1, 11)
        table = Table(
            set(cards[:held]),
            cards[held : held + chance.randint(0, len(cards) - held)],
            resets=chance.choice((0, 1, 3)),
            aside=set(chance.sample(sorted(set(range(52)) - set(cards)), (52 - len(cards)) // 2)),
            run=chance.randint(0, 3),
        )
        for option in ("lead_run", "wrap", "ace_any", "must_run", "ace_choice"):
            setattr(table, option, chance.random() < 0.5)
        aces = [card for card in sorted(table.hand) if card // 4 == ACE_RANK]
        if aces and table.resets and table.ace_choice and chance.random() < 0.3:
            table.hand.remove(aces[0])
            table.run += 1
            yield table.view(ACE, 3, False, aces[0])
            continue
        if not table.pile:
            table.run = 0
        legal = table.fitting() if table.pile else sorted(table.hand)
        may_stop = table.run > 0 and not table.must_run
        if len(legal) + may_stop > 1 and legal:
            kind = RUN if table.run else FOLLOW if table.pile else LEAD
            yield table.view(kind, mask(legal), may_stop)


def position(rng: Any) -> tuple[int, ...]:
    return tuple(int(rng[name]) for name in ("s0", "s1", "s2", "s3"))


@pytest.mark.parametrize("name", NAMES)
def test_machine_code_and_python_decide_alike(name: str) -> None:
    policy = POLICIES[name]
    compiled = policy.compiled()
    kinds = set()
    for number, view in enumerate(decisions(random.Random(name), 1500)):
        streams = [new(number), new(number)]
        start = position(streams[0])
        before = np.array(view, VIEW).tobytes()
        answer = int(compiled(view, streams[0]))
        assert policy(view, streams[1]) == answer
        assert (answer == STOP and view.may_stop) or int(view.options) >> answer & 1
        # it reads its view only, and only `random` its stream, once
        assert np.array(view, VIEW).tobytes() == before
        assert position(streams[0]) == position(streams[1])
        assert (position(streams[0]) != start) == (name == "random")
        kinds.add((int(view.decision), int(view.may_stop)))
    assert kinds == {(LEAD, 0), (FOLLOW, 0), (RUN, 0), (RUN, 1), (ACE, 0)}


@pytest.mark.parametrize("name", NAMES)
def test_play_seed_matters_to_random_only(name: str) -> None:
    one = play({}, [name] * 3, total=200, seed=3)
    other = play({}, [name] * 3, total=200, seed=3, play_seed=4)
    assert (one.games == other.games).all() == (name != "random")


def test_random_picks_every_option_equally_often() -> None:
    table = Table.of("4H 4D 5C 6S", "5H")
    table.run = 1
    view = table.view(RUN, mask(table.fitting()), may_stop=True)
    rng = new(1)
    compiled = POLICIES["random"].compiled()
    picks = [int(compiled(view, rng)) for _ in range(20_000)]
    counts = {answer: picks.count(answer) for answer in set(picks)}
    assert set(counts) == {*table.fitting(), STOP}
    # chi-square with four degrees of freedom: 27.9 at one in 100 000
    assert sum((n - 4000) ** 2 / 4000 for n in counts.values()) < 27.9


# Relabelling the seats


def turned(played: Played, steps: int, players: int) -> np.ndarray:
    """Return the games with every seat moved on by some steps."""
    games = played.games.copy()
    for column in ("win_share", "cards_left", "orphans"):
        for seat in range(players):
            games[column][:, (seat + steps) % players] = played.games[column][:, seat]
    for column in ("winner", "first_out"):
        known = games[column] >= 0
        games[column][known] = (games[column][known] + steps) % players
    return games


def relabels(options: dict[str, Any], names: list[str], seed: int, total: int = 60) -> None:
    """Turn the table: the same cards, the policies moved on, the rows move on with them."""
    players = len(names)
    still = play({**options, "first": "zero"}, names, total=total, seed=seed)
    for steps in range(players):
        moved = names[-steps:] + names[:-steps] if steps else names
        rotated = play({**options, "first": "rotate"}, moved, total=total, seed=seed)
        mine = np.arange(total) % players == steps
        assert (rotated.games[mine] == turned(still, steps, players)[mine]).all()


@pytest.mark.parametrize("name", PLANNED)
def test_relabelling_the_seats_permutes_the_outcome(name: str) -> None:
    for players in PLAYERS:
        relabels({}, [name] * players, players)


def test_relabelling_mixed_tables_and_options() -> None:
    chance = random.Random(5)
    for number in range(40):
        options = combination(chance)
        # a shuffled stock is the same for everyone: the table's stream has no seat
        relabels(options, chance.choices(PLANNED, k=chance.choice(PLAYERS)), number, total=20)


def test_relabelling_random_in_the_mean() -> None:
    # a seat's stream belongs to the seat, so that single games differ: compare win shares by place
    total, players = 40_000, 4
    still = play({}, ["random"] * players, total=total, seed=1)
    rotated = play({"first": "rotate"}, ["random"] * players, total=total, seed=1)
    first = np.arange(total) % players
    for place in range(players):
        here = still.games["win_share"][:, place] / 60
        there = rotated.games["win_share"][np.arange(total), (first + place) % players] / 60
        difference = here - there
        assert abs(difference.mean()) < 4.5 * difference.std() / np.sqrt(total)
