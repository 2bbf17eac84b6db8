#include "strip.h"

#include <avr/io.h>
#include <string.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "uart.h"

_Static_assert(F_CPU == 16000000UL, "the pulses are counted in cycles of 62.5 ns");

#define RESET_US 300 /* low for this long ends a frame, by any data sheet */

uint8_t strip_colours[STRIP_BYTES + 1];

void strip_begin(void)
{
    PORTD &= (uint8_t)~_BV(STRIP_PIN);
    DDRD |= _BV(STRIP_PIN);
}

/*
 * One LED's bytes, highest bit first, 20 cycles (1250 ns) a bit: high for 5 cycles (312 ns) is a zero, for 11
 * (687 ns) a one; low for the rest, 15 (937 ns) or 9 (562 ns). WS2812B asks for 400, 800, 850 and 450 ns,
 * each within 150. The numbers on the right are the cycles since the line rose; both ways through the
 * skip, and both through the end of a byte, take equally long.
 */
static void send_led(const uint8_t *from, uint8_t high, uint8_t low)
{
    uint8_t byte, bits, left = COLOURS;
    __asm__ volatile(
        "    ld   %[byte], %a[from]+  \n"
        "    ldi  %[bits], 8          \n"
        "1:  out  %[port], %[high]    \n" /*  0 */
        "    rjmp .+0                 \n" /*  1 */
        "    nop                      \n" /*  3 */
        "    sbrs %[byte], 7          \n" /*  4: a one skips its next, in the same time */
        "    out  %[port], %[low]     \n" /*  5 */
        "    lsl  %[byte]             \n" /*  6 */
        "    dec  %[bits]             \n" /* 7: its value is kept until 12 */
        "    rjmp .+0                 \n" /*  8 */
        "    nop                      \n" /* 10 */
        "    out  %[port], %[low]     \n" /* 11 */
        "    breq 2f                  \n" /* 12 */
        "    rjmp .+0                 \n" /* 13 */
        "    rjmp .+0                 \n" /* 15 */
        "    nop                      \n" /* 17 */
        "    rjmp 1b                  \n" /* 18 */
        "2:  ld   %[byte], %a[from]+  \n" /* 14, since the branch was taken */
        "    ldi  %[bits], 8          \n" /* 16 */
        "    dec  %[left]             \n" /* 17 */
        "    brne 1b                  \n" /* 18 */
        : [byte] "=&r"(byte), [bits] "=&d"(bits), [left] "+r"(left), [from] "+e"(from)
        : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low)
        : "memory");
}

void strip_show(void)
{
    uint8_t low = PORTD & (uint8_t)~_BV(STRIP_PIN), high = low | _BV(STRIP_PIN);
    /* Whatever was sent just before, the LEDs take the next bits as the beginning of a frame. */
    _delay_us(RESET_US);
    /*
     * An interrupt within an LED would stretch a zero into a one. Between LEDs the line may rest low for some
     * microseconds (50 or, by type, 280 would end the frame): there the bytes that came are taken, of which
     * the UART can hold two. An LED of three colours takes 38 us at most with that, which bring less than
     * two, and the queue holds what 120 of them bring; so none is lost even if the host does not wait for
     * its answer, as it should. LEDs of four colours take 50 us, and need a host that waits.
     */
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        for (uint8_t led = 0; led < LEDS; led++) {
            send_led(strip_colours + (uint16_t)led * COLOURS, high, low);
            uart_take();
        }
    }
}

void strip_darken(void)
{
    memset(strip_colours, 0, STRIP_BYTES);
    strip_show();
}
