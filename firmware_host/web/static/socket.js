// The WebSocket to the board. The first is opened while the other modules are still being read, since each page has
// this one as a script of its own; what it says until somebody listens is not lost.

const KINDS = ["open", "message", "close"];

/** @type {WebSocket | undefined} */
let first = opened();
/** @type {Event[]} */
const missed = [];
/** @param {Event} event */
const keep = (event) => missed.push(event);
KINDS.forEach((kind) => first?.addEventListener(kind, keep));

/**
 * A WebSocket to the board; `hear` is called with each of its events, in their order.
 * @param {(event: Event) => void} hear
 */
export function connect(hear) {
  const socket = first ?? opened();
  KINDS.forEach((kind) => socket.removeEventListener(kind, keep));
  KINDS.forEach((kind) => socket.addEventListener(kind, hear));
  first = undefined;
  queueMicrotask(() => missed.splice(0).forEach(hear));
  return socket;
}

function opened() {
  return new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
}
