// The way into the lesson, which is loaded only by who takes it: a button on an empty table.

const button = document.getElementById("learn");

export class Learning {
  #ask;
  #complain;
  #lesson;
  #snapshot;

  /** `ask(...requests)` has the board do something; `complain(error)` is told why there is no lesson. */
  constructor(ask, complain) {
    this.#ask = ask;
    this.#complain = complain;
    button.addEventListener("click", () => this.#begin());
  }

  /** Offer the lesson where it can begin, and let one that has begun go on. */
  show(snapshot) {
    this.#snapshot = snapshot;
    const { state, table, rule_sets: names } = snapshot;
    const untouched = table && table.pieces.length + table.held.length === 0 && state.turns.length === 0;
    button.hidden = Boolean(this.#lesson) || !untouched || !names.includes("standard");
    this.#lesson?.show(snapshot);
  }

  async #begin() {
    try {
      const { Lesson } = await import("./lesson.js");
      this.#lesson = new Lesson(this.#ask, () => (this.#lesson = undefined));
      button.hidden = true;
      this.#lesson.begin(this.#snapshot);
    } catch (error) {
      this.#complain(error);
    }
  }
}
