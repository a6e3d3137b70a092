"""Balance metrics against calculations by hand, golden games and models with a known truth."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyses import balance, balance_course, balance_records, balance_skill
from analyses.balance_report import ANALYSIS
from simlib.games import standings as standings_module
from simlib.games.standings import acts, standings
from simlib.record import record_of
from simlib.setup import Setup, prepare
from simlib.simulate import run_setup
from simlib.tally import SeatSums, Tally
from tests.experiments.known_truths import BOTH_OUT

GAME = "king-george-iii"
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("module", [balance, balance_course, standings_module])
def test_the_worked_examples(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted >= 1 and found.failed == 0


def test_every_metric_has_formula_source_and_example() -> None:
    for name in balance.__all__:
        text = getattr(balance, name).__doc__ or ""
        if name in ("MEASURES", "Course", "course", "run"):
            continue
        assert "References\n" in text and "Examples\n" in text and "Returns\n" in text, name


class TestCourse:
    """Game 67 of seed 0, two random players, four cards each, worked out by hand.

    Cards in hand before turn 0 and after each: seat 0: 4 3 3 4 4 0 0, seat 1: 4 4 3 3 4 4 2;
    seat 0 wins.
    """

    def record(self) -> dict[str, Any]:
        setup = prepare(GAME, players=2, rules={"hand_size": 4})
        return record_of(setup, 67)

    def test_standings(self) -> None:
        rows = standings(self.record())
        assert [-row[0] for row in rows] == [4, 3, 3, 4, 4, 0, 0]
        assert [-row[1] for row in rows] == [4, 4, 3, 3, 4, 4, 2]

    def test_figures(self) -> None:
        found = balance_course.course(standings(self.record()), 0)
        # behind only after turn 2, by one card; the largest spread is 4, after turn 4
        assert found.drama == pytest.approx((1 / 4) ** 0.5)
        assert found.deficit == 1
        # alone in front: seat 0 after turn 0, seat 1 after turn 2, seat 0 from turn 4 on
        assert found.lead_changes == 2
        assert found.settled == pytest.approx(5 / 6)
        assert found.behind_at_half  # after turn 2 of 6

    def test_acts(self) -> None:
        # plays A, 3, 3, 4, then 5 6 7 6, then 6 7 and a stop
        record = self.record()
        assert acts(record) == 11
        assert record["outcome"]["decisions"] <= 11

    def test_a_winner_who_always_led(self) -> None:
        found = balance_course.course([[0, 0], [2, 0], [3, 1]], 0)
        assert found == balance_course.Course(0.0, 0, 0, 0.5, False)

    def test_a_winner_who_never_led(self) -> None:
        # seat 0 wins a playoff after a level end: settled by the end only
        found = balance_course.course([[-1, -1], [-1, 0], [0, 0]], 0)
        assert found.settled == 1.0 and found.deficit == 1 and found.behind_at_half

    def test_a_game_without_a_turn(self) -> None:
        assert balance_course.course([[0, 0]], 1) == balance_course.Course(0.0, 0, 0, 1.0, False)


class TestStandings:
    @pytest.mark.parametrize("preset", ["seed", "shuffled", "no-aces", "pagat-like"])
    def test_golden_games_of_king_george(self, preset: str) -> None:
        """The hands are those that the golden transcript shows after each turn."""
        lines = (GOLDEN / f"{GAME}-{preset}.txt").read_text(encoding="utf-8").splitlines()
        last = next((i for i, line in enumerate(lines) if line.startswith("Playoff")), len(lines))
        turns = [
            (int(m[1]), int(m[2]))
            for line in lines[:last]
            if (m := re.match(r"^\s+\d+  seat (\d)\s+(\d+) in hand", line))
        ]
        rows = standings(record_of(prepare(GAME, preset=preset, seed=2026), 1))
        assert len(rows) == len(turns) + 1
        for row, (seat, cards) in zip(rows[1:], turns, strict=True):
            assert row[seat] == -cards

    @pytest.mark.parametrize("variety", ["simple", "threesome", "minsk", "domino", "omnibus"])
    def test_tricks_of_king_add_up_to_the_scores(self, variety: str) -> None:
        setup = prepare("king", variety=variety, seed=3)
        for index in range(28):
            record = record_of(setup, index)
            rows = np.array(standings(record))
            deal = record["deals"][0]
            tricks = [event["seat"] for event in deal["events"] if event["do"] == "trick"]
            assert len(rows) == len(tricks) + 1
            assert rows[-1].tolist() == deal["scores"]
            special = any(e["do"] in ("keep", "discard") for e in deal["events"])
            if not special and 26 not in deal["scores"]:
                gained = np.diff(rows, axis=0)
                for row, seat in zip(gained, tricks, strict=True):
                    assert all(row[k] == 0 for k in range(setup.players) if k != seat)

    def test_matches_are_totals(self) -> None:
        record = record_of(prepare("king", variety="simple", unit="match"), 0)
        rows = standings(record)
        assert len(rows) == 15 and sum(rows[-1]) == 0
        assert rows[-1] == [record["outcome"][f"total_{seat}"] for seat in range(4)]

    def test_royal_corners(self) -> None:
        for index in range(30):
            record = record_of(prepare("royal-corners", seed=1), index)
            left = [-record["outcome"][f"cards_left_{seat}"] for seat in range(4)]
            assert standings(record)[-1] == left


class TestSeats:
    def seats(self, deals: int = 20_000) -> SeatSums:
        tally = Tally(prepare(GAME, players=3, policies="ace-early", seed=2))
        tally.play(deals)
        return tally.seat_sums()

    def test_against_numpy(self) -> None:
        setup = prepare(GAME, players=3, policies="ace-early", seed=2)
        frame = run_setup(setup, games=20_000, keep="games").games
        x = frame[["win_share_0", "win_share_1", "win_share_2"]].to_numpy()
        sums = self.seats()
        gain = x[:, 0] - x.mean(axis=1)
        found = balance.first_advantage(sums)
        assert found.estimate == pytest.approx(gain.mean(), abs=1e-12)
        assert found.se == pytest.approx(gain.std(ddof=1) / 20_000**0.5, rel=1e-9)
        spread = balance.seat_spread(sums)
        means = x.mean(axis=0)
        assert spread.estimate == pytest.approx(means.max() - means.min(), abs=1e-12)
        assert spread.low is not None and spread.high is not None
        assert 0 < spread.low < means.max() - means.min() < spread.high
        chance = balance.fairness(sums).p
        assert chance is not None and chance < 1e-6

    def test_rotating_who_begins_hides_nothing(self) -> None:
        setup = prepare(GAME, players=2, policies="ace-early", rules={"first": "rotate"})
        tally = Tally(setup)
        tally.play(10_000)
        advantage = balance.first_advantage(tally.seat_sums())
        assert advantage.low is not None and advantage.low > 0
        plain = Tally(prepare(GAME, players=2, policies="ace-early"))
        plain.play(10_000)
        other = balance.first_advantage(plain.seat_sums())
        assert other.estimate == pytest.approx(advantage.estimate, abs=0.02)

    def test_the_spread_of_equal_seats_is_no_finding(self) -> None:
        """Simulated seats that are equal: the interval begins at zero 95 times in 100."""
        rng = np.random.default_rng(5)
        found = 0
        for _ in range(400):
            wins = rng.multinomial(2000, [0.25] * 4)
            products = np.zeros((5, 5), np.int64)
            products[0, 0] = 2000
            products[0, 1:] = products[1:, 0] = wins
            products[1:, 1:] = np.diag(wins)
            low = balance.seat_spread(SeatSums(2000, products, 1)).low
            found += low is not None and low > 0
        assert found / 400 < 0.08

    def test_counts_of_a_tally_are_those_of_the_rows(self) -> None:
        for name in (GAME, "king", "royal-corners"):
            setup = prepare(name, seed=4)
            tally = Tally(setup)
            tally.play(300)
            tally.play(560)
            frame = run_setup(setup, games=560, keep="games").games
            assert tally.endings() == frame["ending"].value_counts().loc[lambda c: c > 0].to_dict()
            options = frame["options"].astype("int64")
            decisions = frame["decisions"].astype("int64")
            assert tally.decision_sums() == (
                560, options.sum(), decisions.sum(), (options**2).sum(),
                (options * decisions).sum(), (decisions**2).sum(),
            )  # fmt: skip


class TestLuckAndSkill:
    """With one card each and no chance in play the components can be worked out.

    Seat 0 wins alone with 1 - p, else the win is shared: one policy, so there is no skill; the
    shares are (1, 0) or (1/2, 1/2).
    """

    def test_a_game_with_a_known_truth(self) -> None:
        p = float(BOTH_OUT)
        setup = prepare(
            GAME, players=2, policies="one-card", rules={"hand_size": 1, "out_tie": "share"}
        )
        luck = balance_skill.components(setup, list(setup.policies), deals=20_000)
        found = luck.found
        # means 1 - p/2 and p/2: a seat is worth ± (1 - p)/2; the deal moves them by ± 1/4
        assert found.seat.estimate == pytest.approx(((1 - p) / 2) ** 2, abs=0.003)
        assert found.hand.estimate == pytest.approx(p * (1 - p) / 4, abs=0.002)
        assert found.play.estimate == 0.0 and found.deal.estimate == pytest.approx(0.0, abs=1e-12)
        assert found.hand.low is not None and found.hand.high is not None
        assert found.hand.low <= p * (1 - p) / 4 <= found.hand.high

    def test_a_model_with_a_known_truth(self) -> None:
        """Scores made of independent effects with variances that are set."""
        rng = np.random.default_rng(1)
        deals, seats, replicates = 4000, 3, 2
        policy = np.array([-1.0, 0.0, 1.0])
        seat = np.array([0.5, 0.0, -0.5])
        hand = rng.normal(0, 2.0, (deals, seats))
        plan = [[(s - turn) % seats for s in range(seats)] for turn in range(seats)]
        noise = rng.normal(0, 1.5, (deals, seats, seats, replicates))
        scores = np.empty((deals, seats, seats, replicates))
        for turn, who in enumerate(plan):
            scores[:, turn] = (hand + seat + policy[who])[:, :, None] + noise[:, turn]
        found = balance.luck_and_skill(scores, plan)
        truths = {
            "policy": 2 / 3,
            "seat": 1 / 6,
            "play": 2.25,
            "hand": 4.0 * 2 / 3,
            "deal": 4.0 / 3,
        }
        for name, value in truths.items():
            one = getattr(found, name)
            assert one.low - 0.05 <= value <= one.high + 0.05, name

    def test_a_population_is_spread_over_the_ladder(self) -> None:
        policies = list(prepare(GAME).game.policies.values())
        assert [p.name for p in balance_skill.population(policies, 2)] == [
            policies[0].name, policies[-1].name,
        ]  # fmt: skip
        assert len(balance_skill.population(policies[:2], 5)) == 5


class TestLadder:
    def test_rungs_against_plain_runs(self) -> None:
        setup = prepare(GAME, players=3, seed=6)
        known = setup.game.policies
        found = balance_skill.ladder(
            setup, [known["random"], known["eager"], known["one-card"]], deals=50
        )
        row = found[(found["policy"] == "eager") & (found["against"] == "random")].iloc[0]
        gaps = []
        for place in range(3):
            order = ["random"] * 3
            order[place] = "eager"
            frame = run_setup(
                prepare(GAME, players=3, seed=6, policies=order), games=50, keep="games"
            ).games
            x = frame[[f"win_share_{seat}" for seat in range(3)]].to_numpy()
            gaps.append(x[:, place] - np.delete(x, place, axis=1).mean(axis=1))
        per_deal = np.mean(gaps, axis=0)
        assert row["estimate"] == pytest.approx(per_deal.mean(), abs=1e-12)
        assert row["se"] == pytest.approx(per_deal.std(ddof=1) / 50**0.5, rel=1e-9)
        assert found["policy"].tolist() == ["one-card", "one-card", "eager", "eager"]
        assert found["other"].tolist() == ["random", "random", "random", "one-card"]


class TestRecords:
    def setup(self) -> Setup:
        return prepare(GAME, players=2, policies="eager", seed=9)

    def test_parts_add_up_and_processes_change_nothing(self) -> None:
        whole = balance_records.play_courses(self.setup(), games=700, processes=1)
        left = balance_records.play_courses(self.setup(), games=400, processes=1)
        left.add(balance_records.play_courses(self.setup(), games=300, first=400, processes=1))
        assert left.frame().equals(whole.frame())
        assert whole.games == 700 and 0 < whole.won <= 700

    @pytest.mark.slow
    def test_two_processes(self, scaled: Callable[[int], int]) -> None:
        games = max(1001, scaled(20_000))
        one = balance_records.play_courses(self.setup(), games=games, processes=1)
        two = balance_records.play_courses(self.setup(), games=games, processes=2)
        assert one.frame().equals(two.frame())

    def test_against_a_plain_loop(self) -> None:
        found = balance_records.play_courses(self.setup(), games=60).estimates()
        dramas, points, choices = [], 0, 0
        for index in range(60):
            record = record_of(self.setup(), index)
            deal = {**record, "deals": record["deals"][:1]}
            points += acts(deal)
            choices += record["outcome"]["decisions"]
            if record["outcome"]["winner"] >= 0:
                winner = record["outcome"]["winner"]
                dramas.append(balance_course.drama(standings(record), winner))
        assert found["drama"].n == len(dramas) == round(found["won"].estimate * 60)  # type: ignore[operator]
        assert found["drama"].estimate == pytest.approx(np.mean(dramas), abs=1e-6)
        assert found["decision_share"].estimate == pytest.approx(choices / points)


class TestResult:
    def test_from_rows_that_were_played_before(self) -> None:
        run = run_setup(prepare(GAME, players=2), games=400, keep="games")
        result = ANALYSIS.over([run])
        table = result.tables[0].frame.iloc[0]
        rates = {name: run.figure(f"rate_{name}").sums.estimate().estimate or 0.0
                 for name in ("out", "deadlock", "endless")}  # fmt: skip
        assert table["completed"] == pytest.approx(rates["out"] + rates["deadlock"])
        assert table["never_ending"] == rates["endless"]
        long = run.figure("turns_ended").sums.estimate().estimate
        assert table["length_mean"] == pytest.approx(long)

    @pytest.mark.parametrize(
        "options",
        [
            {"game": GAME, "players": [2, 3], "policies": ["random", "eager"]},
            {"game": "royal-corners", "players": [2], "policies": ["random"]},
            {"game": "king", "variety": "threesome", "policies": ["random", "low"]},
            {"game": "king", "variety": "simple", "unit": "match", "policies": ["random", "low"]},
        ],
        ids=lambda options: f"{options['game']} {options.get('unit', '')}",
    )
    def test_every_game(self, options: dict[str, Any]) -> None:
        result = balance.run(games=120, records=20, deals=20, processes=1, **options)
        keys = ["balance", "balance-intervals", "course", "course-intervals"]
        if len(options["policies"]) > 1:
            keys.append("skill-ladder")
        assert [table.key for table in result.tables] == [*keys, "luck-and-skill"]
        assert result.answer and all(len(table.frame) for table in result.tables)
        wide: pd.DataFrame = result.tables[0].frame
        parts = wide[["completed", "never_ending", "cut_off"]].sum(axis=1)
        assert np.allclose(parts, 1.0)
        for figure in result.figures:
            assert figure.draw().axes

    def test_nothing_but_equal_players(self) -> None:
        result = balance.run(games=100, records=0, deals=0, players=[2], policies=["eager"])
        assert [table.key for table in result.tables] == ["balance", "balance-intervals"]
