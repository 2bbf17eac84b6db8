/* The values of a sector with pieces in hand, from those of the positions one placement later.
 *
 * Each placement leads to the next layer, so one pass is enough. All positions with the same stones of the player
 * who does not move form a block: a placement leaves these stones alone or takes one, so the positions after it
 * are in one block of the next layer, and in one more for each stone that may be taken. The blocks fit a small
 * cache; they are read in order, and each value is passed on to the positions before it. Only the results are
 * written here and there in the sector, once for each position that isn't drawn.
 */
#include <string.h>

#include "tables_space.h"

enum { BEST_WIN = 2, BEST_DRAW = 1 };
enum { WAITING = 64 };

/* The worth of a position to the player who leads to it, by its value for the opponent. */
static const uint8_t worth[4] = {BEST_DRAW, 0, BEST_WIN, 0};

typedef struct {
    uint32_t map[3][256]; /* from the free nodes of a block to those that its stones leave after the capture */
    uint64_t base;
} capture;

typedef struct {
    const mw_space *space;
    int stones, others, wins;  /* of the player who places, and of the other; a capture wins */
    mw_table quiet, captured;  /* the sectors one placement later */
    uint32_t before, after;    /* the sets in a block, without and with the placement */
    uint32_t *sets, *sets_after;
    uint8_t *best, *packed;
    uint32_t lines[MW_LINES], unpacked[3][256];
    int line_count, capture_count;
    capture captures[MW_STONES];
    uint64_t waiting[WAITING], written; /* values on their way: places times 4, and results */
} layer;

/* Return the best worth of the captures after which the mover's stones are `set`. */
static int best_capture(const layer *l, uint32_t set) {
    int best = 0;
    for (int i = 0; i < l->capture_count && best < BEST_WIN; i++) {
        const capture *c = &l->captures[i];
        int value = l->wins ? BEST_WIN
                            : worth[mw_value_at(l->captured, c->base + mw_rank(l->space, mw_mapped(c->map, set)))];
        if (value > best) best = value;
    }
    return best;
}

/* Note the worth of reaching `set` by one of its stones that are in `placed`. */
static void pass_on(const layer *l, uint32_t set, uint32_t placed, int value) {
    for (; value && placed; placed &= placed - 1)
        l->best[mw_rank(l->space, set & ~(placed & (0u - placed)))] |= (uint8_t)value;
}

static uint32_t standing_mills(const layer *l, uint32_t set) {
    uint32_t mills = 0;
    for (int i = 0; i < l->line_count; i++)
        if ((set & l->lines[i]) == l->lines[i]) mills |= l->lines[i];
    return mills;
}

/* Prepare the free nodes around the stones of the player who doesn't move, and the captures of these. */
static void open_block(layer *l, uint32_t others) {
    const mw_space *space = l->space;
    uint32_t free_nodes = space->all & ~others, node[MW_NODES], image[MW_NODES];
    int nodes = 0;
    for (uint32_t rest = free_nodes; rest; rest &= rest - 1) node[nodes++] = rest & (0u - rest);
    mw_fill_map(l->unpacked, node, nodes);
    l->line_count = l->capture_count = 0;
    uint32_t open = mw_removable(&space->rules, others);
    for (int i = 0; i < space->rules.lines && open; i++) /* if nothing may be taken, mills are quiet */
        if (!(space->rules.line[i] & others)) l->lines[l->line_count++] = mw_packed(space, space->rules.line[i], free_nodes);
    for (; open; open &= open - 1) {
        capture *c = &l->captures[l->capture_count++];
        if (l->wins) continue;
        uint32_t left = others & ~(open & (0u - open)), entry = space->orbit[l->others - 1][mw_rank(space, left)];
        uint32_t orbit = entry >> 4, own = space->representative[l->others - 1][orbit];
        for (int i = 0; i < nodes; i++)
            image[i] = mw_packed(space, mw_moved(space, (int)(entry & 15), node[i]), space->all & ~own);
        mw_fill_map(c->map, image, nodes);
        c->base = orbit * (uint64_t)space->choose[nodes + 1][l->stones + 1];
    }
}

/* Write a result as soon as as many others have followed, since its place is in no cache yet. */
static void write_later(layer *l, uint64_t at, int result) {
    uint64_t *slot = &l->waiting[l->written++ % WAITING], due = *slot;
#if defined(__GNUC__)
    __builtin_prefetch(&l->packed[at >> 2], 1);
#endif
    *slot = at << 2 | (uint64_t)result;
    l->packed[due >> 4] |= (uint8_t)((due & 3) << (2 * (due >> 2 & 3)));
}

/* Write the values of the positions of a block that aren't drawn. */
static void write_block(layer *l, uint32_t others) {
    uint64_t room = l->space->choose[l->space->rules.nodes - l->stones][l->others];
    for (uint32_t i = 0; i < l->before; i++) {
        if (l->best[i] == BEST_DRAW) continue;
        int result = l->best[i] ? MW_WIN : MW_LOSS;
        mw_copies copies = mw_copies_of(l->space, l->stones, room, mw_mapped(l->unpacked, l->sets[i]), others);
        while (copies.keeping) write_later(l, mw_next_copy(&copies), result);
    }
}

static void solve_block(layer *l, uint32_t orbit) {
    uint32_t others = l->space->representative[l->others][orbit];
    uint64_t base = orbit * (uint64_t)l->after;
    open_block(l, others);
    memset(l->best, 0, l->before);
    for (uint32_t i = 0; i < l->after; i++) {
        uint32_t set = l->sets_after[i], mills = standing_mills(l, set);
        pass_on(l, set, set & ~mills, worth[mw_value_at(l->quiet, base + i)]);
        if (mills) pass_on(l, set, mills, best_capture(l, set));
    }
    write_block(l, others);
}

static int prepare(layer *l, mw_space *space, int mine, int theirs) {
    int nodes = space->rules.nodes - theirs;
    for (int stones = theirs ? theirs - 1 : 0; stones <= theirs; stones++)
        if (mw_orbits(space, stones) < 0) return 0;
    if (mw_orbits(space, mine) < 0) return 0;
    l->space = space, l->stones = mine, l->others = theirs;
    l->before = space->choose[nodes][mine], l->after = space->choose[nodes][mine + 1];
    l->sets = mw_sets(space, nodes, mine), l->sets_after = mw_sets(space, nodes, mine + 1);
    l->best = malloc(l->before);
    return l->sets && l->sets_after && l->best;
}

int32_t mw_build_placing(mw_space *space, int32_t mine, int32_t theirs, mw_table quiet, mw_table captured,
                         int32_t wins, uint8_t *packed, mw_progress progress) {
    layer l = {.wins = wins, .quiet = quiet, .captured = captured, .packed = packed};
    int32_t result = prepare(&l, space, mine, theirs) ? MW_OK : MW_NO_MEMORY;
    int64_t blocks = result ? 0 : space->orbits[theirs];
    for (int64_t orbit = 0; orbit < blocks && !result; orbit++) {
        if (!(orbit & 63) && progress && progress(0, (uint64_t)orbit, (uint64_t)blocks)) result = MW_STOPPED;
        else solve_block(&l, (uint32_t)orbit);
    }
    for (int i = 0; i < WAITING; i++) write_later(&l, 0, MW_DRAW);
    free(l.sets), free(l.sets_after), free(l.best);
    return result;
}

mw_summary mw_count_results(const uint8_t *packed, uint64_t size) {
    uint64_t found[4] = {0};
    mw_table table = {packed, MW_KIND_WDL};
    for (uint64_t i = 0; i < size; i++) found[mw_value_at(table, i)]++;
    return (mw_summary){found[MW_WIN], found[MW_LOSS], found[MW_DRAW], 0};
}
