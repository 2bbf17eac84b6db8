#include "sensors.h"

#include <avr/io.h>
#include <string.h>
#include <util/delay.h>

#include "config.h"

#define SELECT_MASK ((uint8_t)((CHANNELS - 1) << FIRST_SELECT))
#define ALL_SIGNALS 0x3F

void sensors_begin(void)
{
    DDRD |= SELECT_MASK;
    DDRC &= (uint8_t)~ALL_SIGNALS;
    PORTC |= ALL_SIGNALS; /* pulled up, also those without a chip, which would float */
}

void sensors_scan(uint8_t *contacts)
{
    memset(contacts, 0, CONTACT_BYTES);
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        /* One write, so that no channel between is visited; interrupts leave this port alone. */
        PORTD = (PORTD & (uint8_t)~SELECT_MASK) | (uint8_t)(channel << FIRST_SELECT);
        _delay_us(SETTLING_US);
        uint8_t closed = (uint8_t)~PINC; /* all chips at the same moment; a closed contact pulls to ground */
        for (uint8_t chip = 0; chip < CHIPS; chip++)
            if (closed & _BV(chip))
                contacts[(chip * CHANNELS + channel) / 8] |= _BV(channel % 8);
    }
}
