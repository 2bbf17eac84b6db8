// What the board's sensors say, over the board, as long as one wants to see it. Looking costs the board nothing
// that it would miss, so everybody may.

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
  #told;
  #overlay = new Overlay(element("feel"));
  #on = false;
  /** @type {Promise<void>} */
  #asked = Promise.resolve();

  /**
   * What the sensors said last, or null.
   * @type {Protocol.Sensors | null}
   */
  felt = null;

  /**
   * `view` has the page's `arrangement`, and can `complain(error)`; `told()` is called after each change.
   * @param {Connection} connection
   * @param {{ arrangement: Arrangement, complain: (error: unknown) => void }} view
   */
  constructor(connection, view, told = () => {}) {
    this.#connection = connection;
    this.#view = view;
    this.#told = told;
    connection.addEventListener("sensors", ({ detail }) => this.#feel(detail));
    connection.addEventListener("found", () => this.#on && this.watch(true));
  }

  /** Whether it is to be seen. */
  get on() {
    return this.#on;
  }

  /**
   * Show what the sensors say, or no more of it.
   * @param {boolean} on
   */
  watch(on) {
    this.#on = on;
    if (!on) {
      this.#feel(null);
    }
    this.#asked = this.#asked.then(() => this.#connection.ask({ watch: this.#on })).catch((error) => this.#view.complain(error));
    return this.#asked;
  }

  /** Draw it where the board is drawn now, with one point pointed out, or none. */
  show(chosen = "") {
    this.#overlay.arrange(this.#view.arrangement);
    this.#overlay.choose(chosen);
    this.#overlay.show(this.felt, this.#kind);
  }

  /**
   * What a reading stands for, as marks are drawn: of pieces that it tells, whose the uppermost is.
   * @param {number} reading
   */
  #kind = (reading) => {
    const { kinds } = this.#view.arrangement;
    return kinds[this.felt?.shown[reading]?.at(-1) ?? ""]?.player ?? (reading ? "piece" : "nothing");
  };

  /** @param {Protocol.Sensors | null} felt */
  #feel(felt) {
    this.felt = this.#on ? felt : null;
    this.#overlay.show(this.felt, this.#kind);
    this.#told();
  }
}

/** What the marks mean, as a list. */
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
