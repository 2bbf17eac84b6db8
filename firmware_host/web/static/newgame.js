// The rules of the next game: a rule set, and its options for players who want to change them. Only the board
// knows which there are, and their values.

import { element, present, within } from "./required.js";
import { say, tell } from "./words.js";

/** @import { Connection } from "./connection.js" */

export class NewGame {
  #connection;
  #complain;
  /** @type {Protocol.RulesResult | undefined} */
  #rules;

  /**
   * `complain(error)` is called if a request fails.
   * @param {Connection} connection
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, complain) {
    this.#connection = connection;
    this.#complain = complain;
    element("rule-set").addEventListener("change", () => this.#offer());
    element("switches").addEventListener("toggle", () => this.#open());
  }

  /**
   * Offer the rule sets, that of the current game first.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, rule_sets: names }) {
    const select = element("rule-set");
    if (select.options.length !== names.length) {
      select.replaceChildren(...names.map((name) => new Option(captioned(name), name)));
      const [own = ""] = state.rules.split(" ");
      select.value = names.includes(own) ? own : present(names[0]); // the lesson is not a game to begin
      this.#offer();
    }
  }

  /**
   * Return the request for the new game.
   * @returns {Protocol.Do}
   */
  get request() {
    const rules = element("rule-set").value;
    const own = this.#rules?.rule_sets[rules] ?? {};
    const chosen = [...element("switches").querySelectorAll("select")];
    const changed = Object.fromEntries(
      chosen.filter(({ name, value }) => own[name] !== value).map(({ name, value }) => [name, value]),
    );
    return { do: "new-game", rules, ...(Object.keys(changed).length ? { set: changed } : {}) };
  }

  async #open() {
    if (!element("switches").open || this.#rules) {
      return;
    }
    try {
      this.#rules = await this.#connection.ask({ ask: "rules" });
      this.#offer();
    } catch (error) {
      element("switches").open = false;
      this.#complain(error);
    }
  }

  #offer() {
    const { rule_sets: sets, switches } = this.#rules ?? { rule_sets: {}, switches: {} };
    const own = sets[element("rule-set").value] ?? {};
    const offered = Object.entries(own).map(([rule, value]) => {
      const label = document.createElement("label");
      const select = Object.assign(document.createElement("select"), { name: rule });
      select.append(...(switches[rule] ?? []).map((choice) => new Option(worded(choice), choice)));
      select.value = value;
      label.append(tell({ key: `switch.${rule}` }, rule), select);
      return label;
    });
    within(element("switches"), "div").replaceChildren(...offered);
  }
}

/**
 * Return the name of the rules in words; the options set over them stay as they are written.
 * @param {string} rules
 */
export function captioned(rules) {
  const [name = "", ...switches] = rules.split(" ");
  return [tell({ key: `rules.${name}` }, name), ...switches].join(" ");
}

/**
 * For a number that counts something, 0 means off.
 * @param {string} choice
 */
function worded(choice) {
  if (choice === "0") {
    return say("choice.no");
  }
  return tell({ key: `choice.${choice}` }, choice);
}
