"""A headless browser spoken to through its DevTools pipe: standard library only.

``CHROME_BIN`` names the browser; else the first of some usual names on the path is taken.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


def find() -> str | None:
    """Return the path of a browser, or None."""
    named = os.environ.get("CHROME_BIN")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """One page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, params, self._session)

    def look(self, width: int, *, dark: bool = False, media: str = "") -> None:
        """Set width of the window, colour scheme and medium."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def open(self, path: Path) -> list[dict[str, Any]]:
        """Open a file and return what the browser reported while it was loaded."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self._browser.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        self._browser.wait("Page.loadEventFired", self._session)
        # two frames, so that what layout reports is there as well
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
        return [e for e in self._browser.events if e.get("sessionId") == self._session]

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Write a screenshot."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self) -> bytes:
        """Return the page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])


class Browser:
    """A running browser."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.events: list[dict[str, Any]] = []
        self._process = process
        self._write, self._read = process.stdin.fileno(), process.stdout.fileno()
        self._rest, self._number = b"", 0

    def call(
        self, method: str, params: dict[str, Any] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return dict(answer["result"])
            self.events.append(answer)

    def wait(self, method: str, session: str) -> None:
        while not any(
            e.get("method") == method and e.get("sessionId") == session for e in self.events
        ):
            self.events.append(self._next())

    def tab(self) -> Tab:
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        attached = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        return Tab(self, attached["sessionId"])

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + 60
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError(f"no answer from the browser (it left: {self._process.poll()})")
            self._rest += part
        first, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(first))


@contextmanager
def start(binary: str) -> Iterator[Browser]:
    """Start a browser with an empty profile and end it afterwards."""
    # the browser wants its pipe at descriptors 3 and 4; it comes as the shell's 0 and 1
    move = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [binary, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-pipe"]
        process = subprocess.Popen(
            ["/bin/sh", "-c", move, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        browser = Browser(process)
        try:
            yield browser
        finally:
            try:
                browser.call("Browser.close")
                process.wait(20)
            except (RuntimeError, OSError, subprocess.TimeoutExpired):
                process.kill()
                process.wait()
            finally:
                for pipe in (process.stdin, process.stdout):
                    if pipe:
                        pipe.close()
