"""King as the rest of the house knows it."""

from __future__ import annotations

from typing import cast

import numpy as np

from simlib.cards import LANES, SUITS, pick
from simlib.games.control import ANSWER, KIND, OPTIONS
from simlib.games.king import clauses, kernel, outcome, policies, referee, rules
from simlib.games.king.transcript import deals_record, deck, piles, transcript
from simlib.games.king.view import BID, CONTRACT, DISCARD, FIELDS, PLAY, TRUMP
from simlib.games.spec import Game, Table

__all__ = ["GAME"]


def _rules(table: Table) -> rules.KingRules:
    return cast(rules.KingRules, table.rules)


def _check(table: Table) -> None:
    rules.check_players(_rules(table), table.players)


def _pack(table: Table, *, prove: bool = True, trusted: bool = False) -> np.ndarray:
    """Pack the rules; `prove` is King George III's alone."""
    return rules.pack(_rules(table), table.players, match=table.unit == "match", trusted=trusted)


def _strata(table: Table) -> tuple[int, ...] | None:
    """Return the labels of the contracts that deals on their own take in turn (K-7)."""
    plan = rules.make_plan(_rules(table), table.players)
    in_turn = table.unit == "deal" and plan.choice != "auction"
    codes = tuple(plan.codes[place] for place in plan.listed)
    return codes if in_turn and min(codes) >= 0 else None


def _explain(table: Table, control: np.ndarray) -> tuple[str, str]:
    """Name the refused answer and the options in words (C-5)."""
    answer, options = int(control[ANSWER]), pick(int(control[OPTIONS]))
    kind = int(control[KIND])
    names: dict[int, str]
    if kind in (PLAY, DISCARD):
        names = dict(LANES.texts)
    elif kind == CONTRACT:
        plan = rules.make_plan(_rules(table), table.players)
        names = {place: contract.name for place, contract in enumerate(plan.contracts)}
    elif kind == TRUMP:
        names = dict(enumerate(("none", *SUITS)))
    elif kind == BID:
        names = {0: "pass"}
    else:
        names = dict(enumerate(SUITS))

    def say(number: int) -> str:
        return f"{number} = {names[number]}" if number in names else str(number)

    return say(answer), ", ".join(say(option) for option in options)


GAME = Game(
    name="king",
    title="King",
    says="trick-taking game, 3-4 players, ten varieties: what is each contract worth? (K)",
    varieties=rules.NAMES,
    units=("deal", "match"),
    seats=kernel.SEATS,
    players=rules.players_of,
    rules_model=rules.rules_model,
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
    metrics=lambda table: outcome.metrics(_rules(table), table.unit),
    view_fields=FIELDS,
    explain=_explain,
    clauses=clauses.CLAUSES,
    tables=clauses.tables,
    layout=LANES,
    deck=deck,
    piles=piles,
    deals_record=deals_record,
    transcript=transcript,
    referee=referee.check,
    merges_deals=True,
    strata=_strata,
    group_column="contract",
)
