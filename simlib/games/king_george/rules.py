"""The options of King George III (KG-1 … KG-12)."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from simlib.errors import BadInput
from simlib.games.options import First, Rules, option

__all__ = ["CODES", "PACKED", "PLAYERS", "PRESETS", "KingGeorgeRules", "check_players", "pack"]

#: Numbers of players, the default, and the hand size of each (KG-1).
PLAYERS = (2, 3, 4, 5)
DEFAULT_PLAYERS = 4
HAND_SIZE = {2: 13, 3: 9, 4: 7, 5: 6}
DECK_SIZE = 52


class KingGeorgeRules(Rules):
    """Every option of King George III; the defaults are the seed's rules."""

    game: ClassVar[str] = "king-george-iii"

    hand_size: int | None = option(
        None,
        "KG-1",
        "cards dealt to each player; null: 13, 9, 7, 6 for 2 to 5 players",
        ge=1,
        le=25,
    )
    lead: Literal["one", "run"] = option(
        "one", "KG-2", "a leader puts one card, or may run on from it"
    )
    wrap: bool = option(False, "KG-3", "an ace and a two are adjacent")
    ace_fits: Literal["neighbour", "any"] = option(
        "neighbour", "KG-3", "an ace fits beside its neighbours only, or on every card"
    )
    must_run: bool = option(False, "KG-4", "a player must go on while he can")
    draw: Literal["until_fits", "one"] = option(
        "until_fits", "KG-5", "with no fitting card he draws until one fits, or a single card"
    )
    recycle: Literal["turn", "shuffle", "none"] = option(
        "turn",
        "KG-6",
        "the pile below its top card becomes the stock: turned over, shuffled, never",
    )
    recycle_when: Literal["needed", "emptied"] = option(
        "needed", "KG-6", "when a card must be drawn, or as soon as the stock's last card is drawn"
    )
    ace_resets: int = option(
        3, "KG-8", "how many aces set the pile aside; later ones are ordinary", ge=0, le=4
    )
    ace_choice: bool = option(
        False, "KG-8", "who puts the ace decides whether the pile is set aside"
    )
    ace_scope: Literal["deal", "player"] = option(
        "deal", "KG-8", "ace_resets counts for all players together, or for each"
    )
    after_out: Literal["lap", "round", "none"] = option(
        "lap",
        "KG-9",
        "after the first player is out all others have a turn, only those after him, or nobody",
    )
    out_tie: Literal["playoff", "share"] = option(
        "playoff", "KG-10", "several players out play the win off, or share it"
    )
    max_playoffs: int = option(
        32, "KG-10", "after so many playoffs the win is shared and the game censored", ge=0, le=1000
    )
    deadlock_tie: Literal["share", "playoff"] = option(
        "share", "KG-11", "equal fewest cards in a deadlock share the win, or play it off"
    )
    max_turns: int = option(
        2000, "KG-12", "a deal is truncated after so many turns", ge=1, le=1_000_000
    )
    endless: Literal["none", "fewest"] = option(
        "none", "KG-12", "an endless deal has no winner, or the fewest cards win it"
    )
    first: First = option("zero", "C-3", "seat 0 acts first, or seat g mod n in game g")


PRESETS: dict[str, dict[str, object]] = {
    "seed": {},
    "shuffled": {"recycle": "shuffle"},
    "no-aces": {"ace_resets": 0},
    "pagat-like": {"deadlock_tie": "playoff", "after_out": "lap", "recycle": "none"},
}

#: Text options as the kernel knows them: the position in this tuple.
CODES: dict[str, tuple[str, ...]] = {
    "lead": ("one", "run"),
    "ace_fits": ("neighbour", "any"),
    "draw": ("until_fits", "one"),
    "recycle": ("turn", "shuffle", "none"),
    "recycle_when": ("needed", "emptied"),
    "ace_scope": ("deal", "player"),
    "after_out": ("lap", "round", "none"),
    "out_tie": ("playoff", "share"),
    "deadlock_tie": ("share", "playoff"),
    "endless": ("none", "fewest"),
    "first": ("zero", "rotate"),
}

#: The rules as one record for the kernel. ``fit[r]`` is the mask of cards that fit on rank r.
PACKED = np.dtype(
    [("fit", "u8", (13,)), ("players", "i8"), ("hand_sizes", "i8", (6,))]
    + [(name, "i8") for name in KingGeorgeRules.model_fields if name != "hand_size"]
    + [("prove", "i8"), ("stepping", "i8"), ("trusted", "i8")],
    align=True,
)


def check_players(rules: KingGeorgeRules, players: int) -> None:
    """Refuse a hand size that leaves no card in stock (KG-1).

    Raises
    ------
    BadInput
        If the hands take the whole deck.
    """
    if rules.hand_size is not None and rules.hand_size * players >= DECK_SIZE:
        most = (DECK_SIZE - 1) // players
        raise BadInput(
            f"option hand_size={rules.hand_size}: with {players} players valid: a whole number"
            f" from 1 to {most}, so that a card is left in stock (KG-1)"
        )


def pack(
    rules: KingGeorgeRules, players: int, *, prove: bool = True, trusted: bool = False
) -> np.ndarray:
    """Return the rules as an array of one PACKED record.

    Parameters
    ----------
    rules : KingGeorgeRules
        Validated options.
    players : int
        2 to 5.
    prove : bool
        Whether endless deals are looked for (KG-12); False only in tests and benchmarks.
    trusted : bool
        Whether all policies are ours, which never write into their view.
    """
    packed = np.zeros(1, PACKED)
    packed["players"] = players
    packed["prove"] = prove
    packed["trusted"] = trusted
    for name, value in rules.model_dump().items():
        if name == "hand_size":
            for n in PLAYERS:
                packed["hand_sizes"][0, n] = HAND_SIZE[n] if value is None else value
        else:
            packed[name] = CODES[name].index(value) if name in CODES else value
    packed["fit"][0] = fit_table(rules)
    return packed


def fit_table(rules: KingGeorgeRules) -> list[int]:
    """Return, for each rank of the pile's top card, the mask of cards that fit (KG-3)."""
    table = []
    for top in range(13):
        ranks = {top, top - 1, top + 1} & set(range(13))
        if rules.wrap:
            ranks |= {(top - 1) % 13, (top + 1) % 13}
        if rules.ace_fits == "any":
            ranks.add(12)
        table.append(sum(0xF << 4 * rank for rank in ranks))
    return table
