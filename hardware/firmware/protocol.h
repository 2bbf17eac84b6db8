/* The lines between host and board; README.md describes them. */

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    HEARD_NOTHING, /* the line is incomplete or invalid */
    HEARD_HELLO,
    HEARD_LIGHT, /* its colours are in strip_colours now */
} heard_t;

/* Take the next byte from the host. */
heard_t protocol_hear(uint8_t byte);

/* The number of the last light frame that was received. */
uint8_t protocol_light_number(void);

/* Each sends a whole line; false, and nothing sent, if the queue has no room for it. */
bool protocol_say_hello(void);
bool protocol_say_contacts(uint8_t number, const uint8_t *contacts);
bool protocol_say_shown(uint8_t number);
