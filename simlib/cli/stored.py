"""``simlib resume, extend, runs, check, rerun``: runs on disk."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say
from simlib.setup import count_argument

__all__ = ["register"]

RunDir = Annotated[str, typer.Argument(metavar="DIR", help="folder of a stored run, or address")]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="execute the source of a user's policy that the manifest holds; read it first",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="one JSON object")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("resume", help="Play what a stored run lacks: unplayed, damaged, missing.")(_resume)
    app.command("extend", help="Play on with a stored run to more games.")(_extend)
    app.command("runs", help="List the runs in a folder and below it.")(_runs)
    app.command("check", help="Check a stored run: checksums, schema, rows played again.")(_check)
    app.command("rerun", help="Play the run of a manifest again; are the rows equal?")(_rerun)


def _resume(
    path: RunDir, threads: o.Threads = None, trust: Trust = False, as_json: Json = False
) -> None:
    from simlib.progress import line
    from simlib.store import resume

    run = resume(
        path,
        trust=trust,
        threads=o.whole(threads, "--threads"),
        progress=None if as_json else line(),
    )
    _show(run, as_json)


def _extend(
    path: RunDir,
    games: Annotated[str, typer.Option(metavar="N", help="games in all")],
    threads: o.Threads = None,
    trust: Trust = False,
    as_json: Json = False,
) -> None:
    from simlib.progress import line
    from simlib.store import extend

    run = extend(
        path,
        count_argument(o.whole(games, "--games"), "--games"),
        trust=trust,
        threads=o.whole(threads, "--threads"),
        progress=None if as_json else line(),
    )
    _show(run, as_json)


def _show(run: object, as_json: bool) -> None:
    from simlib.cli.run import show
    from simlib.run import Run

    assert isinstance(run, Run)
    if as_json:
        say(json.dumps(run.as_dict(), allow_nan=False))
    else:
        show(run)


def _runs(
    path: Annotated[str, typer.Argument(metavar="DIR", help="folder to look in")] = ".",
    as_json: Json = False,
) -> None:
    from simlib.store import runs

    listed = runs(path)
    if as_json:
        say(json.dumps({"runs": listed}))
        return
    for run in listed:
        if "problem" in run:
            say(f"{run['path']}: {run['state']}: {run['problem']}")
            continue
        name = f"{run['game']} {run['variety']}" if run["variety"] else run["game"]
        policies = run["policies"]
        who = policies[0] if len(set(policies)) == 1 else ",".join(policies)
        say(
            f"{run['path']}: {run['state']}: {name}, {run['players']} players, {who}, unit"
            f" {run['unit']}, seed {run['seed']}, {run['games']:,} of {run['games_asked']:,}"
            f" games, {run['bytes']:,} bytes ({run['keep']})"
        )
    if not listed:
        print(f"simlib: there is no run in {path}", file=sys.stderr)


def _check(
    path: RunDir,
    sample: Annotated[str, typer.Option(metavar="N", help="games that are played again")] = "1000",
    threads: o.Threads = None,
    trust: Trust = False,
    as_json: Json = False,
) -> int:
    from simlib.store import check

    found = check(
        path,
        sample=count_argument(o.whole(sample, "--sample"), "--sample", least=0),
        trust=trust,
        threads=o.whole(threads, "--threads"),
    )
    if as_json:
        report = {
            "path": str(found.path),
            "ok": found.ok,
            "games": found.games,
            "parts": found.parts,
            "bytes": found.bytes,
            "played": found.played,
            "problems": list(found.problems),
            "notes": list(found.notes),
        }
        say(json.dumps(report))
    else:
        say("\n".join(found.lines()))
    return 0 if found.ok else 1


def _rerun(
    manifest: Annotated[
        str, typer.Argument(metavar="MANIFEST", help="manifest.json, or the folder of one")
    ],
    threads: o.Threads = None,
    trust: Trust = False,
) -> int:
    from simlib.progress import line
    from simlib.store import policy_sources, rerun

    if not trust:
        for name, source in policy_sources(manifest).items():
            print(f"policy {name!r} would be executed:\n{source}", file=sys.stderr)
    found = rerun(manifest, trust=trust, threads=o.whole(threads, "--threads"), progress=line())
    say(found.text())
    return 0 if found.equal else 1
