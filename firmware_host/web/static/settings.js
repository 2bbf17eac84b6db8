// The settings that can be changed while the board runs: its light, sounds, take-backs, clocks and hints. The board stores them;
// every page shows the current ones. A field has the name of its setting. That of a checkbox has the value of the markup if it is
// ticked and `data-off` otherwise, or is true and false.

import { element, present } from "./required.js";
import { tell } from "./words.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

export class Settings {
  #ask;
  /** @type {Protocol.Settings | undefined} */
  #shown;
  /** @type {Protocol.Alphabet | undefined} */
  #alphabet; // of a simulated board
  /** @type {Field | undefined} */
  #moved; // while it is dragged

  /**
   * `ask(request)` sends a request to the board, and returns whether it was carried out.
   * @param {(request: Protocol.Do | Protocol.Rebuild | Protocol.Carry) => Promise<boolean>} ask
   */
  constructor(ask) {
    this.#ask = ask;
    for (const field of this.#fields) {
      field.addEventListener("input", () => (this.#moved = field));
      field.addEventListener("change", () => {
        this.#moved = undefined;
        this.#set({ [field.name]: valueOf(field) });
      });
    }
    element("alphabet").addEventListener("change", () => this.#useSensors());
    this.#own.forEach((box) => box.addEventListener("change", () => ask({ carry: box.checked })));
    element("as-configured").addEventListener("click", () =>
      this.#set(Object.fromEntries((this.#shown?.set ?? []).map((name) => [name, null]))),
    );
  }

  /**
   * Show the current settings.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, simulated }) {
    this.#shown = state.settings;
    this.#fill(state.settings);
    this.#alphabet = simulated?.alphabet;
    element("board-sound").hidden = !state.sound?.can.length;
    const speaks = state.sound?.can.includes("speaker") || state.settings.speech !== "off";
    document.querySelectorAll(".board-speech").forEach((label) => label.toggleAttribute("hidden", !speaks));
    this.#own.forEach((box) => {
      present(box.parentElement).hidden = !simulated;
      box.checked = simulated?.carries_out ?? false;
    });
    element("sensing").hidden = !simulated || simulated.alphabet === "pieces"; // those of stacks are the only ones
    if (simulated) {
      element("alphabet").value = simulated.alphabet;
    }
  }

  /** @param {Protocol.Settings} settings */
  #fill(settings) {
    offer("theme", settings.themes.map((theme) => [theme, tell({ key: `theme.${theme}` }, theme)]));
    offer("spoken-language", Object.entries(window.begun.languages));
    [...this.#fields].filter((field) => field !== this.#moved).forEach((field) => fill(field, settings));
    element("as-configured").hidden = settings.set.length === 0;
  }

  /** The switches of a simulated board's own hands. */
  get #own() {
    return [element("carries-out"), element("carries-out-first")];
  }

  get #fields() {
    return /** @type {NodeListOf<Field>} */ (element("view-settings").querySelectorAll("[name]"));
  }

  async #useSensors() {
    const sensors = element("alphabet");
    const alphabet = /** @type {Protocol.Alphabet} */ (sensors.value);
    if (!(await this.#ask({ rebuild: alphabet })) && this.#alphabet) {
      sensors.value = this.#alphabet;
    }
  }

  /** @param {Partial<Protocol.Do>} values */
  async #set(values) {
    if (!(await this.#ask({ do: "set", ...values })) && this.#shown) {
      this.#fill(this.#shown);
    }
  }
}

/**
 * Have a field show the value of its setting.
 * @param {Field} field
 * @param {Protocol.Settings} settings
 */
export function fill(field, settings) {
  const value = settingOf(field, settings);
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    field.checked = value === true || value === field.value;
  } else {
    field.value = String(value);
  }
}

/**
 * Return the value of a field's setting.
 * @param {Field} field
 * @param {Protocol.Settings} settings
 */
export function settingOf({ name }, settings) {
  return settings[/** @type {Protocol.Settings["set"][number]} */ (name)];
}

/**
 * Return the value that is chosen in a field.
 * @param {Field} field
 */
export function valueOf(field) {
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    const { off } = field.dataset;
    return off === undefined ? field.checked : field.checked ? field.value : off;
  }
  return field.type === "range" ? Number(field.value) : field.value;
}

/**
 * Offer the values of a setting, with their names, once.
 * @param {"theme" | "spoken-language"} id
 * @param {[string, string][]} values
 */
function offer(id, values) {
  const select = element(id);
  if (select.options.length !== values.length) {
    select.replaceChildren(...values.map(([value, name]) => new Option(name, value)));
  }
}
