"""The manifest: its schema, what it leaves out, and the run it plays again."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

import simlib
from simlib.errors import BadInput
from simlib.manifest import command, json_schema, without_folders
from simlib.policy import load_file
from simlib.run import Run
from simlib.simulate import simulate
from simlib.store import check, extend, load, policy_sources, rerun, resume
from tests.store.helpers import GAMES, asked, assert_same_figures, stored

SCHEMA = Path(simlib.__file__).parent / "schemas" / "manifest.schema.json"


def test_the_published_schema_is_that_of_the_models() -> None:
    assert json.loads(SCHEMA.read_text()) == json_schema(), "it is json_schema(), indented by 2"


def test_manifests_meet_the_published_schema(tmp_path: Path, memory: Run) -> None:
    import jsonschema

    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    stored(tmp_path / "games", games=1100)
    stored(tmp_path / "summary", games=1100, keep="summary", precision={"rate_out": 0.001})
    manifests = [memory.manifest]
    manifests += [
        json.loads((tmp_path / n / "manifest.json").read_text()) for n in os.listdir(tmp_path)
    ]
    for manifest in manifests:
        validator.validate(manifest)
        with pytest.raises(jsonschema.ValidationError):
            validator.validate({**manifest, "more": 1})
        with pytest.raises(jsonschema.ValidationError):
            validator.validate({**manifest, "seed": "eleven"})


def test_a_stranger_can_check_the_sums_of_everything(tmp_path: Path) -> None:
    """Do by hand what the schema says a checksum is."""
    stored(tmp_path, games=600)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    rest = {key: value for key, value in manifest.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == manifest["checksum"]
    for part in manifest["parts"]:
        for note in part["files"].values():
            data = (tmp_path / note["name"]).read_bytes()
            assert len(data) == note["bytes"]
            assert hashlib.sha256(data).hexdigest() == note["sha256"]


def test_a_stranger_can_digest_the_rows(tmp_path: Path) -> None:
    """Do by hand what the schema says the content of a table is."""
    import pandas as pd

    stored(tmp_path, games=300)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    frame = pd.read_parquet(tmp_path / "part-000000.parquet")
    lines = []
    for name in frame:
        column = frame[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            column = column.cat.codes
        elif str(name).startswith("win_share"):
            column = (column * 60).round().astype("uint8")
        digest = hashlib.sha256(column.to_numpy().tobytes()).hexdigest()
        lines.append(f"{name}:{digest}\n")
    content = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert content == manifest["parts"][0]["files"]["games"]["content"]


def test_no_machine_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["/opt/tool/simlib", "run", "king", "--out", str(tmp_path), f"--rules={tmp_path}/r"]
    monkeypatch.setattr(sys, "argv", words)
    file = tmp_path / "mine.py"
    file.write_text(POLICY)
    stored(tmp_path / "run", games=20, policies=f"{file}:cautious(risk=0.25)")
    text = (tmp_path / "run" / "manifest.json").read_text()
    assert str(tmp_path) not in text
    assert str(Path.home()) + "/" not in text
    assert not re.search(rf"\b{re.escape(socket.gethostname())}\b", text)
    manifest = json.loads(text)
    assert manifest["command"] == ["simlib", "run", "king", "--out", tmp_path.name, "--rules=r"]
    assert manifest["policies"][0]["spec"] == "mine.py:cautious(risk=0.25)"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("/usr/bin/simlib", "simlib"),
        ("--out=../runs/b/", "--out=b"),
        ("a/b.py:low,/x/y/c.py:p(risk=0.5)", "b.py:low,c.py:p(risk=0.5)"),
        ("tcp://10.0.0.5:8786", "tcp://"),
        ("C:\\Users\\me\\a.py:f", "a.py:f"),
        ("contracts=no-hearts,no-king", "contracts=no-hearts,no-king"),
        ("--games", "--games"),
    ],
)
def test_folders_and_hosts_are_left_out(text: str, short: str) -> None:
    assert without_folders(text) == short


# --- playing again ---------------------------------------------------------------------------


def test_a_manifest_alone_plays_the_run_again(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path / "run")
    alone = tmp_path / "manifest.json"
    (tmp_path / "run" / "manifest.json").rename(alone)
    again = rerun(alone)
    assert again.equal
    assert again.rows
    assert again.games == GAMES
    assert again.text() == f"equal: rows and sums of {GAMES} games"
    assert rerun(json.loads(alone.read_text())).equal
    run = rerun(memory.manifest)
    assert run.equal
    assert not run.rows


def test_a_summary_run_is_played_again(tmp_path: Path) -> None:
    stored(tmp_path, keep="summary", rules={"wrap": True}, policies="random,eager,random")
    assert rerun(tmp_path).text() == f"equal: sums of {GAMES} games"


POLICY = '''
import numpy as np
import simlib as sl
from simlib import lowest as smallest
from simlib.jit import helper

LIMIT = 20
WEIGHTS = np.array([1.5, 2.5])
UNUSED = open


@helper
def shifted(mask, by):
    return mask >> by


@helper
def first(mask):
    # zero or more
    at = 0
    while not shifted(mask, np.uint64(at)) & np.uint64(1):
        at += 1
    return at


@sl.policy("king-george-iii", params={"risk": 0.5})
def cautious(view, rng):
    """Stops when it may, unless the pile is small."""
    if view.may_stop and view.pile_count * WEIGHTS[0] > LIMIT * view.params[0]:
        return sl.STOP
    if view.decision == 3:
        return smallest(view.options)
    return first(view.options)
'''


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """Return a folder with a run of a policy whose file is gone."""
    file = tmp_path / "mine.py"
    file.write_text(POLICY)
    stored(tmp_path / "run", games=900, policies=f"random,{file}:cautious(risk=0.25),random")
    file.unlink()
    return tmp_path / "run"


def test_a_users_policy_is_executed_only_when_trusted(foreign: Path, tmp_path: Path) -> None:
    (name,) = policy_sources(foreign)
    assert name == "mine.py:cautious(risk=0.25)"
    assert "def cautious(view, rng):" in policy_sources(foreign)[name]
    for act in (rerun, resume, lambda path: extend(path, 1000)):
        with pytest.raises(BadInput, match="is not part of simlib, and its source text would be"):
            act(foreign)
    assert rerun(foreign, trust=True).equal
    assert "no game was played again" in check(foreign).notes[0]
    assert check(foreign, trust=True, sample=50).played == 50
    load(foreign).read("games")
    assert load(foreign).metrics is not None


def test_a_users_run_grows_from_its_manifest(foreign: Path, tmp_path: Path) -> None:
    (foreign / "part-000000.parquet").unlink()
    extend(foreign, 1300, trust=True)
    file = tmp_path / "mine.py"
    file.write_text(POLICY)
    mine = [load_file(f"{file}:cautious").with_params({"risk": 0.25})]
    alone = simulate(**asked(games=1300, policies=["random", *mine, "random"]))
    assert_same_figures(load(foreign), alone)
    # a policy in hand has to be the same one; what does not matter may differ
    file.write_text(POLICY.replace("# zero or more", "# counts"))
    mine = [load_file(f"{file}:cautious").with_params({"risk": 0.25})]
    extend(foreign, 1400, policies=["random", *mine, "random"])
    file.write_text(POLICY.replace("LIMIT = 20", "LIMIT = 21"))
    mine = [load_file(f"{file}:cautious").with_params({"risk": 0.25})]
    with pytest.raises(BadInput, match="with another source text"):
        extend(foreign, 1500, policies=["random", *mine, "random"])


def test_a_rerun_of_other_games_says_so(tmp_path: Path) -> None:
    from simlib.manifest import sealed

    stored(tmp_path, games=1200)
    manifest: dict[str, Any] = json.loads((tmp_path / "manifest.json").read_text())
    manifest["parts"][1]["files"]["deals"]["content"] = "0" * 64
    manifest["parts"][2]["files"]["sums"]["content"] = "0" * 64
    again = rerun(sealed(manifest).model_dump(mode="json"))
    assert again.differences == (
        "games 500 to 999: the rows of the table of deals differ",
        "games 1000 to 1199: the sums differ",
    )
    assert again.text().endswith("(and 1 more)")


def test_a_run_of_the_module_is_noted_as_the_command_that_plays_it_again() -> None:
    words = ["/somewhere/simlib/__main__.py", "run", "king"]
    assert command(words) == ["simlib", "run", "king"]
    assert command(["/elsewhere/__main__.py"]) == ["__main__.py"]
