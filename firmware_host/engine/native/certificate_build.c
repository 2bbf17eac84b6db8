/* A proof that a player reaches a goal: depth first, each position once up to symmetry, with tables at the leaves.
 *
 * A position is solved if a reply is known that reaches the goal (or, with the opponent to move, if all of the
 * opponent's turns are answered), or if there is none. `known` has both, as the position and the number of
 * placements in 53 bits, one bit that is always set, and ten bits for the reply.
 */
#include "certificate.h"

#include <stdlib.h>

#include "tables_space.h"

enum { MAX_TURNS = 512, PROGRESS_INTERVAL = 4096, FIRST_BITS = 16 };
enum { USED = 1 << 10, FAILS = 1023, NO_CAPTURE = 31 };

typedef struct {
    uint32_t own, other;
    int to, taken, rank;
} turn;

struct mw_proof {
    mw_space *space;
    const mw_table *tables;
    int pieces, side, wins, shift, failed;
    mw_search *order;
    mw_progress progress;
    uint64_t *known, used, room, most, solved;
    uint64_t *level; /* the positions or entries of the turn that was collected last */
    uint64_t count, space_for;
    int ply;         /* of that turn */
};

static uint64_t position_of(const mw_space *space, uint32_t own, uint32_t other) {
    uint64_t least = UINT64_MAX;
    for (int s = 0; s < space->rules.symmetries; s++) {
        uint32_t image = mw_moved(space, s, own);
        if (image > least >> 24) continue;
        uint64_t position = (uint64_t)image << 24 | mw_moved(space, s, other);
        if (position < least) least = position;
    }
    return least;
}

/* ---- what is known ---- */

static uint64_t *slot_of(uint64_t *known, uint64_t room, uint64_t id) {
    uint64_t at = (id * 0x9E3779B97F4A7C15ull >> 20) & (room - 1);
    while (known[at] && known[at] >> 11 != id) at = (at + 1) & (room - 1);
    return &known[at];
}

static int grow(mw_proof *p) {
    uint64_t room = 2 * p->room, *known;
    if (room > p->most || !(known = calloc(room, sizeof *known))) return 0;
    for (uint64_t i = 0; i < p->room; i++)
        if (p->known[i]) *slot_of(known, room, p->known[i] >> 11) = p->known[i];
    free(p->known);
    p->known = known, p->room = room;
    return 1;
}

/* Note what a position came to; returns whether the goal is reached. */
static int note(mw_proof *p, uint64_t id, int reply) {
    if (p->failed) return 0;
    if (4 * p->used >= 3 * p->room && !grow(p)) {
        p->failed = MW_NO_MEMORY;
        return 0;
    }
    *slot_of(p->known, p->room, id) = id << 11 | USED | (uint64_t)reply;
    p->used++;
    if (p->solved++ % PROGRESS_INTERVAL == 0 && p->progress && p->progress(0, p->solved, 0)) p->failed = MW_STOPPED;
    return reply != FAILS;
}

/* ---- turns ---- */

static int closes(const mw_rules *rules, uint32_t stones, int node) {
    for (int i = 0; i < rules->lines; i++)
        if (rules->line[i] >> node & 1 && (stones & rules->line[i]) == rules->line[i]) return 1;
    return 0;
}

/* List the turns of the player with `mover`, those with captures first. */
static int list_turns(const mw_space *space, uint32_t mover, uint32_t victim, turn *turns) {
    int found = 0;
    for (int quiet = 0; quiet < 2; quiet++)
        for (uint32_t empty = space->all & ~(mover | victim); empty; empty &= empty - 1) {
            int to = mw_lowest(empty);
            uint32_t after = mover | 1u << to;
            uint32_t open = closes(&space->rules, after, to) ? mw_removable(&space->rules, victim) : 0;
            if (!open && quiet) turns[found++] = (turn){after, victim, to, NO_CAPTURE, 0};
            for (; open && !quiet; open &= open - 1)
                turns[found++] = (turn){after, victim & ~(open & (0u - open)), to, mw_lowest(open), 0};
        }
    return found;
}

static int hand(const mw_proof *p, int ply, int side) { return p->pieces - (ply + 1 - side) / 2; }

/* Return whether a player has too few stones left after `ply` placements. */
static int beaten(const mw_proof *p, uint32_t stones, int ply, int side) {
    return mw_stones(stones) + hand(p, ply, side) < 3;
}

/* Rank replies by a small search where a position leads to many others, else by the evaluation alone, which
 * needs fewer positions in all. */
static void rank_turns(const mw_proof *p, turn *turns, int count, int ply) {
    int left = 2 * p->pieces - ply, depth = left > 10 ? 2 : 0;
    for (int i = 0; i < count; i++) {
        mw_node after = {turns[i].other << p->shift, turns[i].own << p->shift, hand(p, ply + 1, 1 - p->side),
                         hand(p, ply + 1, p->side)};
        turns[i].rank = left > 6 ? -mw_search_value(p->order, after, 1, 0, depth, -MW_INFINITY, MW_INFINITY)
                                 : -mw_search_evaluate(p->order, after);
    }
}

static int by_rank(const void *one, const void *other) {
    const turn *a = one, *b = other;
    if (a->rank != b->rank) return a->rank > b->rank ? -1 : 1;
    return a->to != b->to ? a->to - b->to : a->taken - b->taken;
}

/* ---- the proof ---- */

static int answered(mw_proof *p, uint32_t own, uint32_t other, int ply);

/* Return whether the tables say that the goal is reached when all stones are placed. */
static int reaches_at_leaf(const mw_proof *p, uint32_t own, uint32_t other) {
    uint32_t mine = p->side ? other : own, theirs = p->side ? own : other;
    mw_table table = p->tables[mw_stones(mine) * (MW_STONES + 1) + mw_stones(theirs)];
    int value = mw_value_at(table, mw_index(p->space, mine, theirs));
    return value == (p->side ? MW_LOSS : MW_WIN) || (value == MW_DRAW && !p->wins);
}

/* Return whether the player, who is to move, reaches the goal. */
static int reaches(mw_proof *p, uint32_t own, uint32_t other, int ply) {
    turn turns[MAX_TURNS];
    if (ply == 2 * p->pieces) return reaches_at_leaf(p, own, other);
    uint64_t position = position_of(p->space, own, other), id = position << 5 | (uint64_t)ply;
    uint64_t known = *slot_of(p->known, p->room, id);
    if (known) return (known & FAILS) != FAILS;
    int count = list_turns(p->space, (uint32_t)(position >> 24), (uint32_t)(position & 0xffffff), turns);
    rank_turns(p, turns, count, ply);
    qsort(turns, (size_t)count, sizeof *turns, by_rank);
    for (int i = 0; i < count && !p->failed; i++)
        if (beaten(p, turns[i].other, ply + 1, 1 - p->side) ||
            answered(p, turns[i].own, turns[i].other, ply + 1))
            return note(p, id, turns[i].to << 5 | turns[i].taken);
    return note(p, id, FAILS);
}

/* Return whether the player reaches the goal after each turn of the opponent, who is to move. */
static int answered(mw_proof *p, uint32_t own, uint32_t other, int ply) {
    turn turns[MAX_TURNS];
    if (ply == 2 * p->pieces) return reaches_at_leaf(p, own, other);
    uint64_t id = position_of(p->space, own, other) << 5 | (uint64_t)ply;
    uint64_t known = *slot_of(p->known, p->room, id);
    if (known) return (known & FAILS) != FAILS;
    int count = list_turns(p->space, other, own, turns);
    for (int i = 0; i < count; i++) /* in a turn of the opponent, `own` has the opponent's stones */
        if (beaten(p, turns[i].other, ply + 1, p->side) || !reaches(p, turns[i].other, turns[i].own, ply + 1))
            return note(p, id, FAILS);
    return note(p, id, 0);
}

mw_proof *mw_proof_new(mw_space *space, const mw_table *tables, mw_goal goal, mw_search *order, int32_t shift,
                       uint64_t max_memory) {
    mw_proof *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->space = space, p->tables = tables, p->pieces = goal.pieces, p->side = goal.side, p->wins = goal.wins;
    p->order = order, p->shift = shift;
    p->room = 1 << FIRST_BITS;
    p->most = max_memory / (sizeof *p->known * 3 / 2); /* while it grows, the old entries are kept */
    p->known = calloc(p->room, sizeof *p->known);
    int ready = p->known != NULL;
    for (int stones = 3; stones <= p->pieces && ready; stones++) ready = mw_orbits(space, stones) >= 0;
    if (ready) return p;
    mw_proof_free(p);
    return NULL;
}

void mw_proof_free(mw_proof *proof) {
    if (!proof) return;
    free(proof->known);
    free(proof->level);
    free(proof);
}

static int is_own_turn(const mw_proof *p, mw_placing start) { return start.placed % 2 == p->side; }

int32_t mw_proof_run(mw_proof *proof, mw_placing start, mw_progress progress) {
    proof->progress = progress;
    proof->failed = MW_OK;
    int found = is_own_turn(proof, start) ? reaches(proof, start.own, start.other, start.placed)
                                          : answered(proof, start.own, start.other, start.placed);
    return proof->failed ? proof->failed : found ? MW_OK : MW_FAILS;
}

/* ---- the positions that are left under the replies ---- */

static int by_number(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

static void sort_level(mw_proof *p) {
    uint64_t kept = 0;
    qsort(p->level, p->count, sizeof *p->level, by_number);
    for (uint64_t i = 0; i < p->count; i++)
        if (!kept || p->level[kept - 1] != p->level[i]) p->level[kept++] = p->level[i];
    p->count = kept;
}

static int add_position(mw_proof *p, uint64_t position) {
    if (p->count == p->space_for) {
        if (p->count) sort_level(p);
        if (2 * p->count >= p->space_for) {
            uint64_t room = p->space_for ? 2 * p->space_for : 4096;
            uint64_t *level = realloc(p->level, room * sizeof *level);
            if (!level) return 0;
            p->level = level, p->space_for = room;
        }
    }
    p->level[p->count++] = position;
    return 1;
}

/* Add the positions that the opponent's turns lead to. */
static int add_turns(mw_proof *p, uint32_t own, uint32_t other) {
    turn turns[MAX_TURNS];
    int count = list_turns(p->space, other, own, turns);
    for (int i = 0; i < count; i++)
        if (!add_position(p, position_of(p->space, turns[i].other, turns[i].own))) return 0;
    return 1;
}

/* Begin with the positions of the player's first turn. */
static int begin(mw_proof *p, const mw_placing *starts, int count) {
    int ready = 1;
    p->count = 0;
    for (int i = 0; i < count && ready; i++) {
        mw_placing start = starts[i];
        p->ply = is_own_turn(p, start) ? start.placed : start.placed + 1;
        ready = is_own_turn(p, start) ? add_position(p, position_of(p->space, start.own, start.other))
                                      : add_turns(p, start.own, start.other);
    }
    return ready;
}

/* Go from the entries of the turn before to the positions of this one. */
static int advance(mw_proof *p) {
    uint64_t *before = p->level, count = p->count;
    int ready = 1;
    p->level = NULL, p->count = p->space_for = 0;
    p->ply += 2;
    for (uint64_t i = 0; i < count && ready; i++) {
        uint32_t own = (uint32_t)(before[i] >> 40), other = before[i] >> 16 & 0xffffff, taken = before[i] & 255;
        own |= 1u << (before[i] >> 8 & 31);
        if (taken != MW_NOTHING) other &= ~(1u << taken);
        if (!beaten(p, other, p->ply - 1, 1 - p->side)) ready = add_turns(p, own, other);
    }
    free(before);
    return ready;
}

int64_t mw_proof_collect(mw_proof *proof, const mw_placing *starts, int32_t count, const uint64_t **entries) {
    if (!(starts ? begin(proof, starts, count) : advance(proof))) return -1;
    if (proof->count) sort_level(proof);
    for (uint64_t i = 0; i < proof->count; i++) {
        uint64_t position = proof->level[i];
        uint64_t known = *slot_of(proof->known, proof->room, position << 5 | (uint64_t)proof->ply);
        uint64_t taken = known & 31;
        proof->level[i] = position << 16 | (known >> 5 & 31) << 8 | (taken == NO_CAPTURE ? MW_NOTHING : taken);
    }
    *entries = proof->level;
    return (int64_t)proof->count;
}
