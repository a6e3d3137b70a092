"""Deals of one's own: played as written, accepted by the referee, refused in one line (C-4a)."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import simlib as sl
from simlib.cli import execute
from simlib.games import get
from simlib.record import check_record

EXAMPLES = Path(__file__).parent.parent / "examples"
HOUSE = Path(sl.__file__).parent / "games" / "king" / "examples" / "house_king.toml"
SUITS = ("7S 8S 9S TS JS QS KS AS", "7H 8H 9H TH JH QH KH AH",
         "7D 8D 9D TD JD QD KD AD", "7C 8C 9C TC JC QC KC AC")  # fmt: skip
ROYAL = {
    "hands": ["AS 3S 5S 7S 9S JS KS", "AH 3H 5H 7H 9H JH KH"],
    "corners": "2S 4H 6D 8C",
}

#: Every game, variety and way to deal.
TABLES: list[dict[str, Any]] = [
    *({"game": "king-george-iii", "players": n} for n in (2, 5)),
    {"game": "king-george-iii", "players": 3, "rules": {"first": "rotate", "hand_size": 4}},
    {"game": "royal-corners", "players": 3},
    {"game": "royal-corners", "preset": "pagat", "rules": {"first": "rotate"}},
    *(
        {"game": "king", "variety": variety, "players": players}
        for variety in get("king").varieties
        if variety != "house"
        for players in get("king").players(variety)[0]
    ),
    {"game": "king", "variety": "jokers", "players": 3, "rules": {"jokers": 2}},
    {"game": "king", "variety": "domino", "rules": {"deck": 52}},
    {"game": "king", "variety": "atomic", "rules": {"first": "rotate"}},
    {"game": "king", "variety": "house", "rules": tomllib.loads(HOUSE.read_text("utf-8"))},
]
IDS = [" ".join(str(value) for value in table.values())[:50] for table in TABLES]


def written(deal: dict[str, Any]) -> dict[str, Any]:
    """Write the deal of a record as a person would."""
    piles = {**deal["table"], "stock": deal["stock"]}
    if "corners" in piles:
        piles["corners"] = [card for corner in piles["corners"] for card in corner]
    return {
        "hands": [" ".join(hand) for hand in deal["hands"]],
        **{name: ", ".join(cards) for name, cards in piles.items() if cards},
    }


@pytest.mark.parametrize("table", TABLES, ids=IDS)
class TestEveryTable:
    def test_a_deal_of_the_seed_given_back_is_the_same_game(self, table: dict[str, Any]) -> None:
        for index in range(4):
            record = sl.replay(**table, index=index, seed=11)
            own = written(record["deals"][0])
            assert sl.replay(**table, index=index, seed=11, deals=[own] * 4) == record

    def test_the_referee_accepts_other_cards_with_every_policy(self, table: dict[str, Any]) -> None:
        for number, policy in enumerate(get(table["game"]).policies):
            own = shuffled(sl.replay(**table, seed=1)["deals"][0], number)
            record = sl.replay(**table, deals=own, policies=policy)
            assert written(record["deals"][0]) == own
            assert check_record(record) is None

    def test_what_is_left_out_is_filled_from_the_seed(self, table: dict[str, Any]) -> None:
        whole = sl.replay(**table, seed=1)["deals"][0]
        whole_text, own = written(whole), {"hands": shuffled(whole, 5)["hands"]}
        filled = []
        for seed in range(8):
            record = sl.replay(**table, deals=own, seed=seed)
            filled.append(written(record["deals"][0]))
            assert check_record(record) is None
            assert filled[-1]["hands"] == own["hands"]
            assert sorted(cards_of(filled[-1])) == sorted(cards_of(whole_text))
        left = len(list(cards_of(whole_text))) - len(list(cards_of(own)))
        assert (len({str(deal) for deal in filled}) > 1) == (left > 1)


def cards_of(own: dict[str, Any]) -> Iterator[str]:
    for name, cards in own.items():
        yield from " ".join(cards if name == "hands" else [cards]).replace(",", "").split()


def shuffled(deal: dict[str, Any], seed: int) -> dict[str, Any]:
    """Deal the same cards otherwise: what a person might write, for these rules."""
    own = written(deal)
    cards = list(cards_of(own))
    random.Random(seed).shuffle(cards)
    take = iter(cards)

    def same(text: str, between: str) -> str:
        return between.join(next(take) for _ in text.split())

    return {
        "hands": [same(hand, " ") for hand in own["hands"]],
        **{name: same(text, ", ") for name, text in own.items() if name != "hands"},
    }


def test_kg_12_a_cycle_is_proved_in_a_deal_of_ones_own() -> None:
    # where a cycle is looked for, the deal is dealt several times
    table: dict[str, Any] = {"game": "king-george-iii", "players": 2, "policies": "one-card"}
    records = [sl.replay(**table, index=index) for index in range(20)]
    owns = [written(record["deals"][0]) for record in records]
    assert {record["outcome"]["proof"] for record in records} >= {"cycle", "orphans"}
    for index, record in enumerate(records):
        assert sl.replay(**table, index=index, deals=owns) == record


def test_c_3_only_the_first_deal_of_a_match_is_given() -> None:
    match = {"game": "royal-corners", "unit": "match", "seed": 4}
    seeded, own = sl.replay(**match, players=2), sl.replay(**match, deals=ROYAL)
    assert own["deals"][0]["hands"][0] == ROYAL["hands"][0].split()
    assert [d["hands"] for d in own["deals"]][1:3] == [d["hands"] for d in seeded["deals"]][1:3]
    assert check_record(own) is None


def test_kg_10_playoffs_are_dealt_by_the_seed() -> None:
    table: dict[str, Any] = {"game": "king-george-iii", "rules": {"hand_size": 1}, "seed": 3}
    records = [sl.replay(**table, deals={"hands": ["5S", "5H", "5D"]}, play_seed=s) for s in (1, 2)]
    decks = [[(d["hands"], d["stock"]) for d in record["deals"]] for record in records]
    assert len(decks[0]) > 1
    assert decks[0][:2] == decks[1][:2]
    assert all(check_record(record) is None for record in records)


def test_k_4_hearts_may_not_be_led_in_a_deal_made_for_it() -> None:
    record = sl.replay(
        "king", deals={"hands": [*SUITS[1:], SUITS[0]]}, rules={"contracts": ["no-hearts"]}
    )
    assert [e["seat"] for e in record["deals"][0]["events"] if e["do"] == "trick"] == [0] * 8


def test_a_record_shows_its_cards_in_colour_in_jupyter() -> None:
    shown = sl.replay("king", deals={"hands": list(SUITS)})._repr_html_()
    assert shown.startswith("<pre>Deal 0: seat 0 is first")
    assert 'color:#c62828">10♥</span>' in shown and ">10♠" not in shown
    assert "&gt;" in shown  # the mark of a lead, escaped


def test_the_number_of_hands_is_the_number_of_players() -> None:
    assert sl.replay("royal-corners", deals=ROYAL)["players"] == 2
    hands = [" ".join(SUITS[k : k + 1]) for k in range(4)]
    assert sl.replay("king", deals={"hands": hands})["players"] == 4


BAD: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("king", {"hands": [*SUITS[:3], SUITS[3].replace("AC", "AS")]}, {},
     "deal 0, seat 0 and seat 3: AS is given twice (C-7)"),
    ("king", {"hands": [SUITS[0].replace("8S", "7S"), *SUITS[1:]]}, {},
     "deal 0, seat 0: 7S is given twice (C-7)"),
    ("king", {"hands": [*SUITS[:3], SUITS[3].replace(" AC", "")]}, {},
     "deal 0, seat 3: 7 cards, not 8 (C-4a); missing: AC"),
    ("king", {"hands": [*SUITS[:3], SUITS[3] + " 2C"]}, {},
     "deal 0, seat 3: 2C is none of the 32 cards of this deck, from 7S up (C-1)"),
    ("king", {"hands": [*SUITS[:2], SUITS[2].replace("TD", "11D"), SUITS[3]]}, {},
     "deal 0, seat 2: card '11D'"),
    ("king", {"hands": SUITS[:3]}, {}, "deal 0: 3 hands for 4 players"),
    ("king", {"hands": SUITS, "stock": "2S"}, {},
     "deal 0: these rules deal no stock; give hands"),
    ("king", {"hands": SUITS, "talom": "2S"}, {}, "deal 0: unknown key 'talom'"),
    ("king", {"hands": " ".join(SUITS)}, {}, "deal 0: give hands = ["),
    ("king", {"hands": [1, 2, 3, 4]}, {}, "deal 0, seat 0: give cards as a text"),
    ("king", {"hands": SUITS}, {"players": 3}, "players 3"),
    ("king", {"hands": SUITS}, {"index": 1}, "index 1: there are deals 0 to 0"),
    ("royal-corners", {**ROYAL, "corners": "2S 4H 6D"}, {},
     "deal 0, corners: 3 cards, not 4 (C-4a)"),
    ("royal-corners", {**ROYAL, "corners": "2S 4H 6D AH"}, {},
     "deal 0, seat 1 and corners: AH is given twice (C-7)"),
    ("royal-corners", {"hands": ROYAL["hands"] * 3}, {}, "deal 0: 6 hands for 4 players"),
    ("king-george-iii", {"hands": ["X1", "5H"]}, {"rules": {"hand_size": 1}},
     "deal 0, seat 0: card 'X1': this game has no such card (C-1)"),
    ("king-george-iii", {"hands": ["4S 5S", "7S 8S"]}, {},
     "deal 0, seat 0: 2 cards, not 13 (C-4a); hands of 2 cards need hand_size=2"),
    ("king", {"hands": ["", "", ""]}, {"variety": "minsk"}, "deal 0, seat 0: 0 cards, not 10"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "deal", "more", "says"), BAD, ids=[says for *_, says in BAD])
def test_a_deal_that_cannot_be_is_refused(
    game: str, deal: dict[str, Any], more: dict[str, Any], says: str
) -> None:
    with pytest.raises(sl.BadInput) as caught:
        sl.replay(game, deals=deal, **more)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


class TestCommandLine:
    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "no deal; write [[deals]]"),
            ("hands = []", "unknown key 'hands'"),
            ("[[deals]]", "deal 0: give hands = ["),
            ("[[deals]]\nhands = [", "no TOML"),
            ('[[deals]]\nhands = ["7S", "8S"]', "deal 0: 2 hands for 4 players"),
            ('deals = ["7S", "8S"]', "deal 0: give hands = [...] under [[deals]]"),
        ],
    )
    def test_a_bad_file_is_one_line_and_exit_2(
        self, text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "mine.toml"
        file.write_text(text)
        assert execute(["replay", "king", "--deals", str(file)]) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and printed.err.count("\n") == 1
        assert f"{file}: " in printed.err and says in printed.err

    def test_the_last_deal_is_checked_before_the_first_is_played(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "mine.toml"
        good = f"[[deals]]\nhands = {list(SUITS)}\n"
        file.write_text(good + good.replace("AC", "KC"))
        assert execute(["replay", "king", "--deals", str(file)]) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and "deal 1, seat 3: KC is given twice" in printed.err
        assert execute(["replay", "king", "--deals", str(file), "--game", "0"]) == 0

    def test_a_game_that_the_file_has_not_is_refused(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = str(EXAMPLES / "deals_king.toml")
        assert execute(["replay", "king", "--deals", file, "--game", "9"]) == 2
        assert "the file has deals 0 to 1" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("file", "args"),
        [
            ("deals_king.toml", ["king", "--rule", "contracts=no-hearts"]),
            ("deals_minsk.toml", ["king", "--variety", "minsk", "--rule", "contracts=no-king"]),
            ("deals_king_george.toml", ["king-george-iii"]),
            ("deals_royal_corners.toml", ["royal-corners", "--unit", "match"]),
        ],
    )
    def test_the_examples_play_and_the_referee_reads_them(
        self, file: str, args: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ["replay", *args, "--deals", str(EXAMPLES / file)]
        assert execute(command) == 0
        assert f"{file}, " in capsys.readouterr().out.splitlines()[0]
        assert execute([*command, "--json"]) == 0
        records = tmp_path / "games.jsonl"
        records.write_text(capsys.readouterr().out)
        assert execute(["verify", str(records)]) == 0
