// The undo of an end that somebody declared: offered for as long as its bar runs, on the pages that saw the game end.

import { write } from "./notice.js";
import { element, within } from "./required.js";
import { say } from "./words.js";

/** @import { Connection } from "./connection.js" */

export class Undo {
  #connection;
  #changed;
  #goesOn;
  /** @type {boolean | undefined} */
  #possible; // since the last snapshot; undefined before the first
  #timer = 0;
  #undone = false; // and the game that goes on has not been seen yet

  /**
   * `changed()` is called when it is offered and when it no longer is, `goesOn()` when the game goes on again,
   * and `complain(error)` if it can't be undone.
   * @param {Connection} connection
   * @param {() => void} changed
   * @param {() => unknown} goesOn
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, changed, goesOn, complain) {
    this.#connection = connection;
    this.#changed = changed;
    this.#goesOn = goesOn;
    element("undo").addEventListener("click", () => this.#undo().catch(complain));
    element("view-start").addEventListener("input", () => this.offered && this.#end()); // somebody chooses the next game
  }

  /** True while it is offered. */
  get offered() {
    return this.#timer !== 0;
  }

  /**
   * Offer it if the game has ended since the last snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state: { can, turns, outcome } }) {
    if (this.#undone && turns.length > 0 && !outcome) {
      this.#undone = false;
      this.#goesOn();
    }
    const possible = can.includes("undo");
    write(within(element("undo"), "span"), named(outcome));
    element("undo").title = named(outcome);
    if (possible && this.#possible === false) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#end(), Number(element("undo").dataset.offered));
    } else if (!possible && this.#timer) {
      this.#end();
    }
    this.#possible = possible;
  }

  #end() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#changed();
  }

  async #undo() {
    this.#undone = true;
    try {
      await this.#connection.ask({ do: "undo" });
    } catch (error) {
      this.#undone = false;
      throw error;
    }
  }
}

/**
 * Return the name of the button, by the way the game has ended: a game that was cleared or left for another has no
 * outcome on the page, and going on with it is what an undo does.
 * @param {Protocol.Snapshot["state"]["outcome"]} outcome
 */
function named(outcome) {
  switch (outcome?.reason) {
    case "resigned":
      return say("page.undo.resigned");
    case "agreed":
      return say("page.undo.agreed");
    default:
      return say("page.undo.left");
  }
}
