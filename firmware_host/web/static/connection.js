// The WebSocket to the board: it comes back by itself, and every request gets its reply or an error.
// Events: "snapshot" and "leds" with the message as their detail, "lost", "found".

import { say, tell } from "./words.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

export class Connection extends EventTarget {
  #socket;
  #wait = FIRST_WAIT_MS;
  #nextId = 1;
  #waiting = new Map();

  open() {
    const socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT_MS;
      this.dispatchEvent(new Event("found"));
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#lose());
  }

  /** Ask the board for something; the promise gives its result, or fails with the reason why not. */
  ask(request) {
    if (this.#socket.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error(say("page.not-reached")));
    }
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ id, ...request }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive(message) {
    if (message.type !== "reply") {
      this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) {
      const words = tell(message.said);
      waiting?.reject(words ? new Error(words) : Object.assign(new Error(message.error), { lang: "en" }));
    } else {
      waiting?.resolve(message.result);
    }
  }

  #lose() {
    for (const { reject } of this.#waiting.values()) {
      reject(new Error(say("page.lost")));
    }
    this.#waiting.clear();
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }
}
