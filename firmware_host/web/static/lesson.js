// The first two minutes: a short game that is really played, on the table and by the rules, with four pieces
// each. Each turn is chosen, Black's as well, so that the board's own lights lead to it, and its own sentence
// helps after a mistake: no other turn counts. This page's hands play Black's turns, except one, and wait until
// all pieces stand right. The lesson can be left at any time; then the board is cleared, and a game by the
// previous rules can begin.

import { carriedOut, stepsOf } from "./carrying.js";
import { sweep } from "./controls.js";
import { write } from "./notice.js";
import { fit } from "./panel.js";
import { element, present, within } from "./required.js";
import { say, tell } from "./words.js";

/** @import { Request } from "./connection.js" */
/** @import { Table } from "./geometry.js" */

// In these statuses the board's own sentence, which the lesson hides, says how to go on.
const ASTRAY = ["mismatch", "undecided", "taking-back"];

/**
 * A turn of the game, and the text for the learner; a turn without a text is played by the page. A turn of several
 * steps may have `more` texts, for each step after the first; `repair` follows a mistake that is asked for.
 * @typedef {{ turn: string, text?: () => string, more?: (() => string)[], repair?: () => string }} LessonTurn
 */

/**
 * A lesson: the rules that it is played by, those of the game that it teaches, its turns, and its last words.
 * @typedef {{ rules: string, game: string, turns: LessonTurn[], end: () => string }} Course
 */

/** @type {LessonTurn[]} */
const TURNS = [
  { turn: "d7", text: () => say("lesson.place", { points: ["d7"] }) },
  { turn: "d2" },
  { turn: "a7", text: () => say("lesson.three", { points: ["a7"] }) },
  { turn: "f2" },
  { turn: "g7xd2", text: () => say("lesson.close", { points: ["g7"] }) },
  { turn: "b2" },
  { turn: "d2", text: () => say("lesson.block", { points: ["d2"] }) },
  { turn: "e4" },
  {
    turn: "g7-g4",
    text: () => say("lesson.mistake", { from: ["g7"], points: ["c4"] }),
    repair: () => say("lesson.repair", { points: ["g4"] }),
  },
  { turn: "e4-c3", text: () => say("lesson.fly", { from: ["e4"], points: ["c3"] }) },
  { turn: "g4-g7xc3", text: () => say("lesson.again", { from: ["g4"], points: ["g7"] }) },
];

/** @type {Course} */
export const MILL = { rules: "lesson", game: "standard", turns: TURNS, end: () => say("lesson.end") };

export class Lesson {
  #ask;
  #setUp;
  #course;
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;
  /** @type {{ rules?: string, set?: Record<string, unknown> }} */
  #before = {};
  /** @type {Table | null} */
  #table = null;
  #status = "";
  #replied = -1; // the number of the turn that this page has played last
  #at = -1;
  #begun = false;
  #mistaken = false;
  #over = false;
  #timer = 0;
  #ended;

  /**
   * `ask(...requests)` sends requests to the board and returns whether they were carried out, `setUp()` sets the
   * pieces of a game that begins with some, and `ended()` is called at the end.
   * @param {Course} course
   * @param {(...requests: Request[]) => Promise<boolean>} ask
   * @param {() => Promise<void>} setUp
   * @param {() => void} ended
   */
  constructor(course, ask, setUp, ended) {
    this.#course = course;
    this.#ask = ask;
    this.#setUp = setUp;
    this.#ended = ended;
    element("leave").onclick = () => this.#leave();
  }

  /**
   * Begin; pieces that an unfinished lesson left on the table go into the box.
   * @param {Protocol.Snapshot} snapshot
   */
  async begin({ state, table }) {
    this.#open(state);
    if (await this.#ask(...sweep(table), { do: "new-game", rules: this.#course.rules })) {
      await this.#setUp();
    } else {
      this.end();
    }
  }

  /**
   * Continue from where another page has led to.
   * @param {Protocol.Snapshot} snapshot
   */
  goOn(snapshot) {
    this.#open(snapshot.state);
    this.show(snapshot);
  }

  /** End it, whatever the board plays; may be called twice. */
  end() {
    if (this.#over) {
      return;
    }
    this.#over = true;
    this.#wait();
    document.body.classList.remove("learning");
    element("lesson").hidden = element("lesson-step").hidden = true;
    goToBoard();
    this.#ended();
  }

  /** @param {Protocol.Snapshot["state"]} state */
  #open(state) {
    const [rules = "", ...switches] = state.rules.replace(this.#course.rules, this.#course.game).split(" ");
    this.#before = { rules, set: Object.fromEntries(switches.map((text) => text.split("="))) };
    this.#name(say("lesson.leave"), { quiet: true });
    document.body.classList.add("learning");
    element("lesson").hidden = element("lesson-step").hidden = false;
    element("lesson").scrollIntoView({ block: "nearest" }); // its button may lie below the board
    goToBoard();
    this.#write(say("lesson.wait"));
  }

  /**
   * Continue with the state of a snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show(snapshot) {
    const { state, table } = snapshot;
    this.#snapshot = snapshot;
    this.#table = table;
    const at = onCourse(state, this.#course);
    if (at === undefined && this.#begun) {
      this.end(); // another game was begun, or another turn played
    } else if (at !== undefined) {
      this.#begun = true;
      this.#follow(state, at);
    }
  }

  /**
   * Continue with pieces that hands have moved, of which the board knows nothing yet.
   * @param {Table | null} table
   */
  touch(table) {
    this.#table = table;
    this.#reply();
  }

  /**
   * @param {Protocol.Snapshot["state"]} state
   * @param {number} at
   */
  #follow(state, at) {
    if (at !== this.#at) {
      this.#at = at;
      this.#turn();
    }
    const { turns } = this.#course;
    const done = turns.slice(0, at + 1).filter(({ text }) => text).length;
    write(within(element("lesson-step"), "span"), say("lesson.step", { count: done, of: turns.filter(({ text }) => text).length }));
    within(element("lesson-step"), "progress").value = at / turns.length;
    this.#status = state.status;
    this.#reply();
    this.#mistaken ||= state.status === "mismatch" && Boolean(turns[at]?.repair);
    this.#write(this.#words(state), ASTRAY.includes(state.status) ? advised(state) : "");
  }

  #turn() {
    this.#mistaken = false;
    this.#replied = -1;
    this.#wait();
    const { turn } = this.#course.turns[this.#at] ?? {};
    if (turn) {
      this.#ask({ do: "choose", turn });
    } else {
      this.#name(say("lesson.play"), { quiet: false });
    }
  }

  /** Play a turn that is not the learner's, a moment after all pieces stand right. */
  #reply() {
    const { turn, text } = this.#course.turns[this.#at] ?? {};
    const { held } = present(this.#table);
    if (!turn || text || this.#status !== "ready" || held.length || this.#replied === this.#at) {
      this.#wait();
    } else if (!this.#timer) {
      // A piece put down within a second of a capture could be the same piece put back.
      const { thinks, afterRemoval } = element("lesson").dataset;
      const wait = this.#course.turns[this.#at - 1]?.turn.includes("x") ? afterRemoval : thinks;
      this.#timer = setTimeout(() => this.#play(turn), Number(wait));
    }
  }

  /** @param {string} turn */
  async #play(turn) {
    const at = this.#at;
    this.#replied = at;
    if (!(await this.#ask(...carriedOut(stepsOf(turn), present(this.#snapshot))))) {
      this.#replied = -1;
    }
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** @param {Protocol.Snapshot["state"]} state */
  #words(state) {
    const { turns, end } = this.#course;
    const { turn, text, more, repair } = turns[this.#at] ?? {};
    if (!turn) {
      return end();
    }
    if (state.status === "remove") {
      return say("lesson.remove");
    }
    if (this.#mistaken) {
      return present(repair)();
    }
    if (ASTRAY.includes(state.status)) {
      return say("lesson.oops");
    }
    const begun = state.turns[this.#at];
    const later = begun === undefined ? undefined : more?.[stepsOf(begun).length - 1];
    return (later ?? text ?? (() => say("lesson.wait")))();
  }

  /** @param {string[]} lines */
  #write(...lines) {
    for (const [index, line] of element("lesson").querySelectorAll("p").entries()) {
      const text = lines[index] ?? "";
      if (line.textContent !== text) {
        line.textContent = text;
        requestAnimationFrame(fit);
      }
    }
  }

  /**
   * Name the button that leads out of the lesson: to leave is not what is due, but after the end a game is.
   * @param {string} words
   * @param {{ quiet: boolean }} look
   */
  #name(words, { quiet }) {
    element("leave").textContent = words;
    element("leave").classList.toggle("quiet", quiet);
  }

  #leave() {
    this.end();
    this.#again();
  }

  async #again() {
    if (await this.#ask(...sweep(this.#table), { do: "new-game", ...this.#before })) {
      await this.#setUp();
    }
  }
}

// After its button has disappeared, the focus goes to the board.
function goToBoard() {
  if (document.activeElement === document.body || !document.activeElement?.checkVisibility()) {
    /** @type {SVGElement | null} */ (document.querySelector("#hands [tabindex='0']"))?.focus({ preventScroll: true });
  }
}

/**
 * Return the number of turns of the course that were played, the last one perhaps in part; undefined in
 * another game.
 * @param {Protocol.Snapshot["state"]} state
 * @param {Course} course
 */
function onCourse({ rules, turns }, course) {
  const done = turns.filter((turn, index) => turn === course.turns[index]?.turn).length;
  const begun = turns.length === done + 1 && /^[x /]/.test(rest(course.turns[done]?.turn, present(turns[done])));
  return rules === course.rules && (turns.length === done || begun) ? done : undefined;
}

/**
 * Return what is left of a turn after its beginning; nothing if it doesn't begin like that.
 * @param {string | undefined} turn
 * @param {string} beginning
 */
const rest = (turn, beginning) => (turn?.startsWith(beginning) ? turn.slice(beginning.length) : "");

/**
 * Return the sentence of the board with its advice: the sentence alone may only give the reason.
 * @param {Protocol.Snapshot["state"]} state
 */
function advised({ said, sentence, advice_said: advice, advice: otherwise }) {
  return [tell(said, sentence), otherwise && tell(advice ?? undefined, otherwise)].filter(Boolean).join(" ");
}
