"""Plays a deal of King George III on from any decision point (KG-2 … KG-9, KG-11 … KG-13).

A deal is one STATE record. Stock and pile lie in one ring of 64 places: the stock from
``head`` to ``edge``, the pile from ``edge`` to ``tail``; recycling moves ``edge`` and copies
nothing. A card is ``rank * 4 + suit``, so that the cards that fit are a window of bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import FULL_DECK, count, lowest
from simlib.games.control import ANSWER, ERROR, KIND, OPTIONS, SEAT, note
from simlib.games.king_george import events as ev
from simlib.games.king_george.kernel_cards import (
    NO_ANSWER,
    TURN,
    any_resets_left,
    recycle,
    resets_left,
)
from simlib.games.king_george.kernel_view import fill_view, no_such_players
from simlib.games.king_george.outcome import DEADLOCK, ENDLESS, OUT, TRUNCATED
from simlib.games.king_george.proofs import (
    ACE_RANK,
    find_hash,
    reachable,
    same_as_snapshot,
    state_hash,
    take_snapshot,
)
from simlib.games.king_george.view import ACE, FOLLOW, LEAD, RUN
from simlib.jit import OPTIONS as JIT
from simlib.policy import PAUSE, STOP, at_seat, lay_out

__all__ = ["BROKEN", "HASH", "NEVER", "PAUSED", "PLAIN", "PROVE", "REPEATS", "play_on"]

U = np.uint64

#: Where in a turn a deal stands, after TURN.
CHOOSE, PUT, ASIDE, END = range(1, 5)
#: Besides the endings: the deal stopped at a decision, at a turn, on a cycle, on an error.
PAUSED, AT_TURN, REPEATS, BROKEN = 10, 11, 12, 13
#: What is looked for while a deal is played: nothing, both proofs, or turn hashes too.
PLAIN, PROVE, HASH = np.int64(0), np.int64(1), np.int64(2)
#: No turn to stop at. (numpy integers, since numba compiles anew for every literal.)
NEVER = np.int64(-1)
#: The first turns after the last use of chance are not worth a snapshot.
CALM = 16


@njit(**JIT)
def play_on(
    rules: Any,
    policies: Any,
    state: Any,
    streams: Any,
    views: Any,
    templates: Any,
    snapshot: Any,
    table: Any,
    table_turns: Any,
    stop_at: int,
    search: int,
    control: Any,
    log: Any,
) -> int:
    """Play a deal on from where its state stands, at any decision point.

    Returns an ending, or PAUSED (a policy answered PAUSE), AT_TURN (``stop_at`` turns played),
    REPEATS (a complete state came again; only with ``search``), BROKEN (C-5; see `control`).
    """
    n = state.players
    deciders = lay_out(policies)
    for k in range(n):
        state.held[k] = state.held[k + n] = count(state.hands[k])  # see STATE
        state.spent[k] = state.spent[k + n] = state.used[k]
    for seat in range(5):
        no_such_players(views[seat], n)
    hands = state.hands
    ring = state.ring
    fit = rules.fit
    aside = state.aside
    pile = state.pile
    head = state.head
    edge = state.edge
    tail = state.tail
    p = state.player
    phase = state.phase
    card = state.card
    run = state.run
    drawn = state.drawn
    lap = state.lap
    passed = state.passed
    out = state.out
    turns = state.turns
    plays = state.plays
    draws = state.draws
    recycles = state.recycles
    resets = state.resets
    passes = state.passes
    longest_draw = state.longest_draw
    longest_run = state.longest_run
    last_reset = state.last_reset
    first_out = state.first_out
    decisions = state.decisions
    options_sum = state.options
    pending = state.pending
    state.pending = NO_ANSWER

    seat = state.seats[U(p)]
    hand = hands[U(p)]
    lead = tail - edge == run  # the pile is what this turn put down
    window = FULL_DECK if tail == edge else fit[ring[(tail - 1) & 63] >> 2]  # what fits (KG-3)
    max_turns = rules.max_turns
    can_recycle = rules.recycle != 2
    shuffles = rules.recycle == 1
    live = FULL_DECK
    stale = True  # whether `live` must be found again
    closed = False  # no pile can be set aside any more
    calm = 0
    limit = CALM
    snapshot.turn = -1
    result = -1

    while True:
        # --- start of a turn: proofs of endlessness (KG-12), then the cap ---------------
        if phase == TURN:
            if lap < 0 and tail != edge:
                if search != PLAIN:
                    if can_recycle:
                        if stale:
                            live = reachable(
                                rules, FULL_DECK & ~aside, U(ring[(tail - 1) & 63]) >> U(2)
                            )
                            closed = (live & ACE_RANK) == U(0) or not any_resets_left(
                                rules, state, resets
                            )
                            stale = False
                        if closed and (live & (live - U(1))) != U(0):
                            stuck = True
                            for k in range(n):
                                stuck &= (hands[U(k)] & ~live) != U(0)
                            if stuck:
                                result = ENDLESS
                                break
                    if search == HASH:
                        code = state_hash(state, streams, aside, head, edge, tail, p, passed)
                        earlier = find_hash(table, table_turns, code, turns)
                        if earlier >= 0:
                            snapshot.turn = earlier
                            result = REPEATS
                            break
                    elif calm > CALM:
                        if same_as_snapshot(
                            state, snapshot, streams, aside, head, edge, tail, p, passed
                        ):
                            result = REPEATS
                            break
                        if calm >= limit:
                            limit = calm * 2
                            take_snapshot(
                                state, snapshot, streams, aside, head, edge, tail, p, passed
                            )
                            snapshot.turn = turns
                    calm += 1
            if turns == stop_at:
                result = AT_TURN
                break
            if turns >= max_turns:
                result = TRUNCATED
                break
            run = 0
            drawn = 0
            lead = tail == edge
            phase = CHOOSE
            if (hand & window) == U(0) and not lead:
                # --- draw (KG-5), recycle (KG-6), pass (KG-7) -----------------------------
                phase = END
                while True:
                    if head == edge:
                        if not can_recycle or tail - edge <= 1:
                            break
                        if shuffles and tail - edge > 2:  # of one card uses no chance (C-10)
                            calm = 0
                        edge = recycle(rules, state, streams, control, log, seat, head, edge, tail)
                        pile = U(1) << U(ring[(tail - 1) & 63])
                        recycles += 1
                    card = np.int64(ring[head & 63])
                    head += 1
                    drawn += 1
                    hand |= U(1) << U(card)
                    note(log, control, ev.DRAW, seat, card)
                    if head == edge and rules.recycle_when and can_recycle and tail - edge > 1:
                        if shuffles and tail - edge > 2:  # of one card uses no chance (C-10)
                            calm = 0
                        edge = recycle(rules, state, streams, control, log, seat, head, edge, tail)
                        pile = U(1) << U(ring[(tail - 1) & 63])
                        recycles += 1
                    if (window >> U(card)) & U(1):
                        phase = PUT
                        break
                    if rules.draw:
                        break
                draws += drawn
                if drawn > longest_draw:
                    longest_draw = drawn

        # --- what may be chosen: a card, or stop (KG-2, KG-4, KG-13); set aside (KG-8) ---
        decision = LEAD
        options = U(0)
        may_stop = 0
        answer = NO_ANSWER
        if phase == CHOOSE:
            options = hand & window
            if run > 0:
                decision = RUN
                may_stop = 0 if rules.must_run else 1
            elif not lead:
                decision = FOLLOW
            if options == U(0):
                phase = END
            elif (options & (options - U(1))) == U(0) and not may_stop:
                card = lowest(options)
                phase = PUT
        elif phase == ASIDE:
            decision = ACE
            options = U(3)

        # --- ask the policy; only an option is taken for an answer (C-5) ------------------
        if phase == CHOOSE or phase == ASIDE:
            if pending != NO_ANSWER:
                answer = pending
                pending = NO_ANSWER
            else:
                view = views[U(seat)]
                fill_view(
                    rules, state, view, templates, p, hand, options, decision, may_stop, card,
                    head, edge, tail, pile, aside, passed, lap, run, drawn, resets,
                )  # fmt: skip
                control[SEAT] = seat
                stream = streams[U(1 + seat)]
                before = stream.s0
                answer = at_seat(deciders, seat)(view, stream)
                if stream.s0 != before:
                    calm = 0
                    limit = CALM
                    snapshot.turn = -1
                if answer == PAUSE and rules.stepping:
                    result = PAUSED
                    break
            decisions += 1
            options_sum += count(options) + may_stop
            if answer >= 0 and answer < 63 and (options >> U(answer)) & U(1):
                if phase == CHOOSE:
                    card = answer
                    phase = PUT
            elif answer == STOP and may_stop:
                note(log, control, ev.STOP, seat, -1)
                phase = END
            else:
                control[ERROR] = 1
                control[ANSWER] = answer
                control[OPTIONS] = np.int64(options)
                control[KIND] = decision + 16 * may_stop
                result = BROKEN
                break

        # --- put the card down; an ace may end the turn (KG-8) ----------------------------
        if phase == PUT:
            hand &= ~(U(1) << U(card))
            plays += 1
            run += 1
            note(log, control, ev.PLAY, seat, card)
            # a card that fits is reachable already, and leads to the same ranks
            if (lead and run == 1) or rules.ace_fits:
                stale = True
            answer = 1
            if card >= 48 and resets_left(rules, state, p, resets) > 0:
                if rules.ace_choice:
                    phase = ASIDE
                    continue
                answer = 0
            phase = ASIDE
        if phase == ASIDE:
            if answer == 0:
                aside |= pile | (U(1) << U(card))
                pile = U(0)
                tail = edge
                window = FULL_DECK
                resets += 1
                state.used[U(p)] += 1
                state.spent[U(p)] = state.spent[U(p + n)] = state.used[U(p)]
                stale = True
                last_reset = turns
                note(log, control, ev.SET_ASIDE, seat, -1)
                phase = END
            else:
                ring[tail & 63] = card
                tail += 1
                window = fit[U(card) >> U(2)]
                pile |= U(1) << U(card)
                phase = END if lead and not rules.lead else CHOOSE

        # --- end of the turn: pass, out, deadlock (KG-7, KG-9, KG-11) ---------------------
        if phase == END:
            hands[U(p)] = hand
            state.held[U(p)] = state.held[U(p + n)] = count(hand)
            turns += 1
            if run > longest_run:
                longest_run = run
            if run == 0:
                passed += 1
                passes += 1
                note(log, control, ev.PASS, seat, -1)
            else:
                passed = 0
            if lap > 0:
                lap -= 1
            if hand == U(0):
                out |= 1 << p
                note(log, control, ev.OUT, seat, -1)
                if lap < 0:
                    first_out = seat
                    if rules.after_out == 0:
                        lap = n - 1
                    elif rules.after_out == 1:
                        place = p - state.first
                        lap = n - 1 - (place + n if place < 0 else place)
                    else:
                        lap = 0
            note(log, control, ev.END, seat, -1)
            p += 1
            if p == n:
                p = 0
            seat = state.seats[U(p)]
            hand = hands[U(p)]
            phase = TURN
            run = 0
            drawn = 0
            if lap == 0:
                result = OUT
                break
            if passed >= n and head == edge and (not can_recycle or tail - edge <= 1):
                result = DEADLOCK
                break

    state.aside = aside
    state.pile = pile
    state.head = head
    state.edge = edge
    state.tail = tail
    state.player = p
    state.phase = phase
    state.card = card
    state.run = run
    state.drawn = drawn
    state.lap = lap
    state.passed = passed
    state.out = out
    state.turns = turns
    state.plays = plays
    state.draws = draws
    state.recycles = recycles
    state.resets = resets
    state.passes = passes
    state.longest_draw = longest_draw
    state.longest_run = longest_run
    state.last_reset = last_reset
    state.first_out = first_out
    state.decisions = decisions
    state.options = options_sum
    state.calm = calm
    if result == PAUSED or result == BROKEN:
        hands[U(p)] = hand
    return result
