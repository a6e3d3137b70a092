"""From results to files: HTML pages, an index, CSV, PNG and Markdown.

The same results give the same bytes: nothing on a page depends on the day or the machine but
what the manifests of its runs say.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from analyses.results import FigureOut, Result, TableOut
from reports import figures, tables
from reports.provenance import Provenance, provenance

__all__ = ["Page", "RulesTable", "build", "first_sentence"]

_TITLE = re.compile(r"<title>([^<]+)</title>")
_NAME = re.compile(r"[a-z][a-z0-9_-]*\Z")
_CODE = re.compile(r"`([^`]+)`")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“\"'`])")
#: Version of what a page tells the index.
_FORMAT = "simlib-page/1"
#: Section ids that no analysis may take.
_SECTIONS = ("main", "contents", "rules", "methods", "reproduce", "files")


@dataclass(frozen=True)
class RulesTable:
    """The rules that a page's games were played by.

    Attributes
    ----------
    title : str
        What the table shows.
    rows : sequence of mappings
        name, value, default, clause, says, changed (bool) and also (other values that were
        played on this page), as text.
    """

    title: str
    rows: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Page:
    """What one page shows.

    Attributes
    ----------
    name, title, says : str
        Name of its file, heading, and one line on the game.
    lead : str
        The answer in one sentence.
    results : sequence of Result
        One section each, in this order.
    rules : sequence of RulesTable
        The rules in force; of more than two tables only their summary is open.
    rules_says : str
        What the rules are in a line, without the full stop.
    command : str
        Makes this page again.
    """

    name: str
    title: str
    says: str
    lead: str
    results: Sequence[Result]
    rules: Sequence[RulesTable] = ()
    rules_says: str = "The options and their values"
    command: str = ""


def build(pages: Iterable[Page], out: Path) -> list[Path]:
    """Write pages and the index.

    The index shows every page that the folder holds, those of earlier calls included, and the
    notebooks that lie in its folder ``notebooks`` as pages. Called without a page, it writes the
    index anew: ``make notebooks`` does so, so that either may be made first.

    Parameters
    ----------
    pages : iterable of Page
        Each is written as soon as it is there.
    out : Path
        Folder to write to; made if it does not exist.

    Returns
    -------
    list of Path
        Every file written; the index is the last but one, its Markdown the last.
    """
    written: list[Path] = []
    names: list[str] = []
    for page in pages:
        _check(page)
        names.append(page.name)
        written += _write_page(page, out)
    return written + _write_index(out, names)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return _SENTENCE.split(text.strip(), maxsplit=1)[0]


def _check(page: Page) -> None:
    """Refuse names that would not be file names and ids, or that two things share."""
    sections = [*_SECTIONS, *(result.name for result in page.results)]
    keys = [t.key for r in page.results for t in r.tables]
    pictures = [f.key for r in page.results for f in r.figures]
    for kind, found in (("analysis", sections), ("table", keys), ("figure", pictures)):
        for name in found:
            if not _NAME.match(name):
                raise ValueError(f"{page.name}: {kind} {name!r} is no name for a file")
            if found.count(name) > 1:
                raise ValueError(f"{page.name}: two things are called {kind} {name!r}")


# --- one page --------------------------------------------------------------------------


def _write_page(page: Page, out: Path) -> list[Path]:
    """Draw and render everything, then write it."""
    sections = [_section(page, number, result) for number, result in enumerate(page.results, 1)]
    _number(sections)
    made = provenance(page.results)
    context = {
        "page": page,
        "sections": sections,
        "made": made,
        "methods": _methods(page.results),
        "warnings": [section for section in sections if section["warnings"]],
    }
    contents: dict[str, str | bytes] = {
        thing["file"]: thing["content"]
        for kind in ("tables", "figures")
        for section in sections
        for thing in section[kind]
    }
    contents[f"{page.name}/page.json"] = _summary(page, made)
    contents[f"{page.name}.html"] = _render("page.html.j2", context)
    contents[f"{page.name}.md"] = _render("page.md.j2", context)
    folder = out / page.name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():  # what an earlier report left and this one may not have
        if old.suffix in (".csv", ".png", ".json"):
            old.unlink()
    return [_write(out / name, content) for name, content in contents.items()]


def _section(page: Page, number: int, result: Result) -> dict[str, Any]:
    return {
        "number": number,
        "id": result.name,
        "title": result.title,
        "question": result.question,
        "answer": result.answer,
        "warnings": list(result.warnings),
        "figures": [_figure(page, figure) for figure in result.figures],
        "tables": [_table(page, table) for table in result.tables],
    }


def _figure(page: Page, figure: FigureOut) -> dict[str, Any]:
    drawn = figures.render(figure, f"f-{figure.key}")
    return {
        "key": figure.key,
        "title": figure.title,
        "alt": figure.alt,
        "file": f"{page.name}/{figure.key}.png",
        "svg": Markup(drawn.svg),
        "content": drawn.png,
    }


def _table(page: Page, table: TableOut) -> dict[str, Any]:
    text = tables.csv_text(table)
    return {
        "key": table.key,
        "title": table.title,
        "notes": list(table.notes),
        "shown": tables.show(table),
        "file": f"{page.name}/{table.key}.csv",
        "link": tables.csv_link(text),
        "content": text,
    }


def _number(sections: Sequence[dict[str, Any]]) -> None:
    """Number tables and figures through the whole page."""
    for kind in ("tables", "figures"):
        numbered = (thing for section in sections for thing in section[kind])
        for number, thing in enumerate(numbered, 1):
            thing["number"] = number


def _methods(results: Sequence[Result]) -> list[tuple[str, list[str]]]:
    """Return (title, sentences): first what several analyses say, then the rest of each."""
    said = [sentence for result in results for sentence in dict.fromkeys(result.methods)]
    shared = [sentence for sentence in dict.fromkeys(said) if said.count(sentence) > 1]
    own = [
        (result.title, [s for s in dict.fromkeys(result.methods) if s not in shared])
        for result in results
    ]
    every = [("All sections", shared), *own]
    return [(title, sentences) for title, sentences in every if sentences]


# --- the index -------------------------------------------------------------------------


def _summary(page: Page, made: Provenance) -> str:
    """Return what the index needs to know of a page, as JSON."""
    return json.dumps(
        {
            "format": _FORMAT,
            "name": page.name,
            "title": page.title,
            "says": page.says,
            "lead": page.lead,
            "found": [first_sentence(result.answer) for result in page.results],
            "questions": [[result.name, result.title] for result in page.results],
            "warnings": sum(len(result.warnings) for result in page.results),
            "games": made.games,
            "runs": made.runs,
            "seeds": made.seeds,
            "versions": made.versions,
        },
        indent=1,
    )


def _write_index(out: Path, names: Sequence[str]) -> list[Path]:
    out.mkdir(parents=True, exist_ok=True)
    found = _cards(out)
    order = [*dict.fromkeys(names), *(name for name in found if name not in names)]
    cards = [found[name] for name in order]
    context = {"cards": cards, "sentences": _three(cards), "notebooks": _notebooks(out)}
    return [
        _write(out / name, _render(f"{name}.j2", context)) for name in ("index.html", "index.md")
    ]


def _cards(out: Path) -> dict[str, dict[str, Any]]:
    """Read what each page of a folder says of itself; other things there are left alone."""
    cards = {}
    for path in sorted(out.glob("*/page.json")):
        try:
            card = json.loads(path.read_text("utf-8"))
        except (ValueError, OSError):
            continue
        name = path.parent.name
        ours = isinstance(card, dict) and card.get("format") == _FORMAT
        if ours and (out / f"{name}.html").is_file():
            cards[name] = card
    return cards


def _notebooks(out: Path) -> list[tuple[str, str]]:
    """Return (file, title) of the notebooks that lie there as pages, by name."""
    found = []
    for path in sorted((out / "notebooks").glob("*.html")):
        title = _TITLE.search(path.read_text("utf-8", errors="replace"))
        found.append((f"notebooks/{path.name}", html.unescape(title[1]) if title else path.stem))
    return found


def _three(cards: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return three sentences with their games: from each page in turn, its lead first."""
    lists = [
        [(card["title"], sentence) for sentence in dict.fromkeys([card["lead"], *card["found"]])]
        for card in cards
    ]
    longest = max((len(sentences) for sentences in lists), default=0)
    turns = [s[place] for place in range(longest) for s in lists if place < len(s)]
    return turns[:3]


# --- templates -------------------------------------------------------------------------


def _source(name: str) -> str:
    return (files("reports") / "templates" / name).read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=lambda name: name is None or ".md" not in name,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"prose": _prose, "count": _count, "cell": _cell, "flat": _flat}
    environment.globals |= {
        "style": Markup(_source("style.css")),
        "light": Markup(figures.css_variables(0)),
        "dark": Markup(figures.css_variables(1)),
    }
    return environment


def _prose(text: str) -> Markup:
    """Return a sentence as HTML: `code` set as code, numbers kept with their per cent."""
    kept = re.sub(r"(?<=\d) (?=%)", "\u00a0", str(text))
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(kept))))


def _count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _cell(text: str) -> str:
    """Return text that does not break a Markdown table."""
    return _flat(text).replace("|", "\\|")


def _flat(text: str) -> str:
    return " ".join(str(text).split())


def _render(template: str, context: Mapping[str, Any]) -> str:
    return _environment().get_template(template).render(context)


def _write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
