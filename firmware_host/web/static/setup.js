// The page of a set-up: the sentence, the point it names, and a button for each answer. On a simulated board
// the pieces are here as well, and can be moved with the pointer.

import { Code } from "./code.js";
import { Connection } from "./connection.js";
import { arrange } from "./geometry.js";
import { Hands } from "./hands.js";
import { Lights } from "./lights.js";
import { complain, write } from "./notice.js";
import { Pieces } from "./pieces.js";
import { closest, element, present, within } from "./required.js";
import { svg } from "./svg.js";
import { drawWood } from "./wood.js";
import { fill, say, tell } from "./words.js";

/** @import { Arrangement } from "./geometry.js" */

const tallWindow = matchMedia("(max-aspect-ratio: 1/1)");

class SetupPage {
  /** @type {Protocol.Setup | undefined} */
  #said;
  /** @type {Arrangement | undefined} */
  #arrangement;
  #drawn = "";
  #due = false;
  /** @type {Lights | undefined} */
  #lights;
  complain = complain;
  #connection = new Connection();
  #pieces = new Pieces(element("hands"));
  #hands = new Hands(element("hands"), this.#connection, this);

  #log = async () => (await this.#connection.ask({ log: true })).log;

  constructor() {
    const connection = this.#connection;
    connection.addEventListener("setup", ({ detail }) => this.#update(detail));
    connection.addEventListener("leds", ({ detail }) => this.#lights?.show(detail.leds));
    connection.addEventListener("snapshot", () => location.replace(`./${location.search}`));
    connection.addEventListener("found", () => this.#reached(true));
    connection.addEventListener("lost", () => this.#reached(false));
    tallWindow.addEventListener("change", () => this.#said && this.#update(this.#said));
    document.addEventListener("keydown", (event) => this.#press(event));
    document.addEventListener("words", () => {
      fill();
      if (this.#said) {
        this.#update(this.#said);
      }
    });
    new Code(connection, element("answers"), complain);
    connection.open();
  }

  /** The arrangement of everything that is drawn. */
  get arrangement() {
    return present(this.#arrangement);
  }

  /** The positions of the pieces, or null if only the sensors know. */
  get table() {
    return this.#said?.table ?? null;
  }

  /** Draw the pieces again, once before the next frame. */
  redraw() {
    if (!this.#due) {
      this.#due = true;
      requestAnimationFrame(() => {
        this.#due = false;
        this.#pieces.show(this.table, this.arrangement, this.#hands.carried);
      });
    }
  }

  /** @param {Protocol.Setup} said */
  #update(said) {
    this.#said = said;
    this.#drawBoard(said);
    this.#lights?.show(said.leds);
    this.#mark(said);
    write(element("sentence"), tell(said.said, said.sentence));
    this.#showProgress(said);
    this.#showNotes(said.notes.map((text, i) => tell(said.notes_said[i], text)));
    this.#showAnswers(said.answers);
    this.#showFindings(said.findings);
    this.#showSettings(said.settings);
    this.redraw();
    // Hands wait for the current table.
    this.#connection.dispatchEvent(new CustomEvent("table", { detail: { table: said.table } }));
  }

  /** @param {Protocol.Setup} said */
  #drawBoard({ layout, kinds, table }) {
    const drawing = JSON.stringify([layout, kinds, tallWindow.matches, Boolean(table)]);
    if (drawing === this.#drawn) {
      return;
    }
    this.#drawn = drawing;
    const arrangement = arrange(layout, kinds, tallWindow.matches, { boxed: Boolean(table), plaqued: false });
    this.#arrangement = arrangement;
    const { x, y, width, height } = arrangement.all;
    for (const drawn of element("stage").querySelectorAll("svg")) {
      drawn.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    }
    element("stage").style.setProperty("--ratio", String(width / height));
    drawWood(element("wood"), layout, arrangement);
    this.#lights = new Lights(element("light"), arrangement);
  }

  /**
   * A ring around the point in the sentence, and a tick at those that are found.
   * @param {Protocol.Setup} said
   */
  #mark({ point, known }) {
    const marks = [];
    for (const name of known) {
      const { x, y } = present(this.arrangement.points.get(name));
      const d = `M${x - 0.1} ${y + 0.01}l0.07 0.08l0.14 -0.17`;
      marks.push(svg("path", { d, class: "found under" }), svg("path", { d, class: "found", "data-known": name }));
    }
    if (point) {
      const { x: cx, y: cy } = present(this.arrangement.points.get(point));
      marks.push(svg("circle", { cx, cy, r: 0.46, class: "asked under" }));
      marks.push(svg("circle", { cx, cy, r: 0.46, class: "asked", "data-asked": point }));
    }
    element("marks").replaceChildren(...marks);
  }

  /** @param {Protocol.Setup} said */
  #showProgress({ done, of }) {
    element("progress").hidden = !of;
    write(within(element("progress"), "span"), done ? say("setup.progress", { done, of }) : "");
    Object.assign(within(element("progress"), "progress"), { max: of || 1, value: done });
  }

  /** @param {string[]} notes */
  #showNotes(notes) {
    const list = element("notes");
    list.hidden = notes.length === 0;
    if (notes.join("\n") !== [...list.children].map((item) => item.textContent).join("\n")) {
      list.replaceChildren(...notes.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    }
  }

  /** @param {Protocol.Answers} answers */
  #showAnswers(answers) {
    const place = element("answers");
    /** @type {[string, string, Protocol.Answers[number]["parts"]][]} */
    const buttons = answers.map(({ key, label, said, parts }) => [key, tell(said, label), parts]);
    if (JSON.stringify(buttons) === place.dataset.answers) {
      return;
    }
    place.dataset.answers = JSON.stringify(buttons);
    document.body.classList.toggle("forms", answers.some(({ parts }) => parts.length > 0));
    place.replaceChildren(...buttons.map(([key, text, parts]) => this.#button(key, text, parts)));
  }

  /**
   * Only the doctor has findings.
   * @param {Protocol.Setup["findings"]} findings
   */
  async #showFindings(findings) {
    if (findings) {
      document.title = say("setup.doctor.title");
      const { show } = await import("./findings.js");
      const report = async () => (await this.#connection.ask({ report: true })).report;
      show(findings, report, this.#log);
    }
  }

  /**
   * Only a choice of settings has these.
   * @param {Protocol.Setup["settings"]} settings
   */
  async #showSettings(settings) {
    if (settings) {
      const { show } = await import("./configuring.js");
      show(settings, (setting, value) => this.#connection.ask({ setting, value }), this.#log);
    }
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {Protocol.Answers[number]["parts"]} parts
   */
  #button(key, label, parts) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = key ? "" : "due";
    button.dataset.key = key;
    const hint = Object.assign(document.createElement("kbd"), { textContent: key.toUpperCase() || say("setup.enter") });
    button.append(label, ...(key.length > 1 ? [] : [hint]));
    button.addEventListener("click", ({ detail }) => detail < 2 && this.#answer(key)); // not by a double tap
    if (parts.length) {
      import("./chain.js").then(({ drawChain }) => button.append(drawChain(parts)));
    }
    return button;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const key = event.key === "Enter" ? "" : event.key.toLowerCase();
    const onButton = closest(event, "button");
    const offered = this.#said?.answers.some((answer) => answer.key === key);
    const inField = closest(event, "input, select");
    if (offered && !inField && !(onButton && key === "") && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat) {
      event.preventDefault();
      this.#answer(key);
    }
  }

  /** @param {string} key */
  #answer(key) {
    this.#connection.ask({ answer: key, to: present(this.#said).question }).catch(complain);
  }

  /**
   * After the last answer the program ends; then its absence is not an error.
   * @param {boolean} reached
   */
  #reached(reached) {
    const over = this.#said !== undefined && this.#said.answers.length === 0 && this.#said.over;
    document.body.classList.toggle("lost", !reached && !over);
    element("banner").hidden = reached || over;
  }
}

fill();
new SetupPage();
