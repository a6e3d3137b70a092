"""Royal Corners as the rest of the house knows it."""

from __future__ import annotations

from typing import cast

import numpy as np

from simlib.cards import ACE_LOW
from simlib.games.control import ANSWER, OPTIONS
from simlib.games.royal_corners import clauses, kernel, outcome, policies, referee, rules
from simlib.games.royal_corners.faces import in_words, list_moves
from simlib.games.royal_corners.kernel_deal import ANY, FIRSTS, LASTS, OPEN
from simlib.games.royal_corners.transcript import deals_record, piles, transcript
from simlib.games.royal_corners.view import FIELDS
from simlib.games.spec import Game, Table

__all__ = ["GAME"]


def _rules(table: Table) -> rules.RoyalCornersRules:
    return cast(rules.RoyalCornersRules, table.rules)


def _check(table: Table) -> None:
    rules.check_players(_rules(table), table.players)


def _pack(table: Table, *, prove: bool = True, trusted: bool = False) -> np.ndarray:
    """Pack the rules; `prove` is King George III's alone."""
    return rules.pack(_rules(table), table.players, match=table.unit == "match", trusted=trusted)


def _explain(table: Table, control: np.ndarray) -> tuple[str, str]:
    """Name the refused answer and the options in words (C-5)."""
    answer, open_card = int(control[ANSWER]), int(control[OPEN])
    lasts = control[LASTS : LASTS + 1].view(np.uint8)
    firsts = control[FIRSTS : FIRSTS + 1].view(np.int8)
    rights = sum(1 << corner for corner in range(rules.CORNERS) if lasts[corner] == ANY)
    found = list_moves(
        _rules(table),
        int(control[OPTIONS]),
        open_card,
        firsts.tolist(),
        [-1 if last >= ANY else int(last) for last in lasts],
        rights,
    )
    options = [f"{option} = {in_words(option, open_card)}" for option in [*found, -1]]
    return f"{answer} = {in_words(answer, open_card)}", ", ".join(options)


#: The 52 cards as they lie in a new pack (C-4).
DECK = ACE_LOW.new_pack(range(rules.DECK_SIZE))

GAME = Game(
    name="royal-corners",
    title="Royal Corners",
    says="kings in the corner, 2-4 players: be left with the fewest points in hand (RC)",
    varieties=(),
    units=("deal", "match"),
    seats=kernel.SEATS,
    players=lambda variety: (rules.PLAYERS, rules.DEFAULT_PLAYERS),
    rules_model=lambda variety: rules.RoyalCornersRules,
    presets=lambda variety: rules.PRESETS,
    check=_check,
    pack=_pack,
    scratch=kernel.scratch,
    simulate=kernel.simulate,
    record=kernel.record,
    game_columns=outcome.GAME_COLUMNS,
    deal_columns=outcome.DEAL_COLUMNS,
    game_dtype=outcome.GAME,
    deal_dtype=outcome.DEAL,
    policies=policies.POLICIES,
    metrics=lambda table: outcome.metrics(table.unit),
    view_fields=FIELDS,
    explain=_explain,
    clauses=clauses.CLAUSES,
    tables=clauses.tables,
    layout=ACE_LOW,
    deck=lambda table: DECK,
    piles=piles,
    deals_record=deals_record,
    transcript=transcript,
    referee=referee.check,
    merges_deals=True,
)
