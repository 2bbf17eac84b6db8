// A reply comes just before the message with its effect: until then, the page is out of date.

/** @import { Connection } from "./connection.js" */

const SETTLE_MS = 2000; // for a busy machine

/**
 * Wait until the table of `view` satisfies `shown(table)`; not for long, since others may have changed it
 * again.
 * @param {Connection} connection
 * @param {{ table: Protocol.Setup["table"] | undefined }} view
 * @param {(table: NonNullable<Protocol.Setup["table"]>) => boolean} shown
 */
export async function settled(connection, view, shown) {
  const patience = AbortSignal.timeout(SETTLE_MS);
  while (!patience.aborted && view.table && !shown(view.table)) {
    await new Promise((resolve) => {
      connection.addEventListener("snapshot", resolve, { once: true });
      connection.addEventListener("table", resolve, { once: true });
      patience.addEventListener("abort", resolve, { once: true });
    });
  }
}
