/* Results of the engine's library without Python, for processors that are emulated.
 *
 * usage: self_test RULES    the file has an mw_rules and an mw_search_rules, as Python passes them
 */
#include <stdio.h>
#include <stdlib.h>

#include "mw.h"
#include "search.h"

enum { MOST = 10001, POSITIONS = 60, STONES = 7 };

typedef struct {
    uint8_t *cells;
    uint64_t size;
} sector;

static int go_on(int32_t stage, uint64_t done, uint64_t total) {
    (void)stage, (void)done, (void)total;
    return 0;
}

static int32_t no_stop(void) { return 0; }

static int32_t no_probe(uint32_t mine, uint32_t theirs, int32_t quiet, int32_t depth) {
    (void)mine, (void)theirs, (void)quiet, (void)depth;
    return 0;
}

static void *zeros(uint64_t size) {
    void *memory = calloc(size, 1);
    if (!memory) exit(3);
    return memory;
}

static sector make(mw_space *space, int mine, int theirs) {
    sector made;
    mw_orbits(space, mine), mw_orbits(space, theirs);
    made.size = mw_size(space, mine, theirs);
    made.cells = zeros(made.size);
    return made;
}

static mw_table table(sector one) {
    mw_table made = {one.cells, MW_KIND_DISTANCE};
    return made;
}

static void print_sector(const char *name, sector one) {
    mw_summary counts = mw_count(one.cells, one.size, 0);
    uint32_t hash = 2166136261u;
    for (uint64_t at = 0; at < one.size; at++) hash = (hash ^ one.cells[at]) * 16777619u;
    printf("%s %lu %lu %lu depth %lu hash %08lx\n", name, (unsigned long)counts.wins, (unsigned long)counts.losses,
           (unsigned long)counts.draws, (unsigned long)counts.depth, (unsigned long)hash);
}

static void solve(const mw_rules *rules) {
    mw_space *space = mw_space_new(rules);
    sector even = make(space, 3, 3), more = make(space, 4, 3), less = make(space, 3, 4);
    mw_table lower[2][3] = {{{NULL, 0}}}, below[3] = {{NULL, 0}};
    void *cells[2] = {even.cells, NULL}, *both[2] = {more.cells, less.cells};
    uint8_t *work[2] = {zeros(even.size), NULL}, *works[2] = {zeros(less.size), zeros(more.size)};
    uint64_t where = 0;
    int64_t wrong;
    mw_build(space, 3, 3, lower, cells, work, 0, go_on);
    lower[1][0] = below[0] = table(even);
    mw_build(space, 4, 3, lower, both, works, 0, go_on);
    print_sector("3-3", even), print_sector("4-3", more), print_sector("3-4", less);
    wrong = mw_check(rules, 3, 4, table(less), table(more), below, 0, 0, 97, &where, go_on);
    printf("wrong %d\n", (int)wrong);
    less.cells[485] = less.cells[485] == 3 ? 0 : 3;
    wrong = mw_check(rules, 3, 4, table(less), table(more), below, 0, 0, 97, &where, go_on);
    printf("planted %d at %d\n", (int)wrong, (int)where);
    free(even.cells), free(more.cells), free(less.cells);
    free(work[0]), free(works[0]), free(works[1]);
    mw_space_free(space);
}

/* Return a set of as many points that `taken` has not, drawn by lot. */
static uint32_t drawn(uint32_t *seed, uint32_t taken) {
    uint32_t set = 0;
    for (int left = STONES; left;) {
        *seed = *seed * 1103515245u + 12345u;
        uint32_t point = 1u << (*seed >> 16 & 0x7fff) % 24;
        if (!((set | taken) & point)) set |= point, left--;
    }
    return set;
}

static void play(const mw_search_rules *rules) {
    uint32_t sectors[MW_SEARCH_STONES] = {0}, seed = 1;
    mw_search *search = mw_search_new(rules, 16, no_probe, sectors);
    mw_node start = {0, 0, 9, 9};
    uint64_t sum = 0;
    if (!search) exit(3);
    mw_search_heed(search, no_stop, 0);
    printf("perft %lu\n", (unsigned long)mw_search_perft(search, start, 0, 4));
    for (int i = 0; i < POSITIONS; i++) {
        mw_node node = {0, 0, i % 3 ? 0 : 2, i % 3 ? 0 : 2};
        node.mine = drawn(&seed, 0);
        node.theirs = drawn(&seed, node.mine);
        sum = sum * 31 + (uint64_t)(mw_search_value(search, node, 0, 0, 4, -MOST, MOST) + 2 * MOST);
    }
    printf("values %08lx%08lx\n", (unsigned long)(sum >> 32), (unsigned long)(sum & 0xffffffff));
    mw_search_free(search);
}

int main(int count, char **arguments) {
    mw_rules rules;
    mw_search_rules search_rules;
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file || fread(&rules, sizeof rules, 1, file) != 1 || fread(&search_rules, sizeof search_rules, 1, file) != 1 ||
        fgetc(file) != EOF) {
        fputs("the file of rules is missing, or has another size than the library's rules\n", stderr);
        return 1;
    }
    fclose(file);
    solve(&rules);
    play(&search_rules);
    return 0;
}
