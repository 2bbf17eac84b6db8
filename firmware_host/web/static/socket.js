// The WebSocket to the board. It is opened while the other modules are still being loaded, since each page
// has this one as a script of its own; messages that arrive before there is a listener are not lost.

const KINDS = ["open", "message", "close"];

/** @type {WebSocket | undefined} */
let first = opened();
/** @type {Event[]} */
const missed = [];
/** @param {Event} event */
const keep = (event) => missed.push(event);
KINDS.forEach((kind) => first?.addEventListener(kind, keep));

/**
 * A WebSocket to the board; `listener` is called with each of its events, in their order.
 * @param {(event: Event) => void} listener
 */
export function connect(listener) {
  const socket = first ?? opened();
  KINDS.forEach((kind) => socket.removeEventListener(kind, keep));
  KINDS.forEach((kind) => socket.addEventListener(kind, listener));
  first = undefined;
  queueMicrotask(() => missed.splice(0).forEach(listener));
  return socket;
}

function opened() {
  return new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
}
