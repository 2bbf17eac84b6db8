// The rules of the next game: a rule set, and its options for players who want to change them. Only the board
// knows which there are, and their values.

import { ChosenClocks } from "./clocks.js";
import { changedNames } from "./names.js";
import { element, present, within } from "./required.js";
import { Strength } from "./strength.js";
import { say, tell } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @typedef {Record<string, string>} Options */

const STRONGEST = "8"; // the level that plays by all that is proved

export class NewGame {
  #connection;
  #complain;
  /** @type {Protocol.RulesResult | undefined} */
  #rules;
  /** @type {Protocol.Snapshot["state"]["seats"] | undefined} */
  #seats; // of the current game; a lesson, which has none, doesn't tell those of the next one
  /** @type {Protocol.Names} */
  #names = {}; // of its players
  #own = parsed(""); // the rules with which the form began
  #clocks = new ChosenClocks();
  #strength;

  /**
   * `complain(error)` is called if a request fails.
   * @param {Connection} connection
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, complain) {
    this.#connection = connection;
    this.#complain = complain;
    this.#strength = new Strength(connection, complain);
    element("rule-set").addEventListener("change", () => this.#offer());
    within(element("switches"), "div").addEventListener("change", () => this.#describe());
    element("who").addEventListener("change", () => this.#describe());
    element("level").addEventListener("input", () => this.#describe());
    document.addEventListener("words", () => this.#describe());
    element("switches").addEventListener("toggle", () => this.#open());
    element("whole-rules").addEventListener("toggle", () => this.#explain());
  }

  /**
   * Offer the rule sets, that of the current game first.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, rule_sets: names, kinds, simulated }) {
    element("who-board-says").textContent = simulated?.carries_out ? say("who.board-moves") : say("who.board-says");
    element("level").max = Object.keys(kinds).length > 2 ? "3" : "8"; // rings and balls have fewer levels
    const program = state.settings.external;
    element("who-program").hidden = program === null;
    within(element("who-program"), "b").textContent = program === null ? "" : say("who.program", { name: program });
    if (!this.#seats) {
      this.#seat(state.seats);
    }
    this.#seats = names.includes(parsed(state.rules).name) ? state.seats : undefined;
    this.#names = state.names;
    this.#clocks.show(state.settings);
    const select = element("rule-set");
    if (select.options.length !== names.length) {
      select.replaceChildren(...names.map((name) => new Option(captioned(name), name)));
      this.#own = parsed(state.rules);
      select.value = names.includes(this.#own.name) ? this.#own.name : present(names[0]); // the lesson is not a game to begin
      this.#offer();
    }
  }

  /**
   * Return the requests for the new game.
   * @returns {Protocol.Do[]}
   */
  get requests() {
    const changed = this.#changed;
    /** @type {Protocol.Do} */
    const begin = {
      do: "new-game",
      rules: element("rule-set").value,
      ...(Object.keys(changed).length ? { set: changed } : {}),
      ...this.#changedSeats(),
      ...changedNames(this.#names),
      ...this.#clocks.request,
    };
    return [...this.#clocks.flagged, begin];
  }

  /**
   * The options that are set over the chosen rule set. Until they are offered, those of the current game stay.
   * @returns {Options}
   */
  get #changed() {
    const name = element("rule-set").value;
    const standard = this.#rules?.rule_sets[name];
    if (!standard) {
      return name === this.#own.name ? this.#own.changed : {};
    }
    const chosen = [...element("switches").querySelectorAll("select")].map((select) => /** @type {const} */ ([select.name, select.value]));
    return Object.fromEntries(chosen.filter(([option, value]) => standard[option] !== value));
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
    return this.#seats?.white === seats.white && this.#seats.black === seats.black ? {} : /** @type {Protocol.Snapshot["state"]["seats"]} */ (seats);
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

  async #explain() {
    const rules = within(element("whole-rules"), "div");
    if (!element("whole-rules").open || rules.hasChildNodes()) {
      return;
    }
    try {
      const { wholeRules } = await import("./mitsudomoe.js");
      rules.replaceChildren(...wholeRules());
    } catch (error) {
      element("whole-rules").open = false;
      this.#complain(error);
    }
  }

  #describe() {
    const name = element("rule-set").value;
    const { value } = within(element("who"), "input", ":checked");
    element("against").hidden = value === "two";
    element("how-strong").hidden = value !== "board";
    const level = element("level").value;
    element("strength").textContent = say(`level.${level}`, { count: element("level").max });
    element("level").setAttribute("aria-valuetext", element("strength").textContent);
    element("whole-rules").hidden = name !== "mitsudomoe";
    element("rule-says").textContent = name ? tell({ key: `ruleset.${name}` }, "") : "";
    const options = Object.entries(this.#changed).map(([option, choice]) => `${option}=${choice}`);
    const strongest = name && value === "board" && level === STRONGEST;
    this.#strength.show(strongest ? [name, ...options].join(" ") : "");
    const changes = Object.entries(this.#changed).map(inWords);
    element("rule-changes").textContent = changes.length ? say("page.changed-rules", { changes: changes.join(" · ") }) : "";
  }

  #offer() {
    const { rule_sets: sets, switches } = this.#rules ?? { rule_sets: {}, switches: {} };
    const name = element("rule-set").value;
    const own = { ...sets[name], ...(name === this.#own.name && name in sets ? this.#own.changed : {}) };
    const offered = Object.entries(own).map(([rule, value]) => {
      const label = document.createElement("label");
      const select = Object.assign(document.createElement("select"), { name: rule });
      select.append(...(switches[rule] ?? []).map((choice) => new Option(worded(choice), choice)));
      select.value = value;
      label.append(tell({ key: `switch.${rule}` }, rule), select);
      return label;
    });
    within(element("switches"), "div").replaceChildren(...offered);
    this.#describe();
  }
}

/**
 * Return the rules in words, with the options set over them.
 * @param {string} rules
 */
export function captioned(rules) {
  const { name, changes } = captions(rules);
  return [name, ...changes].join(" · ");
}

/**
 * Return the name of the rule set and the options set over it, in words.
 * @param {string} rules
 */
export function captions(rules) {
  const { name, changed } = parsed(rules);
  return { name: tell({ key: `rules.${name}` }, name), changes: Object.entries(changed).map(inWords) };
}

/**
 * Return the rule set and the options set over it, from a text such as `standard flying=never`.
 * @param {string} rules
 * @returns {{ name: string, changed: Options }}
 */
function parsed(rules) {
  const [name = "", ...settings] = rules.split(" ");
  return { name, changed: Object.fromEntries(settings.map((setting) => setting.split("="))) };
}

/**
 * Return an option with its value, as a player reads it.
 * @param {[string, string]} setting
 */
function inWords([rule, choice]) {
  return `${tell({ key: `switch.${rule}` }, rule)}: ${worded(choice)}`;
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
