"""Clauses of the rules as data: what ``docs/rules.md`` is made of, next to the options.

A clause says in a few sentences how the game is played here. Options name the clause that they
change; code, errors and reports cite its id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["COMMON", "Clause", "RulesTable"]


class Clause(NamedTuple):
    """One clause of the rules.

    Attributes
    ----------
    id : str
        For example ``KG-3``.
    title : str
        Two or three words.
    says : str
        The clause, under the default options.
    reading : str
        What was chosen where the source text is silent, garbled or can be read in two ways.
    """

    id: str
    title: str
    says: str
    reading: str = ""


class RulesTable(NamedTuple):
    """A table of the rules, made from the objects that the kernel plays by.

    Attributes
    ----------
    title : str
        What it shows.
    head : tuple of str
        Names of the columns.
    rows : sequence of tuple
        One a line.
    """

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]


#: What holds for every game.
COMMON = (
    Clause(
        "C-1",
        "Cards",
        "A card is its rank and its suit: `7S`, `TH`, `KD`; jokers are `X1` and `X2`. Programs get"
        " these texts, people `10♥`. Whoever types may also write `10H`, small letters, or the"
        " signs of the suits.",
    ),
    Clause(
        "C-2",
        "Seats",
        "Seats are numbered from 0 in the order of play, clockwise. The seat that acts first in a"
        " deal is called `first`: the dealer's left neighbour in King George III and King, the"
        " dealer in Royal Corners. In a single deal it is seat 0.",
    ),
    Clause(
        "C-3",
        "Games and matches",
        "One game of King George III is a deal with the playoffs that it needs. One game of the"
        " others is a deal, or with `unit=match` a match, in which each deal makes the next seat"
        " `first`. Where a clause counts seats of a deal, it counts from `first`.",
        "The source texts draw lots for the first dealer. Here it is always the same seat, or"
        " each in turn, since a lot would only add noise to what is measured. Cutting the pack is"
        " left out.",
    ),
    Clause(
        "C-4",
        "Chance",
        "All chance comes from the seed and the index of the game. The order of the pack in deal"
        " d depends on these and on the set of cards alone, so that two rule sets or two players"
        " meet the same deals. The table and each seat have streams of their own for what is left"
        " to chance in play; `play_seed` changes these and leaves the cards as they are.",
    ),
    Clause(
        "C-4a",
        "Dealing",
        "Cards are dealt one by one in turn order, beginning with `first`, until every hand is"
        " full. What is left, in its order, is the stock. Royal Corners puts the first four cards"
        " of it into the corners; a talon is taken out of the middle of the pack before the cards"
        " after it are dealt; one card more than the hands take is set aside unseen.",
    ),
    Clause(
        "C-5",
        "Decisions",
        "A player is asked only where he has two options or more. The policy `random` takes each"
        " of them equally often. An answer that is no option stops the run and names game, seat,"
        " policy, options and answer; nothing is put right on the quiet.",
    ),
    Clause(
        "C-6",
        "What a player knows",
        "A policy sees what somebody at the table sees: its own cards, what lies open, how many"
        " cards the others hold, the scores. It never sees another hand or the order of the"
        " stock. In King it is also told what was played and what follows from it; in the other"
        " two games only what lies on the table now.",
    ),
    Clause("C-7", "Where cards are", "At any moment every card of the pack is in one place."),
    Clause(
        "C-8",
        "Nothing is dropped",
        "Every game gives one row in the table of games and every deal one in the table of deals,"
        " however it ended. A game that ran into a cap is censored there; one that is proved to go"
        " on for ever is a result. Both stay in every denominator.",
    ),
    Clause(
        "C-9",
        "Ties",
        "Players who win together share the win in equal parts. No tie is broken by seat number.",
    ),
    Clause(
        "C-10",
        "The record",
        "A game can be written down as one JSON object: every option, the hands, each act at the"
        " table, endings and scores. It is all that the referee reads (`simlib verify`).",
    ),
    Clause(
        "C-11",
        "Faults",
        "Where an act breaks several clauses, the referee names the most specific one.",
    ),
    Clause(
        "C-12",
        "Options",
        "`--rule` goes before `--rules FILE`, that before `--preset`, that before the defaults."
        " The preset `seed` is the source text as it is read here.",
    ),
)
