// The sensor data, drawn over the board: the raw reading of each sensor (a square), the debounced one (a
// circle), the number of glitches, the level if it has one, and the colour sent to its LED. They differ by
// shape.

import { place, svg } from "./svg.js";

/** @import { Arrangement, Spot } from "./geometry.js" */
/** @typedef {(reading: number) => string} Kind */

const SQUARE = 0.47; // half of its side
const CIRCLE = 0.4; // radius
const CORNER = 0.34; // place of the numbers, relative to the point

export class Overlay {
  #root;
  /** @type {Arrangement | undefined} */
  #arrangement;
  /** @type {Map<string, Mark>} */
  #marks = new Map();
  #chosen = svg("circle", { class: "chosen", r: 0.56, visibility: "hidden" });

  /** @param {SVGSVGElement} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * Lay it over the board in its present arrangement.
   * @param {Arrangement} arrangement
   */
  arrange(arrangement) {
    if (arrangement === this.#arrangement) {
      return;
    }
    this.#arrangement = arrangement;
    const { x, y, width, height } = arrangement.all;
    this.#root.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    // Numbers extend to the right: over the marks of the next point, not under them.
    const points = [...arrangement.points].sort(([, one], [, other]) => other.x - one.x);
    this.#marks = new Map(points.map(([name, point]) => [name, new Mark(name, point)]));
    this.#root.replaceChildren(this.#chosen, ...[...this.#marks.values()].map(({ element }) => element));
  }

  /**
   * Show a message of the sensors; null: nothing. `kind(reading)` returns the owner of a reading's top piece.
   * @param {Protocol.Sensors | null} sensors
   * @param {Kind} kind
   */
  show(sensors, kind) {
    for (const [name, mark] of this.#marks) {
      mark.show(sensors && of(sensors, name), kind);
    }
  }

  /**
   * Highlight one point, or none.
   * @param {string} name
   */
  choose(name) {
    const point = this.#arrangement?.points.get(name);
    this.#chosen.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) {
      place(this.#chosen, point);
    }
  }
}

/**
 * Return the data of one point in a message of the sensors.
 * @param {Protocol.Sensors} sensors
 * @param {string} name
 */
export function of(sensors, name) {
  return {
    raw: sensors.raw[name] ?? 0,
    believed: sensors.believed[name] ?? 0,
    masked: sensors.masked.includes(name),
    flickers: sensors.flickers[name] ?? 0,
    level: sensors.levels[name],
    led: sensors.leds[name],
  };
}

class Mark {
  element;
  #said = "";
  #raw = svg("rect", { class: "raw", x: -SQUARE, y: -SQUARE, width: 2 * SQUARE, height: 2 * SQUARE, rx: 0.04 });
  #believed = svg("circle", { class: "believed", r: CIRCLE });
  #masked = svg("path", { class: "masked", d: "M-0.3,-0.3 L0.3,0.3 M-0.3,0.3 L0.3,-0.3" });
  #sent = svg("rect", { class: "sent", x: CORNER - 0.02, y: -CORNER - 0.2, width: 0.2, height: 0.2 });
  #flickers = svg("text", { class: "flickers", x: CORNER, y: CORNER + 0.2 });
  #level = svg("text", { class: "level", x: -CORNER - 0.14, y: CORNER + 0.2 });
  #bytes = svg("text", { class: "bytes", x: CORNER + 0.22, y: -CORNER - 0.04 });

  /**
   * @param {string} name
   * @param {Spot} point
   */
  constructor(name, point) {
    const parts = [this.#raw, this.#believed, this.#masked, this.#sent, this.#flickers, this.#level, this.#bytes];
    this.element = svg("g", { class: "sensed", "data-point": name, visibility: "hidden" }, ...parts);
    place(this.element, point);
  }

  /**
   * @param {ReturnType<typeof of> | null} sensors
   * @param {Kind} kind
   */
  show(sensors, kind) {
    const said = JSON.stringify(sensors);
    if (said === this.#said) {
      return;
    }
    this.#said = said;
    this.element.setAttribute("visibility", sensors ? "visible" : "hidden");
    if (sensors) {
      this.#draw(sensors, kind);
    }
  }

  /**
   * @param {ReturnType<typeof of>} sensors
   * @param {Kind} kind
   */
  #draw({ raw, believed, masked, flickers, level, led }, kind) {
    draw(this.#raw, raw, `raw ${kind(raw)}`);
    draw(this.#believed, believed, `believed ${kind(believed)}`);
    draw(this.#masked, masked, "masked");
    draw(this.#sent, led, "sent");
    this.#sent.setAttribute("fill", led ?? "none");
    this.#flickers.textContent = flickers ? `×${flickers}` : "";
    this.#level.textContent = level?.toString() ?? "";
    this.#bytes.textContent = led?.slice(1) ?? "";
    const { dataset } = this.element;
    Object.assign(dataset, { raw, believed, flickers, led: led ?? "" });
  }
}

/**
 * @param {SVGElement} part
 * @param {unknown} there
 * @param {string} name
 */
function draw(part, there, name) {
  part.setAttribute("class", name);
  part.style.display = there ? "" : "none";
}
