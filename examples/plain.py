"""A policy of one's own for King.

simlib tournament king --policies examples/plain.py:plain,sensible,random
"""

import simlib as sl


@sl.policy("king")
def plain(view, rng):
    """Wins tricks where points pay, slips under them where points cost, and looks no further."""
    cards = view.options
    if view.decision != sl.king.PLAY:
        return sl.lowest(cards)
    pays = view.trick_value + view.last_value > 0
    if view.scoring != 0:
        pays = view.values[sl.lowest(view.scoring)] > 0
    if view.on_table == 0:
        return sl.king.highest_rank(cards) if pays else sl.king.lowest_rank(cards)
    winning, losing = cards & view.winning, cards & ~view.winning
    if pays:
        return sl.king.highest_rank(winning) if winning != 0 else sl.king.lowest_rank(cards)
    return sl.king.highest_rank(losing if losing != 0 else cards)
