"""The referee of King George III against records that are wrong in one rule and right otherwise.

Two kinds: played by other options than the record says (`RELABELLED`), and played by a player
who gets one rule wrong and nothing else (`BENT`), the outcome being what he then counts.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.king_george.referee_player import Player
from tests.king_george.referee_records import Record, find_fault

# Played by other options than the record says

RELABELLED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("C-3", {"first": "zero"}, {"first": "rotate"}, ""),
    ("KG-1", {"hand_size": 5}, {"hand_size": None}, ""),
    ("KG-1", {"hand_size": 6}, {"hand_size": 5}, ""),
    ("KG-2", {"lead": "run"}, {"lead": "one"}, "KG-13"),
    ("KG-4", {"lead": "one"}, {"lead": "run"}, ""),
    ("KG-3", {"wrap": True}, {"wrap": False}, "KG-12 KG-13 KG-14"),
    ("KG-4", {"wrap": False}, {"wrap": True}, "KG-5 KG-12 KG-14"),
    ("KG-3", {"ace_fits": "any"}, {"ace_fits": "neighbour"}, "KG-12 KG-13 KG-14"),
    ("KG-5", {"ace_fits": "neighbour"}, {"ace_fits": "any"}, "KG-4 KG-12 KG-14"),
    ("KG-4", {"must_run": False}, {"must_run": True}, ""),
    ("KG-14", {"must_run": True}, {"must_run": False}, ""),
    ("KG-7", {"draw": "one"}, {"draw": "until_fits"}, ""),
    ("KG-5", {"draw": "until_fits"}, {"draw": "one"}, ""),
    ("KG-6", {"recycle": "shuffle"}, {"recycle": "turn"}, ""),
    ("KG-6", {"recycle": "none"}, {"recycle": "turn"}, "KG-12"),
    ("KG-6", {"recycle": "turn"}, {"recycle": "none"}, "KG-12"),
    ("KG-6", {"recycle_when": "emptied"}, {"recycle_when": "needed"}, ""),
    ("KG-6", {"recycle_when": "needed"}, {"recycle_when": "emptied"}, ""),
    ("KG-8", {"ace_resets": 2}, {"ace_resets": 3}, "KG-12"),
    ("KG-8", {"ace_resets": 3}, {"ace_resets": 2}, "KG-12"),
    ("KG-8", {"ace_resets": 1}, {"ace_resets": 0}, "KG-12"),
    ("KG-8", {"ace_choice": True}, {"ace_choice": False}, "KG-14"),
    ("KG-14", {"ace_choice": False}, {"ace_choice": True}, ""),
    ("KG-8", {"ace_scope": "player", "ace_resets": 1}, {"ace_scope": "deal"}, "KG-12 KG-14"),
    ("KG-8", {"ace_scope": "deal", "ace_resets": 1}, {"ace_scope": "player"}, "KG-12 KG-14"),
    ("KG-9", {"after_out": "lap"}, {"after_out": "round"}, ""),
    ("KG-9", {"after_out": "lap"}, {"after_out": "none"}, ""),
    ("KG-9", {"after_out": "round"}, {"after_out": "lap"}, ""),
    ("KG-9", {"after_out": "round"}, {"after_out": "none"}, ""),
    ("KG-9", {"after_out": "none"}, {"after_out": "lap"}, ""),
    ("KG-9", {"after_out": "none"}, {"after_out": "round"}, ""),
    ("KG-10", {"out_tie": "share"}, {"out_tie": "playoff"}, ""),
    ("KG-10", {"out_tie": "playoff"}, {"out_tie": "share"}, ""),
    ("KG-10", {"max_playoffs": 0}, {"max_playoffs": 1}, ""),
    ("KG-10", {"max_playoffs": 1}, {"max_playoffs": 0}, ""),
    ("KG-11", {"recycle": "none", "deadlock_tie": "playoff"}, {"deadlock_tie": "share"}, ""),
    ("KG-11", {"recycle": "none", "deadlock_tie": "share"}, {"deadlock_tie": "playoff"}, ""),
    ("KG-12", {"max_turns": 30}, {"max_turns": 31}, ""),
    ("KG-12", {"max_turns": 31}, {"max_turns": 30}, ""),
    ("KG-12", {"endless": "fewest", "deadlock_tie": "playoff"}, {"endless": "none"}, "KG-14"),
    ("KG-14", {"endless": "none"}, {"endless": "fewest"}, ""),
]


@pytest.mark.parametrize(("clause", "played", "claimed", "others"), RELABELLED)
def test_other_options_than_claimed(
    clause: str, played: dict[str, Any], claimed: dict[str, Any], others: str
) -> None:
    def play(seed: int) -> Record:
        record = Player(2 + seed % 4, played, seed=seed, index=seed).play()
        record["rules"] |= claimed
        return record

    find_fault(clause, play, others)


# One rule bent


class OneCardLess(Player):
    def cards_each(self, size):
        return super().cards_each(size) - 1


class OneCardMore(Player):
    def cards_each(self, size):
        return super().cards_each(size) + 1


class HandOfTheWholeTable(Player):
    def cards_each(self, size):
        return super().cards_each(self.players)


class LeaderPasses(Player):
    def acts(self, deal):
        if deal.pile or deal.turn:
            super().acts(deal)
        else:
            deal.log("pass")


class LeaderDoesNothing(Player):
    def acts(self, deal):
        if deal.pile or deal.turn:
            super().acts(deal)


class LeaderRunsOnARank(Player):
    def lead_ends(self, deal):
        return len(self.fitting(deal)) < 2


class LeaderDraws(Player):
    def acts(self, deal):
        if not deal.pile:
            card = deal.stock.pop(0)
            deal.log("draw", card=card)
            deal.hand.append(card)
        super().acts(deal)


class TwoApart(Player):
    def fits(self, card, top):
        return super().fits(card, top) or {card[0], top[0]} == {"7", "9"}


class SameSuit(Player):
    def fits(self, card, top):
        return super().fits(card, top) or card[1] == top[1] == "H"


class AceBelowTwo(Player):
    def fits(self, card, top):
        return super().fits(card, top) or (card[0], top[0]) == ("2", "A")


class SilentStop(Player):
    def notes_stop(self, deal, asked):
        return False


class AlwaysStop(Player):
    def notes_stop(self, deal, asked):
        return True


class StopsBeforeHePlays(Player):
    def acts(self, deal):
        if not deal.pile or not self.fitting(deal) or self.dice.random() < 0.9:
            super().acts(deal)
        else:
            deal.log("stop")


class IdleWithAFittingCard(Player):
    def acts(self, deal):
        if not deal.pile or not self.fitting(deal) or self.dice.random() < 0.9:
            super().acts(deal)


class FromTheBottom(Player):
    def drawn_from(self, deal):
        return -1


class DrawsWithoutNeed(Player):
    def acts(self, deal):
        if deal.pile and self.fitting(deal) and deal.stock and self.dice.random() < 0.1:
            card = deal.stock.pop(0)
            deal.log("draw", card=card)
            deal.hand.append(card)
        super().acts(deal)


class KeepsTheDrawn(Player):
    def draw(self, deal):
        card = deal.stock[0] if deal.stock else ""
        if card and self.fits(card, deal.pile[-1]) and self.dice.random() < 0.2:
            deal.log("draw", card=deal.stock.pop(0))
            deal.hand.append(card)
            return True
        return super().draw(deal)


class NeverDraws(Player):
    def draw(self, deal):
        return True


class NewestFirst(Player):
    def turned_over(self, deal, rest):
        return rest[::-1]


class LosesACard(Player):
    def recycle(self, deal):
        super().recycle(deal)
        deal.events[-1]["stock"] = deal.events[-1]["stock"][1:]


class KeepsTwo(Player):
    def recycle(self, deal):
        if len(deal.pile) < 3:
            super().recycle(deal)
        else:
            deal.stock, deal.pile = deal.pile[:-2], deal.pile[-2:]
            deal.log("recycle", stock=list(deal.stock))


class PassesAtWill(Player):
    def acts(self, deal):
        if not deal.pile or not self.fitting(deal) or self.dice.random() < 0.9:
            super().acts(deal)
        else:
            deal.log("pass")


class PassesWithStock(Player):
    def may_draw(self, deal, drawn):
        return super().may_draw(deal, drawn) and drawn < 3


class PassesInSilence(Player):
    def draw(self, deal):
        over = super().draw(deal)
        if deal.events[-1]["do"] == "pass":
            deal.events.pop()
        return over


class PassesAfterStop(Player):
    def notes_stop(self, deal, asked):
        if asked:
            deal.log("stop")
            deal.log("pass")
        return False


class TwosToo(Player):
    def put(self, deal, card):
        over = super().put(deal, card)
        if card[0] == "2" and not over and self.resets_left(deal, deal.seat):
            deal.log("set_aside")
            deal.aside += len(deal.pile)
            deal.pile = []
            deal.used[deal.seat] += 1
            return True
        return over


class GoesOnAfterTheAce(Player):
    def acts(self, deal):
        super().acts(deal)
        if not deal.pile and deal.hand:
            super().acts(deal)


class ForgetsTheAce(Player):
    def resets_left(self, deal, seat):
        return super().resets_left(deal, seat) and deal.turn % 3 != 0


class OutBeforeAside(Player):
    def put(self, deal, card):
        over = super().put(deal, card)
        if [event["do"] for event in deal.events[-2:]] == ["set_aside", "out"]:
            deal.events[-2:] = deal.events[:-3:-1]
        return over


class OneTurnMore(Player):
    def turns_left(self, deal):
        return super().turns_left(deal) + 1


class OneTurnLess(Player):
    def turns_left(self, deal):
        return super().turns_left(deal) - 1


class NewLap(Player):
    def put(self, deal, card):
        over = super().put(deal, card)
        if not deal.hand:
            deal.lap = self.turns_left(deal) + 1
        return over


class OutInSilence(Player):
    def put(self, deal, card):
        over = super().put(deal, card)
        if not deal.hand:
            deal.events.pop()
        return over


class OutWithOne(Player):
    def put(self, deal, card):
        over = super().put(deal, card)
        if len(deal.hand) == 1 and not deal.outs:
            deal.log("out")
        return over


class EverybodyPlaysOff(Player):
    def playoff_seats(self, deal, tied):
        return list(range(self.players))


class LastFirst(Player):
    def next_first(self, deal, seats):
        right = super().next_first(deal, seats)
        return next(seat for seat in seats if seat != right)


class NoPlayoff(Player):
    def plays_on(self, deal, tie):
        return False


class OnePlayoffTooMany(Player):
    def decide(self, deal, ending):
        winners, censored, again = super().decide(deal, ending)
        if deal.number == 0 and len(winners) == 1:
            return winners, censored, [winners[0], (winners[0] + 1) % self.players]
        return winners, censored, again


class EarlyDeadlock(Player):
    def deadlocked(self, deal):
        return deal.blank >= len(deal.order) - 1 and not self.can_draw(deal)


class LateDeadlock(Player):
    def deadlocked(self, deal):
        return deal.blank > len(deal.order) and not self.can_draw(deal)


class DeadlockWithStock(Player):
    def deadlocked(self, deal):
        return deal.blank >= len(deal.order)


class DeadlockWithoutTie(Player):
    def plays_on(self, deal, tie):
        return super().plays_on(deal, tie) and tie != "deadlock_tie"


class NoProof(Player):
    def proved(self, deal):
        return None


class OnlyCycles(Player):
    def orphaned(self, deal):
        return False


class OnlyOrphans(Player):
    def repeats(self, deal):
        return False


class OneOrphanIsEnough(Player):
    def orphaned(self, deal):
        if not deal.pile or deal.outs:
            return False
        return any(self.orphans(deal).values()) and len(self.reachable(deal)) > 1


class OrphansWhileAcesReset(Player):
    def orphaned(self, deal):
        if not deal.pile or deal.outs:
            return False
        live = self.reachable(deal)
        return len(live) > 1 and all(set(hand) - live for hand in deal.hands.values())


class StreamsForgotten(Player):
    def repeats(self, deal):
        deal.moves = [0] * 6
        return super().repeats(deal)


class CycleOfTheTurnBefore(Player):
    def repeats(self, deal):
        found = super().repeats(deal)
        deal.cycle_of = max(deal.cycle_of - len(deal.order), 0)
        return found


class ProofBeforeTheEnd(Player):
    def ending(self, deal):
        return "truncated" if deal.lap == 0 else super().ending(deal)


NO_TURN = {"recycle": "none"}
BENT: list[tuple[str, type[Player], dict[str, Any], str]] = [
    ("KG-1", OneCardLess, {}, ""),
    ("KG-1", OneCardMore, {}, ""),
    ("KG-1", HandOfTheWholeTable, {"ace_fits": "any"}, ""),
    ("KG-7", LeaderPasses, {}, ""),
    ("KG-2", LeaderDoesNothing, {}, ""),
    ("KG-2", LeaderRunsOnARank, {}, "KG-13"),
    ("KG-5", LeaderDraws, {}, ""),
    ("KG-3", TwoApart, {}, "KG-12 KG-13 KG-14"),
    ("KG-3", SameSuit, {}, "KG-12 KG-13 KG-14"),
    ("KG-3", AceBelowTwo, {"ace_resets": 0}, "KG-12 KG-13 KG-14"),
    ("KG-4", SilentStop, {}, ""),
    ("KG-13", AlwaysStop, {}, ""),
    ("KG-4", StopsBeforeHePlays, {}, ""),
    ("KG-4", IdleWithAFittingCard, {}, ""),
    ("KG-5", FromTheBottom, {}, ""),
    ("KG-5", DrawsWithoutNeed, {}, ""),
    ("KG-5", KeepsTheDrawn, {}, ""),
    ("KG-5", NeverDraws, {}, "KG-12"),
    ("KG-6", NewestFirst, {}, "KG-12"),
    ("KG-6", LosesACard, {}, "KG-12"),
    ("KG-6", KeepsTwo, {}, ""),
    ("KG-7", PassesAtWill, {}, "KG-11"),
    ("KG-7", PassesWithStock, {}, ""),
    ("KG-7", PassesInSilence, NO_TURN, ""),
    ("KG-7", PassesAfterStop, {}, ""),
    ("KG-8", TwosToo, {}, ""),
    ("KG-8", GoesOnAfterTheAce, {}, ""),
    ("KG-8", ForgetsTheAce, {}, "KG-12 KG-14"),
    ("KG-9", OutBeforeAside, {"hand_size": 1}, ""),
    ("KG-9", OneTurnMore, {}, ""),
    ("KG-9", OneTurnLess, {}, ""),
    ("KG-9", NewLap, {"ace_fits": "any"}, ""),
    ("KG-9", OutInSilence, {}, ""),
    ("KG-9", OutWithOne, {}, ""),
    ("KG-10", EverybodyPlaysOff, {"ace_fits": "any"}, ""),
    ("KG-10", LastFirst, {}, ""),
    ("KG-10", NoPlayoff, {}, ""),
    ("KG-10", OnePlayoffTooMany, {}, ""),
    ("KG-11", EarlyDeadlock, NO_TURN, ""),
    ("KG-11", LateDeadlock, NO_TURN, ""),
    ("KG-11", DeadlockWithStock, {"draw": "one"}, ""),
    ("KG-11", DeadlockWithoutTie, NO_TURN | {"deadlock_tie": "playoff"}, ""),
    ("KG-12", NoProof, {"max_turns": 300}, ""),
    ("KG-12", OnlyCycles, {"max_turns": 300}, ""),
    ("KG-12", OneOrphanIsEnough, {}, ""),
    ("KG-12", OrphansWhileAcesReset, {}, ""),
    ("KG-9", ProofBeforeTheEnd, {}, ""),
]


@pytest.mark.parametrize(("clause", "player", "rules", "others"), BENT)
def test_one_rule_bent(
    clause: str, player: type[Player], rules: dict[str, Any], others: str
) -> None:
    def play(seed: int) -> Record:
        return player(2 + seed % 4, rules, seed=seed, index=seed).play()

    find_fault(clause, play, others)


CYCLERS: list[tuple[type[Player], str, dict[str, Any]]] = [
    (OnlyOrphans, "first", {"max_turns": 100}),
    (CycleOfTheTurnBefore, "first", {}),
    (StreamsForgotten, "random", {}),
    (StreamsForgotten, "random", {"recycle": "shuffle", "recycle_when": "emptied"}),
    (StreamsForgotten, "first", {"recycle": "shuffle"}),
]


@pytest.mark.parametrize(("player", "policies", "rules"), CYCLERS)
def test_kg_12_cycles_wrongly_seen(
    player: type[Player], policies: str, rules: dict[str, Any]
) -> None:
    def play(seed: int) -> Record:
        return player(2 + seed % 3, rules, policies=policies, seed=seed).play()

    find_fault("KG-12", play, games=300)
