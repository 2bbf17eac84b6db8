/* Certificates: one reply for each position that can arise while pieces are placed, so that a player never loses.
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

enum { MW_LOST = 4 }; /* beside MW_OK, MW_STOPPED and MW_NO_MEMORY: no replies hold the draw */

typedef struct mw_proof mw_proof;

/* The player who begins is `side` 0. `tables` has a table for each sector, [mine * (MW_STONES + 1) + theirs]; all
 * that placing can lead to must be there. `order` is a search for the order of replies, whose points are the nodes
 * moved up by `shift`. Returns NULL without memory; all arguments must outlive the proof.
 */
mw_proof *mw_proof_new(mw_space *space, const mw_table *tables, int32_t pieces, int32_t side, mw_search *order,
                       int32_t shift, uint64_t max_memory);
void mw_proof_free(mw_proof *proof);
/* Find the replies; `progress` gets the positions that are solved. */
int32_t mw_proof_run(mw_proof *proof, mw_progress progress);
/* Collect the entries of the player's next turn, from the first turn on; returns their number, or -1 without memory.
 * They are sorted, and valid until the next call.
 */
int64_t mw_proof_collect(mw_proof *proof, const uint64_t **entries);

/* The findings of a check: the positions that were reached, and the faults. */
typedef struct {
    uint64_t entries, leaves, missing, illegal, lost;
    uint64_t first_wrong; /* the position of one of them */
} mw_audit;

/* Walk all positions that can arise under the replies, by code that shares nothing with mw_proof.
 *
 * `entries[i]` are the `counts[i]` entries of the player's turn i, sorted. Returns MW_OK, MW_STOPPED or MW_NO_MEMORY.
 */
int32_t mw_audit_run(const mw_rules *rules, const mw_table *tables, int32_t pieces, int32_t side,
                     const uint64_t *const *entries, const uint64_t *counts, mw_audit *audit, mw_progress progress);

#endif
