"""The planned runs are the best there are: against a search of every run; and in bounded time."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import pytest

from simlib.cards import ACE_HIGH
from simlib.games.king_george import policies, policies_runs, proofs
from simlib.games.king_george.policies import POLICIES
from simlib.games.king_george.view import FOLLOW, LEAD
from simlib.rng import new

from .brute import Search
from .table import ACE_RANK, Table, mask

#: wrap, ace_any, an ace ends the turn, lead_run
COMBINATIONS = [tuple(bool(code >> bit & 1) for bit in range(4)) for code in range(16)]


@dataclass
class Position:
    """A hand, the card on top (None: a lead), and what matters for a run."""

    hand: set[int]
    top: int | None
    wrap: bool
    ace_any: bool
    ends: bool
    lead_run: bool

    def table(self, **changes: Any) -> Table:
        return Table(
            set(self.hand),
            [] if self.top is None else [self.top],
            resets=int(self.ends),
            wrap=self.wrap,
            ace_any=self.ace_any,
            lead_run=self.lead_run,
            **changes,
        )

    def search(self, **changes: Any) -> Search:
        single = self.top is None and not self.lead_run
        found = Search(self.wrap, self.ace_any, self.ends, single)
        for name, value in changes.items():
            setattr(found, name, value)
        return found

    def best(self, hand: set[int] | None = None, **changes: Any) -> tuple[int, ...]:
        cards = frozenset(self.hand if hand is None else hand)
        rank = None if self.top is None else self.top // 4
        return self.search(**changes).best(cards, rank)[1]


def position(
    chance: random.Random, options: tuple[bool, ...], low: int = 1, high: int = 10
) -> Position:
    """Return a hand from a few neighbouring ranks, so that long runs are common."""
    wrap, ace_any, ends, lead_run = options
    width = chance.choice((3, 4, 5, 6, 8, 13))
    start = chance.randrange(13)
    more_aces = chance.random() < 0.5
    pool = [
        card
        for card in range(52)
        if (card // 4 - start) % 13 < width or (more_aces and card // 4 == ACE_RANK)
    ]
    hand = set(chance.sample(pool, min(chance.randint(low, high), len(pool))))
    near = [card for card in range(52) if (card // 4 - start) % 13 <= width]
    tops = [card for card in near if card not in hand]
    top = chance.choice(tops) if tops and chance.random() < 0.8 else None
    return Position(hand, top, wrap, ace_any, ends, lead_run)


def put_down(acts: str) -> tuple[int, ...]:
    """Return the cards of some acts."""
    return tuple(ACE_HIGH.number(act) for act in acts.split() if act in ACE_HIGH.numbers)


def compare(chance: random.Random, options: tuple[bool, ...], hands: int, **sizes: int) -> int:
    """Check hands against the search; return how many cards were put down in all."""
    total = 0
    for _ in range(hands):
        case = position(chance, options, **sizes)
        run = put_down(case.table().turn("longest-run"))
        assert run == case.best(), case
        total += len(run)
    return total


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_longest_run_is_the_longest(options: tuple[bool, ...]) -> None:
    # 16 * 625 = 10 000 hands of up to 10 cards
    assert compare(random.Random(str(options)), options, 625) > 625


@pytest.mark.slow
@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_longest_run_is_the_longest_at_full_size(
    options: tuple[bool, ...], scaled: Callable[[int], int]
) -> None:
    hands = scaled(10_000)
    assert compare(random.Random(f"full {options}"), options, hands) > hands


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_longest_run_of_larger_hands(options: tuple[bool, ...]) -> None:
    compare(random.Random(f"large {options}"), options, 12, low=11, high=14)


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_longest_run_round_the_circle(options: tuple[bool, ...]) -> None:
    # a card of every rank, of all but one, of all but two: where the wrap joins both ends
    chance = random.Random(f"circle {options}")
    wrap, ace_any, ends, lead_run = options
    for missing in (0, 1, 1, 2, 2):
        ranks = chance.sample(range(13), 13 - missing)
        hand = {4 * rank + chance.randrange(4) for rank in ranks}
        for top in (None, *chance.sample([c for c in range(52) if c not in hand], 6)):
            case = Position(hand, top, wrap, ace_any, ends, lead_run)
            assert put_down(case.table().turn("longest-run")) == case.best(), case


def test_suits_change_nothing_in_the_search() -> None:
    chance = random.Random(0)
    for _ in range(300):
        case = position(chance, chance.choice(COMBINATIONS), high=6)
        assert case.best() == case.best(every_suit=True)


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_ace_choice_lets_the_longest_run_go_on(options: tuple[bool, ...]) -> None:
    chance = random.Random(f"choice {options}")
    for _ in range(60):
        case = position(chance, options)
        run = put_down(case.table(ace_choice=True).turn("longest-run"))
        assert run == case.best(ends=False), case


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_ace_early_takes_the_longest_run_to_an_ace(options: tuple[bool, ...]) -> None:
    chance = random.Random(f"early {options}")
    for _ in range(120):
        case = position(chance, options)
        run = put_down(case.table().turn("ace-early"))
        assert run == case.best(ace_first=True), case
        again = put_down(case.table(ace_choice=True).turn("ace-early"))
        assert again == run, case


@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_ace_late_takes_the_longest_run_without_aces(options: tuple[bool, ...]) -> None:
    chance = random.Random(f"late {options}")
    for _ in range(120):
        case = position(chance, options)
        run = put_down(case.table().turn("ace-late"))
        aces = {card for card in case.hand if card // 4 == ACE_RANK}
        best = case.best()
        if case.ends and aces and len(best) < len(case.hand):
            held = case.best(case.hand - aces, kept=frozenset(aces))
            if held:
                assert run == held, case
            elif run:  # forced: the lowest ace
                assert run == (min(aces),), case
        else:
            assert run == best, case


# Bounded time: the lines of Python that a decision takes, every function of ours in plain Python


@contextmanager
def plain() -> Iterator[None]:
    """Run our jitted functions as the Python that they are written in."""
    modules = (policies, policies_runs, proofs)
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            for name, value in list(vars(module).items()):
                python = getattr(value, "py_func", None)
                if python is not None and python.__module__ in {m.__name__ for m in modules}:
                    patch.setattr(module, name, python)
        yield


def steps(name: str, view: Any) -> int:
    """Return how many lines of our policy code one decision executes."""
    lines = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        if not frame.f_code.co_filename.endswith(("policies.py", "policies_runs.py", "proofs.py")):
            return None
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        POLICIES[name].function(view, new(0))
    finally:
        sys.settrace(before)
    return lines


def decisions(cards: int, options: tuple[bool, ...], number: int) -> Iterator[Any]:
    """Yield a lead and a follow with hands of this size."""
    chance = random.Random(f"{cards} {options} {number}")
    wrap, ace_any, ends, _ = options
    hand = set(chance.sample(range(52), cards))
    for top in (None, chance.choice([card for card in range(52) if card not in hand])):
        table = Position(hand, top, wrap, ace_any, ends, lead_run=True).table()
        legal = table.fitting() if table.pile else sorted(hand)
        yield table.view(FOLLOW if table.pile else LEAD, mask(legal), may_stop=False)


#: The longest decision is a lead with ``lead=run``: at most 13 ranks, each weighed once, or twice
#: where aces are held back, in about a hundred lines.
MOST_STEPS = 13 * 2 * 100


@pytest.mark.parametrize("name", ["longest-run", "ace-early", "ace-late", "no-orphans"])
def test_time_is_bounded_at_40_cards(name: str) -> None:
    with plain():
        most = {
            cards: max(
                steps(name, view)
                for options in COMBINATIONS
                for number in range(3)
                for view in decisions(cards, options, number)
            )
            for cards in (30, 40)
        }
    assert 1000 < most[40] <= MOST_STEPS
    # ranks cost time, cards do not
    assert most[40] <= 1.1 * most[30]
