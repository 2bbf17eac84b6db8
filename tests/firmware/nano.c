/*
 * An Arduino Nano in simavr with what a board has around it: mux chips with contacts on its pins, an LED
 * strip that measures the pulses it is sent, and its serial line on a pseudo-terminal.
 *
 * usage: nano ELF CHIPS CHANNELS LEDS COLOURS
 * Obeys lines on stdin, each answered by a line with the state, which names the pseudo-terminal:
 *   run US             let this many microseconds of the Nano's time pass; time passes in no other way
 *   contact C N 0|1    open or close the contact on channel N of chip C
 *   say HEX            these bytes reach the Nano, after those that its host has written
 *   lose N | lose-out N    the next N bytes to the Nano, or from it, are lost on the wire
 *   noise N SEED       of a thousand bytes, either way, N have a bit flipped
 *   reset | hang       press reset; or have the program run in an endless loop
 *   unplug | plug      pull the USB plug, and put it in again, which restarts the Nano
 *
 * Invariants: bytes that the host wrote before a `run` reach the Nano during it, and bytes that the Nano sends
 * can be read by the host once it is answered, so that a test is the same every time; a byte takes its time
 * on the wire, and the UART holds two that were not read, which simavr alone does not mind.
 */

#define _GNU_SOURCE
#include "nano.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_elf.h>

avr_t *avr;
int chips, channels, leds, colours;
static long resets = -1;
static void (*reset_of_the_chip)(avr_t *);

void fail(const char *what)
{
    fprintf(stderr, "nano: %s\n", what);
    exit(1);
}

static void on_reset(avr_t *a)
{
    resets++;
    line_reset();
    board_reset();
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
    line_before();
    target = (target ? target : avr->cycle) + (avr_cycle_count_t)us * MHZ;
    if (target > avr->cycle)
        avr_cycle_timer_register(avr, target - avr->cycle, nothing, NULL); /* so that no sleep is longer */
    while (avr->cycle < target) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            fail("the program ended");
    }
    line_after();
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

static void answer(void)
{
    printf("now_us=%llu resets=%ld", (unsigned long long)(avr->cycle / MHZ), resets);
    line_tell();
    board_tell();
    printf("\n");
    fflush(stdout);
}

static void obey(const char *command)
{
    long a, b, c;
    char hex[4096];
    if (sscanf(command, "run %ld", &a) == 1)
        run(a);
    else if (sscanf(command, "contact %ld %ld %ld", &a, &b, &c) == 3)
        board_contact((int)a, (int)b, c);
    else if (sscanf(command, "say %4095s", hex) == 1)
        line_say(hex);
    else if (sscanf(command, "lose %ld", &a) == 1)
        line_lose_in = a;
    else if (sscanf(command, "lose-out %ld", &a) == 1)
        line_lose_out = a;
    else if (sscanf(command, "noise %ld %ld", &a, &b) == 2)
        line_noise(a, (unsigned)b);
    else if (!strcmp(command, "reset\n"))
        avr_reset(avr);
    else if (!strcmp(command, "hang\n"))
        hang();
    else if (!strcmp(command, "unplug\n"))
        line_unplug();
    else if (!strcmp(command, "plug\n"))
        line_plug(), avr_reset(avr);
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
    reset_of_the_chip = avr->reset;
    avr->reset = on_reset;
    avr_reset(avr);
    line_begin();
    board_begin();
}

int main(int count, char **arguments)
{
    if (count != 6)
        fail("usage: nano ELF CHIPS CHANNELS LEDS COLOURS");
    chips = atoi(arguments[2]), channels = atoi(arguments[3]);
    leds = atoi(arguments[4]), colours = atoi(arguments[5]);
    make_avr(arguments[1]);
    line_plug();
    char *command = NULL;
    size_t size = 0;
    while (getline(&command, &size, stdin) > 0)
        obey(command);
    return 0;
}
