// The sensor data over the board, for as long as it is wanted. Watching costs the board next to nothing, so
// everybody may.

import { Overlay } from "./overlay.js";
import { dress, part } from "./parts.js";
import { element } from "./required.js";
import { learn, say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Arrangement } from "./geometry.js" */

await Promise.all([learn("drawer"), dress("drawer.css")]);

export class Watching {
  #connection;
  #view;
  #changed;
  #overlay = new Overlay(element("feel"));
  #on = false;
  /** @type {Promise<void>} */
  #asked = Promise.resolve();

  /**
   * The last message of the sensors, or null.
   * @type {Protocol.Sensors | null}
   */
  sensors = null;

  /**
   * `view` has the page's `arrangement`, and can `complain(error)`; `changed()` is called after each change.
   * @param {Connection} connection
   * @param {{ arrangement: Arrangement, complain: (error: unknown) => void }} view
   */
  constructor(connection, view, changed = () => {}) {
    this.#connection = connection;
    this.#view = view;
    this.#changed = changed;
    connection.addEventListener("sensors", ({ detail }) => this.#receive(detail));
    connection.addEventListener("found", () => this.#on && this.watch(true));
  }

  /** True while it is shown. */
  get on() {
    return this.#on;
  }

  /**
   * Show the sensor data, or hide it.
   * @param {boolean} on
   */
  watch(on) {
    this.#on = on;
    if (!on) {
      this.#receive(null);
    }
    this.#asked = this.#asked.then(() => this.#connection.ask({ watch: this.#on })).catch((error) => this.#view.complain(error));
    return this.#asked;
  }

  /** Draw it in the present arrangement of the board, with one point highlighted, or none. */
  show(chosen = "") {
    this.#overlay.arrange(this.#view.arrangement);
    this.#overlay.choose(chosen);
    this.#overlay.show(this.sensors, this.#kind);
  }

  /**
   * Return the owner of the top piece of a reading, by which marks are drawn, if the sensors identify it.
   * @param {number} reading
   */
  #kind = (reading) => {
    const { kinds } = this.#view.arrangement;
    return kinds[this.sensors?.shown[reading]?.at(-1) ?? ""]?.player ?? (reading ? "piece" : "nothing");
  };

  /** @param {Protocol.Sensors | null} sensors */
  #receive(sensors) {
    this.sensors = this.#on ? sensors : null;
    this.#overlay.show(this.sensors, this.#kind);
    this.#changed();
  }
}

/** Return the meaning of the marks, as a list. */
export function legend() {
  /** @type {[string, string, string][]} */
  const signs = [
    ["raw", "□", say("drawer.legend.raw")],
    ["believed", "○", say("drawer.legend.believed")],
    ["masked", "✕", say("drawer.legend.masked")],
    ["flickers", "×3", say("drawer.legend.flickers")],
    ["sent", "■", say("drawer.legend.sent")],
  ];
  const items = signs.map(([name, textContent, text]) => {
    const sign = part("b", { className: name, textContent });
    sign.setAttribute("aria-hidden", "true");
    return part("li", {}, sign, text);
  });
  return part("ul", { className: "legend" }, ...items);
}
