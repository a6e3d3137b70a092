"""Games of the slow engine of King with hands and decisions laid down, for its tests."""

from __future__ import annotations

from typing import Any

from .king import play
from .king_policies import Ask, play_low
from .king_tables import card, default_rules


def cards(names: str) -> list[int]:
    """Card numbers of texts parted by blanks."""
    return [card(name) for name in names.split()]


def ascending(names: str) -> list[int]:
    """Card numbers of texts parted by blanks, in the order of options."""
    return sorted(cards(names))


def run(variety: str, players: int, index: int = 0, **more: Any) -> dict[str, Any]:
    """A game with the defaults where nothing else is said, all seats `random`."""
    rules = default_rules(variety, players) | more.pop("rules", {})
    more.setdefault("policies", ["random"] * players)
    more.setdefault("seed", 1)
    return play(variety=variety, players=players, rules=rules, index=index, **more)


class Script:
    """Plays by wishes: the first wish among the options, else what `low` does."""

    def __init__(self, *wishes: Any) -> None:
        self.wishes = [card(w) if isinstance(w, str) and len(w) == 2 else w for w in wishes]
        self.seen: list[Ask] = []

    def __call__(self, ask: Ask) -> Any:
        self.seen.append(ask)
        for wish in self.wishes:
            if wish in ask.options:
                return wish
        return play_low(ask)


def run_script(
    variety: str,
    hands: list[str],
    scripts: list[Script],
    *,
    first: int = 0,
    rest: str = "",
    talon: str = "",
    **rules: Any,
) -> dict[str, Any]:
    """Deal 0 with the hands given by seat; `first` comes in through `first=rotate`."""
    players = len(hands)
    split = [hand.split() for hand in hands]
    order = [
        split[(first + k) % players][row] for row in range(len(split[0])) for k in range(players)
    ]
    order[15:15] = talon.split()
    order += rest.split()
    # With a single contract any index imposes it.
    return run(
        variety,
        players,
        index=first,
        rules={"first": "rotate"} | rules,
        policies=[str(seat) for seat in range(players)],
        policy_table={str(seat): script for seat, script in enumerate(scripts)},
        deck={0: order},
    )


def events(game: dict[str, Any], do: str, deal: int = 0) -> list[dict[str, Any]]:
    """Events of one kind in one deal."""
    return [e for e in game["record"]["deals"][deal]["events"] if e["do"] == do]


def scores(game: dict[str, Any], deal: int = 0) -> list[int]:
    """Scores of one deal."""
    found: list[int] = game["record"]["deals"][deal]["scores"]
    return found
