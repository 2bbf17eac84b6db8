/* The lines that host and board say to each other; README.md describes them. */

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    HEARD_NOTHING, /* the line is not at its end, or not what it should be */
    HEARD_HELLO,
    HEARD_LIGHT, /* whose colours are in strip_colours now */
} heard_t;

/* Take the next byte that the host sent. */
heard_t protocol_hear(uint8_t byte);

/* The number of the last light frame that was heard. */
uint8_t protocol_light_number(void);

/* Each sends a whole line, or none where the queue is too full for it: then it is false. */
bool protocol_say_hello(void);
bool protocol_say_contacts(uint8_t number, const uint8_t *contacts);
bool protocol_say_shown(uint8_t number);
