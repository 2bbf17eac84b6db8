// The rules of the next game: a rule set, and its options for players who want to change them. Only the board
// knows which there are, and their values.

import { ChosenClocks } from "./clocks.js";
import { changedNames } from "./names.js";
import { element, present, within } from "./required.js";
import { say, tell } from "./words.js";

/** @import { Connection } from "./connection.js" */

export class NewGame {
  #connection;
  #complain;
  /** @type {Protocol.RulesResult | undefined} */
  #rules;
  /** @type {Protocol.Snapshot["state"]["seats"] | undefined} */
  #seats; // of the current game
  /** @type {Protocol.Names} */
  #names = {}; // of its players
  #clocks = new ChosenClocks();

  /**
   * `complain(error)` is called if a request fails.
   * @param {Connection} connection
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, complain) {
    this.#connection = connection;
    this.#complain = complain;
    element("rule-set").addEventListener("change", () => this.#offer());
    element("who").addEventListener("change", () => this.#describe());
    element("level").addEventListener("input", () => this.#describe());
    document.addEventListener("words", () => this.#describe());
    element("switches").addEventListener("toggle", () => this.#open());
  }

  /**
   * Offer the rule sets, that of the current game first.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, rule_sets: names, kinds }) {
    element("level").max = Object.keys(kinds).length > 2 ? "3" : "8"; // rings and balls have fewer levels
    const program = state.settings.external;
    element("who-program").hidden = program === null;
    within(element("who-program"), "b").textContent = program === null ? "" : say("who.program", { name: program });
    if (!this.#seats) {
      this.#seat(state.seats);
    }
    this.#seats = state.seats;
    this.#names = state.names;
    this.#clocks.show(state.settings);
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
    return { do: "new-game", rules, ...(Object.keys(changed).length ? { set: changed } : {}), ...this.#changedSeats(), ...changedNames(this.#names), ...this.#clocks.request };
  }

  /**
   * Choose what plays now.
   * @param {Protocol.Snapshot["state"]["seats"]} seats
   */
  #seat({ white, black }) {
    const other = [white, black].find((seat) => seat !== "here" && seat !== "far");
    if (other) {
      const [, level] = other.split(":");
      within(element("who"), "input", level ? "[value=board]" : "[value=external]").checked = true;
      element("level").value = level ?? element("level").value;
      element("side").value = white === "here" ? "white" : "black";
    }
    this.#describe();
  }

  /** The seat of the player on the other side. */
  get #other() {
    const { value } = within(element("who"), "input", ":checked");
    return { two: "here", board: `engine:${element("level").value}` }[value] ?? value;
  }

  /** Return who is to play the sides, if that is not as it was. */
  #changedSeats() {
    const other = this.#other;
    const own = element("side").value;
    const white = own === "white" || (own === "lot" && Math.random() < 0.5);
    const seats = white ? { white: "here", black: other } : { white: other, black: "here" };
    const { white: w, black: b } = present(this.#seats);
    return w === seats.white && b === seats.black ? {} : /** @type {Protocol.Snapshot["state"]["seats"]} */ (seats);
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

  #describe() {
    const name = element("rule-set").value;
    const { value } = within(element("who"), "input", ":checked");
    element("against").hidden = value === "two";
    element("how-strong").hidden = value !== "board";
    const level = element("level").value;
    element("strength").textContent = tell({ key: `level.${level}` }, level);
    element("level").setAttribute("aria-valuetext", element("strength").textContent);
    element("rule-says").textContent = name ? tell({ key: `ruleset.${name}` }, "") : "";
  }

  #offer() {
    this.#describe();
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
