"""Writes a run to its folder while it is played: a part a block, in the background.

At any moment the folder holds whole parts that are entered in the journal, and perhaps files
that are not: those do not count. Killed at any moment, a run goes on from its parts.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from simlib.errors import RunFailure
from simlib.manifest import Manifest, Part, now, sealed, sums_note
from simlib.setup import Setup
from simlib.store import disk, journal
from simlib.store.block import Block, Files, Rows, total
from simlib.store.place import Held, Place
from simlib.sums import Folder, Sums

if TYPE_CHECKING:
    from simlib.run import Run

__all__ = ["BLOCK", "Writer"]

#: Games in a block, unless a folder says otherwise.
BLOCK = 1 << 20
#: A block that takes longer than this is written as far as it has come.
CHECKPOINT_S = 60.0
#: Chunks that may wait for the disk, so that memory does not grow.
WAITING = 4


class Writer:
    """Takes the chunks of a run and keeps them; `simlib.store.opening` makes it.

    Parameters
    ----------
    place : Place
    setup : Setup
    lock : Held
        Held until the writer is done.
    manifest : Manifest
        As it stands in the folder, or None of it yet: the parts in it are whole.
    games : int
        How many games the run is to have.
    precision : dict
        What it is stopped by; empty if by the number of games alone.
    idle : bool
        Whether all is there already: then nothing is written.
    notes : tuple of str
        What was found damaged or missing, and is played again.

    Attributes
    ----------
    block : int
        Games a part.
    sums : Sums
        Of the parts that are there.
    seconds : float
        Of play that they took.
    reach : int
        The index after the last game that is there.
    """

    def __init__(
        self,
        place: Place,
        setup: Setup,
        lock: Held,
        manifest: Manifest,
        *,
        games: int,
        precision: Mapping[str, float],
        idle: bool = False,
        notes: Iterable[str] = (),
    ) -> None:
        self.place = place
        self.setup = setup
        self.games = games
        self.precision = dict(precision)
        self.notes = tuple(notes)
        self.block = manifest.block or BLOCK
        self.seconds = sum(part.seconds for part in manifest.parts)
        self.reach = max((part.first + part.games for part in manifest.parts), default=0)
        self._manifest = manifest
        self._lock = lock
        self._idle = idle
        self._folder = Folder(setup)
        self._parts = {part.block: part for part in manifest.parts}
        self._covered = {part.block: part.games for part in manifest.parts}
        self.sums = total(place, manifest.parts, self._folder)
        self._queue: queue.Queue[tuple[Rows, float] | None] = queue.Queue(WAITING)
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self._last = time.perf_counter()
        self._before: Any = None
        self._catch_sigterm()

    @classmethod
    def create(
        cls,
        out: str | os.PathLike[str],
        setup: Setup,
        *,
        games: int,
        keep: str,
        precision: Mapping[str, float] | None = None,
        block: int | None = None,
    ) -> Writer:
        """Begin a run in a new or empty folder, or go on with the same run.

        Parameters
        ----------
        out : path or address
        setup : Setup
        games : int
            How many; at most, with `precision`. More than the folder's run has extends it.
        keep : {"games", "summary"}
        precision : mapping, optional
            Half-widths that stop it.
        block : int, optional
            Games a part, of a new run.

        Raises
        ------
        BadInput
            If the folder holds something else, another run, or is being written to.
        RunFailure
            If the disk is full.
        """
        from simlib.store.opening import create

        return create(out, setup, games=games, keep=keep, precision=precision, block=block or BLOCK)

    # --- while it is played ----------------------------------------------------------------

    def missing(self, stop: int) -> list[tuple[int, int]]:
        """Return (first, stop) of the ranges up to game ``stop - 1`` that are to be played."""
        self._last = time.perf_counter()
        found: list[tuple[int, int]] = []
        for number in range(-(-stop // self.block)):
            low = number * self.block + self._covered.get(number, 0)
            high = min((number + 1) * self.block, stop)
            if low < high:
                if found and found[-1][1] == low:
                    found[-1] = (found[-1][0], high)
                else:
                    found.append((low, high))
        return found

    def add(self, chunk: Rows) -> None:
        """Take the next chunk; it lies within one block.

        Raises
        ------
        RunFailure
            If a part could not be written.
        """
        moment = time.perf_counter()
        seconds, self._last = moment - self._last, moment
        number = chunk.first // self.block
        self._covered[number] = chunk.first + chunk.count - number * self.block
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="simlib-store", daemon=True)
            self._thread.start()
        self._put((chunk, seconds))

    def _put(self, item: tuple[Rows, float] | None) -> None:
        while True:
            self._raise_failure()
            try:
                self._queue.put(item, timeout=0.2)
            except queue.Full:
                continue
            return

    def _raise_failure(self) -> None:
        if isinstance(self._failure, OSError):
            raise self.cannot_write(self._failure) from None
        if self._failure is not None:
            raise self._failure

    def cannot_write(self, error: OSError) -> RunFailure:
        """Return the error that says why it could not be written, and what there is."""
        games = sum(part.games for part in self._parts.values())
        kept = f"{games} of {self.games} games are stored"
        return disk.room_failure(self.place, error, kept)

    # --- in the background -----------------------------------------------------------------

    def _work(self) -> None:
        block: Block | None = None
        begun = time.monotonic()
        try:
            while (item := self._queue.get()) is not None:
                chunk, seconds = item
                if block is not None and chunk.first != block.stop:
                    self._store(block)
                    block = None
                if block is None:
                    block = self._open(chunk.first)
                block.add(chunk, seconds)
                late = time.monotonic() - begun > CHECKPOINT_S
                if late or block.games == self.block:
                    self._store(block)
                    block = None
                    begun = time.monotonic()
            if block is not None:
                self._store(block)
        except BaseException as error:
            self._failure = error

    def _open(self, first: int) -> Block:
        number = first // self.block
        block = Block(self.setup, self._folder, number, self.block, self._manifest.keep)
        if first > block.first:
            block.grow(self.place, self._parts[number])
        return block

    def _store(self, block: Block) -> None:
        part, files = block.pack(self._parts.get(block.number))
        self.keep(part, files)

    def part(self, number: int) -> Part | None:
        """Return the part of a block that is there."""
        return self._parts.get(number)

    def enter(self, part: Part, files: Files) -> None:
        """Take a whole part that was played elsewhere, in any order.

        Parameters
        ----------
        files : mapping of str to bytes
            Its files, unless they are in the folder.

        Raises
        ------
        RunFailure
            If it could not be written.
        """
        try:
            self.keep(part, files)
        except OSError as error:
            raise self.cannot_write(error) from None
        self._covered[part.block] = part.games

    def keep(self, part: Part, files: Files) -> None:
        """Write the files of a part, unless they are there, and enter it.

        Raises
        ------
        OSError
            If the disk is full.
        """
        for name, data in files.items():
            self.place.put(name, data)
        journal.enter(self.place, part)
        old = self._parts.get(part.block)
        self._parts[part.block] = part
        for note in old.files.values() if old else ():
            self.place.remove(note.name)

    def tidy(self) -> None:
        """Remove what workers that died have left half written."""
        from simlib.store.opening import tidy

        tidy(self.place, list(self._parts.values()))

    # --- the end ---------------------------------------------------------------------------

    def finish(self, run: Run) -> None:
        """Write what is left, and the manifest of the whole run.

        Raises
        ------
        RunFailure
            If the disk is full; the parts that are there stay valid.
        """
        try:
            self._wait()
            self._raise_failure()
            if not self._idle:
                try:
                    self._complete(run)
                except OSError as error:
                    raise self.cannot_write(error) from None
        finally:
            self._release()
        run.path = self.place.path
        known = self._manifest.precision
        if known is not None:
            run.precision, run.met = dict(known.asked), bool(known.met)

    def _complete(self, run: Run) -> None:
        fields = self._manifest.model_dump(mode="json")
        if run.precision:
            fields["precision"] = {"asked": run.precision, "met": run.met}
        fields["state"] = "complete"
        fields["games"] = run.sums.games
        fields["timings"] |= {"finished": now(), "seconds": run.elapsed}
        parts = [self._parts[number] for number in sorted(self._parts)]
        fields["parts"] = [part.model_dump(mode="json") for part in parts]
        fields["sums"] = sums_note(run.sums, run.figures)
        self._manifest = sealed(fields)
        journal.write(self.place, self._manifest)
        self.place.remove(journal.JOURNAL)

    def abandon(self, sums: Sums | None = None) -> None:
        """Keep what has been played, after an error or Ctrl-C; `sums` is how far it got."""
        try:
            self._wait()
        finally:
            self._release()

    def _wait(self) -> None:
        """Let the background write what it has, and end."""
        if self._thread is None:
            return
        while self._thread.is_alive():
            try:
                self._queue.put(None, timeout=0.2)
                break
            except queue.Full:
                continue
        self._thread.join()
        self._thread = None

    def _release(self) -> None:
        if self._thread is None:
            self._lock.release()
        else:  # a second Ctrl-C: others may write only when the background has ended
            ending = threading.Thread(target=self._release_after, args=(self._thread,), daemon=True)
            ending.start()
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)
            self._before = None

    def _release_after(self, thread: threading.Thread) -> None:
        thread.join()
        self._lock.release()

    def _catch_sigterm(self) -> None:
        """Let SIGTERM end the run as Ctrl-C does, so that the last block is kept too."""
        if threading.current_thread() is not threading.main_thread():
            return
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            self._before = signal.signal(signal.SIGTERM, _terminate)


def _terminate(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
