"""Orphans: rows by hand, and the event log read as the rules say."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analyses.orphans import ANALYSIS
from analyses.replays import collect_replays, reduce, replayed
from analyses.tables import Table
from simlib.cards import ACE_HIGH
from simlib.record import record_of
from simlib.setup import Setup, prepare
from tests.analyses.frames import CELL, TEN

RANKS = ACE_HIGH.ranks


def test_rows_by_piles_set_aside() -> None:
    found = ANALYSIS.finish(ANALYSIS.reduce(TEN).labelled(**CELL))
    resets = found["resets"].set_index("resets")
    assert resets["count"].to_dict() == {0: 0, 1: 1, 2: 0, 3: 1}
    assert resets["n"].to_dict() == {0: 2, 1: 2, 2: 1, 3: 5}
    assert resets["of_endless"].to_dict() == {0: 0.0, 1: 0.5, 2: 0.0, 3: 0.5}
    held = found["held"].iloc[0]
    assert (held["estimate"], held["most"], held["n"]) == (3.0, 4, 2)
    assert set(found) == {"resets", "held"}


def test_merged_chunks_are_the_whole() -> None:
    parts = [ANALYSIS.reduce(TEN.iloc[a : a + 2]) for a in (8, 2, 0, 6, 4)]
    whole = ANALYSIS.reduce(TEN)
    merged = parts[0] + parts[1] + parts[2] + parts[3] + parts[4]
    pd.testing.assert_frame_equal(merged["held"], whole["held"].sort_index())


# --- the event log -----------------------------------------------------------------------


def by_the_record(setup: Setup, game: int) -> dict[str, Any]:
    """Work out from a record, by the rules alone, what the log is read for."""
    record = record_of(setup, game)
    rules, deal = record["rules"], record["deals"][0]
    hands = {s: set(hand) for s, hand in zip(deal["seats"], deal["hands"], strict=True)}
    pile: list[str] = []
    aside: list[str] = []
    sizes, when, turn = [], [], 0
    used = dict.fromkeys(hands, 0)
    for event in deal["events"]:
        if event["do"] == "play":
            hands[event["seat"]].remove(event["card"])
            pile.append(event["card"])
        elif event["do"] == "draw":
            hands[event["seat"]].add(event["card"])
        elif event["do"] == "recycle":
            pile = pile[-1:]
        elif event["do"] == "set_aside":
            aside += pile
            sizes.append(len(pile))
            when.append(turn)
            used[event["seat"]] += 1
            pile = []
        elif event["do"] == "end":
            turn += 1
    in_play = set(ACE_HIGH.numbers) - set(aside)
    live, closed = in_play, False
    if pile:
        ranks = {pile[-1][0]}
        if rules["ace_fits"] == "any":
            ranks.add("A")
        for _ in RANKS:
            ranks |= {other for rank in ranks for other in beside(rank, rules["wrap"])} & {
                card[0] for card in in_play
            }
        ranks &= {card[0] for card in in_play}
        spent = used.values() if rules["ace_scope"] == "player" else [sum(used.values())]
        closed = "A" not in ranks or min(spent) >= rules["ace_resets"]
        if closed:
            live = {card for card in in_play if card[0] in ranks}
    outcome = record["outcome"]
    for seat, hand in hands.items():  # what the table of games says must agree (KG-14)
        assert len(hand - live) == outcome[f"orphans_{seat}"]
    return {
        "ending": outcome["ending"],
        "proof": outcome["proof"],
        "aside": ACE_HIGH.mask(aside),
        "live": ACE_HIGH.mask(live),
        "resets": len(sizes),
        "turns": outcome["turns"],
        "sizes": sizes,
        "when": when,
        "closed": closed,
    }


def beside(rank: str, wrap: bool) -> set[str]:
    """Return the ranks one above and one below (KG-3)."""
    place = RANKS.index(rank)
    found = {RANKS[place - 1]} if place or wrap else set()
    return found | ({RANKS[(place + 1) % 13]} if place < 12 or wrap else set())


@pytest.mark.parametrize(
    ("players", "policy", "rules"),
    [
        (2, "random", {}),
        (2, "no-orphans", {"wrap": True}),
        (3, "random", {"ace_scope": "player", "ace_resets": 1, "recycle": "shuffle"}),
        (4, "eager", {"ace_fits": "any", "recycle_when": "emptied"}),
        (5, "random", {"ace_choice": True, "ace_resets": 4, "deadlock_tie": "playoff"}),
    ],
)
def test_the_log_says_what_the_record_says(
    players: int, policy: str, rules: dict[str, Any]
) -> None:
    setup = prepare("king-george-iii", players=players, policies=policy, rules=rules, seed=11)
    first, count = 5, 60
    frame = replayed(setup, first, count)
    assert frame["index"].tolist() == list(range(first, first + count))
    for row in frame.to_dict("records"):
        wanted = by_the_record(setup, row["index"])
        assert row["ending"] == wanted["ending"]
        assert (row["proof"] if isinstance(row["proof"], str) else None) == wanted["proof"]
        for name in ("aside", "live", "resets", "turns", "closed"):
            assert row[name] == wanted[name], (row["index"], name)
        n = wanted["resets"]
        assert [row[f"size_{k}"] for k in range(4)] == [*wanted["sizes"], *[0] * (4 - n)]
        assert [row[f"when_{k}"] for k in range(4)] == [*wanted["when"], *[-1] * (4 - n)]


def test_a_log_that_is_too_short_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = prepare("king-george-iii", players=2)
    whole = replayed(setup, 0, 50)
    monkeypatch.setattr("analyses.replays.ROOM", 7)
    pd.testing.assert_frame_equal(replayed(setup, 0, 50), whole)


def facts(*rows: dict[str, Any]) -> pd.DataFrame:
    """Return replayed games, worked out by hand."""
    plain = {"proof": None, "resets": 1, "size_1": 0, "size_2": 0, "size_3": 0}
    frame = pd.DataFrame([{**plain, **row} for row in rows])
    frame["proof"] = pd.Categorical(frame["proof"], categories=pd.Index(["orphans", "cycle"]))
    return frame


KINGS = ["KS", "KH", "KD", "KC"]
REST = ACE_HIGH.mask(set(ACE_HIGH.numbers) - {*KINGS, "AS"})
ACES = ACE_HIGH.mask(["AH", "AD", "AC"])
BY_HAND = facts(
    # the kings have gone with the ace of spades: three aces are cut off
    {
        "proof": "orphans",
        "aside": ACE_HIGH.mask([*KINGS, "AS"]),
        "live": REST & ~ACES,
        "size_0": 5,
    },
    # the same piles, but nobody was stuck
    {"aside": ACE_HIGH.mask([*KINGS, "AS"]), "live": REST, "size_0": 5},
    # nothing is gone
    {"aside": 0, "live": (1 << 52) - 1, "size_0": 0, "resets": 0},
)


def test_ranks_gone_and_cut_off() -> None:
    parts = {**ANALYSIS.reduce(TEN).parts, **reduce(BY_HAND).parts}
    found = ANALYSIS.finish(Table(parts).labelled(**CELL))
    ranks = found["ranks"].set_index("rank")
    assert ranks.loc["A", ["estimate", "gone", "cards"]].tolist() == [1.0, 0.0, 3.0]
    assert ranks.loc["K", ["estimate", "gone", "cards"]].tolist() == [0.0, 1.0, 0.0]
    assert ranks.loc["Q", ["estimate", "gone", "cards"]].tolist() == [0.0, 0.0, 0.0]
    assert set(ranks["n"]) == {1}
    gone = found["gone"].set_index("ranks_gone")
    assert gone["count"].to_dict() == {0: 0, 1: 1}
    assert gone["n"].to_dict() == {0: 1, 1: 2}
    cards = found["cards"].set_index(["resets", "cards_from"])
    assert cards.loc[(1, 3), ["cards_to", "count", "n"]].tolist() == [5, 1, 2]
    assert cards.loc[(0, 0), ["cards_to", "count", "n"]].tolist() == [2, 0, 1]
    sizes = found["sizes"].set_index("deals")
    assert sizes.loc["endless by orphans", ["pile", "estimate", "n"]].tolist() == [1, 5.0, 1]
    assert len(sizes) == 2


def test_replays_merge_and_are_remembered() -> None:
    both = reduce(pd.concat([BY_HAND, BY_HAND], ignore_index=True))
    assert both + reduce(BY_HAND) == reduce(BY_HAND) + reduce(BY_HAND) + reduce(BY_HAND)
    setup = prepare("king-george-iii", players=2, seed=4)
    one, two = (
        collect_replays(f"test {threads}", setup, reduce, games=300, threads=threads)
        for threads in (1, 2)
    )
    assert one == two
    assert collect_replays("test 1", setup, reduce, games=300, threads=2) is one
