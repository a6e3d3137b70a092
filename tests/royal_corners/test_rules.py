"""The options of Royal Corners: defaults, presets, what is refused, what a run looks like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simlib.errors import BadInput, PolicyFailure
from simlib.games import get
from simlib.games.options import resolve
from simlib.games.royal_corners.outcome import DEAL_COLUMNS, GAME_COLUMNS, metrics
from simlib.games.royal_corners.rules import PLAYERS, PRESETS, RoyalCornersRules, pack
from simlib.policy import policy
from simlib.setup import prepare
from simlib.simulate import simulate
from tests.slow import royal_corners as slow

from .table_player import PRESETS as PRESETS_OF_THE_REFEREE

GAME = "royal-corners"


def test_the_defaults_are_those_of_the_rules_page() -> None:
    assert RoyalCornersRules().model_dump() == slow.DEFAULTS
    assert PRESETS == PRESETS_OF_THE_REFEREE


def test_every_option_cites_its_clause() -> None:
    for option in RoyalCornersRules.describe():
        assert option["clause"].startswith(("RC-", "C-3"))
        assert option["says"]


@pytest.mark.parametrize(
    ("options", "clause"),
    [
        ({"hand_size": 0}, "RC-1"),
        ({"hand_size": 25}, "RC-1"),
        ({"starter": "right"}, "RC-2"),
        ({"merge": "both"}, "RC-5"),
        ({"vacated": "ever"}, "RC-6"),
        ({"stock_face": 1}, "RC-7"),
        ({"draw": "none"}, "RC-8"),
        ({"end": "all_out"}, "RC-10"),
        ({"target": 0}, "RC-11"),
        ({"max_deals": 0}, "RC-11"),
        ({"max_turns": 0}, "RC-12"),
        ({"king_corners": 3}, "RC-14"),
        ({"king_corners": False}, "RC-14"),
        ({"king_corners": "8"}, "RC-14"),
        ({"king_pile": 1}, "RC-14"),
        ({"first": "last"}, "C-3"),
        ({"jokers": 1}, "C-12"),
    ],
    ids=str,
)
def test_a_wrong_value_is_refused_with_its_clause(options: dict[str, Any], clause: str) -> None:
    with pytest.raises(BadInput, match=clause):
        resolve(RoyalCornersRules, PRESETS, rules=options)


def test_texts_are_read_as_the_command_line_gives_them() -> None:
    rules: Any = resolve(
        RoyalCornersRules,
        PRESETS,
        rules={"king_corners": "4", "king_pile": "true", "hand_size": "null", "target": "20"},
    )
    assert (rules.king_corners, rules.king_pile, rules.hand_size, rules.target) == (
        4,
        True,
        None,
        20,
    )


@pytest.mark.parametrize(("players", "most"), [(2, 24), (3, 16), (4, 12)])
def test_rc_1_the_hands_leave_four_cards_for_the_corners(players: int, most: int) -> None:
    prepare(GAME, players=players, rules={"hand_size": most})
    with pytest.raises(BadInput, match=f"from 1 to {most}.*RC-1"):
        prepare(GAME, players=players, rules={"hand_size": most + 1})
    run = simulate(GAME, players=players, rules={"hand_size": most}, games=50, keep="games")
    assert len(run.games) == 50
    assert (run.games["stock_left"] <= 52 - 4 - players * most).all()


def test_pack_takes_every_option() -> None:
    packed = pack(RoyalCornersRules(**PRESETS["pagat"]), 3, match=True, trusted=True)[0]
    assert packed["corners"] == 8
    assert (packed["king_pile"], packed["vacated"], packed["stock_face"]) == (1, 3, 1)
    assert (packed["match"], packed["trusted"], packed["hand_size"]) == (1, 1, 7)


# The table of games and its figures


def test_rc_13_columns_of_deals_and_games() -> None:
    names = [column.name for column in DEAL_COLUMNS]
    assert len(set(names)) == len(names)
    run = simulate(GAME, games=200, keep="games", players=3, seed=4)
    games = run.games
    for seat in range(3):
        points = games[f"cards_left_{seat}"] + 9 * games[f"kings_left_{seat}"]
        assert (games[f"penalty_{seat}"] == points).all()
        assert ((games[f"out_order_{seat}"] >= 0) == (games[f"cards_left_{seat}"] == 0)).all()
    assert ((games["first_out_turn"] >= 0) == games["someone_out"]).all()
    left = sum(games[f"cards_left_{seat}"] for seat in range(3)) + games["stock_left"]
    assert (left + games["hand_plays"] + games["stock_plays"] == 48).all()  # C-7
    assert (games[[f"win_share_{seat}" for seat in range(3)]].sum(axis=1).round(9) == 1).all()


def test_rc_11_matches_and_their_deals() -> None:
    run = simulate(GAME, unit="match", games=60, keep="games", players=2, rules={"max_deals": 4})
    games, deals = run.games, run.deals
    assert [c.name for c in GAME_COLUMNS if not c.seats] == [
        name for name in games.columns if name not in ("seed", "index") and name[-2] != "_"
    ]
    sums = deals.groupby("index")[["penalty_0", "penalty_1", "decisions", "options"]].sum()
    assert (sums["penalty_0"].to_numpy() == games["total_0"]).all()
    assert (sums["decisions"].to_numpy() == games["decisions"]).all()
    assert (deals.groupby("index").size().to_numpy() == games["deals"]).all()
    assert (deals["first"] == deals["deal"] % 2).all()
    assert set(games["ending"]) == {"complete", "censored"}
    censored = games["ending"] == "censored"
    assert (games["censored"] == censored).all()
    assert (games["deals"][censored] == 4).all()
    assert (games[["win_share_0", "win_share_1"]].sum(axis=1) == ~censored).all()
    reached = games[["total_0", "total_1"]].max(axis=1) >= 50
    assert (reached == ~censored).all()


def test_metrics_of_both_units() -> None:
    single = [metric.name for metric in metrics("deal")]
    match = [metric.name for metric in metrics("match")]
    assert single[0] == match[0] == "rate_someone_out"
    assert {"penalty", "win_share", "stock_left", "rate_blocked", "rate_declined"} <= set(single)
    assert {"deals", "total", "loser", "rate_censored", "rate_complete"} <= set(match) - set(single)
    run = simulate(GAME, games=400, keep="games", seed=2)
    figures = run.metrics.set_index(["name", "seat"])["estimate"]
    for name, mean in (
        ("penalty", run.games["penalty_2"]),
        ("win_share", run.games["win_share_2"]),
    ):
        assert figures[name, 2] == pytest.approx(mean.mean())
    plain = run.metrics[run.metrics["seat"].isna()].set_index("name")["estimate"]
    assert plain["rate_declined"] == pytest.approx((run.games["ending"] == "declined").mean())
    assert plain["stock_left"] == pytest.approx(run.games["stock_left"].mean())


def test_c_5_an_answer_outside_is_named_with_all_options() -> None:
    @policy(GAME)
    def outside(view: Any, rng: Any) -> int:
        return 487

    with pytest.raises(PolicyFailure, match=r"game 0, seat 1.*487 = 7>7.*= \d.*, -1 = stop"):
        simulate(GAME, games=20, seed=3, policies=["random", outside, "random"], preset="pagat")


def test_c_4_threads_and_chunks_change_nothing() -> None:
    wanted = simulate(GAME, games=300, keep="games", unit="match", players=2, threads=1)
    for threads, chunk in ((2, 7), (1, 1000)):
        got = simulate(
            GAME, games=300, keep="games", unit="match", players=2, threads=threads, chunk=chunk
        )
        assert got.games.equals(wanted.games)
        assert got.deals.equals(wanted.deals)


def test_the_game_is_registered_with_policies_and_presets() -> None:
    game = get(GAME)
    assert game.units == ("deal", "match")
    assert game.players(None) == (PLAYERS, 4)
    assert set(game.presets(None)) == {"seed", "every-turn", "pagat"}
    assert np.dtype(game.game_dtype).names == tuple(column.name for column in GAME_COLUMNS)
