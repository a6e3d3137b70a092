"""A table at which one policy plays one turn, in plain Python with rules of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from simlib.cards import ACE_HIGH
from simlib.games.king_george.policies import POLICIES
from simlib.games.king_george.view import ACE, FOLLOW, LEAD, RUN, VIEW
from simlib.policy import STOP
from simlib.rng import new

DECK = (1 << 52) - 1
KING_RANK, ACE_RANK = 11, 12


def mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)


def numbers(cards: str) -> list[int]:
    return [ACE_HIGH.number(card) for card in cards.split()]


def fits(rank: int, top: int, *, wrap: bool, ace_any: bool) -> bool:
    """Whether a card of `rank` fits on one of rank `top` (KG-3)."""
    apart = abs(rank - top)
    return apart <= 1 or (wrap and apart == 12) or (ace_any and rank == ACE_RANK)


@cache
def fit_table(wrap: bool, ace_any: bool) -> list[int]:
    """Return the mask of fitting cards for each rank on top."""
    return [
        mask(card for card in range(52) if fits(card // 4, top, wrap=wrap, ace_any=ace_any))
        for top in range(13)
    ]


@cache
def jitted(name: str) -> Callable[[Any, Any], int]:
    """Return a policy's machine code as a function of (view, rng)."""
    compiled = POLICIES[name].compiled()
    return lambda view, rng: int(compiled(view, rng))


@dataclass
class Table:
    """What one player sees and may do in one turn; cards are numbers.

    Attributes
    ----------
    hand : set of int
    pile : list of int
        Oldest first; empty for a lead.
    resets : int
        Aces of this player that would still set a pile aside.
    aside : set of int
    options
        The options of KG-2 … KG-8 that matter in a turn.
    """

    hand: set[int]
    pile: list[int] = field(default_factory=list)
    resets: int = 0
    aside: set[int] = field(default_factory=set)
    lead_run: bool = False
    wrap: bool = False
    ace_any: bool = False
    must_run: bool = False
    ace_choice: bool = False
    acts: list[str] = field(default_factory=list)
    run: int = 0

    @classmethod
    def of(cls, hand: str, pile: str = "", *, aside: str = "", **options: Any) -> Table:
        """Return a table from card texts."""
        return cls(set(numbers(hand)), numbers(pile), aside=set(numbers(aside)), **options)

    def fitting(self) -> list[int]:
        top = self.pile[-1] // 4
        return [
            card
            for card in sorted(self.hand)
            if fits(card // 4, top, wrap=self.wrap, ace_any=self.ace_any)
        ]

    def view(self, decision: int, options: int, may_stop: bool, ace: int = -1) -> Any:
        """Return the view of a decision, every field set."""
        view = np.zeros(1, VIEW).view(np.recarray)[0]
        view.hand = mask(self.hand)
        view.options = options
        view.pile = mask(self.pile)
        view.aside = mask(self.aside)
        ace_bit = 1 << ace if ace >= 0 else 0
        view.unseen = DECK & ~(int(view.hand) | int(view.pile) | int(view.aside) | ace_bit)
        view.fit_table[:] = fit_table(self.wrap, self.ace_any)
        view.decision = decision
        view.may_stop = may_stop
        view.top = self.pile[-1] if self.pile else -1
        view.ace = ace
        view.players = 2
        view.pile_count = len(self.pile)
        view.lap = -1
        view.run = self.run
        view.resets_left = self.resets
        view.counts[:] = [len(self.hand), 5, -1, -1, -1]
        view.ace_resets = 3
        for name in ("lead_run", "wrap", "ace_any", "must_run", "ace_choice"):
            setattr(view, name, getattr(self, name))
        return view

    def turn(self, decide: str | Callable[[Any, Any], int]) -> str:
        """Play a turn as a policy wants; return its acts: cards, aside, kept, stop."""
        ask = jitted(decide) if isinstance(decide, str) else decide
        self.acts = []
        self.run = 0
        leads = not self.pile
        while self.hand:
            options = self.fitting() if self.pile else sorted(self.hand)
            if not options:
                break
            may_stop = self.run > 0 and not self.must_run
            if len(options) + may_stop == 1:
                card = options[0]
            else:
                kind = RUN if self.run else FOLLOW if self.pile else LEAD
                card = ask(self.view(kind, mask(options), may_stop), new(0))
                if card == STOP and may_stop:
                    self.acts.append("stop")
                    break
                assert card in options
            if self.put(card, ask) or (leads and not self.lead_run):
                break
        return " ".join(self.acts)

    def put(self, card: int, ask: Callable[[Any, Any], int]) -> bool:
        """Put a card down; return whether an ace ends the turn (KG-8)."""
        self.hand.remove(card)
        self.run += 1
        self.acts.append(ACE_HIGH.text(card))
        if card // 4 == ACE_RANK and self.resets:
            if self.ace_choice:
                answer = ask(self.view(ACE, 3, False, card), new(0))
                assert answer in (0, 1)
                if answer == 1:
                    self.acts.append("kept")
            if self.acts[-1] != "kept":
                self.acts.append("aside")
                self.aside |= {*self.pile, card}
                self.pile = []
                return True
        self.pile.append(card)
        return False
