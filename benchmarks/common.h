/* What the C programs of the benchmark share: streams of chance (C-4), bits, a clock.
 *
 * The layout of the streams is version 1 of simlib/rng.py: splitmix64 over (seed, game,
 * purpose, number) starts one xoshiro256++ state; bounded draws are Lemire's, with rejection.
 *
 * Each program is compiled twice: as it stands, with the policy behind a function pointer and
 * a view filled before each call; and with -DINLINED, the policy inlined and no view.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef int64_t i64;

#define GOLDEN 0x9E3779B97F4A7C15ull
#define BIT(card) (1ull << (card))
#define CHUNK 32768 /* games whose rows are kept at a time, as in a run of simlib */

enum { DECK_PURPOSE = 1, TABLE_PURPOSE = 2, SEAT_PURPOSE = 16 };

typedef struct {
    u64 s0, s1, s2, s3;
} Rng;

static inline u64 finish(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline u64 mix(u64 x) { return finish(x + GOLDEN); }

static inline void start(Rng *rng, u64 seed, u64 game, u64 purpose, u64 number) {
    u64 x = mix(mix(mix(seed) ^ game) ^ (purpose << 32 | number));
    rng->s0 = finish(x + GOLDEN);
    rng->s1 = finish(x + 2 * GOLDEN);
    rng->s2 = finish(x + 3 * GOLDEN);
    rng->s3 = finish(x + 4 * GOLDEN);
}

static inline u64 rotl(u64 x, int k) { return x << k | x >> (64 - k); }

static inline u64 word(Rng *rng) {
    u64 result = rotl(rng->s0 + rng->s3, 23) + rng->s0;
    u64 t = rng->s1 << 17;
    rng->s2 ^= rng->s0;
    rng->s3 ^= rng->s1;
    rng->s1 ^= rng->s2;
    rng->s0 ^= rng->s3;
    rng->s2 ^= t;
    rng->s3 = rotl(rng->s3, 45);
    return result;
}

static inline int below(Rng *rng, u64 n) {
    u64 m = (word(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        u64 threshold = ((1ull << 32) - n) % n;
        while ((uint32_t)m < threshold)
            m = (word(rng) >> 32) * n;
    }
    return (int)(m >> 32);
}

static inline void shuffle(Rng *rng, uint8_t *cards, int size) {
    for (int i = size - 1; i > 0; i--) {
        int j = below(rng, (u64)i + 1);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

static inline int count(u64 mask) { return __builtin_popcountll(mask); }
static inline int lowest(u64 mask) { return __builtin_ctzll(mask); }
static inline int several(u64 mask) { return (mask & (mask - 1)) != 0; }

/* The card at this place of a mask, counted from the lowest. */
static inline int nth(u64 mask, int index) {
#ifdef __BMI2__
    return lowest(_pdep_u64(BIT(index), mask));
#endif
    while (index--)
        mask &= mask - 1;
    return lowest(mask);
}

/* Seconds of processor time: what other programs take of the core does not count. */
static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* An answer outside the options stops the program, as it stops a run (C-5). */
static inline void refuse(i64 game, int seat, i64 answer) {
    fprintf(stderr, "game %lld, seat %d: answer %lld is no option\n", (long long)game, seat,
            (long long)answer);
    exit(1);
}

/* Print one line "name value value ...". */
static inline void print(const char *name, const i64 *values, int size) {
    printf("%s", name);
    for (int i = 0; i < size; i++)
        printf(" %lld", (long long)values[i]);
    printf("\n");
}
