"""The options of a game as a typed, validated, frozen model (C-12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from simlib.errors import BadInput

__all__ = ["First", "Rules", "option", "resolve"]

First = Literal["zero", "rotate"]


def option(default: Any, clause: str, says: str, **limits: Any) -> Any:
    """Declare one option: its default, its clause id, what it does, its limits."""
    return Field(default, description=says, json_schema_extra={"clause": clause}, **limits)


class Rules(BaseModel):
    """The options of one game and variety; every game derives its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False)

    #: Name of the game, for errors.
    game: ClassVar[str] = ""

    @classmethod
    def clause(cls, name: str) -> str:
        """Return the clause id of an option."""
        extra = cls.model_fields[name].json_schema_extra
        return str(extra["clause"]) if isinstance(extra, dict) else ""

    @classmethod
    def valid(cls, name: str) -> str:
        """Say in words which values an option takes."""
        return _words(cls.model_fields[name])

    @classmethod
    def describe(cls) -> list[dict[str, Any]]:
        """List every option with default, clause, valid values and meaning."""
        return [
            {
                "name": name,
                "default": info.default,
                "clause": cls.clause(name),
                "valid": cls.valid(name),
                "says": info.description or "",
            }
            for name, info in cls.model_fields.items()
        ]

    def changed(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        return {
            name: value
            for name, value in self.model_dump(mode="json").items()
            if value != type(self).model_fields[name].default
        }


def _words(info: FieldInfo) -> str:
    kinds = get_args(info.annotation) if _is_union(info.annotation) else (info.annotation,)
    words = []
    for kind in kinds:
        if kind is bool:
            words.append("true, false")
        elif kind is int:
            low = next((m.ge for m in info.metadata if hasattr(m, "ge")), None)
            high = next((m.le for m in info.metadata if hasattr(m, "le")), None)
            words.append(_range(low, high))
        elif get_origin(kind) is Literal:
            words.append(", ".join(str(value) for value in get_args(kind)))
        elif kind is type(None):
            words.append("null")
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            words.append("a table")
        else:
            words.append("a list of names")
    return " or ".join(words)


def _is_union(annotation: Any) -> bool:
    return type(None) in get_args(annotation)


def _range(low: object, high: object) -> str:
    if low is None and high is None:
        return "a whole number"
    if high is None:
        return f"a whole number from {low}"
    if low is None:
        return f"a whole number up to {high}"
    return f"a whole number from {low} to {high}"


def resolve(
    model: type[Rules],
    presets: Mapping[str, Mapping[str, Any]],
    *,
    preset: str | None = None,
    rules: Mapping[str, Any] | None = None,
    over: Mapping[str, Any] | None = None,
) -> Rules:
    """Put the options together: `over` before `rules` before the preset (C-12).

    Parameters
    ----------
    model : type of Rules
        The game's options.
    presets : mapping
        Name of a preset to the options it changes.
    preset : str, optional
        Which preset to start from.
    rules, over : mapping, optional
        Option values; texts such as ``"true"`` or ``"a,b"`` are read as the option's type.

    Raises
    ------
    BadInput
        If a name or a value is not valid; the message cites the clause.
    """
    values: dict[str, Any] = {}
    if preset is not None:
        if not isinstance(preset, str) or preset not in presets:
            raise BadInput(
                f"preset {preset!r}: {model.game} has the presets {', '.join(presets)} (C-12)"
            )
        values.update(presets[preset])
    for given in (rules, over):
        if given is None:
            continue
        if not isinstance(given, Mapping):
            raise BadInput(f"rules {given!r}: give a mapping of option names to values (C-12)")
        values.update(given)
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name not in model.model_fields:
            raise BadInput(
                f"option {name!r}: {model.game} has the options {', '.join(model.model_fields)}"
                " (C-12)"
            )
        if isinstance(value, str) and not value.strip():
            raise BadInput(
                f"option {name}={value!r}: valid: {model.valid(name)} ({model.clause(name)})"
            )
        read[name] = _read(model, name, value)
    try:
        return model.model_validate(read)
    except ValidationError as error:
        raise BadInput(_explain(model, error, values)) from None


def _read(model: type[Rules], name: str, value: Any) -> Any:
    """Read a text as the type that the option wants; leave other values alone."""
    kinds = get_args(model.model_fields[name].annotation) or (model.model_fields[name].annotation,)
    wanted = model.model_fields[name].annotation
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        text = value.strip()
        if type(None) in kinds and text.lower() in ("null", "none") and name != "trump_in":
            return None
        if bool in (wanted, *kinds):
            return {"true": True, "false": False}.get(text.lower(), value)
        if int in (wanted, *kinds):
            try:
                return int(text)
            except ValueError:
                return value
        if any(get_origin(kind) in (list, tuple) for kind in (wanted, *kinds)):
            return [part.strip() for part in text.strip("[]").split(",") if part.strip()]
        return text
    if int in (wanted, *kinds) and bool not in (wanted, *kinds) and isinstance(value, bool):
        return "a truth value"  # pydantic would read True as 1
    if bool in (wanted, *kinds) and not isinstance(value, bool):
        return "not a truth value"
    return value


def _explain(model: type[Rules], error: ValidationError, given: Mapping[str, Any]) -> str:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    if name in model.model_fields:
        shown = given.get(name, first.get("input"))
        detail = (
            f" ({str(first['msg']).removeprefix('Value error, ')})"
            if (first["type"] == "value_error")
            else ""
        )
        return f"option {name}={shown!r}: valid: {model.valid(name)}{detail} ({model.clause(name)})"
    return str(first["msg"]).removeprefix("Value error, ")
