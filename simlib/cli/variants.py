"""The base of commands that vary things: the ordinary options, gathered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from simlib.cli import options as o
from simlib.variants import Base

__all__ = ["base_from"]


def base_from(
    game: str,
    *,
    variety: str | None,
    unit: str | None,
    players: str | None,
    seed: str,
    play_seed: str | None,
    policies: str,
    rule: Sequence[str] | None,
    rules: Path | None,
    preset: str | None,
) -> Base:
    """Put the ordinary options of a command together (C-12)."""
    return Base.of(
        game,
        variety=variety,
        unit=unit,
        players=o.whole(players, "--players"),
        rules=o.read_rules(rules),
        over=o.pairs(rule, "--rule"),
        preset=preset,
        policies=policies,
        seed=o.whole(seed, "--seed") or 0,
        play_seed=o.whole(play_seed, "--play-seed"),
    )
