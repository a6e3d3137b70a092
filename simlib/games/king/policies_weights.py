"""Weights by which `sensible` and `counting` value cards in King.

They were found by play: changed at random, and kept where both policies did better on the same
deals, against the simple policies and against themselves. Tests hold what they achieve.
"""

from __future__ import annotations

import numpy as np

#: Rows: tricks cost, or pay; with ONLY_LAST added, only the last two tricks score.
DUCK, GRAB = range(2)
ONLY_LAST = 2

#: Columns of ``WEIGHTS``.
(
    HIGHER_OUT,
    FLOOR,
    LOWER_MINE,
    TRUST,
    ALONE,
    VOID,
    LEAD,
    WILLING,
    FALLS,
    JOKER,
    HELD_BACK,
    RUFFED,
    TRUMP_WINS,
    RUFFS,
    TRUE_SIZE,
) = range(15)

_COLUMNS = (
    # duck, grab, duck the last two, grab the last two
    # HIGHER_OUT: what a card out above counts against one below, in 16ths
    (25, 61, 32, 90),
    # FLOOR: what counts as below where none is out below, in 16ths of a card
    (18, 45, 3, 11),
    # LOWER_MINE: what each own lower card takes from those out below, in 16ths
    (21, 0, 22, 0),
    # TRUST: chance that a card sure to win will come to win, in 1024ths
    (797, 767, 794, 387),
    # ALONE: the same for a card of a suit that nobody else may have
    (267, 331, 85, 700),
    # VOID: worth of having none of a suit, in 128ths of a later trick
    (46, 50, 5, 0),
    # LEAD: worth of the lead, in 256ths of a later trick
    (63, 70, 100, 88),
    # WILLING: chance that a player takes a trick that he need not, in 1024ths
    (286, 1024, 187, 1024),
    # FALLS: part of the mean of the suit that a player brings, in 128ths
    (123, 0, 0, 0),
    # JOKER: chance that a joker is taken by its owner, in 1024ths
    (830, 306, 0, 0),
    # HELD_BACK: chance that a suit comes that may not be led freely, in 1024ths
    (1024, 700, 0, 0),
    # RUFFED: chance that a winner of another suit is ruffed, in 1024ths
    (0, 330, 0, 330),
    # TRUMP_WINS: least chance that a trump wins a trick, in 1024ths
    (200, 680, 200, 400),
    # RUFFS: chance that a player ruffs who can, in 1024ths
    (256, 640, 256, 387),
    # TRUE_SIZE: how large differences between hands turn out to be, in 256ths
    (256, 256, 100, 680),
)

#: One row a style, one column a weight.
WEIGHTS = np.ascontiguousarray(np.array(_COLUMNS, np.int64).T)

#: What a hand has to promise beyond the mean before a contract is named early, in 1024ths of
#: the contract's mean score.
PATIENCE = 512
