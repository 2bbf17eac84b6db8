// The buzzer of a simulated board, in the frame below its points: it shows the rhythm that the board's line had,
// or that it never stops.

import { element } from "./required.js";
import { SOUNDS } from "./tones.js";

/** @import { Arrangement } from "./geometry.js" */

const INSET = 0.44; // from the edges of the board, in units of the smallest distance between points
const SILENT = { boxShadow: "0 0 0 0 rgb(255 214 120 / 0)" };
const SOUNDING = { boxShadow: "0 0 0 calc(0.1 * var(--unit)) rgb(255 214 120 / 0.8)" };

/**
 * Return the fault of a simulated board's buzzer; undefined if it works.
 * @param {NonNullable<Protocol.Simulated>} simulated
 */
export function buzzerFault(simulated) {
  return simulated.faults.find(({ buzzer }) => buzzer !== undefined)?.buzzer;
}

export class Buzzer {
  #buzzer = element("board-buzzer");
  #number = 0; // of the last sound that was shown

  /**
   * Draw it if the board has one, and show a new sound.
   * @param {Protocol.Snapshot} snapshot
   * @param {Arrangement} arrangement
   */
  show({ simulated, state }, { board, all }) {
    const { style, dataset } = this.#buzzer;
    this.#buzzer.hidden = !simulated?.buzzer;
    style.setProperty("--unit", `${100 / all.width}cqw`);
    style.left = `${(100 * (board.x + INSET - all.x)) / all.width}%`;
    style.top = `${(100 * (board.y + board.height - INSET - all.y)) / all.height}%`;
    const fault = simulated && buzzerFault(simulated);
    this.#buzzer.classList.toggle("stuck", fault === "stuck" && simulated?.power === true);
    const last = state.sound?.last;
    if (last?.by === "buzzer" && last.number !== this.#number && !fault) {
      dataset.sounded = last.what;
      dataset.number = String(last.number);
      this.#ring(SOUNDS[last.what].rhythm);
    }
    this.#number = last?.number ?? 0;
  }

  /** @param {number[]} rhythm */
  #ring(rhythm) {
    const length = rhythm.reduce((sum, span) => sum + span, 0);
    let at = 0;
    const frames = rhythm.flatMap((span, index) => {
      const look = index % 2 ? SILENT : SOUNDING;
      const from = at / length;
      at += span;
      return [{ ...look, offset: from }, { ...look, offset: at / length }];
    });
    this.#buzzer.animate(frames, { duration: length });
  }
}
