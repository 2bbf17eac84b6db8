#include "protocol.h"

#include <util/crc16.h>

#include "config.h"
#include "strip.h"
#include "uart.h"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

/* messages from the host */

static const char HELLO[] = "HELLO?";
#define HELLO_LENGTH (sizeof HELLO - 1)
#define NUMBER_AT 2  /* in "L 1F 0A0B0C", the digits of the frame's number */
#define COLOURS_AT 5 /* and those of its colours */
#define LIGHT_LENGTH (COLOURS_AT + 2 * STRIP_BYTES)
#define SUM_LENGTH 4

typedef enum { NO_LINE, HELLO_LINE, LIGHT_LINE } kind_t;

static kind_t kind;
static uint16_t length, sum, claimed_sum;
static uint8_t claimed_length; /* digits of the checksum, and 1 for the star before; 0: not reached yet */
static uint8_t light_number;

static uint8_t digit(uint8_t byte, bool *good)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'A' && byte <= 'F')
        return byte - 'A' + 10;
    *good = false;
    return 0;
}

/* The colours of a light frame go straight to the buffer they are sent from, digit by digit: a second
 * buffer would take a third of the memory, and the colours of a damaged frame, which is not shown, are
 * overwritten by the next.
 */
static bool hear_light(uint8_t byte)
{
    bool good = true;
    if (length < COLOURS_AT) {
        if (length == NUMBER_AT || length == NUMBER_AT + 1)
            light_number = (uint8_t)(light_number << 4) | digit(byte, &good);
        else
            good = byte == (length ? ' ' : 'L');
    } else if (length < LIGHT_LENGTH) {
        uint8_t *colour = strip_colours + (length - COLOURS_AT) / 2;
        *colour = (uint8_t)(*colour << 4) | digit(byte, &good);
    } else {
        good = false;
    }
    return good;
}

static void hear_word(uint8_t byte)
{
    if (!length)
        kind = byte == 'L' ? LIGHT_LINE : HELLO_LINE;
    bool good = kind != NO_LINE;
    if (kind == HELLO_LINE)
        good = length < HELLO_LENGTH && byte == (uint8_t)HELLO[length];
    else if (kind == LIGHT_LINE)
        good = hear_light(byte);
    if (!good)
        kind = NO_LINE; /* up to its end */
    length++;
    sum = _crc_xmodem_update(sum, byte);
}

static heard_t end_line(void)
{
    heard_t heard = HEARD_NOTHING;
    if (claimed_length == 1 + SUM_LENGTH && claimed_sum == sum) {
        if (kind == HELLO_LINE && length == HELLO_LENGTH)
            heard = HEARD_HELLO;
        else if (kind == LIGHT_LINE && length == LIGHT_LENGTH)
            heard = HEARD_LIGHT;
    }
    length = sum = claimed_sum = 0;
    claimed_length = 0;
    kind = NO_LINE;
    return heard;
}

heard_t protocol_hear(uint8_t byte)
{
    if (byte == '\n' || byte == '\r') /* a terminal's return key is a '\r' */
        return end_line();
    if (claimed_length) {
        bool good = true;
        claimed_sum = (uint16_t)(claimed_sum << 4) | digit(byte, &good);
        if (!good || ++claimed_length > 1 + SUM_LENGTH)
            claimed_length = 2 + SUM_LENGTH; /* too long to be valid, and stays so */
    } else if (byte == '*') {
        claimed_length = 1;
    } else {
        hear_word(byte);
    }
    return HEARD_NOTHING;
}

uint8_t protocol_light_number(void)
{
    return light_number;
}

/* messages to the host */

#define LONGEST_LINE 64

static uint16_t said_sum;

static void say_byte(uint8_t byte)
{
    said_sum = _crc_xmodem_update(said_sum, byte);
    uart_put(byte);
}

static void say_digit(uint8_t value)
{
    say_byte(value < 10 ? '0' + value : 'A' + value - 10);
}

static void say_hex(uint8_t value)
{
    say_digit(value >> 4);
    say_digit(value & 15);
}

static void say_text(const char *text)
{
    while (*text)
        say_byte((uint8_t)*text++);
}

static bool begin_line(void)
{
    said_sum = 0;
    return uart_room() >= LONGEST_LINE;
}

static void finish_line(void)
{
    uint16_t said = said_sum;
    uart_put('*');
    say_hex(said >> 8);
    say_hex(said & 255);
    uart_put('\r'); /* for terminals */
    uart_put('\n');
}

bool protocol_say_hello(void)
{
    if (!begin_line())
        return false;
    say_text("HELLO " PROTOCOL_VERSION " " FIRMWARE_VERSION " " TEXT(CHIPS) " ");
    say_text(CHANNELS == 8 ? "8 " : "16 ");
    say_text(TEXT(LEDS) " " TEXT(COLOURS));
    finish_line();
    return true;
}

bool protocol_say_contacts(uint8_t number, const uint8_t *contacts)
{
    if (!begin_line())
        return false;
    say_text("S ");
    say_hex(number);
    say_byte(' ');
    for (uint8_t n = 0; n < CONTACT_BYTES; n++)
        say_hex(contacts[n]);
    finish_line();
    return true;
}

bool protocol_say_shown(uint8_t number)
{
    if (!begin_line())
        return false;
    say_text("A ");
    say_hex(number);
    finish_line();
    return true;
}
