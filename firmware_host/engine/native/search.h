/* Alpha-beta search of the mill family: the same values as firmware_host/engine/searching/search.py finds,
 * unless `deeper` gives that up for strength.
 *
 * A set of points is a mask: bit ring * 8 + position, clockwise from the top middle. Nothing is global; a
 * search knows what mw_search_new was given.
 */
#ifndef MW_SEARCH_H
#define MW_SEARCH_H

#include <stdint.h>

#define MW_SEARCH_ABI 3
#define MW_INFINITY 10001
#define MW_STOPPED_VALUE 30000 /* the search was stopped: not a value */
#define MW_NO_VALUE 30001      /* the tables do not know the node */
#define MW_SEARCH_STONES 25    /* numbers of stones that a player can have on the board, none included */

/* Everything that the options, the evaluation and the game's history decide; int32 for ctypes. */
typedef struct {
    uint32_t usable, spokes, crossing[2];
    int32_t flying, protection, per_mill, may, move_while_placing;
    int32_t quiet_limit, full_board[2];
    int32_t material, mobility, twos, mills, degree, shut_in, flying_worth;
    int32_t settling; /* closing turns in a row that are played out at a leaf */
    int32_t deeper;   /* 1 if a value of a greater depth may stand for one of a smaller, and late turns are
                         searched less deep: stronger, and still a proof if it is beyond DECIDED */
} mw_search_rules;

typedef struct {
    uint32_t mine, theirs;
    int32_t my_hand, their_hand;
} mw_node;

typedef int32_t (*mw_search_stop)(void);
typedef int32_t (*mw_search_probe)(uint32_t mine, uint32_t theirs, int32_t quiet, int32_t depth);

typedef struct mw_search mw_search;

int32_t mw_search_abi(void);
/* Make a search with 2^bits entries of memory, at least two, or return NULL without memory.
 *
 * `probe` is asked for a node only if it may know it: if the player to move has `mine` stones, the other
 * `theirs`, and bit `theirs` of known[mine] is set.
 */
mw_search *mw_search_new(const mw_search_rules *rules, int32_t bits, mw_search_probe probe,
                         const uint32_t known[MW_SEARCH_STONES]);
void mw_search_free(mw_search *search);
/* Count a node as a draw if `side` is to move; returns 0 without memory. */
int32_t mw_search_draw(mw_search *search, mw_node node, int32_t side);
/* Stop as soon as `stop` returns other than 0, or after `nodes` more nodes; NULL and 0 for never. */
void mw_search_heed(mw_search *search, mw_search_stop stop, uint64_t nodes);
uint64_t mw_search_nodes(const mw_search *search);
/* Return the value for the player to move within (alpha, beta), or MW_STOPPED_VALUE. */
int32_t mw_search_value(mw_search *search, mw_node node, int32_t side, int32_t quiet, int32_t depth,
                        int32_t alpha, int32_t beta);
/* Find the best turn that the search remembers of a node, and the node after it; returns 0 if it has none. */
int32_t mw_search_reply(const mw_search *search, mw_node node, int32_t side, int32_t quiet, mw_node *after);
int32_t mw_search_evaluate(const mw_search *search, mw_node node);
/* Count the leaves `depth` turns away, repetition and quiet steps left out. */
uint64_t mw_search_perft(mw_search *search, mw_node node, int32_t side, int32_t depth);

#endif
