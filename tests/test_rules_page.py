"""``docs/rules.md``: every clause that the code cites, and tables read off what is played."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import simlib
from simlib import games
from simlib.games.clauses import COMMON, Clause
from simlib.games.king import clauses as king
from simlib.games.king.contracts import VARIETIES

PAGE = (Path(simlib.__file__).parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")
ID = re.compile(r"\b(?:KG|RC|K|C)-(?:\d+a?|[A-Z])\b")
GAMES = [games.get(name) for name in games.names()]
CLAUSES: list[Clause] = [*COMMON, *(clause for game in GAMES for clause in game.clauses)]
ON_PAGE = re.findall(rf"^\*\*({ID.pattern}) ", PAGE, re.MULTILINE)


def test_every_clause_stands_on_the_page_once() -> None:
    assert ON_PAGE == [clause.id for clause in CLAUSES]
    assert len(set(ON_PAGE)) == len(ON_PAGE)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_stands_under_its_clause(game: games.spec.Game) -> None:
    for variety in game.varieties or (None,):
        for option in game.rules_model(variety).describe():
            _, _, after = PAGE.partition(f"\n**{option['clause']} ")
            under = after.split("\n**")[0]
            assert f"\n- `{option['name']}`: " in under, option
            default = option["default"]
            if isinstance(default, str) or (isinstance(default, int) and default > 1):
                assert f"`{default}`" in under, option


def test_every_clause_that_the_code_cites_stands_on_the_page() -> None:
    cited: dict[str, set[str]] = {}
    for file in sorted(Path(simlib.__file__).parent.rglob("*.py")):
        for found in ID.findall(file.read_text(encoding="utf-8")):
            cited.setdefault(found, set()).add(file.name)
    referees = {name for name, files in cited.items() if any("referee" in file for file in files)}
    assert len(referees) > 40
    assert set(cited) <= set(ON_PAGE), {n: cited[n] for n in set(cited) - set(ON_PAGE)}


def test_a_clause_says_something_and_ends() -> None:
    for clause in CLAUSES:
        assert clause.says.endswith("."), clause.id
        assert not clause.reading or clause.reading.endswith("."), clause.id
        assert len(clause.says) > 30, clause.id


def row(title: str, contract: str) -> tuple[object, ...]:
    (table,) = [t for t in king.tables() if title in t.title]
    (found,) = [r for r in table.rows if r[0] == f"`{contract}`"]
    return found


def test_k_3_the_sums_of_the_contracts() -> None:
    assert row("`simple`", "no-tricks")[3] == "−16; `domino`: varies"
    assert row("`simple`", "all")[3:] == (
        "+96; `domino`: varies", "♥; `domino`: no", "K♥", "`ordered`: named",
    )  # fmt: skip
    assert row("`threesome`", "no-all")[3] == "−116"
    assert row("`minsk`", "win-back")[2:4] == ("3 times", "+80")
    assert row("`atomic`", "tricks")[2:4] == ("6 times", "+40")


def test_the_tables_are_those_of_the_varieties_that_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dear = replace(VARIETIES["threesome"], units={**VARIETIES["threesome"].units, "jacks": 9})
    monkeypatch.setitem(VARIETIES, "threesome", dear)
    assert row("`threesome`", "no-jacks")[1:4] == ("each J −9", "once", "−36")
