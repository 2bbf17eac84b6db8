// The LEDs under the points. A strip's bytes are linear light, which the eye is not: each colour is shown as
// bright as it would look beside a screen, as a glow that reaches out from under a piece.

import { svg } from "./svg.js";

/** @import { Arrangement } from "./geometry.js" */

/** @typedef {{ led: SVGElement, disc: SVGElement, lens: SVGElement, stops: SVGElement[] }} Parts */

const HALO = 0.74; // radius
const DARK = [0, 0, 0];
// Strong up to the rim of a piece, then lost in the wood: radius and opacity.
/** @type {[number, number][]} */
const GLOW = [[0, 0.9], [0.24, 0.78], [0.5, 0.66], [0.72, 0.24], [1, 0]];
const LENS = 0.13; // radius

export class Lights {
  /** @type {Map<string, Parts>} */
  #leds = new Map();
  /** @type {Map<string, string>} */
  #shown = new Map();

  /**
   * @param {SVGSVGElement} root
   * @param {Arrangement} arrangement
   */
  constructor(root, { points }) {
    root.replaceChildren();
    for (const [name, { x, y }] of points) {
      const stops = GLOW.map(([offset, opacity]) => svg("stop", { offset, "stop-opacity": opacity }));
      const glow = svg("radialGradient", { id: `glow-${name}` }, ...stops);
      const disc = svg("circle", { cx: x, cy: y, r: HALO, fill: `url(#glow-${name})`, opacity: 0 });
      const lens = svg("circle", { cx: x, cy: y, r: LENS, opacity: 0 });
      const led = svg("g", { "data-point": name }, glow, disc, lens);
      root.append(led);
      this.#leds.set(name, { led, disc, lens, stops });
    }
  }

  /**
   * Light the points of `colours` (`#rrggbb` as sent to the strip), and no others.
   * @param {Protocol.Leds} colours
   */
  show(colours) {
    for (const [name, parts] of this.#leds) {
      const colour = colours[name] ?? "";
      if (this.#shown.get(name) !== colour) {
        this.#shown.set(name, colour);
        paint(parts, colour);
      }
    }
  }
}

/**
 * @param {Parts} parts
 * @param {string} colour
 */
function paint({ led, disc, lens, stops }, colour) {
  const linear = colour ? channels(colour) : DARK;
  const most = Math.max(...linear);
  const hue = linear.map((value) => (most ? eye(value / most) : 0));
  const bright = eye(most);
  led.setAttribute("data-led", colour);
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
