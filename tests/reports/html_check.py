"""What every page must keep: checked on its text alone."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

VOID = {"meta", "link", "br", "hr", "img", "input", "path", "use", "rect", "circle", "line"}
INLINE = {"", "a", "b", "code", "i", "span", "strong", "tspan", "pre"}
URL = re.compile(r"url\(([^)]*)\)")


class Node:
    """One element."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Node | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.content: list[Node | str] = []

    @property
    def children(self) -> list[Node]:
        return [part for part in self.content if isinstance(part, Node)]

    def all(self, *tags: str) -> list[Node]:
        found = [self] if not tags or self.tag in tags else []
        return found + [node for child in self.children for node in child.all(*tags)]

    def get(self, name: str) -> str:
        return self.attributes.get(name) or ""

    @property
    def text(self) -> str:
        return " ".join(self.raw.split())

    @property
    def raw(self) -> str:
        """The text with its white space; blocks are set apart."""
        text = "".join(part if isinstance(part, str) else part.raw for part in self.content)
        return text if self.tag in INLINE else f" {text} "


class Page(HTMLParser):
    """A page as a tree; unbalanced tags are errors."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.root = Node("", {}, None)
        self._open = self.root
        self.source = path.read_text("utf-8")
        self.feed(self.source)
        self.close()
        assert self._open is self.root, f"<{self._open.tag}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> has an attribute twice"
        node = Node(tag, dict(attrs), self._open)
        self._open.content.append(node)
        if tag not in VOID:
            self._open = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.content.append(Node(tag, dict(attrs), self._open))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.tag == tag, f"</{tag}> closes <{self._open.tag}>"
        assert self._open.parent is not None
        self._open = self._open.parent

    def handle_data(self, data: str) -> None:
        self._open.content.append(data)

    def all(self, *tags: str) -> list[Node]:
        return self.root.all(*tags)

    @property
    def ids(self) -> list[str]:
        return [node.get("id") for node in self.all() if "id" in node.attributes]


def check(path: Path, root: Path) -> Page:
    """Check a page and return it."""
    page = Page(path)
    ids = page.ids
    assert len(ids) == len(set(ids)), [name for name in ids if ids.count(name) > 1]
    for node in page.all():
        _check_references(node, ids, page, root)
        _check_names(node)
    _check_shape(page)
    return page


def _check_references(node: Node, ids: list[str], page: Page, root: Path) -> None:
    for name in ("aria-labelledby", "aria-describedby"):
        for one in node.get(name).split():
            assert one in ids, f"{name}={one}: no such id"
    for name in ("href", "src", "srcset", "poster", "data", "action", "xlink:href"):
        if name in node.attributes:
            _check_link(node.get(name), ids, page, root)
    for target in URL.findall(node.get("style") + node.get("clip-path")):
        assert target.startswith("#"), target
        assert target[1:] in ids, target


def _check_link(target: str, ids: list[str], page: Page, root: Path) -> None:
    assert not re.match(r"(https?:)?//", target), target
    if target.startswith("data:"):
        return
    file, _, fragment = target.partition("#")
    if not file:
        assert fragment in ids, target
        return
    path = (page.path.parent / unquote(file)).resolve()
    assert path.is_relative_to(root.resolve()), target
    assert path.is_file(), target
    if fragment:
        assert f'id="{fragment}"' in path.read_text("utf-8"), target


def _check_names(node: Node) -> None:
    """Everything that is no text has a name that can be read out."""
    if node.tag == "img":
        assert node.get("alt").strip()
    if node.tag == "svg":
        assert node.get("role") == "img"
        assert node.get("aria-labelledby")
        assert [child.tag for child in node.children[:2]] == ["title", "desc"]
        assert all(child.text for child in node.children[:2])
    if node.tag == "table":
        captions = [child for child in node.children if child.tag == "caption"]
        assert len(captions) == 1
        assert captions[0].text
        for cell in node.all("th"):
            assert cell.get("scope") in ("row", "col")
        for row in node.all("tr"):
            assert row.all("th"), row.text
    if node.tag == "figure":
        assert node.all("figcaption")[0].text
        assert node.all("svg")
    if node.tag in ("a", "summary", "h1", "h2", "h3", "title"):
        assert node.text, f"<{node.tag}> without text"
    if "scroll" in node.get("class").split() and "picture" not in node.get("class").split():
        assert node.get("tabindex") == "0", "a box that scrolls must be reached by keyboard"
        assert node.get("role") == "region"
        assert node.get("aria-labelledby") or node.get("aria-label")


def _check_shape(page: Page) -> None:
    assert page.source.startswith("<!DOCTYPE html>\n")
    assert page.all("html")[0].get("lang") == "en"
    assert len(page.all("main")) == 1
    assert len(page.all("h1")) == 1
    assert page.all("header")
    assert page.all("footer")
    assert not page.all("script", "iframe", "object", "embed", "base")
    assert "@import" not in page.source
    assert not re.search(r"https?://", page.source)
    levels = [int(node.tag[1]) for node in page.all("h1", "h2", "h3", "h4")]
    # the contents stand beside the text, so a page may go from any level back to any other
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False)), levels
