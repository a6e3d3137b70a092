"""Golden transcripts: one readable game a variety, and one a preset (rung 7).

Read a changed transcript against the rules before it is accepted with ``--update-golden``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from simlib import games
from simlib.record import check_record, record_of
from simlib.setup import prepare

HERE = Path(__file__).parent
HOUSE = Path(games.__file__).parent / "king" / "examples" / "house_king.toml"


def cases() -> Iterator[tuple[str, str | None, str]]:
    for name in games.names():
        game = games.get(name)
        for variety in game.varieties or (None,):
            for preset in game.presets(variety):
                yield name, variety, preset


@pytest.mark.parametrize(("name", "variety", "preset"), list(cases()))
def test_golden_transcript(
    name: str, variety: str | None, preset: str, request: pytest.FixtureRequest
) -> None:
    rules = tomllib.loads(HOUSE.read_text(encoding="utf-8")) if variety == "house" else None
    setup = prepare(name, variety=variety, preset=preset, rules=rules, seed=2026)
    record = record_of(setup, 1)
    if variety != "house":  # the referee knows the varieties of the rules, not one's own
        assert check_record(record) is None
    parts = [name, *([variety] if variety else []), preset]
    path = HERE / f"{'-'.join(parts)}.txt"
    text = f"{setup.game.title}, {', '.join(parts[1:])}; seed 2026, game 1\n{record.text()}\n"
    if request.config.getoption("--update-golden"):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), (
        f"no golden transcript: read one and write it with --update-golden: {path.name}"
    )
    assert text == path.read_text(encoding="utf-8")
