"""What the rest of the house knows of a game.

A game is described by one :class:`Game`. Nothing outside ``games/`` knows more: runs, frames,
records, the command line and the reports all work through it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simlib.cards import Layout
from simlib.games.clauses import Clause, RulesTable
from simlib.games.columns import Column, Metric
from simlib.games.options import Rules
from simlib.games.recording import Piles
from simlib.games.refereeing import Fault
from simlib.jit import Compiled
from simlib.policy import Policy

__all__ = ["Game", "Table"]


@dataclass(frozen=True)
class Table:
    """A configuration that has been checked: what kernels and records are made from.

    Attributes
    ----------
    variety : str or None
        Variety of King; None elsewhere.
    players : int
        Number of seats.
    unit : {"deal", "match"}
        What one game is (C-3).
    rules : Rules
        Every option.
    """

    variety: str | None
    players: int
    unit: str
    rules: Rules


@dataclass(frozen=True)
class Game:
    """One game: names, rules, kernel, tables, policies, records.

    Attributes
    ----------
    name, title : str
        As on the command line, and for people.
    says : str
        One line for ``simlib games``.
    varieties : tuple of str
        Empty where there are none; the first is the default.
    units : tuple of str
        The first is the default.
    seats : int
        Most seats; the length of the kernel's tuple of policies.
    players : callable
        variety -> (numbers of players, default).
    rules_model, presets : callable
        variety -> the options' model; variety -> presets by name.
    check : callable
        Raises BadInput where a valid model does not go with the table (C-12).
    pack : callable
        (table, prove=True, trusted=False) -> array of one record for the kernel.
    scratch : callable
        (packed rules, params float64[seats, 8]) -> what one thread needs.
    simulate, record : Compiled
        The kernel without and with the event log.
    game_columns, deal_columns : tuple of Column
        Columns of the kernel's two tables.
    game_dtype, deal_dtype : dtype
        Their row dtypes.
    policies : mapping
        Built-in policies by name.
    metrics : callable
        table -> figures of a run, the first being the headline.
    view_fields : tuple
        (field, code, meaning) of the policies' view.
    merges_deals : bool
        With ``unit=deal`` the kernel writes exactly one row a game into the table of deals,
        and the row of the game is both together.
    strata : callable
        table -> group code of game g is ``codes[g % len(codes)]``; None where all games of a
        run are alike (K-7).
    group_column : str
        Column of the table of deals whose labels are the groups of metrics ("contract").
    explain : callable
        (table, control) -> (answer, options) in words, after a C-5 error.
    clauses : tuple of Clause
        The rules in sentences, in order.
    tables : callable
        () -> tables that belong to the rules, made from the objects that are played by.
    layout : Layout
        How its cards are numbered.
    deck : callable
        table -> the set of cards, as they lie in a new pack (C-4).
    piles : callable
        (table, deck order, first seat) -> the deal that it becomes (C-4a).
    deals_record : callable
        (table, deck orders, log, deal rows) -> the ``deals`` of a game record (C-10).
        The second argument gives the deck order of deal d.
    transcript : callable
        record -> lines of text for people.
    referee : callable
        record -> the first fault, or None.
    """

    name: str
    title: str
    says: str
    varieties: tuple[str, ...]
    units: tuple[str, ...]
    seats: int
    players: Callable[[str | None], tuple[tuple[int, ...], int]]
    rules_model: Callable[[str | None], type[Rules]]
    presets: Callable[[str | None], Mapping[str, Mapping[str, Any]]]
    check: Callable[[Table], None]
    pack: Callable[..., np.ndarray]
    scratch: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, ...]]
    simulate: Compiled
    record: Compiled
    game_columns: tuple[Column, ...]
    deal_columns: tuple[Column, ...]
    game_dtype: np.dtype[np.void]
    deal_dtype: np.dtype[np.void]
    policies: Mapping[str, Policy]
    metrics: Callable[[Table], Sequence[Metric]]
    view_fields: Sequence[tuple[str, str, str]]
    explain: Callable[[Table, np.ndarray], tuple[str, str]]
    clauses: tuple[Clause, ...]
    tables: Callable[[], list[RulesTable]]
    layout: Layout
    deck: Callable[[Table], Sequence[int]]
    piles: Callable[[Table, Sequence[int], int], Piles]
    deals_record: Callable[
        [Table, Callable[[int], Sequence[int]], np.ndarray, np.ndarray], list[dict[str, Any]]
    ]
    transcript: Callable[[Mapping[str, Any]], list[str]]
    referee: Callable[[object], Fault | None]
    merges_deals: bool = False
    strata: Callable[[Table], Sequence[int] | None] = field(default=lambda table: None)
    group_column: str = ""

    def __reduce__(self) -> Any:
        """Pickle a game of the registry by its name: its rules and kernels are code."""
        from simlib import games

        if self.name in games.GAMES and games.get(self.name) is self:
            return games.get, (self.name,)
        return super().__reduce__()
