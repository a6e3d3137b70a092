"""From a manifest back to what can be played, or only read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simlib import games
from simlib.errors import BadInput
from simlib.manifest import Manifest, PolicyNote, differences, head
from simlib.policy import Policy
from simlib.rng import STREAM_VERSION
from simlib.setup import Policies, Setup, prepare
from simlib.sources import revive

__all__ = ["foreign", "setup_to_play", "setup_to_read"]


def foreign(manifest: Manifest) -> dict[str, str]:
    """Return the policies that are not part of simlib: their names and source texts."""
    return {note.spec: note.source for note in manifest.policies if not note.builtin}


def setup_to_read(manifest: Manifest, where: str) -> Setup:
    """Return the setup of a run whose rows and figures are to be read.

    Raises
    ------
    BadInput
        If this version does not know the game or an option.
    """
    known = games.get(manifest.game).policies
    policies = []
    for note in manifest.policies:
        found = known.get(note.name) if note.builtin else None
        policies.append(_with_params(found, note) if found else _only_named(note, manifest.game))
    return _setup(manifest, policies, where)


def setup_to_play(
    manifest: Manifest, where: str, *, policies: Policies | None = None, trust: bool = False
) -> Setup:
    """Return the setup of a run that is to be played.

    Parameters
    ----------
    manifest : Manifest
    where : str
        What it is called in errors.
    policies : optional
        The run's own, as in :func:`simlib.simulate`; None takes them from the manifest.
    trust : bool
        Execute the source text of policies that are not part of simlib.

    Raises
    ------
    BadInput
        If a policy is not known, is another one, or would have to be trusted.
    """
    if manifest.stream_version != STREAM_VERSION:
        raise BadInput(
            f"{where}: its streams are of version {manifest.stream_version}; this simlib has"
            f" {STREAM_VERSION}"
        )
    if policies is not None:
        setup = _setup(manifest, policies, where)
        differ = differences(manifest, head(setup))
        if differ:
            raise BadInput(f"{where}: {differ[0]}")
        return setup
    known = games.get(manifest.game).policies
    found = []
    revived: dict[str, Policy] = {}
    for note in manifest.policies:
        if note.builtin:
            if note.name not in known:
                raise BadInput(
                    f"{where}: policy {note.name!r}: {manifest.game} has {', '.join(known)}"
                )
            found.append(_with_params(known[note.name], note))
            continue
        if note.source not in revived:
            revived[note.source] = _trusted(note, manifest.game, where, trust)
        found.append(_with_params(revived[note.source], note))
    return _setup(manifest, found, where)


def _with_params(policy: Policy, note: PolicyNote) -> Policy:
    return policy.with_params(note.params) if note.params else policy


def _trusted(note: PolicyNote, game: str, where: str, trust: bool) -> Policy:
    if not trust:
        raise BadInput(
            f"{where}: policy {note.spec!r} is not part of simlib, and its source text would be"
            " executed: read it in the manifest, then give --trust"
        )
    if note.missing:
        raise BadInput(
            f"{where}: policy {note.spec!r}: its source text lacks {', '.join(note.missing)};"
            " give the policy itself"
        )
    return revive(
        note.source,
        game=game,
        function=note.function,
        name=note.name,
        says=note.says,
        params=note.params,
        uses_chance=note.uses_chance,
        allocates=note.allocates,
        origin=_base(note),
    )


def _base(note: PolicyNote) -> str:
    """Return the part of a policy's text before its parameters."""
    return note.spec.partition("(")[0] if note.params else note.spec


def _only_named(note: PolicyNote, game: str) -> Policy:
    """Return a policy that has a name but cannot play."""

    def cannot_play(view: Any, rng: Any) -> int:
        raise BadInput(f"policy {note.spec!r}: only its name is known here")

    return Policy(
        name=note.name,
        game=game,
        function=cannot_play,
        says=note.says,
        uses_chance=note.uses_chance,
        params=note.params,
        origin=_base(note),
    )


def _setup(manifest: Manifest, policies: Policies | Sequence[Policy], where: str) -> Setup:
    try:
        setup = prepare(
            manifest.game,
            variety=manifest.variety,
            players=manifest.players,
            unit=manifest.unit,
            rules=_changed(manifest),
            policies=policies,
            seed=manifest.seed,
            play_seed=manifest.play_seed,
        )
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    if setup.table.rules.model_dump(mode="json") != manifest.rules:
        raise BadInput(f"{where}: its options are not those of this version of simlib")
    return setup


def _changed(manifest: Manifest) -> dict[str, Any]:
    """Return the options that are not at their defaults: they are all that has to be read."""
    model = games.get(manifest.game).rules_model(manifest.variety)
    return {
        name: value
        for name, value in manifest.rules.items()
        if name not in model.model_fields or value != model.model_fields[name].default
    }
