"""Tables of sufficient statistics: counts, merging, labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analyses.tables import NONE, Table, estimates, groups, histogram, largest, records, smallest
from simlib.stats import wilson
from tests.analyses.frames import TEN


def test_a_histogram_counts_every_row_once() -> None:
    found = histogram(TEN, "ending", "proof")["count"]
    assert found.to_dict() == {
        ("out", NONE): 5,
        ("deadlock", NONE): 1,
        ("endless", "orphans"): 2,
        ("endless", "cycle"): 1,
        ("truncated", NONE): 1,
    }
    assert histogram(TEN, "last_reset")["count"].to_dict()[-1] == 2
    assert histogram(TEN, "censored")["count"].to_dict() == {0: 9, 1: 1}


@pytest.mark.parametrize("spread", [3, 10**7], ids=["dense", "sparse"])
def test_a_histogram_is_what_pandas_counts(spread: int) -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "a": rng.integers(-spread, spread, 500),
            "b": rng.integers(0, spread, 500),
            "c": pd.Categorical(rng.choice(["x", "y", None], 500)),
        }
    )
    found = histogram(frame, "a", "b", "c")["count"].sort_index()
    wanted = frame.assign(c=frame["c"].astype(object).fillna(NONE))
    assert found.to_dict() == wanted.groupby(["a", "b", "c"]).size().sort_index().to_dict()
    assert found.dtype == np.int64


def test_an_empty_frame_has_an_empty_histogram() -> None:
    assert histogram(TEN.iloc[:0], "ending", "turns").empty


def table(frame: pd.DataFrame) -> Table:
    return Table(
        {"turns": histogram(frame, "ending", "turns"), "playoffs": histogram(frame, "playoffs")}
    )


@pytest.mark.parametrize("cut", range(11))
def test_merged_parts_are_the_whole(cut: int) -> None:
    whole = Table.total([table(TEN)])
    first, second = table(TEN.iloc[:cut]), table(TEN.iloc[cut:])
    assert first + second == whole
    assert second + first == whole
    assert Table.total([second, Table.total([first])]) == whole


def test_labels_stand_before_the_keys() -> None:
    found = table(TEN).labelled(players=2, policy="random")
    assert found["turns"].index.names == ["players", "policy", "ending", "turns"]
    assert found["playoffs"].index.names == ["players", "policy", "playoffs"]
    other = table(TEN).labelled(players=3, policy="random")
    both = found + other
    assert both["turns"]["count"].sum() == 20
    assert both != found
    assert "turns: " in repr(both)


def test_estimates_stand_beside_their_keys() -> None:
    keys = pd.DataFrame({"who": ["a", "b"]}, index=[5, 6])
    found = estimates(keys, [wilson(1, 4), wilson(0, 0)])
    assert list(found) == ["who", "estimate", "se", "low", "high", "half_width", "n"]
    assert found["estimate"].tolist()[0] == 0.25
    assert found["estimate"].isna().tolist() == [False, True]
    assert found["n"].tolist() == [4, 0]


def test_rows_as_dicts() -> None:
    frame = pd.DataFrame({"name": ["a", "b", "c"], "x": [1.0, 3.0, 3.0]})
    assert records(frame)[0] == {"name": "a", "x": 1.0}
    assert largest(frame, "x")["name"] == "b"
    assert smallest(frame, "x")["name"] == "a"
    assert [(key, len(part)) for key, part in groups(frame, "x")] == [((1.0,), 1), ((3.0,), 2)]
    assert [key for key, _ in groups(frame, "x", "name")] == [(1.0, "a"), (3.0, "b"), (3.0, "c")]
