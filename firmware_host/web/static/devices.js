// The devices that may play: a page that may play lists and removes them, and lets others be paired by a code.

import { button, dress, part } from "./parts.js";
import { unreached } from "./notice.js";
import { language, say } from "./words.js";

await dress("devices.css");

/** @typedef {{ number: number, name: string, seen_ms: number, shared: boolean, this: boolean, playing: boolean }} Device */
/** @typedef {{ code: string, left_s: number }} Pairing */
/** @typedef {{ devices: Device[], pairing: Pairing | null, addresses: string[], fault: string | null }} Listed */

const LOOK_MS = 5000;
// As people in the browser's country write it, if they speak the page's language.
const own = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
const day = new Intl.DateTimeFormat(own, { dateStyle: "medium" });

export class Devices {
  #complain;
  #opener = part("details", { id: "devices" }, part("summary", {}, say("devices.title")));
  #pair = button(say("devices.pair"), () => this.#ask("POST", "pairing"));
  #pairing = part("div", { id: "pairing" });
  #list = part("ul", {});
  #removeOthers = button(say("devices.remove-others"), () => this.#ask("DELETE", "devices"));
  #fault = part("p", {});
  #updating = part("div", {});
  #shown = "";

  /**
   * The list comes after `place`; `complain(error)` is called if the board refuses something.
   * @param {Element} place
   * @param {(error: unknown) => void} complain
   */
  constructor(place, complain) {
    this.#complain = complain;
    this.#pairing.setAttribute("role", "status");
    this.#opener.append(part("div", {}, this.#pair, this.#pairing, this.#list, this.#removeOthers, this.#fault, this.#updating));
    this.#opener.addEventListener("toggle", () => this.#look());
    this.#opener.addEventListener("toggle", () => this.#offerUpdates(), { once: true });
    place.after(this.#opener);
    setInterval(() => this.#look(), LOOK_MS);
  }

  async #look() {
    if (!this.#opener.open || document.hidden) {
      return;
    }
    try {
      const answer = await fetch("devices");
      if (answer.ok) {
        this.#show(await answer.json());
      }
    } catch {
      // The page itself says that the board cannot be reached.
    }
  }

  async #offerUpdates() {
    try {
      const { updating } = await import("./updating.js");
      this.#updating.replaceChildren(...[await updating()].filter((view) => view !== undefined));
    } catch (error) {
      this.#complain(error);
    }
  }

  /**
   * @param {"POST" | "DELETE"} method
   * @param {string} path
   */
  async #ask(method, path) {
    try {
      const answer = await fetch(path, { method });
      if (!answer.ok) {
        throw new Error(say("devices.refused"));
      }
    } catch (error) {
      this.#complain(error instanceof TypeError ? unreached() : error);
    }
    await this.#look();
  }

  /** @param {Listed} listed */
  #show({ devices, pairing, addresses, fault }) {
    const shown = JSON.stringify([devices, pairing && { ...pairing, left_s: minutes(pairing) }, addresses, fault]);
    if (shown === this.#shown) {
      return; // a screen reader would announce it again, and a button lose its focus
    }
    this.#shown = shown;
    this.#pair.hidden = pairing !== null;
    this.#pairing.replaceChildren(...(pairing ? this.#paired(pairing, addresses) : []));
    this.#list.replaceChildren(...devices.map((device) => this.#item(device)));
    this.#removeOthers.hidden = devices.filter((device) => !device.this).length < 2;
    this.#fault.textContent = fault ? say("devices.not-saved", { reason: fault }) : "";
    this.#fault.hidden = !fault;
  }

  /**
   * @param {Pairing} pairing
   * @param {string[]} where
   */
  #paired(pairing, where) {
    const addresses = where.join(", ");
    const code = part("img", { src: "qr.svg", alt: say("devices.qr"), width: 180, height: 180 });
    return [
      part("p", {}, say("devices.open", { addresses })),
      code,
      part("output", {}, pairing.code),
      part("p", {}, say("devices.left", { count: minutes(pairing) })),
      button(say("devices.stop"), () => this.#ask("DELETE", "pairing")),
    ];
  }

  /** @param {Device} device */
  #item(device) {
    const name = device.shared ? say("devices.earlier") : device.name || say("devices.unnamed", { count: device.number });
    const end = button(say("devices.remove"), () => this.#ask("DELETE", `devices/${device.number}`));
    end.setAttribute("aria-label", say("devices.remove-one", { name }));
    return part("li", {}, part("span", {}, name), part("p", {}, state(device)), end);
  }
}

/** @param {Device} device */
function state({ this: isThis, playing, seen_ms: seen }) {
  if (isThis) {
    return say("devices.this");
  }
  if (playing) {
    return say("devices.playing");
  }
  return seen ? say("devices.seen", { when: day.format(seen) }) : say("devices.seen-undated");
}

/** @param {Pairing} pairing */
function minutes({ left_s: left }) {
  return Math.ceil(left / 60);
}
