/* Royal Corners under its default rules (RC-1 ... RC-13), every seat playing `random`.
 *
 * The yardstick of the kernel in simlib/games/royal_corners/kernel.py: the same rules, streams,
 * checks, rows and, unless INLINED, the same view before each call of a policy. What the options
 * could change is written into this program as it stands by default; the kernel reads it at run
 * time.
 *
 *   royal_corners PLAYERS GAMES SEED
 *
 * A card is rank * 4 + suit (ranks A, 2 ... K; suits S H D C), a set of cards a mask. A source is
 * what may be moved: 0-51 that card of the hand, 52 the open stock card, 53 + c the pile on
 * corner c. `moves[c]` is the mask of sources that may go to corner c.
 */
#include "common.h"

enum { SEATS = 4, CORNERS = 4, HAND_SIZE = 7, STOCK = 52, PILE = 53, STOP = -1 };
enum { BLOCKED, DECLINED, ALL_OUT, TRUNCATED = 5, MAX_TURNS = 1000 };

static const u64 ALL = BIT(52) - 1;
static const u64 KINGS = 0xFull << 48;

/* What a player sees (C-6): the fields of simlib/games/royal_corners/view.py. */
typedef struct {
    uint8_t options[64];
    u64 corner_cards[8], hand, sources, unseen;
    double params[8];
    int8_t first_cards[8], last_cards[8];
    int32_t totals[SEATS];
    int8_t counts[SEATS];
    int16_t moves;
    uint8_t any_corners, lasting_corners;
    int8_t open_card, stock_count, position, idle, hand_plays, stock_plays, pile_moves, drawn;
    int8_t players, decision, may_stop, corners, match, merge, vacated, stock_face, draw, end;
    int8_t king_pile;
    int32_t target;
} View;

/* What a deal leaves behind (RC-13). */
typedef struct {
    i64 index;
    int32_t deal;
    int8_t first, ending;
    int32_t decisions, options;
    int8_t penalty[SEATS], cards_left[SEATS], kings_left[SEATS], out_order[SEATS];
    int32_t turns;
    int16_t hand_plays, stock_plays, pile_moves, draws;
    int8_t stock_left, someone_out;
    int32_t first_out_turn;
    int8_t game_ending;
    uint8_t win_share[SEATS], censored;
    int32_t deals, total[SEATS];
    uint8_t loser[SEATS];
    int32_t game_decisions, game_options;
} Row;

typedef struct {
    u64 takes[CORNERS]; /* cards that fit on each corner (RC-3, RC-4, RC-6) */
    u64 joins[CORNERS]; /* first cards of piles that fit (RC-5) */
    u64 cards[8], hands[SEATS], heads;
    int8_t first_cards[8], last_cards[8];
    uint8_t deck[52];
    Rng streams[SEATS];
    int head, fresh; /* corners emptied by the last move, as bits */
    int turn_hand_plays, turn_stock_plays, turn_pile_moves, stopped, idle, declined;
    int turns, hand_plays, stock_plays, pile_moves, draws, decisions, options;
    int outs, out_order[SEATS], first_out_turn;
} Deal;

typedef i64 (*Policy)(const View *, Rng *);

static View views[SEATS];
static Policy policies[SEATS];
static int players;

/* The cards one rank lower than a card and of the other colour. */
static inline u64 under(int card) {
    u64 pair = (card + 1) >> 1 & 1 ? 9 : 6;
    return pair << (card & 60) >> 4;
}

static inline void look(Deal *d, int corner) {
    int last = d->last_cards[corner];
    if (last >= 0) {
        d->takes[corner] = d->joins[corner] = under(last);
    } else {
        d->takes[corner] = d->fresh >> corner & 1 ? ALL : KINGS;
        d->joins[corner] = 0;
    }
}

/* The policy `random`: any move or STOP; a move is source * 8 + corner. */
static i64 random_move(const View *view, Rng *rng) {
    int index = below(rng, (u64)view->moves + 1);
    if (index == view->moves)
        return STOP;
    u64 sources = view->sources;
    int source = lowest(sources);
    while (index >= count(view->options[source])) {
        index -= count(view->options[source]);
        sources &= sources - 1;
        source = lowest(sources);
    }
    return source << 3 | nth(view->options[source], index);
}

static void deal_cards(Deal *d, u64 seed, i64 game) {
    Rng rng;
    for (int card = 0; card < 52; card++)
        d->deck[card] = (uint8_t)((card + 4) % 52);
    start(&rng, seed, (u64)game, DECK_PURPOSE, 0);
    shuffle(&rng, d->deck, 52);
    memset(d->hands, 0, sizeof d->hands);
    memset(d->out_order, -1, sizeof d->out_order);
    int head = 0;
    for (int k = 0; k < HAND_SIZE; k++)
        for (int p = 0; p < players; p++)
            d->hands[p] |= BIT(d->deck[head++]);
    d->heads = d->fresh = 0;
    for (int corner = 0; corner < CORNERS; corner++) {
        int card = d->deck[head++];
        d->cards[corner] = BIT(card);
        d->heads |= BIT(card);
        d->first_cards[corner] = d->last_cards[corner] = (int8_t)card;
        look(d, corner);
    }
    d->head = head;
    d->turns = d->hand_plays = d->stock_plays = d->pile_moves = d->draws = 0;
    d->decisions = d->options = d->outs = d->idle = d->declined = 0;
    d->first_out_turn = -1;
    for (int p = 0; p < players; p++)
        start(&d->streams[p], seed, (u64)game, SEAT_PURPOSE + (u64)p, 0);
}

/* Find all moves; return their number (RC-12). */
static inline int find_moves(const Deal *d, u64 hand, int open_card, u64 moves[CORNERS]) {
    int found = 0;
    for (int corner = 0; corner < CORNERS; corner++) {
        u64 mask = hand & d->takes[corner];
        if (open_card >= 0)
            mask |= (d->takes[corner] >> open_card & 1) << STOCK;
        for (u64 piles = d->heads & d->joins[corner]; piles; piles &= piles - 1) {
            int other = 0;
            while (d->first_cards[other] != lowest(piles))
                other++;
            if (other != corner)
                mask |= BIT(PILE + other);
        }
        moves[corner] = mask;
        found += count(mask);
    }
    return found;
}

/* Ask the policy for a move or STOP, and check the answer (C-5). */
static inline i64 ask(Deal *d, i64 game, int p, u64 hand, int open_card, const u64 moves[CORNERS],
                      int found) {
    Rng *rng = &d->streams[p];
    d->decisions++;
    d->options += found + 1;
    u64 sources = moves[0] | moves[1] | moves[2] | moves[3];
#ifdef INLINED
    (void)game, (void)hand, (void)open_card;
    int index = below(rng, (u64)found + 1);
    if (index == found)
        return STOP;
    for (;; sources &= sources - 1) {
        int source = lowest(sources), corners = 0;
        for (int corner = 0; corner < CORNERS; corner++)
            corners |= (int)(moves[corner] >> source & 1) << corner;
        if (index < count((u64)corners))
            return source << 3 | nth((u64)corners, index);
        index -= count((u64)corners);
    }
#else
    View *view = &views[p];
    u64 seen = hand;
    int empty = 0;
    memset(view->options, 0, sizeof view->options);
    for (int corner = 0; corner < CORNERS; corner++)
        for (u64 mask = moves[corner]; mask; mask &= mask - 1)
            view->options[lowest(mask)] |= (uint8_t)(1 << corner);
    for (int corner = 0; corner < CORNERS; corner++) {
        view->corner_cards[corner] = d->cards[corner];
        seen |= d->cards[corner];
        empty |= (d->last_cards[corner] < 0) << corner;
    }
    memcpy(view->first_cards, d->first_cards, 8);
    memcpy(view->last_cards, d->last_cards, 8);
    view->hand = hand;
    view->sources = sources;
    if (open_card >= 0)
        seen |= BIT(open_card);
    view->unseen = ALL & ~seen;
    view->moves = (int16_t)found;
    view->any_corners = view->lasting_corners = (uint8_t)(empty & d->fresh);
    view->open_card = (int8_t)open_card;
    view->stock_count = (int8_t)(52 - d->head);
    view->position = (int8_t)p;
    view->idle = (int8_t)d->idle;
    view->hand_plays = (int8_t)d->turn_hand_plays;
    view->stock_plays = (int8_t)d->turn_stock_plays;
    view->pile_moves = (int8_t)d->turn_pile_moves;
    view->drawn = 0;
    for (int k = 0, q = p; k < players; k++) {
        view->counts[k] = (int8_t)count(d->hands[q]);
        view->totals[k] = 0;
        q = q + 1 == players ? 0 : q + 1;
    }
    for (int k = players; k < SEATS; k++) {
        view->counts[k] = -1;
        view->totals[k] = 0;
    }
    i64 answer = policies[p](view, rng);
    if (answer != STOP && (answer < 0 || answer >= 61 * 8 || (answer & 7) >= CORNERS ||
                           !(moves[answer & 7] >> (answer >> 3) & 1)))
        refuse(game, p, answer);
    return answer;
#endif
}

static inline void make_move(Deal *d, int p, i64 answer, int open_card) {
    int source = (int)(answer >> 3), corner = answer & 7;
    int fresh = d->fresh, first = d->first_cards[corner];
    d->fresh = 0;
    if (source < PILE) {
        int card = source;
        if (source == STOCK) {
            card = open_card;
            d->head++;
            d->stock_plays++;
            d->turn_stock_plays++;
        } else {
            d->hands[p] &= ~BIT(card);
            d->hand_plays++;
            d->turn_hand_plays++;
        }
        if (first < 0) {
            d->first_cards[corner] = (int8_t)card;
            d->heads |= BIT(card);
        }
        d->last_cards[corner] = (int8_t)card;
        d->cards[corner] |= BIT(card);
    } else {
        int other = source - PILE;
        d->heads &= ~BIT(d->first_cards[other]);
        d->last_cards[corner] = d->last_cards[other];
        d->cards[corner] |= d->cards[other];
        d->cards[other] = 0;
        d->first_cards[other] = d->last_cards[other] = -1;
        d->pile_moves++;
        d->turn_pile_moves++;
        d->fresh = 1 << other;
        look(d, other);
    }
    look(d, corner);
    if (fresh & ~d->fresh) /* an emptied corner that was not used takes kings only again */
        for (int c = 0; c < CORNERS; c++)
            if (fresh >> c & 1)
                look(d, c);
}

static int play_deal(Deal *d, i64 game) {
    int p = 0, left = players;
    for (;;) {
        d->turn_hand_plays = d->turn_stock_plays = d->turn_pile_moves = d->stopped = 0;
        while (d->hands[p]) {
            u64 moves[CORNERS], hand = d->hands[p];
            int open_card = d->head < 52 ? d->deck[d->head] : -1;
            int found = find_moves(d, hand, open_card, moves);
            if (!found)
                break;
            i64 answer = ask(d, game, p, hand, open_card, moves, found);
            if (answer == STOP) {
                d->stopped = 1;
                break;
            }
            make_move(d, p, answer, open_card);
        }
        if (!d->hands[p]) {
            d->out_order[p] = d->outs;
            if (!d->outs++)
                d->first_out_turn = d->turns;
            left--;
        } else if (d->turn_hand_plays && d->head < 52) {
            d->hands[p] |= BIT(d->deck[d->head++]);
            d->draws++;
        }
        d->turns++;
        if (d->turn_hand_plays + d->turn_stock_plays + d->turn_pile_moves) {
            d->idle = d->declined = 0;
        } else {
            d->idle++;
            d->declined |= d->stopped;
        }
        if (!left)
            return ALL_OUT;
        if (d->idle >= left)
            return d->declined ? DECLINED : BLOCKED;
        if (d->turns >= MAX_TURNS)
            return TRUNCATED;
        do
            p = p + 1 == players ? 0 : p + 1;
        while (!d->hands[p]);
    }
}

static void write_row(const Deal *d, i64 game, int ending, Row *row) {
    int least = 1000, winners = 0;
    row->index = game;
    row->deal = row->first = 0;
    row->ending = row->game_ending = (int8_t)ending;
    row->decisions = row->game_decisions = d->decisions;
    row->options = row->game_options = d->options;
    row->turns = d->turns;
    row->hand_plays = (int16_t)d->hand_plays;
    row->stock_plays = (int16_t)d->stock_plays;
    row->pile_moves = (int16_t)d->pile_moves;
    row->draws = (int16_t)d->draws;
    row->stock_left = (int8_t)(52 - d->head);
    row->someone_out = d->outs > 0;
    row->first_out_turn = d->first_out_turn;
    row->censored = ending == TRUNCATED;
    row->deals = 1;
    for (int seat = 0; seat < SEATS; seat++) {
        int cards = -1, kings = -1, penalty = -1;
        row->out_order[seat] = (int8_t)d->out_order[seat];
        row->loser[seat] = 0;
        if (seat < players) {
            cards = count(d->hands[seat]);
            kings = count(d->hands[seat] & KINGS);
            penalty = cards + 9 * kings;
            if (penalty < least) {
                least = penalty;
                winners = 0;
            }
            winners += penalty == least;
        }
        row->cards_left[seat] = (int8_t)cards;
        row->kings_left[seat] = (int8_t)kings;
        row->penalty[seat] = (int8_t)penalty;
        row->total[seat] = penalty;
    }
    for (int seat = 0; seat < SEATS; seat++)
        row->win_share[seat] = row->penalty[seat] == least ? (uint8_t)(60 / winners) : 0;
}

int main(int argc, char **argv) {
    static Row rows[CHUNK];
    static Deal state;
    players = argc > 1 ? atoi(argv[1]) : 4;
    i64 games = argc > 2 ? atoll(argv[2]) : 100000;
    u64 seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    /* volatile: the compiler may not see which function is called */
    static const volatile Policy chosen = random_move;
    memset(views, 0, sizeof views);
    memset(state.first_cards, -1, 8);
    memset(state.last_cards, -1, 8);
    for (int seat = 0; seat < SEATS; seat++) {
        policies[seat] = chosen;
        views[seat].players = (int8_t)players;
        views[seat].may_stop = 1;
        views[seat].corners = CORNERS;
        views[seat].target = 50;
    }
    i64 endings[6] = {0}, shares[SEATS] = {0}, penalties[SEATS] = {0}, totals[6] = {0};
    double elapsed = 0;
    for (i64 first = 0; first < games; first += CHUNK) {
        i64 size = games - first < CHUNK ? games - first : CHUNK;
        double begun = seconds();
        for (i64 g = 0; g < size; g++) {
            deal_cards(&state, seed, first + g);
            int ending = play_deal(&state, first + g);
            write_row(&state, first + g, ending, &rows[g]);
        }
        elapsed += seconds() - begun;
        for (i64 g = 0; g < size; g++) {
            const Row *row = &rows[g];
            endings[row->ending]++;
            for (int seat = 0; seat < players; seat++) {
                shares[seat] += row->win_share[seat];
                penalties[seat] += row->penalty[seat];
            }
            totals[0] += row->turns;
            totals[1] += row->hand_plays;
            totals[2] += row->stock_plays;
            totals[3] += row->pile_moves;
            totals[4] += row->draws;
            totals[5] += row->decisions;
        }
    }
    print("win_share", shares, players);
    print("penalty", penalties, players);
    print("ending", endings, 6);
    print("turns", &totals[0], 1);
    print("hand_plays", &totals[1], 1);
    print("stock_plays", &totals[2], 1);
    print("pile_moves", &totals[3], 1);
    print("draws", &totals[4], 1);
    print("decisions", &totals[5], 1);
    printf("seconds %.6f\n", elapsed);
    return 0;
}
