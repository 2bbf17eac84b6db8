/* The C half of the engine: what Python calls.
 *
 * Nodes are the points in use, numbered from 0 without gaps. A set of nodes is a mask. All functions are free
 * of globals; what they know is in the space that mw_space_new makes for one set of rules.
 */
#ifndef MW_H
#define MW_H

#include <stdint.h>

#define MW_ABI 4
#define MW_NODES 24
#define MW_LINES 20
#define MW_SYMMETRIES 16
#define MW_STONES 12

enum { MW_FLY_NEVER, MW_FLY_OWN, MW_FLY_BOTH };
enum { MW_PROTECT_UNLESS_ALL, MW_PROTECT_ALWAYS, MW_PROTECT_UNLESS_THREE, MW_PROTECT_NONE };
enum { MW_KIND_WDL = 1, MW_KIND_DISTANCE = 2, MW_KIND_WIDE = 5 };
enum { MW_DRAW, MW_WIN, MW_LOSS };
enum { MW_OK = 0, MW_STOPPED = 1, MW_NO_MEMORY = 2, MW_TOO_DEEP = 3 };

typedef struct {
    int32_t nodes, lines, symmetries;
    int32_t flying, protection, per_mill, may;
    int32_t limit; /* the greatest distance that still is a win or a loss; 0 for no limit */
    uint32_t adjacency[MW_NODES];
    uint32_t line[MW_LINES];
    uint8_t symmetry[MW_SYMMETRIES][MW_NODES]; /* the node that each node goes to */
} mw_rules;

/* The values of one sector, in the order of the index; NULL if it is not there. */
typedef struct {
    const uint8_t *values;
    int32_t kind;
} mw_table;

typedef struct {
    uint64_t wins, losses, draws;
    uint32_t depth;
} mw_summary;

/* Called now and then; a return value other than 0 stops the work. */
typedef int (*mw_progress)(int32_t stage, uint64_t done, uint64_t total);

typedef struct mw_space mw_space;

int32_t mw_abi(void);
mw_space *mw_space_new(const mw_rules *rules);
void mw_space_free(mw_space *space);

/* Make the orbits of sets of `stones` nodes; returns their number, or -1 without memory. */
int64_t mw_orbits(mw_space *space, int32_t stones);
const uint32_t *mw_representatives(const mw_space *space, int32_t stones);
uint64_t mw_size(const mw_space *space, int32_t mine, int32_t theirs);
uint64_t mw_index(const mw_space *space, uint32_t mine, uint32_t theirs);

/* Solve the sectors mine-theirs and theirs-mine at once.
 *
 * `lower[0][k]` is the sector that a capture of k+1 stones in mine-theirs leads to, (theirs-k-1)-mine;
 * `lower[1][k]` that of theirs-mine. `cells[0]` and `cells[1]` have room for the values of both sectors, two
 * bytes each if `wide`. `work[0]` has a byte for each position of theirs-mine, and `work[1]` one for each of
 * mine-theirs. All four are zero. If mine == theirs, only the first of each is used.
 */
int32_t mw_build(mw_space *space, int32_t mine, int32_t theirs, const mw_table lower[2][3], void *cells[2],
                 uint8_t *work[2], int32_t wide, mw_progress progress);

/* Solve the sector mine-theirs while pieces are placed; the player to move has one in hand.
 *
 * `quiet` is the sector theirs-(mine+1) one placement later, and `captured` is (theirs-1)-(mine+1), unless a capture
 * `wins`, which leaves the other too few pieces. `packed` gets two bits for each position, and is zero.
 */
int32_t mw_build_placing(mw_space *space, int32_t mine, int32_t theirs, mw_table quiet, mw_table captured,
                         int32_t wins, uint8_t *packed, mw_progress progress);

/* Count the results of a sector, of two bits each. */
mw_summary mw_count_results(const uint8_t *packed, uint64_t size);
mw_summary mw_count(const void *cells, uint64_t size, int32_t wide);
/* Write two bits for each cell, four to a byte from the lowest; `size` cells are read. */
void mw_pack(const void *cells, uint64_t size, int32_t wide, uint8_t *packed);

/* Check the values of a sector by code that shares nothing with mw_build.
 *
 * `same` is the sector itself, `other` the one that quiet turns lead to, `lower[k]` that of captures of k+1
 * stones. Positions first, first+step, ... are checked. If `cut`, the limit of quiet turns may have turned wins
 * and losses without a distance into draws. Returns the number of wrong values, of which `where` gets the first
 * index, or -1 without memory; stopped by `progress`, it returns what it has found.
 */
int64_t mw_check(const mw_rules *rules, int32_t mine, int32_t theirs, mw_table same, mw_table other,
                 const mw_table lower[3], int32_t cut, uint64_t first, uint64_t step, uint64_t *where,
                 mw_progress progress);

#endif
