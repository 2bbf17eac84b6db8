// The way into the lesson, which is loaded only by who takes it: a button on an empty table. One page leads at a
// time, as the board says; the others say so, and watch until somebody there leads on.

const element = (id) => document.getElementById(id);
const button = element("learn");
const led = element("led");

export class Learning {
  #connection;
  #ask;
  #complain;
  #Lesson; // from when this page first wanted to lead
  #lesson;
  #snapshot;
  #by = null; // who leads: "this" page, "another", or null
  #takesOver = false;

  /** `ask(...requests)` has the board do something; `complain(error)` is told why there is no lesson. */
  constructor(connection, ask, complain) {
    this.#connection = connection;
    this.#ask = ask;
    this.#complain = complain;
    button.addEventListener("click", () => this.#lead("begin"));
    element("take-over").addEventListener("click", () => this.#lead("take-over"));
    connection.addEventListener("leader", ({ detail }) => this.#follow(detail.by));
    connection.addEventListener("lost", () => (this.#by = null));
    connection.addEventListener("found", () => this.#lesson && this.#lead("begin"));
  }

  /** Offer the lesson where it can begin, and let one that has begun go on. */
  show(snapshot) {
    this.#snapshot = snapshot;
    this.#offer();
    this.#lesson?.show(snapshot);
  }

  #offer() {
    const { state, table, rule_sets: names } = this.#snapshot;
    const untouched = table && table.pieces.length + table.held.length === 0 && state.turns.length === 0;
    const left = table && state.rules === "lesson"; // by a page that is gone
    const another = this.#by === "another";
    button.hidden = Boolean(this.#lesson) || another || !(untouched || left) || !names.includes("standard");
    led.hidden = !another || !table;
  }

  async #lead(how) {
    try {
      this.#Lesson ??= (await import("./lesson.js")).Lesson;
      this.#takesOver = how === "take-over";
      await this.#connection.ask({ lead: how });
    } catch (error) {
      this.#complain(error);
    }
  }

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
    this.#lesson = new this.#Lesson(this.#ask, () => this.#ended());
    this.#offer(); // a button that is gone leaves the focus to the lesson
    if (this.#takesOver && this.#snapshot.state.rules === "lesson") {
      this.#lesson.goOn(this.#snapshot);
    } else {
      this.#lesson.begin(this.#snapshot);
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
