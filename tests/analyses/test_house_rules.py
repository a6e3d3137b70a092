"""House rules: which values are tried, and that the differences are those of `compare`."""

from __future__ import annotations

import numpy as np
import pytest

from analyses import house_rules
from analyses.house_rules import HEADLINE, other_values
from analyses.tables import records
from simlib.compare import compare
from simlib.games.king_george.rules import KingGeorgeRules
from simlib.games.royal_corners.rules import RoyalCornersRules

GAMES = 300


def test_every_option_has_its_other_values() -> None:
    found = other_values(KingGeorgeRules)
    assert {name for name, _ in found} == set(KingGeorgeRules.model_fields)
    assert [value for name, value in found if name == "ace_resets"] == [0, 1, 2, 4]
    assert [value for name, value in found if name == "recycle"] == ["shuffle", "none"]
    assert [value for name, value in found if name == "wrap"] == [True]
    defaults = KingGeorgeRules().model_dump()
    assert all(value != defaults[name] for name, value in found)
    for name, value in found:
        assert KingGeorgeRules(**{name: value}).changed() == {name: value}
    others = {name for name, _ in other_values(RoyalCornersRules)}
    assert {"draw", "vacated", "king_pile"} <= others


@pytest.fixture(scope="module")
def result() -> house_rules.Result:
    """Return a small result."""
    return house_rules.run(games=GAMES, players=[2], policies=["random", "eager"], seed=6)


def test_differences_are_those_of_compare(result: house_rules.Result) -> None:
    headline = result.tables[0].frame
    family = 2 * len(other_values(KingGeorgeRules))
    assert len(headline) == family
    row = next(
        row
        for row in records(headline)
        if (row["option"], row["value"], row["policy"]) == ("wrap", "true", "random")
    )
    wanted = compare(
        {"rules": {"wrap": True}},
        {},
        game="king-george-iii",
        players=2,
        seed=6,
        games=GAMES,
        family=family,
    ).row(HEADLINE)
    assert row["changed"] == wanted["a"]
    assert row["default"] == wanted["b"]
    assert (row["difference_low"], row["difference_high"]) == (wanted["low"], wanted["high"])
    spread = np.sqrt(wanted["b"] * (1 - wanted["b"]))
    assert row["effect"] == pytest.approx(wanted["difference"] / spread)
    assert row["clause"] == "KG-3"


def test_rules_are_ordered_by_their_effect(result: house_rules.Result) -> None:
    headline = result.tables[0].frame
    sizes = headline.assign(size=headline["effect"].abs())
    order = sizes.groupby(["option", "value"], sort=False)["size"].mean()
    assert order.is_monotonic_decreasing
    same = headline[headline["option"] == "out_tie"]
    assert (same["difference"] == 0).all()
    assert not same["significant"].any()


def test_each_rule_set_has_its_command(result: house_rules.Result) -> None:
    commands = [note.command for note in result.runs]
    assert len(set(commands)) == len(commands) == 2 * (1 + len(other_values(KingGeorgeRules)))
    assert any("--rule wrap=true" in text and "--seed 6" in text for text in commands)
    assert all(note.manifest["games"] == GAMES for note in result.runs)
    assert any("less closely than ±0.2 percentage points" in text for text in result.warnings)
    assert "recycle=none" in result.answer
