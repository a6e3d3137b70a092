"""One deal of Royal Corners, read event by event (RC-1, RC-2, RC-8 to RC-12).

Part of the referee: it decides who acts, what each turn must hold and when the deal
ends; which moves fit is decided in ``referee_table``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from simlib.games.refereeing import Fault, Refusal, check_cards, check_keys, is_whole
from simlib.games.royal_corners.referee_table import DECK, KING, ORDINARY, Bar, Table

__all__ = ["Played", "read_deal"]

DEAL_KEYS = (
    "deal", "first", "seats", "declarer", "contract", "trump", "hands", "stock",
    "table", "events", "ending", "scores",
)  # fmt: skip
EVENT_KEYS = {
    "play": ("seat", "do", "card", "from", "to"),
    "move": ("seat", "do", "from", "to"),
    "stop": ("seat", "do"),
    "draw": ("seat", "do", "card"),
    "out": ("seat", "do"),
    "end": ("seat", "do"),
}
HAND_SIZE = 7  # RC-1, where the option is null


@dataclass
class Played:
    """What a deal came to, recomputed: the columns of RC-13.

    ``penalty``, ``cards_left`` and ``kings_left`` hold one number a seat; ``outs`` are the seats
    in the order of going out, the first in turn ``first_out_turn``.
    """

    penalty: list[int]
    cards_left: list[int]
    kings_left: list[int]
    ending: str = ""
    turns: int = 0
    hand_plays: int = 0
    stock_plays: int = 0
    pile_moves: int = 0
    draws: int = 0
    stock_left: int = 0
    someone_out: bool = False
    outs: list[int] = field(default_factory=list)
    first_out_turn: int = -1
    decisions: int = 0
    options: int = 0


@dataclass
class _Turn:
    """What has been done so far in the turn being played."""

    seat: int
    owes_first_draw: bool
    begun: bool = False
    hand_plays: int = 0
    moved: bool = False
    drew: bool = False
    stopped: bool = False
    gone: bool = False


def read_deal(
    value: object, *, number: int, first: int, players: int, rules: Mapping[str, Any]
) -> Played:
    """Check one entry of ``deals`` (C-10) and return what it comes to.

    Parameters
    ----------
    value : object
        Anything that JSON can hold.
    number, first : int
        Which deal of the game it is, and which seat begins it (C-3).
    players : int
    rules : Mapping
        Every option of the game, each with an allowed value.

    Returns
    -------
    Played

    Raises
    ------
    Refusal
        At the first fault.
    """
    deal = check_keys(value, DEAL_KEYS, "the deal", deal=number)
    check = _Start(deal, number, players, rules)
    check.head(first)
    table = check.cards()
    check.ending_and_scores()
    played = _Reader(table, number, first).read(deal["events"], deal["ending"])
    if deal["scores"] != [-points for points in played.penalty]:
        check.refuse("RC-11", f"scores are {deal['scores']}, not minus {played.penalty}")
    return played


class _Start:
    """The parts of a deal that stand before its events, and the shape of its scores."""

    def __init__(
        self, deal: Mapping[str, Any], number: int, players: int, rules: Mapping[str, Any]
    ) -> None:
        self.deal = deal
        self.number = number
        self.players = players
        self.rules = rules

    def refuse(self, clause: str, reason: str) -> NoReturn:
        raise Refusal(Fault(clause, reason, self.number))

    def head(self, first: int) -> None:
        """Check number, first seat and seats (C-3, C-10), and what only King fills."""
        deal = self.deal
        if not is_whole(deal["deal"]) or deal["deal"] != self.number:
            self.refuse("C-10", f"deal is {deal['deal']!r}, not {self.number}")
        if not is_whole(deal["first"]) or deal["first"] != first:
            self.refuse("C-3", f"first is {deal['first']!r}, not {first}")
        seats = deal["seats"]
        if not isinstance(seats, list) or not all(map(is_whole, seats)):
            self.refuse("C-10", "seats is not a list of seats")
        if seats != list(range(self.players)):
            self.refuse("C-10", f"seats is {seats}, not every seat in ascending order")
        for key in ("declarer", "contract", "trump"):
            if deal[key] is not None:
                self.refuse("C-10", f"{key} is {deal[key]!r}; it is null in Royal Corners")

    def cards(self) -> Table:
        """Check how the deck lies as play begins (RC-1, RC-14, C-7)."""
        hands = self._lists(self.deal["hands"], "hands")
        shown = check_keys(self.deal["table"], ("corners",), "table", deal=self.number)
        corners = self._lists(shown["corners"], "corners")
        stock = check_cards(self.deal["stock"], DECK, "stock", deal=self.number)
        size = HAND_SIZE if self.rules["hand_size"] is None else self.rules["hand_size"]
        if len(hands) != self.players:
            self.refuse("C-10", f"{len(hands)} hands for {self.players} players")
        for seat, hand in enumerate(hands):
            if len(hand) != size:
                self.refuse("RC-1", f"seat {seat} was dealt {len(hand)} cards, not {size}")
        self._corners(corners)
        everything = [card for part in (*hands, *corners, stock) for card in part]
        if len(everything) != len(DECK) or set(everything) != DECK:
            self.refuse("C-7", "hands, corners and stock are not the whole deck, each card once")
        return Table(hands, corners, stock, self.rules)

    def _corners(self, corners: list[list[str]]) -> None:
        wanted = ORDINARY + self.rules["king_corners"]
        if len(corners) < ORDINARY or any(len(pile) != 1 for pile in corners[:ORDINARY]):
            self.refuse("RC-1", "corners 0-3 do not start with one card each")
        if len(corners) != wanted:
            self.refuse("RC-14", f"the table has {len(corners)} corners, not {wanted}")
        if any(corners[ORDINARY:]):
            self.refuse("RC-14", "a king corner is not empty at the start")

    def _lists(self, value: object, where: str) -> list[list[str]]:
        if not isinstance(value, list):
            self.refuse("C-10", f"{where} is not a list of lists of cards")
        return [
            check_cards(part, DECK, f"{where}[{i}]", deal=self.number)
            for i, part in enumerate(value)
        ]

    def ending_and_scores(self) -> None:
        """Check the shape of what stands after the events (C-10)."""
        if not isinstance(self.deal["events"], list):
            self.refuse("C-10", "events is not a list")
        if not isinstance(self.deal["ending"], str):
            self.refuse("C-10", "ending is not a text")
        scores = self.deal["scores"]
        if not isinstance(scores, list) or len(scores) != self.players:
            self.refuse("C-10", "scores is not a list with one entry a seat")
        if not all(map(is_whole, scores)):
            self.refuse("C-10", "scores holds something that is not a whole number")


class _Reader:
    """Plays a deal's events over on a table and stops at the first that is not allowed."""

    def __init__(self, table: Table, number: int, first: int) -> None:
        self.table = table
        self.number = number
        self.event: int | None = None
        self.draw_rule = table.rules["draw"]
        self.remaining = [True] * len(table.hands)
        self.played = Played([], [], [])
        self.still = 0  # turns in succession without a move or a draw (RC-10)
        self.could_move = False  # in one of them somebody could have moved
        self.turn = self._begin(first)
        self.acts = {
            "play": self._play, "move": self._move, "stop": self._stop,
            "draw": self._draw, "out": self._out, "end": self._end,
        }  # fmt: skip

    def refuse(self, clause: str, reason: str) -> NoReturn:
        raise Refusal(Fault(clause, reason, self.number, self.event))

    def read(self, events: list[Any], ending: str) -> Played:
        """Read all events, and require that they end where and as RC-10 and RC-12 say."""
        played = self.played
        for self.event, event in enumerate(events):
            if played.ending:
                clause = "RC-12" if played.ending == "truncated" else "RC-10"
                self.refuse(clause, f"play goes on after the deal ended as {played.ending}")
            self._read_event(event)
        self.event = None
        if not played.ending:
            if self.turn.begun:
                self.refuse("C-10", "the last turn is not closed by end")
            clause = "RC-12" if ending == "truncated" else "RC-10"
            self.refuse(clause, f"play stops after {played.turns} turns, but the deal is not over")
        if ending != played.ending:
            clause = "RC-12" if "truncated" in (ending, played.ending) else "RC-10"
            self.refuse(clause, f"ending is {ending!r}, not {played.ending}")
        self._count_hands()
        return played

    def _count_hands(self) -> None:
        hands, played = self.table.hands, self.played
        played.stock_left = len(self.table.stock)
        played.cards_left = [len(hand) for hand in hands]
        played.kings_left = [sum(card[0] == KING for card in hand) for hand in hands]
        kings_and_cards = zip(played.kings_left, played.cards_left, strict=True)
        played.penalty = [10 * kings + (cards - kings) for kings, cards in kings_and_cards]

    def _read_event(self, value: object) -> None:
        do = value.get("do") if isinstance(value, dict) else None
        if not isinstance(do, str) or do not in EVENT_KEYS:
            self.refuse("C-10", f"{do!r} is no event of Royal Corners")
        keys = EVENT_KEYS[do]
        event = check_keys(value, keys, "the event", deal=self.number, event=self.event)
        if not is_whole(event["seat"]) or not 0 <= event["seat"] < len(self.remaining):
            self.refuse("C-10", f"{event['seat']!r} is no seat")
        if "card" in keys and not (isinstance(event["card"], str) and event["card"] in DECK):
            self.refuse("C-1", f"{event['card']!r} is no card of this deck")
        self._check_turn(event["seat"], do)
        self.acts[do](event)
        if do != "end":
            self.turn.begun = True

    def _check_turn(self, seat: int, do: str) -> None:
        if seat == self.turn.seat:
            return
        if not self.remaining[seat]:
            self.refuse("RC-9", f"seat {seat} acts, but is out")
        if self.turn.begun and do != "end" and self._may_end():
            self.refuse("C-10", f"the turn of seat {self.turn.seat} is not closed by end")
        self.refuse("RC-2", f"seat {seat} acts in the turn of seat {self.turn.seat}")

    # What is due

    def _begin(self, seat: int) -> _Turn:
        return _Turn(seat, self.draw_rule == "turn_start" and bool(self.table.stock))

    def _has_cards(self) -> bool:
        return bool(self.table.hands[self.turn.seat])

    def _owes_last_draw(self) -> bool:
        """Tell whether the turn has to end with a draw that is not made yet (RC-8)."""
        turn = self.turn
        if turn.drew or not self.table.stock or not self._has_cards():
            return False
        return self.draw_rule == "every_turn" or (
            self.draw_rule == "after_play" and turn.hand_plays > 0
        )

    def _closing(self) -> bool:
        """Tell whether the draw that ends a turn was made; a card it brings is not played."""
        return self.turn.drew and self.draw_rule != "turn_start"

    def _may_choose(self) -> bool:
        """Tell whether a move is possible and neither taken nor declined by `stop`."""
        if self.turn.stopped or self._closing():
            return False
        return self.table.count_moves(self.turn.seat) > 0

    def _may_end(self) -> bool:
        if not self._has_cards():
            return self.turn.gone
        return not (self.turn.owes_first_draw or self._owes_last_draw() or self._may_choose())

    # The six events

    def _play(self, event: Mapping[str, Any]) -> None:
        source = event["from"]
        if source != "hand" and source != "stock":
            self.refuse("C-10", f"a card is played from hand or stock, not from {source!r}")
        corner = self._corner(event["to"])
        self._check_choosing("moves")
        seat, card = self.turn.seat, event["card"]
        self._allow(self.table.bar_to_play(seat, card, source, corner))
        self._count_decision()
        self.table.play(seat, card, source, corner)
        self.turn.moved = True
        if source == "hand":
            self.turn.hand_plays += 1
            self.played.hand_plays += 1
        else:
            self.played.stock_plays += 1

    def _move(self, event: Mapping[str, Any]) -> None:
        source, target = self._corner(event["from"]), self._corner(event["to"])
        self._check_choosing("moves")
        self._allow(self.table.bar_to_move(source, target))
        self._count_decision()
        self.table.move(source, target)
        self.turn.moved = True
        self.played.pile_moves += 1

    def _stop(self, event: Mapping[str, Any]) -> None:
        self._check_choosing("stops")
        if not self._may_choose():
            self.refuse("RC-12", "stop is recorded though no move was possible")
        self._count_decision()
        self.turn.stopped = True

    def _draw(self, event: Mapping[str, Any]) -> None:
        turn = self.turn
        if not self._has_cards():
            self.refuse("RC-9", "a player without cards draws")
        if not (turn.owes_first_draw or self._owes_last_draw()):
            self.refuse("RC-8", f"no card is to be drawn here under draw={self.draw_rule}")
        if not turn.owes_first_draw and self._may_choose():
            self.refuse("RC-12", "the turn ends without stop though a move was possible")
        if event["card"] != self.table.stock[0]:
            self.refuse("RC-8", f"{event['card']} is not the stock's top card")
        self.table.draw(turn.seat)
        turn.drew = True
        turn.owes_first_draw = False
        self.played.draws += 1

    def _out(self, event: Mapping[str, Any]) -> None:
        if self._has_cards() or self.turn.gone:
            self.refuse("RC-9", "out is recorded though no last card was just played")
        self.turn.gone = True
        self.remaining[self.turn.seat] = False
        self.played.someone_out = True
        if not self.played.outs:
            self.played.first_out_turn = self.played.turns
        self.played.outs.append(self.turn.seat)

    def _end(self, event: Mapping[str, Any]) -> None:
        if not self._has_cards() and not self.turn.gone:
            self.refuse("RC-9", "a player without cards is not recorded as out")
        if self.turn.owes_first_draw:
            self.refuse("RC-8", "the turn has no draw at its start")
        if self._has_cards() and self._may_choose():
            self.refuse("RC-12", "the turn ends without stop though a move was possible")
        if self._owes_last_draw():
            self.refuse("RC-8", f"the turn ends without the draw of draw={self.draw_rule}")
        self._close_turn()

    # Their parts

    def _corner(self, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 8:
            self.refuse("C-10", f"{value!r} is no corner")
        if value >= len(self.table.corners):
            self.refuse("RC-14", f"there is no king corner {value} under king_corners=0")
        return value

    def _check_choosing(self, does: str) -> None:
        """Require that the player may still choose: before his end, after a first draw."""
        turn = self.turn
        if not self._has_cards():
            self.refuse("RC-9", f"a player without cards {does}")
        if turn.owes_first_draw:
            self.refuse("RC-8", "the turn has no draw at its start")
        if does == "moves" and self._closing():
            self.refuse("RC-8", "a move is made after the draw that ends the turn")
        if does == "moves" and turn.stopped:
            self.refuse("RC-2", "a move is made after stop, which ended the turn")

    def _allow(self, bar: Bar | None) -> None:
        if bar is not None:
            self.refuse(bar.clause, bar.reason)

    def _count_decision(self) -> None:
        """Count the point just answered; with a move possible, `stop` is one option more."""
        self.played.decisions += 1
        self.played.options += self.table.count_moves(self.turn.seat) + 1

    def _close_turn(self) -> None:
        turn = self.turn
        if turn.moved or turn.drew:
            self.still, self.could_move = 0, False
        else:
            self.still += 1
            self.could_move |= turn.stopped
        self.played.turns += 1
        self.played.ending = self._ending()
        if not self.played.ending:
            self.table.turn += 1
            self.turn = self._begin(self._next_seat())

    def _next_seat(self) -> int:
        seats = len(self.remaining)
        ahead = ((self.turn.seat + step) % seats for step in range(1, seats + 1))
        return next(seat for seat in ahead if self.remaining[seat])

    def _ending(self) -> str:
        """Name the ending reached with the turn just closed, or return an empty text."""
        left, end = sum(self.remaining), self.table.rules["end"]
        if self.turn.gone and end == "first_out":
            return "first_out"
        if left == 0:
            return "all_out"
        if left == 1 and end == "last_holder":
            return "last_holder"
        if self.still == left:
            return "declined" if self.could_move else "blocked"
        # The guard comes last: an ending on the last turn goes first (RC-12).
        return "truncated" if self.played.turns == self.table.rules["max_turns"] else ""
