/* Certificates: one reply for each position that can arise while pieces are placed, so that a player never loses, or
 * always wins.
 *
 * A position of a certificate is `own << 24 | other`, the stones of the player that it is for and of the opponent,
 * after the symmetry that makes this number least. The number of placements gives the rest. An entry is
 * `position << 16 | to << 8 | taken`; `taken` is MW_NOTHING if the reply captures nothing.
 */
#ifndef MW_CERTIFICATE_H
#define MW_CERTIFICATE_H

#include "mw.h"
#include "search.h"

#define MW_NOTHING 255

enum { MW_FAILS = 4 }; /* beside MW_OK, MW_STOPPED and MW_NO_MEMORY: no replies reach the goal */

/* The goal of a player, who begins if `side` is 0: to win if `wins` is 1, else not to lose. Each player has `pieces`. */
typedef struct {
    int32_t pieces, side, wins;
} mw_goal;

/* A position while pieces are placed: the stones of the goal's player and of the opponent, and the placements so far.
 * The game must not be over.
 */
typedef struct {
    uint32_t own, other;
    int32_t placed;
} mw_placing;

typedef struct mw_proof mw_proof;

/* `tables` has a table for each sector, [mine * (MW_STONES + 1) + theirs]; all that placing can lead to must be there.
 * `order` is a search for the order of replies, whose points are the nodes moved up by `shift`. Returns NULL without
 * memory; all arguments must outlive the proof.
 */
mw_proof *mw_proof_new(mw_space *space, const mw_table *tables, mw_goal goal, mw_search *order, int32_t shift,
                       uint64_t max_memory);
void mw_proof_free(mw_proof *proof);
/* Find the replies from `start` on; `progress` gets the positions that are solved. MW_FAILS is proved as well: all
 * replies were tried. Whatever was solved is known to the next run.
 */
int32_t mw_proof_run(mw_proof *proof, mw_placing start, mw_progress progress);
/* Collect the entries of the player's next turn; returns their number, or -1 without memory. They are sorted, and valid
 * until the next call. If `starts` is not NULL, it is the first turn after these positions, from which the goal was
 * proved to be reached; all of them have equally many placements.
 */
int64_t mw_proof_collect(mw_proof *proof, const mw_placing *starts, int32_t count, const uint64_t **entries);

/* The findings of a check: the positions that were reached, and the faults. */
typedef struct {
    uint64_t entries, leaves, missing, illegal, lost;
    uint64_t first_wrong; /* the position of one of them */
} mw_audit;

/* Walk all positions that can arise from the starts on under the replies, by code that shares nothing with mw_proof.
 *
 * All starts have equally many placements. `entries[i]` are the `counts[i]` entries of the player's turn i, sorted.
 * Returns MW_OK, MW_STOPPED or MW_NO_MEMORY.
 */
int32_t mw_audit_run(const mw_rules *rules, const mw_table *tables, mw_goal goal, const mw_placing *starts,
                     int32_t count, const uint64_t *const *entries, const uint64_t *counts, mw_audit *audit,
                     mw_progress progress);

#endif
