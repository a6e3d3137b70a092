"""A process that stores a run and dies on the way, for the tests that kill it.

``python -m tests.store.child FOLDER [STEP [MOMENT [KEEP [PAUSE]]]]``: it plays the run of
`helpers.asked` into the folder and kills itself (SIGKILL) at its STEP-th act on the disk: before
it, after it, or with half of the bytes written. STEP 0: never. After each chunk it prints the
games done and waits PAUSE seconds. FOLDER may be an address on a shelf (`tests.store.shelf`).
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from simlib.errors import BadInput, RunFailure
from simlib.simulate import simulate
from simlib.store import disk, writer
from tests.store.helpers import BLOCK, asked

ACTS = ("write", "sync", "rename", "sync_folder", "remove")
SHELF_ACTS = ("pipe_file", "rm_file", "_open")
MOMENTS = ("before", "half", "after")


def die() -> None:
    """End this process as a power cut would."""
    os.kill(os.getpid(), signal.SIGKILL)


def arm(step: int, moment: str, home: Any, names: Sequence[str]) -> None:
    """Let the process die at its `step`-th act on the disk."""
    count = 0

    def armed(name: str, act: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            nonlocal count
            count += 1
            if count == step:
                if moment == "half" and name == "write":
                    descriptor, data = arguments
                    os.write(descriptor, data[: len(data) // 2])
                if moment != "after":
                    die()
            result = act(*arguments, **options)
            if count == step:
                die()
            return result

        return run

    for name in names:
        setattr(home, name, armed(name, getattr(home, name)))


def main(
    folder: str,
    step: str = "0",
    moment: str = "before",
    keep: Literal["games", "summary"] = "games",
    pause: str = "0",
) -> None:
    """Play the run."""
    writer.BLOCK = BLOCK
    home: Any = disk
    acts = ACTS
    if "://" in folder:
        from tests.store import shelf

        shelf.register()
        home, acts = shelf.Shelf, SHELF_ACTS
    if int(step):
        arm(int(step), moment, home, acts)

    def show(done: int, total: int, seconds: float, note: str) -> None:
        print(done, flush=True)
        time.sleep(float(pause))

    try:
        simulate(**asked(), out=folder, keep=keep, chunk=100, threads=2, progress=show)
    except (BadInput, RunFailure) as error:
        print(error, file=sys.stderr)
        sys.exit(2 if isinstance(error, BadInput) else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]
