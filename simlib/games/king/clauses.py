"""The clauses of King as data, and its varieties as tables, for ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simlib.cards import LANES, SUIT_SIGNS, SUITS, pretty
from simlib.games.clauses import Clause, RulesTable
from simlib.games.king.contracts import VARIETIES, Contract, Plan, rank_of, suit_of
from simlib.games.king.rules import make_plan, rules_model

__all__ = ["CLAUSES", "tables"]

#: Columns of the tables of contracts; varieties that agree in the first SAME share a table.
HEAD = ("contract", "what scores", "in the list", "a deal's sum", "K-4", "K-5", "trump")
SAME = 3

CLAUSES = (
    Clause(
        "K-1",
        "Deal and tricks",
        "`simple`: four players, the pack from seven to ace, dealt out. `first` leads; whoever"
        " takes a trick leads to the next.",
    ),
    Clause(
        "K-2",
        "Follow",
        "Play a card of the suit led if you have one, else any card. The highest card of the suit"
        " led takes the trick, or the highest trump if there is one. Nobody has to trump or to"
        " play high.",
    ),
    Clause(
        "K-3",
        "Contracts",
        "Seven contracts cost points and seven pay the same; the tables above say what scores. In"
        " `no-all` and `all` everything scores at once, and a card's points add up. A house"
        " variety has a table of its own.",
    ),
    Clause(
        "K-4",
        "Hearts are held back",
        "In the contracts that have a ♥ for K-4 in the tables, a heart may be led only from a"
        " hand of hearts. That hearts were thrown away before does not change this.",
    ),
    Clause(
        "K-5",
        "The king of hearts must go",
        "In the contracts that have a K♥ for K-5 in the tables, who cannot follow and holds the"
        " king of hearts has to play it, before any duty to trump. When hearts are led he may play"
        " it or another heart.",
    ),
    Clause(
        "K-6",
        "Early end",
        "Where only cards score, a deal stops after the trick with the last of them. It ends"
        " `early` if cards were still in hand, else `played`. Points are the same either way;"
        " figures on tricks need `play_out=true`.",
    ),
    Clause(
        "K-7",
        "Match",
        "One deal of each contract in the order of the table; the highest total wins. Where"
        " players name the contracts, each names every one on the list. A single deal takes the"
        " contract at the place of its game's index in that list, round and round, also in"
        " varieties where a declarer would name it.",
    ),
    Clause("K-8", "Options of a play", "Every card that K-2, K-4 and K-5 allow."),
    Clause(
        "K-9",
        "Other decisions",
        "The contract, the trump, each card laid away, a bid and a penalty suit are decisions"
        " like a play: `random` takes each option equally often.",
    ),
    Clause(
        "K-10",
        "Outcome",
        "Per deal the contract, who declared, trump, bid, and for each seat its points, tricks and"
        " scoring cards; per match deals, totals and shares of the win. The highest score wins a"
        " single deal; a void deal is won by nobody. Since all seats together score the same in"
        " most contracts, figures are shown by position, declarer and policy.",
    ),
    Clause(
        "K-11",
        "Limits",
        "A match of Domino, Trade or Omnibus ends with the deal in which a total reaches `limit`."
        " A match of `max_deals` deals, void ones counted, is cut off: censored, without a"
        " winner.",
    ),
    Clause(
        "K-T",
        "`threesome`",
        "`simple` for three: two cards are taken out, so that all get ten.",
        "Each of the last two tricks has the points of the table, not both together.",
    ),
    Clause(
        "K-O",
        "`ordered`",
        "`first` declares: he looks at his cards, names a contract that he has not named before,"
        " and in one that pays also a trump suit, or no trump. Everybody declares each contract"
        " once.",
        "He names the contract with his cards in hand; trumps belong to the contracts that pay.",
    ),
    Clause(
        "K-M",
        "`minsk`, `minsk-declarer`",
        "`first` declares as in K-O and leads, from a list of his own in which `win-back` stands"
        " three times. Contract and trump named, he shows the two cards of the talon, takes them,"
        " and lays two cards face down that do not score in this contract; they are nobody's. In"
        " `minsk-declarer` nobody else may lead trumps in `win-back`, unless he has nothing else.",
        "Each of the last two tricks has the points of the table.",
    ),
    Clause(
        "K-D",
        "`domino`",
        "What is not dealt is a reserve. Who cannot follow draws from it until he can,"
        " and plays that card; when it is used up he throws away what he likes, and only then K-5"
        " binds him. Hearts may always be led. Who has no cards is passed over. When after a trick"
        " at most one player has cards, the deal is over, and his cards count as taken by him."
        " What is left of the reserve is nobody's. Contracts come in order, but `limit` ends most"
        " matches before one that pays.",
        "The cards of the last holder are no trick.",
    ),
    Clause(
        "K-J",
        "`jokers`",
        "Hearts and jokers cost points. A joker has no suit: it may be led, thrown in by who"
        " cannot follow, or played to hearts by who can. After a joker led, the first other card"
        " sets the suit. A joker takes the trick, unless a heart from the jack up is in it; of"
        " two jokers the first counts. A match has a deal for each seat.",
        "Three players use 51 cards with one joker, so that nothing is left over. A joker may be"
        " played instead of a heart.",
    ),
    Clause(
        "K-A",
        "`trade`",
        "In turn each player once passes or bids more points than the bid before, up to 13. The"
        " highest bidder loses his bid and names the penalty suit, whose cards cost a point each."
        " `first` leads. If all pass, the deal is void and counts for nothing.",
        "There is one round of bids, and the bid is a price.",
    ),
    Clause(
        "K-B",
        "`omnibus`",
        "Hearts and the queen of spades cost points, the ten of diamonds pays. Who takes all"
        " fifteen gets the points of the table for that, and the others nothing. Any suit may be"
        " led; no cards are passed.",
        "The match ends at a net total, gains and losses together.",
    ),
    Clause(
        "K-X",
        "`atomic`",
        "The dealer's right neighbour, seat 1 of the deal, declares and takes the talon as in K-M;"
        " seat 0 leads. On the list are six contracts that cost, `no-all` and `all` (the two"
        " eralashes), and `tricks` (hvalenki) several times, so that a player's contracts sum to"
        " nothing. If he has fewer than two cards that do not score, he lays those away first"
        " and then any; one that scores counts as taken by him. The last holds in K-M, too.",
        "Six times `tricks`: so the list sums to nothing with and without the eralashes.",
    ),
)


def tables() -> list[RulesTable]:
    """Return the varieties and their contracts, read off the plans that the kernel packs."""
    plans = {
        (name, n): make_plan(rules_model(name)(), n)
        for name, variety in VARIETIES.items()
        for n in variety.players
    }
    found = [
        RulesTable(
            "The varieties",
            ("variety", "clause", "players", "pack", "cards each", "beside", "contract", "match"),
            [
                (f"`{name}`", VARIETIES[name].clause, n, *_variety(plan))
                for (name, n), plan in plans.items()
            ],
        )
    ]
    lines = {
        name: list(_contracts(plans[name, variety.players[-1]]))
        for name, variety in VARIETIES.items()
    }
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name, rows in lines.items():
        alike.setdefault(tuple(row[:SAME] for row in rows), []).append(name)
    for names in alike.values():
        shown = ", ".join(f"`{name}`" for name in names)
        found.append(RulesTable(f"What scores in {shown}", HEAD, _together(lines, names)))
    return found


def _together(lines: Mapping[str, Sequence[tuple[str, ...]]], names: Sequence[str]) -> list[Any]:
    """Return the rows of varieties that score alike; where one differs from the first, say so."""
    rows = []
    for same in zip(*(lines[name] for name in names), strict=True):
        cells = list(same[0][:SAME])
        for first, *others in list(zip(*same, strict=True))[SAME:]:
            parts = [first] if first else []
            parts += [
                f"`{name}`: {other or 'no'}"
                for name, other in zip(names[1:], others, strict=True)
                if other != first
            ]
            cells.append("; ".join(parts))
        rows.append(tuple(cells))
    return rows


def _variety(plan: Plan) -> tuple[object, ...]:
    rest = len(plan.deck) - plan.talon - plan.players * plan.hand_size
    beside = [f"talon {plan.talon}"] if plan.talon else []
    if rest:
        beside.append(f"reserve {rest}" if plan.reserve else f"set aside {rest}")
    chooser = {
        "fixed": "in turn" if len(plan.contracts) > 1 else "one way to score",
        "declarer": f"named by seat {plan.declarer_step} of the deal",
        "auction": "the highest bidder names the penalty suit",
    }[plan.choice]
    ends = [] if plan.length is None else [f"{plan.length} deals"]
    if plan.limit is not None:
        ends.append(f"a total of {_points(plan.limit)}")
    return _pack(plan), plan.hand_size, ", ".join(beside) or "–", chooser, " or ".join(ends)


def _pack(plan: Plan) -> str:
    """Say which cards the pack has: from which rank up, what is taken out, jokers."""
    natural = [card for card in plan.deck if card not in LANES.jokers]
    lowest = min(LANES.ranks.index(rank_of(card)) for card in natural)
    whole = [rank + suit for suit in SUITS for rank in LANES.ranks[lowest:]]
    out = [pretty(card) for card in whole if LANES.number(card) not in plan.deck]
    text = f"{len(plan.deck)}: {LANES.ranks[lowest]} to A"
    text += f" without {' '.join(out)}" if out else ""
    jokers = len(plan.deck) - len(natural)
    return text + (f", {jokers} joker{'s' * (jokers > 1)}" if jokers else "")


def _contracts(plan: Plan) -> Iterator[tuple[str, ...]]:
    for place, contract in enumerate(plan.contracts):
        name = f"`{contract.name}`" if contract.name else "every deal"
        if plan.names_suit:
            name = f"penalty suit {SUIT_SIGNS[place]}"
        times = plan.listed.count(place)
        yield (
            name,
            _scores(contract, plan),
            "" if plan.names_suit else f"{times} times" if times > 1 else "once",
            _sum(contract, plan),
            "♥" if contract.held_back else "",
            "K♥" if contract.duty else "",
            _trump(contract),
        )


def _trump(contract: Contract) -> str:
    if not contract.trump:
        return ""
    return "named, led by the declarer" if contract.declarer_leads_trumps else "named"


def _scores(contract: Contract, plan: Plan) -> str:
    """Say what scores, cards of the same points together."""
    parts = [f"each trick {_points(contract.trick)}"] if contract.trick else []
    if contract.last:
        parts.append(f"each of the last two tricks {_points(contract.last)}")
    cards = {card: worth for card, worth in contract.cards.items() if card in plan.deck}
    for worth in dict.fromkeys(cards.values()):
        same = [card for card, value in cards.items() if value == worth]
        parts.append(f"{_cards(same, plan)} {_points(worth)}")
    if contract.slam:
        parts.append(f"all of them together {_points(contract.slam)}, the others 0")
    return "; ".join(parts)


def _cards(cards: list[int], plan: Plan) -> str:
    """Name cards: whole ranks and suits of the pack together."""
    if len({suit_of(card) for card in cards}) == 1 and len(cards) > 1:
        suit = [card for card in plan.deck if suit_of(card) == suit_of(cards[0])]
        if sorted(cards) == sorted(suit):
            return f"each {SUIT_SIGNS[suit_of(cards[0])]}"
    names = [
        f"each {rank_of(card) or 'joker'}"
        if all(other in cards for other in plan.deck if rank_of(other) == rank_of(card))
        else pretty(LANES.text(card))
        for card in cards
    ]
    return " ".join(dict.fromkeys(names))


def _sum(contract: Contract, plan: Plan) -> str:
    """Return what all players together score in a deal, where that is always the same (K-3)."""
    if plan.reserve or plan.choice == "auction" or contract.slam:
        return "varies"
    cards = sum(worth for card, worth in contract.cards.items() if card in plan.deck)
    return _points(contract.trick * plan.hand_size + 2 * contract.last + cards)


def _points(points: int) -> str:
    return f"{points:+d}".replace("-", "−")
