// Broken sensors: those that can be ignored, those that are, and the turns to confirm because no sensor could
// read them.

import { element } from "./required.js";
import { say } from "./words.js";

/** @import { Views } from "./views.js" */

export class Masks {
  #ask;
  #views;
  #shown = "";
  /** @type {string[]} */
  #turns = [];

  /**
   * `ask(request)` sends a request to the board.
   * @param {(request: Protocol.Do) => void} ask
   * @param {Views} views
   */
  constructor(ask, views) {
    this.#ask = ask;
    this.#views = views;
    element("confirm").addEventListener("click", () => this.#confirm());
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
    this.#turns = confirm;
    const [only] = confirm;
    element("confirm").textContent =
      only && confirm.length === 1 ? say("mask.confirm", { turn: only }) : say("mask.confirm-one");
    this.#offer("unconfirmed", confirm, (turn) => [say("mask.confirm", { turn }), { do: "confirm", turn }]);
    this.#offer("suspects", suspects, (point) => [say("mask.mask", { points: [point] }), { do: "mask", point }]);
    this.#offer("masked", masked, (point) => [say("mask.unmask", { points: [point] }), { do: "unmask", point }]);
    if (confirm.length === 0 && this.#views.opened === "confirm") {
      this.#views.close();
    }
  }

  #confirm() {
    const [turn] = this.#turns;
    if (turn && this.#turns.length === 1) {
      this.#ask({ do: "confirm", turn });
    } else {
      this.#views.open("confirm", element("confirm"));
    }
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
