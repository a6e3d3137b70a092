"""Which cards may be played, and who takes a trick, for the slow engine of King."""

from __future__ import annotations

from dataclasses import dataclass

from .king_tables import HEARTS, JACK, KING_OF_HEARTS, is_joker, rank, suit


@dataclass(frozen=True)
class Law:
    """The clauses that bind the play of one deal.

    Attributes
    ----------
    trump
        Trump suit, or None.
    closed_hearts
        K-4: a heart is led only from nothing but hearts.
    king_must_go
        K-5: who is void must throw the king of hearts.
    must_trump
        K-2: who is void must play a trump.
    trump_leader
        K-M `trump_lead=declarer`: the only seat that may lead trumps; None: every seat.
    joker_play, joker_loses
        K-J.
    """

    trump: int | None = None
    closed_hearts: bool = False
    king_must_go: bool = False
    must_trump: bool = False
    trump_leader: int | None = None
    joker_play: str = "void_or_hearts"
    joker_loses: str = "contains"


def legal_leads(law: Law, seat: int, hand: list[int]) -> list[int]:
    """Cards that `seat` may lead, ascending."""
    barred: set[int] = set()
    if law.closed_hearts:
        barred |= {c for c in hand if suit(c) == HEARTS}
    if law.trump is not None and law.trump_leader not in (None, seat):
        barred |= {c for c in hand if suit(c) == law.trump}
    free = [c for c in sorted(hand) if c not in barred]
    return free or sorted(hand)


def trick_suit(played: list[int]) -> int | None:
    """Suit of a trick: that of its first natural card, None while there is none."""
    for c in played:
        if not is_joker(c):
            return suit(c)
    return None


def legal_follows(law: Law, played: list[int], hand: list[int]) -> list[int]:
    """Cards that may be added to the cards `played` so far (at least one), ascending."""
    led = trick_suit(played)
    if led is None:
        return sorted(hand)
    following = [c for c in hand if suit(c) == led]
    if not following:
        return legal_when_void(law, hand)
    instead = law.joker_play == "any" or (law.joker_play == "void_or_hearts" and led == HEARTS)
    if instead:
        following += [c for c in hand if is_joker(c)]
    return sorted(following)


def legal_when_void(law: Law, hand: list[int]) -> list[int]:
    """Cards of a player who has none of the suit led, ascending."""
    if law.king_must_go and KING_OF_HEARTS in hand:
        return [KING_OF_HEARTS]
    if law.must_trump and law.trump is not None:
        trumps = [c for c in sorted(hand) if suit(c) == law.trump]
        if trumps:
            return trumps
    return sorted(hand)


def winning_place(law: Law, played: list[int]) -> int:
    """Place (0 = led) of the card that takes the trick."""
    led = trick_suit(played)
    jokers = [place for place, c in enumerate(played) if is_joker(c)]
    if jokers and not joker_beaten(law, played, led):
        return jokers[0]
    wanted = led
    if law.trump is not None and any(suit(c) == law.trump for c in played):
        wanted = law.trump
    rivals = [place for place, c in enumerate(played) if suit(c) == wanted]
    return max(rivals, key=lambda place: rank(played[place]))


def joker_beaten(law: Law, played: list[int], led: int | None) -> bool:
    """K-J: whether a heart from the jack up keeps the joker from winning."""
    if law.joker_loses == "led" and led != HEARTS:
        return False
    return any(suit(c) == HEARTS and rank(c) >= JACK for c in played)
