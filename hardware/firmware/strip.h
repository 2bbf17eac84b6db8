/* The LED strip: WS2812 and compatible ones, on one line. */

#pragma once

#include <stdint.h>

#include "config.h"

/* The bytes that strip_show sends: the LEDs' colours in the order in which the strip takes them. */
extern uint8_t strip_colours[STRIP_BYTES + 1]; /* and a byte that is read ahead, but not sent */

void strip_begin(void);

/* Send the colours: about 33 us an LED, with interrupts held off; received bytes are taken in the
   meantime. */
void strip_show(void);

void strip_darken(void);
