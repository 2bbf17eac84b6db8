// The form in which a page that may only watch enters the code that lets it play.

import { say } from "./words.js";

/** @import { Connection } from "./connection.js" */

export class Code {
  #connection;
  #complain;
  #form = document.createElement("form");
  #field = Object.assign(document.createElement("input"), { id: "entered", inputMode: "numeric", autocomplete: "off", maxLength: 20 });

  /**
   * The form comes before `place`; `complain(error)` is called if the code is refused.
   * @param {Connection} connection
   * @param {HTMLElement} place
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, place, complain) {
    this.#connection = connection;
    this.#complain = complain;
    this.#form.id = "code";
    this.#form.hidden = true;
    this.#form.addEventListener("submit", (event) => this.#enter(event));
    place.before(this.#form);
    connection.addEventListener("welcome", ({ detail }) => this.#show(detail));
  }

  /** @param {Protocol.Welcome} welcome */
  #show({ may_play: mayPlay, code }) {
    document.body.classList.toggle("looking", !mayPlay);
    this.#form.hidden = mayPlay;
    const asked = written("p", code ? say("code.enter") : say("code.none"));
    this.#form.replaceChildren(asked, ...(code ? this.#fields() : []));
  }

  #fields() {
    const label = Object.assign(written("label", say("code.label")), { htmlFor: this.#field.id });
    return [written("p", say("code.where")), label, this.#field, written("button", say("code.play"))];
  }

  /** @param {Event} event */
  async #enter(event) {
    event.preventDefault();
    try {
      const answer = await fetch("code", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code: this.#field.value }),
      });
      if (answer.ok) {
        this.#connection.again();
        return;
      }
      const { wait_s: count } = await answer.json();
      this.#complain(new Error(count ? say("code.wait", { count }) : say("code.wrong")));
    } catch {
      this.#complain(new Error(say("page.not-reached")));
    }
    this.#field.select();
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {string} text
 */
const written = (name, text) => Object.assign(document.createElement(name), { textContent: text });
