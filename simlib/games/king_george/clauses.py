"""The clauses of King George III as data, for ``docs/rules.md``."""

from __future__ import annotations

from simlib.games.clauses import Clause, RulesTable
from simlib.games.king_george.rules import DECK_SIZE, HAND_SIZE

__all__ = ["CLAUSES", "tables"]

CLAUSES = (
    Clause(
        "KG-1",
        "Deal",
        "Everybody gets the hand of the table above from a pack of 52; the two is low, the ace"
        " high. The other cards are the stock, face down.",
    ),
    Clause(
        "KG-2",
        "Lead",
        "Whoever starts a pile, at the beginning or after an ace, may put any card. It is the"
        " only one he puts in that turn.",
        "The source does not say whether a leader may run on.",
    ),
    Clause(
        "KG-3",
        "What fits",
        "On the top of the pile fits a card of the same rank, or of the rank just above or below"
        " it. The ace has only the king for a neighbour.",
        "The ace is a rank like any other, not a card that always fits.",
    ),
    Clause(
        "KG-4",
        "Run",
        "Who has a fitting card must put one. After that he may put more, each fitting the one"
        " before, and stops when he likes.",
    ),
    Clause(
        "KG-5",
        "Draw",
        "Who has no fitting card takes cards from the stock one at a time, until one fits. That"
        " card goes on the pile at once, and he may run on from it.",
    ),
    Clause(
        "KG-6",
        "Recycle",
        "If a card has to be drawn and the stock is used up, the pile is turned over to become"
        " the stock, all but its top card. Nothing is shuffled, so the card that was played"
        " longest ago is drawn first.",
        "The pile is turned over when somebody needs a card, not as soon as the last one is drawn.",
    ),
    Clause(
        "KG-7",
        "Pass",
        "With no fitting card and nothing more to draw a player passes and keeps what he drew.",
    ),
    Clause(
        "KG-8",
        "Ace",
        "An ace takes the whole pile out of the game, itself included, also when it is led. The"
        " turn ends and the next player leads. After so many aces as `ace_resets` says, an ace is"
        " an ordinary card.",
        "This is a duty, not a choice, and all players together have three such aces in a deal.",
    ),
    Clause(
        "KG-9",
        "Going out",
        "When somebody has put his last card, each of the others has one more turn, draws"
        " included, and the deal is over. Others who go out in that lap do not prolong it.",
        "All the others have that turn, also those who would only be reached after `first`.",
    ),
    Clause(
        "KG-10",
        "Who wins",
        "Who is out alone wins. If several are out, they alone play again, with a fresh pack and"
        " the hand for their number, until one of them wins; the first of them after the old"
        " `first` begins. A playoff that stalls goes to the fewest cards; one that is endless or"
        " cut off is shared, and the game counts as censored.",
    ),
    Clause(
        "KG-11",
        "Deadlock",
        "When everybody has passed in a row and no card can be drawn, the deal is a `deadlock`,"
        " and whoever holds the fewest cards wins it.",
        "Equal fewest cards share the win.",
    ),
    Clause(
        "KG-12",
        "Endless play",
        "Many deals never end, and that is proved while they are played, in one of two ways."
        " `orphans`: no pile can be taken out any more, and everybody holds a card whose rank can"
        " never again be reached from the top of the pile step by step, though other cards keep"
        " coming up; so nobody can ever go out. `cycle`: everything, the streams of chance"
        " included, stands as it stood at an earlier turn. Such a deal is `endless` and has no"
        " winner. A deal that reaches `max_turns` without a proof is `truncated`.",
        "The source knows only the deadlock.",
    ),
    Clause(
        "KG-13",
        "Options of a decision",
        "The fitting cards, and `stop` after the first card where going on is not a duty. With"
        " `ace_choice` also: take the pile out, or not.",
    ),
    Clause(
        "KG-14",
        "Outcome",
        "Ending, turns and counts of a game are those of its first deal; the winner is found in"
        " the last. Rates have all games for their base, counts such as `draws` the games that"
        " ended `out`. Deadlocks, endless and truncated deals are reported side by side and never"
        " added up.",
    ),
)


def tables() -> list[RulesTable]:
    """Return the hands and the stock by number of players (KG-1)."""
    rows = [(n, size, DECK_SIZE - n * size) for n, size in HAND_SIZE.items()]
    return [RulesTable("The deal (KG-1)", ("players", "cards each", "stock"), rows)]
