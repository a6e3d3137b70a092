"""TOML files that people write: rules, deals of their own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from simlib.errors import BadInput

__all__ = ["read_toml"]


def read_toml(path: Path, where: str) -> dict[str, Any]:
    """Read a TOML file; `where` is what the errors call it.

    Raises
    ------
    BadInput
        If it cannot be read, or is no TOML.
    """
    try:
        text = path.read_text("utf-8-sig")  # some editors begin a file with a mark of the encoding
        return tomllib.loads(text)
    except OSError as error:
        raise BadInput(f"{where}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{where}: no TOML: it is not UTF-8") from None
    except RecursionError:
        raise BadInput(f"{where}: no TOML: nested too deep") from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise BadInput(f"{where}: no TOML: {error}") from None
