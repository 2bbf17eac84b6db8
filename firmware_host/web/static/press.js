// The button of a simulated board, in the frame below its points. It is down as long as a pointer or a key
// holds it, since a long press means something else than a short one.

import { element } from "./required.js";

/** @import { Request } from "./connection.js" */
/** @import { Arrangement } from "./geometry.js" */

const LONGEST = 60; // seconds, after which the simulated board lets go by itself
const INSET = 0.44; // from the edges of the board, in units of the smallest distance between points
const KEYS = ["Enter", " "];

export class BoardButton {
  #ask;
  #button = element("board-button");
  #down = false;

  /** @param {(request: Request) => unknown} ask */
  constructor(ask) {
    this.#ask = ask;
    const button = this.#button;
    button.addEventListener("pointerdown", (event) => {
      if (event.button === 0) {
        button.setPointerCapture(event.pointerId);
        this.#press();
      }
    });
    for (const end of ["pointerup", "pointercancel", "blur"]) {
      button.addEventListener(end, () => this.#release());
    }
    button.addEventListener("keydown", (event) => {
      if (KEYS.includes(event.key)) {
        event.preventDefault(); // no click follows
        this.#press();
      }
    });
    button.addEventListener("keyup", () => this.#release());
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger held still
    button.addEventListener("click", (event) => this.#click(event));
  }

  /**
   * Draw it if the board has one.
   * @param {Protocol.Snapshot} snapshot
   * @param {Arrangement} arrangement
   */
  show({ simulated }, { board, all }) {
    const { style } = this.#button;
    this.#button.hidden = !simulated?.button;
    style.setProperty("--unit", `${100 / all.width}cqw`);
    style.left = `${(100 * (board.x + board.width - INSET - all.x)) / all.width}%`;
    style.top = `${(100 * (board.y + board.height - INSET - all.y)) / all.height}%`;
  }

  /**
   * Press it for a moment, for a click that came from no pointer: from a screen reader.
   * @param {MouseEvent} event
   */
  #click({ detail }) {
    if (detail === 0) {
      this.#ask({ press: "button" });
    }
  }

  #press() {
    if (!this.#down) {
      this.#down = true;
      this.#ask({ press: "button", seconds: LONGEST });
    }
  }

  #release() {
    if (this.#down) {
      this.#down = false;
      this.#ask({ release: "button" });
    }
  }
}
