"""Comparisons: paired where the cards allow it, equal to what runs give, seats rotated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

from simlib.compare import against, compare, play_rotations, rotations
from simlib.errors import BadInput
from simlib.pairing import apart, cards_of, obstacle
from simlib.setup import Setup, prepare
from simlib.simulate import simulate
from simlib.stats import mean, paired_difference, rate_difference
from simlib.stats.pairs import paired_rate_difference
from simlib.store import load

KG = "king-george-iii"
N = 600


def kg(**arguments: object) -> Setup:
    """Return a table of two at King George III."""
    return prepare(KG, **{"players": 2, **arguments})  # type: ignore[arg-type]


def test_rules_are_compared_on_the_same_deals() -> None:
    found = compare({"rules": {"wrap": True}}, {}, game=KG, players=2, games=N, seed=3)
    a = simulate(KG, players=2, games=N, seed=3, rules={"wrap": True}, keep="games").games
    b = simulate(KG, players=2, games=N, seed=3, keep="games").games
    assert found.paired and "same deals" in found.reason
    assert found.labels() == ("wrap=true", "wrap=false")

    row = found.row("rate_endless")
    x, y = (frame["ending"] == "endless" for frame in (a, b))
    wanted = paired_rate_difference(N, int((x & ~y).sum()), int((y & ~x).sum()))
    assert row["difference"] == pytest.approx(wanted.estimate)
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    spread = (x.astype(int) - y.astype(int)).var()
    assert row["variance_ratio"] == pytest.approx((x.var() + y.var()) / spread)
    assert row["games_saved"] == round(N * (row["variance_ratio"] - 1))
    assert row["detectable"] == pytest.approx((1.959964 + 0.841621) * row["se"], rel=1e-5)

    share = found.row("win_share", 0)
    p, q = (np.rint(frame["win_share_0"] * 60).astype(int) for frame in (a, b))
    sums = (p.sum(), q.sum(), (p * p).sum(), (p * q).sum(), (q * q).sum())
    wanted = paired_difference(N, *map(int, sums), scale=60)
    assert share["difference"] == pytest.approx(wanted.estimate)
    assert share["se"] == pytest.approx(wanted.se)


def test_estimates_are_those_of_the_runs() -> None:
    found = compare({"policies": "eager"}, {}, game=KG, players=2, games=N)
    for side, policy in (("a", "eager"), ("b", "random")):
        metrics = simulate(KG, players=2, games=N, policies=policy).metrics
        both = found.frame.merge(metrics, on=["name", "seat", "group"], suffixes=("_of", ""))
        assert len(both) == len(metrics)
        assert both[side].tolist() == both["estimate"].tolist()
        assert both[f"{side}_low"].tolist() == both["low"].tolist()
        assert both[f"{side}_high"].tolist() == both["high"].tolist()


def test_a_figure_given_an_ending_differs_by_its_ratios() -> None:
    found = compare({"rules": {"wrap": True}}, {}, game=KG, players=2, games=N).row("draws")
    a, b = (
        simulate(KG, players=2, games=N, rules=rules, keep="games").games
        for rules in ({"wrap": True}, {})
    )
    x, y = (frame["draws"] * (frame["ending"] == "out") for frame in (a, b))
    i, j = ((frame["ending"] == "out").astype(int) for frame in (a, b))
    ratio_a, ratio_b = x.sum() / i.sum(), y.sum() / j.sum()
    residual = (x - ratio_a * i) / i.mean() - (y - ratio_b * j) / j.mean()
    assert found["difference"] == pytest.approx(ratio_a - ratio_b)
    few = min(i.sum(), j.sum())
    assert found["n"] == few < N
    spread = residual.std(ddof=0) * np.sqrt(few / (few - 1))  # only so many games tell of it
    assert found["se"] == pytest.approx(spread / np.sqrt(N))


def test_a_difference_that_rests_on_one_game_has_no_interval() -> None:
    changed = {"rules": {"lead": "run"}}
    found = compare(changed, {}, game=KG, players=2, games=3, seed=2, metrics=["plays"]).row(
        "plays"
    )
    assert found["n"] == 1
    assert found[["se", "low", "high", "a_low", "b_low"]].isna().all()


def test_groups_of_matches_count_the_matches_that_had_one() -> None:
    table: dict[str, Any] = {"game": "king", "variety": "domino", "unit": "match", "seed": 2}
    found = compare(
        {"policies": "duck"}, {}, games=60, metrics=["score"], groups=True, **table
    ).frame
    for policy, column in (("duck", "a"), ("random", "b")):
        run = simulate(games=60, policies=policy, keep="games", **table)
        had = run.deals.groupby("contract", observed=True)["index"].nunique()
        rows = run.metrics[(run.metrics["name"] == "score") & (run.metrics["seat"] == 0)]
        groups = rows[rows["group"].notna()].set_index("group")["n"]
        assert groups.to_dict() == had.to_dict()
        assert had.min() < 60  # some matches end before the last contract
        low = found[(found["seat"] == 0) & found["group"].notna()].set_index("group")
        assert (low["n"] <= had.reindex(low.index)).all(), column


def test_contracts_in_turn_count_the_pairs_of_their_own() -> None:
    found = compare(
        {"rules": {"must_trump": True}}, {}, game="king", variety="ordered", games=420,
        metrics=["score"], groups=True, policies="random",
    ).frame  # fmt: skip
    groups = found[found["group"].notna()]
    assert groups["n"].max() < 420
    assert found[found["group"].isna()]["n"].unique().tolist() == [420]


def test_other_numbers_of_players_are_independent() -> None:
    found = compare({"players": 3}, {"players": 2}, game=KG, games=N, seed=5)
    assert not found.paired
    assert "numbers of players" in found.reason
    assert (found.a.seed, found.b.seed) == (6, 5)
    row = found.row("rate_endless")
    a, b = (
        simulate(KG, players=n, games=N, seed=seed).figure("rate_endless").sums
        for n, seed in ((3, 6), (2, 5))
    )
    wanted = rate_difference(a.successes, N, b.successes, N)  # type: ignore[attr-defined]
    assert row["difference"] == pytest.approx(wanted.estimate)
    assert (row["low"], row["high"]) == pytest.approx((wanted.low, wanted.high))
    assert pd.isna(row["variance_ratio"]) and pd.isna(row["games_saved"])
    assert set(found.frame["seat"].dropna()) == {0, 1}


def test_pairing_makes_like_rules_agree_more_closely() -> None:
    change = {"rules": {"recycle_when": "emptied"}}
    paired = compare(change, {}, game=KG, players=2, games=N)
    other = compare({**change, "seed": 9}, {}, game=KG, players=2, games=N)
    assert not other.paired and "seeds differ" in other.reason
    assert paired.row("rate_out")["se"] < other.row("rate_out")["se"] / 2


def test_the_cards_say_whether_setups_can_be_paired() -> None:
    king = {
        jokers: prepare("king", variety="jokers", players=3, rules={"jokers": jokers})
        for jokers in (1, 2)
    }
    assert len(cards_of(king[1])) == 51
    assert len(cards_of(king[2])) == 52
    assert obstacle(king[1], king[2]) == "the sets of cards differ (C-4)"
    assert obstacle(kg(), kg(rules={"hand_size": 5})) is None
    assert obstacle(kg(), kg(policies="eager")) is None
    match = prepare("royal-corners", players=2, unit="match")
    assert obstacle(match, prepare("royal-corners", players=2)) == "the units differ (C-3)"


def test_setups_apart_share_no_seed() -> None:
    moved = apart(kg(seed=7), kg(seed=7))
    assert (moved.seed, moved.play_seed) == (8, 8)
    moved = apart(kg(seed=7, play_seed=1), kg(seed=2, play_seed=1))
    assert (moved.seed, moved.play_seed) == (2, 2)
    assert apart(kg(seed=2**64 - 1), kg(seed=2**64 - 1)).seed == 0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (prepare("royal-corners", players=2, rules={"draw": "every_turn"}), None),
        (prepare("royal-corners", players=2, unit="match"), {"target": 30}),
        (prepare("king", variety="simple", policies="low"), None),
    ],
    ids=["deals", "matches", "contracts in turn"],
)
def test_played_and_compared_is_compared_and_played(a: Setup, b: dict[str, int] | None) -> None:
    table = a.table
    other = prepare(
        a.game.name,
        variety=table.variety,
        players=table.players,
        unit=table.unit,
        rules=b or {},
    )
    games = 280
    asked = {"variety": table.variety, "players": table.players, "unit": table.unit}
    runs = [
        simulate(
            a.game.name,
            games=games,
            policies=setup.policies,
            rules=setup.table.rules.changed(),
            keep="games",
            **asked,  # type: ignore[arg-type]
        )
        for setup in (a, other)
    ]
    live = compare(a, other, games=games, groups=True)
    pd.testing.assert_frame_equal(live.frame, compare(*runs, groups=True).frame)
    metrics = runs[0].metrics
    both = live.frame.merge(metrics, on=["name", "seat", "group"], suffixes=("_of", ""))
    assert len(both) == len(metrics)
    np.testing.assert_array_equal(both["a"], both["estimate"])
    np.testing.assert_array_equal(both["a_low"], both["low"])


def test_stored_runs_are_compared_block_by_block(tmp_path: Path) -> None:
    for name, policy in (("a", "eager"), ("b", "random")):
        simulate(KG, players=2, games=N, policies=policy, out=tmp_path / name)
    stored = compare(load(tmp_path / "a"), load(tmp_path / "b"))
    live = compare(kg(policies="eager"), kg(), games=N)
    pd.testing.assert_frame_equal(stored.frame, live.frame)


def test_contracts_in_turn_are_strata() -> None:
    found = compare({"policies": "low"}, {}, game="king", variety="simple", games=100)
    assert found.games == 112  # eight whole cycles of the fourteen contracts
    a, b = (
        simulate("king", variety="simple", policies=p, games=112, keep="games").deals
        for p in ("low", "random")
    )
    gap = a["score_0"] - b["score_0"]
    within = gap.groupby(np.arange(112) % 14).var()
    assert found.row("score", 0)["difference"] == pytest.approx(gap.mean())
    assert found.row("score", 0)["se"] == pytest.approx(np.sqrt(8 * within.sum()) / 112)


def test_several_setups_against_one_are_the_same_comparisons() -> None:
    others = [kg(rules={"wrap": True}), kg(policies="eager"), kg(players=3)]
    several = against(kg(), others, games=N, metrics=["rate_out", "win_share"])
    for other, found in zip(others, several, strict=True):
        alone = compare(other, kg(), games=N, metrics=["rate_out", "win_share"])
        pd.testing.assert_frame_equal(found.frame, alone.frame)
    assert [found.paired for found in several] == [True, True, False]


def test_threads_and_chunks_change_nothing() -> None:
    frames = [
        compare(kg(policies="eager"), kg(), games=N, threads=threads, chunk=chunk).frame
        for threads, chunk in ((1, 1000), (2, 7), (2, None))
    ]
    pd.testing.assert_frame_equal(frames[0], frames[1])
    pd.testing.assert_frame_equal(frames[0], frames[2])


def test_bonferroni_widens_the_differences_alone() -> None:
    plain = compare(kg(policies="eager"), kg(), games=N, metrics=["turns_ended", "win_share"])
    family = compare(
        kg(policies="eager"), kg(), games=N, metrics=["turns_ended", "win_share"], family="rows"
    )
    assert family.comparisons == 3
    one, three = plain.row("turns_ended"), family.row("turns_ended")
    assert three["a_low"] == one["a_low"]
    wide, narrow = scipy_stats.t.ppf([1 - 0.05 / 6, 0.975], one["n"] - 1)
    ratio = (three["high"] - three["low"]) / (one["high"] - one["low"])
    assert ratio == pytest.approx(wide / narrow)


def test_a_comparison_shows_itself() -> None:
    found = compare(kg(policies="eager"), kg(), games=50, metrics=["rate_out", "rate_cycle"])
    shown = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert shown["paired"] is True
    assert [row["name"] for row in shown["metrics"]] == ["rate_out", "rate_cycle"]
    assert shown["metrics"][1]["variance_ratio"] is None
    assert shown["metrics"][1]["detectable"] is None
    assert "<table" in found._repr_html_() and "paired" in found._repr_html_()
    assert "eager" in repr(found)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compare({}, {}, games=10), "name the game"),
        (lambda: compare({"foo": 1}, {}, game=KG, games=10), "no argument 'foo'"),
        (lambda: compare(kg(), kg(), games=0), "games 0"),
        (lambda: compare(kg(), kg(), games=10, metrics=["luck"]), "metric 'luck'"),
        (lambda: compare(kg(), prepare("royal-corners"), games=10), "another game"),
        (lambda: compare(simulate(KG, games=5), kg(), games=5), "two runs"),
        (
            lambda: compare(
                simulate(KG, games=5, keep="games"), simulate(KG, games=6, keep="games")
            ),
            "as many",
        ),
        (
            lambda: compare(
                simulate(KG, games=5, players=2, keep="games"),
                simulate(KG, games=5, players=3, keep="games"),
            ),
            "another seed",
        ),
        (lambda: compare(simulate(KG, games=5), simulate(KG, games=5)), "not kept"),
    ],
)
def test_bad_input_is_one_line(call: object, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        call()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_runs_of_other_tables_and_seeds_are_independent() -> None:
    found = compare(
        simulate(KG, games=400, players=2, keep="games"),
        simulate(KG, games=300, players=3, seed=1, keep="games"),
        metrics=["rate_out"],
    )
    assert not found.paired
    assert found.games == 300
    assert found.frame["n"].tolist() == [300]


# --- seats ---------------------------------------------------------------------------------


def test_rotations_put_everyone_at_every_seat_equally_often() -> None:
    assert rotations("abc") == [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a")]
    assert rotations("aab") == [("a", "a", "b"), ("b", "a", "a"), ("a", "b", "a")]
    assert rotations("abab") == [("a", "b", "a", "b"), ("b", "a", "b", "a")]
    assert rotations("aa") == [("a", "a")]


def test_the_unit_is_the_deal_averaged_over_its_rotations() -> None:
    setup = kg(players=3, policies="random,eager,eager", seed=2)
    found = play_rotations(setup, games=N)
    orders = ["random,eager,eager", "eager,random,eager", "eager,eager,random"]
    shares = {"random": np.zeros(N), "eager": np.zeros(N)}
    turns = np.zeros(N)
    for order in orders:
        games = simulate(KG, players=3, policies=order, games=N, seed=2, keep="games").games
        for seat, policy in enumerate(order.split(",")):
            shares[policy] += games[f"win_share_{seat}"].to_numpy()
        turns += np.where(games["ending"] == "endless", 2000, games["turns"])
    shares = {"random": shares["random"] / 3, "eager": shares["eager"] / 6}

    assert found.policies == ("random", "eager")
    assert (found.rotations, found.deals) == (3, N)
    frame = found.frame.set_index(["name", "policy"])
    for policy, values in shares.items():
        row = frame.loc[("win_share", policy)]
        assert row["estimate"] == pytest.approx(values.mean())
        assert row["se"] == pytest.approx(values.std(ddof=1) / np.sqrt(N))
        assert row["n"] == N
    gap = shares["random"] - shares["eager"]
    row = found.differences.set_index("name").loc["win_share"]
    assert (row["policy"], row["other"]) == ("random", "eager")
    assert row["difference"] == pytest.approx(gap.mean())
    assert row["se"] == pytest.approx(gap.std(ddof=1) / np.sqrt(N))
    whole = found.frame[found.frame["name"] == "turns_restricted"].iloc[0]
    assert pd.isna(whole["policy"])
    assert whole["estimate"] == pytest.approx((turns / 3).mean())
    assert whole["se"] == pytest.approx((turns / 3).std(ddof=1) / np.sqrt(N))


def test_a_policy_given_an_ending_is_a_ratio_over_deals() -> None:
    found = play_rotations(kg(policies="random,eager"), games=N, metrics=["cards_left"])
    totals = {"random": [np.zeros(N), np.zeros(N)], "eager": [np.zeros(N), np.zeros(N)]}
    for order in ("random,eager", "eager,random"):
        games = simulate(KG, players=2, policies=order, games=N, keep="games").games
        out = (games["ending"] == "out").to_numpy()
        for seat, policy in enumerate(order.split(",")):
            totals[policy][0] += games[f"cards_left_{seat}"].to_numpy() * out
            totals[policy][1] += out
    for row in found.frame.itertuples():
        x, y = totals[row.policy]
        assert row.estimate == pytest.approx(x.sum() / y.sum())


def test_alike_policies_have_no_difference_and_equal_seats() -> None:
    found = play_rotations(kg(policies="eager"), games=N, metrics=["win_share", "rate_out"])
    assert found.rotations == 1
    assert found.differences.empty
    games = simulate(KG, players=2, policies="eager", games=N, keep="games").games
    both = np.rint((games["win_share_0"] + games["win_share_1"]) * 60).astype(int)
    row = found.frame[found.frame["name"] == "win_share"].iloc[0]
    wanted = mean(N, int(both.sum()), int((both**2).sum()), scale=120)
    assert row["estimate"] == pytest.approx(wanted.estimate)
    assert row["se"] == pytest.approx(wanted.se)


def test_rotations_do_not_depend_on_threads() -> None:
    setup = prepare("royal-corners", players=2, policies="random,eager", unit="match")
    one, two = (
        play_rotations(setup, games=60, threads=threads, chunk=chunk, family="rows")
        for threads, chunk in ((1, None), (2, 7))
    )
    pd.testing.assert_frame_equal(one.frame, two.frame)
    pd.testing.assert_frame_equal(one.differences, two.differences)
    assert one.comparisons == len(one.differences)
    json.dumps(one.as_dict(), allow_nan=False)
    assert "rotations" in one._repr_html_() and "random" in repr(one)
