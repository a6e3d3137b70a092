"""Rows of a kernel as pandas frames: categories, small integers, one column a seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from simlib.games.columns import Column
from simlib.games.spec import Table
from simlib.setup import Setup

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "as_html",
    "cached_frame",
    "copied",
    "deals_frame",
    "frame_columns",
    "games_frame",
    "shown",
]

T = TypeVar("T")


class cached_frame:  # noqa: N801 - used like functools.cached_property
    """A frame that a result makes once and hands out as a copy.

    Somebody who adds a column, or rounds one, to print it must not change the result that he
    got it from. pandas copies the data only once one of both is written to.

    Parameters
    ----------
    make : callable, optional
        Makes it from the object, when it is asked for; else the object is given it.
    """

    def __init__(self, make: Callable[[Any], pd.DataFrame] | None = None) -> None:
        self._make = make
        self.__doc__ = make.__doc__ if make is not None else None

    def __set_name__(self, kind: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, kind: Any = None) -> pd.DataFrame:
        if owner is None:
            return self  # type: ignore[return-value]
        held = owner.__dict__
        if self._make is not None and self._name not in held:
            held[self._name] = self._make(owner)
        frame: pd.DataFrame = held[self._name]
        return frame.copy(deep=False)

    def __set__(self, owner: Any, value: pd.DataFrame) -> None:
        if self._make is not None:
            raise AttributeError(f"{self._name} cannot be set")
        owner.__dict__[self._name] = value


def as_html(frame: pd.DataFrame, digits: int, *, index: bool = False) -> str:
    """Return a frame as a table for Jupyter; what is not known stays empty."""
    found = frame.copy(deep=False)
    for name in found.columns[found.isna().any() & (found.dtypes != "float64")]:
        found[name] = found[name].astype(object).where(found[name].notna(), "")
    return found.to_html(index=index, float_format=lambda v: f"{v:.{digits}g}", na_rep="")


def copied(*names: str) -> Callable[[type[T]], type[T]]:
    """Let a dataclass give copies of the frames that it is given under these names."""

    def wrap(kind: type[T]) -> type[T]:
        for name in names:
            field = cached_frame()
            field.__set_name__(kind, name)
            setattr(kind, name, field)
        return kind

    return wrap


KEYS = (
    Column("seed", "u8", "seed of the run (C-4)"),
    Column("index", "i8", "index of the game (C-4)"),
)


def games_frame(setup: Setup, first: int, games: np.ndarray, deals: np.ndarray) -> pd.DataFrame:
    """Return the table of games (C-8): one row a game.

    Parameters
    ----------
    setup : Setup
    first : int
        Index of the first game; the rows are consecutive games.
    games, deals : arrays of the game's dtypes
        `deals` is used where a game's row includes its deal's columns.
    """
    data = _keys(setup, np.arange(first, first + len(games), dtype=np.int64))
    for column, rows in sources(setup.game.game_columns, setup, games, deals):
        data.update(_column(rows, column, setup.table))
    return _frame(data)


def deals_frame(setup: Setup, deals: np.ndarray) -> pd.DataFrame:
    """Return the table of deals (C-8): one row a deal, playoffs and matches included."""
    data = _keys(setup, deals["index"].astype(np.int64))
    for column in setup.game.deal_columns:
        if column.name != "index":
            data.update(_column(deals, column, setup.table))
    return _frame(data)


def frame_columns(setup: Setup, table: str) -> list[Column]:
    """Return the columns of a frame, keys first, per-seat columns once.

    Parameters
    ----------
    setup : Setup
    table : {"games", "deals"}
    """
    game = setup.game
    if table == "deals":
        return [*KEYS, *(c for c in game.deal_columns if c.name != "index")]
    return [*KEYS, *(c for c, _ in sources(game.game_columns, setup, None, None))]


def sources(
    columns: Sequence[Column], setup: Setup, games: Any, deals: Any
) -> Iterable[tuple[Column, Any]]:
    """Pair the columns of the table of games with the rows they stand in."""
    merged = setup.game.merges_deals and setup.table.unit == "deal"
    if merged:
        of_deal = [c for c in setup.game.deal_columns if c.name != "index"]
        yield from ((c, deals) for c in of_deal)
        names = {c.name for c in of_deal}
        only_deal = {"win_share", "censored"}
        yield from ((c, games) for c in columns if c.name in only_deal - names)
    else:
        yield from ((c, games) for c in columns)


def _keys(setup: Setup, index: np.ndarray) -> dict[str, Any]:
    return {"seed": np.full(len(index), setup.seed, np.uint64), "index": index}


def _column(rows: np.ndarray, column: Column, table: Table) -> dict[str, Any]:
    values = rows[column.name]
    if column.seats:
        return {
            f"{column.name}_{seat}": shown(values[:, seat], column) for seat in range(table.players)
        }
    return {column.name: shown(values, column)}


def shown(values: np.ndarray, column: Column) -> Any:
    """Return the kernel's values of a column as a frame shows them."""
    if column.labels:
        import pandas as pd

        codes = np.ascontiguousarray(values)
        return pd.Categorical.from_codes(codes, categories=pd.Index(list(column.labels)))
    if column.scale != 1:
        return values / float(column.scale)
    return np.ascontiguousarray(values)


def _frame(data: dict[str, Any]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(data, copy=False)
