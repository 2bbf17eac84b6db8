/* The serial line, with a queue each way. */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UART_DAMAGED 0 /* stands for a byte that came in pieces or was lost; no line has it */

void uart_begin(void);

/* The next byte received; false if there is none. */
bool uart_get(uint8_t *byte);
bool uart_has(void);

/* The number of bytes that can be put now; further ones are lost. */
uint8_t uart_room(void);
void uart_put(uint8_t byte);

/* Take a received byte into the queue: for code that holds interrupts off for longer than a byte lasts. */
void uart_take(void);
