"""Plays King: one deal from any decision point, and whole games (K-1 … K-11, all varieties).

A deal is one STATE record; a variety and its contracts are one PACKED record of numbers and
masks, and nothing here asks which variety it is. A card is ``suit * 16 + rank``, so that a
suit is a lane of bits and the best card of a trick the highest of its lane.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from simlib.cards import count, lowest
from simlib.games.control import DEALS, DONE, FULL, GAME, SEAT, STOPPED, note
from simlib.games.king import events as ev
from simlib.games.king.kernel_choices import (
    AUCTION,
    BROKEN,
    DECLARER,
    FIXED,
    NO_ANSWER,
    READY,
    choose_on,
    clear_deal,
    deal_cards,
    note_cards,
    refuse,
    start_play_streams,
)
from simlib.games.king.kernel_scores import captured, deal_scores, share_win
from simlib.games.king.kernel_seats import both_places, lay_out, learn, pick, seat_byte, take
from simlib.games.king.kernel_tricks import (
    LANE,
    NATURAL,
    beaten_by,
    either,
    lane_of,
    may_play,
    shown,
    suit_of_lane,
    takes_trick,
)
from simlib.games.king.kernel_view import (
    contract_blocks,
    show_constants,
    show_contract,
    show_deal,
    show_play,
    show_start,
    view_templates,
)
from simlib.games.king.outcome import CENSORED, COMPLETE, EARLY, LIMIT, PLAYED, VOID
from simlib.games.king.outcome import DEAL as DEAL_ROW
from simlib.games.king.outcome import GAME as GAME_ROW
from simlib.games.king.rules import MOST_CONTRACTS, PACKED
from simlib.games.king.view import PLAY, STATE, VIEW, VIEW_WORDS
from simlib.games.signature import array, kernel_signature
from simlib.jit import Compiled, helper
from simlib.rng import RNG

__all__ = ["play_games", "play_on", "record", "scratch", "simulate"]

U = np.uint64
SEATS = 4
#: More than one player has cards.
SEVERAL = np.int64(9)
#: One decision, above the sum of the option counts.
ASKED = U(1 << 32)


@helper
def draw_to_follow(
    rules: Any, state: Any, p: Any, hand: Any, lane: Any, control: Any, log: Any
) -> Any:
    """Draw from the reserve until a card of the suit comes; return the hand (K-D)."""
    head = state.head
    while head < state.tail and (hand & lane) == U(0):
        card = np.int64(state.order[head] if rules.talon else state.deck[head])
        head += 1
        hand |= U(1) << U(card)
        note(log, control, ev.DRAW, np.int64(p), card)
    state.drawn += head - state.head
    if head != state.head:  # what he showed before no longer binds him
        state.lacks[p] = U(0)
        learn(state, U(rules.players), p, lane)
        if np.int64(p) != state.declarer:
            learn(state, U(rules.players), p, state.talon)
    state.head = head
    return hand


@helper
def last_holder(rules: Any, state: Any) -> int:
    """Return who alone has cards; -1 for nobody, SEVERAL for more than one (K-D)."""
    holder = -1
    for seat in range(rules.players):
        if state.hands[seat] != U(0):
            holder = seat if holder == -1 else SEVERAL
    return holder


@helper
def play_on(
    rules: Any,
    policies: Any,
    state: Any,
    streams: Any,
    views: Any,
    words: Any,
    templates: Any,
    blocks: Any,
    control: Any,
    log: Any,
) -> int:
    """Play a deal on from where its state stands, at any decision point.

    Returns an ending, or PAUSED (a policy answered PAUSE), BROKEN (C-5; see `control`).
    """
    if state.phase != PLAY:
        ready = choose_on(
            rules, policies, state, streams, views, words, templates, blocks, control, log
        )
        if ready != READY:
            return ready
    slots = lay_out(policies)
    n = U(rules.players)
    unit = both_places(rules.players)
    seats = (U(1) << U(8 * rules.players)) - U(1)
    trusted = rules.trusted != 0
    draws = rules.reserve
    jokers = rules.jokers
    contract = state.contract
    held_back = rules.held_back[contract]
    duty = rules.duty[contract]
    early = rules.early[contract] != 0
    trump = LANE << U(16 * state.trump) if state.trump >= 0 else U(0)
    ruff = trump if rules.must_trump else U(0)
    closed = trump if rules.declarer_leads_trumps[contract] else U(0)
    strict = held_back | duty | ruff | closed
    barred = U(0)
    leads_trumps = U(state.declarer)

    hands = state.hands
    p = U(state.player)
    steps = state.steps
    table = state.table
    lane = state.lane
    beats = state.beats
    best = state.best
    joker = state.joker
    gone = state.gone
    scoring = rules.scoring[contract] & state.in_play & ~state.away
    tricks = state.tricks
    counts = state.counts
    trick = state.trick
    asked = (U(state.decisions) << U(32)) | U(state.options)
    pending = state.pending
    state.pending = NO_ANSWER
    careful = not trusted or pending != NO_ANSWER
    instead = rules.instead[suit_of_lane(lane)]
    result = PLAYED
    if trusted:  # our policies never write: what they see stays
        show_start(rules, state, views, words, blocks)

    while True:
        # --- which cards may be played (K-2, K-4, K-5, K-D) -------------------------------
        hand = hands[p]
        if draws and (hand & lane) == U(0) and lane != U(0):
            drawn = state.drawn
            hand = draw_to_follow(rules, state, p, hand, lane, control, log)
            counts += (unit << (p << U(3))) * U(state.drawn - drawn)
        if strict:
            if table == U(0):
                barred = held_back if p == leads_trumps else held_back | closed
            options = may_play(hand, lane, instead, barred, duty, ruff)
        else:
            options = may_play(hand, lane, instead, U(0), U(0), U(0))

        # --- ask the policy; only an option is taken for an answer (C-5) ------------------
        answer = lowest(options)
        if options & (options - U(1)):
            view = views[p]
            asking = True
            if careful:
                if pending != NO_ANSWER:
                    answer = pending
                    pending = NO_ANSWER
                    asking = False
                    careful = not trusted
                else:
                    show_constants(words, templates, p)
                    show_contract(words, blocks, p, contract)
                    show_deal(rules, state, view, np.int64(p))
            if asking:
                show_play(
                    rules, state, view, words, p, hand, options, PLAY, table, lane, beats, best,
                    joker, gone, trick, tricks, counts, seats,
                )  # fmt: skip
                control[SEAT] = np.int64(p)
                answer = pick(slots, policies, p)(view, streams[p + U(1)])
            if U(answer) > U(62) or (options >> U(answer)) & U(1) == U(0):
                hands[p] = hand
                result = refuse(rules, control, answer, options, PLAY)
                break
            asked += ASKED + U(count(options))

        # --- put the card on the table; what everybody learns from it (C-6) ---------------
        bit = U(1) << U(answer)
        hands[p] = hand & ~bit
        counts -= unit << (p << U(3))
        note(log, control, ev.PLAY, np.int64(p), answer)
        if strict:
            learn(state, n, p, shown(bit, lane, instead, barred, duty, ruff))
            barred = U(0)
        else:
            learn(state, n, p, shown(bit, lane, instead, U(0), U(0), U(0)))
        table |= bit
        better = bit & beats != U(0)
        best = np.int64(either(better, p, U(best)))
        beats = either(better, beaten_by(answer, trump), beats)
        if lane == U(0) and better:
            lane = lane_of(answer)
            instead = rules.instead[answer >> 4]
        if bit & jokers and joker < 0:
            joker = np.int64(p)

        # --- the next player with cards; at the end of a trick, who takes it (K-1, K-J) ---
        steps += 1
        p += U(1)
        if p == n:
            p = U(0)
        if draws:
            while steps < rules.players and hands[p] == U(0):
                steps += 1
                p += U(1)
                if p == n:
                    p = U(0)
        if steps < rules.players:
            continue
        p = U(takes_trick(table, rules.bane[suit_of_lane(lane)], best, joker))
        note(log, control, ev.TRICK, np.int64(p), -1)
        take(state, n, p, table)
        gone |= table
        tricks += unit << (p << U(3))
        trick += 1
        state.before_last = state.last
        state.last = np.int64(p)
        table = U(0)
        lane = U(0)
        beats = NATURAL
        instead = U(0)
        best = -1
        joker = -1
        steps = 0

        # --- the end of play (K-6, K-D), or the next leader -------------------------------
        if draws:
            holder = last_holder(rules, state)
            if holder != SEVERAL:
                if holder >= 0:
                    note_cards(log, control, ev.KEEP, holder, hands[holder])
                    take(state, n, U(holder), hands[holder])
                    hands[holder] = U(0)
                    if rules.kept_as:
                        tricks += unit << U(8 * holder)
                        trick += 1
                        state.before_last = state.last
                        state.last = holder
                break
        elif hands[p] == U(0):
            break
        if early and (scoring & ~gone) == U(0):
            result = EARLY
            break
        if draws:
            while hands[p] == U(0):
                p += U(1)
                if p == n:
                    p = U(0)

    state.player = np.int64(p)
    state.steps = steps
    state.table = table
    state.lane = lane
    state.beats = beats
    state.best = best
    state.joker = joker
    state.gone = gone
    state.tricks = tricks
    state.counts = counts
    state.trick = trick
    state.decisions = np.int64(asked >> U(32))
    state.options = np.int64(asked & U(0xFFFFFFFF))
    return result


@helper
def find_choices(rules: Any, state: Any, game: int) -> None:
    """Set the contract, or those that may be named (K-7)."""
    listed = U(0)
    if rules.list_length > 1:
        listed = U(state.deal if rules.match else game) % U(rules.list_length)
    state.contract = -1
    if rules.choice == FIXED:
        state.contract = np.int64(rules.listed[listed])
    elif rules.choice == AUCTION or rules.match:
        state.choices = U(0)
        for row in range(rules.contracts):
            if rules.choice == AUCTION or state.left[state.player, row]:
                state.choices |= U(1) << U(row)
    else:
        state.choices = U(1) << U(rules.listed[listed])


@helper
def start_match(rules: Any, state: Any) -> None:
    """Set totals and what each player has to name to the start of a game."""
    for seat in range(SEATS):
        state.totals[seat] = 0
        for row in range(MOST_CONTRACTS):
            state.left[seat, row] = 0
    if rules.match and rules.choice == DECLARER:
        for i in range(rules.list_length):
            for seat in range(rules.players):
                state.left[seat, rules.listed[i]] += 1


@helper
def write_deal(rules: Any, state: Any, row: Any, ending: int) -> None:
    """Write what a deal leaves behind into its row, and add to the totals (K-10)."""
    contract = state.contract
    row.deal = state.deal
    row.first = state.first
    row.ending = ending
    row.contract = -1
    row.declarer = state.declarer
    row.trump = state.trump
    row.bid = state.bid
    row.tricks_played = state.trick
    row.cards_drawn = state.drawn
    row.slam = False
    row.decisions = state.decisions
    row.options = state.options
    for seat in range(SEATS):
        row.score[seat] = 0
        row.tricks[seat] = 0
        row.taken[seat] = 0
    if ending == VOID:
        return
    row.contract = rules.code[contract]
    row.slam = deal_scores(rules, state, rules.choice == AUCTION) >= 0
    for seat in range(rules.players):
        row.score[seat] = state.scores[seat]
        row.tricks[seat] = seat_byte(state.tricks, seat)
        row.taken[seat] = count(captured(rules, state, seat))
        state.totals[seat] += state.scores[seat]


@helper
def match_ending(rules: Any, state: Any) -> int:
    """Return how the match ends after this deal, -1 if it goes on (K-7, K-11)."""
    for seat in range(rules.players):
        if state.totals[seat] <= rules.limit or state.totals[seat] >= rules.limit_high:
            return LIMIT
    played = state.deal + 1
    if played == rules.length:
        return COMPLETE
    return CENSORED if played == rules.max_deals else -1


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
    """Play whole games (C-3, K-7) and fill one row a game, and one a deal.

    Its arguments and its result are those of :func:`simlib.games.signature.kernel_signature`.
    """
    states, streams, views, words, templates, blocks, spare = work
    rules = rules_array[0]
    state = states[0]
    n = rules.players
    wanted = deals.shape[0] > 0 or not rules.match
    written = 0
    for g in range(total):
        if control[STOPPED]:
            break
        game = first_game + g
        control[GAME] = game
        row = games[g]
        row.censored = False
        row.decisions = 0
        row.options = 0
        for seat in range(SEATS):
            row.win_share[seat] = 0
            row.total[seat] = 0
        start_match(rules, state)
        state.first = np.int64(U(game) % U(n)) if rules.first else 0
        state.deal = 0
        before = written
        while True:
            clear_deal(rules, state)
            find_choices(rules, state, game)
            note(log, control, ev.DEAL, state.first, state.deal)
            deal_cards(rules, state, streams[0], seeds[0], game, state.deal, given)
            start_play_streams(rules, streams, seeds[1], game, state.deal)
            ending = play_on(
                rules, policies, state, streams, views, words, templates, blocks, control, log
            )
            if ending == BROKEN:
                control[DONE] = g
                return g
            deal_row = spare[0]
            if wanted:
                if written == deals.shape[0]:
                    control[FULL] = 1
                    control[DONE] = g
                    control[DEALS] = before
                    return g
                deal_row = deals[written]
                written += 1
            deal_row.index = game
            write_deal(rules, state, deal_row, ending)
            row.decisions += state.decisions
            row.options += state.options
            if not rules.match:
                break
            if rules.choice == DECLARER:
                state.left[state.declarer, state.contract] -= 1
            ending = match_ending(rules, state)
            if ending >= 0:
                break
            state.deal += 1
            state.first += 1
            if state.first == n:
                state.first = 0
        row.ending = ending
        row.deals = state.deal + 1
        row.censored = ending == CENSORED
        for seat in range(n):
            row.total[seat] = state.totals[seat]
        if ending != VOID and ending != CENSORED:
            share_win(row, state.totals, n)
        control[DONE] = g + 1
        control[DEALS] = written
    return control[DONE]


def scratch(rules: np.ndarray, params: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return what one thread needs: state, streams, views (twice), templates, contracts, a row.

    Parameters
    ----------
    rules : array of one PACKED record
    params : float64[4, 8]
        Parameters of the policy at each seat.
    """
    views = view_templates(rules, params)
    templates = views.copy().view(np.uint64).reshape(SEATS, VIEW_WORDS)
    views["row"] = -2  # no contract has been shown yet
    return (
        np.zeros(1, STATE),
        np.zeros(1 + SEATS, RNG),
        views,
        views.view(np.uint64).reshape(SEATS, VIEW_WORDS),
        templates,
        contract_blocks(rules),
        np.zeros(1, DEAL_ROW),
    )


def _signature(logged: bool) -> Any:
    words = [array(types.uint64, 2)] * 3  # views, templates, contracts
    return kernel_signature(
        "king",
        seats=SEATS,
        rules=PACKED,
        rows=(GAME_ROW, DEAL_ROW),
        work=[array(STATE), array(RNG), array(VIEW), *words, array(DEAL_ROW)],
        logged=logged,
    )


#: The kernel of normal runs, and the same with the event log.
simulate = Compiled(play_games, lambda: _signature(False))
record = Compiled(play_games, lambda: _signature(True))
