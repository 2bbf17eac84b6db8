// The WebSocket to the board: it comes back by itself, and every request gets its reply or an error. Where
// nothing is heard for a while, the board is asked, so that one that lost its power is not shown for ever.
// Events: "snapshot" and "setup" with everything as their detail, "leds" where only light has changed, "table"
// where only pieces on the board lie elsewhere, "welcome", "lost", "found", and any other type of message with
// itself as its detail.

import { connect } from "./socket.js";
import { say, tell } from "./words.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
const LOOK_MS = 5000;
const QUIET_MS = 15000; // then the board is asked whether it is there
const GONE_MS = 10000; // so long it may take to answer that
const IN_PARTS = ["state", "table"]; // whose own members a change has one by one

export class Connection extends EventTarget {
  #socket;
  #wait = FIRST_WAIT_MS;
  #nextId = 1;
  #waiting = new Map();
  #whole = null;
  #heard = 0;
  #askedAt = 0; // 0: everything is known
  #version;

  constructor() {
    super();
    setInterval(() => this.#look(), LOOK_MS);
  }

  open() {
    this.#socket = connect((event) => this.#hear(event));
  }

  /** Part from the board and come again at once. */
  again() {
    this.#wait = 0;
    this.#socket?.close();
  }

  /** Ask the board for something; the promise gives its result, or fails with the reason why not. */
  ask(request) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error(say("page.not-reached")));
    }
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ id, ...request }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #hear({ type, target, data }) {
    if (type === "close") {
      this.#lose(target);
    } else if (target !== this.#socket) {
      return;
    } else if (type === "open") {
      this.#wait = FIRST_WAIT_MS;
      this.#heard = Date.now();
      this.dispatchEvent(new Event("found"));
    } else {
      this.#receive(JSON.parse(data));
    }
  }

  #receive(message) {
    this.#heard = Date.now();
    switch (message.type) {
      case "welcome":
        this.#greet(message);
        break;
      case "reply":
        this.#end(message);
        break;
      case "snapshot":
      case "setup":
        this.#askedAt = 0;
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

  // A newer board has a newer page.
  #greet(message) {
    if (this.#version && this.#version !== message.version) {
      location.reload();
    }
    this.#version = message.version;
    this.#tell(message.type, message);
  }

  // Something was missed: what comes until everything is told anew cannot be used.
  #resync() {
    if (!this.#askedAt) {
      this.#askedAt = Date.now();
      this.ask({ resync: true }).catch(() => {}); // then the connection is lost, which is told
    }
  }

  #look() {
    const now = Date.now();
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return;
    }
    if (this.#askedAt && now - this.#askedAt > GONE_MS) {
      const gone = this.#socket;
      this.#lose(gone);
      gone.close();
    } else if (now - this.#heard > QUIET_MS) {
      this.#resync();
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

  #lose(socket) {
    if (socket !== this.#socket) {
      return;
    }
    this.#socket = null;
    for (const { reject } of this.#waiting.values()) {
      reject(new Error(say("page.lost")));
    }
    this.#waiting.clear();
    this.#whole = null;
    this.#askedAt = 0;
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(Math.max(FIRST_WAIT_MS, 2 * this.#wait), LONGEST_WAIT_MS);
  }
}

function isLight(changed) {
  const keys = Object.keys(changed.state ?? changed);
  return Object.keys(changed).length === 1 && keys.length === 1 && keys[0] === "leds";
}

function isTable(changed) {
  return Object.keys(changed).length === 1 && Object.keys(changed.table ?? {}).join() === "pieces";
}
