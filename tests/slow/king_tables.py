"""Cards, options, contracts and their values for the slow engine of King (RULES part K)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Rules = Mapping[str, Any]

SUITS = "SHDC"
RANKS = "23456789TJQKA"
HEARTS = 1
JACK, QUEEN, KING = 9, 10, 11
JOKERS = (61, 62)

VARIETIES = (
    "simple",
    "threesome",
    "ordered",
    "minsk",
    "minsk-declarer",
    "domino",
    "jokers",
    "trade",
    "omnibus",
    "atomic",
)
# One contract a deal, the same for the whole table, named by nobody.
FIXED = ("simple", "threesome", "domino")
MINSK = ("minsk", "minsk-declarer")
# A declarer names the contract.
NAMED = ("ordered", *MINSK, "atomic")
WITH_TALON = (*MINSK, "atomic")

FOURTEEN = (
    "no-tricks",
    "no-jacks",
    "no-queens",
    "no-hearts",
    "no-king",
    "no-last-two",
    "no-all",
    "tricks",
    "jacks",
    "queens",
    "hearts",
    "king",
    "last-two",
    "all",
)
MINSK_NINE = (
    "no-tricks",
    "no-last-two",
    "no-queens",
    "no-jacks",
    "no-king",
    "no-hearts",
    "win-back",
    "win-back",
    "win-back",
)
# K-4 and K-5, by contract; the varieties without K-4 are in `hearts_lead_closed`.
HEARTS_LEAD = ("no-hearts", "no-king", "no-all", "hearts", "king", "all")
KING_MUST_GO = ("no-king", "no-all", "king", "all")


# ---------------------------------------------------------------- cards


def card(text: str) -> int:
    """Card number of a two-character text (C-1): suit * 16 + rank, jokers 61 and 62."""
    if text in ("X1", "X2"):
        return JOKERS[int(text[1]) - 1]
    return SUITS.index(text[1]) * 16 + RANKS.index(text[0])


def text(number: int) -> str:
    """Two-character text of a card number."""
    if number in JOKERS:
        return f"X{JOKERS.index(number) + 1}"
    return RANKS[number % 16] + SUITS[number // 16]


def texts(numbers: list[int]) -> list[str]:
    """Texts of several cards, in the order given."""
    return [text(number) for number in numbers]


def is_joker(number: int) -> bool:
    """Whether the card is a joker."""
    return number in JOKERS


def suit(number: int) -> int | None:
    """Suit 0..3 (S H D C); a joker has none (K-J)."""
    return None if number in JOKERS else number // 16


def rank(number: int) -> int:
    """Rank 0..12 (2..A) of a natural card."""
    return number % 16


KING_OF_HEARTS = card("KH")
QUEEN_OF_SPADES = card("QS")
TEN_OF_DIAMONDS = card("TD")
ALL_52 = tuple(s * 16 + r for s in range(4) for r in range(13))
FROM_SEVEN = tuple(s * 16 + r for s in range(4) for r in range(5, 13))


def card_set(variety: str, players: int, rules: Rules) -> list[int]:
    """All cards of the deck, ascending."""
    taken_out: tuple[str, ...] = ()
    cards: tuple[int, ...] = FROM_SEVEN
    if variety == "threesome":
        taken_out = ("AS", "AC") if rules["removed"] == "aces" else ("7S", "7C")
    elif variety == "domino":
        cards = ALL_52 if int(rules["deck"]) == 52 else FROM_SEVEN
    elif variety == "jokers":
        taken_out = ("2C",) if players == 4 else ("2C", "3C")
        cards = ALL_52 + JOKERS[: int(rules["jokers"])]
    elif variety in ("trade", "omnibus"):
        taken_out = ("2C",) if players == 3 else ()
        cards = ALL_52
    gone = {card(name) for name in taken_out}
    return sorted(c for c in cards if c not in gone)


def hand_size(variety: str, players: int) -> int:
    """Cards dealt to each hand."""
    if variety == "domino":
        return 6
    if variety in ("jokers", "trade", "omnibus"):
        return 13 if players == 4 else 17
    return 8 if players == 4 else 10


# ---------------------------------------------------------------- options


def allowed_players(variety: str) -> tuple[int, ...]:
    """Numbers of players a variety can be played with."""
    if variety in ("simple", "ordered", "domino"):
        return (4,)
    if variety in ("jokers", "trade", "omnibus"):
        return (3, 4)
    return (3,)


def default_rules(variety: str, players: int) -> dict[str, Any]:
    """Every option of a variety with its default."""
    if variety not in VARIETIES:
        raise ValueError(f"no variety of King: {variety!r}")
    if players not in allowed_players(variety):
        raise ValueError(f"{variety} is not played by {players}")
    rules: dict[str, Any] = {"first": "zero", "play_out": False, "max_deals": 1000}
    if variety in FIXED or variety in NAMED:
        rules["contracts"] = None
    if variety in NAMED:
        rules |= {"must_trump": False, "no_trump": True, "order_when": "look"}
        rules["trump_in"] = "none" if variety == "atomic" else "positive"
    if variety in MINSK:
        rules["trump_lead"] = "free" if variety == "minsk" else "declarer"
    special: dict[str, dict[str, Any]] = {
        "threesome": {"removed": "aces"},
        "domino": {"kept_as": "cards", "deck": 32, "limit": -31},
        "jokers": {
            "jokers": 1,
            "joker_play": "void_or_hearts",
            "joker_loses": "contains",
            "deals": None,
        },
        "trade": {"bid": "cost", "auction": "round", "bidder_leads": False, "limit": -77},
        "omnibus": {"limit": -100},
        "atomic": {"eralash": True, "hvalenki": 6, "kings_as_boys": False},
    }
    return rules | special.get(variety, {})


def check_rules(variety: str, players: int, rules: Rules) -> None:
    """Refuse an option dict that is not complete, or that contradicts the variety."""
    wanted = default_rules(variety, players).keys()
    if rules.keys() != wanted:
        raise ValueError(f"options of {variety}: {sorted(wanted)}, given {sorted(rules)}")
    if variety == "minsk-declarer" and rules["trump_lead"] != "declarer":
        raise ValueError("minsk-declarer refuses trump_lead=free")
    if variety == "jokers" and int(rules["jokers"]) == 2 and players != 3:
        raise ValueError("two jokers are for 3 players only (K-J)")


# ---------------------------------------------------------------- contracts


def printed_list(variety: str, rules: Rules) -> list[str]:
    """The variety's own contracts in the order printed, repeats included."""
    if variety in MINSK:
        return list(MINSK_NINE)
    if variety == "atomic":
        names = ["no-tricks", "no-hearts", "no-jacks", "no-queens", "no-last-two", "no-king"]
        if rules["eralash"]:
            names += ["no-all", "all"]
        return names + ["tricks"] * int(rules["hvalenki"])
    if variety in FIXED or variety == "ordered":
        return list(FOURTEEN)
    return []


def contract_list(variety: str, rules: Rules) -> list[str]:
    """The contracts played (K-7): the option `contracts`, or the printed list."""
    given = rules.get("contracts")
    return printed_list(variety, rules) if given is None else list(given)


def distinct_in_order(names: list[str], variety: str) -> list[str]:
    """The different contracts among `names`, in the order of the printed list."""
    if variety == "atomic":
        # Independent of `eralash` and `hvalenki`: `contracts` may name what they drop.
        order = printed_list(variety, {"eralash": True, "hvalenki": 1})
    else:
        order = printed_list(variety, {})
    return [name for name in dict.fromkeys(order) if name in names]


def is_positive(contract: str) -> bool:
    """Whether units of the contract score plus."""
    return not contract.startswith("no-")


def hearts_lead_closed(variety: str, contract: str | None) -> bool:
    """Whether a heart may be led only from nothing but hearts (K-4)."""
    return variety != "domino" and contract in HEARTS_LEAD


# ---------------------------------------------------------------- values


@dataclass(frozen=True)
class Values:
    """What scores in a deal: a trick, each of the last two tricks, single cards."""

    trick: int
    last: int
    cards: dict[int, int]

    @property
    def only_cards(self) -> bool:
        """Whether the deal can end early (K-6)."""
        return self.trick == 0 and self.last == 0


@dataclass(frozen=True)
class Prices:
    """Absolute value of each unit in one variety."""

    trick: int
    jack: int
    queen: int
    heart: int
    king: int
    last: int
    boys: tuple[int, ...] = (JACK,)


def prices(variety: str, rules: Rules) -> Prices:
    """The units of K-3, K-T, K-M and K-X."""
    if variety == "threesome":
        return Prices(trick=2, jack=5, queen=5, heart=2, king=20, last=10)
    if variety in MINSK:
        return Prices(trick=4, jack=10, queen=10, heart=5, king=40, last=20)
    if variety == "atomic" and rules["kings_as_boys"]:
        return Prices(4, 5, 10, 5, 40, 20, boys=(JACK, KING))
    if variety == "atomic":
        return Prices(trick=4, jack=10, queen=10, heart=5, king=40, last=20)
    return Prices(trick=2, jack=4, queen=4, heart=2, king=16, last=8)


def contract_values(variety: str, rules: Rules, contract: str, cards: list[int]) -> Values:
    """Values of a contract with the given set of cards."""
    if contract == "win-back":
        return Values(trick=8, last=0, cards={})
    price = prices(variety, rules)
    sign = 1 if is_positive(contract) else -1
    kind = contract.removeprefix("no-")

    def on(name: str, amount: int) -> int:
        return sign * amount if kind in (name, "all") else 0

    worth = dict.fromkeys(cards, 0)
    for c in cards:
        if rank(c) in price.boys:
            worth[c] += on("jacks", price.jack)
        if rank(c) == QUEEN:
            worth[c] += on("queens", price.queen)
        if suit(c) == HEARTS:
            worth[c] += on("hearts", price.heart)
        if c == KING_OF_HEARTS:
            worth[c] += on("king", price.king)
    scoring = {c: value for c, value in worth.items() if value != 0}
    return Values(on("tricks", price.trick), on("last-two", price.last), scoring)


def joker_values(cards: list[int]) -> Values:
    """K-J: hearts at their number, J Q K A 11 to 14, jokers 20, all minus."""
    worth = {c: -20 if is_joker(c) else -(rank(c) + 2) for c in cards}
    return Values(0, 0, {c: v for c, v in worth.items() if is_joker(c) or suit(c) == HEARTS})


def trade_values(cards: list[int], penalty_suit: int) -> Values:
    """K-A: each card of the penalty suit costs 1."""
    return Values(0, 0, {c: -1 for c in cards if suit(c) == penalty_suit})


def omnibus_values(cards: list[int]) -> Values:
    """K-B, without the slam: each heart -1, queen of spades -13, ten of diamonds +10."""
    worth = {c: -1 for c in cards if suit(c) == HEARTS}
    return Values(0, 0, worth | {QUEEN_OF_SPADES: -13, TEN_OF_DIAMONDS: 10})
