"""A deal of the kernel laid out with concrete cards and played decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from simlib.cards import ACE_LOW
from simlib.games.control import ERROR, new_control
from simlib.games.royal_corners import kernel
from simlib.games.royal_corners.faces import in_words
from simlib.games.royal_corners.kernel_deal import NO_ANSWER, look_again
from simlib.games.royal_corners.outcome import ENDINGS
from simlib.games.royal_corners.rules import RoyalCornersRules, pack
from simlib.jit import Compiled
from simlib.policy import PAUSE, policy

STOP = "stop"


@policy("royal-corners", builtin=True)
def pausing(view: Any, rng: Any) -> int:
    """Leaves the deal where it is."""
    return PAUSE


def _go_on(rules: Any, policies: Any, work: Any, control: Any, again: bool) -> int:
    states, streams, views, templates = work
    if again:
        look_again(rules[0], states[0])
    return kernel.play_on(rules[0], policies, states[0], streams, views, templates, control, None)


def _signature() -> Any:
    args = kernel._signature(False).args
    return types.int64(args[0], args[1], args[7], args[8], types.boolean)


go_on = Compiled(_go_on, _signature)


def code(text: str) -> int:
    """``5H>0`` from hand, ``*5H>0`` from the stock, ``1>2`` a pile, ``stop``."""
    if text == STOP:
        return -1
    left, right = text.split(">")
    if left[0] == "*":
        return 52 * 8 + int(right)
    source = 53 + int(left) if len(left) == 1 else ACE_LOW.number(left)
    return source * 8 + int(right)


class Stepper:
    """Play a deal from hands, corners and stock written out; players by place in turn order.

    Parameters
    ----------
    hands : sequence of str
        For each player his cards, for example ``"5H KS"``.
    corners : str or sequence of str
        One card a corner as one text, or a text for each pile.
    stock : str
        Next card first.
    first : int
        Seat that acts first.
    options
        Options that are not their defaults.
    """

    def __init__(
        self,
        hands: Sequence[str],
        corners: str | Sequence[str],
        stock: str = "",
        *,
        first: int = 0,
        **options: Any,
    ) -> None:
        self.players = len(hands)
        self.rules = pack(RoyalCornersRules(**options), self.players)
        self.rules["stepping"] = 1
        self.work = kernel.scratch(self.rules, np.zeros((4, 8)))
        self.control = new_control()
        self.state = self.work[0][0]
        self._lay_out(hands, corners.split() if isinstance(corners, str) else corners, stock)
        self.state["first"] = self.state["player"] = first
        self._policies = (pausing.compiled(),) * 4
        self.ending = ""
        self._run(again=True)

    def _lay_out(self, hands: Sequence[str], corners: Sequence[str], stock: str) -> None:
        state = self.state
        for seat, hand in enumerate(hands):
            state["hands"][seat] = ACE_LOW.mask(hand.split())
        state["first_cards"] = state["last_cards"] = -1
        for corner, pile in enumerate(corners):
            cards = [ACE_LOW.number(card) for card in pile.split()]
            if cards:
                state["first_cards"][corner], state["last_cards"][corner] = cards[0], cards[-1]
                state["cards"][corner] = sum(1 << card for card in cards)
        below = [ACE_LOW.number(card) for card in stock.split()]
        state["head"] = 52 - len(below)
        state["deck"][52 - len(below) :] = below
        state["out_order"] = state["first_out_turn"] = -1
        state["pending"] = NO_ANSWER

    def _run(self, again: bool = False) -> None:
        result = go_on(self.rules, self._policies, self.work, self.control, again)
        if self.control[ERROR]:
            self.ending = "refused"
        elif result != kernel.PAUSED:
            self.ending = ENDINGS[result]

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        return int(self.state["player"])

    @property
    def view(self) -> Any:
        """What he sees."""
        return self.work[2][self.seat]

    def view_bytes(self) -> bytes:
        """The whole of it."""
        return bytes(self.work[2][self.seat : self.seat + 1].tobytes())

    @property
    def moves(self) -> list[str]:
        """His moves, without stop, in the order of RC-12."""
        assert not self.ending
        options = self.view["options"]
        found = [
            in_words(source * 8 + corner, int(self.view["open_card"]))
            for source in range(64)
            for corner in range(8)
            if options[source] >> corner & 1
        ]
        assert len(found) == self.view["moves"]
        return found

    def do(self, *acts: str) -> Stepper:
        """Answer the next decisions."""
        for act in acts:
            self.answer(code(act))
        return self

    def answer(self, number: int) -> None:
        """Answer a decision by its number."""
        assert not self.ending, f"the deal has ended as {self.ending}"
        self.state["pending"] = number
        self._run()

    def hand(self, seat: int) -> list[str]:
        return ACE_LOW.cards(int(self.state["hands"][seat]))

    @property
    def stock(self) -> list[str]:
        return [ACE_LOW.text(card) for card in self.state["deck"][int(self.state["head"]) :]]

    def __getattr__(self, name: str) -> int:
        return int(self.state[name])
