/* The serial line of the simulated Nano: a pseudo-terminal, a wire that loses bytes, and a UART that can. */

#define _GNU_SOURCE
#include "nano.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_regbit.h>
#include <simavr/sim_time.h>

#define MARK 0xFF /* ends what the host has written; no line has it */
#define UART_HOLDS 2

static avr_uart_t *uart;
static int board_end = -1, host_end = -1; /* of the pseudo-terminal; -1: it is unplugged */
static char port_name[128];

/* ---- noise on the wire -------------------------------------------------------------------------------- */

long line_lose_in, line_lose_out;
static long noise_per_mille;
static unsigned noise_state = 1;

static unsigned draw(void)
{
    noise_state = noise_state * 1103515245u + 12345u;
    return noise_state >> 16 & 0x7FFF;
}

void line_noise(long per_mille, unsigned seed)
{
    noise_per_mille = per_mille;
    noise_state = seed;
}

/* Return whether a byte survives; it may be changed. */
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
static bool arriving;
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
    if (survives(&line_lose_in, &byte) && avr_regbit_get(avr, uart->rxen)) {
        if (held_count == UART_HOLDS) {
            overruns++;
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
    if (said_count < sizeof said && survives(&line_lose_out, &byte))
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

/* Give the host the bytes sent, and wait until it could read them; if it reads nothing, most are lost. */
void line_after(void)
{
    size_t count = said_count;
    said_count = 0;
    if (!plugged() || !count)
        return;
    int before = waiting_for_host();
    ssize_t written = before + count < 4000 ? write(board_end, said, count) : 0;
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
    for (bool marked = false; !marked;) {
        struct pollfd ready = {.fd = board_end, .events = POLLIN};
        if (poll(&ready, 1, 10000) != 1)
            fail("the pseudo-terminal is stuck");
        ssize_t count = read(board_end, bytes, sizeof bytes);
        for (ssize_t n = 0; n < count; n++) {
            if (bytes[n] == MARK)
                marked = true;
            else
                put_on_the_wire(bytes[n]);
        }
    }
}

void line_before(void)
{
    collect();
    start_arriving();
}

void line_unplug(void)
{
    close(board_end);
    close(host_end);
    board_end = host_end = -1;
    wire_tail = wire_head;
}

void line_plug(void)
{
    struct termios raw;
    if (openpty(&board_end, &host_end, port_name, NULL, NULL))
        fail("there is no pseudo-terminal");
    tcgetattr(host_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(host_end, TCSANOW, &raw);
    fcntl(board_end, F_SETFL, O_NONBLOCK);
}

void line_say(const char *hex)
{
    unsigned byte;
    collect();
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        put_on_the_wire((uint8_t)byte);
}

void line_reset(void)
{
    held_count = 0;
    arriving = false; /* simavr forgets all timers */
}

void line_begin(void)
{
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    if (!uart)
        fail("the chip has no UART");
    uint32_t quiet = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &quiet);
    avr->io[AVR_DATA_TO_IO(uart->r_udr)].r.c = read_udr;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_said, NULL);
}

void line_tell(void)
{
    printf(" port=%s baud=%u out=%ld overruns=%ld", port_name, MHZ * 1000000 / cycles_per_bit(), bytes_out,
           overruns);
}
