"""Pictures of a sweep: heat maps over two keys, lines over one with intervals."""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simlib.errors import BadInput
from simlib.sweep import Sweep

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["axes_of", "heat_map", "lines", "panel_keys"]

#: More panels than this say nothing: fix some keys.
PANELS = 24
#: Size of the title, in points, and how many of its letters stand on an inch.
TITLE_SIZE, LETTERS_PER_INCH = 9, 14
MARKERS = "osD^vXP*<>"
STYLES = ("-", "--", ":", "-.")


def heat_map(
    sweep: Sweep,
    metric: str,
    x: str | None = None,
    y: str | None = None,
    *,
    seat: int | None = None,
    group: str | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Figure:
    """Draw a metric over two keys; see :meth:`Sweep.heat_map`.

    Raises
    ------
    BadInput
        If there are not two keys, or too many panels.
    """
    rows = _rows(sweep, metric, seat, group, fixed)
    x, y = axes_of(sweep.keys, x, y, need=2)
    assert y is not None
    panels = _panels(sweep, rows, [x, y])
    low, high = rows["estimate"].min(), rows["estimate"].max()
    across, down = _order(rows, x), _order(rows, y)
    fig, axes = _figure(len(panels), 1.4 + 0.62 * len(across), 1.0 + 0.42 * len(down))
    _set_title(fig, sweep)
    rate = _is_rate(sweep, metric)
    image: Any = None
    for ax, (title, part) in zip(axes, panels, strict=True):
        table = part.pivot_table(index=y, columns=x, values="estimate", observed=False)
        table = table.reindex(index=down, columns=across)
        image = ax.imshow(
            table.to_numpy(), cmap="cividis", vmin=low, vmax=high, aspect="auto", origin="lower"
        )
        ax.set_xticks(range(len(across)), [_word(value) for value in across])
        ax.set_yticks(range(len(down)), [_word(value) for value in down])
        ax.set(xlabel=x, ylabel=y)
        ax.set_title(title, loc="left", fontsize=9)
        _write_values(ax, table.to_numpy(), low, high, rate=rate)
    bar = fig.colorbar(image, ax=list(axes), label=_label(metric, seat, group))
    if rate:
        _in_per_cent(bar.ax.yaxis)
    return fig


def lines(
    sweep: Sweep,
    metric: str,
    x: str | None = None,
    by: str | None = None,
    *,
    seat: int | None = None,
    group: str | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> Figure:
    """Draw a metric over one key with its intervals; see :meth:`Sweep.lines`.

    Raises
    ------
    BadInput
        If there is no key, or there are too many panels.
    """
    rows = _rows(sweep, metric, seat, group, fixed)
    x, by = axes_of(sweep.keys, x, by, need=1)
    panels = _panels(sweep, rows, [key for key in (x, by) if key])
    across = _order(rows, x)
    places = {value: place for place, value in enumerate(across)}
    fig, axes = _figure(len(panels), max(2.6, 1.2 + 0.5 * len(across)), 2.4, share=True)
    _set_title(fig, sweep)
    rate = _is_rate(sweep, metric)
    for ax, (title, part) in zip(axes, panels, strict=True):
        for number, value in enumerate(_order(rows, by) if by else [None]):
            line = part if by is None else part[part[by] == value]
            line = line.assign(_place=line[x].map(places)).sort_values("_place")
            ax.errorbar(
                line["_place"],
                line["estimate"],
                yerr=[line["estimate"] - line["low"], line["high"] - line["estimate"]],
                marker=MARKERS[number % len(MARKERS)],
                linestyle=STYLES[number % len(STYLES)],
                markersize=4,
                linewidth=1.3,
                capsize=2,
                label=None if by is None else f"{by} = {_word(value)}",
            )
        ax.set_xticks(range(len(across)), [_word(value) for value in across])
        ax.set(xlabel=x, ylabel=_label(metric, seat, group))
        if rate:
            _in_per_cent(ax.yaxis)
        ax.set_title(title, loc="left", fontsize=9)
        ax.grid(axis="y", linewidth=0.4, alpha=0.6)
        ax.spines[["top", "right"]].set_visible(False)
    if by is not None:
        fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


# --- what is drawn ---------------------------------------------------------------------------


def _rows(
    sweep: Sweep,
    metric: str,
    seat: int | None,
    group: str | None,
    fixed: Mapping[str, Any] | None,
) -> pd.DataFrame:
    frame = sweep.frame
    rows = frame[frame["name"] == metric]
    if rows.empty:
        raise BadInput(f"metric {metric!r}: this sweep has {', '.join(sweep.names())}")
    if seat is None and rows["seat"].notna().all():
        raise BadInput(f"metric {metric!r} has a value a seat: give seat=0, …")
    rows = rows[rows["seat"].isna() if seat is None else rows["seat"] == seat]
    rows = rows[rows["group"].isna() if group is None else rows["group"] == group]
    for key, value in (fixed or {}).items():
        if key not in sweep.keys:
            raise BadInput(f"fixed {key!r}: the keys are {', '.join(sweep.keys)}")
        rows = rows[rows[key] == value]
    if rows.empty:
        raise BadInput(f"no cell has {metric}, seat {seat}, group {group}, {dict(fixed or {})}")
    return rows


def axes_of(
    keys: Sequence[str], first: str | None, second: str | None, *, need: int
) -> tuple[str, str | None]:
    """Return the two keys to draw over; the last ones where none are named.

    Raises
    ------
    BadInput
        If there is no such key, or there are not `need` of them.
    """
    for key in (first, second):
        if key is not None and key not in keys:
            raise BadInput(f"key {key!r}: the keys are {', '.join(keys)}")
    if first is not None and first == second:
        raise BadInput(f"key {first!r}: a picture over two keys needs two different ones")
    free = [key for key in reversed(keys) if key not in (first, second)]
    first = first or (free.pop(0) if free else None)
    second = second or (free.pop(0) if free else None)
    if first is None or (need == 2 and second is None):
        raise BadInput(f"a picture over {need} keys needs as many; this sweep has {len(keys)}")
    return first, second


def panel_keys(cells: Sequence[Mapping[Any, Any]], drawn: Sequence[str | None]) -> list[str]:
    """Return the keys that a picture has panels for: those that vary and are not drawn over.

    Raises
    ------
    BadInput
        If they have more combinations than anybody reads panels.
    """
    others = [key for key in dict.fromkeys(key for cell in cells for key in cell)
              if key not in drawn and len({str(cell.get(key)) for cell in cells}) > 1]  # fmt: skip
    count = len({tuple(str(cell.get(key)) for key in others) for cell in cells})
    if count > PANELS:
        raise BadInput(
            f"a picture of {count} panels, one for each combination of {', '.join(others)}:"
            f" {PANELS} are the most; draw over other keys, or give these fewer values"
        )
    return others


def _panels(
    sweep: Sweep, rows: pd.DataFrame, drawn: Sequence[str]
) -> list[tuple[str, pd.DataFrame]]:
    """Return a title and rows for each combination of the keys that are not drawn."""
    others = panel_keys(rows[list(sweep.keys)].to_dict(orient="records"), drawn)
    found = []
    for values in itertools.product(*(_order(rows, key) for key in others)):
        part = rows
        for key, value in zip(others, values, strict=True):
            part = part[part[key] == value]
        if len(part):
            words = zip(others, values, strict=True)
            found.append((", ".join(f"{key} = {_word(value)}" for key, value in words), part))
    return found


def _order(rows: pd.DataFrame, key: str) -> list[Any]:
    """Return the values of a key in the order of the grid."""
    return list(dict.fromkeys(rows[key].tolist()))


def _figure(
    count: int, width: float, height: float, *, share: bool = False
) -> tuple[Figure, list[Any]]:
    from matplotlib.figure import Figure

    columns = min(count, max(1, int(11 / width)), math.ceil(math.sqrt(count)) + 1)
    down = math.ceil(count / columns)
    fig = Figure(figsize=(width * columns + 0.9, height * down + 0.5), layout="constrained")
    grid = fig.subplots(down, columns, squeeze=False, sharey=share)
    axes = list(grid.ravel())
    for ax in axes[count:]:
        ax.remove()
    return fig, axes[:count]


def _set_title(fig: Figure, sweep: Sweep) -> None:
    """Say above the panels what was played, in as many lines as the picture is wide for."""
    width = max(24, int(fig.get_figwidth() * LETTERS_PER_INCH))
    lines = [*textwrap.wrap(sweep.title(), width), *textwrap.wrap(sweep.rules_text(), width)]
    fig.set_figheight(fig.get_figheight() + len(lines) * 1.3 * TITLE_SIZE / 72)
    fig.suptitle("\n".join(lines), fontsize=TITLE_SIZE)


def _is_rate(sweep: Sweep, metric: str) -> bool:
    figures = (figure for cell in sweep.cells for figure in cell.run.figures)
    return any(f.metric.name == metric and f.metric.kind == "rate" for f in figures)


def _in_per_cent(axis: Any) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, place: f"{100 * value:.4g} %"))


def _write_values(ax: Any, values: Any, low: float, high: float, *, rate: bool) -> None:
    """Write each value into its field, so that no colour has to be read off."""
    middle = (low + high) / 2
    for (row, column), value in _cells(values):
        text = f"{100 * value:.1f} %" if rate else f"{value:.3g}"
        colour = "white" if value < middle else "black"
        ax.text(column, row, text, ha="center", va="center", color=colour, fontsize=7)


def _cells(values: Any) -> list[tuple[tuple[int, int], float]]:
    return [
        ((i, j), float(value))
        for i, row in enumerate(values)
        for j, value in enumerate(row)
        if value == value
    ]


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _label(metric: str, seat: int | None, group: str | None) -> str:
    where = [f"seat {seat}"] if seat is not None else []
    where += [group] if group is not None else []
    return metric + (f" ({', '.join(where)})" if where else "")
