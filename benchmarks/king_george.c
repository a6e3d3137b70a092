/* King George III under its default rules (KG-1 ... KG-14), every seat playing `random`.
 *
 * The yardstick of the kernel in simlib/games/king_george/kernel.py: the same rules, streams,
 * checks, proofs of endlessness (KG-12), rows and, unless INLINED, the same view before each
 * call of a policy. What the options could change is written into this program as it stands
 * by default; the kernel reads it at run time.
 *
 *   king_george PLAYERS GAMES SEED
 *
 * A card is rank * 4 + suit (ranks 2 ... A), a set of cards a mask. Stock and pile lie in one
 * ring of 64 places: the stock from `head` to `edge`, the pile from `edge` to `tail`.
 */
#include "common.h"

enum { SEATS = 5, ACE_RESETS = 3, MAX_TURNS = 2000, MAX_PLAYOFFS = 32 };
enum { OUT, DEADLOCK, ENDLESS, TRUNCATED, AT_TURN, REPEATS };
enum { PLAIN, PROVE, HASH };
enum { LEAD, FOLLOW, RUN };
enum { CALM = 16, NEVER = -1, STOP = -1, TABLE_SIZE = 4096 };

static const u64 ALL = BIT(52) - 1;
static const u64 ACES = 0xFull << 48;
static const int HAND_SIZE[] = {0, 0, 13, 9, 7, 6};

/* What a player sees (C-6): the fields of simlib/games/king_george/view.py. */
typedef struct {
    u64 hand, options, pile, aside, unseen, fit_table[13];
    double params[8];
    int8_t decision, may_stop, top, ace, players, position, stock_count, pile_count;
    int8_t passes, lap, run, drawn, resets_left, counts[SEATS], resets_used[SEATS];
    int8_t ace_resets, lead_run, wrap, ace_any, must_run, draw_one, recycle, emptied;
    int8_t ace_choice, ace_player, after_out;
} View;

/* What a deal leaves behind (KG-14); a game has that of its first deal, and the last fields. */
typedef struct {
    int8_t ending, proof;
    int32_t decisions, options, turns, plays, draws, recycles;
    int8_t resets;
    int32_t passes;
    int8_t longest_draw, longest_run;
    int32_t last_reset;
    int8_t first_out, cards_left[SEATS], orphans[SEATS];
    int32_t cycle_of;
    int8_t final_ending;
    int32_t playoffs;
    int8_t winner;
    uint8_t win_share[SEATS], censored;
} Row;

/* The complete state of a deal at the start of a turn, and its counts. */
typedef struct {
    u64 hands[SEATS], aside, pile;
    uint8_t ring[64];
    Rng streams[SEATS]; /* of the seats' decisions */
    int used[SEATS], seats[SEATS];
    int players, first, head, edge, tail, player, passed, lap, out;
    int turns, plays, draws, recycles, resets, passes, longest_draw, longest_run;
    int last_reset, first_out, decisions, options, calm, earlier, cycle_of;
} Deal;

typedef i64 (*Policy)(const View *, Rng *);

static u64 fit[13];
static View views[SEATS];
static Policy policies[SEATS];
static u64 codes[TABLE_SIZE];
static int code_turns[TABLE_SIZE];
static i64 game;

static i64 random_card(const View *view, Rng *rng) {
    int cards = count(view->options);
    int choice = below(rng, (u64)(cards + view->may_stop));
    return choice == cards ? STOP : nth(view->options, choice);
}

/* --- proofs of endlessness (KG-12) ------------------------------------------------------ */

/* The cards in play that can ever be played again, from the rank of the pile's top card. */
static inline u64 reachable(u64 in_play, int top) {
    u64 live = 15ull << (top & ~3) & in_play;
    for (;;) {
        u64 ranks = (live | live >> 1 | live >> 2 | live >> 3) & 0x1111111111111ull;
        ranks *= 15;
        u64 wider = (ranks | ranks << 4 | ranks >> 4) & in_play;
        if (wider == live)
            return live;
        live = wider;
    }
}

static int same_rng(const Rng *a, const Rng *b) {
    return a->s0 == b->s0 && a->s1 == b->s1 && a->s2 == b->s2 && a->s3 == b->s3;
}

/* Whether two deals stand in the same complete state. */
static int same_state(const Deal *a, const Deal *b) {
    if (a->player != b->player || a->hands[a->player] != b->hands[a->player] ||
        a->tail - a->head != b->tail - b->head || a->edge - a->head != b->edge - b->head ||
        a->passed != b->passed || a->aside != b->aside)
        return 0;
    for (int p = 0; p < a->players; p++)
        if (a->hands[p] != b->hands[p] || a->used[p] != b->used[p] ||
            !same_rng(&a->streams[a->seats[p]], &b->streams[a->seats[p]]))
            return 0;
    for (int i = 0; i < a->tail - a->head; i++)
        if (a->ring[(a->head + i) & 63] != b->ring[(b->head + i) & 63])
            return 0;
    return 1;
}

static inline u64 stir(u64 code, u64 next) {
    code = (code ^ next) * GOLDEN;
    return code ^ code >> 29;
}

/* A hash of a stream's position: a polynomial, another for each salt. */
static inline u64 digest(const Rng *rng, u64 salt) {
    u64 factor = GOLDEN + 2 * salt, square = factor * factor;
    return rng->s0 + rng->s1 * factor + rng->s2 * square + rng->s3 * (square * factor);
}

static u64 state_hash(const Deal *d, u64 salt) {
    u64 code = salt, cards = 0;
    for (int p = 0; p < d->players; p++) {
        code = stir(code, d->hands[p] | (u64)d->used[p] << 56);
        code = stir(code, digest(&d->streams[d->seats[p]], salt));
    }
    for (int i = d->head; i < d->tail; i++) {
        cards = cards << 8 | d->ring[i & 63];
        if (((i - d->head) & 7) == 7) {
            code = stir(code, cards);
            cards = 0;
        }
    }
    code = stir(stir(code, cards), d->aside);
    code = stir(code, (u64)((d->edge - d->head) * 64 + d->tail - d->head));
    return stir(code, (u64)(d->player * 4096 + d->passed));
}

/* The turn at which this hash was seen before; or enter it and return -1. */
static int find_hash(u64 code, int turn) {
    int place = (int)(code >> 20) & (TABLE_SIZE - 1);
    for (; code_turns[place] >= 0; place = (place + 1) & (TABLE_SIZE - 1))
        if (codes[place] == code)
            return code_turns[place];
    codes[place] = code;
    code_turns[place] = turn;
    return -1;
}

/* --- one deal --------------------------------------------------------------------------- */

static void deal_cards(Deal *d, u64 seed, int deal) {
    Rng rng;
    for (int card = 0; card < 52; card++)
        d->ring[card] = (uint8_t)card;
    start(&rng, seed, (u64)game, DECK_PURPOSE, (u64)deal);
    shuffle(&rng, d->ring, 52);
    int n = d->players;
    for (int p = 0; p < SEATS; p++) {
        d->hands[p] = 0;
        d->used[p] = 0;
    }
    d->head = 0;
    for (int k = 0; k < HAND_SIZE[n]; k++)
        for (int i = 0, p = d->first; i < n; i++) {
            d->hands[p] |= BIT(d->ring[d->head++]);
            p = p + 1 == n ? 0 : p + 1;
        }
    d->edge = d->tail = 52;
    d->aside = d->pile = 0;
    d->player = d->first;
    d->passed = d->out = 0;
    d->lap = -1;
    d->turns = d->plays = d->draws = d->recycles = d->resets = d->passes = 0;
    d->longest_draw = d->longest_run = d->decisions = d->options = d->calm = 0;
    d->last_reset = d->first_out = -1;
    for (int p = 0; p < n; p++)
        start(&d->streams[d->seats[p]], seed, (u64)game, SEAT_PURPOSE + (u64)d->seats[p],
              (u64)deal);
}

/* Ask the policy for a card or STOP, and check the answer (C-5). Inlined at its three places. */
static inline __attribute__((always_inline)) i64
ask(Deal *d, int p, u64 hand, u64 options, int decision, int run, int drawn, int head, int edge,
    int tail, u64 pile, u64 aside, int passed, int lap, int resets) {
    int seat = d->seats[p];
    int may_stop = decision == RUN;
    Rng *rng = &d->streams[seat];
    d->decisions++;
    d->options += count(options) + may_stop;
#ifdef INLINED
    (void)hand, (void)drawn, (void)run, (void)head, (void)edge, (void)tail, (void)pile;
    (void)aside, (void)passed, (void)lap, (void)resets;
    int cards = count(options);
    int choice = below(rng, (u64)(cards + may_stop));
    return choice == cards ? STOP : nth(options, choice);
#else
    View *view = &views[seat];
    int n = d->players;
    view->hand = hand;
    view->options = options;
    view->pile = pile;
    view->aside = aside;
    view->unseen = ALL & ~(hand | pile | aside);
    view->decision = (int8_t)decision;
    view->may_stop = (int8_t)may_stop;
    view->top = tail > edge ? (int8_t)d->ring[(tail - 1) & 63] : -1;
    view->ace = -1;
    view->players = (int8_t)n;
    view->position = (int8_t)(p < d->first ? p - d->first + n : p - d->first);
    view->stock_count = (int8_t)(edge - head);
    view->pile_count = (int8_t)(tail - edge);
    view->passes = (int8_t)passed;
    view->lap = (int8_t)lap;
    view->run = (int8_t)run;
    view->drawn = (int8_t)drawn;
    view->resets_left = (int8_t)(ACE_RESETS - resets);
    view->counts[0] = (int8_t)count(hand);
    view->resets_used[0] = (int8_t)d->used[p];
    for (int k = 1, q = p; k < n; k++) {
        q = q + 1 == n ? 0 : q + 1;
        view->counts[k] = (int8_t)count(d->hands[q]);
        view->resets_used[k] = (int8_t)d->used[q];
    }
    for (int k = n; k < SEATS; k++) {
        view->counts[k] = -1;
        view->resets_used[k] = 0;
    }
    i64 answer = policies[seat](view, rng);
    if (!(answer >= 0 && answer < 63 && options >> answer & 1) && !(answer == STOP && may_stop))
        refuse(game, seat, answer);
    return answer;
#endif
}

/* Play a deal on from the start of a turn; return an ending, AT_TURN or REPEATS. */
static int play_on(Deal *d, int search, int stop_at, u64 salt) {
    static Deal snapshot;
    int n = d->players, p = d->player, result;
    int head = d->head, edge = d->edge, tail = d->tail, passed = d->passed, lap = d->lap;
    int turns = d->turns, resets = d->resets, calm = 0, limit = CALM;
    int stale = 1, closed = 0, remembered = 0;
    u64 hand = d->hands[p], aside = d->aside, pile = d->pile, live = ALL;
    uint8_t *ring = d->ring;

#define KEEP_STATE()                                                                           \
    (d->head = head, d->edge = edge, d->tail = tail, d->passed = passed, d->lap = lap,         \
     d->turns = turns, d->resets = resets, d->player = p, d->aside = aside, d->pile = pile)
#define ASK(options, decision)                                                                 \
    ask(d, p, hand, options, decision, run, drawn, head, edge, tail, pile, aside, passed, lap, \
        resets)

    for (;;) {
        /* --- proofs, then the cap (KG-12) --- */
        if (search != PLAIN && lap < 0 && tail != edge) {
            if (stale) {
                live = reachable(ALL & ~aside, ring[(tail - 1) & 63]);
                closed = !(live & ACES) || resets >= ACE_RESETS;
                stale = 0;
            }
            if (closed && several(live)) {
                int stuck = 1;
                for (int k = 0; k < n; k++)
                    stuck &= (d->hands[k] & ~live) != 0;
                if (stuck) {
                    result = ENDLESS;
                    break;
                }
            }
            if (search == HASH) {
                KEEP_STATE();
                d->earlier = find_hash(state_hash(d, salt), turns);
                if (d->earlier >= 0) {
                    result = REPEATS;
                    break;
                }
            } else if (calm > CALM) {
                KEEP_STATE();
                if (remembered && same_state(d, &snapshot)) {
                    result = REPEATS;
                    break;
                }
                if (calm >= limit) { /* Brent: look from twice as far along each time */
                    limit = 2 * calm;
                    snapshot = *d;
                    remembered = 1;
                }
            }
            calm++;
        }
        if (turns == stop_at) {
            result = AT_TURN;
            break;
        }
        if (turns >= MAX_TURNS) {
            result = TRUNCATED;
            break;
        }

        /* --- the first card of the turn: lead, follow, or draw (KG-2 ... KG-6) --- */
        int run = 0, drawn = 0, lead = tail == edge;
        i64 card = -1;
        int asked = 0;
        u64 window = lead ? ALL : fit[ring[(tail - 1) & 63] >> 2];
        u64 options = hand & window;
        if (!options) {
            for (;;) {
                if (head == edge) {
                    if (tail - edge <= 1)
                        break;
                    edge = tail - 1;
                    pile = BIT(ring[edge & 63]);
                    d->recycles++;
                }
                int next = ring[head++ & 63];
                drawn++;
                hand |= BIT(next);
                if (window >> next & 1) {
                    card = next;
                    break;
                }
            }
            d->draws += drawn;
            if (drawn > d->longest_draw)
                d->longest_draw = drawn;
        } else if (several(options)) {
            card = ASK(options, lead ? LEAD : FOLLOW);
            asked = 1;
        } else {
            card = lowest(options);
        }

        /* --- put it down, and run on (KG-4, KG-8) --- */
        while (card >= 0) {
            hand &= ~BIT(card);
            d->plays++;
            run++;
            if (card >= 48 && resets < ACE_RESETS) {
                aside |= pile | BIT(card);
                pile = 0;
                tail = edge;
                resets++;
                d->used[p]++;
                d->last_reset = turns;
                stale = 1;
                break;
            }
            ring[tail++ & 63] = (uint8_t)card;
            pile |= BIT(card);
            if (lead) {
                stale = 1;
                break;
            }
            options = hand & fit[card >> 2];
            if (!options)
                break;
            card = ASK(options, RUN);
            asked = 1;
        }
        if (asked) {
            calm = 0;
            limit = CALM;
            remembered = 0;
        }

        /* --- end of the turn: pass, out, deadlock (KG-7, KG-9, KG-11) --- */
        d->hands[p] = hand;
        turns++;
        if (run > d->longest_run)
            d->longest_run = run;
        if (run == 0) {
            passed++;
            d->passes++;
        } else {
            passed = 0;
        }
        if (lap > 0)
            lap--;
        if (!hand) {
            d->out |= 1 << p;
            if (lap < 0) {
                d->first_out = d->seats[p];
                lap = n - 1;
            }
        }
        p = p + 1 == n ? 0 : p + 1;
        hand = d->hands[p];
        if (lap == 0) {
            result = OUT;
            break;
        }
        if (passed >= n && head == edge && tail - edge <= 1) {
            result = DEADLOCK;
            break;
        }
    }
    KEEP_STATE();
    d->calm = calm;
    return result;
}

/* Deal and play one deal; a cycle that was seen is found again by hashes, then proved. */
static int play_deal(Deal *d, u64 seed, int deal) {
    u64 salt = 0;
    d->cycle_of = -1;
    deal_cards(d, seed, deal);
    int result = play_on(d, PROVE, NEVER, salt);
    while (result == REPEATS || (result == TRUNCATED && d->calm > 1)) {
        Deal then;
        memset(code_turns, -1, sizeof code_turns);
        deal_cards(d, seed, deal);
        result = play_on(d, HASH, NEVER, salt);
        if (result != REPEATS)
            break;
        int earlier = d->earlier, later = d->turns;
        deal_cards(d, seed, deal);
        play_on(d, PLAIN, earlier, salt);
        then = *d;
        play_on(d, PLAIN, later, salt);
        if (same_state(d, &then)) {
            d->cycle_of = earlier;
            return ENDLESS;
        }
        salt++; /* two states shared a hash */
    }
    return result;
}

/* --- whole games (KG-10, KG-14) --------------------------------------------------------- */

static void write_counts(const Deal *d, Row *row, int ending) {
    row->ending = (int8_t)ending;
    row->proof = (int8_t)(ending == ENDLESS ? d->cycle_of >= 0 : -1);
    row->decisions = d->decisions;
    row->options = d->options;
    row->turns = d->turns;
    row->plays = d->plays;
    row->draws = d->draws;
    row->recycles = d->recycles;
    row->resets = (int8_t)d->resets;
    row->passes = d->passes;
    row->longest_draw = (int8_t)d->longest_draw;
    row->longest_run = (int8_t)d->longest_run;
    row->last_reset = d->last_reset;
    row->first_out = (int8_t)d->first_out;
    row->cycle_of = d->cycle_of;
    u64 live = ALL;
    if (d->tail != d->edge) {
        u64 found = reachable(ALL & ~d->aside, d->ring[(d->tail - 1) & 63]);
        if (!(found & ACES) || d->resets >= ACE_RESETS)
            live = found;
    }
    memset(row->cards_left, -1, SEATS);
    memset(row->orphans, -1, SEATS);
    for (int p = 0; p < d->players; p++) {
        row->cards_left[d->seats[p]] = (int8_t)count(d->hands[p]);
        row->orphans[d->seats[p]] = (int8_t)count(d->hands[p] & ~live);
    }
}

/* Give the win to these players in equal parts, in sixtieths (C-9). */
static void share_win(const Deal *d, Row *row, int winners) {
    int part = 60 / count((u64)winners);
    for (int p = 0; p < SEATS; p++)
        if (winners >> p & 1) {
            row->win_share[d->seats[p]] = (uint8_t)part;
            if (part == 60)
                row->winner = (int8_t)d->seats[p];
        }
}

/* Seat the players of a playoff; the first of them after the old first leads. */
static void next_players(Deal *d, int winners) {
    int old_first = d->seats[d->first], n = 0;
    for (int p = 0; p < d->players; p++)
        if (winners >> p & 1)
            d->seats[n++] = d->seats[p];
    d->players = n;
    d->first = 0;
    for (int p = n - 1; p >= 0; p--)
        if (d->seats[p] > old_first)
            d->first = p;
}

static int fewest(const Deal *d) {
    int least = 64, winners = 0;
    for (int p = 0; p < d->players; p++) {
        int left = count(d->hands[p]);
        if (left < least) {
            least = left;
            winners = 0;
        }
        if (left == least)
            winners |= 1 << p;
    }
    return winners;
}

static void play_game(Deal *d, Row *row, int players, u64 seed) {
    memset(row->win_share, 0, SEATS);
    row->winner = -1;
    row->censored = 0;
    for (int seat = 0; seat < SEATS; seat++)
        d->seats[seat] = seat;
    d->players = players;
    d->first = 0;
    for (int deal = 0;; deal++) {
        int ending = play_deal(d, seed, deal), winners, shared = 0;
        if (deal == 0)
            write_counts(d, row, ending);
        row->final_ending = (int8_t)ending;
        row->playoffs = deal;
        if (ending == OUT) {
            winners = d->out;
        } else if (ending == DEADLOCK) {
            winners = fewest(d);
            shared = 1;
        } else {
            if (deal > 0)
                share_win(d, row, (1 << d->players) - 1);
            row->censored = deal > 0 || ending == TRUNCATED;
            return;
        }
        if (!several((u64)winners) || shared || deal >= MAX_PLAYOFFS) {
            share_win(d, row, winners);
            row->censored = several((u64)winners) && !shared;
            return;
        }
        next_players(d, winners);
    }
}

int main(int argc, char **argv) {
    static Row rows[CHUNK];
    static Deal state;
    int players = argc > 1 ? atoi(argv[1]) : 4;
    i64 games = argc > 2 ? atoll(argv[2]) : 100000;
    u64 seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    if (players < 2 || players > SEATS)
        return 2;
    /* volatile: the compiler may not see which function is called */
    static const volatile Policy chosen = random_card;
    for (int rank = 0; rank < 13; rank++)
        fit[rank] = (0xFFFull << (4 * rank) >> 4) & ALL;
    for (int seat = 0; seat < SEATS; seat++) {
        policies[seat] = chosen;
        memset(&views[seat], 0, sizeof views[seat]);
        memcpy(views[seat].fit_table, fit, sizeof fit);
        views[seat].ace_resets = ACE_RESETS;
    }
    i64 endings[4] = {0}, shares[SEATS] = {0}, totals[4] = {0};
    double elapsed = 0;
    for (i64 first = 0; first < games; first += CHUNK) {
        i64 size = games - first < CHUNK ? games - first : CHUNK;
        double begun = seconds();
        for (i64 g = 0; g < size; g++) {
            game = first + g;
            play_game(&state, &rows[g], players, seed);
        }
        elapsed += seconds() - begun;
        for (i64 g = 0; g < size; g++) {
            const Row *row = &rows[g];
            endings[row->ending]++;
            for (int seat = 0; seat < SEATS; seat++)
                shares[seat] += row->win_share[seat];
            totals[0] += row->turns;
            totals[1] += row->plays;
            totals[2] += row->draws;
            totals[3] += row->decisions;
        }
    }
    print("win_share", shares, players);
    print("ending", endings, 4);
    print("turns", &totals[0], 1);
    print("plays", &totals[1], 1);
    print("draws", &totals[2], 1);
    print("decisions", &totals[3], 1);
    printf("seconds %.6f\n", elapsed);
    return 0;
}
