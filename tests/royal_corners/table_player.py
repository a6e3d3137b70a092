"""A tiny player that writes Royal Corners records for the referee's tests.

It shares no code with the referee. It plays at random or by a script; a script is
carried out whether it is allowed or not, so a record can hold one illegal act and be
right in everything that follows from it.
"""

from __future__ import annotations

import copy
import random
from typing import Any

RANKS, SUITS = "A23456789TJQK", "SHDC"
DECK = [rank + suit for rank in RANKS for suit in SUITS]

SEED_RULES: dict[str, Any] = {
    "hand_size": None, "starter": "dealer", "merge": "down", "vacated": "next_move",
    "stock_face": "up", "draw": "after_play", "end": "play_on", "target": 50,
    "max_deals": 200, "max_turns": 1000, "king_corners": 0, "king_pile": False,
    "first": "zero",
}  # fmt: skip
PRESETS: dict[str, dict[str, Any]] = {
    "seed": {},
    "every-turn": {"draw": "every_turn"},
    "pagat": {
        "king_corners": 4, "king_pile": True, "vacated": "always", "stock_face": "down",
        "draw": "every_turn", "end": "first_out", "starter": "left",
    },
}  # fmt: skip

Record = dict[str, Any]
Act = tuple[Any, ...]  # ("play", card, source, corner), ("move", source, target), ("stop",)


def fits(card: str, other: str) -> bool:
    red = {card[1] in "HD", other[1] in "HD"}
    return RANKS.index(other[0]) - RANKS.index(card[0]) == 1 and len(red) == 2


class DealPlayer:
    """Plays one deal; `order` = -1 lets the turn go the wrong way round (a cheat)."""

    def __init__(
        self,
        rules: dict[str, Any],
        hands: list[list[str]],
        corners: list[list[str]],
        stock: list[str],
        *,
        first: int = 0,
        script: list[str] | None = None,
        rng: random.Random | None = None,
        order: int = 1,
    ) -> None:
        self.rules, self.first, self.order = rules, first, order
        self.dealt = copy.deepcopy((hands, corners, stock))
        self.hands, self.corners, self.stock = copy.deepcopy((hands, corners, stock))
        self.script, self.rng = script or [], rng
        self.events: list[dict[str, Any]] = []
        self.out: list[int] = []
        self.rights: dict[int, int] = {}  # emptied corner -> further turns its right lasts
        self.count = dict.fromkeys(
            ("turns", "hand_plays", "stock_plays", "pile_moves", "draws", "decisions", "options"), 0
        )
        self.ending = ""

    def moves(self, seat: int) -> list[Act]:
        sources = [(card, "hand") for card in sorted(self.hands[seat])]
        if self.rules["stock_face"] == "up":
            sources += [(card, "stock") for card in self.stock[:1]]
        corners = range(len(self.corners))
        plays: list[Act] = [
            ("play", card, source, to)
            for card, source in sources
            for to in corners
            if self.takes(to, card)
        ]
        return plays + [("move", a, b) for a in corners for b in corners if self.joins(a, b)]

    def takes(self, corner: int, card: str) -> bool:
        if self.corners[corner]:
            return fits(card, self.corners[corner][-1])
        always = self.rules["vacated"] == "always"
        return card[0] == "K" or (corner < 4 and (always or corner in self.rights))

    def joins(self, a: int, b: int) -> bool:
        if a == b or not self.corners[a]:
            return False
        if not self.corners[b]:
            kings = self.corners[a][0][0] == "K"
            return b >= 4 > a and kings and bool(self.rules["king_pile"])
        head, last = self.corners[a][0], self.corners[b][-1]
        return fits(head, last) if self.rules["merge"] == "down" else fits(last, head)

    def log(self, seat: int, do: str, **keys: Any) -> None:
        self.events.append({"seat": seat, "do": do, **keys})

    def do(self, seat: int, act: Act) -> None:
        while len(self.corners) <= max(to for to in act[1:] if isinstance(to, int)):
            self.corners.append([])  # a corner that does not exist, for a cheat
        if self.rules["vacated"] not in ("turn", "next_turn"):
            self.rights = {}
        if act[0] == "play":
            _, card, source, to = act
            self.log(seat, "play", card=card, **{"from": source, "to": to})
            held = next((pile for pile in (*self.hands, self.stock) if card in pile), [card])
            held.remove(card)
            self.corners[to].append(card)
            self.rights.pop(to, None)
            self.count[f"{source}_plays"] += 1
        else:
            _, a, b = act
            self.log(seat, "move", **{"from": a, "to": b})
            pile, self.corners[a] = self.corners[a], []
            self.corners[b] = self.corners[b] + pile
            self.count["pile_moves"] += 1
            if self.rules["vacated"] != "never":
                self.rights[a] = 1 if self.rules["vacated"] == "next_turn" else 0

    def ask(self, seat: int, scripted: list[str]) -> Act | None:
        """Next act: of the script, at random, or (script used up) stop where one can."""
        moves = self.moves(seat)
        if moves:
            self.count["decisions"] += 1
            self.count["options"] += len(moves) + 1
        if scripted:
            return self.parse(scripted.pop(0))
        if not moves:
            return None
        return self.rng.choice([*moves, ("stop",)]) if self.rng else ("stop",)

    @staticmethod
    def parse(text: str) -> Act | None:
        """``5H>0`` plays from hand, ``*5H>0`` from stock, ``1>2`` moves, ``!`` ends silently."""
        if text in ("!", "stop"):
            return ("stop",) if text == "stop" else None
        left, right = text.split(">")
        if len(left) == 1:
            return ("move", int(left), int(right))
        return ("play", left.lstrip("*"), "stock" if left[0] == "*" else "hand", int(right))

    def take(self, seat: int) -> None:
        if self.stock and self.hands[seat]:
            card = self.stock.pop(0)
            self.log(seat, "draw", card=card)
            self.hands[seat].append(card)
            self.count["draws"] += 1

    def turn(self, seat: int) -> bool:
        """Play one turn and return whether something was moved or drawn."""
        scripted = self.script.pop(0).split() if self.script else []
        before = sum(self.count[k] for k in ("hand_plays", "stock_plays", "pile_moves", "draws"))
        from_hand = self.count["hand_plays"]
        if self.rules["draw"] == "turn_start":
            self.take(seat)
        while self.hands[seat] or scripted:
            act = self.ask(seat, scripted)
            if act is None:
                break
            if act == ("stop",):
                self.could_move = True
                self.log(seat, "stop")
                break
            self.do(seat, act)
        played = self.count["hand_plays"] > from_hand
        if self.rules["draw"] == "every_turn" or (self.rules["draw"] == "after_play" and played):
            self.take(seat)
        if not self.hands[seat]:
            self.log(seat, "out")
            self.out.append(seat)
        self.log(seat, "end")
        if self.rules["vacated"] in ("turn", "next_turn"):
            self.rights = {c: left - 1 for c, left in self.rights.items() if left}
        after = sum(self.count[k] for k in ("hand_plays", "stock_plays", "pile_moves", "draws"))
        return after > before

    def play(self) -> None:
        seats, seat, still = len(self.hands), self.first, 0
        self.could_move = False
        while not self.ending:
            outs = len(self.out)
            if self.turn(seat):
                still, self.could_move = 0, False
            else:
                still += 1
            self.count["turns"] += 1
            left = seats - len(self.out)
            if len(self.out) > outs and self.rules["end"] == "first_out":
                self.ending = "first_out"
            elif not left:
                self.ending = "all_out"
            elif left == 1 and self.rules["end"] == "last_holder":
                self.ending = "last_holder"
            elif still == left:
                self.ending = "declined" if self.could_move else "blocked"
            elif self.count["turns"] == self.rules["max_turns"]:
                self.ending = "truncated"
            else:
                seat = (seat + self.order) % seats
                while seat in self.out:
                    seat = (seat + self.order) % seats

    def penalties(self) -> list[int]:
        return [sum(10 if card[0] == "K" else 1 for card in hand) for hand in self.hands]

    def as_deal(self, number: int) -> dict[str, Any]:
        hands, corners, stock = self.dealt
        return {
            "deal": number, "first": self.first, "seats": list(range(len(hands))),
            "declarer": None, "contract": None, "trump": None, "hands": hands, "stock": stock,
            "table": {"corners": corners}, "events": self.events, "ending": self.ending,
            "scores": [-points for points in self.penalties()],
        }  # fmt: skip

    def row(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "deal": 0, "first": self.first, "ending": self.ending, **self.count,
            "stock_left": len(self.stock), "someone_out": bool(self.out),
            "censored": self.ending == "truncated",
        }  # fmt: skip
        penalties = self.penalties()
        for seat, hand in enumerate(self.hands):
            row[f"penalty_{seat}"] = penalties[seat]
            row[f"cards_left_{seat}"] = len(hand)
            row[f"kings_left_{seat}"] = sum(card[0] == "K" for card in hand)
        return row | shares(penalties)


def shares(penalties: list[int]) -> dict[str, float]:
    best = [k for k, points in enumerate(penalties) if points == min(penalties)]
    return {f"win_share_{k}": (k in best) / len(best) for k in range(len(penalties))}


def envelope(
    players: int, unit: str, rules: dict[str, Any], deals: list[Any], outcome: Any, index: int
) -> Record:
    record = {
        "format": "simlib-record/1", "game": "royal-corners", "variety": None,
        "players": players, "unit": unit, "rules": rules, "seed": 7, "play_seed": 8,
        "index": index, "policies": ["random"] * players, "uses_chance": [True] * players,
        "deals": deals, "outcome": {"seed": 7, "index": index, **outcome},
    }  # fmt: skip
    return copy.deepcopy(record)


def random_deal(players: int, rules: dict[str, Any], first: int, rng: random.Random) -> DealPlayer:
    deck = rng.sample(DECK, len(DECK))
    size = players * (rules["hand_size"] or 7)
    hands = [deck[seat:size:players] for seat in range(players)]
    corners = [[card] for card in deck[size : size + 4]] + [
        [] for _ in range(rules["king_corners"])
    ]
    player = DealPlayer(rules, hands, corners, deck[size + 4 :], first=first, rng=rng)
    player.play()
    return player


def random_record(
    seed: int, players: int = 4, unit: str = "deal", index: int = 0, **options: Any
) -> Record:
    """Play a game between random players; `options` differ from the defaults."""
    rules = SEED_RULES | options
    rng = random.Random(seed)
    start = index if rules["first"] == "rotate" else 0
    if unit == "deal":
        player = random_deal(players, rules, start % players, rng)
        return envelope(players, unit, rules, [player.as_deal(0)], player.row(), index)
    deals: list[Any] = []
    totals = [0] * players
    count = dict.fromkeys(("decisions", "options"), 0)
    while max(totals) < rules["target"] and len(deals) < rules["max_deals"]:
        player = random_deal(players, rules, (start + len(deals)) % players, rng)
        deals.append(player.as_deal(len(deals)))
        totals = [a + b for a, b in zip(totals, player.penalties(), strict=True)]
        count = {key: old + player.count[key] for key, old in count.items()}
    return envelope(
        players, unit, rules, deals, match_row(totals, rules, len(deals)) | count, index
    )


def match_row(totals: list[int], rules: dict[str, Any], deals: int) -> dict[str, Any]:
    complete = max(totals) >= rules["target"]
    row: dict[str, Any] = {"ending": "complete" if complete else "censored", "deals": deals}
    row["censored"] = not complete
    row |= shares(totals) if complete else {f"win_share_{k}": 0.0 for k in range(len(totals))}
    for seat, total in enumerate(totals):
        row[f"total_{seat}"] = total
        row[f"loser_{seat}"] = total >= rules["target"] and total > min(totals)
    return row


def scene(
    hands: list[str],
    corners: str,
    *script: str,
    stock: str = "",
    size: int | None = None,
    first: int = 0,
    order: int = 1,
    **options: Any,
) -> Record:
    """Play a scripted deal: named cards where they are named, the rest of the deck as it comes.

    Hands are filled up to `size` (default: the longest) from the low end of the deck;
    what is left follows `stock`. After the script everybody stops.
    """
    held = [hand.split() for hand in hands]
    named = set(corners.split()) | set(stock.split()) | {card for hand in held for card in hand}
    rest = [card for card in DECK if card not in named]
    wanted = size or max(map(len, held))
    for hand in held:
        while len(hand) < wanted:
            hand.append(rest.pop(0))
    rules = SEED_RULES | {"hand_size": wanted} | options
    piles = [[card] for card in corners.split()] + [[] for _ in range(rules["king_corners"])]
    pile_up = stock.split() + rest
    player = DealPlayer(rules, held, piles, pile_up, first=first, script=list(script), order=order)
    player.play()
    return envelope(len(held), "deal", rules, [player.as_deal(0)], player.row(), 0)


def relabel(record: Record, **options: Any) -> Record:
    """Return the record with other options in its rules than those it was played by."""
    changed = copy.deepcopy(record)
    changed["rules"] |= options
    return changed
