"""The tables of the tiny King player: varieties, contracts, points, options."""

from __future__ import annotations

from typing import Any

RANKS = "23456789TJQKA"
NEGATIVE = ["no-tricks", "no-jacks", "no-queens", "no-hearts", "no-king", "no-last-two", "no-all"]
POSITIVE = ["tricks", "jacks", "queens", "hearts", "king", "last-two", "all"]
MINSK = ["no-tricks", "no-last-two", "no-queens", "no-jacks", "no-king", "no-hearts"]
ATOMIC = ["no-tricks", "no-hearts", "no-jacks", "no-queens", "no-last-two", "no-king"]
TRIOS = ("threesome", "minsk", "minsk-declarer", "atomic")
BIG = ("jokers", "trade", "omnibus")
TALON = ("minsk", "minsk-declarer", "atomic")
ORDERED = ("ordered", *TALON)
VARIETIES = ("simple", *TRIOS, "ordered", "domino", *BIG)

# trick, jack, queen, heart, king of hearts, each of the last two
POINTS = {"threesome": (2, 5, 5, 2, 20, 10)} | dict.fromkeys(TALON, (4, 10, 10, 5, 40, 20))


def default_rules(variety: str) -> dict[str, Any]:
    """Return every option of a variety at its default."""
    rules: dict[str, Any] = {"play_out": False, "first": "zero", "max_deals": 1000}
    if variety not in BIG:
        rules["contracts"] = None
    if variety in ORDERED:
        trump_in = "none" if variety == "atomic" else "positive"
        rules |= {"must_trump": False, "trump_in": trump_in}
        rules |= {"no_trump": True, "order_when": "look"}
    own: dict[str, dict[str, Any]] = {
        "threesome": {"removed": "aces"},
        "minsk": {"trump_lead": "free"},
        "minsk-declarer": {"trump_lead": "declarer"},
        "domino": {"kept_as": "cards", "deck": 32, "limit": -31},
        "jokers": {
            "deals": None,
            "jokers": 1,
            "joker_play": "void_or_hearts",
            "joker_loses": "contains",
        },
        "trade": {"bid": "cost", "auction": "round", "bidder_leads": False, "limit": -77},
        "omnibus": {"limit": -100},
        "atomic": {"eralash": True, "hvalenki": 6, "kings_as_boys": False},
    }
    return rules | own.get(variety, {})
