"""Deals of one's own: read from TOML or Python, checked, and turned into a deck order (C-4a).

A deal names the cards of each seat, and may name what lies elsewhere: the ``stock`` (Domino:
the reserve), the ``corners`` of Royal Corners, the ``talon`` of Minsk and Atomic, what is set
``aside``. What it does not name is filled from the cards left, in the order in which they stand
in the seed's deck order of that game (C-4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlib import games
from simlib.cards import parse_card
from simlib.errors import BadInput
from simlib.games.recording import Piles, deck_order
from simlib.setup import Setup
from simlib.tomlfile import read_toml

__all__ = ["OwnDeal", "players_in", "read_deals"]

#: What a deal may name besides its hands.
PILES = ("corners", "talon", "stock", "aside")
KEYS = ("name", "hands", *PILES)


@dataclass(frozen=True)
class OwnDeal:
    """One deal as it was written.

    Attributes
    ----------
    source : str
        The file it was read from.
    number : int
        Which deal of the file it is, from 0.
    name : str
        What its author calls it; may be empty.
    hands : tuple of tuple of str
        Card texts by seat.
    others : dict of str to tuple of str
        Card texts of the piles that were named.
    """

    source: str
    number: int
    name: str
    hands: tuple[tuple[str, ...], ...]
    others: dict[str, tuple[str, ...]]

    @property
    def where(self) -> str:
        """Return file and number, for errors."""
        return f"{self.source}: deal {self.number}"

    @property
    def title(self) -> str:
        """Return number, file and name, for people."""
        return f"Deal {self.number} of {self.source}" + (f', "{self.name}"' if self.name else "")

    def deck(self, setup: Setup, index: int) -> list[int]:
        """Return the deck order that deals these cards as game `index` of a setup.

        Raises
        ------
        BadInput
            If a card stands twice, is missing or is none of this deck, or a hand or a pile has
            another size than the rules give it; the message names deal and seat.
        """
        game, table = setup.game, setup.table
        cards = game.deck(table)
        rotates = table.rules.model_dump()["first"] == "rotate"
        first = index % table.players if rotates else 0
        places = game.piles(table, range(len(cards)), first)
        if len(self.hands) != table.players:
            raise BadInput(
                f"{self.where}: {len(self.hands)} hands for {table.players} players;"
                " give one a seat"
            )
        order = [-1] * len(cards)
        seen: dict[int, str] = {}
        for at, texts, room in self._named(places):
            numbers = [self._card(setup, at, text, cards) for text in texts]
            for number, text in zip(numbers, texts, strict=True):
                if number in seen:
                    both = at if seen[number] == at else f"{seen[number]} and {at}"
                    raise BadInput(f"{self.where}, {both}: {text} is given twice (C-7)")
                seen[number] = at
            if len(numbers) != len(room):
                raise BadInput(
                    f"{self.where}, {at}: {_count(len(numbers))}, not {len(room)} (C-4a)"
                    + self._missing(setup, cards, places)
                    + (self._other_size(setup) if at.startswith("seat") else "")
                )
            for place, number in zip(room, numbers, strict=True):
                order[place] = number
        rest = [c for c in deck_order(cards, setup.seed, index, 0) if c not in seen]
        for place, card in enumerate(order):
            if card < 0:
                order[place] = rest.pop(0)
        return order

    def _other_size(self, setup: Setup) -> str:
        """Say which option deals hands of this size, where they all have one and there is one."""
        sizes = {len(hand) for hand in self.hands}
        if (
            len(sizes) > 1
            or sizes == {0}
            or "hand_size" not in type(setup.table.rules).model_fields
        ):
            return ""
        return f"; hands of {_count(sizes.pop())} need hand_size={len(self.hands[0])}"

    def _named(self, places: Piles) -> Iterator[tuple[str, tuple[str, ...], list[int]]]:
        """Yield each hand and pile that was written: its name, its cards, its places."""
        for name in self.others:
            if name not in places.others:
                valid = ", ".join(["hands", *places.others])
                raise BadInput(f"{self.where}: these rules deal no {name}; give {valid}")
        for seat, hand in enumerate(self.hands):
            yield f"seat {seat}", hand, places.hands[seat]
        for name, cards in self.others.items():
            yield name, cards, places.others[name]

    def _card(self, setup: Setup, at: str, text: str, cards: Sequence[int]) -> int:
        try:
            number = setup.game.layout.number(text)
        except BadInput as error:
            raise BadInput(f"{self.where}, {at}: {error}") from None
        if number not in cards:
            lowest = setup.game.layout.text(cards[0])
            raise BadInput(
                f"{self.where}, {at}: {text} is none of the {len(cards)} cards of this deck,"
                f" from {lowest} up (C-1)"
            )
        return number

    def _missing(self, setup: Setup, cards: Sequence[int], places: Piles) -> str:
        """Name the cards that nobody has, where the deal says where every card lies."""
        if set(self.others) != set(places.others):
            return ""
        given = {parse_card(text) for _, texts, _ in self._named(places) for text in texts}
        lost = [text for text in map(setup.game.layout.text, cards) if text not in given]
        return f"; missing: {' '.join(lost)}" if lost else ""


def read_deals(
    deals: str | Path | Mapping[str, Any] | Sequence[Mapping[str, Any]],
) -> list[OwnDeal]:
    """Read deals: a TOML file with ``[[deals]]``, one deal as a mapping, or several.

    Raises
    ------
    BadInput
        If the file cannot be read, or a deal has another shape than ``hands`` and piles.
    """
    if isinstance(deals, str | Path):
        where, found = str(deals), _read_file(Path(deals))
    else:
        where, found = "deals", [deals] if isinstance(deals, Mapping) else deals
    if not isinstance(found, Sequence) or not found:
        raise BadInput(f"{where}: no deal; write [[deals]] and hands = [...] under it")
    return [_read(where, number, deal) for number, deal in enumerate(found)]


def players_in(deals: Sequence[OwnDeal], game: str, variety: str | None) -> int | None:
    """Return how many hands the first deal has, if the game is played by so many."""
    described = games.get(game)
    if variety is None or variety in described.varieties:
        valid, _ = described.players(variety or next(iter(described.varieties), None))
        if len(deals[0].hands) in valid:
            return len(deals[0].hands)
    return None


def _read_file(path: Path) -> Any:
    whole = read_toml(path, str(path))
    other = [key for key in whole if key != "deals"]
    if other:
        raise BadInput(f"{path}: unknown key {other[0]!r}; each deal begins with [[deals]]")
    return whole.get("deals")


def _read(source: str, number: int, deal: object) -> OwnDeal:
    where = f"{source}: deal {number}"
    if not isinstance(deal, Mapping):
        raise BadInput(f"{where}: give hands = [...] under [[deals]]")
    other = [key for key in deal if key not in KEYS]
    if other:
        raise BadInput(f"{where}: unknown key {other[0]!r}; valid: {', '.join(KEYS)}")
    hands = deal.get("hands")
    if isinstance(hands, str) or not isinstance(hands, Sequence) or not hands:
        raise BadInput(f'{where}: give hands = ["7S 8S …", …], one a seat, seat 0 first')
    return OwnDeal(
        source,
        number,
        str(deal.get("name", "")),
        tuple(_cards(f"{where}, seat {seat}", hand) for seat, hand in enumerate(hands)),
        {name: _cards(f"{where}, {name}", deal[name]) for name in PILES if name in deal},
    )


def _cards(where: str, value: object) -> tuple[str, ...]:
    """Read card texts: one text with blanks or commas between them, or a list of texts."""
    texts = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(texts, Sequence):
        raise BadInput(f"{where}: give cards as a text, for example '7S 10H KD' (C-1)")
    try:
        return tuple(parse_card(text) for text in texts)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def _count(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
