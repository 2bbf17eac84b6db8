// The LEDs under the points. A strip's bytes are linear light, which the eye is not: each colour is shown as
// bright as it would look beside a screen, as a glow that reaches out from under a piece.

import { svg } from "./svg.js";

/** @import { Arrangement, Rect } from "./geometry.js" */

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{ led: SVGElement, disc: SVGElement, lens: SVGElement, stops: SVGElement[] }} Parts */

const HALO = 0.74; // radius
const DARK = [0, 0, 0];
// Strong up to the rim of a piece, then lost in the wood: radius and opacity.
/** @type {[number, number][]} */
const GLOW = [[0, 0.9], [0.24, 0.78], [0.5, 0.66], [0.72, 0.24], [1, 0]];
const LENS = 0.13; // radius
const PLAYERS = /** @type {const} */ (["white", "black"]);
const [LOW, FLAG] = ["low", "flag"]; // what a side bar means while it moves
const LOW_S = 30;
const BAR = { halo: 0.3, lens: 0.07, inset: 0.16 }; // the LEDs of a side bar, and how far they are from the rim

export class Lights {
  /** @type {Map<string, Parts>} */
  #leds = new Map();
  /** @type {Map<string, string>} */
  #shown = new Map();
  /** @type {Map<string, { cues: string, colour: string }>} */
  #held = new Map(); // the brightest colour of each point since its meaning changed

  #root;
  #arrangement;
  #barLength = 0; // in LEDs

  /**
   * @param {SVGSVGElement} root
   * @param {Arrangement} arrangement
   */
  constructor(root, arrangement) {
    this.#root = root;
    this.#arrangement = arrangement;
    root.replaceChildren();
    for (const [name, spot] of arrangement.points) {
      this.#add(name, { "data-point": name }, spot, HALO, LENS);
    }
  }

  /**
   * Have LEDs for side bars of this length; a board without clocks needs none.
   * @param {number} length
   */
  haveBars(length) {
    if (this.#barLength >= length) {
      return;
    }
    this.#barLength = length;
    for (const [player, box] of Object.entries(this.#arrangement.boxes)) {
      for (let number = 1; number <= length; number++) {
        const name = `${player}-bar-${number}`;
        this.#add(name, { "data-bar": player }, this.#besides(box, (number - 0.5) / length), BAR.halo, BAR.lens);
      }
    }
  }

  /**
   * Return the place on the board's rim at the side of a box, that far from the lower or left end.
   * @param {Rect} box
   * @param {number} share
   */
  #besides(box, share) {
    const { board, tall } = this.#arrangement;
    if (tall) {
      const y = box.y > board.y ? board.y + board.height - BAR.inset : board.y + BAR.inset;
      return { x: board.x + share * board.width, y };
    }
    const x = box.x > board.x ? board.x + board.width - BAR.inset : board.x + BAR.inset;
    return { x, y: board.y + (1 - share) * board.height };
  }

  /**
   * @param {string} name
   * @param {Record<string, string>} attributes
   * @param {{ x: number, y: number }} spot
   * @param {number} halo
   * @param {number} size
   */
  #add(name, attributes, { x, y }, halo, size) {
    const stops = GLOW.map(([offset, opacity]) => svg("stop", { offset, "stop-opacity": opacity }));
    const glow = svg("radialGradient", { id: `glow-${name}` }, ...stops);
    const disc = svg("circle", { cx: x, cy: y, r: halo, fill: `url(#glow-${name})`, opacity: 0 });
    const lens = svg("circle", { cx: x, cy: y, r: size, opacity: 0 });
    const led = svg("g", attributes, glow, disc, lens);
    this.#root.append(led);
    this.#leds.set(name, { led, disc, lens, stops });
  }

  /**
   * Hold each light still at its brightest while it means the same, where people have asked for less motion.
   * @param {Protocol.Snapshot["state"]} state
   */
  calm({ cues, clock }) {
    for (const name of this.#leds.keys()) {
      const now = cues[name]?.join(" ") ?? ofBar(name, clock);
      if (this.#held.get(name)?.cues !== now) {
        this.#held.set(name, { cues: now, colour: "" });
      }
    }
  }

  /**
   * Light the points of `colours` (`#rrggbb` as sent to the strip), and no others.
   * @param {Protocol.Leds} colours
   */
  show(colours) {
    for (const [name, { led, ...parts }] of this.#leds) {
      const colour = colours[name] ?? "";
      led.setAttribute("data-led", colour);
      const shown = stillness.matches ? this.#brightest(name, colour) : colour;
      if (this.#shown.get(name) !== shown) {
        this.#shown.set(name, shown);
        paint(parts, shown);
      }
    }
  }

  /**
   * @param {string} name
   * @param {string} colour
   */
  #brightest(name, colour) {
    const held = this.#held.get(name);
    if (!held?.cues || (held.cues === LOW && !colour)) { // a pulse is never dark, but a LED whose time is over
      return colour;
    }
    if (!held.colour || power(colour) > power(held.colour)) {
      held.colour = colour;
    }
    return held.colour;
  }
}

/**
 * Return what a LED of a side bar means while it moves, because its player has little time or none; "" if it is steady.
 * @param {string} name
 * @param {Protocol.Snapshot["state"]["clock"]} clock
 */
function ofBar(name, clock) {
  const player = PLAYERS.find((one) => name.startsWith(`${one}-bar-`));
  const left = (player && clock?.[`${player}_s`]) ?? null;
  if (left === null) {
    return "";
  }
  return left <= 0 ? FLAG : left <= LOW_S && clock?.running === player ? LOW : "";
}

/** @param {string} colour */
const power = (colour) => (colour ? Math.max(...channels(colour)) : 0);

/**
 * @param {Omit<Parts, "led">} parts
 * @param {string} colour
 */
function paint({ disc, lens, stops }, colour) {
  const linear = colour ? channels(colour) : DARK;
  const most = Math.max(...linear);
  const hue = linear.map((value) => (most ? eye(value / most) : 0));
  const bright = eye(most);
  disc.setAttribute("opacity", bright.toFixed(3));
  lens.setAttribute("opacity", Math.min(1, 1.5 * bright).toFixed(3));
  lens.setAttribute("fill", text(hue.map((value) => value + (1 - value) * 0.55 * bright)));
  stops.forEach((stop) => stop.setAttribute("stop-color", text(hue)));
}

/** @param {string} colour */
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
/** @param {number} linear */
const eye = (linear) => linear ** (1 / 2.2);
/** @param {number[]} colour */
const text = (colour) => `rgb(${colour.map((value) => Math.round(value * 255)).join(" ")})`;
