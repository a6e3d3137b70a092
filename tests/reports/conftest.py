"""What several tests of the report pages share."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports import build_reports


@pytest.fixture(scope="session")
def real_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the real pages of all games, from few games."""
    folder = tmp_path_factory.mktemp("real")
    build_reports(["all"], games=300, out=folder)
    return folder
