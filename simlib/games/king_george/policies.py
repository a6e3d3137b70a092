"""The scripted policies of King George III, each a way in which people play it.

A policy is asked for one card at a time and remembers nothing. Those that plan a run weigh, for
each card that they may put now, the best run that begins with it (`policies_runs`), and take the
best; asked again after each card, they so play the whole run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import FULL_DECK, count, highest, lowest, nth
from simlib.games.king_george.policies_runs import ACES, best_card, cut_off
from simlib.games.king_george.view import ACE, LEAD
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper
from simlib.policy import STOP, Policy, policy
from simlib.rng import below

__all__ = ["POLICIES"]

GAME = "king-george-iii"
U = np.uint64
NONE = U(0)
RANK = U(15)
#: Answers at an ace choice (KG-8).
SET_ASIDE, KEEP = np.int64(0), np.int64(1)
#: More than any run scores: a run that ends with an ace goes before all others.
ACE_FIRST = np.int64(1 << 12)
NO_BONUS = np.int64(0)


@policy(GAME, name="random", builtin=True)
def random(view, rng):
    """Picks any option, each equally often."""
    cards = count(view.options)
    choice = below(rng, cards + view.may_stop)
    if choice == cards:
        return STOP
    return nth(view.options, choice)


@policy(GAME, name="one-card", builtin=True)
def one_card(view, rng):
    """Puts one fitting card, the lowest, then stops; leads the lowest; sets every ace aside."""
    if view.may_stop:
        return STOP
    return lowest(view.options)


@policy(GAME, name="eager", builtin=True)
def eager(view, rng):
    """Lays on while it can, equal rank first, then the next lower; leads high; never stops."""
    options = view.options
    if view.decision == ACE:
        return SET_ASIDE
    if view.top < 0:
        return lowest(options & (RANK << U(highest(options) & 60)))
    rank = np.int64(view.top) >> 2
    equal = options & (RANK << U(rank << 2))
    if equal != NONE:
        return lowest(equal)
    lower = rank - 1
    if lower < 0:
        lower = np.int64(12 if view.wrap else 0)
    beneath = options & (RANK << U(lower << 2))
    return lowest(beneath if beneath != NONE else options)


@helper
def weigh(view: Any, cards: Any, options: Any, ends: int, bonus: int) -> int:
    """Return ``best_card`` of some cards; the rest of the hand stays where it is (int64)."""
    single = view.decision == LEAD and not view.lead_run
    return best_card(
        cards,
        options,
        view.hand & ~cards,
        np.int64(view.wrap),
        np.int64(view.ace_any),
        np.int64(ends),
        np.int64(single),
        bonus,
    )


@helper
def resets_now(view: Any) -> bool:
    """Tell whether an ace of this player would still set a pile aside (KG-8)."""
    return view.resets_left > 0


@helper
def goes_on(view: Any) -> bool:
    """Tell whether an ace that is kept as an ordinary card lets the run go on (KG-4, KG-8)."""
    leads = view.pile_count == view.run - 1
    return (view.lead_run or not leads) and (view.hand & view.fit_table[12]) != NONE


@njit(**JIT)
def longest(view: Any) -> int:
    """Return the first card of the longest run (int64)."""
    options = view.options
    same = options & (RANK << U(lowest(options) & 60))
    if same == options:  # one rank: nothing to weigh
        return lowest(options)
    ends = resets_now(view) and not view.ace_choice
    return weigh(view, view.hand, options, ends, NO_BONUS) & 63


@njit(**JIT)
def longest_without_aces(view: Any) -> int:
    """Return the first card of the longest run that leaves the aces in the hand (int64).

    A run that puts down every card, aces included, goes before it. An ace is put down where
    nothing else can be answered.
    """
    options = view.options
    ends = resets_now(view) and not view.ace_choice
    whole = weigh(view, view.hand, options, ends, NO_BONUS)
    if whole >> 12 == count(view.hand):
        return whole & 63
    others = options & ~ACES
    if others != NONE:
        return weigh(view, view.hand & ~ACES, others, np.int64(0), NO_BONUS) & 63
    return STOP if view.may_stop else lowest(options)


@policy(GAME, name="longest-run", builtin=True)
def longest_run(view, rng):
    """Puts down the longest run that its hand allows, and keeps cards that stand side by side."""
    if view.decision == ACE:
        return KEEP if goes_on(view) else SET_ASIDE
    return longest(view)


@policy(GAME, name="ace-early", builtin=True)
def ace_early(view, rng):
    """Sets a pile aside as soon as it can, by the longest run that ends with an ace."""
    if view.decision == ACE:
        return SET_ASIDE
    return weigh(view, view.hand, view.options, resets_now(view), ACE_FIRST) & 63


@policy(GAME, name="ace-late", builtin=True)
def ace_late(view, rng):
    """Keeps aces that set a pile aside for when nothing else fits, or for its last card."""
    if view.decision == ACE:
        return KEEP
    if resets_now(view) and view.hand & ACES != NONE:
        return longest_without_aces(view)
    return longest(view)


@helper
def would_strand(view: Any, ace: int) -> bool:
    """Tell whether setting the pile aside with this ace cuts off more own cards (KG-12)."""
    bit = U(1) << U(ace)
    own = view.hand & ~bit
    in_play = FULL_DECK & ~view.aside
    wrap = np.int64(view.wrap)
    ace_any = np.int64(view.ace_any)
    after = cut_off(own, in_play & ~(view.pile | bit), wrap, ace_any)
    return after > 0 and after > cut_off(own, in_play, wrap, ace_any)


@policy(GAME, name="no-orphans", builtin=True)
def no_orphans(view, rng):
    """Plays the longest run, but sets no pile aside that would cut off cards of its own."""
    if view.decision == ACE:
        if goes_on(view) or would_strand(view, np.int64(view.ace)):
            return KEEP
        return SET_ASIDE
    aces = view.options & ACES
    if aces != NONE and resets_now(view) and not view.ace_choice:
        if would_strand(view, lowest(aces)):
            return longest_without_aces(view)
    return longest(view)


#: The built-in policies, in the order in which they are listed.
POLICIES: dict[str, Policy] = {
    built.name: built
    for built in (random, one_card, eager, longest_run, ace_early, ace_late, no_orphans)
}
