/* Alpha-beta search of the mill family; see search.h. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#define WIN 10000
#define DECIDED 8000
#define MIDDLES 0x555555u
#define CORNERS 0xAAAAAAu
#define COLUMNS 0x010101u
#define STOP_INTERVAL 1024 /* nodes from one question whether to stop to the next */
#define PROBE_WORTH 128    /* nodes that take about as long as a question to tables */
#define LIKED_BITS 12
#define CLOSING (INT32_MAX / 2)  /* the ranks of turns: known to be best, closing, blocking, killing, liked */
#define BLOCKING (INT32_MAX / 4)
#define KILLING (INT32_MAX / 8)
#define MAX_LIKED (INT32_MAX / 16)
#define KILLER_DEPTHS 64
#define REDUCED_DEPTH 3 /* the least depth at which late turns are searched less deep, */
#define REDUCED_FROM 2  /* the turns tried before the first of them, */
#define REDUCED_TWICE_DEPTH 4
#define REDUCED_TWICE_FROM 5 /* and the same for one turn less again */

enum { FLY_NEVER, FLY_OWN, FLY_BOTH };
enum { PROTECT_UNLESS_ALL, PROTECT_ALWAYS, PROTECT_UNLESS_THREE, PROTECT_NONE };
enum { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };

typedef struct {
    uint32_t mine, theirs;
    int32_t my_hand;
    int32_t rank;
} change;

typedef struct {
    uint64_t key;
    uint32_t mine, theirs;
    int16_t value;
    int8_t depth, bound, my_hand, used;
} entry;

struct mw_search {
    mw_search_rules rules;
    mw_search_probe probe;
    uint32_t sectors[MW_SEARCH_STONES]; /* those that `probe` may know */
    mw_search_stop stop;
    uint64_t nodes, last;
    uint32_t unasked; /* nodes since the last question whether to stop */
    int32_t stopped;
    uint64_t *drawn;
    size_t drawns, room_for_drawn;
    entry *known;
    int32_t shift; /* 64 less the bits of a number of an entry */
    change *changes; /* a stack of the turns of all nodes on the way down */
    size_t room, used;
    uint32_t liked[1 << LIKED_BITS];
    uint32_t killers[KILLER_DEPTHS][2][2]; /* by depth and side: the quiet turns that refuted others last */
};

static inline int count(uint32_t set) {
    set -= set >> 1 & 0x55555555u;
    set = (set & 0x33333333u) + (set >> 2 & 0x33333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

static inline uint32_t clockwise(uint32_t set) { return (set << 1 & 0xFEFEFEu) | (set >> 7 & 0x010101u); }
static inline uint32_t anticlockwise(uint32_t set) { return (set >> 1 & 0x7F7F7Fu) | (set << 7 & 0x808080u); }

static inline uint32_t reach(const mw_search_rules *r, uint32_t own) {
    uint32_t across = own & r->spokes * COLUMNS;
    return clockwise(own) | anticlockwise(own) | across << 8 | across >> 8;
}

static uint32_t completing(const mw_search_rules *r, uint32_t own) {
    uint32_t after = clockwise(own), before = anticlockwise(own);
    uint32_t inner = own & r->spokes, middle = own >> 8 & r->spokes, outer = own >> 16 & r->spokes;
    uint32_t found = after & before & MIDDLES;
    found |= CORNERS & ((after & clockwise(after)) | (before & anticlockwise(before)));
    return found | (middle & outer) | (inner & outer) << 8 | (inner & middle) << 16;
}

static uint32_t mills(const mw_search_rules *r, uint32_t own) {
    uint32_t sides = own & clockwise(own) & anticlockwise(own) & MIDDLES;
    uint32_t across = own & own >> 8 & own >> 16 & r->spokes;
    return sides | clockwise(sides) | anticlockwise(sides) | across * COLUMNS;
}

/* Return the number of mills of `own` that contain `target`. */
static int mills_through(const mw_search_rules *r, uint32_t own, uint32_t target) {
    uint32_t after = clockwise(own), before = anticlockwise(own);
    uint32_t sides = own & after & before & MIDDLES;
    uint32_t across = own & own >> 8 & own >> 16 & r->spokes;
    int found = count((sides | clockwise(sides) | anticlockwise(sides)) & target);
    if (target & CORNERS) found = count(sides & (clockwise(target) | anticlockwise(target)));
    return found + (across * COLUMNS & target ? 1 : 0);
}

static uint32_t removable(const mw_search_rules *r, uint32_t theirs) {
    uint32_t open;
    if (r->protection == PROTECT_NONE) return theirs;
    open = theirs & ~mills(r, theirs);
    if (r->protection == PROTECT_ALWAYS || (r->protection == PROTECT_UNLESS_THREE && count(theirs) != 3))
        return open;
    return open ? open : theirs;
}

static int flies(const mw_search_rules *r, uint32_t mine, uint32_t theirs, int my_hand, int their_hand) {
    if (my_hand || r->flying == FLY_NEVER) return 0;
    if (count(mine) == 3 && (r->flying == FLY_OWN || !their_hand)) return 1;
    return r->flying == FLY_BOTH && !their_hand && count(theirs) == 3;
}

static void push(mw_search *s, uint32_t mine, uint32_t theirs, int my_hand, int rank) {
    if (s->used == s->room) {
        size_t room = s->room ? 2 * s->room : 4096;
        change *changes = realloc(s->changes, room * sizeof *changes);
        if (!changes) {
            s->stopped = 1;
            return;
        }
        s->changes = changes;
        s->room = room;
    }
    s->changes[s->used].mine = mine;
    s->changes[s->used].theirs = theirs;
    s->changes[s->used].my_hand = my_hand;
    s->changes[s->used++].rank = rank;
}

static void push_removals(mw_search *s, uint32_t mine, uint32_t theirs, int my_hand, int their_hand, int due) {
    uint32_t open = removable(&s->rules, theirs);
    if (!open || !due || count(theirs) + their_hand < 3) {
        push(s, mine, theirs, my_hand, CLOSING);
        return;
    }
    if (s->rules.may) push(s, mine, theirs, my_hand, 0);
    for (; open; open &= open - 1) {
        uint32_t left = theirs & ~(open & (0 - open));
        if (due > 1)
            push_removals(s, mine, left, my_hand, their_hand, due - 1);
        else
            push(s, mine, left, my_hand, CLOSING);
    }
}

static void push_closing(mw_search *s, uint32_t rest, uint32_t targets, uint32_t theirs, int my_hand,
                         int their_hand) {
    for (; targets; targets &= targets - 1) {
        uint32_t target = targets & (0 - targets), mine = rest | target;
        push_removals(s, mine, theirs, my_hand, their_hand,
                      s->rules.per_mill ? mills_through(&s->rules, mine, target) : 1);
    }
}

static inline uint32_t liking(uint32_t moved, int side) {
    return ((moved | (uint32_t)side << 24) * 0x9E3779B1u) >> (32 - LIKED_BITS);
}

static void push_quiet(mw_search *s, uint32_t rest, uint32_t targets, uint32_t before, uint32_t theirs,
                       int my_hand, int side) {
    for (; targets; targets &= targets - 1) {
        uint32_t mine = rest | (targets & (0 - targets));
        push(s, mine, theirs, my_hand, (int32_t)s->liked[liking(before ^ mine, side)]);
    }
}

/* Push the turns of a node, or only those that close a mill. */
static void push_turns(mw_search *s, const mw_node *n, int all, int side) {
    const mw_search_rules *r = &s->rules;
    uint32_t empty = r->usable & ~(n->mine | n->theirs), chances = completing(r, n->mine) & empty, pieces;
    int fly;
    if (!all && !chances) return;
    if (n->my_hand) {
        if (all) push_quiet(s, n->mine, empty & ~chances, n->mine, n->theirs, n->my_hand - 1, side);
        push_closing(s, n->mine, chances, n->theirs, n->my_hand - 1, n->their_hand);
        if (!r->move_while_placing) return;
    }
    fly = flies(r, n->mine, n->theirs, n->my_hand, n->their_hand);
    for (pieces = n->mine; pieces; pieces &= pieces - 1) {
        uint32_t piece = pieces & (0 - pieces), rest = n->mine ^ piece;
        uint32_t targets = (fly ? empty : reach(r, piece) & empty), chosen = targets & chances;
        if (chosen) {
            chosen &= completing(r, rest);
            push_closing(s, rest, chosen, n->theirs, n->my_hand, n->their_hand);
        }
        if (all) push_quiet(s, rest, targets & ~chosen, n->mine, n->theirs, n->my_hand, side);
    }
}

static int can_move(const mw_search_rules *r, const mw_node *n) {
    uint32_t empty = r->usable & ~(n->mine | n->theirs);
    return (reach(r, n->mine) & empty) || (empty && flies(r, n->mine, n->theirs, n->my_hand, n->their_hand));
}

static int side_worth(const mw_search_rules *r, uint32_t own, uint32_t empty, int fly) {
    uint32_t after = clockwise(own), before = anticlockwise(own), middles = own & MIDDLES;
    uint32_t inner = own & r->spokes, middle = own >> 8 & r->spokes, outer = own >> 16 & r->spokes;
    int pieces = count(own), mobility = r->flying_worth, shut_in = 0;
    int twos = count(empty & after & before & MIDDLES) + count(middles & after & anticlockwise(empty)) +
               count(middles & before & clockwise(empty)) +
               count((inner & middle & empty >> 16) | (inner & outer & empty >> 8) | (middle & outer & empty));
    int closed = count(middles & after & before) + count(inner & middle & outer);
    int degree = 2 * pieces + count(own & r->crossing[0]) + count(own & r->crossing[1]);
    if (!fly) {
        uint32_t across = own & r->spokes * COLUMNS;
        mobility = count(after & empty) + count(before & empty) + count(across << 8 & empty) +
                   count(across >> 8 & empty);
        shut_in = count(own & ~reach(r, empty));
    }
    return r->material * pieces + r->mobility * mobility + r->twos * twos + r->mills * closed +
           r->degree * degree + r->shut_in * shut_in;
}

static int evaluate(const mw_search_rules *r, const mw_node *n) {
    uint32_t empty = r->usable & ~(n->mine | n->theirs);
    return side_worth(r, n->mine, empty, flies(r, n->mine, n->theirs, n->my_hand, n->their_hand)) -
           side_worth(r, n->theirs, empty, flies(r, n->theirs, n->mine, n->their_hand, n->my_hand)) +
           r->material * (n->my_hand - n->their_hand);
}

static uint64_t key_of(const mw_search *s, const mw_node *n, int side, int quiet) {
    uint64_t key = n->mine | (uint64_t)n->theirs << 24 | (uint64_t)n->my_hand << 48;
    key |= (uint64_t)n->their_hand << 52 | (uint64_t)side << 56;
    return s->rules.quiet_limit ? key | (uint64_t)(quiet & 127) << 57 : key;
}

static inline int nearer(int value) { return value > DECIDED ? value - 1 : value < -DECIDED ? value + 1 : value; }
static inline int farther(int bound) { return bound > DECIDED ? bound + 1 : bound < -DECIDED ? bound - 1 : bound; }

static void ask_to_stop(mw_search *s) {
    s->unasked = 0;
    if (s->stop()) s->stopped = 1;
}

/* Return the value if the game is over or tables know it, else MW_NO_VALUE; count the node. */
static int ended(mw_search *s, const mw_node *n, int side, int quiet, int depth) {
    const mw_search_rules *r = &s->rules;
    int stones = count(n->mine);
    s->nodes++;
    if (s->last && s->nodes >= s->last) s->stopped = 1;
    if (s->stop && ++s->unasked >= STOP_INTERVAL) ask_to_stop(s);
    if (stones + n->my_hand < 3) return -WIN;
    if ((n->mine | n->theirs) == r->usable) return r->full_board[side];
    if (!n->my_hand && !can_move(r, n)) return -WIN;
    if (r->quiet_limit && quiet >= r->quiet_limit) return 0;
    if (s->drawns) {
        uint64_t key = key_of(s, n, side, 0) & (((uint64_t)1 << 57) - 1);
        for (size_t i = 0; i < s->drawns; i++)
            if (s->drawn[i] == key) return 0;
    }
    if (n->my_hand || n->their_hand || !(s->sectors[stones] >> count(n->theirs) & 1)) return MW_NO_VALUE;
    s->unasked += PROBE_WORTH;
    return s->probe(n->mine, n->theirs, quiet, depth);
}

static mw_node child_of(const mw_node *n, const change *c) {
    mw_node child;
    child.mine = c->theirs;
    child.theirs = c->mine;
    child.my_hand = n->their_hand;
    child.their_hand = c->my_hand;
    return child;
}

/* Return the quiet steps in a row after a turn; one that closes a mill is quiet too if it captures nothing. */
static int calm_after(const mw_node *n, const change *c, int quiet) {
    return c->my_hand != n->my_hand || c->theirs != n->theirs ? 0 : quiet + 1;
}

/* Move the best of the turns from `at` on to `at`. */
static void select_best(mw_search *s, size_t at, size_t end) {
    size_t best = at;
    for (size_t i = at + 1; i < end; i++)
        if (s->changes[i].rank > s->changes[best].rank) best = i;
    if (best != at) {
        change other = s->changes[at];
        s->changes[at] = s->changes[best];
        s->changes[best] = other;
    }
}

/* Return the value with up to `depth` closing turns in a row played out. */
static int settle(mw_search *s, const mw_node *n, int side, int quiet, int depth, int alpha, int beta) {
    int best = evaluate(&s->rules, n);
    size_t from = s->used;
    if (best >= beta || !depth) return best;
    if (best > alpha) alpha = best;
    push_turns(s, n, 0, side);
    for (size_t i = from; i < s->used && !s->stopped; i++) {
        mw_node child = child_of(n, &s->changes[i]);
        int calm = calm_after(n, &s->changes[i], quiet);
        int low = farther(alpha), high = farther(beta), value = ended(s, &child, 1 - side, calm, 0);
        if (value == MW_NO_VALUE) value = settle(s, &child, 1 - side, calm, depth - 1, -high, -low);
        value = nearer(-value);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    s->used = from;
    return best;
}

static int search(mw_search *s, const mw_node *n, int side, int quiet, int depth, int alpha, int beta);

/* Return the turns by which a turn is searched less deep, since `tried` likelier ones came before it.
 *
 * A proof stays one: a win has to be found by the search at its end, and a loss in every turn. */
static int reduction(const mw_search *s, const mw_node *n, const change *c, int depth, int tried) {
    if (!s->rules.deeper || depth < REDUCED_DEPTH || tried < REDUCED_FROM) return 0;
    if (c->rank >= BLOCKING || c->theirs != n->theirs) return 0;
    return tried >= REDUCED_TWICE_FROM && depth >= REDUCED_TWICE_DEPTH ? 2 : 1;
}

/* Return the value of a turn. All but the first are searched with no window first, and late ones less deep. */
static int turn_value(mw_search *s, const mw_node *n, const change *c, int side, int quiet, int depth,
                      int alpha, int beta, int tried) {
    mw_node child = child_of(n, c);
    int calm = calm_after(n, c, quiet), less = reduction(s, n, c, depth, tried);
    int low = farther(alpha), high = farther(beta), value;
    if (less) {
        value = nearer(-search(s, &child, 1 - side, calm, depth - 1 - less, -low - 1, -low));
        if (s->stopped || value <= alpha) return value;
    }
    if (tried && high - low > 1) {
        value = nearer(-search(s, &child, 1 - side, calm, depth - 1, -low - 1, -low));
        if (s->stopped || value <= alpha || value >= beta) return value;
    }
    return nearer(-search(s, &child, 1 - side, calm, depth - 1, -high, -low));
}

/* Return the entry of a key; if there is none, the one to replace: of two, the second unless the first is less deep. */
static entry *entry_of(const mw_search *s, uint64_t key, int depth) {
    /* Only the upper bits of the product depend on all of the key. */
    entry *pair = &s->known[(key * 0x9E3779B97F4A7C15ull >> s->shift) & ~(uint64_t)1];
    if (pair[0].used && pair[0].key == key) return pair;
    if (pair[1].used && pair[1].key == key) return pair + 1;
    return pair[0].used && pair[0].depth > depth ? pair + 1 : pair;
}

static int known_as(const entry *e, uint64_t key) { return e->used && e->key == key; }

static uint32_t *killers_of(mw_search *s, int side, int depth) {
    return s->killers[depth < KILLER_DEPTHS ? depth : KILLER_DEPTHS - 1][side];
}

/* Rank the turns of a node from `at` on: the best one known, then those that close, block or refuted others. */
static void rank_turns(mw_search *s, const mw_node *n, size_t at, const change *best, const uint32_t *killers) {
    uint32_t blocks = completing(&s->rules, n->theirs) & s->rules.usable & ~(n->mine | n->theirs);
    for (; at < s->used; at++) {
        change *c = &s->changes[at];
        uint32_t moved = n->mine ^ c->mine;
        if (c->mine == best->mine && c->theirs == best->theirs && c->my_hand == best->my_hand)
            c->rank = INT32_MAX;
        else if (c->rank < BLOCKING && c->mine & blocks)
            c->rank += BLOCKING;
        else if (c->rank < BLOCKING && (moved == killers[0] || moved == killers[1]))
            c->rank += KILLING;
    }
}

/* Remember that a turn refuted the one before it. */
static void like(mw_search *s, const mw_node *n, const change *c, int side, int depth, uint32_t *killers) {
    uint32_t moved = n->mine ^ c->mine, *liked = &s->liked[liking(moved, side)];
    if (*liked < MAX_LIKED - 128 * 128) *liked += (uint32_t)(depth * depth);
    if (c->theirs == n->theirs && killers[0] != moved) {
        killers[1] = killers[0];
        killers[0] = moved;
    }
}

static int search(mw_search *s, const mw_node *n, int side, int quiet, int depth, int alpha, int beta) {
    int value = ended(s, n, side, quiet, depth), best = -MW_INFINITY, lowest = alpha;
    size_t from = s->used, at, end;
    uint32_t *killers;
    uint64_t key;
    entry *known;
    change chosen = {0, 0, 0, 0};
    if (s->stopped) return 0;
    if (value != MW_NO_VALUE) return value;
    if (depth <= 0) return settle(s, n, side, quiet, s->rules.settling, alpha, beta);
    key = key_of(s, n, side, quiet);
    known = entry_of(s, key, depth);
    if (known_as(known, key)) {
        if (known->depth == depth || (s->rules.deeper && known->depth > depth)) {
            value = known->value;
            if (known->bound == BOUND_EXACT || (known->bound == BOUND_LOWER && value >= beta) ||
                (known->bound == BOUND_UPPER && value <= alpha))
                return value;
        }
        chosen.mine = known->mine, chosen.theirs = known->theirs, chosen.my_hand = known->my_hand;
    }
    killers = killers_of(s, side, depth);
    push_turns(s, n, 1, side);
    rank_turns(s, n, from, &chosen, killers);
    end = s->used;
    for (at = from; at < end; at++) {
        select_best(s, at, end);
        change now = s->changes[at];
        value = turn_value(s, n, &now, side, quiet, depth, alpha, beta, (int)(at - from));
        if (s->stopped) break;
        if (value > best) best = value, chosen = now;
        if (best > alpha) alpha = best;
        if (alpha >= beta) {
            like(s, n, &now, side, depth, killers);
            break;
        }
    }
    s->used = from;
    if (s->stopped) return 0;
    known = entry_of(s, key, depth);
    known->key = key, known->used = 1;
    known->mine = chosen.mine, known->theirs = chosen.theirs, known->my_hand = (int8_t)chosen.my_hand;
    known->value = (int16_t)best, known->depth = (int8_t)depth;
    known->bound = best >= beta ? BOUND_LOWER : best <= lowest ? BOUND_UPPER : BOUND_EXACT;
    return best;
}

int32_t mw_search_abi(void) { return MW_SEARCH_ABI; }

mw_search *mw_search_new(const mw_search_rules *rules, int32_t bits, mw_search_probe probe,
                         const uint32_t known[MW_SEARCH_STONES]) {
    mw_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->rules = *rules;
    s->probe = probe;
    memcpy(s->sectors, known, sizeof s->sectors);
    s->shift = 64 - bits;
    s->known = calloc((size_t)1 << bits, sizeof *s->known);
    if (!s->known) {
        free(s);
        return NULL;
    }
    return s;
}

void mw_search_free(mw_search *search) {
    if (!search) return;
    free(search->known);
    free(search->changes);
    free(search->drawn);
    free(search);
}

int32_t mw_search_draw(mw_search *search, mw_node node, int32_t side) {
    if (search->drawns == search->room_for_drawn) {
        size_t room = search->room_for_drawn ? 2 * search->room_for_drawn : 64;
        uint64_t *drawn = realloc(search->drawn, room * sizeof *drawn);
        if (!drawn) return 0;
        search->drawn = drawn;
        search->room_for_drawn = room;
    }
    search->drawn[search->drawns++] = key_of(search, &node, side, 0);
    return 1;
}

void mw_search_heed(mw_search *search, mw_search_stop stop, uint64_t nodes) {
    search->stop = stop;
    search->last = nodes ? search->nodes + nodes : 0;
}

uint64_t mw_search_nodes(const mw_search *search) { return search->nodes; }

int32_t mw_search_value(mw_search *search_, mw_node node, int32_t side, int32_t quiet, int32_t depth,
                        int32_t alpha, int32_t beta) {
    int value;
    search_->stopped = 0;
    search_->used = 0;
    value = search(search_, &node, side, quiet, depth, alpha, beta);
    return search_->stopped ? MW_STOPPED_VALUE : value;
}

int32_t mw_search_reply(const mw_search *search, mw_node node, int32_t side, int32_t quiet, mw_node *after) {
    uint64_t key = key_of(search, &node, side, quiet);
    const entry *known = entry_of(search, key, 0);
    change chosen;
    if (!known_as(known, key) || known->bound == BOUND_UPPER) return 0;
    chosen.mine = known->mine, chosen.theirs = known->theirs, chosen.my_hand = known->my_hand;
    *after = child_of(&node, &chosen);
    return 1;
}

int32_t mw_search_evaluate(const mw_search *search, mw_node node) { return evaluate(&search->rules, &node); }

uint64_t mw_search_perft(mw_search *search, mw_node node, int32_t side, int32_t depth) {
    size_t from = search->used, end;
    uint64_t found = 0;
    if (ended(search, &node, side, 0, 0) != MW_NO_VALUE) return 0;
    push_turns(search, &node, 1, side);
    end = search->used;
    if (depth <= 1)
        found = end - from;
    else
        for (size_t at = from; at < end; at++) {
            mw_node child = child_of(&node, &search->changes[at]);
            found += mw_search_perft(search, child, 1 - side, depth - 1);
        }
    search->used = from;
    return found;
}
