// The entrance to the lesson, which is loaded only when it is chosen: a button on an empty table. The board
// decides which page leads; the others say so, and watch until somebody there takes over.

import { element, present } from "./required.js";

/** @import { Connection, Request } from "./connection.js" */
/** @import { Lesson } from "./lesson.js" */
/** @import { Views } from "./views.js" */

const button = element("learn");
const led = element("led");

export class Learning {
  #connection;
  #views;
  #ask;
  #complain;
  /** @type {typeof Lesson | undefined} */
  #Lesson; // since this page first asked to lead
  /** @type {Lesson | undefined} */
  #lesson;
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;
  /** @type {Protocol.Leader["by"]} */
  #by = null; // the leader: "this" page, "another", or null
  #takesOver = false;
  #changed;

  /**
   * `ask(...requests)` sends requests to the board; `changed()` is called when a lesson begins or ends, and
   * `complain(error)` if there can be none.
   * @param {Connection} connection
   * @param {Views} views
   * @param {(...requests: Request[]) => Promise<boolean>} ask
   * @param {() => void} changed
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, views, ask, changed, complain) {
    this.#connection = connection;
    this.#views = views;
    this.#ask = ask;
    this.#changed = changed;
    this.#complain = complain;
    button.addEventListener("click", () => this.#lead("begin"));
    element("take-over").addEventListener("click", () => this.#lead("take-over"));
    connection.addEventListener("leader", ({ detail }) => this.#follow(detail.by));
    connection.addEventListener("table", ({ detail }) => this.#lesson?.touch(detail.table));
    connection.addEventListener("lost", () => (this.#by = null));
    connection.addEventListener("found", () => this.#lesson && this.#lead("begin"));
  }

  /** True if another page leads the lesson. */
  get elsewhere() {
    return this.#by === "another";
  }

  /**
   * Offer the lesson where it can begin, and continue one that has begun.
   * @param {Protocol.Snapshot} snapshot
   */
  show(snapshot) {
    this.#snapshot = snapshot;
    this.#offer();
    this.#lesson?.show(snapshot);
  }

  #offer() {
    const { state, table, rule_sets: names } = present(this.#snapshot);
    const untouched = table && table.pieces.length + table.held.length === 0 && state.turns.length === 0;
    const left = table && state.rules === "lesson"; // by a page that is gone
    const another = this.#by === "another";
    button.hidden = Boolean(this.#lesson) || another || !(untouched || left) || !names.includes("standard");
    led.hidden = !another || !table;
    this.#changed();
  }

  /** @param {Protocol.Lead["lead"]} how */
  async #lead(how) {
    try {
      this.#Lesson ??= (await import("./lesson.js")).Lesson;
      this.#takesOver = how === "take-over";
      await this.#connection.ask({ lead: how });
    } catch (error) {
      this.#complain(error);
    }
  }

  /** @param {Protocol.Leader["by"]} by */
  #follow(by) {
    this.#by = by;
    if (by !== "this") {
      this.#lesson?.end();
    } else if (!this.#lesson) {
      this.#begin();
    }
    this.#offer();
  }

  #begin() {
    const snapshot = present(this.#snapshot);
    const lesson = new (present(this.#Lesson))(this.#ask, () => this.#ended());
    this.#lesson = lesson;
    this.#offer(); // a button that is gone passes the focus to the lesson
    if (this.#takesOver && snapshot.state.rules === "lesson") {
      lesson.goOn(snapshot);
    } else {
      lesson.begin(snapshot);
    }
    if (this.#views.opened === "start") {
      this.#views.close(); // in a tall window it lies over the board; the focus has left it
    }
  }

  #ended() {
    this.#lesson = undefined;
    this.#offer();
    if (this.#by === "this") {
      this.#connection.ask({ lead: "leave" }).catch((error) => this.#complain(error));
    }
  }
}
