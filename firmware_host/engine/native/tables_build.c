/* Retrograde analysis of two sectors that lead to each other by quiet turns (after Gasser 1996; the sectors
 * and the index by one side's orbit after Gevay and Danner).
 *
 * All positions with the same stones of the player who does not move form a block: a quiet turn keeps these
 * stones, so the positions after it are one block of the other sector's values, and both fit a small cache.
 * `work` counts, block by block, the quiet turns of a position that are not yet known to lose. `cells` holds
 * the values by the index of a position, 0 while unknown: as a byte, d from 1 to 127 for a win in d turns,
 * and 128 + d for a loss in d; in two bytes, 32768 + d for a loss. Blocks hold every copy of a position that a
 * symmetry of their stones makes, and each copy is counted and written on its own, so that symmetric
 * positions need no exception.
 */
#include <stdlib.h>
#include <string.h>

#include "tables_space.h"

enum { DONE = 255, SAFE = 254 }; /* in `work`: decided; has a capture that holds the draw */
enum { MAX_OUTCOMES = 320 };
enum { CHUNK = 64 };

/* A position that captures lead to: the other's stones that are left, and where their block of values is. */
typedef struct {
    uint32_t others, map[3][256]; /* from the nodes of a block to those that are free for its representative */
    mw_table table;
    uint64_t base;
    int wins; /* the other has too few stones left */
} outcome;

typedef struct {
    int stones, others;         /* of the player who moves, and of the other */
    int flies, partner;         /* the sector that quiet turns lead to */
    uint64_t room;              /* positions in a block */
    const uint32_t *sets;       /* the sets of a block by rank */
    void *cells;
    uint8_t *work;
    uint8_t *dirty; /* for each block of the partner's cells, by the parity of the level: something was decided */
    const mw_table *lower;
} side;

typedef struct {
    mw_space *space;
    side sides[2];
    int count, wide;
    mw_progress progress;
    outcome *outcomes[3];
    int found[3];
} build;

/* The free nodes of a block, numbered without gaps. */
typedef struct {
    uint32_t others;
    int nodes, lines, pairs[MW_NODES], quiet_mills; /* closing a mill may be quiet */
    uint32_t full, node[MW_NODES], adjacency[MW_NODES], line[MW_LINES], pair[MW_NODES][4];
    uint32_t unpacked[3][256], removable;
} block;

static void open_block(const build *b, const side *s, int64_t orbit, block *k) {
    const mw_space *space = b->space;
    const mw_rules *rules = &space->rules;
    uint32_t others = space->representative[s->others][orbit], image[MW_NODES];
    memset(k->pairs, 0, sizeof k->pairs);
    k->others = others;
    k->nodes = k->lines = 0;
    for (int node = 0; node < rules->nodes; node++)
        if (!(others >> node & 1)) k->node[k->nodes] = (uint32_t)node, image[k->nodes++] = 1u << node;
    k->full = (uint32_t)((1ull << k->nodes) - 1);
    mw_fill_map(k->unpacked, image, k->nodes);
    for (int i = 0; i < k->nodes; i++)
        k->adjacency[i] = mw_packed(space, rules->adjacency[k->node[i]] & ~others, space->all & ~others);
    for (int i = 0; i < rules->lines; i++) {
        if (rules->line[i] & others) continue;
        uint32_t line = mw_packed(space, rules->line[i], space->all & ~others);
        k->line[k->lines++] = line;
        for (uint32_t rest = line; rest; rest &= rest - 1) {
            int node = mw_lowest(rest);
            k->pair[node][k->pairs[node]++] = line & ~(1u << node);
        }
    }
    k->removable = mw_removable(rules, others);
    k->quiet_mills = rules->may || !k->removable;
}

/* Write the value of a position of side `s` to all its copies among the cells. */
static void decide(build *b, int s, const block *k, uint32_t set, int level, int won) {
    side *self = &b->sides[s];
    uint64_t room = b->space->choose[b->space->rules.nodes - self->stones][self->others];
    mw_copies copies = mw_copies_of(b->space, self->stones, room, mw_mapped(k->unpacked, set), k->others);
    while (copies.keeping) {
        uint64_t at = mw_next_copy(&copies);
        if (b->wide) ((uint16_t *)self->cells)[at] = (uint16_t)(won ? level : WIDE_LOSS + level);
        else ((uint8_t *)self->cells)[at] = (uint8_t)(won ? level : BYTE_LOSS + level);
    }
    b->sides[self->partner].dirty[copies.orbit] |= (uint8_t)(1 << (level & 1));
}

/* ---- captures ---- */

static void add_outcome(build *b, const side *s, const block *k, int due, uint32_t others) {
    const mw_space *space = b->space;
    outcome *list = b->outcomes[due - 1], *o;
    for (int i = 0; i < b->found[due - 1]; i++)
        if (list[i].others == others) return;
    o = &list[b->found[due - 1]++];
    int left = mw_stones(others);
    o->others = others;
    o->wins = left < 3;
    if (o->wins) return;
    uint32_t entry = space->orbit[left][mw_rank(space, others)], orbit = entry >> 4, image[MW_NODES];
    uint32_t free_nodes = space->all & ~space->representative[left][orbit];
    for (int i = 0; i < k->nodes; i++)
        image[i] = mw_packed(space, mw_moved(space, (int)(entry & 15), 1u << k->node[i]), free_nodes);
    mw_fill_map(o->map, image, k->nodes);
    o->table = s->lower[s->others - left - 1];
    o->base = orbit * (uint64_t)space->choose[space->rules.nodes - left][s->stones];
}

static void add_outcomes(build *b, const side *s, const block *k, int due, uint32_t others, int left) {
    for (uint32_t rest = mw_removable(&b->space->rules, others); rest; rest &= rest - 1) {
        uint32_t after = others & ~(rest & (0u - rest));
        int last = left == 1 || mw_stones(after) < 3 || !mw_removable(&b->space->rules, after);
        if (last || b->space->rules.may) add_outcome(b, s, k, due, after);
        if (!last) add_outcomes(b, s, k, due, after, left - 1);
    }
}

/* Return the best value of the captures after `set` has closed mills that earn `due`. */
static int best_capture(build *b, const side *s, const block *k, int due, uint32_t set) {
    int best = MW_LOSS;
    if (!b->found[due - 1]) add_outcomes(b, s, k, due, k->others, due);
    for (int i = 0; i < b->found[due - 1]; i++) {
        const outcome *o = &b->outcomes[due - 1][i];
        int value = o->wins ? MW_LOSS : mw_value_at(o->table, o->base + mw_rank(b->space, mw_mapped(o->map, set)));
        if (value == MW_LOSS) return MW_WIN;
        if (value == MW_DRAW) best = MW_DRAW;
    }
    return best;
}

/* ---- the forward pass ---- */

/* Return the free nodes that would complete a mill of the two stones on its line. */
static uint32_t completing(const block *k, uint32_t set) {
    uint32_t found = 0;
    for (int i = 0; i < k->lines; i++) {
        uint32_t missing = k->line[i] & ~set;
        if (missing && !(missing & (missing - 1))) found |= missing;
    }
    return found;
}

static void first_look(build *b, int s, const block *k, uint64_t at, uint32_t set) {
    side *self = &b->sides[s];
    const mw_rules *rules = &b->space->rules;
    uint32_t empty = k->full & ~set, mills = completing(k, set);
    int quiet = 0, safe = 0, captures = 0;
    for (uint32_t stones = set; stones; stones &= stones - 1) {
        int from = mw_lowest(stones);
        uint32_t to = self->flies ? empty : k->adjacency[from] & empty, rest = set & ~(1u << from);
        quiet += mw_stones(to & ~mills);
        for (to &= mills; to; to &= to - 1) {
            int node = mw_lowest(to), due = 0;
            for (int i = 0; i < k->pairs[node]; i++) due += (rest & k->pair[node][i]) == k->pair[node][i];
            if (!due || k->quiet_mills) quiet++;
            if (!due || !k->removable) continue;
            int best = best_capture(b, self, k, rules->per_mill ? due : 1, rest | 1u << node);
            captures++;
            if (best == MW_DRAW) safe = 1;
            if (best != MW_WIN) continue;
            self->work[at] = DONE;
            decide(b, s, k, set, 1, 1);
            return;
        }
    }
    self->work[at] = (uint8_t)(safe ? SAFE : quiet);
    if (safe || quiet) return;
    self->work[at] = DONE;
    decide(b, s, k, set, captures ? 1 : 0, 0);
}

static int start(build *b, int s) {
    side *self = &b->sides[s];
    int64_t blocks = b->space->orbits[self->others];
    for (int64_t orbit = 0; orbit < blocks; orbit++) {
        block k;
        if (!(orbit & 63) && b->progress && b->progress(s, (uint64_t)orbit, (uint64_t)blocks)) return 1;
        open_block(b, self, orbit, &k);
        memset(b->found, 0, sizeof b->found);
        for (uint64_t i = 0; i < self->room; i++)
            first_look(b, s, &k, (uint64_t)orbit * self->room + i, self->sets[i]);
    }
    return 0;
}

/* ---- backwards, level by level ---- */

/* Tell the positions before `set`, which loses or wins in `level` - 1, about it. */
static int spread(build *b, int s, const block *k, uint64_t base, uint32_t set, int level, int lost) {
    side *self = &b->sides[s];
    uint32_t empty = k->full & ~set, standing = 0;
    int news = 0;
    for (int i = 0; i < k->lines && !k->quiet_mills; i++)
        if ((set & k->line[i]) == k->line[i]) standing |= k->line[i];
    for (uint32_t stones = set & ~standing; stones; stones &= stones - 1) {
        int to = mw_lowest(stones);
        uint32_t from = self->flies ? empty : k->adjacency[to] & empty, rest = set & ~(1u << to);
        for (; from; from &= from - 1) {
            uint32_t before = rest | (from & (0u - from));
            uint8_t *left = &self->work[base + mw_rank(b->space, before)];
            if (*left == DONE || (!lost && (*left == SAFE || --*left))) continue;
            *left = DONE;
            decide(b, s, k, before, level, lost);
            news = 1;
        }
    }
    return news;
}

static int spread_chunk(build *b, int s, const block *k, uint64_t base, uint64_t from, uint64_t end, int level) {
    const side *self = &b->sides[s];
    const void *cells = b->sides[self->partner].cells;
    unsigned win = (unsigned)level - 1, loss = win + (b->wide ? WIDE_LOSS : BYTE_LOSS);
    int news = 0;
    for (uint64_t i = from; i < end; i++) {
        unsigned cell = b->wide ? ((const uint16_t *)cells)[base + i] : ((const uint8_t *)cells)[base + i];
        if (cell == loss || (cell == win && win))
            news |= spread(b, s, k, base, self->sets[i], level, cell == loss);
    }
    return news;
}

/* Return 1 if one of CHUNK bytes is `win` or `loss`; written so that compilers use vectors. */
static int chunk_has(const uint8_t *cells, uint8_t win, uint8_t loss) {
    uint8_t found = 0;
    for (int i = 0; i < CHUNK; i++) found |= (uint8_t)((cells[i] == win) | (cells[i] == loss));
    return found;
}

static int spread_block(build *b, int s, int64_t orbit, int level) {
    const side *self = &b->sides[s];
    uint64_t base = (uint64_t)orbit * self->room, at = 0;
    block k;
    int news = 0;
    open_block(b, self, orbit, &k);
    uint8_t loss = (uint8_t)(BYTE_LOSS + level - 1), win = level > 1 ? (uint8_t)(level - 1) : loss;
    const uint8_t *cells = (const uint8_t *)b->sides[self->partner].cells + base;
    for (; at + CHUNK <= self->room; at += CHUNK)
        if (b->wide || chunk_has(cells + at, win, loss))
            news |= spread_chunk(b, s, &k, base, at, at + CHUNK, level);
    return news | spread_chunk(b, s, &k, base, at, self->room, level);
}

static int spread_level(build *b, int level, int *news) {
    uint8_t bit = (uint8_t)(1 << ((level - 1) & 1));
    for (int s = 0; s < b->count; s++) {
        side *self = &b->sides[s];
        int64_t blocks = b->space->orbits[self->others];
        for (int64_t orbit = 0; orbit < blocks; orbit++) {
            if (!(orbit & 1023) && b->progress && b->progress(1 + level, (uint64_t)orbit, (uint64_t)blocks))
                return MW_STOPPED;
            if (!(self->dirty[orbit] & bit)) continue;
            self->dirty[orbit] &= (uint8_t)~bit;
            *news |= spread_block(b, s, orbit, level);
        }
    }
    return MW_OK;
}

static int solve(build *b) {
    int limit = b->space->rules.limit, deepest = b->wide ? WIDE_LOSS - 1 : BYTE_LOSS - 1;
    for (int s = 0; s < b->count; s++)
        if (start(b, s)) return MW_STOPPED;
    for (int level = 1, news = 1; news || level == 2; level++) {
        if (limit && level > limit) break;
        if (level > deepest) return MW_TOO_DEEP;
        news = 0;
        int failed = spread_level(b, level, &news);
        if (failed) return failed;
    }
    return MW_OK;
}

static int prepare(build *b, int mine, int theirs, const mw_table lower[2][3], void *cells[2], uint8_t *work[2]) {
    const mw_space *space = b->space;
    int flying = space->rules.flying, fewest = 1;
    for (int stones = 3; stones <= (mine > theirs ? mine : theirs); stones++)
        if (mw_orbits(b->space, stones) < 0) fewest = 0;
    for (int s = 0; s < b->count && fewest; s++) {
        side *self = &b->sides[s];
        self->stones = s ? theirs : mine, self->others = s ? mine : theirs;
        self->flies = (flying != MW_FLY_NEVER && self->stones == 3) || (flying == MW_FLY_BOTH && self->others == 3);
        self->partner = b->count - 1 - s;
        self->room = space->choose[space->rules.nodes - self->others][self->stones];
        self->cells = cells[s], self->work = work[s], self->lower = lower[s];
        self->sets = mw_sets(space, space->rules.nodes - self->others, self->stones);
        self->dirty = calloc((size_t)space->orbits[self->others], 1);
        fewest = self->sets && self->dirty;
    }
    for (int due = 0; due < (space->rules.per_mill ? 3 : 1) && fewest; due++)
        fewest = (b->outcomes[due] = malloc(MAX_OUTCOMES * sizeof(outcome))) != NULL;
    return fewest;
}

int32_t mw_build(mw_space *space, int32_t mine, int32_t theirs, const mw_table lower[2][3], void *cells[2],
                 uint8_t *work[2], int32_t wide, mw_progress progress) {
    build b = {.space = space, .count = mine == theirs ? 1 : 2, .wide = wide, .progress = progress};
    int32_t result = prepare(&b, mine, theirs, lower, cells, work) ? solve(&b) : MW_NO_MEMORY;
    for (int s = 0; s < b.count; s++) free((void *)b.sides[s].sets), free(b.sides[s].dirty);
    for (int due = 0; due < 3; due++) free(b.outcomes[due]);
    return result;
}

mw_summary mw_count(const void *cells, uint64_t size, int32_t wide) {
    mw_summary sum = {0, 0, 0, 0};
    unsigned losses = wide ? WIDE_LOSS : BYTE_LOSS;
    for (uint64_t i = 0; i < size; i++) {
        unsigned cell = wide ? ((const uint16_t *)cells)[i] : ((const uint8_t *)cells)[i];
        unsigned depth = cell >= losses ? cell - losses : cell;
        if (!cell) sum.draws++;
        else if (cell < losses) sum.wins++;
        else sum.losses++;
        if (depth > sum.depth) sum.depth = depth;
    }
    return sum;
}

void mw_pack(const void *cells, uint64_t size, int32_t wide, uint8_t *packed) {
    mw_table table = {cells, wide ? MW_KIND_WIDE : MW_KIND_DISTANCE};
    for (uint64_t i = 0; i < size; i += 4) {
        int four = 0;
        for (uint64_t j = i; j < i + 4 && j < size; j++) four |= mw_value_at(table, j) << (2 * (j - i));
        packed[i >> 2] = (uint8_t)four;
    }
}
