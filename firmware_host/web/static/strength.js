// The sentence about the board's highest level: whether it cannot lose, which only the board knows.

import { element } from "./required.js";
import { say } from "./words.js";

/** @import { Connection } from "./connection.js" */

export class Strength {
  #connection;
  #complain;
  #rules = ""; // those that were asked about last; empty while no sentence is shown
  /** @type {Protocol.StrengthResult | undefined} */
  #answer; // about them

  /**
   * `complain(error)` is called if the board does not answer.
   * @param {Connection} connection
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, complain) {
    this.#connection = connection;
    this.#complain = complain;
  }

  /**
   * Say how strong the board plays a new game by `rules`; hide the sentence if they are empty.
   * @param {string} rules
   */
  show(rules) {
    if (rules !== this.#rules) {
      this.#rules = rules;
      this.#answer = undefined;
      void this.#ask(rules);
    }
    this.#write();
  }

  /** @param {string} rules */
  async #ask(rules) {
    if (!rules) {
      return;
    }
    try {
      const answer = await this.#connection.ask({ ask: "strength", rules });
      if (rules === this.#rules) {
        this.#answer = answer;
        this.#write();
      }
    } catch (error) {
      this.#complain(error);
    }
  }

  #write() {
    const proved = (this.#answer?.cannot_lose.length ?? 0) > 0;
    element("promise").hidden = !this.#answer;
    element("promise").textContent = proved ? say("strength.cannot-lose") : say("strength.can-lose");
  }
}
