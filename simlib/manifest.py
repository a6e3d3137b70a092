"""The manifest of a run: how it was made, where its parts are, and what came of it.

It is enough to play the run again anywhere and to say whether the rows are the same. It
names no path and no host. ``schemas/manifest.schema.json`` is its published schema; the
models below are where it comes from.
"""

from __future__ import annotations

import hashlib
import json
import platform as machine
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from simlib.errors import BadInput
from simlib.rng import STREAM_VERSION
from simlib.setup import Setup
from simlib.sources import capture, normal
from simlib.sums import Figure, Sums

if TYPE_CHECKING:
    from simlib.run import Run

__all__ = [
    "FILE_NAME",
    "FORMAT",
    "FileNote",
    "Manifest",
    "Part",
    "describe",
    "differences",
    "digest_of_sums",
    "head",
    "json_schema",
    "parse",
    "sealed",
    "sums_note",
    "text_of",
]

FORMAT = "simlib-run/1"
#: Packages that may change a number, or how it is written.
PACKAGES = ("llvmlite", "numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy", "statsmodels")

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
#: Names of the files of parts; where a part has grown, it goes from one name to the other.
FILE_NAME = r"((part|deals)-[0-9]{6,}(-b)?\.parquet|sums-[0-9]{6,}(-b)?\.npz)"
FileName = Annotated[str, StringConstraints(pattern=f"^{FILE_NAME}$")]
Count = Annotated[int, Field(ge=0)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PolicyNote(_Model):
    """One seat's policy."""

    spec: str = Field(description="name with parameters, as given; a file without its folder")
    name: str
    function: str = Field(description="name of its function in the source text")
    params: dict[str, float] = Field(description="parameters of view.params, in order")
    builtin: bool = Field(description="part of simlib")
    uses_chance: bool
    allocates: bool = Field(description="makes arrays of its own")
    says: str
    source: str = Field(description="source text; with what it uses where it is not built in")
    missing: list[str] = Field(description="what the source text uses and does not hold")


class FileNote(_Model):
    """One file of a part."""

    name: FileName
    rows: Count | None = Field(description="rows of the table; null for sums")
    bytes: Count
    sha256: Sha256 = Field(description="of the file")
    content: Sha256 = Field(
        description="of the values, however they are written: SHA-256 over lines 'column:digest',"
        " one a column in order, a digest being SHA-256 of the column's values, little-endian,"
        " in the kernel's type (labels by number, -1 for none; win shares in sixtieths). Of"
        " sums: SHA-256 of the count of games and all arrays as little-endian int64"
    )


class Part(_Model):
    """One block of games on disk."""

    block: Count = Field(description="the games block * size ... of the run")
    first: Count = Field(description="index of its first game")
    games: Annotated[int, Field(ge=1)]
    seconds: Annotated[float, Field(ge=0)] = Field(description="time of play")
    files: dict[Literal["games", "deals", "sums"], FileNote]


class FigureNote(_Model):
    """Sufficient statistics of one figure, in whole numbers."""

    name: str
    seat: int | None
    group: str | None
    kind: str
    sums: dict[str, JsonValue]


class SumsNote(_Model):
    """What the whole run came to."""

    games: Count
    content: Sha256 = Field(description="as FileNote.content of sums")
    figures: list[FigureNote]


class Precision(_Model):
    """Stopping by precision."""

    asked: dict[str, float] = Field(description="metric: half-width of its 95 % interval")
    met: bool | None = Field(description="null while the run is unfinished")


class Probe(_Model):
    """The first games of the run, to notice a program that plays them in another way."""

    games: Count
    content: Sha256


class Timings(_Model):
    """When, and for how long."""

    started: str | None = Field(description="UTC, ISO 8601")
    finished: str | None = Field(description="UTC, ISO 8601; null while the run is unfinished")
    seconds: Annotated[float, Field(ge=0)] = Field(description="of play, over all sessions")
    sessions: Count = Field(description="1, and one more for each resume or extend that played")


class Manifest(_Model):
    """How a run was made, where its parts are, and what came of it."""

    format: Literal["simlib-run/1"]
    state: Literal["unfinished", "complete"]
    game: str
    variety: str | None
    players: int
    unit: Literal["deal", "match"]
    rules: dict[str, JsonValue] = Field(description="every option, defaults included")
    policies: list[PolicyNote] = Field(description="one a seat")
    seed: Count
    play_seed: Count
    stream_version: int = Field(description="layout of the streams of chance (C-4)")
    games_asked: Count
    games: Count = Field(description="games in the parts listed here, or in the run in memory")
    keep: Literal["games", "summary"] = Field(description="rows, or sums alone")
    block: int | None = Field(description="games a part; null for a run in memory")
    precision: Precision | None
    probe: Probe | None
    code: Sha256 = Field(description="of the sources of simlib that decide how a game goes")
    packages: dict[str, str]
    platform: dict[str, str]
    command: list[str] = Field(description="command line, folders left out")
    timings: Timings
    parts: list[Part]
    sums: SumsNote | None
    checksum: Sha256 = Field(
        description="SHA-256 of this object without this field, as JSON with sorted keys, no"
        " spaces, and ASCII only"
    )


def json_schema() -> dict[str, Any]:
    """Return the schema that is published as ``schemas/manifest.schema.json``."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Manifest.model_json_schema(),
    }


# --- writing and reading -----------------------------------------------------------------


def checksum(fields: Mapping[str, Any]) -> str:
    """Return the checksum of a JSON object without its field ``checksum``."""
    rest = {key: value for key, value in fields.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(fields: Mapping[str, Any]) -> Manifest:
    """Return a manifest of these fields, with its checksum."""
    plain = {**json.loads(json.dumps(dict(fields))), "checksum": "0" * 64}
    manifest = Manifest.model_validate(plain)
    found = checksum(manifest.model_dump(mode="json"))
    return manifest.model_copy(update={"checksum": found})


def text_of(manifest: Manifest) -> str:
    """Return the manifest as people read it: one field a line."""
    return json.dumps(manifest.model_dump(mode="json"), indent=1) + "\n"


def parse(data: str | bytes | Mapping[str, Any], where: str) -> Manifest:
    """Read a manifest.

    Parameters
    ----------
    data : text, bytes or mapping
    where : str
        What it is called in errors.

    Raises
    ------
    BadInput
        If it is damaged, changed, of another version, or no manifest at all.
    """
    try:
        fields = json.loads(data) if isinstance(data, str | bytes) else dict(data)
    except (ValueError, RecursionError):
        raise BadInput(f"{where}: damaged, or no manifest: it is not JSON") from None
    found = fields.get("format") if isinstance(fields, dict) else None
    if not isinstance(found, str) or not found.startswith("simlib-run/"):
        raise BadInput(f"{where}: no manifest of a run (its format is not {FORMAT!r})")
    if found != FORMAT:
        raise BadInput(f"{where}: of another version, {found!r}; this simlib reads {FORMAT!r}")
    if fields.get("checksum") != checksum(fields):
        raise BadInput(f"{where}: damaged or changed: its checksum is not that of its fields")
    try:
        return Manifest.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput(f"{where}: field {place}: {first['msg']}") from None


# --- what goes in --------------------------------------------------------------------------


def head(setup: Setup) -> dict[str, Any]:
    """Return the fields that are known before the first game is played."""
    asked = setup.describe()
    return {
        "format": FORMAT,
        **{key: asked[key] for key in ("game", "variety", "players", "unit", "rules")},
        "policies": _policies(setup),
        "seed": setup.seed,
        "play_seed": setup.play_seed,
        "stream_version": STREAM_VERSION,
        "code": code(),
        "packages": packages(),
        "platform": platform(),
        "command": command(sys.argv),
    }


def _policies(setup: Setup) -> list[dict[str, Any]]:
    notes: dict[int, dict[str, Any]] = {}
    for policy in setup.policies:
        if id(policy) not in notes:
            source = capture(policy)
            notes[id(policy)] = {
                "spec": without_folders(policy.spec),
                "name": policy.name,
                "function": policy.function.__name__,
                "params": dict(policy.params),
                "builtin": policy.builtin,
                "uses_chance": policy.uses_chance,
                "allocates": policy.allocates,
                "says": policy.says,
                "source": source.text,
                "missing": list(source.missing),
            }
    return [notes[id(policy)] for policy in setup.policies]


def describe(run: Run) -> dict[str, Any]:
    """Return the manifest of a run as JSON values.

    Parameters
    ----------
    run : Run
        Of a stored run, the manifest in its folder is read.
    """
    if run.path is not None:
        from simlib.store.journal import read_run

        return read_run(run.path).manifest.model_dump(mode="json")
    precision = {"asked": run.precision, "met": run.met} if run.precision else None
    return sealed(
        {
            **head(run.setup),
            "state": "complete",
            "games_asked": run.sums.games,
            "games": run.sums.games,
            "keep": "summary",
            "block": None,
            "precision": precision,
            "probe": None,
            "timings": {
                "started": None,
                "finished": None,
                "seconds": run.elapsed,
                "sessions": 1,
            },
            "parts": [],
            "sums": sums_note(run.sums, run.figures),
        }
    ).model_dump(mode="json")


def sums_note(sums: Sums, figures: Iterable[Figure]) -> dict[str, Any]:
    """Return what a run came to, in whole numbers."""
    return {
        "games": sums.games,
        "content": digest_of_sums(sums),
        "figures": [
            {
                "name": figure.metric.name,
                "seat": figure.seat,
                "group": figure.group,
                "kind": type(figure.sums).__name__.removesuffix("Sums").lower(),
                "sums": asdict(figure.sums),  # type: ignore[call-overload]
            }
            for figure in figures
        ],
    }


def digest_of_sums(sums: Sums) -> str:
    """Return the digest of sums: of the count of games, then of every array."""
    digest = hashlib.sha256(sums.games.to_bytes(8, "little"))
    for array in sums.arrays:
        digest.update(array.astype("<i8").tobytes())
    return digest.hexdigest()


def now() -> str:
    """Return the time, as manifests give it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def packages() -> dict[str, str]:
    """Return the versions of the packages that a number may hang on."""
    found = {"python": machine.python_version()}
    for name in ("king-simlib", *PACKAGES):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def platform() -> dict[str, str]:
    """Return what kind of machine this is; not which."""
    import llvmlite.binding

    return {
        "system": machine.system(),
        "machine": machine.machine(),
        "python": machine.python_implementation(),
        "processor": llvmlite.binding.get_host_cpu_name(),
    }


@cache
def code() -> str:
    """Return a digest of the sources that decide how a game goes and what is counted."""
    root = Path(__file__).parent
    files = [root / f"{name}.py" for name in ("cards", "engine", "policy", "rng", "sums")]
    files += sorted((root / "games").rglob("*.py"))
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(root).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


_URL = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]*)://[^\s,]*")
_TAIL = re.compile(r"(?<=[^/\\])[/\\]+(?=$|,)")
_PATH = re.compile(r"(?:(?<=[=,:])|^)(?:~|\.{1,2}|[A-Za-z]:)?(?:[^/\\,=:]*[/\\])+")


def without_folders(text: str) -> str:
    """Return a word of a command line without folders and hosts: they are nobody's business."""
    if "://" in text:
        return _URL.sub(r"\1://", text)
    return _PATH.sub("", _TAIL.sub("", text))


def command(words: Sequence[str]) -> list[str]:
    """Return the command line without folders and hosts."""
    first = [Path(word).parts[-2:] for word in words[:1]]
    if first == [("simlib", "__main__.py")]:  # python -m simlib
        words = ["simlib", *words[1:]]
    return [without_folders(word) for word in words]


# --- comparing -----------------------------------------------------------------------------


def differences(old: Manifest, new: Mapping[str, Any]) -> list[str]:
    """Say in which fields that decide the rows two runs differ.

    Parameters
    ----------
    old : Manifest
        Of the run that is there.
    new : mapping
        As :func:`head` gives it.
    """
    found = []
    for name in ("game", "variety", "players", "unit", "seed", "play_seed", "stream_version"):
        before, after = getattr(old, name), new[name]
        if before != after:
            found.append(f"{name} {before}, not {after}")
    rules = json.loads(json.dumps(new["rules"]))
    found += [
        f"option {name}={old.rules.get(name)!r}, not {rules.get(name)!r}"
        for name in dict.fromkeys([*old.rules, *rules])
        if old.rules.get(name) != rules.get(name)
    ]
    for seat, (one, two) in enumerate(zip(old.policies, new["policies"], strict=False)):
        what = f"at seat {seat} the policy {one.spec}"
        if (one.name, one.params, one.builtin) != (two["name"], two["params"], two["builtin"]):
            found.append(f"{what}, not {two['spec']}")
        elif normal(one.source) != normal(two["source"]):
            found.append(f"{what} with another source text")
    return found
