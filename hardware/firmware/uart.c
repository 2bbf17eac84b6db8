#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "config.h"

/*
 * Rings whose indices wrap by themselves. Each index is written on one side only, and is a single byte, so
 * neither side needs to hold off interrupts.
 */
static volatile uint8_t received[256], received_head, received_tail;
static volatile uint8_t sent[256], sent_head, sent_tail;

void uart_begin(void)
{
    UBRR0 = F_CPU / 8 / BAUD - 1;
    _Static_assert(F_CPU % (8 * BAUD) == 0, "the baud rate has an error");
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00); /* 8 bits, no parity, 1 stop bit */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

/* Inlined, since an interrupt that calls a function saves twice as many registers. */
__attribute__((always_inline)) static inline void take(void)
{
    while (UCSR0A & _BV(RXC0)) {
        uint8_t status = UCSR0A; /* belongs to the byte that is read next */
        uint8_t byte = UDR0;
        uint8_t next = received_head + 1;
        if (status & (_BV(FE0) | _BV(DOR0)))
            byte = UART_DAMAGED;
        if (next == received_tail)
            continue; /* full: the line's checksum will tell */
        received[received_head] = byte;
        received_head = next;
    }
}

ISR(USART_RX_vect)
{
    take();
}

void uart_take(void)
{
    take();
}

bool uart_has(void)
{
    return received_head != received_tail;
}

bool uart_get(uint8_t *byte)
{
    if (!uart_has())
        return false;
    *byte = received[received_tail];
    received_tail++;
    return true;
}

uint8_t uart_room(void)
{
    return sent_tail - sent_head - 1;
}

void uart_put(uint8_t byte)
{
    if (!uart_room())
        return;
    sent[sent_head] = byte;
    sent_head++;
    UCSR0B |= _BV(UDRIE0);
}

ISR(USART_UDRE_vect)
{
    if (sent_head == sent_tail) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = sent[sent_tail];
        sent_tail++;
    }
}
