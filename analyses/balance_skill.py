"""Skill and luck by play: the ladder of policies, and the crossed design behind the components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyses.balance import luck_and_skill, skill_step
from analyses.tables import estimates
from simlib.engine import Player
from simlib.errors import BadInput
from simlib.policy import Policy
from simlib.rotation import rotations
from simlib.setup import Setup
from simlib.stats import Components, Estimate
from simlib.tournament_play import Lineup, Plan, Worker
from simlib.values import KernelRows, Meter

__all__ = ["COMPONENTS", "Luck", "components", "ladder", "population"]

#: Deals in a chunk.
CHUNK = 1024
#: What a variance component is, for people.
COMPONENTS = {
    "seat": "seat: what a seat is worth",
    "policy": "skill: what a policy is worth",
    "seat_policy": "policies that suit a seat",
    "deal": "deals that are worth more to all",
    "hand": "luck of the hand (deal × seat)",
    "deal_policy": "deals that suit a policy",
    "deal_seat_policy": "hands that suit a policy",
    "play": "chance in play",
}


def ladder(
    setup: Setup, policies: Sequence[Policy], *, deals: int, floor: str = "random"
) -> pd.DataFrame:
    """Let every policy climb: against `floor`, then against the next below.

    Parameters
    ----------
    setup : Setup
        The table.
    policies : sequence of Policy
        Those that climb, `floor` among them.
    deals : int
        Deals of each rung.
    floor : str
        Policy at the foot.

    Returns
    -------
    DataFrame
        One row a rung: ``policy other against`` ("random" or "next"), ``estimate se low high
        half_width n``; policies from the foot up, ordered by their difference to `floor`.
    """
    deals = _whole_cycles(setup, deals)
    specs = {policy.spec: policy for policy in policies}
    if floor not in specs:
        raise BadInput(f"ladder: {floor!r} is not among {', '.join(specs)}")
    others = [policy for policy in policies if policy.spec != floor]
    first = _rungs(setup, [(policy, specs[floor]) for policy in others], deals)
    order = sorted(others, key=lambda p: first[p.spec, floor].estimate or 0.0)
    chain = [(above, below) for below, above in zip([specs[floor], *order], order, strict=False)]
    again = _rungs(setup, [pair for pair in chain if pair[1].spec != floor], deals)
    rows, found = [], []
    for above, below in chain:
        rows.append({"policy": above.spec, "other": floor, "against": floor})
        found.append(first[above.spec, floor])
        pair = (above.spec, below.spec)
        rows.append({"policy": above.spec, "other": below.spec, "against": "next"})
        found.append(again.get(pair, first[above.spec, floor]))
    return estimates(pd.DataFrame(rows, columns=["policy", "other", "against"]), found)


def _whole_cycles(setup: Setup, deals: int) -> int:
    """Round up to whole cycles where contracts are played in turn (K-7)."""
    cycle = Meter(setup).cycle
    return -(-deals // cycle) * cycle


def _rungs(
    setup: Setup, pairs: Sequence[tuple[Policy, Policy]], deals: int
) -> dict[tuple[str, str], Estimate]:
    """Play one policy at every seat in turn, the other at all the others."""
    found = {}
    for one, other in pairs:
        seats = [0] + [1] * (setup.players - 1)
        lineup = Lineup(tuple(seats), tuple(rotations(seats)))
        plan = Plan.of(setup, [one, other], [lineup], "win_share", deals)
        n = total = squares = 0
        worker = Worker(replace(plan, block=1))
        for first in range(0, deals, CHUNK):
            gaps = worker.work(first, min(CHUNK, deals - first)).gaps["win_share"][:, 0]
            n += len(gaps)
            total += int(gaps.sum())
            squares += int((gaps * gaps).sum())
        # a gap is (n - 1) times the one's share less the sum of the others'
        unit = plan.scales()["win_share"] * (setup.players - 1) * setup.players
        found[one.spec, other.spec] = skill_step(n, total, squares, unit=unit)
    return found


@dataclass(frozen=True)
class Luck:
    """Variance components of a population of policies at one table.

    Attributes
    ----------
    policies : tuple of str
        The population, one a seat in the first rotation.
    metric : str
        The score that varies.
    deals, replicates : int
    found : Components
    """

    policies: tuple[str, ...]
    metric: str
    deals: int
    replicates: int
    found: Components

    def frame(self) -> pd.DataFrame:
        """Return ``component says share estimate se low high half_width n``."""
        shares = self.found.shares()
        names = [*COMPONENTS, "total"]
        keys = pd.DataFrame(
            {
                "component": names,
                "says": [COMPONENTS.get(name, "variance of a player's result") for name in names],
                "share": [shares.get(name, 1.0) for name in names],
            }
        )
        return estimates(keys, [getattr(self.found, name) for name in names])


def population(policies: Sequence[Policy], seats: int) -> list[Policy]:
    """Choose as many policies as seats, evenly from the foot to the top of a ladder.

    Parameters
    ----------
    policies : sequence of Policy
        From the weakest to the strongest.
    seats : int
    """
    if len(policies) >= seats > 1:
        last = len(policies) - 1
        return [policies[round(i * last / (seats - 1))] for i in range(seats)]
    return [policies[i % len(policies)] for i in range(seats)]


def components(
    setup: Setup,
    policies: Sequence[Policy],
    *,
    deals: int,
    replicates: int = 2,
    metric: str = "win_share",
) -> Luck:
    """Play the crossed design deal × rotation × replicate and split the variance of the result.

    Parameters
    ----------
    setup : Setup
        The table; `policies` sit at it, one a seat, and are rotated.
    deals : int
        At least 2.
    replicates : int
        How often each deal is played with other luck in play (``play_seed``), at least 2.
    metric : str
        A metric with a value a seat that counts in every game.
    """
    if len(policies) != setup.players:
        raise BadInput(f"components: {len(policies)} policies for {setup.players} seats")
    deals = _whole_cycles(setup, deals)
    same = len({policy.spec for policy in policies}) == 1
    plan = [tuple(range(setup.players))] if same else rotations(list(range(setup.players)))
    scores = np.zeros((deals, len(plan), setup.players, replicates))
    for turn, seats in enumerate(plan):
        for again in range(replicates):
            table = replace(
                setup.with_policies([policies[i] for i in seats]),
                play_seed=_play_seed(setup, again),
            )
            scores[:, turn, :, again] = _scores(table, metric, deals)
    arrangement = [[0] * setup.players] if same else plan
    return Luck(
        tuple(policy.spec for policy in policies),
        metric,
        deals,
        replicates,
        luck_and_skill(scores, arrangement),
    )


def _play_seed(setup: Setup, again: int) -> int:
    """Return a seed of its own for each replicate; the first plays as the run does."""
    return setup.play_seed if again == 0 else (setup.play_seed + 0x51ED_2701 * again) % 2**64


def _scores(setup: Setup, metric: str, deals: int) -> NDArray[np.float64]:
    meter = Meter(setup)
    measures: list[Any] = meter.measures([metric])
    found = np.zeros((deals, setup.players))
    player = Player(setup)
    for first in range(0, deals, CHUNK):
        for batch in player.play(first, min(CHUNK, deals - first)):
            rows = KernelRows(batch)
            place = slice(batch.first, batch.first + len(batch.games))
            for seat, measure in enumerate(measures):
                found[place, seat] = meter.values(measure, rows).x / meter.scale(measure)
    return found
