"""The contracts of the command line and of ``simulate`` that hold for every game."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simlib
from simlib.cli import execute
from simlib.games import get
from simlib.simulate import simulate

GAME = "king-george-iii"

OWN_POLICY = """
import simlib as sl

@sl.policy("king-george-iii")
def lowest(view, rng):
    "Plays the lowest card."
    return sl.lowest(view.options)

@sl.policy("king-george-iii")
def outside(view, rng):
    return 99

@sl.policy("king-george-iii")
def raises(view, rng):
    if view.position == 1:
        raise ValueError("no idea")
    return sl.lowest(view.options)

@sl.policy("king-george-iii")
def reaches(view, rng):
    return int(view.params[view.players + 20])

@sl.policy("king-george-iii")
def half(view, rng):
    return 0.5

@sl.policy("king-george-iii")
def scribbles(view, rng):
    answer = sl.lowest(view.options)
    view.hand = 0
    view.ace_resets = 0
    view.params[0] = 7.0
    return answer

@sl.policy("king-george-iii", params={"risk": 0.25})
def careful(view, rng):
    if view.may_stop and view.params[0] > 0.2:
        return sl.STOP
    return sl.lowest(view.options)

@sl.policy("king-george-iii")
def gambler(view, rng):
    return sl.nth(view.options, sl.below(rng, sl.count(view.options)))
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("own") / "own.py"
    path.write_text(OWN_POLICY)
    return str(path)


def cli(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "simlib", *args], capture_output=True, text=True, timeout=120
    )


def rows(**kwargs: Any) -> Any:
    return simulate(GAME, keep="games", **{"games": 300, "seed": 5, "players": 3, **kwargs})


class TestDeterminism:
    def test_c_4_threads_and_chunks_change_nothing(self) -> None:
        want = rows(threads=1)
        for threads, chunk in [(2, None), (1, 1), (2, 7), (2, 1000), (1, 100_000)]:
            got = rows(threads=threads, chunk=chunk)
            assert got.games.equals(want.games)
            assert got.deals.equals(want.deals)
            assert got.sums == want.sums

    def test_c_4_one_game_replayed_alone_is_the_same_row(self) -> None:
        games = rows().games
        for index in (0, 7, 299):
            outcome = simlib.replay(GAME, index=index, seed=5, players=3)["outcome"]
            row = games.iloc[index]
            for key, value in outcome.items():
                if value is None:
                    assert row[key] is None or row[key] != row[key], key
                else:
                    assert row[key] == value, key

    def test_c_4_other_luck_in_play_keeps_the_deck(self) -> None:
        one = simlib.replay(GAME, index=3, seed=5)
        two = simlib.replay(GAME, index=3, seed=5, play_seed=6)
        assert one["deals"][0]["hands"] == two["deals"][0]["hands"]
        assert one["deals"][0]["stock"] == two["deals"][0]["stock"]
        assert one["deals"][0]["events"] != two["deals"][0]["events"]

    def test_c_3_rotation_of_the_first_seat(self) -> None:
        deals = rows(rules={"first": "rotate"}).deals
        first = deals[deals["deal"] == 0]["first"].to_numpy()
        assert (first == np.arange(300) % 3).all()


class TestRows:
    def test_c_8_every_game_has_one_row_and_every_deal_one(self) -> None:
        run = rows()
        assert list(run.games["index"]) == list(range(300))
        assert len(run.deals) == 300 + run.games["playoffs"].sum()
        assert not run.deals.duplicated(["index", "deal"]).any()

    def test_c_9_shares_sum_to_one_or_nobody_wins(self) -> None:
        games = rows().games
        total = games[[f"win_share_{seat}" for seat in range(3)]].sum(axis=1)
        assert total.isin([0.0, 1.0]).all()
        assert ((total == 0) <= games["ending"].isin(["endless", "truncated"])).all()

    def test_summary_and_rows_agree(self) -> None:
        run = rows()
        endless = (run.games["ending"] == "endless").mean()
        assert run.figure("rate_endless").sums.estimate().estimate == pytest.approx(endless)
        out = run.games[run.games["ending"] == "out"]
        draws = run.figure("draws").sums.estimate()
        assert draws.estimate == pytest.approx(out["draws"].mean())
        assert draws.n == len(out)
        assert draws.se == pytest.approx(out["draws"].std() / len(out) ** 0.5)
        share = run.figure("win_share", seat=1).sums.estimate()
        assert share.estimate == pytest.approx(run.games["win_share_1"].mean())
        assert share.se == pytest.approx(run.games["win_share_1"].std() / 300**0.5)
        capped = run.games["turns"].where(run.games["ending"] != "endless", 2000)
        restricted = run.figure("turns_restricted").sums.estimate()
        assert restricted.estimate == pytest.approx(capped.mean())

    def test_rows_that_were_not_kept_are_not_there(self) -> None:
        with pytest.raises(simlib.BadInput, match='keep="games"'):
            _ = simulate(GAME, games=10).games


class TestPolicies:
    def test_own_policy_from_a_file(self, own: str) -> None:
        run = simulate(GAME, games=50, players=2, policies=f"{own}:lowest")
        assert len(run) == 50
        assert not run.setup.policies[0].uses_chance

    def test_c_10_uses_chance_is_found_from_the_code(self, own: str) -> None:
        record = simlib.replay(GAME, index=0, policies=[f"{own}:gambler", f"{own}:lowest"])
        assert record["uses_chance"] == [True, False]

    def test_c_6_a_policy_that_writes_into_its_view_changes_nothing(self, own: str) -> None:
        plain = simulate(GAME, games=200, keep="games", policies=f"{own}:lowest")
        odd = simulate(GAME, games=200, keep="games", policies=f"{own}:scribbles")
        assert plain.games.equals(odd.games)

    def test_parameters_need_no_new_compilation(self, own: str) -> None:
        bold = simulate(GAME, games=200, keep="games", policies=f"{own}:careful(risk=0.1)")
        plain = simulate(GAME, games=200, keep="games", policies=f"{own}:lowest")
        assert bold.games.equals(plain.games)
        shy = simulate(GAME, games=200, keep="games", policies=f"{own}:careful")
        assert not shy.games.equals(plain.games)

    @pytest.mark.parametrize("name", ["outside", "raises", "reaches"])
    def test_c_5_a_failing_policy_is_named(self, own: str, name: str) -> None:
        with pytest.raises(simlib.PolicyFailure, match=r"game \d+, seat \d.*C-5") as caught:
            simulate(GAME, games=50, players=2, policies=f"random,{own}:{name}")
        assert caught.value.seat == 1
        assert caught.value.policy.endswith(name)

    def test_a_policy_that_returns_a_float_is_refused(self, own: str) -> None:
        with pytest.raises(simlib.BadInput, match="returns float64"):
            simulate(GAME, games=5, policies=f"{own}:half")


BAD = [
    (["run", "whist"], "game 'whist'"),
    (["run", GAME, "--players", "7"], "players 7"),
    (["run", GAME, "--players", "two"], "--players 'two'"),
    (["run", GAME, "--variety", "minsk"], "variety 'minsk'"),
    (["run", GAME, "--unit", "match"], "unit 'match'"),
    (["run", GAME, "--games", "0"], "--games"),
    (["run", GAME, "--games", "-5"], "--games"),
    (["run", GAME, "--games", "1.5"], "--games"),
    (["run", GAME, "--games", "nan"], "--games"),
    (["run", GAME, "--seed", "-1"], "seed"),
    (["run", GAME, "--seed", "x"], "--seed"),
    (["run", GAME, "--policies", "genius"], "policy 'genius'"),
    (["run", GAME, "--players", "3", "--policies", "random,random"], "2 given for"),
    (["run", GAME, "--policies", "nowhere.py:x"], "no file"),
    (["run", GAME, "--rule", "wrap"], "key=value"),
    (["run", GAME, "--rule", "wrap=maybe"], "KG-3"),
    (["run", GAME, "--rule", "jump=1"], "option 'jump'"),
    (["run", GAME, "--rule", "ace_resets=5"], "KG-8"),
    (["run", GAME, "--rule", "hand_size=13", "--players", "4"], "KG-1"),
    (["run", GAME, "--preset", "mine"], "preset 'mine'"),
    (["run", GAME, "--rules", "nowhere.toml"], "nowhere.toml"),
    (["run", GAME, "--precision", "fun=0.1"], "precision 'fun'"),
    (["run", GAME, "--precision", "draws=0"], "half-width"),
    (["run", GAME, "--threads", "0"], "threads"),
    (["run", GAME, "--colour", "red"], "colour"),
    (["replay", GAME], "--game"),
    (["replay", GAME, "--game", "-1"], "--game"),
    (["replay", GAME, "--games", "5-2"], "--games"),
    (["verify", "nowhere.jsonl"], "nowhere.jsonl"),
    (["fly"], "fly"),
]


@pytest.mark.parametrize(
    ("args", "says"), BAD, ids=[" ".join(args[1:]) or args[0] for args, _ in BAD]
)
def test_bad_input_is_one_line_and_exit_2(
    args: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(args) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert says in printed.err


class TestCommandLine:
    def test_run_json_is_one_object_and_nothing_else(self) -> None:
        done = cli("run", GAME, "--players", "2", "--games", "1e3", "--seed", "7", "--json")
        assert done.returncode == 0
        assert done.stderr == ""
        found = json.loads(done.stdout)
        assert set(found) == {
            "game", "variety", "players", "unit", "rules", "policies", "seed", "games", "elapsed_s",
            "games_per_s", "metrics",
        }  # fmt: skip
        assert found["games"] == 1000
        assert found["players"] == 2
        assert found["rules"]["ace_resets"] == 3
        names = {metric["name"] for metric in found["metrics"]}
        assert {"rate_endless", "rate_orphans", "turns_ended", "win_share", "draws"} <= names
        for metric in found["metrics"]:
            assert set(metric) == {
                "name", "seat", "group", "estimate", "se", "low", "high", "n",
            }  # fmt: skip

    def test_rule_goes_before_rules_before_preset(self, tmp_path: Path) -> None:
        file = tmp_path / "house.toml"
        file.write_text("ace_resets = 1\nwrap = true\n")
        done = cli(
            "run", GAME, "--games", "10", "--json", "--preset", "no-aces", "--rules", str(file),
            "--rule", "wrap=false",
        )  # fmt: skip
        rules = json.loads(done.stdout)["rules"]
        assert (rules["ace_resets"], rules["wrap"]) == (1, False)

    def test_c_5_stop_exits_1(self, own: str) -> None:
        done = cli("run", GAME, "--games", "10", "--policies", f"{own}:outside")
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "outside" in done.stderr

    def test_replay_and_verify(self, tmp_path: Path) -> None:
        done = cli("replay", GAME, "--games", "0-9", "--seed", "3", "--json")
        file = tmp_path / "games.jsonl"
        lines = done.stdout.splitlines()
        assert len(lines) == 10
        file.write_text(done.stdout)
        good = cli("verify", str(file))
        assert (good.returncode, good.stdout) == (0, "ok 10 games\n")
        broken = json.loads(lines[2])
        broken["deals"][0]["scores"][0] -= 1
        lines[2] = json.dumps(broken)
        lines[5] = lines[5][:200]
        file.write_text("\n".join(lines))
        bad = cli("verify", str(file))
        assert bad.returncode == 1
        told = bad.stdout.splitlines()
        assert told[0].startswith("line 3, game 2")
        assert told[1].startswith("line 6: C-10")
        assert told[2] == "2 of 10 games are bad"

    def test_verify_without_a_line_exits_2(self, tmp_path: Path) -> None:
        file = tmp_path / "empty.jsonl"
        file.write_text("")
        assert cli("verify", str(file)).returncode == 2

    def test_verify_counts_an_empty_line_as_a_bad_record(self, tmp_path: Path) -> None:
        good = cli("replay", GAME, "--game", "3", "--json").stdout
        file = tmp_path / "gap.jsonl"
        file.write_text(f"{good}\n{good}")
        found = cli("verify", str(file))
        assert found.returncode == 1
        assert found.stdout.splitlines() == [
            "line 2: C-10: the line is empty",
            "1 of 3 games is bad",
        ]

    def test_games_lists_everything(self) -> None:
        listed = json.loads(cli("games", "--json").stdout)["games"]
        game = next(entry for entry in listed if entry["name"] == GAME)
        names = [option["name"] for option in game["varieties"][0]["options"]]
        assert names == list(get(GAME).rules_model(None).model_fields)
        assert all(option["clause"] for option in game["varieties"][0]["options"])
        assert {policy["name"] for policy in game["policies"]} == set(get(GAME).policies)
        assert all(policy["says"] for policy in game["policies"])

    def test_precision_stops_early(self) -> None:
        done = cli(
            "run", GAME, "--players", "2", "--precision", "rate_endless=0.01", "--json",
        )  # fmt: skip
        found = json.loads(done.stdout)
        assert found["games"] == 10_000
        assert found["precision"]["met"]

    def test_import_loads_none_of_the_slow_libraries(self) -> None:
        code = (
            "import sys, simlib;"
            "print([m for m in ('pandas', 'pyarrow', 'scipy.stats', 'statsmodels', 'matplotlib')"
            " if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.strip() == "[]"


class TestPackage:
    def test_functions_stay_functions_after_their_modules_are_imported(self) -> None:
        code = (
            "import simlib.simulate, simlib.compare, simlib.store, simlib as sl\n"
            "from simlib.simulate import run_setup\n"
            "assert all(callable(getattr(sl, n)) for n in ('simulate', 'compare', 'load'))\n"
            "assert sl.simulate is sl.simulate\n"
            "from simlib import simulate\n"
            "assert callable(simulate)\n"
            "assert sl.king_george.fitting(['5S'], '5H') == ['5S']\n"
            "import simlib.king_george\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stderr == ""

    def test_dir_lists_public_names_alone(self) -> None:
        games = {"king", "king_george", "royal_corners"}
        assert {name for name in dir(simlib) if name[0] != "_"} == {*simlib.__all__, *games}

    def test_every_public_name_is_there(self) -> None:
        for name in simlib.__all__:
            assert getattr(simlib, name) is not None
