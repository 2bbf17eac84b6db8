/* Sets of nodes, their symmetries and their ranks; shared by the index and the builder. */
#ifndef MW_TABLES_SPACE_H
#define MW_TABLES_SPACE_H

#include <stdlib.h>

#include "mw.h"

enum { BYTE_LOSS = 128, WIDE_LOSS = 32768 }; /* what a cell adds to the distance of a loss */

struct mw_space {
    mw_rules rules;
    uint32_t all;
    uint32_t choose[MW_NODES + 1][MW_NODES + 1];
    uint32_t rank_low[4096];      /* rank of the lowest 12 nodes, and from bit 24 on their number */
    uint32_t rank_high[13][4096]; /* rank of the others, above that number of lower stones */
    uint8_t packed[256][256];     /* the bits of the second that the first selects, without gaps */
    uint32_t moved[MW_SYMMETRIES][3][256];
    int64_t orbits[MW_STONES + 1];
    uint32_t *representative[MW_STONES + 1];
    uint16_t *stabiliser[MW_STONES + 1]; /* the symmetries that keep a representative, as bits */
    uint32_t *orbit[MW_STONES + 1];      /* by rank: the orbit * 16 + the first symmetry that leads to its representative */
};

/* Return the number of stones in a mask. */
static inline int mw_stones(uint32_t set) {
    set -= set >> 1 & 0x55555555u;
    set = (set & 0x33333333u) + (set >> 2 & 0x33333333u);
    return (int)(((set + (set >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}

/* Return the number of the lowest node of a set that is not empty. */
static inline int mw_lowest(uint32_t set) {
#if defined(__GNUC__)
    return __builtin_ctz(set);
#else
    return mw_stones((set & (0u - set)) - 1);
#endif
}

/* Return the rank of a set among those of its size, by ascending mask. */
static inline uint32_t mw_rank(const mw_space *space, uint32_t set) {
    uint32_t low = space->rank_low[set & 4095];
    return (low & 0xffffff) + space->rank_high[low >> 24][set >> 12];
}

/* Return `set` after one symmetry. */
static inline uint32_t mw_moved(const mw_space *space, int symmetry, uint32_t set) {
    const uint32_t(*table)[256] = space->moved[symmetry];
    return table[0][set & 255] | table[1][set >> 8 & 255] | table[2][set >> 16];
}

/* Return the bits of `set` that `chosen` selects, without gaps. */
static inline uint32_t mw_packed(const mw_space *space, uint32_t set, uint32_t chosen) {
    int first = mw_stones(chosen & 255), second = first + mw_stones(chosen >> 8 & 255);
    return space->packed[chosen & 255][set & 255] |
           (uint32_t)space->packed[chosen >> 8 & 255][set >> 8 & 255] << first |
           (uint32_t)space->packed[chosen >> 16][set >> 16] << second;
}

/* Return the next mask with as many stones. */
static inline uint32_t mw_next(uint32_t set) {
    uint32_t least = set & (0u - set), carried = set + least;
    return carried | (((set ^ carried) >> 2) / least);
}

/* Return those of the other player's stones that may be captured. */
static inline uint32_t mw_removable(const mw_rules *rules, uint32_t stones) {
    uint32_t mills = 0;
    for (int i = 0; i < rules->lines; i++)
        if ((stones & rules->line[i]) == rules->line[i]) mills |= rules->line[i];
    uint32_t open = stones & ~mills;
    int protection = rules->protection;
    if (protection == MW_PROTECT_NONE) return stones;
    if (protection == MW_PROTECT_ALWAYS) return open;
    if (protection == MW_PROTECT_UNLESS_THREE) return mw_stones(stones) == 3 ? stones : open;
    return open ? open : stones;
}

/* Return the image of a set of nodes under a map that mw_fill_map has made. */
static inline uint32_t mw_mapped(const uint32_t map[3][256], uint32_t set) {
    return map[0][set & 255] | map[1][set >> 8 & 255] | map[2][set >> 16];
}

/* Make the map of sets of `nodes` nodes, each of which goes to the set `image` has for it. */
static inline void mw_fill_map(uint32_t map[3][256], const uint32_t *image, int nodes) {
    for (int part = 0; part < 3; part++) {
        int left = nodes - 8 * part;
        map[part][0] = 0;
        for (uint32_t set = 1; left > 0 && set < 1u << (left < 8 ? left : 8); set++)
            map[part][set] = map[part][set & (set - 1)] | image[8 * part + mw_lowest(set)];
    }
}

/* The places of a position in its sector: one for each symmetry that keeps the representative of the mover's stones. */
typedef struct {
    const mw_space *space;
    uint64_t base;
    uint32_t orbit, free_nodes, others, keeping;
} mw_copies;

/* Return the places of a position in whose sector the mover has `stones`; each orbit has `room` positions there. */
static inline mw_copies mw_copies_of(const mw_space *space, int stones, uint64_t room, uint32_t mine, uint32_t others) {
    uint32_t entry = space->orbit[stones][mw_rank(space, mine)], orbit = entry >> 4;
    return (mw_copies){space, orbit * room, orbit, space->all & ~space->representative[stones][orbit],
                       mw_moved(space, (int)(entry & 15), others), space->stabiliser[stones][orbit]};
}

/* Return the next place; `keeping` is 0 after the last one. */
static inline uint64_t mw_next_copy(mw_copies *copies) {
    const mw_space *space = copies->space;
    uint32_t copy = mw_moved(space, mw_lowest(copies->keeping), copies->others);
    copies->keeping &= copies->keeping - 1;
    return copies->base + mw_rank(space, mw_packed(space, copy, copies->free_nodes));
}

/* Return a new list of the sets of `stones` of `nodes` nodes by rank, or NULL without memory. */
static inline uint32_t *mw_sets(const mw_space *space, int nodes, int stones) {
    uint32_t count = space->choose[nodes][stones], set = (1u << stones) - 1;
    uint32_t *sets = malloc(count * sizeof *sets);
    for (uint32_t i = 0; sets && i < count; i++, set = set ? mw_next(set) : 0) sets[i] = set;
    return sets;
}

/* Return the result of a position in a table. */
static inline int mw_value_at(mw_table table, uint64_t at) {
    if (table.kind == MW_KIND_WDL) return table.values[at >> 2] >> (2 * (at & 3)) & 3;
    if (table.kind == MW_KIND_DISTANCE) {
        uint8_t cell = table.values[at];
        return !cell ? MW_DRAW : cell < BYTE_LOSS ? MW_WIN : MW_LOSS;
    }
    uint16_t cell = (uint16_t)(table.values[2 * at] | table.values[2 * at + 1] << 8);
    return !cell ? MW_DRAW : cell < WIDE_LOSS ? MW_WIN : MW_LOSS;
}

#endif
