"""The slow engine of King, checked by hand on the cases of the rules page."""

from __future__ import annotations

from typing import Any

import pytest

from .king_deal import Deal, Table
from .king_policies import Ask, IllegalAnswer
from .king_scripts import Script, ascending, cards, events, run, run_script, scores
from .king_tables import card_set, default_rules, omnibus_values, printed_list, texts
from .king_tricks import Law, legal_follows, legal_leads, winning_place

# ---------------------------------------------------------------- the cases of RULES


def test_case_1_hearts_lead() -> None:
    law = Law(closed_hearts=True)
    assert legal_leads(law, 0, cards("7H 8C")) == cards("8C")
    assert legal_leads(law, 0, cards("AH 7H")) == cards("7H AH")
    others = ["8S 7S 8H 9H TH JH 7C 9C", "QH KH AH 7D 8D 9D TD JD", "QD KD AD TC JC QC KC AC"]
    scripts = [
        Script("AS", "KS", "QS", "JS", "TS", "9S", "7H"),
        Script("JH"),
        Script("KH"),
        Script(),
    ]
    hands = ["AS KS QS JS TS 9S 7H 8C", *others]
    game = run_script("simple", hands, scripts, contracts=["no-hearts"])
    mine = [e["card"] for e in events(game, "play") if e["seat"] == 0]
    # Hearts were discarded on his spades before, and still he may not lead one.
    assert {e["card"] for e in events(game, "play")[:24]} >= {"KH", "JH"}
    assert mine[6:] == ["8C", "7H"]


def test_case_1_only_hearts() -> None:
    hands = [
        "AS KS QS JS TS 9S 7H AH",
        "8S 7S 8H 9H TH JH 7C 9C",
        "QH KH 8C 7D 8D 9D TD JD",
        "QD KD AD TC JC QC KC AC",
    ]
    scripts = [Script("AS", "KS", "QS", "JS", "TS", "9S", "AH"), Script(), Script(), Script()]
    run_script("simple", hands, scripts, contracts=["no-hearts"])
    assert [ask.options for ask in scripts[0].seen][-1] == cards("7H AH")


def test_case_2_king_of_hearts() -> None:
    five, four = Law(closed_hearts=True, king_must_go=True), Law(closed_hearts=True)
    assert legal_follows(five, cards("TS"), cards("9H 8D")) == cards("9H 8D")
    assert legal_follows(five, cards("TC"), cards("KH AD 8S")) == cards("KH")
    assert legal_follows(four, cards("TC"), cards("KH AD 8S")) == cards("8S KH AD")
    assert legal_follows(five, cards("9H"), cards("KH 7H 8S")) == cards("7H KH")
    trumps = Law(trump=3, king_must_go=True, must_trump=True)
    assert legal_follows(trumps, cards("TS"), cards("KH 7C AC")) == cards("KH")
    assert legal_follows(trumps, cards("TS"), cards("QH 7C AC")) == cards("7C AC")


def test_case_3_trick() -> None:
    hands = [
        "KS QS JS TS 8S 7S AH KH",
        "7D 8D 9D TD JD QD KD AD",
        "9S QH JH TH 9H 8H 7H 7C",
        "AS AC KC QC JC TC 9C 8C",
    ]
    scripts = [Script("KS"), Script("7D"), Script("9S"), Script("AS")]
    game = run_script("simple", hands, scripts, first=2, contracts=["no-tricks"])
    found = game["record"]["deals"][0]["events"][:6]
    assert [(e["seat"], e.get("card")) for e in found[:4]] == [
        (2, "9S"),
        (3, "AS"),
        (0, "KS"),
        (1, "7D"),
    ]
    assert found[4] == {"seat": 3, "do": "trick"}
    assert (found[5]["seat"], found[5]["do"]) == (3, "play")


def test_case_4_last_two() -> None:
    lords = Script("AS", "AD", "KD")
    rest = [Script(), Script(), Script()]
    suits = {s: [rank + s for rank in "789TJQKA"] for s in "SHDC"}
    hands = [" ".join(suits[s]) for s in "SHDC"]
    assert scores(run_script("simple", hands, [lords, *rest], contracts=["no-last-two"])) == [
        -16,
        0,
        0,
        0,
    ]
    mine = "AD KD 7H 8H 9H TH JH QH KH AH"
    others = ["7S 8S 9S TS JS QS KS 7C 8C 9C", "7D 8D 9D TD JD QD TC JC QC KC"]
    game = run_script("threesome", [mine, *others], [lords, *rest[:2]], contracts=["no-last-two"])
    assert scores(game) == [-20, 0, 0]
    others = ["7S 8S 9S TS JS QS KS AS 8C 9C", "7D 8D 9D TD JD QD TC JC QC KC"]
    taker = Script("AC", "7C", "AD", "KD")
    game = run_script(
        "minsk", [mine, *others], [taker, *rest[:2]], talon="7C AC", contracts=["no-last-two"]
    )
    assert scores(game) == [-40, 0, 0]
    assert game["record"]["deals"][0]["table"] == {"talon": ["7C", "AC"]}
    assert [e["do"] for e in game["record"]["deals"][0]["events"][:4]] == [
        "name",
        "talon",
        "discard",
        "play",
    ]
    assert events(game, "discard")[0]["cards"] == ["AC", "7C"]
    # Laying away is two decisions, of twelve and of eleven cards.
    assert [len(a.options) for a in taker.seen if a.kind == "discard"] == [12, 11]


@pytest.mark.parametrize(
    ("taken", "wanted", "slam"),
    [
        ("2H 3H 4H QS", [-16, 0, 0, 0], False),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS", [-26, 10, 0, 0], False),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS TD", [26, 0, 0, 0], True),
        ("TD", [10, -26, 0, 0], False),
    ],
)
def test_case_5_omnibus(taken: str, wanted: list[int], slam: bool) -> None:
    rules = default_rules("omnibus", 4)
    deck = card_set("omnibus", 4, rules)
    values = omnibus_values(deck)
    table = Table(4, "omnibus", rules, [], [], 0, 0, 0)
    deal = Deal(table, 0, 0, [], deck, values=values, ending="played")
    # Seat 1 takes every other scoring card.
    deal.taken = [cards(taken), [c for c in values.cards if c not in cards(taken)], [], []]
    assert deal.scores() == wanted
    assert (deal.all_taken_by() == 0) is slam


def bidder(*points: int) -> Script:
    """Bids these points when it can, else passes."""
    return Script(*points, "D")


class Parrot(Script):
    """Repeats a bid of 3, legal or not."""

    def __call__(self, ask: Ask) -> Any:
        return 3 if ask.kind == "bid" else super().__call__(ask)


def trade_game(scripts: list[Script], **rules: Any) -> dict[str, Any]:
    """One deal of Trade among scripts."""
    return run(
        "trade",
        4,
        rules=rules,
        policies=list("abcd"),
        policy_table=dict(zip("abcd", scripts, strict=True)),
    )


def test_case_6_trade() -> None:
    game = trade_game([bidder(3), bidder(0), bidder(5), bidder(0)])
    assert [e["points"] for e in events(game, "bid")] == [3, 0, 5, 0]
    assert events(game, "name")[0]["seat"] == 2
    deal, row = game["record"]["deals"][0], game["deals_rows"][0]
    assert (deal["declarer"], deal["contract"], deal["trump"]) == (2, None, None)
    assert (row["declarer"], row["bid"], sum(deal["scores"])) == (2, 5, -13 - 5)
    with pytest.raises(IllegalAnswer, match="game 0, seat 1, policy b: 3 is none of bid"):
        trade_game([Parrot(), Parrot(), Parrot(), Parrot()])
    void = trade_game([bidder(0) for _ in range(4)])
    assert void["record"]["deals"][0]["ending"] == void["record"]["outcome"]["ending"] == "void"
    assert scores(void) == [0, 0, 0, 0]
    outcome = void["record"]["outcome"]
    assert (outcome["declarer"], outcome["bid"], outcome["slam"]) == (-1, 0, False)
    assert [outcome[f"win_share_{s}"] for s in range(4)] == [0.0] * 4


def test_open_auction() -> None:
    raisers = [bidder(1, 3, 13), bidder(0), bidder(2, 5), bidder(0)]
    game = trade_game(raisers, auction="open", bidder_leads=True, bid="gain")
    found = [(e["seat"], e["points"]) for e in events(game, "bid")]
    assert found == [(0, 1), (1, 0), (2, 2), (3, 0), (0, 3), (2, 5), (0, 13), (2, 0)]
    assert events(game, "play")[0]["seat"] == 0
    assert sum(scores(game)) == 13 - 13
    last = trade_game([bidder(0), bidder(0), bidder(0), bidder(4)], auction="open")
    assert [e["points"] for e in events(last, "bid")] == [0, 0, 0, 4]


def test_case_10_last_holder_keeps() -> None:
    hands = [
        "AS KS QS JS TS 9S",
        "8S 7D 8D 9D TD JD",
        "7C 8C 9C TC JC QC",
        "7S QD KD AD KC AC",
    ]
    for kept_as, wanted, tricks in (("cards", -16, 6), ("trick", -8, 7)):
        scripts = [Script("AS", "KS", "QS", "JS", "TS"), Script("8S"), Script(), Script("7S")]
        game = run_script(
            "domino",
            hands,
            scripts,
            rest="7H 8H 9H TH JH QH KH AH",
            contracts=["no-last-two"],
            kept_as=kept_as,
        )
        kept = events(game, "keep")
        assert [e["seat"] for e in kept] == [2]
        assert len(kept[0]["cards"]) == 8
        assert game["record"]["deals"][0]["ending"] == "played"
        row = game["deals_rows"][0]
        assert (row["cards_drawn"], row["tricks_played"]) == (8, tricks)
        assert scores(game)[0] == wanted
        assert sum(scores(game)) == -16


def test_case_10_winner_without_cards() -> None:
    hands = [
        "7S 9D TD JD QD KD",
        "AS KS QS JS TS AH",
        "7H AD 9C TC JC QC",
        "8H 9H TH JH KC AC",
    ]
    scripts = [Script("7S"), Script("AS", "AH", "KS"), Script("7H"), Script("8H")]
    game = run_script(
        "domino", hands, scripts, rest="7D 8S 7C 9S 8D 8C QH KH", contracts=["no-last-two"]
    )
    draws = [(e["seat"], e["card"]) for e in events(game, "draw")]
    assert draws[:4] == [(2, "7D"), (2, "8S"), (3, "7C"), (3, "9S")]
    assert draws[4:7] == [(0, "8D"), (0, "8C"), (0, "QH")]
    log = game["record"]["deals"][0]["events"]
    sixth = [k for k, e in enumerate(log) if e["do"] == "trick"][5]
    assert log[sixth]["seat"] == 1
    after = [e for e in log[sixth + 1 :] if e["do"] == "play"]
    assert after[0]["seat"] == 2
    assert all(e["seat"] != 1 for e in after)


# ---------------------------------------------------------------- further clauses


def test_joker() -> None:
    plain, led = Law(), Law(joker_loses="led")
    assert winning_place(plain, cards("5S X1 AS 2S")) == 1
    assert winning_place(plain, cards("5H X1 TH 2H")) == 1
    assert winning_place(plain, cards("5H X1 JH 2H")) == 2
    assert winning_place(plain, cards("5S X1 JH 2S")) == 0
    assert winning_place(led, cards("5S X1 JH 2S")) == 1
    assert winning_place(led, cards("X1 2S KH")) == 0
    assert winning_place(led, cards("X1 JH AS")) == 1
    assert winning_place(plain, cards("X1 2S KH")) == 1
    assert winning_place(plain, cards("2S X2 X1")) == 1
    hand = cards("2S 3H X1")
    assert legal_follows(plain, cards("5S"), hand) == cards("2S")
    assert legal_follows(plain, cards("5H"), hand) == cards("3H X1")
    assert legal_follows(plain, cards("5D"), hand) == cards("2S 3H X1")
    assert legal_follows(plain, cards("X2"), hand) == cards("2S 3H X1")
    assert legal_follows(Law(joker_play="void"), cards("5H"), hand) == cards("3H")
    assert legal_follows(Law(joker_play="any"), cards("5S"), hand) == cards("2S X1")


def test_trump_leads_of_others() -> None:
    law = Law(trump=0, trump_leader=1)
    assert legal_leads(law, 0, cards("AS 7D")) == cards("7D")
    assert legal_leads(law, 1, cards("AS 7D")) == cards("AS 7D")
    assert legal_leads(law, 0, cards("AS 7S")) == ascending("AS 7S")


def test_laying_away_scoring_cards() -> None:
    hands = [
        "7D 8D 9D TD 7C 8C 9C TC KC AC",
        "7H 8H 9H TH JH QH KH AH JS QS",
        "7S 8S 9S TS KS AS KD AD JD QD",
    ]
    scripts = [Script(), Script("AH"), Script()]
    game = run_script("atomic", hands, scripts, talon="JC QC", contracts=["no-all"])
    deal = game["record"]["deals"][0]
    assert deal["declarer"] == 1
    assert events(game, "play")[0]["seat"] == 0
    asked = [a.options for a in scripts[1].seen if a.kind == "discard"]
    assert asked[0] == ascending("7H 8H 9H TH JH QH KH AH JS QS JC QC")
    assert events(game, "discard")[0]["cards"][0] == "AH"
    assert sum(deal["scores"]) == -240


def test_blind_order() -> None:
    for order_when, hidden in (("look", False), ("blind", True)):
        script = Script("win-back", "S")
        run(
            "minsk",
            3,
            unit="match",
            rules={"order_when": order_when, "max_deals": 1},
            policies=["own", "low", "low"],
            policy_table={"own": script},
        )
        contract, trump = script.seen[:2]
        assert contract.options == list(dict.fromkeys(printed_list("minsk", {})))
        assert trump.options == ["none", "S", "H", "D", "C"]
        assert (contract.hand is None) is hidden
        assert trump.hand is not None and len(trump.hand) == 10


def test_named_contracts_run_out() -> None:
    game = run("minsk", 3, unit="match")
    deals = game["record"]["deals"]
    for seat in range(3):
        own = [d["contract"] for d in deals if d["declarer"] == seat]
        assert sorted(own) == sorted(printed_list("minsk", {}))
    assert all(d["events"][0]["do"] == "name" for d in deals)
    assert sum(game["record"]["outcome"][f"total_{s}"] for s in range(3)) == 0


def test_texts() -> None:
    assert texts(cards("TH X1 X2 AC 2S")) == ["TH", "X1", "X2", "AC", "2S"]
