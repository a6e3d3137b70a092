"""What the referee of King keeps of a deal while it reads, and how it reads events.

The reader (`Events`) knows the shape of every act (C-10) and, when an act is missing or
superfluous, whose clause that is (C-11). It does not know what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from simlib.games.king.referee_options import ALL_CARDS, SUITS, show
from simlib.games.king.referee_setting import Setting, Values
from simlib.games.refereeing import check_cards, check_keys, is_whole, refuse

__all__ = ["Events", "Table"]

_KEY = {
    "bid": "points",
    "talon": "cards",
    "discard": "cards",
    "play": "card",
    "draw": "card",
    "trick": None,
    "keep": "cards",
}
_NAMED = ("contract", "trump", "suit")

# In which stage of a deal an act belongs: an act of a later stage tells that one is
# missing, an act of an earlier stage that it is superfluous.
_STAGE = {
    "bid": 0, "contract": 1, "suit": 1, "trump": 2, "talon": 3, "discard": 4, "play": 5,
    "trick": 5, "draw": 5, "keep": 6,
}  # fmt: skip


@dataclass
class Table:
    """A deal as far as it has been read."""

    setting: Setting
    number: int
    first: int
    hands: list[set[str]]
    stock: list[str]
    talon: list[str]
    declarer: int | None = None
    contract: str | None = None
    trump: str | None = None
    penalty: str | None = None
    bid: int = 0
    aside: list[str] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    laid_away: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    drawn: int = 0
    ending: str = "played"
    scores: list[int] = field(default_factory=list)
    decisions: int = 0
    options: int = 0
    only_plays: bool = True

    @property
    def values(self) -> Values:
        """What scores in this deal; its contract or penalty suit is known."""
        return self.setting.values(self.contract, self.penalty)

    def seat(self, number: int) -> int:
        """Return seat `number` of this deal (C-3)."""
        return (self.first + number) % self.setting.players

    def decide(self, count: int, *, play: bool = False) -> None:
        """Count a decision point, if it has more than one option."""
        if count > 1:
            self.decisions += 1
            self.options += count
            self.only_plays = self.only_plays and play

    def holders(self) -> list[int]:
        """Return the seats that have cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]


def act_clause(setting: Setting, kind: str) -> str:
    """Return the clause of an act, for one that is missing or superfluous (C-11)."""
    if kind in ("bid", "suit"):
        return "K-A"
    if kind == "contract":
        return setting.clause if setting.orders or setting.bids else "K-7"
    if kind == "trump":
        return "K-O"
    if kind in ("talon", "discard"):
        return setting.talon_clause
    return "K-D" if kind in ("draw", "keep") else "K-2"


class Events:
    """Reads the events of a deal one by one."""

    def __init__(self, setting: Setting, deal: int, raw: list[Any]) -> None:
        self.setting = setting
        self.deal = deal
        self.raw = raw
        self.at = 0

    def left(self) -> bool:
        """Tell whether there are events still to be read."""
        return self.at < len(self.raw)

    def refuse(self, clause: str, reason: str) -> NoReturn:
        """Refuse the event that was read last."""
        refuse(clause, reason, deal=self.deal, event=self.at - 1)

    def take(
        self,
        kind: str,
        seat: int,
        *,
        missing: str | None = None,
        seat_clause: str | None = None,
    ) -> Any:
        """Read the next event, which must be this act by this seat, and return its content.

        Parameters
        ----------
        kind
            The act: `do`, or for a `name` the thing named.
        seat
            Who has to act.
        missing
            Clause to cite where the events end too soon; default: the clause of the act.
        seat_clause
            Clause to cite where another seat acts; default: the clause of the act.
        """
        own = act_clause(self.setting, kind)
        if not self.left():
            reason = f"the events end where seat {seat} has to act ({kind})"
            refuse(missing or own, reason, deal=self.deal, event=len(self.raw))
        found, actor, content = self._parse()
        self.at += 1
        if found != kind:
            reason = f"{found} where seat {seat} has to act ({kind})"
            self.refuse(self._odd_clause(kind, found), reason)
        if actor != seat:
            self.refuse(seat_clause or own, f"{kind} by seat {actor}, but it is up to seat {seat}")
        return content

    def end(self, play_clause: str) -> None:
        """Require that no event is left; a superfluous play breaks `play_clause`."""
        if self.left():
            found, _, _ = self._parse()
            self.at += 1
            clause = play_clause if found == "play" else act_clause(self.setting, found)
            self.refuse(clause, f"{found} after the end of the deal")

    def _odd_clause(self, wanted: str, found: str) -> str:
        for kind in ("draw", "keep"):
            if kind in (wanted, found):
                return "K-D"
        missing = _STAGE[found] > _STAGE[wanted]
        return act_clause(self.setting, wanted if missing else found)

    def _parse(self) -> tuple[str, int, Any]:
        """Return kind, seat and content of the next event, or refuse its shape."""
        event = self.raw[self.at]
        if not isinstance(event, dict):
            self._malformed("an event is not a JSON object")
        do = event.get("do")
        if not isinstance(do, str) or not (do == "name" or do in _KEY):
            self._malformed(f"an event does {show(do)}")
        key = self._named(event) if do == "name" else _KEY[do]
        wanted = ["seat", "do"] if key is None else ["seat", "do", key]
        check_keys(event, wanted, f"the event {do}", deal=self.deal, event=self.at)
        seat = event["seat"]
        if not is_whole(seat) or not 0 <= seat < self.setting.players:
            self._malformed(f"seat is {show(seat)}")
        if key is None:
            return do, seat, None
        return (key if do == "name" else do), seat, self._content(key, event[key])

    def _named(self, event: Mapping[str, Any]) -> str:
        named = [key for key in _NAMED if key in event]
        if len(named) != 1:
            self._malformed("the event name does not name exactly one thing")
        return named[0]

    def _content(self, key: str, value: Any) -> Any:
        if key == "points":
            if not is_whole(value):
                self._malformed(f"points is {show(value)}, not a whole number")
        elif key == "cards":
            check_cards(value, ALL_CARDS, "cards", deal=self.deal, event=self.at)
        elif not isinstance(value, str):
            self._malformed(f"{key} is {show(value)}, not a text")
        elif key == "card" and value not in ALL_CARDS:
            refuse("C-1", f"{show(value)} is no card", deal=self.deal, event=self.at)
        elif key == "trump" and value not in (*SUITS, "none"):
            refuse("K-O", f"{show(value)} is no trump", deal=self.deal, event=self.at)
        elif key == "suit" and value not in (*SUITS,):
            refuse("K-A", f"{show(value)} is no suit", deal=self.deal, event=self.at)
        return value

    def _malformed(self, reason: str) -> NoReturn:
        refuse("C-10", reason, deal=self.deal, event=self.at)
