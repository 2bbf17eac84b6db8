/*
 * An Arduino Nano in simavr with what a board has around it: mux chips with contacts on its pins, an LED
 * strip that measures the pulses it is sent, and its serial line on a pseudo-terminal.
 *
 * usage: nano ELF CHIPS CHANNELS LEDS COLOURS
 * Obeys lines on stdin, each answered by a line with the state, which names the pseudo-terminal:
 *   run US             let so many microseconds of the Nano's time pass; time passes in no other way
 *   contact C N 0|1    open or close the contact on channel N of chip C
 *   say HEX            these bytes reach the Nano, after those that its host has written
 *   lose N | lose-out N    the next N bytes to the Nano, or from it, are lost on the wire
 *   noise N SEED       of a thousand bytes, either way, N have a bit flipped
 *   reset | hang       press reset; or have the program go round in a loop that it does not leave
 *   unplug | plug      take the USB plug out, and put it in again, by which the Nano starts anew
 *
 * Rules kept here: what the host wrote before a `run` reaches the Nano in it, and what the Nano sends in it
 * can be read by the host when it is answered, so that a test is the same every time; a byte takes its time
 * on the wire, and the UART holds two that were not read, which simavr alone does not mind.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_regbit.h>
#include <simavr/sim_time.h>

#define MHZ 16
#define PINC 0x26
#define DDRC 0x27
#define PORTC 0x28
#define FIRST_SELECT 2
#define STRIP_PIN 6
#define RISE_CYCLES (7 * MHZ) /* 150 pF through 50 kOhm */
#define LATCH_CYCLES (280 * MHZ)
#define HIGH_OF_A_ONE (500 * MHZ / 1000)
#define MARK 0xFF /* ends what the host has written; no line has it */
#define UART_HOLDS 2

static avr_t *avr;
static avr_uart_t *uart;
static int chips, channels, leds, colours;
static int board_end, host_end; /* of the pseudo-terminal; -1: it is unplugged */
static char port_name[128];

static void fail(const char *what)
{
    fprintf(stderr, "nano: %s\n", what);
    exit(1);
}

static void grow(long *range, long value)
{
    if (range[0] < 0 || value < range[0])
        range[0] = value;
    if (value > range[1])
        range[1] = value;
}

/* ---- noise on the wire -------------------------------------------------------------------------------- */

static long lose_in, lose_out, noise_per_mille;
static unsigned noise_state = 1;

static unsigned draw(void)
{
    noise_state = noise_state * 1103515245u + 12345u;
    return noise_state >> 16 & 0x7FFF;
}

/* Whether a byte survives; it may be changed. */
static bool survives(long *lose, uint8_t *byte)
{
    if (*lose > 0) {
        --*lose;
        return false;
    }
    if (noise_per_mille && draw() % 1000 < (unsigned)noise_per_mille)
        *byte ^= (uint8_t)(1u << draw() % 8);
    return true;
}

/* ---- the UART's receiver, in place of simavr's, which never loses a byte ------------------------------ */

static uint8_t on_the_wire[1 << 16];
static unsigned wire_head, wire_tail;
static uint8_t held[UART_HOLDS];
static int held_count;
static bool arriving, overrun_flag;
static long overruns;

static unsigned ubrr(void)
{
    return avr->data[uart->ubrrl.reg] | (avr->data[uart->ubrrh.reg] & 15) << 8;
}

static unsigned cycles_per_bit(void)
{
    return (avr_regbit_get(avr, uart->u2x) ? 8 : 16) * (ubrr() + 1);
}

static avr_cycle_count_t arrive(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)param;
    uint8_t byte = on_the_wire[wire_tail++ % sizeof on_the_wire];
    if (survives(&lose_in, &byte) && avr_regbit_get(avr, uart->rxen)) {
        if (held_count == UART_HOLDS) {
            overruns++;
            overrun_flag = true;
            avr_regbit_set(avr, uart->dor);
        } else {
            held[held_count++] = byte;
            avr_raise_interrupt(avr, &uart->rxc);
        }
    }
    arriving = wire_tail != wire_head;
    return arriving ? when + 10 * cycles_per_bit() : 0;
}

static void put_on_the_wire(uint8_t byte)
{
    if (wire_head - wire_tail == sizeof on_the_wire)
        fail("the host writes more than a wire holds");
    on_the_wire[wire_head++ % sizeof on_the_wire] = byte;
}

static void start_arriving(void)
{
    if (!arriving && wire_tail != wire_head) {
        arriving = true;
        avr_cycle_timer_register(avr, 10 * cycles_per_bit(), arrive, NULL);
    }
}

static uint8_t read_udr(avr_t *a, avr_io_addr_t address, void *param)
{
    (void)param;
    uint8_t byte = held_count ? held[0] : 0;
    if (held_count) {
        held_count--;
        memmove(held, held + 1, (size_t)held_count);
    }
    avr_regbit_clear(a, uart->dor);
    avr_clear_interrupt(a, &uart->rxc);
    avr_regbit_clear(a, uart->rxc.raised);
    if (held_count)
        avr_raise_interrupt(a, &uart->rxc);
    a->data[address] = byte;
    return byte;
}

/* ---- and its transmitter ----------------------------------------------------------------------------- */

static uint8_t said[1 << 16];
static size_t said_count;
static long bytes_out;

static void on_said(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uint8_t byte = (uint8_t)value;
    bytes_out++;
    if (said_count < sizeof said && survives(&lose_out, &byte))
        said[said_count++] = byte;
}

static bool plugged(void)
{
    return board_end >= 0;
}

static int waiting_for_host(void)
{
    int count = 0;
    ioctl(host_end, FIONREAD, &count);
    return count;
}

/* Give the host what was said, and wait until it could read it; where it reads nothing, most is lost. */
static void deliver(void)
{
    int before = plugged() ? waiting_for_host() : 0;
    ssize_t written = plugged() && said_count && before + said_count < 4000 ? write(board_end, said, said_count) : 0;
    said_count = 0;
    for (int tries = 0; written > 0 && waiting_for_host() < before + written; tries++) {
        if (tries == 100000)
            fail("the pseudo-terminal swallowed something");
        if (tries > 100)
            usleep(100);
    }
}

/* Take what the host has written up to now. */
static void collect(void)
{
    uint8_t mark = MARK, bytes[4096];
    if (!plugged())
        return;
    if (write(host_end, &mark, 1) != 1)
        fail("cannot write to the pseudo-terminal");
    for (;;) {
        struct pollfd ready = {.fd = board_end, .events = POLLIN};
        if (poll(&ready, 1, 10000) != 1)
            fail("the pseudo-terminal is stuck");
        ssize_t count = read(board_end, bytes, sizeof bytes);
        for (ssize_t n = 0; n < count; n++) {
            if (bytes[n] == MARK)
                return;
            put_on_the_wire(bytes[n]);
        }
    }
}

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
static long bits, frames, resets = -1;
static long high_zero[2] = {-1, -1}, high_one[2] = {-1, -1}, low_zero[2] = {-1, -1},
            low_one[2] = {-1, -1}, between_leds[2] = {-1, -1};
static avr_cycle_count_t edge;
static bool strip_level, last_bit;

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

/* ---- the whole --------------------------------------------------------------------------------------- */

static void (*reset_of_the_chip)(avr_t *);

static void on_reset(avr_t *a)
{
    resets++;
    held_count = 0;
    arriving = false; /* simavr forgets all timers */
    if (bits)
        latch(a, 0, NULL);
    reset_of_the_chip(a);
}

static void sleep_without_waiting(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a, (void)cycles;
}

static void log_to_stderr(avr_t *a, const int level, const char *format, va_list arguments)
{
    (void)a;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

static avr_cycle_count_t nothing(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)a, (void)when, (void)param;
    return 0;
}

static void run(long us)
{
    static avr_cycle_count_t target; /* what was overrun by a few cycles is made up */
    collect();
    start_arriving();
    target = (target ? target : avr->cycle) + (avr_cycle_count_t)us * MHZ;
    if (target > avr->cycle)
        avr_cycle_timer_register(avr, target - avr->cycle, nothing, NULL); /* so that no sleep is longer */
    while (avr->cycle < target) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            fail("the program ended");
    }
    deliver();
}

/* A program that hangs: the loop at the very end of any C program. */
static void hang(void)
{
    for (avr_flashaddr_t at = 0; at < avr->codeend; at += 2) {
        if (avr->flash[at] == 0xFF && avr->flash[at + 1] == 0xCF) {
            avr->pc = at;
            avr->state = cpu_Running;
            return;
        }
    }
    fail("the program has no endless loop");
}

static void tell(const char *name, const long *range)
{
    printf(" %s=%ld:%ld", name, range[0] * 1000 / MHZ, range[1] * 1000 / MHZ);
}

static void answer(void)
{
    printf("now_us=%llu baud=%u out=%ld overruns=%ld resets=%ld frames=%ld bits=%ld",
           (unsigned long long)(avr->cycle / MHZ), MHZ * 1000000 / cycles_per_bit(), bytes_out, overruns,
           resets, frames, bits);
    tell("high_zero_ns", high_zero);
    tell("high_one_ns", high_one);
    tell("low_zero_ns", low_zero);
    tell("low_one_ns", low_one);
    tell("between_leds_ns", between_leds);
    printf(" port=%s leds=", port_name);
    for (int n = 0; n < leds * colours; n++)
        printf("%02x", shining[n]);
    printf("\n");
    fflush(stdout);
}

static void unplug(void)
{
    close(board_end);
    close(host_end);
    board_end = host_end = -1;
    wire_tail = wire_head;
}

static void plug(void)
{
    struct termios raw;
    if (openpty(&board_end, &host_end, port_name, NULL, NULL))
        fail("there is no pseudo-terminal");
    tcgetattr(host_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(host_end, TCSANOW, &raw);
    fcntl(board_end, F_SETFL, O_NONBLOCK);
}

static void say(const char *hex)
{
    unsigned byte;
    collect();
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        put_on_the_wire((uint8_t)byte);
}

static void obey(const char *command)
{
    long a, b, c;
    char hex[4096];
    if (sscanf(command, "run %ld", &a) == 1)
        run(a);
    else if (sscanf(command, "contact %ld %ld %ld", &a, &b, &c) == 3)
        closed[a & 7][b & 15] = c;
    else if (sscanf(command, "say %4095s", hex) == 1)
        say(hex);
    else if (sscanf(command, "lose %ld", &a) == 1)
        lose_in = a;
    else if (sscanf(command, "lose-out %ld", &a) == 1)
        lose_out = a;
    else if (sscanf(command, "noise %ld %ld", &a, &b) == 2)
        noise_per_mille = a, noise_state = (unsigned)b;
    else if (!strcmp(command, "reset\n"))
        avr_reset(avr);
    else if (!strcmp(command, "hang\n"))
        hang();
    else if (!strcmp(command, "unplug\n"))
        unplug();
    else if (!strcmp(command, "plug\n"))
        plug(), avr_reset(avr);
    else
        fail(command);
    answer();
}

static void make_avr(const char *elf)
{
    static elf_firmware_t firmware;
    avr_global_logger_set(log_to_stderr);
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || elf_read_firmware(elf, &firmware))
        fail("cannot read the firmware");
    avr_init(avr);
    avr->sleep = sleep_without_waiting;
    firmware.frequency = MHZ * 1000000;
    avr_load_firmware(avr, &firmware);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    if (!uart)
        fail("the chip has no UART");
    uint32_t quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    reset_of_the_chip = avr->reset;
    avr->reset = on_reset;
    avr_reset(avr);
    avr->io[AVR_DATA_TO_IO(uart->r_udr)].r.c = read_udr;
    avr->io[AVR_DATA_TO_IO(PINC)].r.c = read_pinc;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_said, NULL);
    avr_irq_t *port_d = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), IOPORT_IRQ_REG_PORT);
    avr_irq_register_notify(port_d, on_port_d, NULL);
    avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), STRIP_PIN);
    avr_irq_register_notify(pin, on_strip_pin, NULL);
}

int main(int count, char **arguments)
{
    if (count != 6)
        fail("usage: nano ELF CHIPS CHANNELS LEDS COLOURS");
    chips = atoi(arguments[2]), channels = atoi(arguments[3]);
    leds = atoi(arguments[4]), colours = atoi(arguments[5]);
    plug();
    make_avr(arguments[1]);
    char *command = NULL;
    size_t size = 0;
    while (getline(&command, &size, stdin) > 0)
        obey(command);
    return 0;
}
