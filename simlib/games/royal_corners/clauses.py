"""The clauses of Royal Corners as data, for ``docs/rules.md``."""

from __future__ import annotations

from simlib.games.clauses import Clause, RulesTable
from simlib.games.royal_corners.rules import CORNERS, DECK_SIZE, HAND_SIZE, PLAYERS

__all__ = ["CLAUSES", "tables"]

CLAUSES = (
    Clause(
        "RC-1",
        "Deal",
        "A pack of 52, the ace low, the king high. After the hands, four cards go open into the"
        " corners 0 to 3; the rest lies in the middle, its top card open.",
    ),
    Clause(
        "RC-2",
        "Turn",
        "The dealer begins. A turn is any number of moves, or none.",
    ),
    Clause(
        "RC-3",
        "Build",
        "A card may go on a corner whose last card is one rank higher and of the other colour.",
    ),
    Clause("RC-4", "King", "A king may be put into an empty corner."),
    Clause(
        "RC-5",
        "Move a pile",
        "A whole corner may be put on another, if its first card could be built there. It cannot"
        " be put into an empty corner.",
        "The wording of the source is taken for the same joined pile, seen from the other side.",
    ),
    Clause(
        "RC-6",
        "Vacated corner",
        "A corner that the last move left empty takes any card, if that is the very next move,"
        " whoever makes it. From then on it takes kings only. To stop or to draw is no move.",
        "The right ends with the next move, not with the turn.",
    ),
    Clause(
        "RC-7",
        "Stock in play",
        "The open card of the stock may be moved like a card from the hand; the one below it is"
        " then open.",
    ),
    Clause(
        "RC-8",
        "Draw",
        "Who has played a card from his hand and still holds cards takes the top card of the"
        " stock at the end of his turn, if there is one.",
    ),
    Clause(
        "RC-9",
        "Out",
        "Who plays his last card is out at once, with no more moves and no draw. The others go on.",
    ),
    Clause(
        "RC-10",
        "End",
        "The deal is over when everybody is out, or when everybody left has had a turn in a row"
        " without a move or a draw: `declined` if one of them could have moved, else `blocked`.",
    ),
    Clause(
        "RC-11",
        "Penalty and match",
        "A king in hand costs ten points, any other card one; fewest points win the deal. A match"
        " goes on until somebody has `target` points. Then the lowest total wins, and of the"
        " others those at the target are its losers.",
    ),
    Clause(
        "RC-12",
        "Options of a decision",
        "Every move of a card or a pile to a corner, and `stop`. A deal of `max_turns` turns is"
        " cut off and scored as it stands.",
    ),
    Clause(
        "RC-13",
        "Outcome",
        "Per deal the penalty, the cards and kings left and the order of going out for each"
        " seat, and how many moves of each kind there were; per match the deals, the totals and"
        " the shares of the win.",
    ),
    Clause(
        "RC-14",
        "King corners",
        "The source has four corners. Many people have four more, for kings alone, and let a pile"
        " that begins with a king move to one: both are options.",
    ),
)


def tables() -> list[RulesTable]:
    """Return the hands and the stock by number of players (RC-1)."""
    rows = [(n, HAND_SIZE, DECK_SIZE - CORNERS - n * HAND_SIZE) for n in PLAYERS]
    return [RulesTable("The deal (RC-1)", ("players", "cards each", "stock"), rows)]
