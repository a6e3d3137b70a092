"""Report pages: one self-contained HTML page a game, an index, CSV, PNG and Markdown."""

from __future__ import annotations

from reports.pages import build_reports

__all__ = ["build_reports"]
