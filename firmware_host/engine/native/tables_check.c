/* Checks of solved sectors: each value must follow from those of the positions one turn later.
 *
 * Nothing here is shared with the builder but mw.h: the turns are played forwards on an array of points, and the
 * index is found by trying all symmetries, point by point. A distance falls with each turn of a win, so where
 * the distances agree everywhere, every win and loss is proved, and with them every draw.
 */
#include <stdlib.h>

#include "tables_check.h"

uint32_t mw_check_image(const checker *c, int symmetry, uint32_t set) {
    const uint8_t *moved = c->rules->symmetry[symmetry];
    uint32_t image = 0;
    for (int node = 0; node < MW_NODES; node++) image |= (set >> node & 1) << moved[node];
    return image;
}

int mw_check_stones(uint32_t set) {
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

/* Return the next set with as many nodes: the lowest that can moves up one, and those below it move down. */
static uint32_t following(uint32_t set) {
    int low = 0, run = 0;
    while (!(set >> low & 1)) low++;
    while (set >> (low + run) & 1) run++;
    return ((set >> (low + run) | 1) << (low + run)) | ((1u << (run - 1)) - 1);
}

int mw_check_orbits(checker *c, int stones) {
    uint32_t size = 64, end = 1u << c->rules->nodes;
    if (stones < 3 || c->orbits[stones]) return 1;
    c->orbits[stones] = malloc(size * sizeof(uint32_t));
    for (uint32_t set = (1u << stones) - 1; set < end && c->orbits[stones]; set = following(set)) {
        int least = 1;
        for (int s = 0; least && s < c->rules->symmetries; s++) least = mw_check_image(c, s, set) >= set;
        if (!least) continue;
        if (c->orbit_count[stones] == size) {
            uint32_t *more = realloc(c->orbits[stones], (size *= 2) * sizeof(uint32_t));
            if (!more) return 0;
            c->orbits[stones] = more;
        }
        c->orbits[stones][c->orbit_count[stones]++] = set;
    }
    return c->orbits[stones] != NULL;
}

static const struct home *home_of(checker *c, uint32_t own, int stones) {
    struct home *home = &c->homes[own * 2654435761u >> 22];
    uint32_t low = 0, high = c->orbit_count[stones];
    if (home->own == own) return home;
    home->own = home->least = own, home->symmetry = 0;
    for (int s = 0; s < c->rules->symmetries; s++) {
        uint32_t image = mw_check_image(c, s, own);
        if (image < home->least) home->least = image, home->symmetry = s;
    }
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->orbits[stones][middle] <= home->least) low = middle;
        else high = middle;
    }
    home->orbit = low;
    return home;
}

/* Return the index of the position in which the player with `own` is to move. */
uint64_t mw_check_place(checker *c, uint32_t own, uint32_t others) {
    int stones = mw_check_stones(own), found = 0, taken = 0;
    const struct home *home = home_of(c, own, stones);
    uint64_t rank = 0;
    others = mw_check_image(c, home->symmetry, others);
    for (int node = 0; node < MW_NODES; node++) { /* no branch, since none could be foretold */
        uint64_t other = others >> node & 1;
        found += (int)other;
        rank += (0 - other) & c->choose[node - taken][found];
        taken += (int)(home->least >> node & 1);
    }
    return home->orbit * c->choose[c->rules->nodes - stones][found] + rank;
}

value mw_check_read(mw_table table, uint64_t at) {
    value read = {MW_DRAW, -1};
    int cell, losses;
    if (table.kind == MW_KIND_WDL) {
        read.result = table.values[at / 4] >> at % 4 * 2 & 3;
        return read;
    }
    if (table.kind == MW_KIND_WIDE) cell = table.values[2 * at] + 256 * table.values[2 * at + 1], losses = 32768;
    else cell = table.values[at], losses = 128;
    if (!cell) return read;
    read.result = cell < losses ? MW_WIN : MW_LOSS;
    read.distance = cell < losses ? cell : cell - losses;
    return read;
}

int mw_check_in_mill(const checker *c, const int *board, int node) {
    int mills = 0;
    for (int i = 0; i < c->lines_through[node]; i++) {
        const uint8_t *others = c->line_others[node][i];
        mills += board[others[0]] == board[node] && board[others[1]] == board[node];
    }
    return mills;
}

uint32_t mw_check_set(const checker *c, const int *board, int side) {
    uint32_t set = 0;
    for (int node = 0; node < c->rules->nodes; node++) set |= (uint32_t)(board[node] == side) << node;
    return set;
}

/* Note the position after a whole turn; the opponent is to move in it. */
static void note_turn(checker *c, const int *board) {
    uint32_t own = mw_check_set(c, board, MINE), others = mw_check_set(c, board, THEIRS);
    value after = {MW_LOSS, 0};
    if (mw_check_stones(others) >= 3)
        after = mw_check_read(c->captured ? c->lower[c->captured - 1] : c->other, mw_check_place(c, others, own));
    c->turns++;
    int distance = c->captured ? 1 : after.distance + 1;
    if (!c->captured && after.result != MW_DRAW && after.distance < 0) c->known = 0;
    if (after.result == MW_DRAW) c->any_draw = 1;
    if (after.result == MW_WIN && distance > c->slowest) c->slowest = distance;
    if (after.result != MW_LOSS) return;
    if (c->captured || !after.distance) c->quick_win = 1;
    if (!c->fastest || distance < c->fastest) c->fastest = distance > 0 ? distance : 1;
}

int mw_check_can_take(const checker *c, const int *board, int node) {
    int count = 0, open = 0;
    if (board[node] != THEIRS) return 0;
    if (c->rules->protection == MW_PROTECT_NONE || !mw_check_in_mill(c, board, node)) return 1;
    for (int other = 0; other < c->rules->nodes; other++) {
        if (board[other] != THEIRS) continue;
        count++;
        open += !mw_check_in_mill(c, board, other);
    }
    if (c->rules->protection == MW_PROTECT_UNLESS_THREE) return count == 3;
    return c->rules->protection == MW_PROTECT_UNLESS_ALL && !open;
}

static void end_turn(checker *c, int *board, int due) {
    int taken = 0, left = 0;
    for (int node = 0; node < c->rules->nodes; node++) left += board[node] == THEIRS;
    for (int node = 0; due && left >= 3 && node < c->rules->nodes; node++) {
        if (!mw_check_can_take(c, board, node)) continue;
        taken = 1;
        board[node] = EMPTY, c->captured++;
        end_turn(c, board, due - 1);
        board[node] = THEIRS, c->captured--;
    }
    if (!taken || c->rules->may) note_turn(c, board);
}

static int flies(const mw_rules *rules, int mine, int theirs) {
    if (rules->flying == MW_FLY_NEVER) return 0;
    return mine == 3 || (rules->flying == MW_FLY_BOTH && theirs == 3);
}

static void play_turns(checker *c, int *board, int flying) {
    for (int from = 0; from < c->rules->nodes; from++)
        for (int to = 0; board[from] == MINE && to < c->rules->nodes; to++) {
            if (board[to] != EMPTY || !(flying || c->rules->adjacency[from] >> to & 1)) continue;
            board[from] = EMPTY, board[to] = MINE;
            int mills = mw_check_in_mill(c, board, to);
            end_turn(c, board, c->rules->per_mill ? mills : mills > 0);
            board[from] = MINE, board[to] = EMPTY;
        }
}

/* Return the value that follows from the next turns, without a distance where a table has none. */
static value follows(checker *c, int *board, int flying) {
    int limit = c->rules->limit;
    value found = {MW_DRAW, -1};
    c->turns = c->any_draw = c->slowest = c->fastest = c->quick_win = c->captured = 0, c->known = 1;
    play_turns(c, board, flying);
    if (c->fastest) found.result = MW_WIN, found.distance = c->quick_win ? 1 : c->fastest;
    else if (!c->any_draw) found.result = MW_LOSS, found.distance = c->slowest;
    if (!c->known && !c->quick_win) found.distance = -1;
    if (limit && found.distance > limit) found.result = MW_DRAW;
    if (found.result == MW_DRAW) found.distance = -1;
    return found;
}

static void set_up(const checker *c, int mine, int theirs, uint64_t index, int *board) {
    uint64_t room = c->choose[c->rules->nodes - mine][theirs], rank = index % room;
    uint32_t own = c->orbits[mine][index / room];
    int left = theirs, higher = c->rules->nodes - mine;
    for (int node = c->rules->nodes - 1; node >= 0; node--) {
        board[node] = own >> node & 1 ? MINE : EMPTY;
        if (board[node] == MINE) continue;
        higher--;
        if (left && c->choose[higher][left] <= rank) rank -= c->choose[higher][left--], board[node] = THEIRS;
    }
}

static int agree(value stored, value right, int cut) {
    if (stored.result != right.result)
        return cut && stored.result == MW_DRAW && right.distance < 0; /* too slow, maybe: no table tells */
    return stored.distance < 0 || right.distance < 0 || stored.distance == right.distance;
}

static int64_t check_all(checker *c, int mine, int theirs, uint64_t first, uint64_t step, int cut,
                         uint64_t *where, mw_progress progress) {
    uint64_t size = c->orbit_count[mine] * c->choose[c->rules->nodes - mine][theirs], done = 0;
    int flying = flies(c->rules, mine, theirs), board[MW_NODES];
    int64_t wrong = 0;
    for (uint64_t at = first; at < size; at += step, done++) {
        if (!(done & 16383) && progress && progress(0, at, size)) break;
        set_up(c, mine, theirs, at, board);
        if (agree(mw_check_read(c->same, at), follows(c, board, flying), cut)) continue;
        if (!wrong++) *where = at;
    }
    return wrong;
}

/* Note the two other nodes of each line through a node. */
static void note_lines(checker *c, int node) {
    for (int i = 0; i < c->rules->lines; i++) {
        if (!(c->rules->line[i] >> node & 1)) continue;
        uint8_t *others = c->line_others[node][c->lines_through[node]++];
        for (int other = 0; other < c->rules->nodes; other++)
            if (other != node && c->rules->line[i] >> other & 1) *others++ = (uint8_t)other;
    }
}

checker *mw_check_new(const mw_rules *rules) {
    checker *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->rules = rules;
    for (int node = 0; node < rules->nodes; node++) note_lines(c, node);
    for (int n = 0; n <= MW_NODES; n++) {
        c->choose[n][0] = 1;
        for (int k = 1; k <= n; k++) c->choose[n][k] = c->choose[n - 1][k - 1] + (k < n ? c->choose[n - 1][k] : 0);
    }
    return c;
}

void mw_check_free(checker *c) {
    for (int stones = 0; c && stones <= MW_STONES; stones++) free(c->orbits[stones]);
    free(c);
}

int64_t mw_check(const mw_rules *rules, int32_t mine, int32_t theirs, mw_table same, mw_table other,
                 const mw_table lower[3], int32_t cut, uint64_t first, uint64_t step, uint64_t *where,
                 mw_progress progress) {
    checker *c = mw_check_new(rules);
    int64_t wrong = -1;
    int ready = c != NULL;
    if (!c) return -1;
    c->same = same, c->other = other;
    for (int i = 0; i < 3; i++) c->lower[i] = lower[i];
    for (int taken = 0; taken <= 3 && ready; taken++) ready = mw_check_orbits(c, theirs - taken);
    if (ready && mw_check_orbits(c, mine)) wrong = check_all(c, mine, theirs, first, step, cut, where, progress);
    mw_check_free(c);
    return wrong;
}
