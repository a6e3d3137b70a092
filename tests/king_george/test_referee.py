"""The referee of King George III, clause by clause: right records accepted, wrong ones named.

The games here have concrete cards and are edited by hand; records that are wrong in one rule
from end to end are in `test_referee_mutations.py`.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from simlib.games.king_george.referee import check
from tests.king_george.referee_player import DECK, Player
from tests.king_george.referee_records import (
    Record,
    fault,
    game,
    lines,
    refused,
    search,
    told,
    with_changes,
)

MIDDLE = [card for card in DECK if card[0] in "678"]
OTHERS = [card for card in DECK if card[0] not in "678"]


# The right ones


@pytest.mark.parametrize("policies", ["random", "first", "dice"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_right_records_are_accepted(players: int, policies: str) -> None:
    for seed in range(8):
        record = Player(players, policies=policies, seed=seed, index=seed).play()
        assert check(json.loads(json.dumps(record))) is None


CHOICES: dict[str, list[Any]] = {
    "hand_size": [None, 1, 4, 10],
    "lead": ["one", "run"],
    "wrap": [False, True],
    "ace_fits": ["neighbour", "any"],
    "must_run": [False, True],
    "draw": ["until_fits", "one"],
    "recycle": ["turn", "shuffle", "none"],
    "recycle_when": ["needed", "emptied"],
    "ace_resets": [0, 1, 2, 3, 4],
    "ace_choice": [False, True],
    "ace_scope": ["deal", "player"],
    "after_out": ["lap", "round", "none"],
    "out_tie": ["playoff", "share"],
    "max_playoffs": [0, 1, 32],
    "deadlock_tie": ["share", "playoff"],
    "max_turns": [6, 40, 300],
    "endless": ["none", "fewest"],
    "first": ["zero", "rotate"],
}


@pytest.mark.parametrize(
    ("option", "value"), [(key, value) for key, values in CHOICES.items() for value in values]
)
def test_each_option_is_known(option: str, value: Any) -> None:
    for seed in range(3):
        record = Player(2 + seed, {option: value}, seed=seed, index=seed).play()
        assert fault(record) is None


@pytest.mark.parametrize("seed", range(50))
def test_options_together(seed: int) -> None:
    dice = random.Random(seed)
    rules = {key: dice.choice(values) for key, values in CHOICES.items()}
    players = dice.randint(2, 5)
    policies = [dice.choice(["random", "first", "dice"]) for _ in range(players)]
    record = Player(players, rules, policies=policies, seed=seed, index=seed).play()
    assert fault(record) is None


# KG-1 to KG-4: deal, lead, fit, run


def test_kg_1_deal() -> None:
    for players, each in ((2, 13), (3, 9), (4, 7), (5, 6)):
        record = Player(players).play()
        assert len(record["deals"][0]["hands"][0]) == each
        assert fault(record) is None
        short = copy.deepcopy(record)
        for hand in short["deals"][0]["hands"]:
            short["deals"][0]["stock"].append(hand.pop())
        assert fault(short) == "KG-1"
        uneven = copy.deepcopy(record)
        hands = uneven["deals"][0]["hands"]
        hands[0].append(hands[1].pop())
        assert fault(uneven) == "KG-1"


def test_kg_1_hand_size() -> None:
    assert fault(Player(2, {"hand_size": 25}).play()) is None
    assert fault(with_changes(Player(2).play(), "rules.hand_size", 26)) == "KG-1"
    assert fault(with_changes(Player(5).play(), "rules.hand_size", 11)) == "KG-1"
    assert fault(with_changes(Player(5).play(), "rules.hand_size", 0)) == "C-10"


def test_kg_1_playoff_uses_hand_size() -> None:
    record = game(["5H", "6S", "9D"])
    assert [len(hand) for hand in record["deals"][1]["hands"]] == [1, 1]
    hand = record["deals"][1]["hands"][0]
    hand.append(record["deals"][1]["stock"].pop(0))
    assert fault(record) == "KG-1"


def test_kg_2_lead() -> None:
    record = game(["5H 6C 9C", "6S 9D 9H"], "", "5H")
    assert lines(record, 3) == "0 play 5H, 0 end, 1 play 6S"
    assert fault(record) is None
    assert refused(record, "0 play 5H, 0 end", "0 play 5H, 0 play 6C, 0 end") == "KG-2"
    assert refused(record, "0 play 5H, 0 end", "0 end") == "KG-2"
    assert refused(record, "0 play 5H, 0 end", "") == "C-2"
    assert refused(record, "0 play 5H, 0 end", "0 pass, 0 end") == "KG-7"
    assert refused(record, "0 play 5H", "0 stop") == "KG-4"
    assert refused(record, "0 play 5H", "0 play 6S") == "C-7"
    assert refused(record, "0 play 5H, 0 end", "0 play 5H, 0 stop, 0 end") == "KG-13"


def test_kg_2_lead_run() -> None:
    record = game(["5H 6C 9C", "6S 9D 9H"], "", "5H stop", lead="run")
    assert lines(record, 3) == "0 play 5H, 0 stop, 0 end"
    assert fault(record) is None
    longer = game(["5H 6C 9C", "6S 9D 9H"], "", "5H 6C", lead="run")
    assert lines(longer, 3) == "0 play 5H, 0 play 6C, 0 end"
    assert fault(longer) is None
    assert fault(with_changes(longer, "rules.lead", "one")) == "KG-2"
    assert refused(record, "0 play 5H, 0 stop", "0 play 5H") == "KG-4"


def test_kg_3_fit() -> None:
    record = game(["5H 9C 2C JH", "5S 4C 3D 3H"], "", "5H 5S 4C 3D 3H")
    assert lines(record, 7) == (
        "0 play 5H, 0 end, 1 play 5S, 1 play 4C, 1 play 3D, 1 play 3H, 1 out"
    )
    assert fault(record) is None
    assert refused(record, "1 play 5S", "1 play 3D") == "KG-3"
    assert refused(record, "1 play 4C", "1 play 3D") == "KG-3"
    assert refused(record, "1 play 4C", "1 play 4D") == "C-7"
    assert refused(record, "1 play 4C", "1 play 5H") == "C-7"
    assert refused(record, "1 play 4C", "1 play 10C") == "C-1"


@pytest.mark.parametrize("pile", ["2C", "AH"])
def test_kg_3_ace_and_two(pile: str) -> None:
    lead, other = (pile, "AS") if pile == "2C" else (pile, "2S")
    rules: dict[str, Any] = {"ace_resets": 0, "wrap": True}
    record = game([f"{lead} 9C", f"{other} 9D"], "KC", lead, **rules)
    assert lines(record, 4) == f"0 play {lead}, 0 end, 1 play {other}, 1 end"
    assert fault(record) is None
    assert fault(with_changes(record, "rules.wrap", False)) == "KG-3"


def test_kg_3_any_ace_is_directed() -> None:
    rules: dict[str, Any] = {"ace_resets": 0, "ace_fits": "any"}
    record = game(["5C 9C", "AS 5D"], "QC KC", "5C AS", **rules)
    assert lines(record, 6) == "0 play 5C, 0 end, 1 play AS, 1 end, 0 draw QC, 0 draw KC"
    assert fault(record) is None
    assert fault(with_changes(record, "rules.ace_fits", "neighbour")) == "KG-3"
    assert refused(record, "1 play AS, 1 end", "1 play AS, 1 play 5D") == "KG-3"
    assert refused(record, "0 draw QC", "0 play 9C") == "KG-3"


def test_kg_4_run() -> None:
    record = game(["5H 9C 2C", "5S 4C 3D"], "KS 3C", "5H 5S 4C stop")
    assert lines(record, 6) == "0 play 5H, 0 end, 1 play 5S, 1 play 4C, 1 stop, 1 end"
    assert fault(record) is None
    assert refused(record, "1 stop, 1 end", "1 end") == "KG-4"
    assert refused(record, "1 play 5S", "1 stop") == "KG-4"
    assert refused(record, "1 play 5S, 1 play 4C, 1 stop, 1 end", "1 end") == "KG-4"
    assert refused(record, "1 stop", "1 stop, 1 play 3D") == "KG-4"
    assert refused(record, "1 stop", "1 pass") == "KG-7"
    assert refused(record, "1 stop", "1 draw KS") == "KG-5"
    assert fault(with_changes(record, "rules.must_run", True)) == "KG-4"
    assert refused(with_changes(record, "rules.must_run", True), "1 stop, 1 end", "1 end") == "KG-4"


def test_kg_4_must_run_binds_a_leader_only_with_lead_run() -> None:
    hands = ["5H 6C 9C", "6S 9D 9H"]
    one = game(hands, "", "5H", must_run=True)
    assert lines(one, 2) == "0 play 5H, 0 end"
    assert fault(one) is None
    run = game(hands, "", "5H", must_run=True, lead="run")
    assert lines(run, 3) == "0 play 5H, 0 play 6C, 0 end"
    assert fault(run) is None
    assert refused(run, "0 play 6C, 0 end", "0 end") == "KG-4"
    assert refused(run, "0 play 6C, 0 end", "0 stop, 0 end") == "KG-4"


# KG-5 to KG-7: draw, recycle, pass


def test_kg_5_draw() -> None:
    record = game(["5H 9C", "KC 9D"], "KS JC 6D", "5H")
    assert lines(record, 7) == (
        "0 play 5H, 0 end, 1 draw KS, 1 draw JC, 1 draw 6D, 1 play 6D, 1 end"
    )
    assert fault(record) is None
    assert refused(record, "1 draw KS", "1 draw JC") == "KG-5"
    assert refused(record, "1 draw JC", "") == "KG-5"
    assert refused(record, "1 draw 6D", "") == "KG-5"
    assert refused(record, "1 play 6D, 1 end", "1 end") == "KG-5"
    assert refused(record, "1 play 6D", "1 draw 2S") == "KG-5"
    assert refused(record, "1 play 6D, 1 end", "1 play 6D, 1 draw 2S, 1 end") == "KG-5"
    assert refused(record, "1 draw KS, 1 draw JC, 1 draw 6D, 1 play 6D", "") == "KG-5"
    assert refused(record, "1 play 6D", "1 play KC") == "KG-3"
    assert refused(record, "1 draw JC", "1 play KC") == "KG-3"


def test_kg_5_draw_one() -> None:
    record = game(["5H 9C", "KC 9D"], "KS JC 6D", "5H", draw="one")
    assert lines(record, 8) == (
        "0 play 5H, 0 end, 1 draw KS, 1 pass, 1 end, 0 draw JC, 0 pass, 0 end"
    )
    assert lines(record, 11).endswith("1 draw 6D, 1 play 6D, 1 end")
    assert fault(record) is None
    assert refused(record, "1 draw KS, 1 pass", "1 draw KS, 1 draw JC, 1 pass") == "KG-5"
    assert refused(record, "1 pass", "") == "KG-7"
    assert refused(record, "1 draw KS, 1 pass", "1 pass") == "KG-7"
    assert fault(with_changes(record, "rules.draw", "until_fits")) == "KG-7"


def case_7(**rules: Any) -> Record:
    """Case 7: pile 5♥ 6♠ 7♦, stock run out; 0 holds no other 6, 7, 8."""
    rest = [card for card in OTHERS if card != "5H"]
    hands = [["5H", *rest[:24]], [*MIDDLE, *rest[24:37]]]
    script = "5H 6S 7D stop"
    return game([" ".join(hand) for hand in hands], " ".join(rest[37:]), script, **rules)


def test_kg_6_case_7_recycle() -> None:
    record = case_7()
    assert ", ".join(told(record)[6:12]) == (
        "0 draw AD, 0 draw AC, 0 recycle 5H 6S, 0 draw 5H, 0 draw 6S, 0 play 6S"
    )
    assert fault(record) is None
    assert refused(record, "0 recycle 5H 6S", "0 recycle 6S 5H") == "KG-6"
    assert refused(record, "0 recycle 5H 6S", "0 recycle 5H 6S 7D") == "KG-6"
    assert refused(record, "0 recycle 5H 6S", "0 recycle 5H") == "KG-6"
    assert refused(record, "0 recycle 5H 6S, 0 draw 5H", "0 draw 5H") == "KG-6"
    assert refused(record, "0 draw AC, 0 recycle 5H 6S", "0 recycle 5H 6S, 0 draw AC") == "KG-6"
    assert refused(record, "0 recycle 5H 6S", "1 recycle 5H 6S") == "C-2"
    assert fault(with_changes(record, "rules.recycle", "none")) == "KG-6"


def test_kg_6_case_7_lone_top_card() -> None:
    middle, rest = [card for card in MIDDLE if card != "7D"], OTHERS
    hands = [["7D", *rest[:16]], rest[16:33], [*middle, *rest[33:39]]]
    record = game([" ".join(hand) for hand in hands], rest[39], "7D")
    assert lines(record, 5) == "0 play 7D, 0 end, 1 draw AC, 1 pass, 1 end"
    assert fault(record) is None
    assert refused(record, "1 pass", "1 recycle, 1 pass") == "KG-6"
    assert refused(record, "1 pass", "1 recycle 7D, 1 draw 7D, 1 pass") == "KG-6"
    assert refused(record, "1 pass", "1 draw 7D, 1 pass") == "KG-5"
    late = game([" ".join(hand) for hand in hands], rest[39], "7D", recycle_when="emptied")
    assert lines(late, 5) == "0 play 7D, 0 end, 1 draw AC, 1 pass, 1 end"
    assert fault(late) is None


def test_kg_6_when_the_last_card_of_the_stock_fits() -> None:
    rest = [card for card in OTHERS if card != "5H"]
    middle = [card for card in MIDDLE if card != "8C"]
    hands = [" ".join(["5H", *rest[:24]]), " ".join([*middle, *rest[24:38]])]
    emptied = game(hands, f"{rest[38]} 8C", "5H 6S 7D stop", recycle_when="emptied")
    assert ", ".join(told(emptied)[6:10]) == "0 draw AC, 0 draw 8C, 0 recycle 5H 6S, 0 play 8C"
    assert fault(emptied) is None
    assert refused(emptied, "0 recycle 5H 6S, 0 play 8C", "0 play 8C") == "KG-6"
    late = refused(emptied, "0 recycle 5H 6S, 0 play 8C", "0 play 8C, 0 recycle 5H 6S")
    assert late == "KG-6"
    assert fault(with_changes(emptied, "rules.recycle_when", "needed")) == "KG-6"
    needed = game(hands, f"{rest[38]} 8C", "5H 6S 7D stop")
    assert ", ".join(told(needed)[6:9]) == "0 draw AC, 0 draw 8C, 0 play 8C"
    assert fault(needed) is None
    assert fault(with_changes(needed, "rules.recycle_when", "emptied")) == "KG-6"


def test_kg_6_shuffle_needs_the_same_set() -> None:
    record = case_7(recycle="shuffle")
    recycle = next(text for text in told(record) if "recycle" in text)
    assert fault(record) is None
    assert refused(record, recycle, recycle.replace("5H", "4H")) == "KG-6"
    assert refused(record, recycle, recycle.replace("5H", "7D")) == "KG-6"
    assert refused(record, recycle, recycle.replace(" 5H", "")) == "KG-6"
    twice = recycle.replace("5H", "6S")
    assert refused(record, recycle, twice) == "C-7"


def test_kg_7_pass() -> None:
    record = search(lambda record: record["outcome"]["passes"] > 0, rules={"recycle": "none"})
    assert fault(record) is None
    texts = told(record)
    passing = next(text for text in texts if "pass" in text)
    seat = passing[0]
    before = [text.split() for text in texts[: texts.index(passing)]]
    drawn = [words[2] for words in before if words[:2] == [seat, "draw"]]
    played = [words[2] for words in before if words[:2] == [seat, "play"]]
    dealt = record["deals"][0]["hands"][int(seat)]
    held = next(card for card in dealt + drawn if card not in played)
    assert refused(record, passing, "") == "KG-7"
    assert refused(record, passing, f"{passing}, {passing}") == "KG-7"
    assert refused(record, passing, f"{seat} draw 2S") == "KG-5"
    assert refused(record, passing, f"{seat} play {held}") == "KG-3"
    early = texts.index(next(text for text in texts if text.startswith("1 play")))
    assert refused(record, texts[early], "1 pass") == "KG-7"


# KG-8, KG-9: aces, going out


def test_kg_8_ace() -> None:
    record = game(["KH 9C", "AS 9D"], "", "KH")
    assert lines(record, 8) == (
        "0 play KH, 0 end, 1 play AS, 1 set_aside, 1 end, 0 play 9C, 0 out, 0 end"
    )
    assert fault(record) is None
    assert refused(record, "1 set_aside", "") == "KG-8"
    assert refused(record, "1 set_aside", "1 set_aside, 1 set_aside") == "KG-8"
    assert refused(record, "1 set_aside", "1 set_aside, 1 play 9D") == "KG-8"
    assert refused(record, "1 set_aside", "1 draw 2S, 1 set_aside") == "KG-5"
    assert refused(record, "0 play KH", "0 play KH, 0 set_aside") == "KG-8"
    assert refused(record, "1 play AS, 1 set_aside", "1 set_aside, 1 play AS") == "KG-8"
    assert fault(with_changes(record, "rules.ace_resets", 0)) == "KG-8"


def test_kg_8_ace_as_a_lead() -> None:
    record = game(["AH 9C", "5S 9D"], "", "AH")
    assert lines(record, 4) == "0 play AH, 0 set_aside, 0 end, 1 play 5S"
    assert fault(record) is None
    assert refused(record, "0 set_aside", "") == "KG-8"


def test_kg_8_fourth_ace_is_ordinary() -> None:
    record = game(["AH AC 2C", "AS AD 2D"], "KC KD", "AH AS AC AD")
    assert lines(record, 12) == (
        "0 play AH, 0 set_aside, 0 end, 1 play AS, 1 set_aside, 1 end, "
        "0 play AC, 0 set_aside, 0 end, 1 play AD, 1 end, 0 draw KC"
    )
    assert fault(record) is None
    assert refused(record, "1 play AD, 1 end", "1 play AD, 1 set_aside, 1 end") == "KG-8"
    assert fault(with_changes(record, "rules.ace_resets", 4)) == "KG-8"
    assert fault(with_changes(record, "rules.ace_scope", "player")) == "KG-8"


def test_kg_8_choice() -> None:
    record = game(["KH 9C", "AS KD"], "", "KH AS keep stop", ace_choice=True)
    assert lines(record, 5) == "0 play KH, 0 end, 1 play AS, 1 stop, 1 end"
    assert fault(record) is None
    aside = game(["KH 9C", "AS KD"], "", "KH AS aside", ace_choice=True)
    assert lines(aside, 5) == "0 play KH, 0 end, 1 play AS, 1 set_aside, 1 end"
    assert fault(aside) is None
    assert refused(record, "1 stop", "1 stop, 1 set_aside") == "KG-8"
    assert refused(aside, "1 set_aside", "1 set_aside, 1 stop") == "KG-13"
    assert fault(with_changes(record, "rules.ace_choice", False)) == "KG-8"
    assert fault(with_changes(aside, "rules.ace_resets", 0)) == "KG-8"


def test_kg_9_going_out() -> None:
    record = game(["5H 9C", "6S 6D", "9D KD"], "2C 6H", "5H 6S 6D")
    assert lines(record, 13) == (
        "0 play 5H, 0 end, 1 play 6S, 1 play 6D, 1 out, 1 end, "
        "2 draw 2C, 2 draw 6H, 2 play 6H, 2 end, 0 draw 2S, 0 draw 2H, 0 draw 2D"
    )
    assert fault(record) is None
    assert refused(record, "1 out", "") == "KG-9"
    assert refused(record, "0 end", "0 out, 0 end") == "KG-9"
    assert refused(record, "1 out", "1 out, 1 out") == "KG-9"
    assert refused(record, "2 draw 2C, 2 draw 6H, 2 play 6H, 2 end", "") == "KG-9"
    last = [event for event in told(record) if event.startswith("0 ")][2:]
    assert refused(record, ", ".join(last), "") == "KG-9"
    assert refused(record, ", ".join(last), ", ".join([*last, "1 pass, 1 end"])) == "KG-9"
    assert fault(with_changes(record, "deals.0.ending", "truncated")) == "KG-9"
    assert fault(with_changes(record, "rules.after_out", "round")) == "KG-9"
    assert fault(with_changes(record, "rules.after_out", "none")) == "KG-9"


def test_kg_9_round_and_none() -> None:
    hands = ["5H 9C", "6S 6D", "9D KD"]
    after = game(hands, "2C 6H", "5H 6S 6D", after_out="round")
    assert told(after)[-1] == "2 end"
    assert fault(after) is None
    assert fault(with_changes(after, "rules.after_out", "lap")) == "KG-9"
    none = game(hands, "2C 6H", "5H 6S 6D", after_out="none")
    assert told(none)[-1] == "1 end"
    assert fault(none) is None
    assert fault(with_changes(none, "rules.after_out", "round")) == "KG-9"


def test_kg_9_aside_then_out() -> None:
    record = game(["AH", "5S"])
    assert told(record) == [
        "0 play AH", "0 set_aside", "0 out", "0 end", "1 play 5S", "1 out", "1 end",
    ]  # fmt: skip
    assert fault(record) is None
    assert refused(record, "0 set_aside, 0 out", "0 out, 0 set_aside") == "KG-9"
    assert refused(record, "0 set_aside, 0 out", "0 out") == "KG-8"
