/* The contacts behind the mux chips. */

#pragma once

#include <stdint.h>

void sensors_begin(void);

/*
 * Read all contacts into CONTACT_BYTES bytes: a bit for each channel, set where the contact is closed, the
 * lowest channel first, chip after chip. Takes about 25 us a channel, nearly all of them settling time.
 */
void sensors_scan(uint8_t *contacts);
