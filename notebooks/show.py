"""Shows sentences, tables and pictures in the notebooks; nothing is computed here."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping, Sequence

import pandas as pd
from IPython.display import HTML, Markdown, display
from matplotlib.figure import Figure

from analyses import style
from analyses.results import FigureOut, TableOut
from reports import tables

__all__ = ["figure_html", "lines", "picture", "say", "table", "table_html"]

#: Dots an inch: sharp on most screens, and still a small page.
DPI = 144
#: Pixels that an inch takes on the page.
INCH = 110


def say(text: str) -> None:
    """Show a sentence (Markdown) whose numbers were computed."""
    display(Markdown(text))


def picture(figure: Figure | FigureOut, alt: str = "", caption: str = "") -> None:
    """Show a figure with its alternative text, and the caption below it.

    Parameters
    ----------
    figure : Figure or FigureOut
        A figure of an analysis brings its own texts.
    alt : str
        What a person would see and read off it.
    caption : str
        What is on the axes, with units and n.
    """
    if isinstance(figure, FigureOut):
        drawn, alt, caption = figure.draw(), alt or figure.alt, caption or figure.title
    else:
        drawn = figure
    plain = alt.replace("`", "")
    display({"text/html": figure_html(drawn, plain, caption), "text/plain": plain}, raw=True)


def figure_html(figure: Figure, alt: str, caption: str = "") -> str:
    """Return a figure as HTML that holds the picture itself."""
    buffer = io.BytesIO()
    with style.house():
        figure.savefig(buffer, format="png", dpi=DPI)
    data = base64.b64encode(buffer.getvalue()).decode()
    width = round(figure.get_figwidth() * INCH)
    image = (
        f'<img src="data:image/png;base64,{data}" alt="{html.escape(alt)}"'
        f' style="width:{width}px;max-width:100%;height:auto;background:white">'
    )
    below = f'<figcaption style="max-width:{width}px">{_coded(caption)}</figcaption>'
    return f'<figure style="margin:0">{image}{below if caption else ""}</figure>'


def table(
    shown: TableOut | pd.DataFrame,
    title: str = "",
    *,
    percent: Sequence[str] = (),
    digits: Mapping[str, int] | None = None,
    rows: int = 20,
) -> HTML:
    """Return a table to be shown, its intervals joined and its numbers rounded.

    Parameters
    ----------
    shown : TableOut or DataFrame
        A table of an analysis brings its own title, percent and digits.
    title : str
        What it shows, with units.
    percent : sequence of str
        Columns that hold shares.
    digits : mapping of column to number of decimals
    rows : int
        Most rows that are shown.
    """
    if isinstance(shown, pd.DataFrame):
        shown = TableOut("table", title, shown, percent=percent, digits=dict(digits or {}))
    return HTML(table_html(shown, title, rows))


def table_html(shown: TableOut, title: str = "", rows: int = 20) -> str:
    """Return a table as HTML; see :func:`table`."""
    found = tables.show(shown, rows)
    heads = "".join(
        f"<th{_side(head.number)}>{_coded(head.label)}{f' ({head.unit})' if head.unit else ''}</th>"
        for head in found.heads
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_side(head.number)}>{_coded(cell)}</td>"
            for head, cell in zip(found.heads, row.cells, strict=True)
        )
        + "</tr>"
        for row in found.rows
    )
    more = found.total - len(found.rows)
    note = f"<p>… and {more:,} rows more</p>" if more > 0 else ""
    caption = title or shown.title
    above = f'<caption style="text-align:left">{_coded(caption)}</caption>' if caption else ""
    return f"<table>{above}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{note}"


def lines(text: str, last: int) -> None:
    """Print the last lines of a text, and say how many stand before them."""
    every = text.splitlines()
    if len(every) > last:
        print(f"… {len(every) - last} lines before")
    print("\n".join(every[-last:]))


def _side(number: bool) -> str:
    return f' style="text-align:{"right" if number else "left"};padding:2px 8px"'


def _coded(text: str) -> str:
    """Return text as HTML, with what stands between backticks as code."""
    parts = html.escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts)
    )
