"""King George III: options, policies' constants and public faces."""

from __future__ import annotations

from simlib.games.king_george.faces import fitting
from simlib.games.king_george.rules import PRESETS, KingGeorgeRules

__all__ = ["PRESETS", "KingGeorgeRules", "fitting"]
