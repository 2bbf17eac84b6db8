// The settings that can be changed while the board runs: its light, sounds, take-backs, clocks and hints. The board stores them;
// every page shows the current ones.

import { element, present } from "./required.js";
import { say, tell } from "./words.js";

/** @typedef {Pick<Protocol.Do, Protocol.Settings["set"][number]>} Values */

const KINDS = /** @type {const} */ (["auto", "off", "on-request", "always"]);
const SPEECH_LEVELS = /** @type {const} */ (["off", "answers", "turns", "all"]);
const SPOKEN = /** @type {const} */ (["en", "es", "pt", "de"]);
const LEVELS = /** @type {const} */ (["off", "few", "all"]);
const STARTS = /** @type {const} */ (["rules", "turns", "loser", "lot"]);

export class Settings {
  #ask;
  /** @type {Protocol.Settings | undefined} */
  #shown;
  /** @type {Protocol.Alphabet | undefined} */
  #alphabet; // of a simulated board
  #moving = false;

  /**
   * `ask(request)` sends a request to the board, and returns whether it was carried out.
   * @param {(request: Protocol.Do | Protocol.Rebuild | Protocol.Carry) => Promise<boolean>} ask
   */
  constructor(ask) {
    this.#ask = ask;
    const { theme, brightness, hints, takeBack, strict, white, black, starts, sound, speech, spoken } = this.#fields;
    theme.addEventListener("change", () => this.#set({ theme: theme.value }));
    brightness.addEventListener("input", () => (this.#moving = true));
    brightness.addEventListener("change", () => {
      this.#moving = false;
      this.#set({ brightness: Number(brightness.value) });
    });
    hints.addEventListener("change", () => this.#set({ hints: hints.checked }));
    element("alphabet").addEventListener("change", () => this.#useSensors());
    takeBack.addEventListener("change", () => this.#set({ take_back: takeBack.checked }));
    strict.addEventListener("change", () => this.#set({ clock_flag: strict.checked ? "strict" : "gentle" }));
    white.addEventListener("change", () => this.#set({ hint_white: KINDS.find((kind) => kind === white.value) }));
    black.addEventListener("change", () => this.#set({ hint_black: KINDS.find((kind) => kind === black.value) }));
    starts.addEventListener("change", () => this.#set({ starts: STARTS.find((one) => one === starts.value) }));
    sound.addEventListener("change", () => this.#set({ sound: LEVELS.find((one) => one === sound.value) }));
    speech.addEventListener("change", () => this.#set({ speech: SPEECH_LEVELS.find((one) => one === speech.value) }));
    spoken.addEventListener("change", () => this.#set({ language: SPOKEN.find((one) => one === spoken.value) }));
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
    const { theme, brightness, hints, takeBack, strict, white, black, starts, sound, speech, spoken } = this.#fields;
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
    strict.checked = settings.clock_flag === "strict";
    choose(white, settings.hint_white);
    choose(black, settings.hint_black);
    starts.value = settings.starts;
    sound.value = settings.sound;
    speech.value = settings.speech;
    if (!spoken.options.length) {
      spoken.replaceChildren(...Object.entries(window.begun.languages).map(([code, name]) => new Option(name, code)));
    }
    spoken.value = settings.language;
    element("as-configured").hidden = settings.set.length === 0;
  }

  /** The switches of a simulated board's own hands. */
  get #own() {
    return [element("carries-out"), element("carries-out-first")];
  }

  get #fields() {
    return {
      theme: element("theme"),
      brightness: element("brightness"),
      hints: element("hints"),
      takeBack: element("may-take-back"),
      strict: element("clock-strict"),
      white: element("hint-white"),
      black: element("hint-black"),
      starts: element("starts"),
      sound: element("sound-level"),
      speech: element("speech-level"),
      spoken: element("speech-language"),
    };
  }

  async #useSensors() {
    const sensors = element("alphabet");
    const alphabet = /** @type {Protocol.Alphabet} */ (sensors.value);
    if (!(await this.#ask({ rebuild: alphabet })) && this.#alphabet) {
      sensors.value = this.#alphabet;
    }
  }

  /** @param {Values} values */
  async #set(values) {
    if (!(await this.#ask({ do: "set", ...values })) && this.#shown) {
      this.#fill(this.#shown);
    }
  }
}

/**
 * Show the choice of hints, in the present language.
 * @param {HTMLSelectElement} select
 * @param {string} chosen
 */
function choose(select, chosen) {
  const words = KINDS.map((hint) => say(`hint-kind.${hint}`));
  if ([...select.options].map(({ text }) => text).join() !== words.join()) {
    select.replaceChildren(...KINDS.map((kind, i) => new Option(words[i], kind)));
  }
  select.value = chosen;
}

/** @param {string} theme */
function themed(theme) {
  return tell({ key: `theme.${theme}` }, theme);
}
