"""Plays King George III: deals with their proofs of endlessness, and whole games (KG-10 … KG-14).

``kernel_turns`` plays the turns of a deal, ``kernel_cards`` deals, ``kernel_view`` shows a player
the table, ``kernel_rows`` writes what a deal leaves behind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from simlib.cards import count
from simlib.games.control import DEALS, DONE, FULL, GAME, LOGGED, STOPPED, note
from simlib.games.king_george import events as ev
from simlib.games.king_george.kernel_cards import deal_cards, start_play_streams
from simlib.games.king_george.kernel_rows import fewest, next_players, share_win, write_counts
from simlib.games.king_george.kernel_turns import (
    BROKEN,
    HASH,
    NEVER,
    PLAIN,
    PROVE,
    REPEATS,
    play_on,
)
from simlib.games.king_george.outcome import DEADLOCK, ENDLESS, OUT, TRUNCATED
from simlib.games.king_george.outcome import DEAL as DEAL_ROW
from simlib.games.king_george.outcome import GAME as GAME_ROW
from simlib.games.king_george.proofs import same_as_snapshot, take_snapshot
from simlib.games.king_george.rules import PACKED
from simlib.games.king_george.view import OPTION_FIELDS, SNAPSHOT, STATE, VIEW
from simlib.games.signature import array, kernel_signature
from simlib.jit import OPTIONS as JIT
from simlib.jit import Compiled
from simlib.rng import RNG

__all__ = ["play_games", "record", "scratch", "simulate"]

U = np.uint64


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
    given: Any,
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
    deal_cards(rules, state, streams, seeds[0], game, deal, given)
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
        deal_cards(rules, state, streams, seeds[0], game, deal, given)
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
        deal_cards(rules, state, streams, seeds[0], game, deal, given)
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
    """Play whole games (KG-10, C-3) and fill one row a game, and one a deal where asked.

    Its arguments and its result are those of :func:`simlib.games.signature.kernel_signature`.
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
            ending = play_deal(rules, policies, work, seeds, game, deal, control, log, given)
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
    work = (STATE, RNG, VIEW, VIEW, SNAPSHOT, types.uint64, types.int32)
    return kernel_signature(
        "king-george-iii",
        seats=5,
        rules=PACKED,
        rows=(GAME_ROW, DEAL_ROW),
        work=[array(kind) for kind in work],
        logged=logged,
    )


#: The kernel of normal runs, and the same with the event log.
simulate = Compiled(play_games, lambda: _signature(False))
record = Compiled(play_games, lambda: _signature(True))
