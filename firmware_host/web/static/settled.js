// A reply comes just before the message with its effect: until then, the page is out of date.

/** @import { Connection } from "./connection.js" */

const SETTLE_MS = 2000; // for a busy machine
const FOLLOWS_MS = 100; // until the effect has also come: changes are published together
const OPEN = ["ready", "remove", "lifted"]; // while the board may still be taking in a turn

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

/**
 * Wait until the page has done what it was asked to do for hands, and the board has taken in what they did last: then
 * it knows whose turn it is.
 * @param {Connection} connection
 * @param {{ state?: Protocol.Snapshot["state"] }} view
 */
export async function atRest(connection, view) {
  for (let errand; errand !== connection.errand; ) {
    ({ errand } = connection);
    await errand;
    await new Promise((resolve) => setTimeout(resolve, connection.answeredAt + FOLLOWS_MS - performance.now()));
  }
  const patience = AbortSignal.timeout(SETTLE_MS);
  while (!patience.aborted && view.state && !view.state.rests && OPEN.includes(view.state.status)) {
    await new Promise((resolve) => {
      connection.addEventListener("snapshot", resolve, { once: true });
      patience.addEventListener("abort", resolve, { once: true });
    });
  }
}
