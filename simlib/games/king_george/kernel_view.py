"""Writes what a player of King George III sees (C-6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import FULL_DECK, count
from simlib.games.king_george.kernel_cards import resets_left
from simlib.games.king_george.view import ACE
from simlib.jit import helper
from simlib.policy import PARAMS

__all__ = ["fill_view", "no_such_players"]

U = np.uint64


@helper
def copy_options(view: Any, template: Any) -> None:
    """Write the rules in force into a view."""
    view.ace_resets = template.ace_resets
    view.lead_run = template.lead_run
    view.wrap = template.wrap
    view.ace_any = template.ace_any
    view.must_run = template.must_run
    view.draw_one = template.draw_one
    view.recycle = template.recycle
    view.emptied = template.emptied
    view.ace_choice = template.ace_choice
    view.ace_player = template.ace_player
    view.after_out = template.after_out


@helper
def no_such_players(view: Any, n: int) -> None:
    """Write the places after the last player of a deal."""
    for k in range(n, 5):
        view.counts[k] = -1
        view.resets_used[k] = 0


@helper
def fill_view(
    rules: Any,
    state: Any,
    view: Any,
    templates: Any,
    p: int,
    hand: Any,
    options: Any,
    decision: int,
    may_stop: int,
    card: int,
    head: int,
    edge: int,
    tail: int,
    pile: Any,
    aside: Any,
    passed: int,
    lap: int,
    run: int,
    drawn: int,
    resets: int,
) -> None:
    """Write every field of the view of player `p` (C-6)."""
    n = state.players
    if not rules.trusted:  # a policy of a user may have written over rules and parameters
        template = templates[state.seats[p]]
        for i in range(PARAMS):
            view.params[i] = template.params[i]
        for i in range(13):
            view.fit_table[i] = template.fit_table[i]
        copy_options(view, template)
        no_such_players(view, n)
    view.hand = hand
    view.options = options
    view.pile = pile
    view.aside = aside
    view.unseen = FULL_DECK & ~(hand | pile | aside)
    view.decision = decision
    view.may_stop = may_stop
    view.top = state.ring[(tail - 1) & 63] if tail > edge else -1
    view.ace = -1
    if decision == ACE:
        view.ace = card
        view.unseen &= ~(U(1) << U(card))
    view.players = n
    position = p - state.first
    view.position = position + n if position < 0 else position
    view.stock_count = edge - head
    view.pile_count = tail - edge
    view.passes = passed
    view.lap = lap
    view.run = run
    view.drawn = drawn
    view.resets_left = resets_left(rules, state, p, resets)
    for k in range(n):
        view.counts[U(k)] = state.held[U(p + k)]
        view.resets_used[U(k)] = state.spent[U(p + k)]
    view.counts[0] = count(hand)
