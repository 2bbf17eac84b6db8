/* The check of a certificate: all positions that can arise under its replies, turn by turn. */
#include <stdlib.h>

#include "certificate.h"
#include "tables_check.h"

/* A growing list of positions, in which each is kept once. */
typedef struct {
    uint64_t *items, count, room;
} list;

typedef struct {
    checker *checker;
    const mw_table *tables;
    int pieces, side, wins;
    mw_audit *audit;
    list next;
    int no_memory;
} walk;

static uint64_t least_image(const checker *c, uint32_t own, uint32_t other) {
    uint64_t least = UINT64_MAX;
    for (int s = 0; s < c->rules->symmetries; s++) {
        uint64_t image = (uint64_t)mw_check_image(c, s, own) << 24;
        if (image > least) continue;
        image |= mw_check_image(c, s, other);
        if (image < least) least = image;
    }
    return least;
}

static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static void keep_once(list *l) {
    uint64_t kept = 0;
    if (l->count) qsort(l->items, l->count, sizeof *l->items, compare);
    for (uint64_t i = 0; i < l->count; i++)
        if (!i || l->items[i] != l->items[i - 1]) l->items[kept++] = l->items[i];
    l->count = kept;
}

static int append(list *l, uint64_t item) {
    if (l->count == l->room) {
        keep_once(l);
        if (l->count * 2 >= l->room) {
            uint64_t *more = realloc(l->items, (l->room = l->room ? l->room * 2 : 1024) * sizeof *more);
            if (!more) return 0;
            l->items = more;
        }
    }
    l->items[l->count++] = item;
    return 1;
}

static void fault(walk *w, uint64_t *counter, uint64_t position) {
    if (!w->audit->missing && !w->audit->illegal && !w->audit->lost) w->audit->first_wrong = position;
    ++*counter;
}

/* Return the stones that a player still has in hand after `placements` of both. */
static int in_hand(const walk *w, int placements, int side) {
    return w->pieces - placements / 2 - (side == 0 && placements % 2);
}

/* Return whether the tables have the player of the certificate at the goal. */
static int is_reached(const walk *w, uint32_t own, uint32_t other) {
    uint32_t mover = w->side ? other : own, waiting = w->side ? own : other;
    int stones = mw_check_stones(mover), others = mw_check_stones(waiting);
    int result = mw_check_read(w->tables[stones * (MW_STONES + 1) + others],
                               mw_check_place(w->checker, mover, waiting)).result;
    return result == (w->side ? MW_LOSS : MW_WIN) || (result == MW_DRAW && !w->wins);
}

/* Look at a position after a turn of the opponent: the last, or one for a reply. */
static void arrive(walk *w, uint32_t own, uint32_t other, int placements) {
    uint64_t position = least_image(w->checker, own, other);
    if (mw_check_stones(own) + in_hand(w, placements, w->side) < 3) fault(w, &w->audit->lost, position);
    else if (placements < 2 * w->pieces) {
        if (!append(&w->next, position)) w->no_memory = 1;
    } else {
        w->audit->leaves++;
        if (!is_reached(w, own, other)) fault(w, &w->audit->lost, position);
    }
}

/* Play all turns of the opponent, whose stones are MINE on the board here. */
static void play_opponent(walk *w, int *board, int placements) {
    const checker *c = w->checker;
    for (int to = 0; to < c->rules->nodes; to++) {
        int taken = 0;
        if (board[to] != EMPTY) continue;
        board[to] = MINE;
        for (int node = 0; mw_check_in_mill(c, board, to) && node < c->rules->nodes; node++) {
            if (!mw_check_can_take(c, board, node)) continue;
            taken = 1;
            board[node] = EMPTY;
            arrive(w, mw_check_set(c, board, THEIRS), mw_check_set(c, board, MINE), placements + 1);
            board[node] = THEIRS;
        }
        if (!taken) arrive(w, mw_check_set(c, board, THEIRS), mw_check_set(c, board, MINE), placements + 1);
        board[to] = EMPTY;
    }
}

static void lay_out(const checker *c, uint32_t mine, uint32_t theirs, int *board) {
    for (int node = 0; node < c->rules->nodes; node++)
        board[node] = mine >> node & 1 ? MINE : theirs >> node & 1 ? THEIRS : EMPTY;
}

/* Play a reply on the board; returns 0 if it is illegal. */
static int play_reply(const walk *w, int *board, int to, int taken) {
    const checker *c = w->checker;
    int can_take = 0;
    if (to >= c->rules->nodes || board[to] != EMPTY) return 0;
    board[to] = MINE;
    for (int node = 0; mw_check_in_mill(c, board, to) && node < c->rules->nodes; node++)
        can_take |= mw_check_can_take(c, board, node);
    if (!can_take) return taken == MW_NOTHING;
    if (taken >= c->rules->nodes || !mw_check_can_take(c, board, taken)) return 0;
    board[taken] = EMPTY;
    return 1;
}

/* Follow the reply to a position with the player to move, and all turns after it. */
static void follow(walk *w, uint64_t position, int placements, const uint64_t *entry) {
    const checker *c = w->checker;
    int board[MW_NODES], swapped[MW_NODES];
    w->audit->entries++;
    lay_out(c, (uint32_t)(position >> 24), (uint32_t)(position & 0xffffff), board);
    if (!entry) {
        fault(w, &w->audit->missing, position);
        return;
    }
    if (!play_reply(w, board, (int)(*entry >> 8 & 255), (int)(*entry & 255))) {
        fault(w, &w->audit->illegal, position);
        return;
    }
    uint32_t own = mw_check_set(c, board, MINE), other = mw_check_set(c, board, THEIRS);
    placements++;
    if (mw_check_stones(other) + in_hand(w, placements, 1 - w->side) < 3) return;
    if (placements == 2 * w->pieces) {
        w->audit->leaves++;
        if (!is_reached(w, own, other)) fault(w, &w->audit->lost, position);
        return;
    }
    lay_out(c, other, own, swapped);
    play_opponent(w, swapped, placements);
}

static const uint64_t *entry_of(const uint64_t *entries, uint64_t count, uint64_t position) {
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (entries[middle] >> 16 < position) low = middle + 1;
        else high = middle;
    }
    return low < count && entries[low] >> 16 == position ? &entries[low] : NULL;
}

/* Begin with a start, or with all turns of the opponent after it. */
static void begin(walk *w, mw_placing start) {
    int board[MW_NODES];
    if (start.placed % 2 == w->side || start.placed == 2 * w->pieces) {
        arrive(w, start.own, start.other, start.placed);
        return;
    }
    lay_out(w->checker, start.other, start.own, board);
    play_opponent(w, board, start.placed);
}

static int walk_turns(walk *w, int placed, const uint64_t *const *entries, const uint64_t *counts,
                      mw_progress progress) {
    for (int turn = (placed + 1 - w->side) / 2; turn < w->pieces; turn++) {
        list now = w->next;
        int stopped = 0;
        w->next = (list){NULL, 0, 0};
        keep_once(&now);
        for (uint64_t i = 0; i < now.count && !stopped && !w->no_memory; i++) {
            stopped = !(i & 4095) && progress && progress(turn, i, now.count);
            follow(w, now.items[i], 2 * turn + w->side, entry_of(entries[turn], counts[turn], now.items[i]));
        }
        free(now.items);
        if (stopped) return MW_STOPPED;
    }
    return w->no_memory ? MW_NO_MEMORY : MW_OK;
}

int32_t mw_audit_run(const mw_rules *rules, const mw_table *tables, mw_goal goal, const mw_placing *starts,
                     int32_t count, const uint64_t *const *entries, const uint64_t *counts, mw_audit *audit,
                     mw_progress progress) {
    walk w = {.tables = tables, .pieces = goal.pieces, .side = goal.side, .wins = goal.wins, .audit = audit};
    int32_t result = MW_NO_MEMORY;
    *audit = (mw_audit){0, 0, 0, 0, 0, 0};
    if (!(w.checker = mw_check_new(rules))) return result;
    int ready = 1;
    for (int stones = 3; stones <= w.pieces && ready; stones++) ready = mw_check_orbits(w.checker, stones);
    for (int i = 0; i < count && ready; i++) begin(&w, starts[i]);
    if (ready && count) result = walk_turns(&w, starts[0].placed, entries, counts, progress);
    free(w.next.items);
    mw_check_free(w.checker);
    return result;
}
