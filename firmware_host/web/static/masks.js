// Sensors that are broken: which may be left out, which are, and what has to be confirmed since it is not felt.

import { element } from "./required.js";
import { say } from "./words.js";

export class Masks {
  #ask;
  #shown = "";

  /**
   * `ask(request)` asks the board.
   * @param {(request: Protocol.Do) => void} ask
   */
  constructor(ask) {
    this.#ask = ask;
  }

  /**
   * Offer what the board offers now.
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
   * A button for each; who has just pressed one finds the next under the same finger or key.
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
