"""Pages made of results that no game was played for."""

from __future__ import annotations

import base64
import dataclasses
import io
import json
import re
from importlib.resources import files
from pathlib import Path

import pandas as pd
import pytest

from analyses.results import FigureOut, Result, TableOut
from reports import builder
from simlib.rng import STREAM_VERSION
from tests.reports import made_up
from tests.reports.html_check import Page, check


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    builder.build([made_up.page(), made_up.page("another-game")], folder)
    return folder


@pytest.fixture(scope="module")
def page(out: Path) -> Page:
    return check(out / "king-george-iii.html", out)


def test_every_page_is_sound(out: Path) -> None:
    pages = sorted(out.glob("*.html"))
    assert [path.stem for path in pages] == ["another-game", "index", "king-george-iii"]
    for path in pages:
        check(path, out)


def test_all_files_are_named(tmp_path: Path) -> None:
    written = builder.build([made_up.light()], tmp_path)
    assert sorted(written) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert [path.name for path in written[-2:]] == ["index.html", "index.md"]
    names = {path.name for path in written}
    assert {"endings.csv", "endless.png", "king-george-iii.md", "king-george-iii.html"} <= names


def test_the_answer_comes_first(page: Page) -> None:
    main = page.all("main")[0]
    assert main.children[0].get("class") == "head"
    assert made_up.page().lead in main.children[0].text.replace("\u00a0", " ")
    assert main.children[1].tag == "nav"


def test_each_analysis_has_its_section(page: Page) -> None:
    for result in (made_up.endings(), made_up.lengths()):
        section = next(node for node in page.all("section") if node.get("id") == result.name)
        text = section.text.replace("\u00a0", " ")
        for words in (result.title, result.question, result.answer, *result.warnings):
            assert words.replace("`", "") in text
        for table in result.tables:
            assert table.title in text
        for figure in result.figures:
            assert figure.title in text
            assert figure.alt in text
        assert f"#{result.name}" in [node.get("href") for node in page.all("nav")[0].all("a")]


def test_csv_is_the_frame(out: Path, page: Page) -> None:
    links = {n.get("download"): n.get("href") for n in page.all("a") if n.get("download")}
    for result in (made_up.endings(), made_up.lengths()):
        for table in result.tables:
            text = (out / "king-george-iii" / f"{table.key}.csv").read_text("utf-8")
            prefix, _, data = links[f"{table.key}.csv"].partition(",")
            assert prefix == "data:text/csv;charset=utf-8;base64"
            assert base64.b64decode(data).decode() == text
            again = pd.read_csv(io.StringIO(text))
            pd.testing.assert_frame_equal(
                again,
                table.frame,
                check_dtype=False,
                check_exact=True,
            )


def test_figures_are_in_the_page_and_beside_it(out: Path, page: Page) -> None:
    assert len(page.all("figure")) == 3
    for figure in page.all("figure"):
        assert [svg.get("class") for svg in figure.all("svg")] == ["wide", "narrow"]
        key = figure.get("id").removeprefix("figure-")
        data = (out / "king-george-iii" / f"{key}.png").read_bytes()
        assert data.startswith(b"\x89PNG\r\n")
    assert "endless & <proved>" in page.all("main")[0].text


def test_rules_name_clause_and_change(page: Page) -> None:
    section = next(node for node in page.all("section") if node.get("id") == "rules")
    rows = {row.all("th")[0].text: row for row in section.all("tr")[1:]}
    assert len(rows) == 18
    assert "KG-6" in rows["recycle"].text
    assert rows["recycle"].get("class") == "changed"
    assert "changed; default turn" in rows["recycle"].text
    assert rows["wrap"].get("class") == ""
    assert [rows[name].all("td")[-1].text for name in ("ace_resets", "wrap")] == ["0", ""]


@pytest.mark.parametrize(("tables", "is_open"), [(1, True), (2, True), (3, False)])
def test_rules_of_more_than_two_tables_are_folded(
    tmp_path: Path, tables: int, is_open: bool
) -> None:
    light = made_up.light()
    rules = [light.rules[0]] * tables
    folded_page = dataclasses.replace(light, rules=rules, rules_says="The default rules: some")
    builder.build([folded_page], tmp_path)
    found = check(tmp_path / "king-george-iii.html", tmp_path)
    (fold,) = (node for node in found.all("details") if node.get("class") == "fold")
    assert ("open" in fold.attributes) == is_open
    assert fold.all("summary")[0].text == "The default rules: some"
    assert len(fold.all("table")) == tables
    text = (tmp_path / "king-george-iii.md").read_text("utf-8")
    assert "\n\nThe default rules: some.\n\n## " in text


def test_the_block_that_makes_the_numbers_again(page: Page) -> None:
    section = next(node for node in page.all("section") if node.get("id") == "reproduce")
    lines = section.all("pre")[0].raw.strip().splitlines()
    commands = [line for line in lines if line.startswith("simlib ")]
    assert commands[0] == made_up.page().command
    wanted = {note.command for result in made_up.page().results for note in result.runs}
    assert sorted(commands[1:]) == sorted(wanted)
    versions = section.all("table")[0].text
    assert "Seed 7" in versions
    assert f"Layout of the streams of chance (C-4) {STREAM_VERSION}" in versions
    for name in ("Python", "simlib", "numba", "numpy", "matplotlib"):
        assert name in versions


def test_long_tables_are_folded(page: Page) -> None:
    folded = [node for node in page.all("details") if node.get("class") != "fold"]
    assert len(folded) == 1
    assert "120 rows" in folded[0].all("summary")[0].text
    assert len(folded[0].all("tr")) == 121


def test_same_results_same_bytes(out: Path, tmp_path: Path) -> None:
    again = builder.build([made_up.page()], tmp_path)
    for path in again[:-2]:
        assert path.read_bytes() == (out / path.relative_to(tmp_path)).read_bytes(), path.name


def test_index_says_what_was_found_and_keeps_other_pages(tmp_path: Path) -> None:
    builder.build([made_up.light()], tmp_path)
    first = check(tmp_path / "index.html", tmp_path)
    leads = [node.text for node in first.all("p") if node.get("class") == "lead"]
    assert len(leads) == 3
    assert leads[0].replace("\u00a0", " ") == f"King George III. {made_up.light().lead}"
    assert len(first.all("article")) == 1
    other = dataclasses.replace(made_up.light("other"), lead="The other one is short.")
    builder.build([other], tmp_path)
    second = check(tmp_path / "index.html", tmp_path)
    assert [node.get("aria-labelledby") for node in second.all("article")] == [
        "card-other",
        "card-king-george-iii",
    ]
    leads = [node.text for node in second.all("p") if node.get("class") == "lead"]
    assert leads[0] == "King George III. The other one is short."
    assert leads[1].replace("\u00a0", " ") == f"King George III. {made_up.light().lead}"
    # the middle dot and all counts come from the pages themselves
    card = json.loads((tmp_path / "other" / "page.json").read_text("utf-8"))
    assert f"{card['games']:,} simulated games" in second.all("article")[0].text


def test_index_leaves_other_things_alone(tmp_path: Path) -> None:
    for name, text in (("foreign", '{"name": "x"}'), ("broken", "{"), ("listed", "[]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.json").write_text(text, "utf-8")
    builder.build([made_up.light()], tmp_path)
    (tmp_path / "king-george-iii.html").rename(tmp_path / "kept.html")
    builder.build([made_up.light("other")], tmp_path)
    index = check(tmp_path / "index.html", tmp_path)
    assert [node.get("aria-labelledby") for node in index.all("article")] == ["card-other"]


def test_index_links_notebooks_whichever_is_made_first_and_only_if_they_are_there(
    tmp_path: Path,
) -> None:
    def linked() -> list[tuple[str, str]]:
        index = check(tmp_path / "index.html", tmp_path)
        text = (tmp_path / "index.md").read_text("utf-8")
        links = [a for a in index.all("a") if a.get("href").startswith("notebooks/")]
        assert all(f"]({a.get('href')})" in text for a in links)
        assert ("Notebooks" in [h.text for h in index.all("h2")]) == bool(links)
        assert ("## Notebooks" in text) == bool(links)
        assert len(index.all("article")) == 1
        return [(a.get("href"), a.text) for a in links]

    builder.build([made_up.light()], tmp_path)
    assert linked() == []
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for name, title in (("02_b", "Ours &amp; yours"), ("01_a", "First")):
        (folder / f"{name}.html").write_text(f"<title>{title}</title>", "utf-8")
    # notebooks were made after the report: the index is written anew
    assert [path.name for path in builder.build([], tmp_path)] == ["index.html", "index.md"]
    wanted = [("notebooks/01_a.html", "First"), ("notebooks/02_b.html", "Ours & yours")]
    assert linked() == wanted
    # the report was made after the notebooks
    builder.build([made_up.light()], tmp_path)
    assert linked() == wanted
    (folder / "01_a.html").unlink()
    builder.build([made_up.light()], tmp_path)
    assert linked() == wanted[1:]


def test_index_without_a_page_has_the_notebooks_alone(tmp_path: Path) -> None:
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "01_a.html").write_text("<title>First</title>", "utf-8")
    builder.build([], tmp_path)
    index = check(tmp_path / "index.html", tmp_path)
    assert [h.text for h in index.all("h2")] == ["Notebooks", "Reading these pages"]


def test_markdown_holds_the_page(out: Path) -> None:
    text = (out / "king-george-iii.md").read_text("utf-8")
    assert text.startswith("# King George III\n")
    for target in re.findall(r"\]\(([^)]*)\)", text):
        assert (out / target).is_file(), target
    table = made_up.endings().tables[0]
    lines = text.splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("| Players | Policy |"))
    assert lines[begin + 1] == "| --- | --- | ---: | ---: | ---: | ---: |"
    rows = lines[begin + 2 : begin + 2 + len(table.frame)]
    assert all(row.count("|") == 7 for row in rows)
    assert rows[0] == "| 2 | random | 35.36 | 35.17 to 35.54 | 0.19 | 250,000 |"
    assert "Length | turns" in text
    assert "\n\n\n\n" not in text


def test_text_is_escaped(tmp_path: Path) -> None:
    frame = pd.DataFrame({"what": ['<script>alert("x")</script>'], "estimate": [0.5]})
    result = Result(
        name="odd",
        title="A <b>title</b> & more",
        question='Is "this" <i>so</i>?',
        answer="No. `a<b` is code, <em> is not.",
        tables=[TableOut("odd", "Odd <table>", frame, notes=["<note>"])],
        methods=["<method>"],
        warnings=["<warning>"],
    )
    page = builder.Page("odd-game", "Odd <game>", "<says>", "The <lead>.", [result])
    builder.build([page], tmp_path)
    for name in ("odd-game.html", "index.html"):
        checked = check(tmp_path / name, tmp_path)
        assert not checked.all("script", "i", "em") or name == "odd-game.html"
    checked = Page(tmp_path / "odd-game.html")
    assert "a<b" in [node.text for node in checked.all("code")]
    assert '<script>alert("x")</script>' in checked.all("main")[0].text


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"name": "main"}, "two things are called analysis"),
        ({"name": "Not a name"}, "is no name for a file"),
        ({"tables": [TableOut("../x", "t", pd.DataFrame({"a": [1]}))]}, "is no name for a file"),
    ],
)
def test_names_that_cannot_be_files_are_refused(
    change: dict[str, object], what: str, tmp_path: Path
) -> None:
    result = dataclasses.replace(made_up.endings(), **change)  # type: ignore[arg-type]
    page = dataclasses.replace(made_up.page(), results=[result])
    with pytest.raises(ValueError, match=what):
        builder.build([page], tmp_path)
    assert not list(tmp_path.iterdir())


def test_two_tables_of_one_name_are_refused(tmp_path: Path) -> None:
    page = dataclasses.replace(
        made_up.page(),
        results=[made_up.endings(), dataclasses.replace(made_up.endings(), name="b")],
    )
    with pytest.raises(ValueError, match="two things are called table 'endings'"):
        builder.build([page], tmp_path)


def test_files_of_an_earlier_report_do_not_stay(tmp_path: Path) -> None:
    builder.build([made_up.light()], tmp_path)
    less = dataclasses.replace(made_up.light(), results=made_up.light().results[:1])
    builder.build([less], tmp_path)
    left = sorted(path.name for path in (tmp_path / "king-george-iii").iterdir())
    assert left == ["endings.csv", "endless.png", "page.json"]
    check(tmp_path / "king-george-iii.html", tmp_path)


def test_a_page_without_tables_and_figures(tmp_path: Path) -> None:
    bare = Result("bare", "Bare", "What?", "Nothing.")
    builder.build([builder.Page("bare-game", "Bare game", "", "Nothing.", [bare])], tmp_path)
    page = check(tmp_path / "bare-game.html", tmp_path)
    assert not page.all("figure", "details")


def test_a_figure_that_fails_says_so(tmp_path: Path) -> None:
    def draw() -> None:
        raise RuntimeError("cannot draw")

    result = Result("bad", "Bad", "?", "No.", figures=[FigureOut("bad", "t", "a", draw)])  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="cannot draw"):
        builder.build([builder.Page("bad-game", "Bad", "", "No.", [result])], tmp_path)
    assert not list(tmp_path.iterdir())


def test_templates_are_in_the_package() -> None:
    names = {path.name for path in (files("reports") / "templates").iterdir()}
    assert {"base.html.j2", "page.html.j2", "index.html.j2", "style.css"} <= names
    assert all(path.is_file() for path in (files("reports") / "templates").iterdir())


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One thing. Another.", "One thing."),
        ("It is 35.4 % of all, not 2.0. Then more.", "It is 35.4 % of all, not 2.0."),
        ("How many? Few.", "How many?"),
        ("King George III ends. 12 of 13 do.", "King George III ends."),
        ("No end", "No end"),
    ],
)
def test_first_sentence(text: str, first: str) -> None:
    assert builder.first_sentence(text) == first
