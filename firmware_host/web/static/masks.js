// Broken sensors: those that can be ignored, those that are, and the turns to confirm because no sensor could
// read them.

import { element } from "./required.js";
import { say } from "./words.js";

export class Masks {
  #ask;
  #shown = "";

  /**
   * `ask(request)` sends a request to the board.
   * @param {(request: Protocol.Do) => void} ask
   */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * Offer the choices that the board offers now.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state: { confirm, suspects, masked } }) {
    const offered = JSON.stringify([confirm, suspects, masked]);
    if (offered === this.#shown) {
      return;
    }
    this.#shown = offered;
    this.#offer("unconfirmed", confirm, (turn) => [say("mask.confirm", { turn }), { do: "confirm", turn }]);
    this.#offer("suspects", suspects, (point) => [say("mask.mask", { points: [point] }), { do: "mask", point }]);
    this.#offer("masked", masked, (point) => [say("mask.unmask", { points: [point] }), { do: "unmask", point }]);
  }

  /**
   * A button for each; after one is pressed, the next is under the same finger or key.
   * @param {"unconfirmed" | "suspects" | "masked"} id
   * @param {string[]} offers
   * @param {(offer: string) => [string, Protocol.Do]} words
   */
  #offer(id, offers, words) {
    const place = element(id);
    const list = place.querySelector("div") ?? place;
    const buttons = offers.map((offer) => {
      const [textContent, request] = words(offer);
      const button = Object.assign(document.createElement("button"), { type: "button", textContent });
      button.addEventListener("click", () => this.#ask(request));
      return button;
    });
    const had = [...list.children].findIndex((child) => child === document.activeElement);
    list.replaceChildren(...buttons);
    buttons[Math.min(had, buttons.length - 1)]?.focus();
    place.hidden = offers.length === 0;
  }
}
