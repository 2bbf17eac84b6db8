// The entrance to the lesson, which is loaded only when it is chosen: a button on an empty table. The board
// decides which page leads; the others say so, and watch until somebody there takes over.

import { element, present } from "./required.js";

/** @import { Connection, Request } from "./connection.js" */
/** @import { Lesson } from "./lesson.js" */
/** @import { Views } from "./views.js" */

const TAUGHT = ["standard", "mitsudomoe"];
export const LESSONS = ["lesson", "lesson-mitsudomoe"];
const button = element("learn");
const led = element("led");

export class Learning {
  #connection;
  #views;
  #ask;
  #setUp;
  #complain;
  /** @type {((ended: () => void) => Lesson) | undefined} */
  #newLesson; // since this page first asked to lead
  /** @type {Lesson | undefined} */
  #lesson;
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;
  /** @type {Protocol.Leader["by"]} */
  #by = null; // the leader: "this" page, "another", or null
  #takesOver = false;
  #changed;

  /**
   * `ask(...requests)` sends requests to the board, `setUp()` sets its pieces as a game begins, `changed()` is called when a lesson begins or ends, and
   * `complain(error)` if there can be none.
   * @param {Connection} connection
   * @param {Views} views
   * @param {(...requests: Request[]) => Promise<boolean>} ask
   * @param {() => Promise<void>} setUp
   * @param {() => void} changed
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, views, ask, setUp, changed, complain) {
    this.#connection = connection;
    this.#views = views;
    this.#ask = ask;
    this.#setUp = setUp;
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
    const laid = state.said.key === "lay-out" || state.status === "ready"; // a game may begin with pieces
    const untouched = table && state.turns.length === 0 && (table.pieces.length + table.held.length === 0 || (this.#stacks && laid));
    const left = table && LESSONS.includes(state.rules); // by a page that is gone
    const another = this.#by === "another";
    button.hidden = Boolean(this.#lesson) || another || !(untouched || left) || !names.some((name) => TAUGHT.includes(name));
    led.hidden = !another || !table;
    this.#changed();
  }

  /** True if pieces of this board's game can stand on each other. */
  get #stacks() {
    return Object.values(present(this.#snapshot).kinds).some(({ flat }) => flat);
  }

  async #load() {
    const { Lesson, MILL } = await import("./lesson.js");
    const course = this.#stacks ? (await import("./mitsudomoe.js")).MITSUDOMOE : MILL;
    const setUp = this.#stacks ? this.#setUp : async () => {};
    return (/** @type {() => void} */ ended) => new Lesson(course, this.#ask, setUp, ended);
  }

  /** @param {Protocol.Lead["lead"]} how */
  async #lead(how) {
    try {
      this.#newLesson ??= await this.#load();
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
    const lesson = present(this.#newLesson)(() => this.#ended());
    this.#lesson = lesson;
    this.#offer(); // a button that is gone passes the focus to the lesson
    if (this.#takesOver && LESSONS.includes(snapshot.state.rules)) {
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
