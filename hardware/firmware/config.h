/* The parts of a board, and its timing. The first of them may be set: make CHIPS=6 LEDS=25 */

#pragma once

#ifndef CHIPS
#define CHIPS 3 /* mux chips, one signal line each: 3 for 24 reeds, 4 for 25, 6 for polarity */
#endif

#ifndef SELECT_LINES
#define SELECT_LINES 3 /* 3 for chips with 8 channels (74HC4051), 4 for 16 (CD74HC4067) */
#endif

#ifndef LEDS
#define LEDS 24 /* along the strip */
#endif

#ifndef COLOURS
#define COLOURS 3 /* bytes an LED takes: 3 in any order, or 4 with a white one */
#endif

#ifndef WATCHDOG
#define WATCHDOG 1 /* 0 for a Nano whose old boot loader does not survive a reset by the watchdog */
#endif

#define FIRMWARE_VERSION "1.0.0"
#define PROTOCOL_VERSION "1" /* the host accepts this version only */

#define BAUD 500000UL       /* 16 MHz divide into it without a remainder */
#define SCANS_PER_SECOND 200
#define SCANS_PER_HEARTBEAT 4 /* an unchanged frame is sent every 20 ms */
#define SETTLING_US 20      /* a line's rise through the pull-up: 50 kOhm and 150 pF take 7 us */
#define SILENCE_MS 2900     /* LEDs go dark after this time without a message: within three seconds */

/*
 * Pins of the Nano, and of the chip:
 *   D2 D3 D4 (D5)  PD2..PD5  select lines A, B, C (and D) of all mux chips
 *   D6             PD6       data line of the strip
 *   A0..A5         PC0..PC5  signal line of each mux chip
 */
#define FIRST_SELECT PD2
#define STRIP_PIN PD6

#define CHANNELS (1 << SELECT_LINES)
#define CONTACT_BYTES (CHIPS * CHANNELS / 8)
#define STRIP_BYTES (LEDS * COLOURS)

_Static_assert(CHIPS >= 1 && CHIPS <= 6, "there are six pins for signal lines");
_Static_assert(SELECT_LINES == 3 || SELECT_LINES == 4, "mux chips have 8 or 16 channels");
_Static_assert(LEDS >= 1 && LEDS <= 120, "the memory is for 120 LEDs");
_Static_assert(COLOURS == 3 || COLOURS == 4, "an LED takes three or four bytes");
