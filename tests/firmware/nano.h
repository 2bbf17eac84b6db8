/* The interface between the parts of the simulated board; nano.c describes it. */

#pragma once

#include <stdbool.h>
#include <simavr/sim_avr.h>

#define MHZ 16

extern avr_t *avr;
extern int chips, channels, leds, colours;

/* Say what is wrong, and end. */
void fail(const char *what);

/* ---- nano_line.c: the serial line, with all that happens to bytes on their way ------------------------- */

extern long line_lose_in, line_lose_out; /* how many of the next bytes are lost, each way */

void line_begin(void);
void line_reset(void);
void line_plug(void);
void line_unplug(void);
void line_noise(long per_mille, unsigned seed);

/* Take what the host has written up to now, and put some more behind it. */
void line_say(const char *hex);

/* To be called before time passes, and after it: what the host wrote arrives, and it can read the answer. */
void line_before(void);
void line_after(void);

/* Print its state. */
void line_tell(void);

/* ---- nano_board.c: what is soldered to the Nano -------------------------------------------------------- */

void board_begin(void);
void board_reset(void);
void board_contact(int chip, int channel, bool is_closed);
void board_tell(void);
