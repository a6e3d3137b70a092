"""Options, varieties and what a deal must be, clause by clause."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import simlib
from simlib.errors import BadInput, PolicyFailure
from simlib.games.king import rules as king
from simlib.games.king import trick_winner
from simlib.games.king.contracts import LABELS, VARIETIES
from simlib.games.king.outcome import CONTRACTS, metrics
from simlib.games.king.policies import POLICIES
from simlib.games.king.rules import NAMES, PRESETS, make_plan, pack, rules_model
from simlib.games.options import resolve
from tests.king.kernel_rows import GAMES, SEATS, play
from tests.king.reading import Reader
from tests.slow.king_tables import (
    card_set,
    contract_list,
    default_rules,
    hand_size,
)

# --- C-12: options -------------------------------------------------------------------------


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_c_12_each_variety_has_its_own_options(variety: str, players: int) -> None:
    model = rules_model(variety)()
    assert model.model_dump(mode="json") == default_rules(variety, players)
    assert model.changed() == {}
    for described in model.describe():
        assert described["clause"].startswith(("K-", "C-"))
        assert described["says"]
    assert resolve(rules_model(variety), PRESETS, preset="seed") == model


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_k_1_decks_and_hands(variety: str, players: int) -> None:
    options = default_rules(variety, players)
    plan = make_plan(rules_model(variety)(), players)
    assert list(plan.deck) == card_set(variety, players, options)
    assert plan.hand_size == hand_size(variety, players)
    names = [plan.contracts[place].name for place in plan.listed]
    assert [name for name in names if name] == contract_list(variety, options)
    assert all(
        plan.codes[i] == LABELS.index(c.name) for i, c in enumerate(plan.contracts) if c.name
    )


@pytest.mark.parametrize(
    ("variety", "options", "words"),
    [
        ("simple", {"contracts": "no-trick"}, r"contracts.*no-tricks.*K-7"),
        ("simple", {"contracts": []}, r"contracts.*empty.*K-7"),
        ("simple", {"contracts": "win-back"}, r"contracts.*K-7"),
        ("simple", {"contracts": ["no-tricks"] * 300}, r"contracts.*256.*K-7"),
        ("simple", {"removed": "aces"}, r"option 'removed'"),
        ("simple", {"must_trump": True}, r"option 'must_trump'"),
        ("minsk-declarer", {"trump_lead": "free"}, r"trump_lead.*declarer.*K-M"),
        ("domino", {"deck": 36}, r"deck.*32, 52.*K-D"),
        ("domino", {"deck": True}, r"deck"),
        ("domino", {"limit": 0}, r"limit.*-1.*K-11"),
        ("jokers", {"jokers": "3"}, r"jokers.*1, 2.*K-J"),
        ("jokers", {"deals": 0}, r"deals.*1.*K-J"),
        ("trade", {"auction": "dutch"}, r"auction.*round, open.*K-A"),
        ("atomic", {"hvalenki": -1}, r"hvalenki.*0.*K-X"),
        ("atomic", {"eralash": "perhaps"}, r"eralash.*true, false.*K-X"),
        ("house", {}, r"custom.*house_king.toml"),
    ],
)
def test_c_12_bad_options_are_named(variety: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        resolve(rules_model(variety), PRESETS, rules=options)


def test_c_12_texts_are_read() -> None:
    read = resolve(rules_model("domino"), PRESETS, over={"deck": "52", "contracts": "all, no-all"})
    assert read.model_dump()["deck"] == 52
    assert read.model_dump()["contracts"] == ("all", "no-all")


def test_k_j_two_jokers_are_for_three() -> None:
    simlib.replay("king", variety="jokers", players=3, index=0, rules={"jokers": 2})
    with pytest.raises(BadInput, match=r"jokers=2.*K-J"):
        simlib.replay("king", variety="jokers", players=4, index=0, rules={"jokers": 2})


def test_unknown_variety_and_players() -> None:
    with pytest.raises(BadInput, match="variety"):
        rules_model("bridge")
    with pytest.raises(BadInput, match="players"):
        simlib.replay("king", variety="simple", players=3, index=0)


# --- K-3, K-7: sums and contracts in turn ----------------------------------------------------


def points(variety: str, contract: str) -> int:
    """Return what the scores of a deal sum to."""
    kind = contract.removeprefix("no-")
    if variety in ("simple", "ordered"):
        amount = 96 if kind == "all" else 16
    elif variety == "threesome":
        amount = {"hearts": 16, "king": 20, "all": 116}.get(kind, 20)
    else:
        amount = {"win-back": 80, "all": 240}.get(kind, 40)
    return -amount if contract.startswith("no-") else amount


@pytest.mark.parametrize("variety", ["simple", "threesome", "ordered", "minsk", "atomic"])
@pytest.mark.parametrize("policy", list(POLICIES))
def test_k_3_sums(variety: str, policy: str) -> None:
    players = VARIETIES[variety].players[0]
    deals = play(variety, {}, [policy] * players, total=4000, trusted=True).deals
    sums = deals["score"].sum(1)
    names = contract_list(variety, default_rules(variety, players))
    for place, name in enumerate(names):
        rows = deals["index"] % len(names) == place
        assert set(deals["contract"][rows]) == {CONTRACTS.index(name)}
        assert set(sums[rows]) == {points(variety, name)}


def test_k_3_sums_of_the_others() -> None:
    for players in (3, 4):
        deals = play("jokers", {}, ["random"] * players, total=2000).deals
        assert set(deals["score"].sum(1)) == {-124}
        deals = play("omnibus", {}, ["random"] * players, total=2000).deals
        assert set(deals["score"].sum(1)[~deals["slam"]]) == {-16}
        deals = play("trade", {}, ["random"] * players, total=2000).deals
        void = deals["ending"] == 2
        sums = deals["score"].sum(1) + deals["bid"]
        assert set(sums[void]) <= {0}
        assert set(sums[~void]) == ({-13} if players == 4 else {-13, -12})
        assert (deals["declarer"][void] == -1).all()


def test_k_7_tricks_of_a_deal_played_out() -> None:
    for variety, players, tricks in (("simple", 4, 8), ("threesome", 3, 10), ("omnibus", 4, 13)):
        deals = play(variety, {"play_out": True}, ["random"] * players, total=1000).deals
        assert set(deals["tricks_played"]) == {tricks}
        assert set(deals["tricks"].sum(1)) == {tricks}
        assert set(deals["ending"]) == {0}


def test_k_o_each_player_names_each_contract_once() -> None:
    for variety, players, length in (("ordered", 4, 56), ("minsk", 3, 27), ("atomic", 3, 42)):
        played = play(variety, {}, ["random"] * players, unit="match", total=3)
        names = contract_list(variety, default_rules(variety, players))
        wanted = Counter(CONTRACTS.index(name) for name in names)
        assert set(played.games["deals"]) == {length}
        for game in range(3):
            deals = played.deals[played.deals["index"] == game]
            for seat in range(players):
                named = deals["contract"][deals["declarer"] == seat]
                assert Counter(named.tolist()) == wanted


def test_k_x_the_declarer_sits_after_the_leader() -> None:
    record = simlib.replay("king", variety="atomic", index=4, rules={"first": "rotate"})
    deal = record["deals"][0]
    assert (deal["first"], deal["declarer"]) == (1, 2)
    plays = [event["seat"] for event in deal["events"] if event["do"] == "play"]
    assert plays[0] == 1


def test_k_11_caps_and_limits() -> None:
    capped = play("trade", {"max_deals": 2}, ["random"] * 4, unit="match", total=50)
    censored = capped.games["censored"]
    assert censored.any()
    assert (capped.games["win_share"][censored] == 0).all()
    assert (capped.games["deals"][censored] == 2).all()
    ended = play("domino", {}, ["random"] * 4, unit="match", total=200).games
    assert (ended["total"].min(1)[ended["ending"] == 4] <= -31).all()
    assert (ended["win_share"].sum(1) == 60).all()


# --- cases of RULES --------------------------------------------------------------------------


@simlib.policy("king")
def scripted_bids(view: Any, rng: Any) -> int:
    """Bids 3 or 5 from places 0 and 2, passes elsewhere, then names diamonds."""
    if view.decision == 4:
        return (3, 0, 5, 0)[view.position]
    if view.decision == 5:
        return 2
    return simlib.lowest(view.options)


@simlib.policy("king")
def equal_bid(view: Any, rng: Any) -> int:
    """Bids 3, whoever bid 3 before."""
    return 3 if view.decision == 4 else simlib.lowest(view.options)


def test_k_a_case_6_the_auction() -> None:
    record = simlib.replay("king", variety="trade", index=0, policies=scripted_bids)
    deal = record["deals"][0]
    bids = [(e["seat"], e["points"]) for e in deal["events"] if e["do"] == "bid"]
    assert bids == [(0, 3), (1, 0), (2, 5), (3, 0)]
    assert deal["declarer"] == 2
    assert [e for e in deal["events"] if e["do"] == "name"] == [
        {"seat": 2, "do": "name", "suit": "D"}
    ]
    assert sum(deal["scores"]) == -13 - 5
    with pytest.raises(PolicyFailure, match=r"seat 1.*answered 3.*0 = pass, 4"):
        simlib.replay("king", variety="trade", index=0, policies=equal_bid)
    void = simlib.replay("king", variety="trade", index=0, policies="low")["deals"][0]
    assert (void["ending"], void["scores"]) == ("void", [0, 0, 0, 0])
    assert {e["do"] for e in void["events"]} == {"bid"}


def test_k_d_case_10_the_last_holder_keeps_his_cards() -> None:
    kept = led_on = 0
    for index in range(400):
        deal = simlib.replay("king", variety="domino", index=index)["deals"][0]
        hands = {seat: set(hand) for seat, hand in enumerate(deal["hands"])}
        events = deal["events"]
        for place, event in enumerate(events):
            if event["do"] == "draw":
                hands[event["seat"]].add(event["card"])
            elif event["do"] == "play":
                hands[event["seat"]].remove(event["card"])
            elif event["do"] == "trick":
                holders = [seat for seat in hands if hands[seat]]
                if len(holders) == 1:
                    assert events[place + 1]["do"] == "keep"
                    assert events[place + 1]["seat"] == holders[0]
                    assert set(events[place + 1]["cards"]) == hands[holders[0]]
                    kept += event["seat"] != holders[0]
                elif len(holders) > 1 and not hands[event["seat"]] and place + 1 < len(events):
                    clockwise = [(event["seat"] + k) % SEATS for k in range(1, SEATS)]
                    assert events[place + 1]["seat"] == next(s for s in clockwise if hands[s])
                    led_on += 1
        if kept > 2 and led_on > 2:
            return
    raise AssertionError("neither case was met")


# --- C-5, C-6: decisions and what is seen ----------------------------------------------------


@simlib.policy("king")
def checks_the_view(view: Any, rng: Any) -> int:
    """Plays the lowest card and answers 99 if the view contradicts itself."""
    known = view.hand | view.gone | view.table | view.away
    wrong = (known & view.unseen) != 0
    if view.decision == 0:
        wrong |= (known | view.unseen) != view.deck
        wrong |= simlib.count(view.table) != view.on_table
        wrong |= (view.options & ~view.hand) != 0
        total = 0
        for k in range(view.players):
            wrong |= (view.taken[k] & ~view.gone) != 0
            wrong |= (view.may_hold[k] & ~(view.unseen | view.hand)) != 0
            wrong |= simlib.count(view.may_hold[k]) < view.counts[k]
            total += view.tricks[k]
        wrong |= total != view.trick
        wrong |= view.counts[0] != simlib.count(view.hand)
        wrong |= view.may_hold[0] != view.hand
    if wrong:
        return 99
    return simlib.lowest(view.options) if view.trick % 2 else simlib.highest(view.options)


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_c_6_the_view_is_of_one_piece(variety: str, players: int) -> None:
    policies = [checks_the_view, *["random"] * (players - 1)]
    for unit in ("deal", "match"):
        for options in ({}, {"first": "rotate", "max_deals": 5}):
            played = play(variety, options, policies, unit=unit, total=40, seed=3)
            assert played.error == 0


@simlib.policy("king")
def follows_winning(view: Any, rng: Any) -> int:
    """Plays a card that would hold the trick if it has one, else the lowest."""
    better = view.options & view.winning if view.decision == 0 else view.options & ~view.options
    return simlib.highest(better) if better else simlib.lowest(view.options)


class Eager(Reader):
    """Requires that whoever could hold the trick does."""

    def chosen(self, seat: int, card: str, legal: list[str]) -> None:
        def holds(one: str) -> bool:
            trump = self.deal["trump"]
            trick = [*self.cards, one]
            return trick_winner(trick, trump=trump, **self.table) == len(self.cards)

        assert holds(card) or not any(map(holds, legal))


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_c_6_winning_is_what_holds_the_trick(variety: str, players: int) -> None:
    tables: list[dict[str, Any]] = [{}]
    if "trump_in" in rules_model(variety).model_fields:
        tables.append({"trump_in": "all", "no_trump": False})
    if variety == "jokers":
        tables += [{"joker_play": "any", "joker_loses": "led"}]
        tables += [{"joker_play": "any", "jokers": 2}] if players == 3 else []
    for rules in tables:
        table = {"variety": variety, "players": players, "rules": rules}
        for index in range(8):
            record = simlib.replay("king", index=index, policies=follows_winning, **table)
            Eager(record["deals"][0], table).read()


def test_c_4_the_same_deal_for_every_contract_and_policy() -> None:
    hands = {
        str(
            simlib.replay(
                "king", index=5, rules={"contracts": [name]}, policies=policy
            )["deals"][0]["hands"]
        )
        for name in ("no-tricks", "all")
        for policy in ("random", "low")
    }  # fmt: skip
    assert len(hands) == 1


@pytest.mark.parametrize("unit", ["deal", "match"])
@pytest.mark.parametrize("variety", NAMES[:-1])
def test_metrics_name_columns(variety: str, unit: str) -> None:
    game = simlib.games.get("king")
    columns = {column.name for column in (*game.deal_columns, *game.game_columns)}
    names = [metric.name for metric in metrics(rules_model(variety)(), unit)]
    assert len(set(names)) == len(names)
    for metric in metrics(rules_model(variety)(), unit):
        assert metric.column in columns
    assert names[0] == "score"
    assert ("bid" in names) == (variety == "trade")
    assert ("cards_drawn" in names) == (variety == "domino")
    assert ("total" in names) == (unit == "match")


def test_packed_record_knows_the_unit() -> None:
    model = rules_model("simple")()
    assert not pack(model, 4)[0]["match"]
    assert pack(model, 4, match=True)[0]["match"]
    assert king.players_of(None) == ((4,), 4)
    assert np.all(pack(model, 4)["list_length"] == 14)
