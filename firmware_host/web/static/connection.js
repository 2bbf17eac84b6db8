// The WebSocket to the board: it comes back by itself, and every request gets its reply or an error.
// Events: "snapshot" and "setup" with everything as their detail, "leds" where only light has changed, "table"
// where only pieces on the board lie elsewhere, "lost", "found", and any other type of message with itself as
// its detail.

import { say, tell } from "./words.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
const IN_PARTS = ["state", "table"]; // whose own members a change has one by one

export class Connection extends EventTarget {
  #socket;
  #wait = FIRST_WAIT_MS;
  #nextId = 1;
  #waiting = new Map();
  #whole = null;
  #asked = false;

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
    switch (message.type) {
      case "reply":
        this.#end(message);
        break;
      case "snapshot":
      case "setup":
        this.#asked = false;
        this.#whole = message;
        this.#tell(message.type, message);
        break;
      case "change":
        this.#change(message);
        break;
      default:
        this.#tell(message.type, message);
    }
  }

  #change({ type, after, ...parts }) {
    if (this.#whole?.seq !== after) {
      this.#resync();
      return;
    }
    const whole = { ...this.#whole, ...parts };
    for (const key of IN_PARTS) {
      if (parts[key] && this.#whole[key]) {
        whole[key] = { ...this.#whole[key], ...parts[key] };
      }
    }
    this.#whole = whole;
    const { seq, ...changed } = parts;
    if (isLight(changed)) {
      this.#tell("leds", { leds: (whole.state ?? whole).leds });
    } else if (whole.type === "snapshot" && isTable(changed)) {
      this.#tell("table", { table: whole.table });
    } else {
      this.#tell(whole.type, whole);
    }
  }

  // Something was missed: what comes until everything is told anew cannot be used.
  #resync() {
    if (!this.#asked) {
      this.#asked = true;
      this.ask({ resync: true }).catch(() => this.#socket.close());
    }
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #end({ id, error, said, result }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) {
      const words = tell(said);
      waiting?.reject(words ? new Error(words) : Object.assign(new Error(error), { lang: "en" }));
    } else {
      waiting?.resolve(result);
    }
  }

  #lose() {
    for (const { reject } of this.#waiting.values()) {
      reject(new Error(say("page.lost")));
    }
    this.#waiting.clear();
    this.#whole = null;
    this.#asked = false;
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT_MS);
  }
}

function isLight(changed) {
  const keys = Object.keys(changed.state ?? changed);
  return Object.keys(changed).length === 1 && keys.length === 1 && keys[0] === "leds";
}

function isTable(changed) {
  return Object.keys(changed).length === 1 && Object.keys(changed.table ?? {}).join() === "pieces";
}
