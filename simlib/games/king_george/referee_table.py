"""The table of King George III as its referee sees it: options, cards, reach (KG-1 to KG-12)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from simlib.games.refereeing import Option, is_whole

__all__ = ["DECK", "OPTIONS", "Options", "Table", "fits"]

RANKS = "23456789TJQKA"
SUITS = "SHDC"
ACE = RANKS.index("A")
# Rank of each card, 0 for a two to 12 for an ace.
RANK_OF = {rank + suit: RANKS.index(rank) for rank in RANKS for suit in SUITS}
DECK = frozenset(RANK_OF)
HAND_SIZES = {2: 13, 3: 9, 4: 7, 5: 6}


def _one_of(*words: str) -> Option:
    return Option(lambda value: isinstance(value, str) and value in words, ", ".join(words))


def _whole(low: int, high: int | None = None) -> Option:
    words = f"a whole number from {low}" + ("" if high is None else f" to {high}")
    return Option(
        lambda value: is_whole(value) and value >= low and (high is None or value <= high), words
    )


TRUTH = Option(lambda value: isinstance(value, bool), "true, false")
HAND_SIZE = Option(lambda value: value is None or (is_whole(value) and value >= 1), "null, 1, 2, …")

OPTIONS: Mapping[str, Option] = {
    "hand_size": HAND_SIZE,  # its upper end hangs on the number of players: `most_cards`
    "lead": _one_of("one", "run"),
    "wrap": TRUTH,
    "ace_fits": _one_of("neighbour", "any"),
    "must_run": TRUTH,
    "draw": _one_of("until_fits", "one"),
    "recycle": _one_of("turn", "shuffle", "none"),
    "recycle_when": _one_of("needed", "emptied"),
    "ace_resets": _whole(0, 4),
    "ace_choice": TRUTH,
    "ace_scope": _one_of("deal", "player"),
    "after_out": _one_of("lap", "round", "none"),
    "out_tie": _one_of("playoff", "share"),
    "max_playoffs": _whole(0),
    "deadlock_tie": _one_of("share", "playoff"),
    "max_turns": _whole(1),
    "endless": _one_of("none", "fewest"),
    "first": _one_of("zero", "rotate"),
}


@dataclass(frozen=True)
class Options:
    """The options of a record, one field each, named as in RULES.md."""

    hand_size: int | None
    lead: str
    wrap: bool
    ace_fits: str
    must_run: bool
    draw: str
    recycle: str
    recycle_when: str
    ace_resets: int
    ace_choice: bool
    ace_scope: str
    after_out: str
    out_tie: str
    max_playoffs: int
    deadlock_tie: str
    max_turns: int
    endless: str
    first: str

    def cards_each(self, players: int) -> int:
        """Cards dealt to each of `players` players (KG-1)."""
        return HAND_SIZES[players] if self.hand_size is None else self.hand_size


def most_cards(players: int) -> int:
    """Largest `hand_size` that leaves a card in the stock (KG-1)."""
    return (len(DECK) - 1) // players


def _rank_fits(rank: int, top: int, options: Options) -> bool:
    if options.ace_fits == "any" and rank == ACE:
        return True
    gap = abs(rank - top)
    return gap <= 1 or (options.wrap and gap == ACE)


def fits(card: str, top: str, options: Options) -> bool:
    """Tell whether `card` may be put on `top` (KG-3); with ``ace_fits=any`` not symmetric."""
    return _rank_fits(RANK_OF[card], RANK_OF[top], options)


@dataclass
class Table:
    """Where every card of one deal is, and what the clauses count (KG-8, KG-9, KG-11).

    Attributes
    ----------
    order : sequence of int
        The deal's seats in turn order, its `first` at the head.
    hands : dict
        Cards held by seat.
    stock, pile, aside : list of str
        Stock, next card first; pile, oldest card first; cards out of the game.
    resets : dict
        Piles set aside, by the seat whose ace did it.
    turn : int
        Turns played.
    blank : int
        Turns in a row, up to now, without a card played (KG-11).
    lap : int or None
        Turns left once somebody is out (KG-9), None before that.
    outs : list of int
        Seats that went out, in order.
    """

    options: Options
    order: Sequence[int]
    hands: dict[int, set[str]]
    stock: list[str]
    pile: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    resets: dict[int, int] = field(default_factory=dict)
    turn: int = 0
    blank: int = 0
    lap: int | None = None
    outs: list[int] = field(default_factory=list)

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return self.order[self.turn % len(self.order)]

    @property
    def hand(self) -> set[str]:
        """The cards of the seat whose turn it is."""
        return self.hands[self.seat]

    def fitting(self) -> set[str]:
        """Cards of the acting seat that fit on the pile (KG-3)."""
        return {card for card in self.hand if fits(card, self.pile[-1], self.options)}

    def can_recycle(self) -> bool:
        """Tell whether an empty stock could be made from the pile now (KG-6)."""
        return self.options.recycle != "none" and len(self.pile) > 1

    def can_draw(self) -> bool:
        """Tell whether there is a card to draw, the pile turned over if need be (KG-6, KG-11)."""
        return bool(self.stock) or self.can_recycle()

    def resets_left(self, seat: int) -> bool:
        """Tell whether an ace put down by `seat` could still set a pile aside (KG-8)."""
        used = self.resets.get(seat, 0)
        if self.options.ace_scope == "deal":
            used = sum(self.resets.values())
        return used < self.options.ace_resets

    def set_aside(self) -> None:
        """Take the pile out of the game (KG-8)."""
        self.aside += self.pile
        self.pile = []
        self.resets[self.seat] = self.resets.get(self.seat, 0) + 1

    def go_out(self) -> None:
        """Note that the acting seat is out; the first one starts the last turns (KG-9)."""
        self.outs.append(self.seat)
        if self.lap is not None:
            return
        others = len(self.order) - 1
        later = others - self.order.index(self.seat)
        # One more than the turns of the others: the turn that is closed next counts down too.
        self.lap = 1 + {"lap": others, "round": later, "none": 0}[self.options.after_out]

    def end_turn(self, played: int) -> None:
        """Close a turn in which `played` cards were put down."""
        self.turn += 1
        self.blank = 0 if played else self.blank + 1
        if self.lap is not None:
            self.lap -= 1

    def _in_play(self) -> list[int]:
        cards = [*self.stock, *self.pile, *(card for hand in self.hands.values() for card in hand)]
        return [RANK_OF[card] for card in cards]

    def _reachable(self) -> set[int]:
        """Ranks that can ever be played again from the pile's top card (KG-12)."""
        rest = set(self._in_play())
        found: set[int] = set()
        edge = {RANK_OF[self.pile[-1]]}
        while edge:
            found |= edge
            rest -= edge
            edge = {
                rank for rank in rest if any(_rank_fits(rank, top, self.options) for top in edge)
            }
        return found

    def _settled(self) -> set[int] | None:
        """The reachable ranks, or None while a pile can be set aside or none lies (KG-12)."""
        if not self.pile:
            return None
        found = self._reachable()
        if ACE in found and any(self.resets_left(seat) for seat in self.order):
            return None
        return found

    def orphans(self) -> dict[int, int]:
        """Orphans in each hand; 0 while a pile can be set aside or none lies (KG-14)."""
        found = self._settled()
        if found is None:
            return dict.fromkeys(self.order, 0)
        return {
            seat: sum(RANK_OF[card] not in found for card in self.hands[seat])
            for seat in self.order
        }

    def proved_by_orphans(self) -> bool:
        """Tell whether, at the start of a turn, `orphans` proves that play never ends (KG-12)."""
        if self.outs or self.options.recycle == "none":
            return False
        found = self._settled()
        if found is None or sum(rank in found for rank in self._in_play()) < 2:
            return False
        return all(any(RANK_OF[card] not in found for card in self.hands[k]) for k in self.order)

    def state(self) -> Hashable:
        """Everything that KG-12 compares at the start of a turn, but for the streams."""
        return (
            self.turn % len(self.order),
            self.blank,
            self.lap,
            tuple(frozenset(self.hands[seat]) for seat in self.order),
            tuple(self.stock),
            tuple(self.pile),
            frozenset(self.aside),
            tuple(self.resets.get(seat, 0) for seat in self.order),
        )
