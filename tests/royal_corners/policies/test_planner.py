"""The planner: equal to brute force, hardly ever cut short, and better than the others."""

from __future__ import annotations

import inspect
import random
from typing import Any

import numpy as np
import pytest
from numba import njit

from simlib.games.royal_corners import planner as search
from simlib.games.royal_corners.moves import above, below
from simlib.games.royal_corners.planner import LIMIT, plan
from simlib.games.royal_corners.policies import POLICIES
from simlib.games.royal_corners.rules import CORNERS, PRESETS
from simlib.games.royal_corners.view import VIEW
from simlib.jit import OPTIONS
from tests.royal_corners.kernel_games import kernel_rows, play
from tests.royal_corners.views import Position, mask, number, positions
from tests.slow.royal_corners_deal import PACK, RANKS, SUITS

from .brute import TooManyError, by_enumeration, by_position, different_positions

#: Sequences of one turn that are tried one by one; beyond, exact positions are remembered, and
#: turns with more than so many different positions are left out (random options have some).
MOST, LARGEST = 1000, 1500


@njit(**{**OPTIONS, "_nrt": True})
def planned(views: Any, keeps: bool = False) -> Any:
    return plan(views[0], keeps)


def test_its_tables_are_what_the_rules_say() -> None:
    for card in range(52):
        assert search.BELOW[card] == below(np.int64(card))
        assert search.ABOVE[card] == above(np.int64(card))


def check_turn(position: Position, keeps: bool) -> str:
    """Compare a turn with brute force; return how that was done."""
    answer, looked_at, complete = planned(position.view, keeps)
    if looked_at > LARGEST or not complete:
        return "left out"
    try:
        _, sequence, _ = by_enumeration(position.info, MOST, keeps)
        how = "sequences"
    except TooManyError:
        _, sequence, _ = by_position(position.info, keeps)
        how = "positions"
    assert answer == (sequence[0] if sequence else -1), (position.info, sequence)
    return how


def starts_of_turns(chance: random.Random, wanted: int, **rules: Any) -> list[Position]:
    found: list[Position] = []
    while len(found) < wanted:
        some = positions(chance, 200, **rules)
        found += [p for p in some if not {"play", "move"} & set(p.info["this_turn"])]
    return found[:wanted]


def check_turns(chance: random.Random, wanted: int, keeps: bool) -> None:
    """Compare this many turns, half of them under random options."""
    turns = starts_of_turns(chance, wanted // 2)
    for options in ({"draw": "after_play"}, {"draw": "every_turn"}, PRESETS["pagat"]):
        turns += starts_of_turns(chance, wanted // 6, **options)
    how = [check_turn(turn, keeps) for turn in turns]
    assert how.count("left out") < 0.05 * wanted
    assert how.count("positions") < 0.15 * wanted


@pytest.mark.parametrize("keeps", [False, True])
def test_equal_to_brute_force(keeps: bool) -> None:
    check_turns(random.Random("brute force"), 300, keeps)


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [False, True])
def test_equal_to_brute_force_on_a_thousand_turns(keeps: bool) -> None:
    check_turns(random.Random("a thousand"), 1100, keeps)


def crowded(chance: random.Random) -> tuple[np.ndarray, dict[str, Any]]:
    """Return view and position of a turn with many cards alike: three ranks on table and hand."""
    lowest = chance.randrange(11)
    cards = [rank + suit for rank in RANKS[lowest : lowest + 3] for suit in SUITS]
    chance.shuffle(cards)
    piles = [[cards.pop()] if chance.random() < 0.7 else [] for _ in range(CORNERS)]
    empty = [corner for corner, pile in enumerate(piles) if not pile]
    hand = cards[: chance.randint(2, 6)]
    unseen = [card for card in PACK if card not in {*hand, *(c for pile in piles for c in pile)}]
    open_card = unseen.pop(chance.randrange(len(unseen)))
    info = {
        "rules": {"draw": "every_turn", "merge": "down", "vacated": "next_move",
                  "king_pile": False},
        "hand": hand, "corners": piles, "any_card": empty[:1], "open_card": open_card,
        "stock_left": 10,
    }  # fmt: skip
    views = np.zeros(1, VIEW)
    views["hand"], views["unseen"] = mask(hand), mask(unseen)
    for field in ("first_cards", "last_cards"):
        views[field] = -1
        views[field][0, :CORNERS] = [number(pile[0]) if pile else -1 for pile in piles]
    views["any_corners"] = sum(1 << corner for corner in info["any_card"])
    views["open_card"], views["stock_count"] = number(open_card), 10
    views["corners"], views["draw"] = CORNERS, 1
    return views, info


@pytest.mark.parametrize("keeps", [False, True])
def test_equal_to_brute_force_where_many_cards_are_alike(keeps: bool) -> None:
    chance = random.Random("alike")
    for _ in range(2000 if keeps else 300):  # without, the trees are larger
        view, info = crowded(chance)
        _, sequence, _ = by_position(info, keeps)
        assert planned(view, keeps)[0] == (sequence[0] if sequence else -1), info


@pytest.mark.parametrize("keeps", [False, True])
def test_the_two_brute_forces_agree_and_positions_are_counted_right(keeps: bool) -> None:
    chance = random.Random("positions")
    for turn in starts_of_turns(chance, 150):
        try:
            worth, sequence, _ = by_enumeration(turn.info, 1000, keeps)
        except TooManyError:
            continue
        assert by_position(turn.info, keeps)[:2] == (worth, sequence)
        _, looked_at, _ = planned(turn.view, keeps)
        assert looked_at == different_positions(turn.info, keeps)


def test_it_is_content_with_the_best_so_far_at_its_bound() -> None:
    assert LIMIT >= 200_000
    text = inspect.getsource(search).replace("LIMIT = 1 << 18", "LIMIT = 5")
    short: dict[str, Any] = {"__name__": "short", "__file__": search.__file__}
    exec(compile(text, "short", "exec"), short)
    cut = 0
    for turn in starts_of_turns(random.Random("short"), 60):
        view = turn.view[0]
        answer, looked_at, complete = short["plan"](view, False)
        assert looked_at <= 5
        assert answer == -1 or view["options"][answer >> 3] >> (answer & 7) & 1
        if complete:
            assert (answer, looked_at) == planned(turn.view)[:2]
        cut += not complete
    assert 5 < cut < 55


@njit(**{**OPTIONS, "_nrt": True})
def _count(view: Any) -> int:
    answer, looked_at, complete = plan(view, view.draw != 0 and view.corners == 4)
    view.params[0] += 1
    view.params[1] += looked_at
    view.params[2] = max(view.params[2], looked_at)
    view.params[3] += not complete
    return answer


def counting(view: Any, rng: Any) -> int:
    """Plays like `planner` and counts in its parameters (nobody rewrites them under trust)."""
    return _count(view)


def counts(options: dict[str, Any], players: int, deals: int) -> np.ndarray:
    from dataclasses import replace

    policy = replace(POLICIES["planner"], function=counting, params={}, _compiled=[])
    played = play(options, [policy] * players, total=deals, trusted=True)
    return played.params[:players]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_bound_is_hardly_ever_met(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = counts(dict(PRESETS[preset]), 4, 300)
    decisions, looked_at, met = found[:, 0].sum(), found[:, 1].sum(), found[:, 3].sum()
    with capsys.disabled():
        print(
            f"\nplanner, {preset}, 4 players: {looked_at / decisions:.1f} positions a decision,"
            f" at most {found[:, 2].max():.0f}; bound met in {met:.0f} of {decisions:.0f}"
        )
    assert met < 0.01 * decisions


def advantage(options: dict[str, Any], other: str, deals: int) -> tuple[float, float]:
    """Return mean and standard error of the penalty of `other` less that of the planner.

    One planner among three others on common deals, in each seat once (C-4).
    """
    differences = np.zeros(deals)
    for seat in range(4):
        names = [other] * 4
        names[seat] = "planner"
        penalty = play(options, names, total=deals, seed=8, trusted=True).deals["penalty"]
        others = [s for s in range(4) if s != seat]
        differences += (penalty[:, others].mean(axis=1) - penalty[:, seat]) / 4
    return differences.mean(), differences.std() / np.sqrt(deals)


@pytest.mark.parametrize("other", [name for name in POLICIES if name != "planner"])
@pytest.mark.parametrize("preset", PRESETS)
def test_it_leaves_fewer_points_than_the_others(preset: str, other: str) -> None:
    mean, error = advantage(dict(PRESETS[preset]), other, 1000)
    assert mean > 3 * error


def test_planner_sits_at_the_table_like_anybody_else() -> None:
    games, deals = kernel_rows({}, ["planner", "random", "eager"], total=50)
    assert len(games) == len(deals) == 50
