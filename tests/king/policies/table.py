"""A hand of King played card by card against tricks written out, and views of any decision."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import simlib.king as king
from simlib.cards import LANES, SUITS
from simlib.games.king.kernel_view import contract_blocks, view_templates
from simlib.games.king.policies import POLICIES
from simlib.games.king.rules import make_plan, pack, players_of, rules_model
from simlib.games.king.view import BID, CONSTANT_WORD, CONTRACT_WORD, PLAY, SUIT
from simlib.rng import new

LANE = 0x1FFF


@cache
def jitted(name: str) -> Callable[[Any, Any], int]:
    """Return a policy's machine code as a function of (view, rng)."""
    compiled = POLICIES[name].compiled()
    return lambda view, rng: int(compiled(view, rng))


def suit_of(cards: list[str]) -> int:
    """Return the suit of a trick: that of its first natural card; -1 where there is none."""
    natural = [card for card in cards if card[0] != "X"]
    return SUITS.index(natural[0][1]) if natural else -1


class Table:
    """What one player sees. The others are named by their place after him: 1, 2, …

    Parameters
    ----------
    hand : str
        His cards.
    variety, players, options
        The rules.
    contract, trump : str, optional
        Name of the contract, trump suit.
    declares : bool
        Whether he is the declarer.
    """

    def __init__(
        self,
        hand: str,
        *,
        variety: str = "simple",
        players: int | None = None,
        contract: str | None = None,
        trump: str | None = None,
        declares: bool = False,
        **options: Any,
    ) -> None:
        model = rules_model(variety)(**options)
        self.variety, self.options = variety, options
        self.players = players_of(variety)[1] if players is None else players
        self.plan = make_plan(model, self.players)
        self.rules = pack(model, self.players, match=True)
        self.names = [row.name for row in self.plan.contracts]
        self.contract, self.trump, self.declares = contract, trump, declares
        self.chosen: int | None = None  # a row without a name: Trade's penalty suit
        self.hand = LANES.mask(hand.split())
        self.gone = self.away = self.talon = 0
        self.lacks = [0] * self.players
        self.tricks = [0] * self.players
        self.taken = [0] * self.players

    # what he sees

    def view(self, decision: int, options: int, table: list[str]) -> Any:
        """Return the view of a decision, every field set; `table` is the trick so far."""
        views = view_templates(self.rules, np.zeros((4, 8)))[:1]
        row = self.row()
        if row >= 0:
            block = contract_blocks(self.rules)[1 + row]
            views.view(np.uint64)[CONTRACT_WORD:CONSTANT_WORD] = block
        view = views.view(np.recarray)[0]
        view.row = row
        view.hand, view.options, view.decision = self.hand, options, decision
        view.gone, view.talon, view.away = self.gone, self.talon, self.away
        self._show_trick(view, table)
        self._show_players(view, len(table))
        view.trump = -1 if self.trump is None else SUITS.index(self.trump)
        view.declarer = 0 if self.declares else -1
        auction = self.plan.choice == "auction"
        view.bid = 0 if auction else -1
        view.bids[:] = -1
        return view

    def row(self) -> int:
        """Return the row of the contract; -1 before it is known."""
        if self.chosen is not None:
            return self.chosen
        if self.contract is not None:
            return self.names.index(self.contract)
        return 0 if self.plan.choice == "fixed" else -1

    def _show_trick(self, view: Any, table: list[str]) -> None:
        view.table, view.on_table = LANES.mask(table), len(table)
        view.led = suit_of(table)
        view.holder = (self._winner(table) - len(table)) % self.players if table else -1
        free = [card for card in LANES.cards(int(view.deck)) if card not in table]
        view.winning = LANES.mask(
            [card for card in free if self._winner([*table, card]) == len(table)]
        )

    def _show_players(self, view: Any, played: int) -> None:
        seen = self.hand | self.gone | int(view.table) | self.away
        view.unseen = int(view.deck) & ~seen
        view.trick = sum(self.tricks)
        held = self.plan.hand_size - int(view.trick)
        view.counts[:] = -1
        for place in range(self.players):
            view.tricks[place], view.taken[place] = self.tricks[place], self.taken[place]
            view.counts[place] = held - (place >= self.players - played)
            view.may_hold[place] = int(view.unseen) & ~self.lacks[place]
        view.may_hold[0], view.counts[0] = self.hand, self.hand.bit_count()

    def _winner(self, cards: list[str]) -> int:
        rules = {"variety": self.variety, "players": self.players, "rules": self.options}
        return king.trick_winner(cards, trump=self.trump, **rules)

    def legal(self, table: list[str]) -> int:
        """Return the cards that he may play."""
        found = king.legal_cards(
            LANES.cards(self.hand),
            table,
            contract=self.contract,
            trump=self.trump,
            declares=self.declares,
            variety=self.variety,
            players=self.players,
            rules=self.options,
        )
        return LANES.mask(found)

    # what he does

    def plays(self, name: str, *tricks: str) -> str:
        """Play tricks as a policy wants; return its cards.

        A trick is written as ``"9S KS . 7S"``: what was played before him, himself, and who
        comes after him. The last one may end at the dot.
        """
        played = []
        for trick in tricks:
            before, _, after = (part.split() for part in trick.partition("."))
            options = self.legal(before)
            card = options.bit_length() - 1
            if options & (options - 1):
                card = jitted(name)(self.view(PLAY, options, before), new(0))
                assert options >> card & 1
            played.append(LANES.text(card))
            if len(before) + 1 + len(after) == self.players:
                self._finish(before, card, after)
        return " ".join(played)

    def _finish(self, before: list[str], card: int, after: list[str]) -> None:
        """Take up a whole trick, and what it shows (C-6)."""
        self.hand &= ~(1 << card)
        down = [*before, LANES.text(card), *after]
        led = suit_of(down)
        for number, text in enumerate(down):
            if led >= 0 and SUITS.find(text[1]) != led:
                self.lacks[(number - len(before)) % self.players] |= LANE << 16 * led
        winner = (self._winner(down) - len(before)) % self.players
        self.gone |= LANES.mask(down)
        self.taken[winner] |= LANES.mask(down)
        self.tricks[winner] += 1

    def answers(self, name: str, decision: int, options: int, **fields: Any) -> int:
        """Return a policy's answer to a decision that is not a play."""
        view = self.view(decision, options, [])
        for field, value in fields.items():
            setattr(view, field, value)
        return jitted(name)(view, new(0))

    def names_contract(self, name: str, decision: int, *among: str, last: bool = False) -> str:
        """Return the contract that a policy names among some.

        It has every contract still to name, or this is its `last` deal.
        """
        options = sum(1 << self.names.index(contract) for contract in among)
        left = [int(not last and row < len(self.names)) for row in range(16)]
        return self.names[self.answers(name, decision, options, left=left)]

    def names_trump(self, name: str, decision: int) -> str:
        """Return the trump suit that a policy names; ``"none"`` for no trump."""
        return ("none", *SUITS)[self.answers(name, decision, 0b11111)]

    def bids(self, name: str, above: int = 0) -> int:
        """Return a policy's bid above another; 0 for a pass."""
        options = sum(1 << number for number in range(above + 1, 14)) | 1
        return self.answers(name, BID, options, bid=above)

    def names_penalty(self, name: str) -> str:
        """Return the penalty suit that a policy names (K-A)."""
        return SUITS[self.answers(name, SUIT, 0b1111)]

    def lays_away(self, name: str, decision: int) -> str:
        """Return the two cards that a policy lays away; they leave the hand (K-M)."""
        away = []
        scoring = int(self.rules["scoring"][0, self.row()])
        for _ in range(2):
            options = self.hand & ~scoring or self.hand
            card = self.answers(name, decision, options)
            assert options >> card & 1
            away.append(LANES.text(card))
            self.hand &= ~(1 << card)
            self.away |= 1 << card
        return " ".join(away)
