"""What a page says about how its numbers were made: from the manifests of its runs."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from analyses.results import Result, RunNote
from simlib import __version__
from simlib.rng import STREAM_VERSION

__all__ = ["Provenance", "provenance"]

#: Packages that numbers or pictures may depend on.
_PACKAGES = ("numba", "numpy", "scipy", "statsmodels", "pandas", "matplotlib")


@dataclass(frozen=True)
class Provenance:
    """How the numbers of a page were made.

    Attributes
    ----------
    commands : list of (title, commands)
        For each analysis, the commands that play its runs again.
    games, runs : int
        Games in all different runs, and how many runs.
    seeds : str
        Seeds of the runs.
    versions : list of (name, version)
        Of the streams, the package, Python and what it stands on.
    """

    commands: list[tuple[str, list[str]]]
    games: int
    runs: int
    seeds: str
    versions: list[tuple[str, str]]


def provenance(results: Sequence[Result]) -> Provenance:
    """Gather how the numbers of these results were made."""
    notes = {note.command: note for result in results for note in result.runs}
    manifests = [note.manifest for note in notes.values()]
    return Provenance(
        commands=_commands(results),
        games=sum(_games(note) for note in notes.values()),
        runs=len(notes),
        seeds=_words(manifest.get("seed") for manifest in manifests),
        versions=_versions(manifests),
    )


def _commands(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """List each command once, under the first analysis that uses it."""
    seen: set[str] = set()
    listed = []
    for result in results:
        commands = [n.command for n in result.runs if n.command not in seen]
        commands = list(dict.fromkeys(commands))
        seen.update(commands)
        if commands:
            listed.append((result.title, commands))
    return listed


def _games(note: RunNote) -> int:
    games = note.manifest.get("games")
    return games if isinstance(games, int) else 0


def _versions(manifests: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the versions that the manifests name; this installation's where they do not."""
    here = {"streams": str(STREAM_VERSION), "simlib": __version__}
    here["Python"] = platform.python_version()
    for name in _PACKAGES:
        try:
            here[name] = version(name)
        except PackageNotFoundError:  # pragma: no cover - they are all required
            continue
    return [
        (name, _words(_version(manifest, name) for manifest in manifests) or local)
        for name, local in here.items()
    ]


def _version(manifest: Mapping[str, Any], name: str) -> Any:
    if name == "streams":
        return manifest.get("stream_version")
    for key in ("packages", "versions"):
        named = manifest.get(key)
        if isinstance(named, Mapping):
            found = named.get(name, named.get(name.lower()))
            if name == "simlib" and found is None:
                found = named.get("king-simlib")
            if found is not None:
                return found
    return None


def _words(values: Any) -> str:
    return ", ".join(dict.fromkeys(str(value) for value in values if value is not None))
