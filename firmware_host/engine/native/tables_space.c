/* The index of a position in its sector: the orbit of the mover's stones, then the rank of the other's. */
#include <stdlib.h>
#include <string.h>

#include "tables_space.h"

int32_t mw_abi(void) { return MW_ABI; }

static void fill_ranks(mw_space *space) {
    for (int n = 0; n <= MW_NODES; n++) {
        space->choose[n][0] = 1;
        for (int k = 1; k <= MW_NODES; k++)
            space->choose[n][k] = n ? space->choose[n - 1][k - 1] + space->choose[n - 1][k] : 0;
    }
    for (uint32_t set = 0; set < 4096; set++) {
        for (int below = 0; below <= 12; below++) {
            uint32_t low = 0, high = 0;
            int stones = 0;
            for (int node = 0; node < 12; node++) {
                if (!(set >> node & 1)) continue;
                stones++;
                low += space->choose[node][stones];
                high += space->choose[node + 12][stones + below];
            }
            space->rank_low[set] = low | (uint32_t)stones << 24;
            space->rank_high[below][set] = high;
        }
    }
}

static void fill_masks(mw_space *space) {
    for (int chosen = 0; chosen < 256; chosen++)
        for (int set = 0; set < 256; set++) {
            int at = 0, packed = 0;
            for (int bit = 0; bit < 8; bit++)
                if (chosen >> bit & 1) packed |= (set >> bit & 1) << at++;
            space->packed[chosen][set] = (uint8_t)packed;
        }
    for (int s = 0; s < space->rules.symmetries; s++)
        for (int node = 0; node < space->rules.nodes; node++)
            for (int set = 0; set < 256; set++)
                if (set >> (node & 7) & 1)
                    space->moved[s][node >> 3][set] |= 1u << space->rules.symmetry[s][node];
}

mw_space *mw_space_new(const mw_rules *rules) {
    mw_space *space = calloc(1, sizeof *space);
    if (!space) return NULL;
    space->rules = *rules;
    space->all = (uint32_t)((1ull << rules->nodes) - 1);
    fill_ranks(space);
    fill_masks(space);
    return space;
}

void mw_space_free(mw_space *space) {
    if (!space) return;
    for (int stones = 0; stones <= MW_STONES; stones++) {
        free(space->representative[stones]);
        free(space->stabiliser[stones]);
        free(space->orbit[stones]);
    }
    free(space);
}

/* Note the orbit of `set`, the first set of it that was met and so the least. */
static void note_orbit(mw_space *space, int stones, uint32_t set, uint32_t number) {
    uint32_t *orbit = space->orbit[stones];
    space->representative[stones][number] = set;
    for (int s = 0; s < space->rules.symmetries; s++) {
        uint32_t image = mw_moved(space, s, set), *entry = &orbit[mw_rank(space, image)];
        if (image == set) space->stabiliser[stones][number] |= (uint16_t)(1u << s);
        if (*entry != UINT32_MAX) continue;
        for (int back = 0; *entry == UINT32_MAX; back++)
            if (mw_moved(space, back, image) == set) *entry = number << 4 | (uint32_t)back;
    }
}

int64_t mw_orbits(mw_space *space, int32_t stones) {
    if (stones < 0 || stones > MW_STONES || stones > space->rules.nodes) return -1;
    if (space->orbit[stones]) return space->orbits[stones];
    size_t sets = space->choose[space->rules.nodes][stones];
    uint32_t *orbit = malloc(sets * sizeof *orbit);
    uint32_t *representative = malloc(sets * sizeof *representative);
    uint16_t *stabiliser = calloc(sets, sizeof *stabiliser);
    if (!orbit || !representative || !stabiliser) {
        free(orbit), free(representative), free(stabiliser);
        return -1;
    }
    memset(orbit, 0xff, sets * sizeof *orbit);
    space->orbit[stones] = orbit;
    space->representative[stones] = representative;
    space->stabiliser[stones] = stabiliser;
    uint32_t set = (1u << stones) - 1, found = 0;
    for (size_t rank = 0; rank < sets; rank++, set = set ? mw_next(set) : 0)
        if (orbit[rank] == UINT32_MAX) note_orbit(space, stones, set, found++);
    return space->orbits[stones] = found;
}

const uint32_t *mw_representatives(const mw_space *space, int32_t stones) {
    return space->representative[stones];
}

uint64_t mw_size(const mw_space *space, int32_t mine, int32_t theirs) {
    return (uint64_t)space->orbits[mine] * space->choose[space->rules.nodes - mine][theirs];
}

uint64_t mw_index(const mw_space *space, uint32_t mine, uint32_t theirs) {
    int stones = mw_stones(mine);
    uint32_t entry = space->orbit[stones][mw_rank(space, mine)], orbit = entry >> 4;
    uint32_t free_nodes = space->all & ~space->representative[stones][orbit];
    uint32_t others = mw_packed(space, mw_moved(space, (int)(entry & 15), theirs), free_nodes);
    uint64_t room = space->choose[space->rules.nodes - stones][mw_stones(theirs)];
    return orbit * room + mw_rank(space, others);
}
