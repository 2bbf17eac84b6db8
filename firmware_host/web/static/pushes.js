// Pushing pieces over the wood: the present place of a held piece is sent to the board at a steady pace.
//
// Invariants: of each piece at most one push is under way, each is complete in itself, and the last one
// counts.

import { present } from "./required.js";

/** @import { Spot } from "./geometry.js" */
/** @import { Grip } from "./hands.js" */

const PACE_MS = 40;
const LONGEST_S = 0.2;

export class Pushes {
  #ask;
  #place;

  /**
   * `ask(request)` sends a request to the board, `place(spot)` returns a spot in the board's millimetres.
   * @param {(request: Protocol.Push) => Promise<unknown>} ask
   * @param {(spot: Spot) => [number, number]} place
   */
  constructor(ask, place) {
    this.#ask = ask;
    this.#place = place;
  }

  /**
   * Push a piece until it has reached its hand, is in the air or was released. Pushes requested in the
   * meantime wait.
   * @param {Grip} grip
   */
  async follow(grip) {
    if (grip.pushing) {
      return;
    }
    grip.pushing = true;
    while (!grip.inAir && !grip.over && grip.target !== grip.spot) {
      grip.target = grip.spot;
      const began = performance.now();
      const seconds = Math.min((began - (grip.pushed ?? began - PACE_MS)) / 1000, LONGEST_S);
      grip.pushed = began;
      await this.to(grip, grip.target, seconds);
      await new Promise((resolve) => setTimeout(resolve, began + PACE_MS - performance.now()));
    }
    grip.pushing = false;
  }

  /**
   * Push a piece to a point or a spot, taking `seconds`.
   * @param {Grip} grip
   * @param {Spot & { name?: string }} target
   */
  to({ number }, target, seconds = PACE_MS / 1000) {
    const to = target.name ?? this.#place(target);
    return this.#ask({ push: present(number), to, seconds: Math.round(1000 * seconds) / 1000 });
  }
}
