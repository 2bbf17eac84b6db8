/* Positions and rules for the checks, on an array of points; shares nothing with the builders. */
#ifndef MW_TABLES_CHECK_H
#define MW_TABLES_CHECK_H

#include "mw.h"

enum { EMPTY, MINE, THEIRS };
enum { HOMES = 1024 };

typedef struct {
    int result, distance; /* the distance is -1 where the tables have none */
} value;

typedef struct {
    const mw_rules *rules;
    uint64_t choose[MW_NODES + 1][MW_NODES + 1];
    uint32_t *orbits[MW_STONES + 1];
    uint32_t orbit_count[MW_STONES + 1];
    int lines_through[MW_NODES];
    uint8_t line_others[MW_NODES][3][2]; /* a node is in three lines at most */
    mw_table same, other, lower[3];
    struct home {
        uint32_t own, least, orbit;
        int symmetry;
    } homes[HOMES]; /* of the sets that were met last; a turn leaves most of them as they are */
    int captured; /* stones that the turn which is being played has captured */
    int turns, any_draw, slowest, fastest, quick_win, known;
} checker;

checker *mw_check_new(const mw_rules *rules);
void mw_check_free(checker *c);
/* Make the orbits of sets of `stones` nodes, which positions with as many are found by; returns 0 without memory. */
int mw_check_orbits(checker *c, int stones);
int mw_check_stones(uint32_t set);
uint32_t mw_check_image(const checker *c, int symmetry, uint32_t set);
/* Return the index of the position in which the player with `own` is to move. */
uint64_t mw_check_place(checker *c, uint32_t own, uint32_t others);
value mw_check_read(mw_table table, uint64_t at);
/* Return the number of mills through a node with a stone. */
int mw_check_in_mill(const checker *c, const int *board, int node);
uint32_t mw_check_set(const checker *c, const int *board, int side);
/* Return whether the stone THEIRS at a node may be captured. */
int mw_check_can_take(const checker *c, const int *board, int node);

#endif
