"""From the deck to the first lead: dealing, auction, contract, trump, talon (K-O, K-M, K-A)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import count, lowest
from simlib.games.control import ANSWER, ERROR, KIND, OPTIONS, SEAT, note
from simlib.games.dealing import order_deck
from simlib.games.king import events as ev
from simlib.games.king.kernel_seats import both_places, lay_out, learn, pick
from simlib.games.king.kernel_tricks import NATURAL
from simlib.games.king.kernel_view import show_constants, show_contract, show_deal, show_play
from simlib.games.king.outcome import VOID
from simlib.games.king.view import BID, CONTRACT, DISCARD, OVER, PLAY, SUIT, TRUMP
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper
from simlib.policy import PAUSE
from simlib.rng import SEAT as SEAT_PURPOSE
from simlib.rng import start

__all__ = ["choose", "choose_on", "deal_cards", "settle", "start_play_streams"]

U = np.uint64
#: Ways to choose a contract, as packed.
FIXED, DECLARER, AUCTION = range(3)
NO_ANSWER = -9
#: Besides the endings: the deal stopped at a decision, or on an error; the first lead is next.
PAUSED, BROKEN, READY = 10, 11, 12


@helper
def note_cards(log: Any, control: Any, code: int, seat: int, cards: Any) -> None:
    """Write an event with several cards, ascending."""
    if log is not None:
        note(log, control, code, seat, -1)
        while cards:
            note(log, control, ev.CARD, seat, lowest(cards))
            cards &= cards - U(1)


@njit(**JIT)
def deal_cards(
    rules: Any, state: Any, rng: Any, seed: Any, game: int, deal: int, given: Any
) -> None:
    """Shuffle and deal (C-4, C-4a): ``state.first`` is set."""
    deck = state.deck
    size = rules.deck_size
    for i in range(size):
        deck[i] = rules.deck[i]
    order_deck(rng, deck, size, seed, game, deal, given)
    skip = rules.talon
    dealt = rules.players * rules.hand_size
    if skip:  # the talon goes to the end of `order`
        order = state.order
        for i in range(rules.talon_at):
            order[i] = deck[i]
        for i in range(rules.talon_at + skip, size):
            order[i - skip] = deck[i]
        for i in range(skip):
            order[size - skip + i] = deck[rules.talon_at + i]
        deal_hands(rules, state, order)
    else:
        deal_hands(rules, state, deck)
    state.in_play = rules.deck_mask
    state.head = dealt
    state.tail = dealt
    if rules.reserve:
        state.tail = size - skip
    else:
        order = state.order
        for i in range(dealt, size - skip):
            state.in_play &= ~(U(1) << U(order[i] if skip else deck[i]))


@helper
def deal_hands(rules: Any, state: Any, order: Any) -> None:
    """Give card k to the k-mod-n-th player from ``state.first``."""
    n = rules.players
    seat = state.first
    for place in range(n):
        hand = U(0)
        k = place
        for _ in range(rules.hand_size):
            hand |= U(1) << U(order[k])
            k += n
        state.hands[seat] = hand
        seat += 1
        if seat == n:
            seat = 0


@helper
def clear_deal(rules: Any, state: Any) -> None:
    """Set everything but cards, match and contract to the start of a deal."""
    for seat in range(4):
        state.taken[seat] = U(0)
        state.taken[seat + 4] = U(0)
        state.lacks[seat] = U(0)
        state.lacks[seat + 4] = U(0)
        state.bids[seat] = -1
    state.tricks = U(0)
    state.counts = U(0)
    for seat in range(rules.players):
        state.counts += (both_places(rules.players) << U(8 * seat)) * U(rules.hand_size)
    state.talon = U(0)
    state.away = U(0)
    state.first_away = -1
    state.gone = U(0)
    state.table = U(0)
    state.beats = NATURAL
    state.lane = U(0)
    state.waiting = 0
    state.steps = 0
    state.best = -1
    state.joker = -1
    state.trump = -1
    state.declarer = -1
    state.bid = -1
    state.last = -1
    state.before_last = -1
    state.trick = 0
    state.drawn = 0
    state.decisions = 0
    state.options = 0
    state.pending = NO_ANSWER
    state.player = state.first
    state.phase = PLAY
    if rules.choice == DECLARER:
        seat = state.first + rules.declarer_step
        seat -= rules.players if seat >= rules.players else 0
        state.declarer = seat
        state.player = seat
        state.phase = CONTRACT
    elif rules.choice == AUCTION:
        state.bid = 0
        state.waiting = (1 << rules.players) - 1
        state.phase = BID


@helper
def start_play_streams(rules: Any, streams: Any, play_seed: Any, game: int, deal: int) -> None:
    """Start the streams of the seats in this deal (C-4); nothing at the table needs chance."""
    for seat in range(rules.players):
        start(streams[1 + seat], play_seed, game, SEAT_PURPOSE + seat, deal)


@helper
def choose(rules: Any, state: Any) -> Any:
    """Return the options of a decision that is not a play (K-9, K-A, K-M, K-O)."""
    phase = state.phase
    if phase == CONTRACT or phase == SUIT:
        return state.choices
    if phase == TRUMP:
        return U(0x1F) if rules.no_trump else U(0x1E)
    if phase == BID:
        above = (U(2) << U(rules.most_bid)) - (U(2) << U(state.bid))
        return above | U(1)
    # two cards are laid away: none that scores, as long as there are others (K-M, K-X)
    hand = state.hands[state.player]
    harmless = hand & ~rules.scoring[state.contract]
    return harmless if harmless != U(0) else hand


@njit(**JIT)
def settle(rules: Any, state: Any, answer: int, control: Any, log: Any) -> None:
    """Do what was chosen before the first lead, and move on to the next decision."""
    seat = state.player
    phase = state.phase
    if phase == BID:
        note(log, control, ev.BID, seat, answer)
        next_bidder(rules, state, answer)
        return
    if phase == CONTRACT or phase == SUIT:
        note(log, control, ev.SUIT if phase == SUIT else ev.CONTRACT, seat, answer)
        state.contract = answer
        if rules.trump[answer]:
            state.phase = TRUMP
            return
    elif phase == TRUMP:
        note(log, control, ev.TRUMP, seat, answer - 1)
        state.trump = answer - 1
    elif phase == DISCARD:
        state.hands[seat] &= ~(U(1) << U(answer))
        state.away |= U(1) << U(answer)
        state.counts -= both_places(rules.players) << U(8 * seat)
        if state.first_away < 0:
            state.first_away = answer
        else:
            note(log, control, ev.DISCARD, seat, -1)
            note(log, control, ev.CARD, seat, state.first_away)
            note(log, control, ev.CARD, seat, answer)
            start_tricks(rules, state)
        return
    if rules.talon:
        take_talon(rules, state, control, log)
    else:
        start_tricks(rules, state)


@helper
def next_bidder(rules: Any, state: Any, answer: int) -> None:
    """Note a bid or a pass, and find who is asked next (K-A)."""
    seat = state.player
    state.bids[seat] = answer
    if answer:
        state.bid = answer
        state.declarer = seat
    if not answer or not rules.auction:
        state.waiting &= ~(1 << seat)
    alone = state.declarer >= 0 and state.waiting == 1 << state.declarer
    if state.waiting == 0 or (rules.auction and alone):
        state.phase = OVER
        if state.declarer >= 0:
            state.phase = SUIT if rules.names_suit else CONTRACT
            state.player = state.declarer
        return
    while True:
        seat += 1
        if seat == rules.players:
            seat = 0
        if (state.waiting >> seat) & 1:
            break
    state.player = seat


@helper
def take_talon(rules: Any, state: Any, control: Any, log: Any) -> None:
    """Show the talon and put it into the declarer's hand (K-M, K-X)."""
    seat = state.player
    note(log, control, ev.TALON, seat, -1)
    for i in range(rules.talon):
        card = np.int64(state.deck[rules.talon_at + i])
        note(log, control, ev.CARD, seat, card)
        state.talon |= U(1) << U(card)
    state.hands[seat] |= state.talon
    state.counts += (both_places(rules.players) << U(8 * seat)) * U(rules.talon)
    for other in range(rules.players):
        if other != seat:
            learn(state, rules.players, other, state.talon)
    state.phase = DISCARD


@helper
def start_tricks(rules: Any, state: Any) -> None:
    """Turn to the first lead."""
    state.phase = PLAY
    state.player = state.declarer if rules.bidder_leads else state.first


@helper
def refuse(rules: Any, control: Any, answer: int, options: Any, decision: int) -> int:
    """Note an answer that is no option (C-5); return BROKEN, or PAUSED if it asks for that."""
    if answer == PAUSE and rules.stepping:
        return PAUSED
    control[ERROR] = 1
    control[ANSWER] = answer
    control[OPTIONS] = np.int64(options)
    control[KIND] = decision
    return BROKEN


@njit(**JIT)
def choose_on(
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
    """Decide all that is decided before the first lead (K-9).

    Returns READY, or VOID, PAUSED, BROKEN as :func:`play_on`.
    """
    slots = lay_out(policies)
    row = (U(1) << U(8 * rules.players)) - U(1)
    pending = state.pending
    state.pending = NO_ANSWER
    while state.phase != PLAY:
        phase = state.phase
        if phase == OVER:
            return VOID
        p = U(state.player)
        options = choose(rules, state)
        answer = lowest(options)
        if options & (options - U(1)):
            if pending != NO_ANSWER:
                answer = pending
                pending = NO_ANSWER
            else:
                hand = U(0) if phase == CONTRACT and rules.order_when else state.hands[p]
                show_constants(words, templates, p)
                show_contract(words, blocks, p, state.contract)
                show_deal(rules, state, views[p], np.int64(p))
                show_play(
                    rules, state, views[p], words, p, hand, options, phase, U(0), U(0), NATURAL,
                    np.int64(-1), np.int64(-1), U(0), np.int64(0), state.tricks,
                    state.counts, row,
                )  # fmt: skip
                control[SEAT] = np.int64(p)
                answer = pick(slots, policies, p)(views[p], streams[p + U(1)])
            if U(answer) > U(62) or (options >> U(answer)) & U(1) == U(0):
                return refuse(rules, control, answer, options, phase)
            state.decisions += 1
            state.options += count(options)
        settle(rules, state, answer, control, log)
    state.pending = pending
    return READY
