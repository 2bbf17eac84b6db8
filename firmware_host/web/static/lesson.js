// The first two minutes: a short game that is really played, on the table and by the rules, with four pieces
// each. Each turn is chosen, Black's as well, so that the board's own lights lead to it, and its own sentence
// helps after a mistake: no other turn counts. This page's hands play Black's turns, except one, and wait until
// all pieces stand right. The lesson can be left at any time; then the board is cleared, and a game by the
// previous rules can begin.

import { sweep } from "./controls.js";
import { write } from "./notice.js";
import { fit } from "./panel.js";
import { element, present, within } from "./required.js";
import { say, tell } from "./words.js";

/** @import { Request } from "./connection.js" */
/** @import { Table } from "./geometry.js" */

const RULES = "lesson";

// In these statuses the board's own sentence, which the lesson hides, says how to go on.
const ASTRAY = ["mismatch", "undecided", "taking-back"];

// Each turn of the game, and the text for the learner; a turn without a text is played by the page.
/** @type {{ turn: string, text?: () => string, repair?: () => string }[]} */
const COURSE = [
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

const STEPS = COURSE.filter(({ text }) => text).length;

export class Lesson {
  #ask;
  /** @type {{ rules?: string, set?: Record<string, unknown> }} */
  #before = {};
  /** @type {Table | null} */
  #table = null;
  #status = "";
  #at = -1;
  #begun = false;
  #mistaken = false;
  #over = false;
  #timer = 0;
  #ended;

  /**
   * `ask(...requests)` sends requests to the board and returns whether they were carried out; `ended()` is
   * called at the end.
   * @param {(...requests: Request[]) => Promise<boolean>} ask
   * @param {() => void} ended
   */
  constructor(ask, ended) {
    this.#ask = ask;
    this.#ended = ended;
    element("leave").onclick = () => this.#leave();
  }

  /**
   * Begin; pieces that an unfinished lesson left on the table go into the box.
   * @param {Protocol.Snapshot} snapshot
   */
  async begin({ state, table }) {
    this.#open(state);
    if (!(await this.#ask(...sweep(table), { do: "new-game", rules: RULES }))) {
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
    const [rules = "", ...switches] = state.rules.replace(RULES, "standard").split(" ");
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
  show({ state, table }) {
    this.#table = table;
    const at = onCourse(state);
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
    const done = COURSE.slice(0, at + 1).filter(({ text }) => text).length;
    write(within(element("lesson-step"), "span"), say("lesson.step", { count: done, of: STEPS }));
    within(element("lesson-step"), "progress").value = at / COURSE.length;
    this.#status = state.status;
    this.#reply();
    this.#mistaken ||= state.status === "mismatch" && Boolean(COURSE[at]?.repair);
    this.#write(this.#words(state), ASTRAY.includes(state.status) ? advised(state) : "");
  }

  #turn() {
    this.#mistaken = false;
    this.#wait();
    const { turn } = COURSE[this.#at] ?? {};
    if (turn) {
      this.#ask({ do: "choose", turn });
    } else {
      this.#name(say("lesson.play"), { quiet: false });
    }
  }

  /** Play a turn that is not the learner's, a moment after all pieces stand right. */
  #reply() {
    const { turn, text } = COURSE[this.#at] ?? {};
    const { pieces, held } = present(this.#table);
    if (!turn || text || this.#status !== "ready" || held.length || pieces.some(({ at }) => at === turn)) {
      this.#wait();
    } else if (!this.#timer) {
      // A piece put down within a second of a capture could be the same piece put back.
      const { thinks, afterRemoval } = element("lesson").dataset;
      const wait = COURSE[this.#at - 1]?.turn.includes("x") ? afterRemoval : thinks;
      this.#timer = setTimeout(() => this.#ask({ put: turn, piece: "black" }), Number(wait));
    }
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** @param {Protocol.Snapshot["state"]} state */
  #words(state) {
    const { text, repair } = COURSE[this.#at] ?? {};
    if (this.#at >= COURSE.length) {
      return say("lesson.end");
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
    return text ? text() : say("lesson.wait");
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
    this.#ask(...sweep(this.#table), { do: "new-game", ...this.#before });
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
 */
function onCourse({ rules, turns }) {
  const done = turns.filter((turn, index) => turn === COURSE[index]?.turn).length;
  const begun = turns.length === done + 1 && COURSE[done]?.turn.startsWith(`${turns[done]}x`);
  return rules === RULES && (turns.length === done || begun) ? done : undefined;
}

/**
 * Return the sentence of the board with its advice: the sentence alone may only give the reason.
 * @param {Protocol.Snapshot["state"]} state
 */
function advised({ said, sentence, advice_said: advice, advice: otherwise }) {
  return [tell(said, sentence), otherwise && tell(advice ?? undefined, otherwise)].filter(Boolean).join(" ");
}
