// What one sets while the board runs: how its light looks, and what it allows. The board keeps it; the page
// shows what counts, whoever set it.

import { tell } from "./words.js";

const element = (id) => document.getElementById(id);

export class Settings {
  #ask;
  #shown;
  #moving = false;

  /** `ask(request)` has the board do something, and says whether it could. */
  constructor(ask) {
    this.#ask = ask;
    const [theme, brightness, hints, takeBack] = this.#fields;
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

  /** Show what counts now. */
  show({ state: { settings } }) {
    this.#shown = settings;
    const [theme, brightness, hints, takeBack] = this.#fields;
    if (theme.options.length !== settings.themes.length) {
      theme.replaceChildren(...settings.themes.map((name) => new Option(themed(name), name)));
    }
    if (theme.value !== settings.theme) {
      theme.value = settings.theme;
    }
    if (!this.#moving) {
      brightness.value = settings.brightness;
    }
    hints.checked = settings.hints;
    takeBack.checked = settings.take_back;
    element("as-configured").hidden = settings.set.length === 0;
  }

  get #fields() {
    return ["theme", "brightness", "hints", "may-take-back"].map(element);
  }

  async #set(values) {
    if (!(await this.#ask({ do: "set", ...values }))) {
      this.show({ state: { settings: this.#shown } });
    }
  }
}

function themed(theme) {
  return tell({ key: `theme.${theme}` }, theme);
}
