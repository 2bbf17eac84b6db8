// Pushing pieces over the wood: where a hand has one by now is sent to the board at a steady pace.
//
// Rules kept here: of a piece at most one push is under way, each says all, and the last one counts.

import { present } from "./required.js";

/** @import { Spot } from "./geometry.js" */
/** @import { Grip } from "./hands.js" */

const PACE_MS = 40;
const LONGEST_S = 0.2;

export class Pushes {
  #ask;
  #place;

  /**
   * `ask(request)` asks the board, `place(spot)` says where a spot is on it, in its millimetres.
   * @param {(request: Protocol.Push) => Promise<unknown>} ask
   * @param {(spot: Spot) => [number, number]} place
   */
  constructor(ask, place) {
    this.#ask = ask;
    this.#place = place;
  }

  /**
   * Push a piece along until it is where its hand is, in the air or let go. What comes meanwhile waits.
   * @param {Grip} grip
   */
  async follow(grip) {
    if (grip.pushing) {
      return;
    }
    grip.pushing = true;
    while (!grip.inAir && !grip.over && grip.told !== grip.spot) {
      grip.told = grip.spot;
      const began = performance.now();
      const seconds = Math.min((began - (grip.pushed ?? began - PACE_MS)) / 1000, LONGEST_S);
      grip.pushed = began;
      await this.to(grip, grip.told, seconds);
      await new Promise((resolve) => setTimeout(resolve, began + PACE_MS - performance.now()));
    }
    grip.pushing = false;
  }

  /**
   * Push a piece to a point or a spot, for so many seconds.
   * @param {Grip} grip
   * @param {Spot & { name?: string }} target
   */
  to({ number }, target, seconds = PACE_MS / 1000) {
    const to = target.name ?? this.#place(target);
    return this.#ask({ push: present(number), to, seconds: Math.round(1000 * seconds) / 1000 });
  }
}
