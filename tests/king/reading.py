"""Reads a deal of a record and asks the faces of King about every card of it."""

from __future__ import annotations

from typing import Any

from simlib.games.king import legal_cards, score_deal, trick_winner


class Reader:
    """Asks the faces about every card of a deal."""

    def __init__(self, deal: dict[str, Any], table: dict[str, Any]) -> None:
        self.deal, self.table = deal, table
        self.hands = {seat: list(hand) for seat, hand in enumerate(deal["hands"])}
        self.tricks: list[tuple[int, list[str]]] = []
        self.scored: dict[str, Any] = {}
        self.cards: list[str] = []
        self.seats: list[int] = []

    def read(self) -> None:
        deal = self.deal
        for event in deal["events"]:
            getattr(self, event["do"])(event)
        if deal["ending"] == "void":
            return
        named = {} if deal["contract"] is None else {"contract": deal["contract"]}
        aside = deal["table"].get("aside", [])
        scores = score_deal(
            self.tricks, declarer=deal["declarer"], aside=aside, **named, **self.scored,
            **self.table,
        )  # fmt: skip
        assert scores == deal["scores"]

    def name(self, event: dict[str, Any]) -> None:
        if "suit" in event:
            self.scored["penalty"] = event["suit"]

    def bid(self, event: dict[str, Any]) -> None:
        if event["points"]:
            self.scored["bid"] = event["points"]

    def talon(self, event: dict[str, Any]) -> None:
        self.hands[event["seat"]] += event["cards"]

    def discard(self, event: dict[str, Any]) -> None:
        self.scored["laid_away"] = event["cards"]
        for card in event["cards"]:
            self.hands[event["seat"]].remove(card)

    def draw(self, event: dict[str, Any]) -> None:
        self.hands[event["seat"]].append(event["card"])

    def keep(self, event: dict[str, Any]) -> None:
        self.scored["kept"] = (event["seat"], event["cards"])

    def play(self, event: dict[str, Any]) -> None:
        seat, card = event["seat"], event["card"]
        legal = legal_cards(
            self.hands[seat],
            self.cards,
            contract=self.deal["contract"],
            trump=self.deal["trump"],
            declares=seat == self.deal["declarer"],
            **self.table,
        )
        assert card in legal
        self.chosen(seat, card, legal)
        self.hands[seat].remove(card)
        self.cards.append(card)
        self.seats.append(seat)

    def chosen(self, seat: int, card: str, legal: list[str]) -> None:
        """Look at a play; for tests of policies."""

    def trick(self, event: dict[str, Any]) -> None:
        place = trick_winner(self.cards, trump=self.deal["trump"], **self.table)
        assert self.seats[place] == event["seat"]
        self.tricks.append((event["seat"], self.cards))
        self.cards, self.seats = [], []
