// The question that the board asks by light: each option's name at its point. A click is an answer, as a touch
// of the point is.

import { clockName } from "./clocks.js";
import { part } from "./parts.js";
import { element } from "./required.js";
import { say } from "./words.js";

/** @import { Arrangement } from "./geometry.js" */
/** @import { Request } from "./connection.js" */

/** @typedef {{ x: number, y: number }} Place */

/** Names at places whose heights differ by less, in units of the board, may touch. */
const BESIDE = 0.8;
/** The share of the way to the next name that a name may fill, and the units that it gets, so as to stay on the wood. */
const ROOM = 0.96, MAX_ROOM = 1.75;

export class Asking {
  #shown = "";

  /** @param {(request: Request) => unknown} ask */
  constructor(ask) {
    const layer = element("asking");
    layer.addEventListener("click", ({ target }) => {
      const point = target instanceof HTMLElement ? target.closest("button")?.dataset.at : undefined;
      if (point) {
        ask({ do: "answer", point });
      }
    });
    element("ask").addEventListener("click", () => ask({ do: "ask" }));
    new ResizeObserver(() => fit(layer)).observe(layer);
  }

  /**
   * Name the options of a snapshot, if there are any.
   * @param {Protocol.Snapshot["state"]} state
   * @param {Arrangement} arrangement
   */
  show({ asking }, { points, all, tall }) {
    const layer = element("asking");
    const shown = JSON.stringify([asking?.question, asking?.options, asking?.sure, tall]);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    const focused = document.activeElement?.closest("#asking") ? document.activeElement.getAttribute("data-at") : null;
    const options = offered(asking);
    const places = options.map(([at]) => points.get(at) ?? { x: 0, y: 0 });
    const buttons = options.map(([at, does], index) => {
      const name = optionName(does);
      const button = part("button", { type: "button", textContent: asking?.sure ? say("asking.again", { what: name }) : name });
      const place = /** @type {Place} */ (places[index]);
      button.dataset.at = at;
      button.style.maxWidth = `calc(${roomAt(place, places)} * var(--unit))`;
      button.style.left = `${(100 * (place.x - all.x)) / all.width}%`;
      button.style.top = `${(100 * (place.y - all.y)) / all.height}%`;
      return button;
    });
    layer.hidden = !buttons.length;
    layer.style.setProperty("--unit", `${100 / all.width}cqw`);
    layer.replaceChildren(...buttons);
    fit(layer);
    if (focused !== null) {
      (buttons.find(({ dataset }) => dataset.at === focused) ?? buttons[0])?.focus({ preventScroll: true });
    }
  }
}

/**
 * Return the options for clicks; a touch by which somebody shows to be at the board is for hands.
 * @param {Protocol.Snapshot["state"]["asking"]} asking
 */
function offered(asking) {
  return asking?.question === "workshop" || asking?.question === "phone" ? [] : Object.entries(asking?.options ?? {});
}

/**
 * Write the names smaller whose longest word is wider than its place.
 * @param {HTMLElement} layer
 */
function fit(layer) {
  const buttons = [...layer.querySelectorAll("button")];
  buttons.forEach((button) => button.style.removeProperty("--fit"));
  const widths = buttons.map((button) => button.scrollWidth / button.clientWidth);
  buttons.forEach((button, index) => button.style.setProperty("--fit", `${Math.min(1, 1 / (widths[index] ?? 1))}`));
}

/**
 * Return the width of the room for a name, in units of the board: the way to the nearest place beside it.
 * @param {Place} place
 * @param {readonly Place[]} places
 */
function roomAt({ x, y }, places) {
  const ways = places.filter((other) => other.x !== x && Math.abs(other.y - y) < BESIDE).map((other) => Math.abs(other.x - x));
  return ROOM * Math.min(MAX_ROOM, ...ways);
}

/**
 * Return the name of an option in the page's language.
 * @param {string} does
 */
export function optionName(does) {
  const [option = "", value] = does.split(":");
  if (value === undefined) {
    return say(`option.${option}`);
  }
  if (option.endsWith("clock")) {
    // No unit is alone on a line, nor a plus sign.
    return clockName(does.slice(option.length + 1)).replace(/ (min|s)\b/g, "\u00a0$1").replace("+ ", "+\u00a0");
  }
  return chosenName(option, value);
}

/**
 * Return the name of an option that has one of several values.
 * @param {string} option
 * @param {string} value
 */
function chosenName(option, value) {
  switch (option) {
    case "rules": {
      const name = value;
      return say(`rules.${name}`);
    }
    case "theme": {
      const theme = value;
      return say(`theme.${theme}`);
    }
    case "tell": {
      const query = value;
      return say(`option.tell.${query}`);
    }
    case "starts": {
      const starts = value;
      return say(`option.starts.${starts}`);
    }
    case "odds": {
      const [side = "", count] = value.split("-");
      return count === undefined ? say("option.odds.even") : say(`option.odds.${side}`, { count });
    }
    case "say": {
      const phrase = value;
      return say(`option.say.${phrase}`);
    }
    case "meet":
      return say("option.touch", { count: value });
    case "engine":
      return say("option.level", { count: value });
    default: {
      const count = value.slice(0, -1); // without the percent sign
      return say("option.percent", { count }).replace(" %", "\u00a0%"); // not on a line of its own
    }
  }
}
