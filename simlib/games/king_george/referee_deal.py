"""One deal of King George III, read event by event (KG-2 to KG-12, C-10)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from simlib.games.king_george.referee_table import DECK, Table, fits
from simlib.games.refereeing import check_cards, check_keys, is_whole, refuse

__all__ = ["Counts", "DealReader", "Ending"]

ENDINGS = ("out", "deadlock", "endless", "truncated")
ENDING_CLAUSE = {"out": "KG-9", "deadlock": "KG-11", "endless": "KG-12", "truncated": "KG-12"}

# The further keys of each event, and the clause of an act that should not be there (C-11).
ACT_KEYS: Mapping[str, tuple[str, ...]] = {
    "play": ("card",),
    "draw": ("card",),
    "recycle": ("stock",),
    "set_aside": (),
    "stop": (),
    "pass": (),
    "out": (),
    "end": (),
}
ACT_CLAUSE = {"draw": "KG-5", "recycle": "KG-6", "pass": "KG-7", "set_aside": "KG-8", "out": "KG-9"}


class Event(NamedTuple):
    """One event whose shape is right; `card` and `stock` are empty where it has none."""

    seat: int
    do: str
    card: str
    stock: list[str]


class Point(NamedTuple):
    """What may come next.

    Attributes
    ----------
    acts : tuple of str
        The acts that may come.
    missing : str
        The clause broken where none of them comes.
    due : str
        The same in words.
    firm : bool
        Whether anything else shows that the act was left out, rather than that the other
        act is one too many.
    """

    acts: tuple[str, ...]
    missing: str
    due: str
    firm: bool = False


LEAD = Point(("play",), "KG-2", "a lead")
PLAY = Point(("play",), "KG-4", "a fitting card")
RUN = Point(("play", "stop"), "KG-4", "a further card or a stop")
DRAW = Point(("draw",), "KG-5", "a draw")
PLAY_DRAWN = Point(("play",), "KG-5", "the card drawn")
RECYCLE = Point(("recycle",), "KG-6", "a recycling of the pile", firm=True)
PASS = Point(("pass",), "KG-7", "a pass")
SET_ASIDE = Point(("set_aside",), "KG-8", "setting the pile aside", firm=True)
OUT = Point(("out",), "KG-9", "going out", firm=True)
END = Point(("end",), "C-10", "the end of the turn")


@dataclass
class Counts:
    """What KG-14 counts in a deal."""

    turns: int = 0
    plays: int = 0
    draws: int = 0
    recycles: int = 0
    resets: int = 0
    passes: int = 0
    longest_draw: int = 0
    longest_run: int = 0
    last_reset: int = -1
    decisions: int = 0
    options: int = 0


class Ending(NamedTuple):
    """How a deal ended (KG-9, KG-11, KG-12)."""

    ending: str
    proof: str | None = None
    cycle_of: int = -1


@dataclass
class DealReader:
    """Reads the events of one deal and refuses the first that the rules do not allow.

    Parameters
    ----------
    number : int
        Index of the deal within the record.
    table : Table
        The table after the deal.
    entry : mapping
        The deal's entry in the record; its keys have been checked.
    moves : mapping
        For each seat, whether its stream moves at each decision (True), never (False), or
        the record does not tell (None).
    """

    number: int
    table: Table
    entry: Mapping[str, Any]
    moves: Mapping[int, bool | None]
    counts: Counts = field(default_factory=Counts)
    _at: int = 0  # index of the next event
    _fresh: bool = True  # nothing of this turn has been read yet
    _closed: str = "KG-3"  # clause of a card put down after the turn's last
    _seen: dict[Hashable, int] = field(default_factory=dict)  # latest turn of each state
    _moved: int = -1  # last turn in which a stream moved for certain
    _unsure: int = -1  # last turn in which one may have moved

    @property
    def _events(self) -> Sequence[object]:
        events: Sequence[object] = self.entry["events"]
        return events

    def read(self) -> Ending:
        """Read every turn up to the deal's end, and check the ending claimed.

        Returns
        -------
        Ending
            The ending that the rules give.

        Raises
        ------
        Refusal
            At the first fault.
        """
        ending = self._ending()
        while ending is None:
            if self._at >= len(self._events):
                self._stopped_early()
            self._turn()
            ending = self._ending()
        if self._at < len(self._events):
            words = ending.ending if ending.proof is None else f"endless ({ending.proof})"
            self._refuse(ENDING_CLAUSE[ending.ending], f"the deal ended before this: {words}")
        self._check_claim(ending)
        return ending

    # Endings

    def _ending(self) -> Ending | None:
        """How the deal ends at the start of this turn, if it does (order: KG-12)."""
        table = self.table
        if table.lap == 0:
            return Ending("out")
        if table.blank >= len(table.order) and not table.can_draw():
            return Ending("deadlock")
        if table.proved_by_orphans():
            return Ending("endless", "orphans")
        cycle_of = self._cycle_of()
        if cycle_of is not None:
            return Ending("endless", "cycle", cycle_of)
        if table.turn >= table.options.max_turns:
            return Ending("truncated")
        return None

    def _cycle_of(self) -> int | None:
        """Latest earlier turn equal to this one, if that ends the deal; note this one (KG-12)."""
        state = self.table.state()
        earlier = self._seen.get(state, -1)
        self._seen[state] = self.table.turn
        if earlier <= self._moved:
            return None
        if earlier <= self._unsure and not self._claims_cycle():
            return None
        return earlier

    def _claims_cycle(self) -> bool:
        last = self._at >= len(self._events)
        return last and self.entry["ending"] == "endless" and self.entry.get("proof") == "cycle"

    def _stopped_early(self) -> NoReturn:
        claim = self._claim()
        self._refuse(ENDING_CLAUSE[claim], f"the deal is not at its end, so not {claim}")

    def _claim(self) -> str:
        claim = self.entry["ending"]
        if not isinstance(claim, str) or claim not in ENDINGS:
            refuse("C-10", f"ending is {claim!r}; valid: {', '.join(ENDINGS)}", deal=self.number)
        return claim

    def _check_claim(self, true: Ending) -> None:
        clause, entry = ENDING_CLAUSE[true.ending], self.entry
        if self._claim() != true.ending:
            reason = f"ending is {entry['ending']!r}; the deal ended as {true.ending}"
            refuse(clause, reason, deal=self.number)
        wanted: dict[str, object] = {}
        if true.proof is not None:
            wanted["proof"] = true.proof
        if true.proof == "cycle":
            wanted["cycle_of"] = true.cycle_of
        for key in ("proof", "cycle_of"):
            if key in entry and key not in wanted:
                clause = "KG-12" if wanted else "C-10"
                refuse(clause, f"{key} has no place in this deal", deal=self.number)
            if key not in wanted:
                continue
            found = entry.get(key)
            if isinstance(found, bool | float) or found != wanted[key]:
                refuse("KG-12", f"{key} is {found!r}, not {wanted[key]!r}", deal=self.number)

    # One turn

    def _turn(self) -> None:
        """Read one turn (C-10: every turn is closed by `end`)."""
        counts, table = self.counts, self.table
        plays, draws = counts.plays, counts.draws
        self._fresh, self._closed = True, "KG-3"
        self._acts()
        self._expect(END)
        counts.longest_draw = max(counts.longest_draw, counts.draws - draws)
        counts.longest_run = max(counts.longest_run, counts.plays - plays)
        counts.turns += 1
        table.end_turn(counts.plays - plays)

    def _acts(self) -> None:
        """All of a turn but its `end`: a lead, a fitting card or draws, then the run (KG-4)."""
        table = self.table
        if not table.pile:
            over = self._play(table.hand, LEAD)
            if not over and table.options.lead == "one":
                self._closed = "KG-2"
                over = True
        elif table.fitting():
            over = self._play(table.fitting(), PLAY)
        else:
            over = self._draw()
        while not over:
            over = self._run_on()

    def _play(self, cards: Collection[str], point: Point) -> bool:
        """Read the playing of one of `cards`; tell whether the turn is over."""
        self._decide(len(cards))
        return self._put(self._expect(point), cards)

    def _run_on(self) -> bool:
        """Read a further card of the run or its end (KG-4, KG-13)."""
        cards = self.table.fitting()
        if not cards:
            return True
        if self.table.options.must_run:
            return self._play(cards, PLAY)
        self._decide(len(cards) + 1)
        event = self._expect(RUN)
        if event.do == "stop":
            self._closed = "KG-4"
            return True
        return self._put(event, cards)

    def _put(self, event: Event, cards: Collection[str]) -> bool:
        """Put a card down, with what follows from it (KG-8, KG-9)."""
        table = self.table
        if event.card not in table.hand:
            self._refuse("C-7", f"seat {event.seat} does not hold {event.card}", back=1)
        if event.card not in cards:
            top = table.pile[-1]
            self._refuse("KG-3", f"{event.card} does not fit on {top}", back=1)
        table.hand.remove(event.card)
        table.pile.append(event.card)
        self.counts.plays += 1
        over = event.card[0] == "A" and self._ace()
        if not table.hand:
            self._expect(OUT)
            table.go_out()
            self._closed = "KG-9"
            over = True
        return over

    def _ace(self) -> bool:
        """Read what an ace does; tell whether it ends the turn (KG-8)."""
        table = self.table
        if not table.resets_left(table.seat):
            return False
        if table.options.ace_choice:
            self._decide(2)
            event = self._peek()
            if event is None or event.do != "set_aside":
                return False
        self._expect(SET_ASIDE)
        table.set_aside()
        self.counts.resets += 1
        self.counts.last_reset = table.turn
        self._closed = "KG-8"
        return True

    # Drawing

    def _draw(self) -> bool:
        """Read the draws of a player without a fitting card; tell whether his turn is over."""
        table = self.table
        drawn = 0
        while table.can_draw() and (drawn == 0 or table.options.draw == "until_fits"):
            if not table.stock:
                self._recycle()
            card = self._draw_one()
            drawn += 1
            if fits(card, table.pile[-1], table.options):
                return self._put(self._expect(PLAY_DRAWN), [card])
        self._expect(PASS)
        self._closed = "KG-7"
        self.counts.passes += 1
        return True

    def _draw_one(self) -> str:
        table = self.table
        event, card = self._expect(DRAW), table.stock[0]
        if event.card != card:
            self._refuse("KG-5", f"draws {event.card}; the stock's next card is {card}", back=1)
        table.hand.add(table.stock.pop(0))
        self.counts.draws += 1
        if table.options.recycle_when == "emptied" and not table.stock and table.can_recycle():
            self._recycle()
        return card

    def _recycle(self) -> None:
        """Read the pile being turned over, its top card staying (KG-6)."""
        table = self.table
        event, rest = self._expect(RECYCLE), table.pile[:-1]
        shuffled = table.options.recycle == "shuffle"
        same = sorted(event.stock) == sorted(rest) if shuffled else event.stock == rest
        if not same:
            self._refuse("KG-6", f"the new stock is not {' '.join(rest)}", back=1)
        table.stock, table.pile = list(event.stock), table.pile[-1:]
        self.counts.recycles += 1
        if shuffled and len(rest) > 1:
            self._moved = table.turn

    # Events and decisions

    def _decide(self, options: int) -> None:
        """Count a decision of the acting seat; one option is none (C-5, KG-13)."""
        if options < 2:
            return
        self.counts.decisions += 1
        self.counts.options += options
        moves = self.moves[self.table.seat]
        if moves is None:
            self._unsure = self.table.turn
        elif moves:
            self._moved = self.table.turn

    def _peek(self) -> Event | None:
        if self._at >= len(self._events):
            return None
        return self._shaped(self._events[self._at])

    def _shaped(self, raw: object) -> Event:
        """Require the shape of an event (C-10)."""
        where: dict[str, Any] = {"deal": self.number, "event": self._at}
        do = raw.get("do") if isinstance(raw, dict) else None
        if not isinstance(do, str) or do not in ACT_KEYS:
            refuse("C-10", f"no event of this game: valid `do`: {', '.join(ACT_KEYS)}", **where)
        event = check_keys(raw, ("seat", "do", *ACT_KEYS[do]), f"a {do} event", **where)
        seat = event["seat"]
        if not is_whole(seat):
            refuse("C-10", f"seat is {seat!r}, not a whole number", **where)
        if seat not in self.table.order:
            refuse("C-2", f"seat {seat} has no part in this deal", **where)
        card, stock = "", []
        if "card" in event:
            card = check_cards([event["card"]], DECK, f"a {do} event", **where)[0]
        if "stock" in event:
            stock = check_cards(event["stock"], DECK, f"a {do} event", **where)
        return Event(seat, do, card, stock)

    def _expect(self, point: Point) -> Event:
        """Take the next event, which must be one of `point` by the acting seat."""
        event = self._peek()
        if event is None:
            self._refuse(point.missing, f"the record stops where {point.due} is due")
        if event.seat != self.table.seat:
            self._wrong_seat(point, event)
        if event.do not in point.acts:
            self._wrong_act(point, event)
        self._at += 1
        self._fresh = False
        return event

    def _wrong_seat(self, point: Point, event: Event) -> NoReturn:
        seat = self.table.seat
        reason = f"seat {event.seat} acts where {point.due} of seat {seat} is due"
        if self._fresh:
            # In the last turns KG-9 says who still has one.
            self._refuse("C-2" if self.table.lap is None else "KG-9", reason)
        self._refuse("C-2" if event.do in point.acts else point.missing, reason)

    def _wrong_act(self, point: Point, event: Event) -> NoReturn:
        """Name the most specific clause for an act out of place (C-11)."""
        reason = f"{event.do} where {point.due} is due"
        if event.do == "end":
            self._refuse(point.missing, reason)
        if event.do == "play":
            self._refuse(self._clause_of_play(point, event.card), f"{reason} ({event.card})")
        if point.firm and not self._comes_later(point):
            self._refuse(point.missing, reason)
        if event.do == "stop":
            self._refuse("KG-4" if "play" in point.acts else "KG-13", reason)
        self._refuse(ACT_CLAUSE[event.do], reason)

    def _clause_of_play(self, point: Point, card: str) -> str:
        table = self.table
        if point in (SET_ASIDE, OUT):
            return point.missing
        if card not in table.hand:
            return point.missing if point in (DRAW, RECYCLE) else "C-7"
        if table.pile and not fits(card, table.pile[-1], table.options):
            return "KG-3"
        return point.missing if point.firm else self._closed

    def _comes_later(self, point: Point) -> bool:
        """Tell whether the act due stands further on in this turn: then the other is too much."""
        for raw in self._events[self._at + 1 :]:
            do = raw.get("do") if isinstance(raw, dict) else None
            if do == "end":
                return False
            if do in point.acts:
                return True
        return False

    def _refuse(self, clause: str, reason: str, *, back: int = 0) -> NoReturn:
        refuse(clause, reason, deal=self.number, event=self._at - back)
