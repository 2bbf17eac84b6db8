// The clocks of the players: their figures on the plaques, which go on by themselves between two snapshots, and the
// choice for the next game.

import { write } from "./notice.js";
import { element, within } from "./required.js";
import { fill, settingOf, valueOf } from "./settings.js";
import { say } from "./words.js";

const PLAYERS = /** @type {const} */ (["white", "black"]);
const CONTROLS = ["none", "3+2", "5", "5+3", "10", "10+5", "15+10", "30", "move:30"];
const OF_CLUBS = ["3+2", "5", "10", "15+10"]; // where time is played for
const TICK_MS = 100;
const LOW_S = 30;
const EXACT_BELOW_S = 10; // with tenths

export class Clocks {
  /** @type {Protocol.Snapshot["state"]["clock"]} */
  #clock = null;
  #since = 0; // when the times of the snapshot were right
  #timer = 0;

  /**
   * Show the times of a snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state }) {
    this.#clock = state.clock;
    this.#since = performance.now();
    clearInterval(this.#timer);
    if (state.clock?.running) {
      this.#timer = setInterval(() => this.#draw(), TICK_MS);
    }
    this.#draw();
  }

  #draw() {
    for (const player of PLAYERS) {
      const place = within(element("players"), "dd", `.time:is([data-player=${player}] > *)`);
      const left = this.#left(player);
      place.hidden = left === null;
      write(place, left === null ? "" : figures(left));
      const runs = this.#clock?.running === player;
      place.classList.toggle("runs", runs);
      place.classList.toggle("low", left !== null && left <= LOW_S && (runs || left === 0));
      place.classList.toggle("flag", left === 0);
    }
  }

  /**
   * Return the seconds that a player has left; null without a clock.
   * @param {"white" | "black"} player
   */
  #left(player) {
    const left = this.#clock?.[player === "white" ? "white_s" : "black_s"] ?? null;
    if (left === null || this.#clock?.running !== player) {
      return left;
    }
    return Math.max(0, left - (performance.now() - this.#since) / 1000);
  }
}

/** The choice of the next game's clocks. */
export class ChosenClocks {
  #agreed = ""; // the time control of the board
  #white = ""; // as it is chosen; Black has the same until another is chosen for Black
  /** @type {string | number | boolean} */
  #flag = ""; // of the board

  constructor() {
    const [white, black] = this.#selects;
    white.addEventListener("change", () => {
      if (black.value === this.#white) {
        black.value = white.value;
      }
      this.#white = white.value;
    });
    this.#selects.forEach((select) =>
      select.addEventListener("change", () => (element("clock-loses").checked ||= OF_CLUBS.includes(select.value))),
    );
  }

  /**
   * Offer the time controls, and choose those of the board if they have changed.
   * @param {Protocol.Settings} settings
   */
  show(settings) {
    const { clock } = settings;
    const own = parts(clock);
    const before = this.#flag;
    this.#flag = settingOf(element("clock-loses"), settings);
    if (this.#flag !== before) {
      fill(element("clock-loses"), settings);
    }
    this.#selects.forEach((select, i) => {
      const chosen = clock === this.#agreed ? select.value : own[i] ?? "none";
      const offered = [...new Set([...CONTROLS, own[i] ?? "none", chosen])];
      const words = offered.map(clockName);
      if ([...select.options].map(({ text }) => text).join() !== words.join()) {
        select.replaceChildren(...offered.map((control, n) => new Option(words[n], control)));
      }
      select.value = chosen;
    });
    this.#agreed = clock;
    this.#white = this.#selects[0].value;
  }

  /**
   * Return the part of a request for a new game that changes its clocks.
   * @returns {{ clock?: string }}
   */
  get request() {
    const [white, black] = this.#selects.map(({ value }) => value);
    const [whiteBefore, blackBefore] = parts(this.#agreed);
    if (white === whiteBefore && black === blackBefore) {
      return {};
    }
    return { clock: white === black ? white : `${white}/${black}` };
  }

  /**
   * Return the request that sets what happens when time is up, if that is to change.
   * @returns {Protocol.Do[]}
   */
  get flagged() {
    const field = element("clock-loses");
    const flag = valueOf(field);
    return flag === this.#flag ? [] : [{ do: "set", [field.name]: flag }];
  }

  /** @returns {[HTMLSelectElement, HTMLSelectElement]} */
  get #selects() {
    return [element("clock-white"), element("clock-black")];
  }
}

/**
 * Return the time controls of White and Black.
 * @param {string} clock
 */
function parts(clock) {
  const [white = "none", black = white] = clock.split("/");
  return [white.trim(), black.trim()];
}

/**
 * Return a time as on a clock: minutes and seconds, and tenths where they matter.
 * @param {number} left
 */
export function figures(left) {
  if (left < EXACT_BELOW_S) {
    return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  }
  const seconds = Math.floor(left);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * Return the name of a time control that both players have.
 * @param {string} control
 */
export function clockName(control) {
  if (control === "none") {
    return say("clock.none");
  }
  const [minutes = "", seconds] = control.split("+");
  if (control.startsWith("move:")) {
    return say("clock.turn", { seconds: control.slice("move:".length) });
  }
  return seconds === undefined ? say("clock.minutes", { minutes }) : say("clock.fischer", { minutes, seconds });
}
