"""Plays King George III: one deal from any decision point, and whole games (KG-1 … KG-14).

A deal is one STATE record. Stock and pile lie in one ring of 64 places: the stock from
``head`` to ``edge``, the pile from ``edge`` to ``tail``; recycling moves ``edge`` and copies
nothing. A card is ``rank * 4 + suit``, so that the cards that fit are a window of bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, njit, types

from simlib.cards import count, lowest
from simlib.games.control import (
    ANSWER,
    DEALS,
    DONE,
    ERROR,
    FULL,
    GAME,
    KIND,
    LOGGED,
    OPTIONS,
    SEAT,
    STOPPED,
)
from simlib.games.king_george import events as ev
from simlib.games.king_george.outcome import (
    CYCLE,
    DEADLOCK,
    ENDLESS,
    ORPHANS,
    OUT,
    TRUNCATED,
)
from simlib.games.king_george.outcome import DEAL as DEAL_ROW
from simlib.games.king_george.outcome import GAME as GAME_ROW
from simlib.games.king_george.proofs import (
    find_hash,
    reachable,
    same_as_snapshot,
    state_hash,
    take_snapshot,
)
from simlib.games.king_george.rules import PACKED
from simlib.games.king_george.view import (
    ACE,
    FOLLOW,
    LEAD,
    OPTION_FIELDS,
    RUN,
    SNAPSHOT,
    STATE,
    VIEW,
)
from simlib.jit import OPTIONS as JIT
from simlib.jit import Compiled, helper
from simlib.policy import PARAMS, PAUSE, STOP, at_seat, lay_out, policy_type
from simlib.rng import DECK, RNG, TABLE, shuffle, start
from simlib.rng import SEAT as SEAT_PURPOSE

__all__ = ["ALL", "play_games", "play_on"]

U = np.uint64
ALL = U((1 << 52) - 1)
ACES = U(0xF << 48)

#: Where in a turn a deal stands.
TURN, CHOOSE, PUT, ASIDE, END = range(5)
#: Besides the endings: the deal stopped at a decision, at a turn, on a cycle, on an error.
PAUSED, AT_TURN, REPEATS, BROKEN = 10, 11, 12, 13
#: What is looked for while a deal is played: nothing, both proofs, or turn hashes too.
PLAIN, PROVE, HASH = np.int64(0), np.int64(1), np.int64(2)
#: No turn to stop at. (numpy integers, since numba compiles anew for every literal.)
NEVER = np.int64(-1)
#: The first turns after the last use of chance are not worth a snapshot.
CALM = 16
NO_ANSWER = -9


@helper
def note(log: Any, control: Any, code: int, seat: int, value: int) -> None:
    """Write one event; a log that is full only counts on, and the caller plays again."""
    if log is not None:
        n = control[LOGGED]
        if n < log.shape[0]:
            log[n, 0] = code
            log[n, 1] = seat
            log[n, 2] = value
        control[LOGGED] = n + 1


@helper
def deal_cards(rules: Any, state: Any, streams: Any, seed: Any, game: int, deal: int) -> None:
    """Shuffle and deal (KG-1, C-4, C-4a): ``state.seats``, ``players``, ``first`` are set."""
    ring = state.ring
    for card in range(52):
        ring[card] = card
    start(streams[0], seed, game, DECK, deal)
    shuffle(streams[0], ring, 52)
    n = state.players
    for p in range(5):
        state.hands[p] = U(0)
        state.used[p] = 0
    head = 0
    for _ in range(rules.hand_sizes[n]):
        p = state.first
        for _ in range(n):
            state.hands[p] |= U(1) << U(ring[head])
            head += 1
            p += 1
            if p == n:
                p = 0
    state.head = head
    state.edge = 52
    state.tail = 52
    state.aside = U(0)
    state.pile = U(0)
    state.player = state.first
    state.phase = TURN
    state.card = -1
    state.run = 0
    state.drawn = 0
    state.lap = -1
    state.passed = 0
    state.out = 0
    state.turns = 0
    state.plays = 0
    state.draws = 0
    state.recycles = 0
    state.resets = 0
    state.passes = 0
    state.longest_draw = 0
    state.longest_run = 0
    state.last_reset = -1
    state.first_out = -1
    state.decisions = 0
    state.options = 0
    state.pending = NO_ANSWER


@helper
def start_play_streams(state: Any, streams: Any, play_seed: Any, game: int, deal: int) -> None:
    """Start the table's stream and those of the seats of this deal (C-4)."""
    start(streams[0], play_seed, game, TABLE, deal)
    for p in range(state.players):
        seat = state.seats[p]
        start(streams[1 + seat], play_seed, game, SEAT_PURPOSE + seat, deal)


@helper
def resets_left(rules: Any, state: Any, player: int, resets: int) -> int:
    """Return how many aces of this player would still set a pile aside (KG-8)."""
    if rules.ace_scope:
        return rules.ace_resets - state.used[player]
    return rules.ace_resets - resets


@helper
def any_resets_left(rules: Any, state: Any, resets: int) -> bool:
    """Tell whether any player has a reset left (KG-12)."""
    if rules.ace_scope:
        for p in range(state.players):
            if state.used[p] < rules.ace_resets:
                return True
        return False
    return resets < rules.ace_resets


@helper
def recycle(rules: Any, state: Any, streams: Any, edge: int, tail: int) -> int:
    """Turn the pile below its top card over to be the stock; return the new edge (KG-6)."""
    new_edge = tail - 1
    if rules.recycle == 1:
        size = new_edge - edge
        cards = state.ring
        # the ring may wrap: bring the cards to be shuffled to a straight place
        straight = state.spare
        for i in range(size):
            straight[i] = cards[(edge + i) & 63]
        shuffle(streams[0], straight, size)
        for i in range(size):
            cards[(edge + i) & 63] = straight[i]
    return new_edge


@helper
def note_stock(log: Any, control: Any, state: Any, seat: int, head: int, edge: int) -> None:
    """Write the new stock after a recycling."""
    if log is not None:
        note(log, control, ev.RECYCLE, seat, edge - head)
        for i in range(head, edge):
            note(log, control, ev.CARD, seat, state.ring[i & 63])


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
    view.unseen = ALL & ~(hand | pile | aside)
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
    window = ALL if tail == edge else fit[ring[(tail - 1) & 63] >> 2]  # what fits (KG-3)
    max_turns = rules.max_turns
    can_recycle = rules.recycle != 2
    shuffles = rules.recycle == 1
    live = ALL
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
                            live = reachable(rules, ALL & ~aside, U(ring[(tail - 1) & 63]) >> U(2))
                            closed = (live & ACES) == U(0) or not any_resets_left(
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
                        edge = recycle(rules, state, streams, edge, tail)
                        pile = U(1) << U(ring[(tail - 1) & 63])
                        recycles += 1
                        note_stock(log, control, state, seat, head, edge)
                    card = np.int64(ring[head & 63])
                    head += 1
                    drawn += 1
                    hand |= U(1) << U(card)
                    note(log, control, ev.DRAW, seat, card)
                    if head == edge and rules.recycle_when and can_recycle and tail - edge > 1:
                        if shuffles and tail - edge > 2:  # of one card uses no chance (C-10)
                            calm = 0
                        edge = recycle(rules, state, streams, edge, tail)
                        pile = U(1) << U(ring[(tail - 1) & 63])
                        recycles += 1
                        note_stock(log, control, state, seat, head, edge)
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
                window = ALL
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


@njit(**JIT)
def play_deal(
    rules: Any,
    policies: Any,
    work: Any,
    seeds: Any,
    game: int,
    deal: int,
    control: Any,
    log: Any,
) -> int:
    """Deal and play one deal to its end; the state is left as it ended.

    Where a cycle is seen, or the cap is reached without chance, the deal is played again with
    a hash of every turn: the first hash that comes again points to a cycle, and a full
    comparison of the two states proves it (KG-12).
    """
    states, streams, views, templates, snapshots, codes, code_turns = work
    state = states[0]
    snapshot = snapshots[0]
    logged = control[LOGGED]
    state.salt = 0
    state.cycle_of = -1
    deal_cards(rules, state, streams, seeds[0], game, deal)
    start_play_streams(state, streams, seeds[1], game, deal)
    search = PROVE if rules.prove else PLAIN
    result = play_on(
        rules, policies, state, streams, views, templates, snapshot, codes, code_turns,
        NEVER, search, control, log,
    )  # fmt: skip
    suspicious = result == REPEATS or (result == TRUNCATED and rules.prove and state.calm > 1)
    while suspicious:
        for i in range(code_turns.shape[0]):
            code_turns[i] = -1
        control[LOGGED] = logged
        deal_cards(rules, state, streams, seeds[0], game, deal)
        start_play_streams(state, streams, seeds[1], game, deal)
        result = play_on(
            rules, policies, state, streams, views, templates, snapshot, codes,
            code_turns, NEVER, HASH, control, log,
        )  # fmt: skip
        if result != REPEATS:
            break
        earlier = snapshot.turn
        later = state.turns
        control[LOGGED] = logged
        deal_cards(rules, state, streams, seeds[0], game, deal)
        start_play_streams(state, streams, seeds[1], game, deal)
        play_on(
            rules, policies, state, streams, views, templates, snapshot, codes,
            code_turns, earlier, PLAIN, control, log,
        )  # fmt: skip
        take_snapshot(
            state, snapshot, streams, state.aside, state.head, state.edge, state.tail,
            state.player, state.passed,
        )  # fmt: skip
        play_on(
            rules, policies, state, streams, views, templates, snapshot, codes,
            code_turns, later, PLAIN, control, log,
        )  # fmt: skip
        snapshot.turn = earlier
        if same_as_snapshot(
            state, snapshot, streams, state.aside, state.head, state.edge, state.tail,
            state.player, state.passed,
        ):  # fmt: skip
            state.cycle_of = earlier
            return ENDLESS
        state.salt += 1  # two states shared a hash: search again with another one
    return result


@helper
def write_counts(rules: Any, state: Any, row: Any, ending: int) -> None:
    """Copy what a deal leaves behind into a row (KG-14)."""
    row.ending = ending
    row.proof = -1
    if ending == ENDLESS:
        row.proof = CYCLE if state.cycle_of >= 0 else ORPHANS
    row.cycle_of = state.cycle_of
    row.decisions = state.decisions
    row.options = state.options
    row.turns = state.turns
    row.plays = state.plays
    row.draws = state.draws
    row.recycles = state.recycles
    row.resets = state.resets
    row.passes = state.passes
    row.longest_draw = state.longest_draw
    row.longest_run = state.longest_run
    row.last_reset = state.last_reset
    row.first_out = state.first_out
    live = ALL
    if state.tail != state.edge:
        found = reachable(rules, ALL & ~state.aside, U(state.ring[(state.tail - 1) & 63]) >> U(2))
        if (found & ACES) == U(0) or not any_resets_left(rules, state, state.resets):
            live = found
    for seat in range(5):
        row.cards_left[seat] = -1
        row.orphans[seat] = -1
    for p in range(state.players):
        seat = state.seats[p]
        row.cards_left[seat] = count(state.hands[p])
        row.orphans[seat] = count(state.hands[p] & ~live)


@helper
def fewest(state: Any) -> int:
    """Return the players with the fewest cards, as bits (KG-11)."""
    least = 64
    winners = 0
    for p in range(state.players):
        left = count(state.hands[p])
        if left < least:
            least = left
            winners = 0
        if left == least:
            winners |= 1 << p
    return winners


@helper
def share_win(state: Any, row: Any, winners: int) -> None:
    """Give the win to these players in equal parts, in sixtieths (C-9)."""
    part = 60 // count(U(winners))
    for p in range(state.players):
        if (winners >> p) & 1:
            row.win_share[state.seats[p]] = part
            if part == 60:
                row.winner = state.seats[p]


@helper
def next_players(state: Any, winners: int) -> None:
    """Seat the players of a playoff; the first of them after the old first leads (KG-10)."""
    old_first = state.seats[state.first]
    n = 0
    for p in range(state.players):
        if (winners >> p) & 1:
            state.seats[n] = state.seats[p]
            n += 1
    state.players = n
    state.first = 0
    for p in range(n - 1, -1, -1):
        if state.seats[p] > old_first:
            state.first = p


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
) -> int:
    """Play whole games (KG-10, C-3) and fill one row a game, and one a deal where asked.

    Parameters
    ----------
    rules_array : array of one PACKED record
    policies : tuple of 5 first-class functions
        One a seat, padded.
    seeds : uint64[2]
        ``seed`` and ``play_seed``.
    first_game, total : int64
        The games played are ``first_game`` … ``first_game + total - 1``.
    games : array of GAME rows
        At least `total`.
    deals : array of DEAL rows
        Empty where deals are not wanted; a game that finds no room sets ``control[FULL]``.
    work : tuple of arrays
        See ``scratch``.
    control : int64[CONTROL_SIZE]
    log : int16[:, 3] or None

    Returns
    -------
    int64
        Number of games finished.
    """
    rules = rules_array[0]
    state = work[0][0]
    n = rules.players
    written = 0
    for g in range(total):
        if control[STOPPED]:
            break
        game = first_game + g
        control[GAME] = game
        row = games[g]
        row.winner = -1
        row.censored = False
        for seat in range(5):
            row.win_share[seat] = 0
            state.seats[seat] = seat
        state.players = n
        state.first = np.int64(U(game) % U(n)) if rules.first else 0
        deal = np.int64(0)
        before = written
        while True:
            first_seat = state.seats[state.first]
            note(log, control, ev.DEAL, first_seat, deal)
            ending = play_deal(rules, policies, work, seeds, game, deal, control, log)
            if ending == BROKEN:
                control[DONE] = g
                return g
            if deals.shape[0] > 0:
                if written == deals.shape[0]:
                    control[FULL] = 1
                    control[DONE] = g
                    control[DEALS] = before
                    return g
                deal_row = deals[written]
                deal_row.index = game
                deal_row.deal = deal
                deal_row.first = first_seat
                write_counts(rules, state, deal_row, ending)
                written += 1
            if deal == 0:
                write_counts(rules, state, row, ending)
            row.final_ending = ending
            row.playoffs = deal
            # --- who has won (KG-10, KG-11, KG-12) ---------------------------------------
            shared = False
            if ending == OUT:
                winners = state.out
                shared = rules.out_tie == 1
            elif ending == DEADLOCK or (ending == ENDLESS and rules.endless):
                winners = fewest(state)
                shared = rules.deadlock_tie == 0
            else:
                if deal > 0:
                    share_win(state, row, (1 << state.players) - 1)
                row.censored = deal > 0 or ending == TRUNCATED
                break
            if count(U(winners)) == 1 or shared:
                share_win(state, row, winners)
                break
            if deal >= rules.max_playoffs:
                share_win(state, row, winners)
                row.censored = True
                break
            next_players(state, winners)
            deal += 1
        control[DONE] = g + 1
        control[DEALS] = written
    return control[DONE]


def scratch(rules: np.ndarray, params: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return what one thread needs: state, streams, views, templates, snapshot, hash table.

    Parameters
    ----------
    rules : array of one PACKED record
    params : float64[5, 8]
        Parameters of the policy at each seat.
    """
    turns = int(rules["max_turns"][0])
    size = 1 << (2 * (turns + 2) - 1).bit_length()
    templates = np.zeros(5, VIEW)
    templates["params"] = params
    templates["fit_table"] = rules["fit"]
    for field, option in OPTION_FIELDS.items():
        templates[field] = rules[option]
    return (
        np.zeros(1, STATE),
        np.zeros(6, RNG),
        templates.copy(),
        templates,
        np.zeros(1, SNAPSHOT),
        np.zeros(size, np.uint64),
        np.zeros(size, np.int32),
    )


def _signature(logged: bool) -> Any:
    def array(dtype: Any, dims: int = 1) -> Any:
        kind = from_dtype(dtype) if isinstance(dtype, np.dtype) else dtype
        return types.Array(kind, dims, "C")

    work = types.Tuple(
        (
            array(STATE),
            array(RNG),
            array(VIEW),
            array(VIEW),
            array(SNAPSHOT),
            array(types.uint64),
            array(types.int32),
        )
    )
    return types.int64(
        array(PACKED),
        types.UniTuple(policy_type("king-george-iii"), 5),
        array(types.uint64),
        types.int64,
        types.int64,
        array(GAME_ROW),
        array(DEAL_ROW),
        work,
        array(types.int64),
        array(types.int16, 2) if logged else types.none,
    )


#: The kernel of normal runs, and the same with the event log.
simulate = Compiled(play_games, lambda: _signature(False))
record = Compiled(play_games, lambda: _signature(True))
