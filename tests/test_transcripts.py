"""Transcripts explain themselves: why a deal never ends, what a mark means, singular forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

import simlib
from simlib.record import find_games
from simlib.setup import prepare

KG = "king-george-iii"


def endless(seed: int, **rules: Any) -> str:
    """Return the first game of a seed that is endless by orphans."""
    setup = prepare(KG, players=2, rules=rules, seed=seed)
    index = next(find_games(setup, {"proof": "orphans"}, stop=10_000))
    return simlib.replay(KG, players=2, rules=rules, seed=seed, index=index).text()


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({}, "the 3 aces that do so have been played; others are ordinary (KG-8)"),
        ({"ace_resets": 1}, "the ace that does so has been played; others are ordinary (KG-8)"),
        (
            {"ace_scope": "player", "ace_resets": 1},
            "the ace that does so has been played by each player; others are ordinary (KG-8)",
        ),
        ({"ace_scope": "player", "ace_resets": 4}, None),
    ],
)
def test_kg_12_an_endless_deal_says_why_no_pile_is_set_aside(
    rules: Mapping[str, Any], why: str | None
) -> None:
    text = endless(0, **rules)
    found = re.search(r"no pile can be set aside: (.*)", text)
    assert found is not None
    reached = re.search(r"ranks that can still be reached: (.*)", text)
    assert reached is not None
    if why is None:  # the players have resets left: no ace is in reach
        assert found[1].endswith("rank by rank, no ace can be reached")
        assert "A" not in reached[1].split()
    else:
        assert found[1] == why


def test_kg_8_without_resets_every_ace_is_ordinary() -> None:
    from simlib.games.king_george.rules import KingGeorgeRules
    from simlib.games.king_george.transcript import _why_no_reset

    deal = {"events": [], "seats": [0, 1]}
    assert "ordinary card" in _why_no_reset(KingGeorgeRules(ace_resets=0), deal, ["5H"])


def test_one_card_is_a_card() -> None:
    text = simlib.replay(KG, seed=2026, index=1).text()
    assert "[1 card set aside]" in text and " 1 cards" not in text
    one = simlib.replay(KG, players=5, rules={"hand_size": 10}).text()
    assert "  stock: 2 cards\n" in one


def test_stops_is_explained_where_it_occurs() -> None:
    says = {KG: "stops: more cards would fit", "royal-corners": "stops: he could have moved on"}
    for game, legend in says.items():
        for index in range(20):
            for policy in ("random", "eager"):
                record = simlib.replay(game, players=2, index=index, policies=policy)
                stops = sum(event["do"] == "stop" for event in record["deals"][0]["events"])
                first = record.text().split("Playoff")[0]
                assert (legend in first) == bool(stops), (game, index, policy)


def test_the_mark_of_the_lead_is_explained() -> None:
    plain = simlib.replay("king").text()
    assert plain.count("\n  > leads the trick\n") == 1
    void = {"policies": "duck", "variety": "domino"}
    texts = [simlib.replay("king", index=index, **void).text() for index in range(20)]  # type: ignore[arg-type]
    for text in texts:
        rows = [line for line in text.splitlines() if re.match(r" +\d+  ", line)]
        without = any(re.search(r"  -  ", line) for line in rows)
        assert ("- has no cards" in text) == without
    assert any("- has no cards" in text for text in texts)
