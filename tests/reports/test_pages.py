"""From a name to files."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from analyses.results import Result
from reports import build_reports, pages
from simlib.errors import BadInput
from tests.reports import made_up
from tests.reports.html_check import check


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Put made-up analyses in the place of the real ones; return what they were asked for."""
    calls: list[dict[str, Any]] = []

    def run(
        *, games: int = 240_100, seed: int = 0, threads: int | None = None, progress: Any = None
    ) -> Result:
        calls.append({"games": games, "seed": seed, "threads": threads})
        return made_up.endings()

    def plain(games: int = 240_100) -> Result:
        calls.append({"games": games})
        return made_up.lengths()

    for name, function in (("made_up_endings", run), ("made_up_lengths", plain)):
        module = types.ModuleType(f"analyses.{name}")
        module.run = function  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
    spec = pages.PageSpec(analyses=("made_up_endings", "made_up_lengths"))
    monkeypatch.setattr(pages, "PAGES", {"king-george-iii": spec})
    return calls


def test_build_reports(asked: list[dict[str, Any]], tmp_path: Path) -> None:
    said: list[str] = []
    out = tmp_path / "deep" / "out"
    written = build_reports(["all"], games=1000, out=out, threads=1, seed=7, progress=said.append)
    assert asked == [{"games": 1000, "seed": 7, "threads": 1}, {"games": 1000}]
    assert all(path.is_file() for path in written)
    assert said[0] == "King George III: made_up_endings (1 of 2)"
    page = check(out / "king-george-iii.html", out)
    check(out / "index.html", out)
    assert "simlib report king-george-iii --games 1000 --seed 7" in page.all("pre")[0].text
    head = next(node for node in page.all("p") if node.get("class") == "lead").text
    assert head.startswith("Two players who choose at random")
    assert head.endswith("is rare.")


def test_defaults_are_those_of_the_analyses(asked: list[dict[str, Any]], tmp_path: Path) -> None:
    build_reports([], out=tmp_path)
    assert asked == [{"games": 240_100, "seed": 0, "threads": None}, {"games": 240_100}]
    page = check(tmp_path / "king-george-iii.html", tmp_path)
    assert "simlib report king-george-iii\n" in page.all("pre")[0].raw


@pytest.mark.usefixtures("asked")
def test_names(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="report 'chess': there are king-george-iii and all"):
        build_reports(["king-george-iii", "chess"], out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    written = build_reports(["king-george-iii", "all"], out=tmp_path)
    assert len([path for path in written if path.suffix == ".html"]) == 2


@pytest.mark.usefixtures("asked")
def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(BadInput, match="give a folder"):
        build_reports(out=tmp_path / "out")


def test_every_page_is_of_a_game_and_names_analyses() -> None:
    from simlib import games

    for name, spec in pages.PAGES.items():
        assert name in games.names()
        assert len(set(spec.analyses)) == len(spec.analyses) > 0


def test_rules_of_a_preset_with_options() -> None:
    spec = pages.PageSpec(analyses=(), preset="shuffled", rules={"wrap": True})
    (table,) = pages.rules_in_force("king-george-iii", spec, [])
    changed = {row["name"]: row["value"] for row in table.rows if row["changed"]}
    assert changed == {"recycle": "shuffle", "wrap": "true"}
    assert {row["clause"] for row in table.rows} >= {"KG-1", "KG-12", "C-3"}


def test_rules_in_a_line() -> None:
    spec = pages.PageSpec(analyses=())
    default = pages.rules_in_force("king-george-iii", spec, [])
    n = len(default[0].rows)
    assert pages.rules_summary(default) == f"The default rules: {n} options"
    changed = pages.rules_in_force(
        "king-george-iii", pages.PageSpec(analyses=(), preset="shuffled"), []
    )
    assert pages.rules_summary(changed) == f"{n} options, 1 of them not at their default"
    king = pages.rules_in_force("king", pages.PAGES["king"], [])
    assert pages.rules_summary(king).endswith(" options in 10 varieties")


@pytest.mark.slow
def test_the_real_pages(real_pages: Path) -> None:
    for path in sorted(real_pages.glob("*.html")):
        check(path, real_pages)
    for name, spec in pages.PAGES.items():
        page = check(real_pages / f"{name}.html", real_pages)
        sections = [node.get("id") for node in page.all("section")]
        names = [one.removeprefix("corners_").removeprefix("king_") for one in spec.analyses]
        assert sections[1 : 1 + len(names)] == names
