// The recent path of a pointer, which decides whether a piece is released in motion, and how fast.

/** @import { Spot } from "./geometry.js" */

const WINDOW_MS = 80;
const FLICK_PX_S = 900; // slower is putting down
const FASTEST_MM_S = 2500;

export class Trail {
  /** @type {(Spot & { time: number })[]} */
  #steps = [];

  /**
   * The pointer came by `spot` at `time`, in milliseconds.
   * @param {number} time
   * @param {Spot} spot
   */
  add(time, spot) {
    this.#steps.push({ time, ...spot });
    this.#steps = this.#steps.filter((step) => time - step.time <= WINDOW_MS);
  }

  /**
   * Return the speed to the right and up, in mm a second, of a piece released at `time`; undefined if it was
   * at rest.
   * @param {number} time
   * @param {{ pixels: number, millimetres: number }} unit
   * @returns {[number, number] | undefined}
   */
  speedAt(time, { pixels, millimetres }) {
    const [first, ...later] = this.#steps.filter((step) => time - step.time <= WINDOW_MS);
    const last = later.at(-1);
    if (!first || !last || last.time === first.time) {
      return undefined;
    }
    const seconds = (time - first.time) / 1000;
    const x = (last.x - first.x) / seconds;
    const y = (first.y - last.y) / seconds;
    const fast = Math.hypot(x, y);
    if (fast * pixels < FLICK_PX_S) {
      return undefined;
    }
    const least = Math.min(1, FASTEST_MM_S / (fast * millimetres));
    return [Math.round(x * millimetres * least), Math.round(y * millimetres * least)];
  }
}
