"""Tables for reading: columns named, intervals joined, numbers rounded."""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pandas.api import types

from analyses.results import TableOut

__all__ = ["Head", "Row", "Shown", "csv_link", "csv_text", "show"]

#: A longer table is folded away; of a still longer one the page has the beginning only.
FOLD, MOST = 40, 400
#: Larger CSV texts are not put into the page.
EMBED = 2_000_000

_MINUS, _NONE = "\u2212", "\u2013"
_LABELS = {
    "estimate": "Estimate",
    "half_width": "Half-width",
    "se": "Standard error",
    "n": "n",
    "p": "p",
    "p_value": "p",
    "p_holm": "p (Holm)",
    "df": "Degrees of freedom",
    "z": "z",
    "win_share": "Win share",
}
#: Columns that are never names of rows, though they may hold whole numbers.
_MEASURES = ("estimate", "low", "high", "half_width", "se", "n", "p", "z", "count", "games")


@dataclass(frozen=True)
class Head:
    """One column as shown: what stands above it, whether it holds numbers or names rows."""

    label: str
    unit: str
    number: bool
    key: bool


@dataclass(frozen=True)
class Row:
    """One row as shown; `begins` marks the first of a group."""

    cells: tuple[str, ...]
    begins: bool


@dataclass(frozen=True)
class Shown:
    """A table as shown.

    Attributes
    ----------
    heads, rows
        What stands in it.
    total : int
        Rows of the frame, of which the page may hold only the first.
    folded : bool
        Whether it is folded away until it is asked for.
    gaps : bool
        Whether a value is missing somewhere.
    """

    heads: tuple[Head, ...]
    rows: tuple[Row, ...]
    total: int
    folded: bool
    gaps: bool


def csv_text(table: TableOut) -> str:
    """Return the frame as CSV, unrounded: read again, it gives the same numbers."""
    return table.frame.to_csv(index=False, lineterminator="\n")


def csv_link(text: str) -> str | None:
    """Return CSV as a ``data:`` link, or None where it is too large for a page."""
    raw = text.encode()
    if len(raw) > EMBED:
        return None
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(raw).decode()


def show(table: TableOut, most: int = MOST) -> Shown:
    """Return a table as it is shown: at most `most` of its rows."""
    frame = table.frame.head(most)
    keys = _keys(table.frame)
    columns = [_Column(table, name, name in keys) for name in table.frame.columns]
    shows_interval = any(column.is_interval for column in columns)
    kept = [
        column
        for column in columns
        if not column.is_upper and not (column.name == "se" and shows_interval)
    ]
    cells = [[column.text(row) for column in kept] for row in frame.to_dict("records")]
    firsts = [row[0] for row in cells]
    grouped = len(keys) > 1 and len(set(firsts)) < len(firsts)
    rows = tuple(
        Row(tuple(row), grouped and place > 0 and firsts[place - 1] != row[0])
        for place, row in enumerate(cells)
    )
    return Shown(
        heads=tuple(column.head() for column in kept),
        rows=rows,
        total=len(table.frame),
        folded=len(table.frame) > FOLD,
        gaps=any(cell == _NONE for row in cells for cell in row),
    )


def _keys(frame: pd.DataFrame) -> Sequence[str]:
    """Return the leading columns that say what a row is about."""
    keys: list[str] = []
    for name in frame.columns:
        if name in _MEASURES or types.is_float_dtype(frame[name]):
            break
        keys.append(str(name))
    return keys or [str(frame.columns[0])]


class _Column:
    """How one column is shown."""

    def __init__(self, table: TableOut, name: str, key: bool) -> None:
        frame = table.frame
        self.name, self.key = name, key
        self.base, self.lower, self.upper = _interval(name, list(frame.columns))
        self.is_upper = name == self.upper
        self.is_interval = name == self.lower
        percent = set(table.percent)
        if self.base in percent:
            percent |= {self.lower, self.upper}
        if "estimate" in percent:  # its companions have its unit
            percent |= {"half_width", "se"} & set(frame.columns)
        self.percent = name in percent
        values = frame[name]
        self.number = types.is_numeric_dtype(values) and not types.is_bool_dtype(values)
        self.whole = types.is_integer_dtype(values)
        self.digits = table.digits.get(name, table.digits.get(self.base, -1))
        if self.digits < 0:
            self.digits = _digits(table, name, self.percent)

    def head(self) -> Head:
        if self.is_interval:
            label = "95 % interval"
            if self.base != "estimate":
                label = f"{_label(self.base)}, {label}"
        else:
            label = _label(self.name)
        unit = "%" if self.percent else ""
        if self.percent and self.name in ("half_width", "se"):
            unit = "% points"
        return Head(label, unit, self.number and not self.key, self.key)

    def text(self, row: dict[Any, Any]) -> str:
        value = self._one(row[self.name])
        if self.is_interval and value != _NONE:
            return f"{value} to {self._one(row[self.upper])}"
        return value

    def _one(self, value: Any) -> str:
        if value is None or value is pd.NA or value is pd.NaT or value != value:
            return _NONE
        if isinstance(value, bool):
            return "yes" if value else "no"
        if not self.number:
            return str(value)
        if self.percent:
            value = value * 100
        if math.isinf(value):
            return "∞" if value > 0 else f"{_MINUS}∞"
        if _is_p(self.name) and 0 <= value < 0.0001:
            return "< 0.0001"
        text = f"{value:,.0f}" if self.whole and not self.percent else f"{value:,.{self.digits}f}"
        if text.strip("-0.,") == "":
            text = text.lstrip("-")
        return text.replace("-", _MINUS)


def _interval(name: str, columns: list[str]) -> tuple[str, str, str]:
    """Return (base, lower, upper) of the interval that a column belongs to."""
    for low, high in (("low", "high"), ("lower", "upper")):
        if name in (low, high, "estimate") and {low, high} <= set(columns):
            return "estimate", low, high
        base = name.removesuffix(f"_{low}").removesuffix(f"_{high}")
        if {f"{base}_{low}", f"{base}_{high}"} <= set(columns):
            return base, f"{base}_{low}", f"{base}_{high}"
    return name, "", ""


def _digits(table: TableOut, name: str, percent: bool) -> int:
    """Return as many decimals as the column's precision deserves."""
    if _is_p(name):
        return 4
    values = pd.to_numeric(table.frame[name], errors="coerce").abs()
    values = values[(values > 0) & (values < math.inf)]
    if percent:
        widths = table.frame.get("half_width")
        width = None if widths is None else pd.to_numeric(widths, errors="coerce").min()
        if width is None or not width > 0:
            return 2
        return min(4, max(1, math.ceil(-math.log10(width * 100)) + 1))
    if values.empty:
        return 0
    most = 4 if values.max() >= 0.01 else 8
    return min(most, max(0, 3 - math.floor(math.log10(values.median()))))


def _is_p(name: str) -> bool:
    return name == "p" or name.startswith("p_")


def _label(name: str) -> str:
    if name in _LABELS:
        return _LABELS[name]
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]
