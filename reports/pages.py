"""Which analyses make up the page of a game, and how the page is made.

A new page is one entry in :data:`PAGES`; the name is that of the game.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from analyses import kings
from analyses.results import Result
from reports.builder import Page, RulesTable, build, first_sentence
from simlib import games as registry
from simlib.errors import BadInput
from simlib.games.options import resolve

__all__ = ["PAGES", "PageSpec", "build_reports", "make_page", "rules_in_force", "rules_summary"]

#: Called with a line on what is done now.
Say = Callable[[str], None]


@dataclass(frozen=True)
class PageSpec:
    """The page of a game.

    Attributes
    ----------
    analyses : tuple of str
        Modules of the package ``analyses``, in the order of the page, each with
        ``run(games=…, seed=…, threads=…, progress=…) -> Result``. The first sentence of the
        first one's answer is the answer at the top.
    says : str
        One line below the heading; the game's own by default.
    varieties : tuple of str
        For a game with varieties: whose rules the page shows.
    preset : str, optional
        Where the page's games are not played by the default rules.
    rules : mapping
        Options that the page's games have in common.
    """

    analyses: tuple[str, ...]
    says: str = ""
    varieties: tuple[str | None, ...] = (None,)
    preset: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)


PAGES: dict[str, PageSpec] = {
    "king-george-iii": PageSpec(
        analyses=("endings", "lengths", "orphans", "seats", "house_rules"),
        says="A shedding game for two to five players, with a standard pack of 52 cards",
    ),
    "royal-corners": PageSpec(
        analyses=(
            "corners_stalls",
            "corners_penalties",
            "corners_house_rules",
            "corners_matches",
        ),
        says="Kings in the Corner for two to four players, with a standard pack of 52 cards",
    ),
    "king": PageSpec(
        analyses=("king_contracts", "king_declarers", "king_matches", "king_house_rules"),
        says="A trick-taking game of many contracts, in ten varieties, for three or four players",
        varieties=kings.VARIETIES,
    ),
}


def build_reports(
    names: Sequence[str] = ("all",),
    *,
    games: int | None = None,
    out: str | os.PathLike[str] = "reports/out",
    threads: int | None = None,
    seed: int = 0,
    progress: Say | None = None,
) -> list[Path]:
    """Play, analyse and write report pages with their index.

    Parameters
    ----------
    names : sequence of str
        Games, or ``all``.
    games : int, optional
        Games in each cell of an analysis; by default each analysis has a number of its own,
        and its page says which rates have a 95 % half-width above 0.002.
    out : path
        Folder to write to.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    progress : callable, optional
        Called with a line on what is done now.

    Returns
    -------
    list of Path
        Every file written.

    Raises
    ------
    BadInput
        If there is no page of that name, or the folder is a file.
    """
    chosen = _chosen(names)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"out {os.fspath(out)!r}: a file of this name is in the way; give a folder")
    say = progress or (lambda text: None)

    def pages() -> Iterator[Page]:
        for name in chosen:
            yield make_page(name, PAGES[name], games=games, threads=threads, seed=seed, say=say)

    written = build(pages(), folder)
    say(f"{len(written)} files in {folder}; begin with {folder / 'index.html'}")
    return written


def make_page(
    name: str,
    spec: PageSpec,
    *,
    games: int | None = None,
    threads: int | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> Page:
    """Run the analyses of a page and put it together."""
    game = registry.get(name)
    asked = {"games": games, "threads": threads, "seed": seed, "progress": say}
    # all are there before the first one plays, so that those of a family share their runs
    modules = [import_module(f"analyses.{analysis}") for analysis in spec.analyses]
    results = []
    for place, module in enumerate(modules, 1):
        say(f"{game.title}: {spec.analyses[place - 1]} ({place} of {len(modules)})")
        results.append(_run(module.run, asked))
    rules = rules_in_force(name, spec, results)
    command = f"simlib report {name}" + (f" --games {games}" if games is not None else "")
    return Page(
        name=name,
        title=game.title,
        says=spec.says or game.says,
        lead=first_sentence(results[0].answer),
        results=results,
        rules=rules,
        rules_says=rules_summary(rules),
        command=command + (f" --seed {seed}" if seed else ""),
    )


def rules_in_force(name: str, spec: PageSpec, results: Sequence[Result]) -> list[RulesTable]:
    """Return the options of a page's games, with those that some of its runs changed."""
    game = registry.get(name)
    tables = []
    for variety in spec.varieties:
        model = game.rules_model(variety)
        rules = resolve(model, game.presets(variety), preset=spec.preset, rules=spec.rules)
        played = [
            note.manifest["rules"]
            for result in results
            for note in result.runs
            if "rules" in note.manifest and note.manifest.get("variety") == variety
        ]
        values, changed = rules.model_dump(mode="json"), rules.changed()
        rows = [
            {
                "name": option["name"],
                "value": _text(values[option["name"]]),
                "default": _text(option["default"]),
                "changed": option["name"] in changed,
                "also": _also(option["name"], values[option["name"]], played),
                "clause": option["clause"],
                "says": option["says"],
            }
            for option in model.describe()
        ]
        title = f"Options of {game.title}" + (f", {variety}" if variety else "")
        tables.append(RulesTable(title, rows))
    return tables


def rules_summary(tables: Sequence[RulesTable]) -> str:
    """Say in a line what rules are in force, without the full stop."""
    rows = [row for table in tables for row in table.rows]
    changed = sum(bool(row["changed"]) for row in rows)
    also = sum(bool(row["also"]) for row in rows)
    text = f"The default rules: {len(rows)} options"
    if changed:
        text = f"{len(rows)} options, {changed} of them not at their default"
    if len(tables) > 1:
        text += f" in {len(tables)} varieties"
    return text + (f"; single runs changed {also} of them" if also else "")


def _chosen(names: Sequence[str]) -> list[str]:
    chosen: list[str] = []
    for name in [names] if isinstance(names, str) else names or ["all"]:
        if name != "all" and name not in PAGES:
            raise BadInput(f"report {name!r}: there are {', '.join(PAGES)} and all")
        chosen += list(PAGES) if name == "all" else [name]
    return list(dict.fromkeys(chosen))


def _run(run: Callable[..., Result], asked: Mapping[str, Any]) -> Result:
    """Run an analysis with what was asked for, as far as it takes it."""
    takes = inspect.signature(run).parameters
    given = {key: value for key, value in asked.items() if value is not None and key in takes}
    return run(**given)


def _also(name: str, value: Any, played: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the other values of an option that runs of this page were played with."""
    found = dict.fromkeys(_text(rules[name]) for rules in played if name in rules)
    return [text for text in found if text != _text(value)]


def _text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return str(value)
