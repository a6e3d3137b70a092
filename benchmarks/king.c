/* King, variety `simple`, contract `no-tricks` (K-1 ... K-3), every seat playing `random`.
 *
 * The yardstick of the kernel in simlib/games/king/kernel.py: the same rules, streams, checks,
 * rows and, unless INLINED, the same view before each call of a policy. What a variety or an
 * option could change is written into this program; the kernel reads it at run time.
 *
 *   king GAMES SEED
 *
 * A card is suit * 16 + rank (ranks 2 ... A), so that a suit is a lane of 16 bits of a mask and
 * the best card of a trick the highest of its lane. The 32 cards are 7 ... A.
 */
#include "common.h"

enum { SEATS = 4, HAND_SIZE = 8, DECK_SIZE = 32, SEVEN = 5, MOST_CONTRACTS = 16 };
enum { PLAYED, PLAY = 0, TRICK_VALUE = -2 };

static const u64 LANE = 0x1FFF;
static const u64 NATURAL = 0x1FFF1FFF1FFF1FFFull;
static const u64 DECK = 0x1FE01FE01FE01FE0ull;

/* What a player sees (C-6): the fields of simlib/games/king/view.py. */
typedef struct {
    /* written before every call */
    u64 hand, options, table, winning, gone, unseen, taken[SEATS], may_hold[SEATS];
    int8_t tricks[SEATS], counts[SEATS];
    int8_t decision, on_table, led, holder, trick, reserve, drawn;
    /* written where they change: in these deals never */
    u64 talon, away;
    int32_t totals[SEATS], deal;
    int8_t position, trump, declarer, bid, bids[SEATS];
    uint8_t left[MOST_CONTRACTS];
    /* alike in all deals of one contract, and in a whole run */
    u64 scoring, held_back, duty;
    int16_t values[64], trick_value, last_value, slam_value;
    int8_t row, contract, declarer_leads_trumps;
    u64 deck, jokers, instead[4], bane[4];
    double params[8];
    u64 choice_scoring[MOST_CONTRACTS];
    int16_t choice_values[MOST_CONTRACTS][64], choice_trick[MOST_CONTRACTS];
    int16_t choice_last[MOST_CONTRACTS];
    int8_t choice_contract[MOST_CONTRACTS], choice_trump[MOST_CONTRACTS];
    int32_t limit, limit_high, length;
    int8_t match, players, hand_size, talon_size, draws, must_trump, kept_trick, bid_gain;
    int8_t auction_open, most_bid, play_out;
} View;

/* What a deal leaves behind (K-10). */
typedef struct {
    i64 index;
    int32_t deal;
    int8_t first, ending, contract, declarer, trump, bid;
    int16_t score[SEATS];
    int8_t tricks[SEATS], taken[SEATS], tricks_played, cards_drawn, slam;
    int32_t decisions, options;
    int8_t game_ending;
    uint8_t win_share[SEATS], censored;
    int32_t deals, total[SEATS];
} Row;

typedef struct {
    u64 hands[SEATS], taken[SEATS], lacks[SEATS], gone;
    Rng streams[SEATS];
    uint8_t deck[DECK_SIZE];
    int tricks[SEATS], trick, last, first, decisions, options;
} Deal;

typedef i64 (*Policy)(const View *, Rng *);

static View views[SEATS];
static Policy policies[SEATS];

static i64 random_card(const View *view, Rng *rng) {
    return nth(view->options, below(rng, (u64)count(view->options)));
}

static void deal_cards(Deal *d, u64 seed, i64 game) {
    Rng rng;
    for (int i = 0; i < DECK_SIZE; i++)
        d->deck[i] = (uint8_t)(16 * (i & 3) + SEVEN + (i >> 2));
    start(&rng, seed, (u64)game, DECK_PURPOSE, 0);
    shuffle(&rng, d->deck, DECK_SIZE);
    d->first = d->gone = d->trick = d->decisions = d->options = 0;
    d->last = -1;
    for (int p = 0; p < SEATS; p++) {
        u64 hand = 0;
        for (int k = p; k < DECK_SIZE; k += SEATS)
            hand |= BIT(d->deck[k]);
        d->hands[p] = hand;
        d->taken[p] = d->lacks[p] = 0;
        d->tricks[p] = 0;
        start(&d->streams[p], seed, (u64)game, SEAT_PURPOSE + (u64)p, 0);
    }
}

/* Ask the policy for a card, and check the answer (C-5). */
static inline int ask(Deal *d, i64 game, int p, u64 hand, u64 options, u64 table, u64 lane,
                      u64 beats, int best) {
    d->decisions++;
    d->options += count(options);
#ifdef INLINED
    (void)game, (void)hand, (void)table, (void)lane, (void)beats, (void)best;
    return nth(options, below(&d->streams[p], (u64)count(options)));
#else
    View *view = &views[p];
    u64 unseen = DECK & ~(hand | d->gone | table);
    view->hand = hand;
    view->options = options;
    view->table = table;
    view->winning = beats;
    view->gone = d->gone;
    view->unseen = unseen;
    view->decision = PLAY;
    view->on_table = (int8_t)count(table);
    view->led = lane ? (int8_t)(lowest(lane) >> 4) : -1;
    view->holder = (int8_t)(best < 0 ? best : (best - p) & 3);
    view->trick = (int8_t)d->trick;
    view->taken[0] = d->taken[p];
    view->may_hold[0] = hand;
    view->tricks[0] = (int8_t)d->tricks[p];
    view->counts[0] = (int8_t)count(hand);
    for (int k = 1; k < SEATS; k++) {
        int q = (p + k) & 3;
        view->taken[k] = d->taken[q];
        view->may_hold[k] = unseen & ~d->lacks[q];
        view->tricks[k] = (int8_t)d->tricks[q];
        view->counts[k] = (int8_t)count(d->hands[q]);
    }
    i64 answer = policies[p](view, &d->streams[p]);
    if (answer < 0 || answer > 62 || !(options >> answer & 1))
        refuse(game, p, answer);
    return (int)answer;
#endif
}

static void play_deal(Deal *d, i64 game) {
    int p = d->first;
    for (int trick = 0; trick < HAND_SIZE; trick++) {
        u64 table = 0, lane = 0, beats = NATURAL;
        int best = -1;
        for (int step = 0; step < SEATS; step++, p = (p + 1) & 3) {
            u64 hand = d->hands[p], options = hand;
            if (hand & lane)
                options = hand & lane;
            int card = several(options) ? ask(d, game, p, hand, options, table, lane, beats, best)
                                        : lowest(options);
            u64 bit = BIT(card);
            d->hands[p] = hand & ~bit;
            if (lane && !(bit & lane)) /* everybody learns that he cannot follow */
                d->lacks[p] |= lane;
            table |= bit;
            if (bit & beats) {
                best = p;
                u64 own = LANE << (card & 48);
                beats = own & (~1ull << card);
                if (!lane)
                    lane = own;
            }
        }
        p = best;
        d->taken[p] |= table;
        d->gone |= table;
        d->tricks[p]++;
        d->trick++;
        d->last = p;
    }
}

static void write_row(const Deal *d, i64 game, Row *row) {
    int most = -100, winners = 0;
    row->index = game;
    row->deal = 0;
    row->first = (int8_t)d->first;
    row->ending = row->game_ending = PLAYED;
    row->contract = 0;
    row->declarer = row->trump = row->bid = -1;
    row->tricks_played = (int8_t)d->trick;
    row->cards_drawn = 0;
    row->slam = d->tricks[d->last] == d->trick;
    row->decisions = d->decisions;
    row->options = d->options;
    row->censored = 0;
    row->deals = 1;
    for (int seat = 0; seat < SEATS; seat++) {
        int score = d->tricks[seat] * TRICK_VALUE;
        row->score[seat] = (int16_t)score;
        row->total[seat] = score;
        row->tricks[seat] = (int8_t)d->tricks[seat];
        row->taken[seat] = 0; /* no card scores */
        if (score > most) {
            most = score;
            winners = 0;
        }
        winners += score == most;
    }
    for (int seat = 0; seat < SEATS; seat++)
        row->win_share[seat] = row->score[seat] == most ? (uint8_t)(60 / winners) : 0;
}

int main(int argc, char **argv) {
    static Row rows[CHUNK];
    static Deal state;
    i64 games = argc > 1 ? atoll(argv[1]) : 100000;
    u64 seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    /* volatile: the compiler may not see which function is called */
    static const volatile Policy chosen = random_card;
    memset(views, 0, sizeof views);
    for (int seat = 0; seat < SEATS; seat++) {
        policies[seat] = chosen;
        views[seat].position = (int8_t)seat;
        views[seat].trump = views[seat].declarer = views[seat].bid = -1;
        memset(views[seat].bids, -1, sizeof views[seat].bids);
        views[seat].trick_value = TRICK_VALUE;
        views[seat].deck = DECK;
        views[seat].players = SEATS;
        views[seat].hand_size = HAND_SIZE;
    }
    i64 shares[SEATS] = {0}, scores[SEATS] = {0}, tricks[SEATS] = {0}, slams = 0, totals[2] = {0};
    double elapsed = 0;
    for (i64 first = 0; first < games; first += CHUNK) {
        i64 size = games - first < CHUNK ? games - first : CHUNK;
        double begun = seconds();
        for (i64 g = 0; g < size; g++) {
            deal_cards(&state, seed, first + g);
            play_deal(&state, first + g);
            write_row(&state, first + g, &rows[g]);
        }
        elapsed += seconds() - begun;
        for (i64 g = 0; g < size; g++) {
            const Row *row = &rows[g];
            for (int seat = 0; seat < SEATS; seat++) {
                shares[seat] += row->win_share[seat];
                scores[seat] += row->score[seat];
                tricks[seat] += row->tricks[seat];
            }
            slams += row->slam;
            totals[0] += row->decisions;
            totals[1] += row->options;
        }
    }
    print("win_share", shares, SEATS);
    print("score", scores, SEATS);
    print("tricks", tricks, SEATS);
    print("slam", &slams, 1);
    print("decisions", &totals[0], 1);
    print("options", &totals[1], 1);
    printf("seconds %.6f\n", elapsed);
    return 0;
}
