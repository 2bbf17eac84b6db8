// The form in which a page that may only watch enters the code that lets it play. A page that may play offers
// the list of devices instead.

import { Refusal, read, unreached } from "./notice.js";
import { closest, element } from "./required.js";
import { learn, say, tell } from "./words.js";

/** @import { Connection } from "./connection.js" */

const SYSTEMS = /iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux/;
const BROWSERS = /Firefox|Edg|OPR|Chrome|Safari/;
const LOOK_MS = 1000; // between two questions whether the board was touched
const CALLED = new Map(Object.entries({ Macintosh: "Mac", CrOS: "Chromebook", Edg: "Edge", OPR: "Opera" }));

export class Code {
  #connection;
  #complain;
  #explain;
  #form = document.createElement("form");
  #field = Object.assign(document.createElement("input"), { id: "entered", inputMode: "numeric", autocomplete: "off", maxLength: 20 });
  #name = Object.assign(document.createElement("input"), { id: "device-name", autocomplete: "off", maxLength: 40, value: nameOfThis() });
  #listsDevices = false; // true since this page may play, on a board that others can reach

  /**
   * The form comes before `place`; `complain(error)` is called if the code is refused, and `explain(text)` to say how
   * to get in by a touch.
   * @param {Connection} connection
   * @param {HTMLElement} place
   * @param {(error: unknown) => void} complain
   * @param {(text: string) => void} [explain]
   */
  constructor(connection, place, complain, explain = () => {}) {
    this.#connection = connection;
    this.#complain = complain;
    this.#explain = explain;
    this.#form.id = "code";
    this.#form.hidden = true;
    this.#form.addEventListener("submit", (event) => this.#enter(event));
    place.before(this.#form);
    element("stage").addEventListener("pointerdown", (event) => this.#answer(event));
    connection.addEventListener("welcome", ({ detail }) => this.#show(detail));
  }

  /** @param {Protocol.Welcome} welcome */
  #show({ may_play: mayPlay, code }) {
    document.body.classList.toggle("looking", !mayPlay);
    this.#form.hidden = mayPlay;
    const asked = [written("p", say("code.watching")), written("p", code ? say("code.enter") : say("code.none"))];
    this.#form.replaceChildren(...asked, ...(code ? this.#fields() : []));
    const settings = document.getElementById("feeling");
    if (mayPlay && code && settings) {
      this.#listDevices(settings);
    }
  }

  /** Go to the form, which on a phone lies below the board. */
  reveal() {
    this.#form.scrollIntoView({ block: "center" });
    (document.getElementById("sit") ?? this.#form).focus({ preventScroll: true });
  }

  /**
   * Tell somebody who touches the board that this page only watches.
   * @param {PointerEvent} event
   */
  #answer(event) {
    if (!this.#form.hidden && !closest(event, "button, #then")) {
      this.#complain(new Refusal(say("code.watching"), this.#field.isConnected ? say("code.enter") : say("code.none")));
    }
  }

  /** @param {Element} place */
  async #listDevices(place) {
    try {
      const { Devices } = await import("./devices.js");
      if (!this.#listsDevices) {
        new Devices(place, this.#complain);
        this.#listsDevices = true;
      }
    } catch (error) {
      this.#complain(error);
    }
  }

  #fields() {
    return [
      this.#sits(),
      written("p", say("code.where")),
      labelled(say("code.label"), this.#field),
      this.#field,
      labelled(say("code.name"), this.#name),
      this.#name,
      written("button", say("code.play")),
    ];
  }

  /** Return the button of somebody who sits at the board, which lights a point to be touched there. */
  #sits() {
    const sits = written("button", say("code.sit"));
    sits.type = "button";
    sits.id = "sit";
    sits.className = "due";
    sits.addEventListener("click", () => this.#sit(sits));
    return sits;
  }

  /** @param {HTMLButtonElement} sits */
  async #sit(sits) {
    sits.disabled = true;
    try {
      const [answer] = await Promise.all([post("seat", { name: this.#name.value }), learn("workshop")]);
      const { said, token, touches } = await read(answer);
      if (!answer.ok) {
        const elsewhere = answer.status === 403 ? say("code.sit-elsewhere") : tell(said, say("code.sit-busy"));
        throw new Error(answer.status === 429 ? say("code.sat-often") : elsewhere);
      }
      element("sentence").scrollIntoView({ block: "center" }); // on a phone it is above the board, and the form below
      await this.#wait(token, touches);
    } catch (error) {
      this.#complain(error instanceof TypeError ? unreached() : error);
    }
    sits.disabled = false;
  }

  /**
   * Wait until the point was touched, and play. The board's own sentence names it; only this page says how often.
   * @param {string} token
   * @param {number} count
   */
  async #wait(token, count) {
    for (;;) {
      const answer = await post("seat/claim", { token });
      const { status } = answer;
      this.#explain(status === 202 ? say("workshop.times", { count }) : "");
      if (status === 204) {
        this.#connection.again();
        return;
      }
      if (status !== 202) {
        throw new Error(tell((await read(answer)).said, say("code.sit-over")));
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** @param {Event} event */
  async #enter(event) {
    event.preventDefault();
    try {
      const answer = await post("code", { code: this.#field.value, name: this.#name.value });
      if (answer.ok) {
        this.#connection.again();
        return;
      }
      const { wait_s: count } = await read(answer);
      const wrong = answer.status === 409 ? say("code.expired") : say("code.wrong");
      this.#complain(new Error(count ? say("code.wait", { count }) : wrong));
    } catch {
      this.#complain(unreached());
    }
    this.#field.select();
  }
}

/**
 * @param {string} path
 * @param {Record<string, string>} body
 */
const post = (path, body) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {string} text
 */
const written = (name, text) => Object.assign(document.createElement(name), { textContent: text });

/**
 * @param {string} text
 * @param {HTMLInputElement} field
 */
const labelled = (text, field) => Object.assign(written("label", text), { htmlFor: field.id });

/** Return a name for this device that its owner would recognise in a list. */
function nameOfThis() {
  const found = [SYSTEMS, BROWSERS].map((known) => known.exec(navigator.userAgent)?.[0] ?? "");
  return found
    .filter(Boolean)
    .map((name) => CALLED.get(name) ?? name)
    .join(", ");
}
