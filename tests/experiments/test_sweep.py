"""Sweeps: grids, common deals, precision by cell, frames and pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import simlib
from simlib.errors import BadInput
from simlib.sweep import sweep
from simlib.variants import Base, cells_of, read_changes, read_grid

GAME = "king-george-iii"
OWN = """
import simlib as sl

@sl.policy("king-george-iii", params={"risk": 0.5})
def timid(view, rng):
    "Stops as soon as it may, if its risk is small."
    if view.may_stop and view.params[0] < 0.5:
        return sl.STOP
    return sl.lowest(view.options)
"""


class TestKeys:
    def test_every_kind_of_key(self, tmp_path: Any) -> None:
        path = tmp_path / "own.py"
        path.write_text(OWN)
        base = Base.of(GAME, players=3, policies=f"{path}:timid", rules={"wrap": True})
        changes = {
            "players": 2, "rule.lead": "run", "ace_resets": "1", "policies.1": "eager",
            "param.risk": 0.25, "seed": "9",
        }  # fmt: skip
        setup = base.setup(changes)
        assert setup.players == 2 and setup.seed == 9
        assert setup.table.rules.changed() == {"wrap": True, "lead": "run", "ace_resets": 1}
        assert [p.name for p in setup.policies] == ["timid", "eager"]
        assert setup.policies[0].params == {"risk": 0.25}
        shown = {key: base.value(setup, key) for key in changes}
        assert shown == {
            "players": 2, "rule.lead": "run", "ace_resets": 1, "policies.1": "eager",
            "param.risk": 0.25, "seed": 9,
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"leed": "run"}, "leed"),
            ({"lead": "up"}, "KG-2"),
            ({"policies.5": "random"}, "seats are 0 to 3"),
            ({"param.risk": 1}, "no policy at the table"),
            ({"players": "two"}, "whole number"),
        ],
    )
    def test_bad_keys_and_values(self, changes: dict[str, Any], words: str) -> None:
        with pytest.raises(BadInput, match=words):
            Base.of(GAME).setup(changes)

    def test_a_base_from_a_setup_is_that_setup(self) -> None:
        setup = Base.of(GAME, players=2, policies="eager", rules={"lead": "run"}, seed=4).setup()
        assert Base.from_setup(setup).setup().describe() == setup.describe()

    def test_texts(self) -> None:
        assert read_changes("lead=run 'policies=a(x=1), b'") == {
            "lead": "run", "policies": "a(x=1), b",
        }  # fmt: skip
        grid = read_grid(["a=1..3", "b=x,y(p=1,q=2)", "c=u,v|w"])
        assert grid == {"a": [1, 2, 3], "b": ["x", "y(p=1,q=2)"], "c": ["u,v", "w"]}
        for bad in ("a", "=1", "a=", "a=1,,2", "a=3..1"):
            with pytest.raises(BadInput, match="--grid"):
                read_grid([bad])
        for bad in ("", "a", "a=1 a=2", "'a=1"):
            with pytest.raises(BadInput, match="--with"):
                read_changes(bad)

    def test_the_last_key_changes_fastest(self) -> None:
        keys, cells = cells_of({"a": [1, 2], "b": [3, 4]})
        assert keys == ["a", "b"]
        assert [tuple(cell.values()) for cell in cells] == [(1, 3), (1, 4), (2, 3), (2, 4)]
        assert cells_of([{"a": 1}, {"b": 2}]) == (["a", "b"], [{"a": 1}, {"b": 2}])
        everything: list[Any] = [[], {"a": []}, {"a": "text"}, [1], "text"]
        for bad in everything:
            with pytest.raises(BadInput):
                cells_of(bad)


class TestSweep:
    def test_each_cell_is_its_run(self) -> None:
        found = sweep(GAME, {"players": [2, 3], "lead": ["one", "run"]}, games=400, seed=3)
        assert [tuple(cell.values.values()) for cell in found.cells] == [
            (2, "one"), (2, "run"), (3, "one"), (3, "run"),
        ]  # fmt: skip
        for cell in found.cells:
            run = simlib.simulate(
                GAME, players=cell.values["players"], rules={"lead": cell.values["lead"]},
                games=400, seed=3,
            )  # fmt: skip
            assert run.sums == cell.run.sums

    def test_threads_change_nothing(self) -> None:
        grid = {"recycle": ["turn", "shuffle", "none"], "policies": ["random", "eager"]}
        one = sweep(GAME, grid, players=2, games=300, threads=1)
        two = sweep(GAME, grid, players=2, games=300, threads=2)
        assert one.frame.equals(two.frame)

    def test_frame(self) -> None:
        found = sweep(GAME, {"players": [2, 3]}, games=200, metrics=["rate_out", "win_share"])
        frame = found.frame
        assert list(frame.columns) == [
            "players", "name", "seat", "group", "estimate", "se", "low", "high", "half_width",
            "n", "games", "met", "deals",
        ]  # fmt: skip
        assert len(frame) == (1 + 2) + (1 + 3)
        assert frame["players"].tolist() == [2] * 3 + [3] * 4
        assert (frame["n"] == 200).all() and frame["met"].all()

    def test_c_4_cells_share_deals_unless_players_or_cards_differ(self) -> None:
        found = sweep(GAME, {"players": [2, 3], "wrap": [False, True]}, games=50)
        assert found.deals == (0, 0, 1, 1)
        cards = sweep("king", {"deck": [32, 52]}, variety="domino", games=14)
        assert cards.deals == (0, 1)
        assert sweep(GAME, {"seed": [1, 2]}, games=50).deals == (0, 1)

    def test_precision_in_each_cell(self) -> None:
        found = sweep(
            GAME,
            {"ace_resets": [0, 3]},
            players=2,
            games=200_000,
            precision={"rate_endless": 0.008},
        )
        rows = found.frame[found.frame["name"] == "rate_endless"]
        assert (rows["half_width"] <= 0.008).all() and rows["met"].all()
        assert rows["games"].tolist() == [10_000, 15_000]  # the second is a rate near one half
        short = sweep(GAME, {"ace_resets": [3]}, games=500, precision={"rate_endless": 0.001})
        assert not short.frame["met"].any()

    def test_invalid_cells(self) -> None:
        grid = {"hand_size": [12, 13], "players": [4]}
        with pytest.raises(BadInput, match=r"cell hand_size=13, players=4: .*KG-1"):
            sweep(GAME, grid, games=10)
        found = sweep(GAME, grid, games=10, skip_invalid=True)
        assert len(found) == 1 and "KG-1" in found.left_out[0]["reason"]
        with pytest.raises(BadInput, match="no cell is valid"):
            sweep(GAME, {"hand_size": [13]}, games=10, skip_invalid=True)

    def test_bad_names_before_anything_is_played(self) -> None:
        with pytest.raises(BadInput, match="rate_no"):
            sweep(GAME, {"players": [2]}, games=10**12, metrics=["rate_no"])
        with pytest.raises(BadInput, match="rate_no"):
            sweep(GAME, {"players": [2]}, games=10**12, precision={"rate_no": 0.1})
        with pytest.raises(BadInput, match="game"):
            sweep("whist", {"players": [2]})

    def test_presets_and_lists_of_cells(self) -> None:
        found = sweep(GAME, [{"preset": "no-aces"}, {"preset": "seed", "players": 2}], games=50)
        assert [cell.values["preset"] for cell in found.cells] == ["no-aces", "seed"]
        assert [cell.values["players"] for cell in found.cells] == [4, 2]
        assert found.cells[0].setup.table.rules.changed() == {"ace_resets": 0}

    def test_it_shows_itself(self) -> None:
        found = sweep(GAME, {"players": [2, 3], "lead": ["one", "run"]}, games=100)
        assert "<table" in found._repr_html_() and "4 cells" in repr(found)
        whole = json.loads(json.dumps(found.as_dict(), allow_nan=False))
        assert whole["keys"] == ["players", "lead"] and len(whole["cells"]) == 4
        assert found.cell(players=2, lead="run") is found.cells[1]
        with pytest.raises(BadInput, match="2 cells"):
            found.cell(players=2)
        assert found.wide(["win_share"], seat=1)["win_share"].notna().all()

    def test_progress_is_told(self) -> None:
        told: list[tuple[int, int, str]] = []
        sweep(
            GAME, {"lead": ["one", "run"]}, games=100,
            progress=lambda done, total, seconds, note: told.append((done, total, note)),
        )  # fmt: skip
        assert told[-1] == (200, 200, "2 of 2 cells")

    def test_progress_expects_what_the_precision_takes(self) -> None:
        told: list[tuple[int, int]] = []
        found = sweep(
            GAME, {"lead": ["one", "run"]}, players=2, games=10**9, threads=1,
            precision={"rate_endless": 0.005},
            progress=lambda done, total, seconds, note: told.append((done, total)),
        )  # fmt: skip
        games = sum(len(cell.run) for cell in found.cells)
        assert told[-1] == (games, games)
        assert all(done <= total <= 4 * games for done, total in told)


@pytest.mark.slow
def test_all_options_of_king_george_at_half_a_percent(scaled: Callable[[int], int]) -> None:
    """360 cells; `simlib sweep` plays them in about a minute on two cores."""
    _, cells = cells_of(
        {
            "players": [2, 3, 4, 5],
            "lead": ["one", "run"],
            "recycle": ["turn", "shuffle", "none"],
            "ace_resets": [0, 1, 2, 3, 4],
            "after_out": ["lap", "round", "none"],
        }
    )
    chosen = cells[:: max(1, len(cells) // scaled(len(cells)))]
    precision = {"rate_endless": 0.005, "rate_out": 0.005}
    found = sweep(GAME, chosen, games=10**6, precision=precision)
    rates = found.frame[found.frame["name"].isin(list(precision))]
    assert len(rates) == 2 * len(chosen)
    assert (rates["half_width"] <= 0.005).all() and rates["met"].all()


class TestPictures:
    def test_heat_map_and_lines(self) -> None:
        grid: dict[str, list[Any]] = {
            "players": [2, 3],
            "recycle": ["turn", "none"],
            "ace_resets": [0, 3],
        }
        found = sweep(GAME, grid, games=60)
        maps = found.heat_map("rate_endless")
        assert len(maps.axes) == 3  # two panels and the bar of colours
        assert maps.axes[0].get_xlabel() == "ace_resets"
        assert [ax.get_title(loc="left") for ax in maps.axes[:2]] == ["players = 2", "players = 3"]
        plots = found.lines("win_share", x="players", by="recycle", seat=0)
        assert len(plots.axes) == 2 and len(plots.axes[0].containers) == 2
        assert len(found.lines("rate_out", fixed={"players": 2, "recycle": "none"}).axes) == 1

    def test_a_title_says_what_was_played_and_rates_are_per_cent(self) -> None:
        found = sweep(GAME, {"players": [2, 3], "lead": ["one", "run"]}, games=60, seed=8,
                      rules={"wrap": True})  # fmt: skip
        for figure, axis in (
            (found.heat_map("rate_endless"), 1),
            (found.lines("rate_endless"), 0),
        ):
            title = " ".join(figure.get_suptitle().split())
            assert title == (
                "King George III, random: 4 cells (players × lead), 60 games a cell (unit deal),"
                " seed 8 in all cells: wrap=true"
            )
            figure.draw_without_rendering()
            labels = [text.get_text() for text in figure.axes[axis].get_yticklabels()]
            assert labels and all(label.endswith(" %") for label in labels)
        plain = found.lines("turns_restricted")
        plain.draw_without_rendering()
        assert not any("%" in text.get_text() for text in plain.axes[0].get_yticklabels())

    def test_a_long_title_stays_within_the_picture(self) -> None:
        found = sweep(GAME, {"lead": ["one"]}, players=2, games=60,
                      policies="longest-run", rules={"wrap": True, "must_run": True})  # fmt: skip
        figure = found.lines("rate_out")
        figure.draw_without_rendering()
        box = figure._suptitle.get_window_extent()  # type: ignore[attr-defined]
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"metric": "nothing"}, "this sweep has"),
            ({"metric": "win_share"}, "give seat"),
            ({"metric": "rate_out", "x": "lead"}, "the keys are"),
            ({"metric": "rate_out", "fixed": {"lead": 1}}, "the keys are"),
            ({"metric": "rate_out"}, "needs"),
        ],
    )
    def test_what_cannot_be_drawn(self, options: dict[str, Any], words: str) -> None:
        found = sweep(GAME, {"players": [2, 3]}, games=20)
        with pytest.raises(BadInput, match=words):
            found.heat_map(**options)
