"""The house style of figures: calm, readable in black and white, on light and on dark.

Every series has a colour, a marker, a line style and a hatch, so that none needs its colour.
Figures are drawn in the light colours; the report pages replace each colour of this module by
a variable of the page, which has another value in the dark (:data:`COLOURS`). Text is measured
in DejaVu Sans, which comes with matplotlib and is wider than most fonts that a page may fall
back to, so that nothing overlaps elsewhere.

Examples
--------
>>> fig, ax = figure(6.6, 3.4)
>>> _ = ax.plot([2, 3, 4, 5], [0.5, 0.3, 0.1, 0.04], **line(0), label="random")
>>> _ = ax.set(xlabel="players", ylabel="share of games that never end")
>>> percent(ax.yaxis)
>>> fig = finish(fig)
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

__all__ = [
    "COLOURS",
    "ENDINGS",
    "GRID",
    "INK",
    "MUTED",
    "NARROW",
    "PAPER",
    "SERIES",
    "WIDE",
    "Series",
    "band",
    "bar",
    "figure",
    "finish",
    "house",
    "line",
    "narrow",
    "panels",
    "percent",
    "points",
    "thousands",
]

#: Widths in inches: a page's column, and a phone.
WIDE, NARROW = 6.6, 3.9

#: Size of text in figures, points.
SIZE = 8.5

INK, MUTED, GRID, PAPER = "#1d2730", "#55616c", "#d5dade", "#ffffff"

#: Colours of the house: name -> (light, dark). All but the grid reach a contrast of 4.5 with
#: the paper of their page.
COLOURS: dict[str, tuple[str, str]] = {
    "ink": (INK, "#e4e8eb"),
    "muted": (MUTED, "#a3aeb8"),
    "grid": (GRID, "#3a444d"),
    "paper": (PAPER, "#14191e"),
    "blue": ("#1f5f99", "#74b4ea"),
    "rust": ("#b4491f", "#f0976c"),
    "teal": ("#11756a", "#52c4b4"),
    "plum": ("#7d2a6b", "#da93ca"),
    "ochre": ("#7a5b00", "#d8b550"),
    "slate": ("#5b6571", "#aab5bf"),
}


@dataclass(frozen=True)
class Series:
    """How one series looks.

    Attributes
    ----------
    colour : str
        Its light colour.
    marker, dashes, hatch : str or tuple
        What tells it apart without the colour: in lines, in bars.
    """

    colour: str
    marker: str
    dashes: Any
    hatch: str


SERIES = (
    Series(COLOURS["blue"][0], "o", "-", ""),
    Series(COLOURS["rust"][0], "s", (0, (5, 1.8)), "///"),
    Series(COLOURS["teal"][0], "^", (0, (1.2, 1.6)), "..."),
    Series(COLOURS["plum"][0], "D", (0, (6, 1.6, 1.2, 1.6)), "\\\\\\"),
    Series(COLOURS["ochre"][0], "v", (0, (9, 2.2)), "xxx"),
    Series(COLOURS["slate"][0], "X", (0, (3, 1.2, 1.2, 1.2, 1.2, 1.2)), "---"),
    Series(INK, "P", (0, (2.5, 2.5)), "+++"),
)

#: Series of the endings of a deal, the same in every figure.
ENDINGS = {"out": 0, "deadlock": 4, "orphans": 1, "endless": 1, "cycle": 3, "truncated": 5}

_RC: dict[str, Any] = {
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "axes.titleweight": "normal",
    "axes.labelsize": SIZE,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.7,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=[series.colour for series in SERIES]),
    "axes.unicode_minus": True,
    "figure.facecolor": PAPER,
    "figure.dpi": 110,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.8,
    "legend.fontsize": SIZE,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "patch.linewidth": 0.7,
    "savefig.facecolor": "auto",
    "svg.fonttype": "none",
    "svg.hashsalt": "simlib",
    "text.color": INK,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "xtick.labelsize": SIZE,
    "xtick.major.size": 3,
    "xtick.major.width": 0.7,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": SIZE,
    "ytick.major.size": 0,
    "ytick.major.width": 0.7,
}

#: Sizes that text has when it was added without one, outside the house's settings.
_OUTSIDE = (mpl.rcParamsDefault["font.size"], mpl.rcParamsDefault["font.size"] * 1.2)

_WIDEST: ContextVar[float] = ContextVar("widest", default=math.inf)


@contextmanager
def house() -> Iterator[None]:
    """Draw and save in the house style; the settings outside are left as they were."""
    with mpl.rc_context(_RC):
        yield


@contextmanager
def narrow() -> Iterator[None]:
    """Make figures as wide as a phone: what :func:`figure` is asked for is the most."""
    token = _WIDEST.set(NARROW)
    try:
        yield
    finally:
        _WIDEST.reset(token)


def figure(width: float = WIDE, height: float = 3.4) -> tuple[Figure, Any]:
    """Return a figure with one pair of axes.

    Parameters
    ----------
    width, height : float
        Inches. `WIDE` fills the column of a page, where the text has the size of the page's
        small print.
    """
    fig, axes = panels(1, width, height)
    return fig, axes[0]


def panels(
    count: int,
    width: float = WIDE,
    height: float = 2.6,
    *,
    columns: int | None = None,
    share: bool = True,
) -> tuple[Figure, list[Any]]:
    """Return a figure with several axes side by side, in rows where the width is small.

    Parameters
    ----------
    count : int
        Number of axes.
    width, height : float
        Inches: of the whole figure, and of one row.
    columns : int, optional
        Most axes in a row; by default as many as are wide enough.
    share : bool
        Whether all have the same scales.
    """
    width = min(width, _WIDEST.get())
    # axes with scales of their own need room for their own labels
    most = min(count, max(1, int(width / (1.9 if share else 2.6))), columns or count)
    down = -(-count // most)
    across = -(-count // down)  # rows of equal length: 2 + 2, not 3 + 1
    with house():
        engine = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.05, wspace=0.03, hspace=0.05)
        fig = Figure(figsize=(width, height * down), layout=engine)
        grid = fig.subplots(down, across, squeeze=False, sharex=share, sharey=share)
        axes = list(grid.ravel())
        for ax in axes[count:]:
            ax.remove()
        for ax in axes[:count]:
            ax.grid(axis="y", color=GRID, linewidth=0.6)
            # said here, since ticks are made later, outside the house's settings
            ax.tick_params(color=MUTED, labelcolor=INK, labelsize=SIZE, width=0.7, length=3)
            ax.tick_params(axis="y", length=0)
            if share:
                ax.tick_params(labelbottom=True)
    return fig, axes[:count]


def line(index: int) -> dict[str, Any]:
    """Return the keywords of ``plot`` for a series: colour, marker, line style."""
    series = SERIES[index % len(SERIES)]
    return {
        "color": series.colour,
        "marker": series.marker,
        "linestyle": series.dashes,
        "markersize": 4.5,
        "linewidth": 1.6,
    }


def points(index: int) -> dict[str, Any]:
    """Return the keywords of ``errorbar`` for estimates with their intervals."""
    series = SERIES[index % len(SERIES)]
    return {
        "color": series.colour,
        "marker": series.marker,
        "linestyle": "none",
        "markersize": 4.5,
        "elinewidth": 1.2,
        "capsize": 2.5,
    }


def bar(index: int) -> dict[str, Any]:
    """Return the keywords of ``bar`` and ``barh`` for a series: colour and hatch."""
    series = SERIES[index % len(SERIES)]
    return {
        "facecolor": series.colour,
        "hatch": series.hatch,
        "edgecolor": PAPER,
        "linewidth": 0.7,
    }


def band(index: int) -> dict[str, Any]:
    """Return the keywords of ``fill_between`` for the interval around a line."""
    return {"color": SERIES[index % len(SERIES)].colour, "alpha": 0.18, "linewidth": 0}


def percent(axis: Any, decimals: int | None = None) -> None:
    """Label an axis of shares (0 to 1) in per cent; by default with the decimals needed."""
    axis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{_plain(value * 100, decimals)}\u00a0%")
    )


def thousands(axis: Any) -> None:
    """Label an axis of counts with thousands set apart."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _plain(value: float, decimals: int | None) -> str:
    text = f"{round(value, 6):g}" if decimals is None else f"{value:.{decimals}f}"
    return text.replace("-", "\u2212")


def finish(fig: Figure) -> Figure:
    """Give a drawn figure its last touches and return it.

    The label of a value axis goes above it, where it is read first; all legends become one,
    below the axes, in as many columns as fit; text gets the house's font.
    """
    with house():
        for ax in fig.axes:
            if ax.get_label() != "<colorbar>":
                _label_above(ax)
                ax.set_xlabel(_wrapped(ax, ax.get_xlabel()))
        if not fig.legends:
            _legend_below(fig)
        for legend in fig.legends:
            legend.set_frame_on(False)
        for text in fig.findobj(Text):
            text.set_fontfamily(_RC["font.sans-serif"])
            if text.get_fontsize() in _OUTSIDE:
                text.set_fontsize(SIZE)
        if fig.get_figwidth() < WIDE * 0.75:
            _thin(fig)
    return fig


def _thin(fig: Figure) -> None:
    """Leave out numbers of the horizontal axes that would run into their neighbours."""
    fig.draw_without_rendering()
    for ax in fig.axes:
        end = -math.inf
        for label in ax.get_xticklabels():
            box = label.get_window_extent()
            if label.get_text() and label.get_visible() and box.width > 0:
                if box.x0 < end + 2:
                    label.set_visible(False)
                else:
                    end = box.x1


def _label_above(ax: Any) -> None:
    label = ax.get_ylabel()
    titles = [ax.get_title(loc) for loc in ("left", "center", "right")]
    if any(titles):
        title = _wrapped(ax, next(filter(None, titles)))
        ax.set_title(title, loc="left", fontweight="bold", pad=7)
        for loc in ("center", "right"):
            ax.set_title("", loc=loc)
        return
    if not label:
        return
    ax.set_ylabel("")
    ax.set_title(_wrapped(ax, label), loc="left", color=MUTED, pad=7)


def _wrapped(ax: Any, text: str) -> str:
    """Break a text above some axes so that it is no wider than they are."""
    spec = ax.get_subplotspec()
    across = spec.get_gridspec().ncols if spec else 1
    # a bold letter is about two thirds of the font's size wide; 40 points for the numbers
    room = (ax.figure.get_figwidth() * 72 / across - 40) / (0.66 * SIZE)
    return fill(text, max(12, int(room)), break_on_hyphens=False)


def _legend_below(fig: Figure) -> None:
    """Gather what the axes would show in their legends into one, each label once."""
    found: dict[str, Any] = {}
    title = ""
    for ax in fig.axes:
        own = ax.get_legend()
        if own is not None:
            title = title or own.get_title().get_text()
            pairs = zip(own.legend_handles, (t.get_text() for t in own.get_texts()), strict=True)
            own.remove()
        else:
            pairs = zip(*ax.get_legend_handles_labels(), strict=True)
        for handle, name in pairs:
            found.setdefault(name, handle)
    if len(found) < 2:
        return
    # a letter is about 0.6 of the font's size wide; 42 points for the sample and the gaps
    widest = max(len(name) for name in found) * 0.6 * SIZE + 42
    columns = max(1, min(len(found), int(fig.get_figwidth() * 72 / widest)))
    fig.legend(
        list(found.values()),
        list(found),
        title=title or None,
        alignment="left",
        loc="outside lower left",
        ncols=columns,
        handlelength=2.8,
        columnspacing=1.4,
        borderaxespad=0.2,
    )
