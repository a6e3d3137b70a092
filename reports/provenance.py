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
_TITLES = {
    "simlib": "simlib",
    "streams": "Layout of the streams of chance (C-4)",
    "python": "Python",
    **{name: name for name in _PACKAGES},
}


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
    versions : list of (title, version)
        Of the package, its streams, Python and what it stands on; simlib first.
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
    here["python"] = platform.python_version()
    for name in _PACKAGES:
        try:
            here[name] = version(name)
        except PackageNotFoundError:  # pragma: no cover - they are all required
            continue
    named = [
        (title, _words(_version(manifest, name) for manifest in manifests) or here[name])
        for name, title in _TITLES.items()
        if name in here
    ]
    sources = _words(str(manifest["code"])[:12] for manifest in manifests if "code" in manifest)
    return [*named, ("Sources of the games, SHA-256", sources)] if sources else named


def _version(manifest: Mapping[str, Any], name: str) -> Any:
    if name == "streams":
        return manifest.get("stream_version")
    named = manifest.get("packages", {})
    return named.get("king-simlib" if name == "simlib" else name)


def _words(values: Any) -> str:
    return ", ".join(dict.fromkeys(str(value) for value in values if value is not None))
