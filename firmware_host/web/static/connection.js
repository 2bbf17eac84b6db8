// The WebSocket to the board: it reconnects by itself, and every request gets its reply or an error. After a
// silence the board is asked whether it is there, so that one without power is not shown for ever. Events:
// "snapshot" and "setup" with the complete message as their detail, "leds" if only light has changed, "table"
// if only pieces on the board have moved, "welcome", "lost", "found", and any other type of message with the
// message as its detail.

import { unreached } from "./notice.js";
import { say, tell } from "./words.js";

/** @typedef {Protocol.Snapshot | Protocol.Setup} Whole */
/** @typedef {Omit<Protocol.Change, "type" | "after">} Parts */
/** @typedef {Exclude<Protocol.FromBoard, Protocol.Change>} Message */

/**
 * The requests of a page, from the schema; a connection adds their number.
 * @typedef {Protocol.Lift | Protocol.Put | Protocol.Push | Protocol.Flick | Protocol.Box | Protocol.Sweep
 *   | Protocol.Fault | Protocol.Repair | Protocol.Power | Protocol.Script | Protocol.Watch | Protocol.Lead
 *   | Protocol.Rebuild | Protocol.Carry | Protocol.Do | Protocol.Answer | Protocol.Ask | Protocol.Analyse
 *   | Protocol.Press | Protocol.Release | Protocol.Report | Protocol.Log | Protocol.Setting | Protocol.Rooms | Protocol.Resync} Request
 */

/**
 * The result of a request.
 * @template R
 * @typedef {R extends { ask: "rules" } ? Protocol.RulesResult
 *   : R extends { ask: "position" } ? Protocol.PositionResult
 *   : R extends { ask: "games" } ? Protocol.GamesResult
 *   : R extends { ask: "game" } ? Protocol.GameResult
 *   : R extends { ask: "record" } ? Protocol.RecordResult
 *   : R extends { ask: "statistics" } ? Protocol.StatisticsResult
 *   : R extends { ask: "strength" } ? Protocol.StrengthResult
 *   : R extends { ask: "line" } ? Protocol.LineResult
 *   : R extends { ask: "values" } ? Protocol.ValuesResult
 *   : R extends { ask: "qr" } ? Protocol.QrResult
 *   : R extends { ask: "analysis" } | { analyse: boolean } ? Protocol.AnalysisResult
 *   : R extends { script: true } ? Protocol.ScriptResult
 *   : R extends { report: true } ? Protocol.ReportResult
 *   : R extends { log: true } ? Protocol.LogResult
 *   : undefined} Result
 */

/**
 * @typedef {object} Events
 * @property {CustomEvent<Protocol.Snapshot>} snapshot
 * @property {CustomEvent<Protocol.Setup>} setup
 * @property {CustomEvent<{ leds: Protocol.Leds }>} leds
 * @property {CustomEvent<{ table: Protocol.Snapshot["table"] }>} table
 * @property {CustomEvent<Protocol.Welcome>} welcome
 * @property {CustomEvent<Protocol.Sensors>} sensors
 * @property {CustomEvent<Protocol.Leader>} leader
 * @property {CustomEvent<Protocol.Parts>} parts
 * @property {CustomEvent<Protocol.Wished>} wished
 * @property {Event} found
 * @property {Event} lost
 */

/**
 * An EventTarget that knows the types of its events.
 * @typedef {Omit<EventTarget, "addEventListener"> & {
 *   addEventListener<Type extends keyof Events>(
 *     type: Type, hear: (event: Events[Type]) => void, options?: AddEventListenerOptions): void,
 * }} Target
 */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
const LOOK_MS = 5000;
const QUIET_MS = 15000; // then the board is asked whether it is there
const GONE_MS = 10000; // the time for an answer to that

export class Connection extends /** @type {new () => Target} */ (EventTarget) {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = FIRST_WAIT_MS;
  #nextId = 1;
  /** @type {Map<number | null, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #waiting = new Map(); // `any`: only ask() knows which result belongs to a number
  /** @type {Whole | null} */
  #whole = null;
  #heard = 0;
  #askedAt = 0; // 0: nothing is missing
  /** The time of the last reply, as performance.now() counts. */
  answeredAt = -Infinity;
  /** @type {Promise<unknown>} */
  errand = Promise.resolve(); // what the page does for hands, in several requests
  /** @type {string | undefined} */
  #version;

  constructor() {
    super();
    setInterval(() => this.#look(), LOOK_MS);
  }

  open() {
    this.#socket = window.begun.connect((event) => this.#hear(event));
  }

  /** Disconnect from the board, and reconnect at once. */
  again() {
    this.#wait = 0;
    this.#socket?.close();
  }

  /**
   * Send a request to the board; the promise gives its result, or fails with the reason.
   * @template {Request} R
   * @param {R} request
   * @returns {Promise<Result<R>>}
   */
  ask(request) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(unreached());
    }
    const id = this.#nextId++;
    this.#socket.send(JSON.stringify({ id, ...request }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** @param {Event} event */
  #hear(event) {
    const { type, target } = event;
    if (type === "close") {
      this.#lose(target);
    } else if (target !== this.#socket) {
      return;
    } else if (type === "open") {
      this.#wait = FIRST_WAIT_MS;
      this.#heard = Date.now();
      this.dispatchEvent(new Event("found"));
    } else {
      this.#receive(JSON.parse(/** @type {MessageEvent<string>} */ (event).data));
    }
  }

  /** @param {Protocol.FromBoard} message */
  #receive(message) {
    this.#heard = Date.now();
    switch (message.type) {
      case "welcome":
        this.#greet(message);
        break;
      case "reply":
        this.answeredAt = performance.now();
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

  /** @param {Protocol.Change} change */
  #change({ type, after, ...parts }) {
    const before = this.#whole;
    if (before?.seq !== after) {
      this.#resync();
      return;
    }
    const whole = changed(before, parts);
    this.#whole = whole;
    if (isLight(parts)) {
      this.#tell("leds", { leds: whole.type === "snapshot" ? whole.state.leds : whole.leds });
    } else if (whole.type === "snapshot" && isTable(parts)) {
      this.#tell("table", { table: whole.table });
    } else {
      this.#tell(whole.type, whole);
    }
  }

  /**
   * A board with a newer version has a newer page.
   * @param {Protocol.Welcome} message
   */
  #greet(message) {
    if (this.#version && this.#version !== message.version) {
      location.reload();
    }
    this.#version = message.version;
    this.#tell(message.type, message);
  }

  // A change is missing: those that follow cannot be used until everything has been sent again.
  #resync() {
    if (!this.#askedAt) {
      this.#askedAt = Date.now();
      this.ask({ resync: true }).catch(() => {}); // if it fails the connection is lost, which is reported
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

  /**
   * @template {keyof Events} Type
   * @param {Type} type
   * @param {Events[Type] extends CustomEvent<infer Detail> ? Detail : never} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** @param {Protocol.Reply} reply */
  #end({ id, error, said, result }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) {
      const words = tell(said, undefined);
      waiting?.reject(words ? new Error(words) : Object.assign(new Error(error), { lang: "en" }));
    } else {
      waiting?.resolve(result);
    }
  }

  /** @param {EventTarget | null} socket */
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

/**
 * Return everything after a change, which has the members of state and table one by one.
 * @param {Whole} whole
 * @param {Parts} parts
 */
function changed(whole, parts) {
  const now = /** @type {Whole} */ ({ ...whole, ...parts });
  if (parts.state && whole.type === "snapshot" && now.type === "snapshot") {
    now.state = { ...whole.state, ...parts.state };
  }
  if (parts.table && whole.table) {
    now.table = { ...whole.table, ...parts.table };
  }
  return now;
}

/** @param {Parts} parts */
function isLight({ seq, ...parts }) {
  const keys = Object.keys(parts.state ?? parts);
  return Object.keys(parts).length === 1 && keys.length === 1 && keys[0] === "leds";
}

/** @param {Parts} parts */
function isTable({ seq, ...parts }) {
  return Object.keys(parts).length === 1 && Object.keys(parts.table ?? {}).join() === "pieces";
}
