"""Options and fixtures of the whole suite."""

from __future__ import annotations

import signal
from collections.abc import Callable

import hypothesis
import pytest

# No test asserts a time: machines are shared, and the first call compiles.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

# A shell that starts the suite in the background lets it ignore Ctrl-C, and with it every process
# that a test starts. They are to hear it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --slow-share."""
    parser.addoption(
        "--slow-share",
        type=float,
        default=0.02,
        help="share of the full size at which tests marked slow are played (make verify: 1)",
    )
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden transcripts again"
    )


@pytest.fixture
def scaled(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """Return a function: full size of a slow test -> the size to play now."""
    share = float(request.config.getoption("--slow-share"))
    return lambda full: max(1, round(full * share))
