"""King George III as the rest of the house knows it."""

from __future__ import annotations

from typing import cast

import numpy as np

from simlib.cards import ACE_HIGH, pick
from simlib.games.control import ANSWER, KIND, OPTIONS
from simlib.games.king_george import clauses, kernel, outcome, policies, referee, rules
from simlib.games.king_george.transcript import deals_record, piles, transcript
from simlib.games.king_george.view import ACE, FIELDS
from simlib.games.spec import Game, Table

__all__ = ["GAME"]


def _check(table: Table) -> None:
    rules.check_players(cast(rules.KingGeorgeRules, table.rules), table.players)


def _pack(table: Table, *, prove: bool = True, trusted: bool = False) -> np.ndarray:
    return rules.pack(
        cast(rules.KingGeorgeRules, table.rules), table.players, prove=prove, trusted=trusted
    )


def _explain(table: Table, control: np.ndarray) -> tuple[str, str]:
    """Name the refused answer and the options in words (C-5)."""
    answer, options = int(control[ANSWER]), int(control[OPTIONS])
    kind, may_stop = int(control[KIND]) % 16, int(control[KIND]) // 16
    if kind == ACE:
        return str(answer), "0 = set aside, 1 = keep"
    cards = [f"{card} = {ACE_HIGH.text(card)}" for card in pick(options)]
    if may_stop:
        cards.append("-1 = stop")
    name = f"{answer} = {ACE_HIGH.text(answer)}" if answer in ACE_HIGH.texts else str(answer)
    return name, ", ".join(cards)


GAME = Game(
    name="king-george-iii",
    title="King George III",
    says="shedding game, 2-5 players: be the first without cards (KG)",
    varieties=(),
    units=("deal",),
    seats=5,
    players=lambda variety: (rules.PLAYERS, rules.DEFAULT_PLAYERS),
    rules_model=lambda variety: rules.KingGeorgeRules,
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
    metrics=lambda table: outcome.METRICS,
    view_fields=FIELDS,
    explain=_explain,
    clauses=clauses.CLAUSES,
    tables=clauses.tables,
    layout=ACE_HIGH,
    deck=lambda table: range(rules.DECK_SIZE),
    piles=piles,
    deals_record=deals_record,
    transcript=transcript,
    referee=referee.check,
)
