/* The parts on the simulated Nano: mux chips with contacts, and a strip that measures its pulses. */

#include "nano.h"

#include <stdio.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/sim_time.h>

#define PINC 0x26
#define DDRC 0x27
#define PORTC 0x28
#define FIRST_SELECT 2
#define STRIP_PIN 6
#define RISE_CYCLES (7 * MHZ) /* 150 pF through 50 kOhm */
#define LATCH_CYCLES (280 * MHZ)
#define HIGH_OF_A_ONE (500 * MHZ / 1000)

/* ---- mux chips with contacts -------------------------------------------------------------------------- */

static bool closed[8][16];
static avr_cycle_count_t rises[8]; /* until when a line that was let go is still low */
static int address;

static void on_port_d(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    int next = (int)(value >> FIRST_SELECT) & (channels - 1);
    if (next == address)
        return;
    for (int chip = 0; chip < chips; chip++)
        if (closed[chip][address])
            rises[chip] = avr->cycle + RISE_CYCLES;
    address = next;
}

void board_contact(int chip, int channel, bool is_closed)
{
    closed[chip & 7][channel & 15] = is_closed;
}

static uint8_t read_pinc(avr_t *a, avr_io_addr_t at, void *param)
{
    (void)param;
    uint8_t port = a->data[PORTC], ddr = a->data[DDRC], level = 0;
    for (int pin = 0; pin < 6; pin++) {
        bool low = pin < chips && (closed[pin][address] || a->cycle < rises[pin]);
        bool output = ddr >> pin & 1, high = port >> pin & 1; /* the pull-up, of an input; none reads low */
        if (high && (output || !low))
            level |= (uint8_t)(1 << pin);
    }
    a->data[at] = level;
    return level;
}

/* ---- the strip --------------------------------------------------------------------------------------- */

static uint8_t shining[480], arriving_bits[480];
static long bits, frames;
static long high_zero[2] = {-1, -1}, high_one[2] = {-1, -1}, low_zero[2] = {-1, -1},
            low_one[2] = {-1, -1}, between_leds[2] = {-1, -1};
static avr_cycle_count_t edge;
static bool strip_level, last_bit;

static void grow(long *range, long value)
{
    if (range[0] < 0 || value < range[0])
        range[0] = value;
    if (value > range[1])
        range[1] = value;
}

static avr_cycle_count_t latch(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    int count = (int)(bits / 8) < leds * colours ? (int)(bits / 8) : leds * colours;
    memcpy(shining, arriving_bits, (size_t)count);
    frames++;
    bits = 0;
    return 0;
}

static void on_rise(long low)
{
    avr_cycle_timer_cancel(avr, latch, NULL);
    if (!bits)
        return;
    if (bits % (8 * colours) == 0)
        grow(between_leds, low);
    else
        grow(last_bit ? low_one : low_zero, low);
}

static void on_fall(long high)
{
    last_bit = high >= HIGH_OF_A_ONE;
    grow(last_bit ? high_one : high_zero, high);
    if (bits < 8 * (long)sizeof arriving_bits) {
        uint8_t mask = (uint8_t)(0x80 >> bits % 8);
        arriving_bits[bits / 8] = (uint8_t)((arriving_bits[bits / 8] & ~mask) | (last_bit ? mask : 0));
    }
    bits++;
    avr_cycle_timer_register(avr, LATCH_CYCLES, latch, NULL);
}

static void on_strip_pin(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    bool level = value & 1;
    if (level == strip_level)
        return;
    long since = (long)(avr->cycle - edge);
    strip_level = level;
    edge = avr->cycle;
    (level ? on_rise : on_fall)(since);
}

/* ---- both -------------------------------------------------------------------------------------------- */

void board_reset(void)
{
    if (bits) /* simavr forgets all timers */
        latch(avr, 0, NULL);
}

void board_begin(void)
{
    avr->io[AVR_DATA_TO_IO(PINC)].r.c = read_pinc;
    avr_irq_t *port_d = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), IOPORT_IRQ_REG_PORT);
    avr_irq_register_notify(port_d, on_port_d, NULL);
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), STRIP_PIN);
    avr_irq_register_notify(pin, on_strip_pin, NULL);
}

static void tell(const char *name, const long *range)
{
    printf(" %s=%ld:%ld", name, range[0] * 1000 / MHZ, range[1] * 1000 / MHZ);
}

void board_tell(void)
{
    printf(" frames=%ld", frames);
    tell("high_zero_ns", high_zero);
    tell("high_one_ns", high_one);
    tell("low_zero_ns", low_zero);
    tell("low_one_ns", low_one);
    tell("between_leds_ns", between_leds);
    printf(" leds=");
    for (int n = 0; n < leds * colours; n++)
        printf("%02x", shining[n]);
}
