// The settings that can be changed while the board runs: its light, and take-backs. The board stores them;
// every page shows the current ones.

import { element } from "./required.js";
import { tell } from "./words.js";

/** @typedef {Pick<Protocol.Do, "theme" | "brightness" | "hints" | "take_back">} Values */

export class Settings {
  #ask;
  /** @type {Protocol.Settings | undefined} */
  #shown;
  #moving = false;

  /**
   * `ask(request)` sends a request to the board, and returns whether it was carried out.
   * @param {(request: Protocol.Do) => Promise<boolean>} ask
   */
  constructor(ask) {
    this.#ask = ask;
    const { theme, brightness, hints, takeBack } = this.#fields;
    theme.addEventListener("change", () => this.#set({ theme: theme.value }));
    brightness.addEventListener("input", () => (this.#moving = true));
    brightness.addEventListener("change", () => {
      this.#moving = false;
      this.#set({ brightness: Number(brightness.value) });
    });
    hints.addEventListener("change", () => this.#set({ hints: hints.checked }));
    takeBack.addEventListener("change", () => this.#set({ take_back: takeBack.checked }));
    element("as-configured").addEventListener("click", () =>
      this.#set({ theme: null, brightness: null, hints: null, take_back: null }),
    );
  }

  /**
   * Show the current settings.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state }) {
    this.#shown = state.settings;
    this.#fill(state.settings);
  }

  /** @param {Protocol.Settings} settings */
  #fill(settings) {
    const { theme, brightness, hints, takeBack } = this.#fields;
    if (theme.options.length !== settings.themes.length) {
      theme.replaceChildren(...settings.themes.map((name) => new Option(themed(name), name)));
    }
    if (theme.value !== settings.theme) {
      theme.value = settings.theme;
    }
    if (!this.#moving) {
      brightness.value = String(settings.brightness);
    }
    hints.checked = settings.hints;
    takeBack.checked = settings.take_back;
    element("as-configured").hidden = settings.set.length === 0;
  }

  get #fields() {
    return {
      theme: element("theme"),
      brightness: element("brightness"),
      hints: element("hints"),
      takeBack: element("may-take-back"),
    };
  }

  /** @param {Values} values */
  async #set(values) {
    if (!(await this.#ask({ do: "set", ...values })) && this.#shown) {
      this.#fill(this.#shown);
    }
  }
}

/** @param {string} theme */
function themed(theme) {
  return tell({ key: `theme.${theme}` }, theme);
}
