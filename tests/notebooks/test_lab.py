"""The balance lab: what is picked is played, and table and picture follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks.running import execute, read

HELP = """
LOOKS = (200, 400)
lab.bar.max = sum(LOOKS)

def state():
    lab.wait()
    return lab.table.value, lab.plot.value, lab.status.value

def turn(widget, value):
    '''Turn a knob; tell whether table, picture and status have changed.'''
    before = state()
    widget.value = value
    return [old != new for old, new in zip(before, state())]
"""

RULES = """
assert "<img" in lab.plot.value and "rate_endless" in lab.table.value
assert controls.preset.value == "seed" and controls.players.value == 2
assert turn(controls.options["ace_resets"], 0) == [True, True, True]
assert "ace_resets=0" in lab.status.value and "paired" in lab.status.value
assert ">yes</td>" in lab.table.value
assert lab.bar.value == lab.bar.max
"""

POLICIES = """
assert turn(controls.seats[0], "longest-run") == [True, True, True]
assert "longest-run,random" in lab.status.value
"""

BY_SEAT = """
assert turn(controls.by_seat, "cards_left") == [False, True, False]
"""

# what a browser sends when a person picks another number of players
FROM_THE_PAGE = """
before = state()
message = {"method": "update", "state": {"index": 2}, "buffer_paths": []}
controls.players._handle_msg({"content": {"data": message}, "buffers": []})
assert controls.players.value == 4 and len(controls.seats) == 4
assert [old != new for old, new in zip(before, state())] == [True, True, True]
"""

REFERENCE = """
controls.options["wrap"].value = False
lab.keep.click()
table, _, status = state()
assert "the same as a" in status and ">yes</td>" not in table
controls.options["wrap"].value = True
assert "reference:</b> wrap=false" in state()[2]
lab.reset.click()
state()
"""

BAD_INPUT = """
table = lab.table.value
controls.options["hand_size"].value = "25"
assert "KG-1" in state()[2] and lab.table.value == table
controls.options["hand_size"].value = "null"
assert "KG-1" not in state()[2]
"""

PRESETS = """
controls.preset.value = "pagat-like"
assert controls.options["recycle"].value == "none"
assert "recycle=none" in state()[2]
controls.preset.value = "seed"
assert controls.options["recycle"].value == "turn"
"""

STOP = """
LOOKS = (50_000_000,)
controls.options["must_run"].value = True
lab.stop.click()
assert state()[2].startswith("stopped")
LOOKS = (200,)
"""

EVERY_GAME = """
seen = []
for name in games.names():
    controls.game.value = name
    for variety in games.get(name).varieties or [None]:
        controls.variety.value = variety
        assert controls.preset.value in games.get(name).presets(variety)
        table, plot, status = state()
        if "games each" in status:
            seen.append((name, variety, controls.by_seat.options))
            assert "win_share" in table and "<img" in plot
        else:
            assert variety == "house" and "custom" in status, (variety, status)
assert {name for name, _, _ in seen} == set(games.names())
assert len(seen) >= 12
"""


@pytest.mark.slow
def test_table_and_picture_follow_the_knobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [HELP, RULES, POLICIES, BY_SEAT, FROM_THE_PAGE, REFERENCE, BAD_INPUT, PRESETS, STOP]
    execute(read("06_balance_lab"), tmp_path, monkeypatch, more=[*cells, EVERY_GAME])
