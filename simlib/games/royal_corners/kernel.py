"""Plays Royal Corners: one deal from any decision point, and whole games (RC-1 … RC-14).

A deal is one STATE record (see ``view`` and ``kernel_deal``); ``play_on`` goes on from wherever
it stands.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import count
from simlib.games.control import DEALS, DONE, FULL, GAME, SEAT, STOPPED, note
from simlib.games.royal_corners import events as ev
from simlib.games.royal_corners.kernel_deal import (
    CHOOSE,
    END,
    NO_ANSWER,
    TURN,
    deal_cards,
    fill_view,
    holders,
    look_at,
    penalty,
    put_card,
    put_pile,
    report,
    start_seat_streams,
)
from simlib.games.royal_corners.moves import (
    KINGS,
    NEXT_MOVE,
    NEXT_TURN,
    PILE,
    STOCK,
    corner_of,
    find_moves,
    is_move,
    source_of,
    write_options,
)
from simlib.games.royal_corners.outcome import (
    ALL_OUT,
    BLOCKED,
    CENSORED,
    COMPLETE,
    DECLINED,
    FIRST_OUT,
    LAST_HOLDER,
    TRUNCATED,
)
from simlib.games.royal_corners.outcome import DEAL as DEAL_ROW
from simlib.games.royal_corners.outcome import GAME as GAME_ROW
from simlib.games.royal_corners.rules import PACKED
from simlib.games.royal_corners.view import OPTION_FIELDS, STATE, VIEW
from simlib.games.signature import array, kernel_signature
from simlib.jit import OPTIONS as JIT
from simlib.jit import Compiled, helper
from simlib.policy import PAUSE, STOP, at_seat, lay_out
from simlib.rng import RNG

__all__ = ["BROKEN", "PAUSED", "SEATS", "play_games", "play_on", "record", "scratch", "simulate"]

U = np.uint64

#: Besides the endings: the deal stopped at a decision, or on an error.
PAUSED, BROKEN = 10, 13
#: Most seats.
SEATS = 4


@njit(**JIT)
def play_on(
    rules: Any,
    policies: Any,
    state: Any,
    streams: Any,
    views: Any,
    templates: Any,
    control: Any,
    log: Any,
) -> int:
    """Play a deal on from where its state stands, at any decision point.

    Returns an ending, or PAUSED (a policy answered PAUSE), BROKEN (C-5; see `control`).
    """
    deciders = lay_out(policies)
    n = rules.players
    corners = rules.corners
    face_up = rules.stock_face == 0
    p = state.player
    phase = state.phase
    head = state.head
    idle = state.idle
    turns = state.turns
    decisions = state.decisions
    options_sum = state.options
    pending = state.pending
    state.pending = NO_ANSWER
    hand = state.hands[p]
    result = -1

    while True:
        # --- start of a turn; a draw under draw=turn_start (RC-2, RC-8) -------------------
        if phase == TURN:
            state.turn_hand_plays = 0
            state.turn_stock_plays = 0
            state.turn_pile_moves = 0
            state.turn_drawn = 0
            state.stopped = 0
            if rules.draw == 2 and head < 52:
                note(log, control, ev.DRAW, p, state.deck[head])
                hand |= U(1) << U(state.deck[head])
                state.hands[p] = hand
                head += 1
                state.draws += 1
                state.turn_drawn = 1
            phase = CHOOSE

        # --- the moves of this position, and the answer; C-5 and RC-12 --------------------
        if phase == CHOOSE:
            open_card = np.int64(-1)
            if face_up and head < 52:
                open_card = np.int64(state.deck[head])
            answer = np.int64(STOP)
            sources = find_moves(
                hand, open_card, corners, state.takes, state.joins, state.heads,
                state.first_cards, state.moves,
            )  # fmt: skip
            if sources == U(0):
                phase = END
            else:
                view = views[p]
                moves = write_options(corners, state.moves, view.options)
                if pending != NO_ANSWER:
                    answer = pending
                    pending = NO_ANSWER
                else:
                    fill_view(
                        rules, state, view, templates, p, hand, sources, moves, open_card,
                        head, idle,
                    )  # fmt: skip
                    control[SEAT] = p
                    answer = at_seat(deciders, p)(view, streams[1 + p])
                    if answer == PAUSE and rules.stepping:
                        result = PAUSED
                        break
                decisions += 1
                options_sum += moves + 1
                if answer == STOP:
                    note(log, control, ev.STOP, p, -1)
                    state.stopped = 1
                    phase = END
                elif not is_move(answer, corners, state.moves):
                    report(rules, state, control, hand, open_card, sources, answer)
                    result = BROKEN
                    break

            # --- the move (RC-3 … RC-7) and the rights of emptied corners (RC-6) ----------
            if phase == CHOOSE:
                source = source_of(answer)
                corner = corner_of(answer)
                changed = np.int64(1) << corner
                if rules.vacated == NEXT_MOVE:
                    changed |= state.fresh
                    state.fresh = 0
                if source < PILE:
                    card = source
                    if source == STOCK:
                        card = open_card
                        head += 1
                        state.stock_plays += 1
                        state.turn_stock_plays += 1
                        note(log, control, ev.PLAY_STOCK, p, (card << 3) | corner)
                    else:
                        hand &= ~(U(1) << U(card))
                        state.hands[p] = hand
                        state.hand_plays += 1
                        state.turn_hand_plays += 1
                        note(log, control, ev.PLAY_HAND, p, (card << 3) | corner)
                        if hand == U(0):  # out at once (RC-9)
                            phase = END
                    put_card(state, corner, card)
                else:
                    other = source - PILE
                    put_pile(state, other, corner)
                    state.pile_moves += 1
                    state.turn_pile_moves += 1
                    note(log, control, ev.MOVE, p, (other << 3) | corner)
                    changed |= np.int64(1) << other
                    if other < 4 and rules.vacated <= NEXT_TURN:
                        state.fresh |= np.int64(1) << other
                look_at(rules, state, changed)

        # --- end of the turn: draw, out, the deal's ending (RC-8, RC-9, RC-10) ------------
        if phase == END:
            drew = state.turn_drawn
            if hand == U(0):
                note(log, control, ev.OUT, p, -1)
                state.out_order[p] = state.outs
                if state.outs == 0:
                    state.first_out_turn = turns
                state.outs += 1
            elif head < 52 and (rules.draw == 1 or (rules.draw == 0 and state.turn_hand_plays > 0)):
                note(log, control, ev.DRAW, p, state.deck[head])
                hand |= U(1) << U(state.deck[head])
                state.hands[p] = hand
                head += 1
                state.draws += 1
                drew += 1
            note(log, control, ev.END, p, -1)
            turns += 1
            if drew + state.turn_hand_plays + state.turn_stock_plays + state.turn_pile_moves:
                idle = 0
                state.declined = 0
            else:
                idle += 1
                state.declined |= state.stopped
            if state.fresh | state.old and rules.vacated != NEXT_MOVE:
                lapsed = state.fresh | state.old
                state.old = state.fresh if rules.vacated == NEXT_TURN else 0
                state.fresh = 0
                look_at(rules, state, lapsed)
            phase = TURN
            if state.outs > 0:
                left = holders(rules, state)
                if rules.end == 1:
                    result = FIRST_OUT
                    break
                if left == 0:
                    result = ALL_OUT
                    break
                if left == 1 and rules.end == 2:
                    result = LAST_HOLDER
                    break
            else:
                left = n
            if idle >= left:
                result = DECLINED if state.declined else BLOCKED
                break
            if turns >= rules.max_turns:
                result = TRUNCATED
                break
            p += 1
            if p == n:
                p = 0
            while state.hands[p] == U(0):
                p += 1
                if p == n:
                    p = 0
            hand = state.hands[p]

    state.player = p
    state.phase = phase
    state.head = head
    state.idle = idle
    state.turns = turns
    state.decisions = decisions
    state.options = options_sum
    return result


@helper
def write_deal(rules: Any, state: Any, row: Any, game: int, deal: int, ending: int) -> None:
    """Write the row of a deal (RC-13)."""
    row.index = game
    row.deal = deal
    row.first = state.first
    row.ending = ending
    row.decisions = state.decisions
    row.options = state.options
    for seat in range(4):
        hand = state.hands[seat]
        row.penalty[seat] = penalty(hand)
        row.cards_left[seat] = count(hand)
        row.kings_left[seat] = count(hand & KINGS)
        row.out_order[seat] = state.out_order[seat]
    for seat in range(rules.players, 4):
        row.penalty[seat] = -1
        row.cards_left[seat] = -1
        row.kings_left[seat] = -1
    row.turns = state.turns
    row.hand_plays = state.hand_plays
    row.stock_plays = state.stock_plays
    row.pile_moves = state.pile_moves
    row.draws = state.draws
    row.stock_left = 52 - state.head
    row.someone_out = state.outs > 0
    row.first_out_turn = state.first_out_turn


@helper
def write_game(rules: Any, state: Any, row: Any, ending: int, censored: bool, won: bool) -> None:
    """Write who has won a deal on its own or a match, by the lowest total (RC-11, C-9)."""
    n = rules.players
    row.ending = ending
    row.censored = censored
    least = state.totals[0]
    for seat in range(1, n):
        if state.totals[seat] < least:
            least = state.totals[seat]
    winners = 0
    for seat in range(n):
        if state.totals[seat] == least:
            winners += 1
    part = 60 // winners if won else 0
    for seat in range(4):
        row.total[seat] = -1
        row.win_share[seat] = 0
        row.loser[seat] = 0
    for seat in range(n):
        total = state.totals[seat]
        row.total[seat] = total
        if total == least:
            row.win_share[seat] = part
        elif rules.match and total >= rules.target:
            row.loser[seat] = 1


def play_games(
    rules_array: Any,
    policies: Any,
    seeds: Any,
    first_game: int,
    total: int,
    games: Any,
    deals: Any,
    work: Any,
    control: Any,
    log: Any,
    given: Any,
) -> int:
    """Play whole games (C-3, RC-11) and fill one row a game and one a deal.

    Its arguments and its result are those of :func:`simlib.games.signature.kernel_signature`.
    """
    rules = rules_array[0]
    states, streams, views, templates = work
    state = states[0]
    n = rules.players
    written = 0
    for g in range(total):
        if control[STOPPED]:
            break
        game = first_game + g
        control[GAME] = game
        row = games[g]
        state.first = np.int64(U(game) % U(n)) if rules.first else 0
        for seat in range(4):
            state.totals[seat] = 0
        deal = np.int64(0)
        before = written
        decisions = np.int64(0)
        options_sum = np.int64(0)
        while True:
            note(log, control, ev.DEAL, state.first, deal)
            deal_cards(rules, state, streams, seeds[0], game, deal, given)
            start_seat_streams(rules, streams, seeds[1], game, deal)
            ending = play_on(rules, policies, state, streams, views, templates, control, log)
            if ending == BROKEN:
                control[DONE] = g
                return g
            if deals.shape[0] > 0:
                if written == deals.shape[0]:
                    control[FULL] = 1
                    control[DONE] = g
                    control[DEALS] = before
                    return g
                write_deal(rules, state, deals[written], game, deal, ending)
                written += 1
            decisions += state.decisions
            options_sum += state.options
            highest = np.int64(0)
            for seat in range(n):
                state.totals[seat] += penalty(state.hands[seat])
                if state.totals[seat] > highest:
                    highest = state.totals[seat]
            deal += 1
            if not rules.match:
                write_game(rules, state, row, ending, ending == TRUNCATED, True)
                break
            if highest >= rules.target:
                write_game(rules, state, row, COMPLETE, False, True)
                break
            if deal >= rules.max_deals:
                write_game(rules, state, row, CENSORED, True, False)
                break
            state.first += 1
            if state.first == n:
                state.first = 0
        row.deals = deal
        row.decisions = decisions
        row.options = options_sum
        control[DONE] = g + 1
        control[DEALS] = written
    return control[DONE]


def scratch(rules: np.ndarray, params: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return what one thread needs: state, streams, views, templates.

    Parameters
    ----------
    rules : array of one PACKED record
    params : float64[4, 8]
        Parameters of the policy at each seat.
    """
    templates = np.zeros(4, VIEW)
    templates["params"] = params
    templates["may_stop"] = 1
    templates["players"] = rules["players"]
    for name in OPTION_FIELDS:
        templates[name] = rules[name]
    views = np.zeros(4, VIEW)
    views.view(np.uint8)[:] = templates.view(np.uint8)  # gaps between fields included
    return np.zeros(1, STATE), np.zeros(5, RNG), views, templates


def _signature(logged: bool) -> Any:
    return kernel_signature(
        "royal-corners",
        seats=SEATS,
        rules=PACKED,
        rows=(GAME_ROW, DEAL_ROW),
        work=[array(kind) for kind in (STATE, RNG, VIEW, VIEW)],
        logged=logged,
    )


#: The kernel of normal runs, and the same with the event log.
simulate = Compiled(play_games, lambda: _signature(False))
record = Compiled(play_games, lambda: _signature(True))
