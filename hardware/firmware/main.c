/* Millwright's firmware for boards with an ATmega328p (Arduino Nano) of their own: it scans the sensors,
 * shows the light that the host sends, and knows nothing of games.
 *
 * Invariants: nothing waits, except for a line to settle and for the strip; the chip sleeps in between;
 * LEDs are dark from a reset until the host's first message, and again when it falls silent; the watchdog
 * restarts a program that hangs.
 */

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <stdbool.h>
#include <string.h>

#include "config.h"
#include "protocol.h"
#include "sensors.h"
#include "strip.h"
#include "uart.h"

#define SILENT_SCANS ((uint16_t)((uint32_t)SILENCE_MS * SCANS_PER_SECOND / 1000))

static volatile bool scan_due;

ISR(TIMER1_COMPA_vect)
{
    scan_due = true;
}

/* After a reset by the watchdog it still runs, with its shortest time: it is stopped before anything takes
   time. */
__attribute__((naked, used, section(".init3"))) static void stop_watchdog(void)
{
    MCUSR = 0;
    wdt_disable();
}

static void timer_begin(void)
{
    OCR1A = F_CPU / 8 / SCANS_PER_SECOND - 1;
    TCCR1B = _BV(WGM12) | _BV(CS11); /* counts to OCR1A, at an eighth of the clock */
    TIMSK1 = _BV(OCIE1A);
}

/* Send the readings if they have changed, otherwise as a heartbeat. */
static void scan(void)
{
    static uint8_t said[CONTACT_BYTES], number, scans_since = SCANS_PER_HEARTBEAT;
    uint8_t felt[CONTACT_BYTES];

    sensors_scan(felt);
    if (scans_since < SCANS_PER_HEARTBEAT)
        scans_since++;
    if (scans_since < SCANS_PER_HEARTBEAT && !memcmp(felt, said, sizeof felt))
        return;
    if (!protocol_say_contacts(number, felt))
        return; /* no room: with the next scan */
    memcpy(said, felt, sizeof said);
    number++;
    scans_since = 0;
}

/* Return whether the host has sent a message that noise cannot produce. */
static bool listen(void)
{
    bool spoken = false;
    uint8_t byte;
    while (uart_get(&byte)) {
        switch (protocol_hear(byte)) {
        case HEARD_NOTHING:
            continue;
        case HEARD_HELLO:
            protocol_say_hello();
            break;
        case HEARD_LIGHT:
            strip_show();
            protocol_say_shown(protocol_light_number());
            break;
        }
        spoken = true;
    }
    return spoken;
}

/* Sleep until the next interrupt, unless one came just now. The interrupts that sei enables wait for one
 * more instruction, so that nothing slips in between the question and the sleep.
 */
static void rest(void)
{
    cli();
    if (!scan_due && !uart_has()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    uint16_t silent_scans = 0;

    sensors_begin();
    strip_begin();
    strip_darken();
    uart_begin();
    timer_begin();
    set_sleep_mode(SLEEP_MODE_IDLE);
    if (WATCHDOG)
        wdt_enable(WDTO_250MS);
    sei();
    protocol_say_hello();

    for (;;) {
        wdt_reset();
        if (listen())
            silent_scans = 0;
        if (scan_due) {
            scan_due = false;
            scan();
            if (silent_scans < SILENT_SCANS && ++silent_scans == SILENT_SCANS)
                strip_darken();
        }
        rest();
    }
}
