// The drawer of a simulated board: everything that can be broken on it and repaired again, the readings of
// its sensors, and the session as a script. Only the board knows which faults there are; every page shows the
// same.

import { breakables, diode, exchange } from "./breakable.js";
import { nearest } from "./geometry.js";
import { of } from "./overlay.js";
import { write } from "./notice.js";
import { button, check, part } from "./parts.js";
import { closest, element, present } from "./required.js";
import { brokenNow, SENSOR_KINDS, stories } from "./stories.js";
import { legend, Watching } from "./watching.js";
import { learn, piled, say } from "./words.js";

/** @import { Control, Defect } from "./breakable.js" */
/** @import { Connection, Request, Result } from "./connection.js" */
/** @import { Arrangement } from "./geometry.js" */
/** @import { Views } from "./views.js" */

/** @typedef {NonNullable<Protocol.Simulated>} Simulated */
/** @typedef {typeof SENSOR_KINDS[number]} PointKind */

/**
 * The parts that change with the board's messages.
 * @typedef {object} Parts
 * @property {HTMLElement} count
 * @property {HTMLElement} now
 * @property {HTMLElement} legend
 * @property {HTMLSelectElement} select
 * @property {HTMLButtonElement} picks
 * @property {HTMLFieldSetElement} kinds
 * @property {Control[]} wires
 * @property {HTMLElement} reads
 * @property {Control[]} groups
 */
/** @typedef {{ arrangement: Arrangement, layout: Protocol.Layout, complain: (error: unknown) => void }} Shown */

await learn("drawer");

const FILE = "millwright-session.jsonl";

const stage = element("stage");

const REACH = 0.5; // the reach of a click on a point

export class Drawer {
  #connection;
  #view;
  #views;
  #root = element("drawer");
  #watching;
  /** @type {Simulated | null} */
  #simulated = null;
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;
  #broken = ""; // the faults that cards were made for
  #point = "";
  #made = ""; // the properties the controls were made for
  /** @type {Parts | undefined} */
  #parts;
  #exact = false;

  /**
   * `view` has the current `arrangement` and `layout` of the page, and can `complain(error)`.
   * @param {Connection} connection
   * @param {Shown} view
   * @param {Views} views
   */
  constructor(connection, view, views) {
    this.#connection = connection;
    this.#view = view;
    this.#views = views;
    this.#watching = new Watching(connection, view, () => this.#parts && this.#read());
    stage.addEventListener("pointerdown", (event) => this.choosing && this.#pick(event));
    stage.addEventListener("focusin", (event) => this.#choose(closest(event, "[data-point]")?.dataset.point));
  }

  /** True while the next tap on the board chooses a sensor, and moves nothing. */
  get choosing() {
    return !this.#root.hidden && this.#parts?.picks.ariaPressed === "true";
  }

  /** True while pieces lie wherever they are let go, also between the points. */
  get exact() {
    return this.#exact;
  }

  /**
   * Open or close it, with the content of `snapshot`; `opener` gets the focus back.
   * @param {Protocol.Snapshot} snapshot
   * @param {HTMLElement} opener
   */
  toggle(snapshot, opener) {
    const { simulated, layout } = snapshot;
    if (simulated) {
      this.#simulated = simulated;
      this.#snapshot = snapshot;
      this.#build(simulated, layout);
      this.#fill();
      this.#views.toggle("drawer", opener);
      this.#watching.show(this.#root.hidden ? "" : this.#point);
    }
  }

  /**
   * Show the current faults.
   * @param {Protocol.Snapshot} snapshot
   */
  show(snapshot) {
    const { simulated, layout } = snapshot;
    this.#snapshot = snapshot;
    this.#simulated = simulated;
    if (!simulated) {
      if (this.#views.opened === "drawer") {
        this.#views.close();
      }
      return;
    }
    this.#watching.show(this.#root.hidden ? "" : this.#point);
    if (!this.#root.hidden) {
      this.#build(simulated, layout);
      this.#fill();
    }
  }

  // ---- content -----------------------------------------------------------------------------------------

  /**
   * @param {Simulated} simulated
   * @param {Protocol.Layout} layout
   */
  #build(simulated, { points }) {
    const { chips, signals, selects, rows, columns, lights, disk } = simulated;
    const made = JSON.stringify([Object.keys(points), chips, signals, selects, rows, columns, lights, disk]);
    if (this.#made === made) {
      return;
    }
    this.#made = made;
    const groups = breakables(simulated, (request) => this.#ask(request));
    const deeds = this.#deeds();
    const seeing = this.#seeing();
    const sensor = this.#sensor(Object.keys(points), rows > 0);
    const now = part("div", { className: "now" });
    const three = stories(() => this.#snapshot, (request) => this.#ask(request));
    this.#broken = "";
    this.#parts = { ...deeds.parts, ...seeing.parts, ...sensor.parts, groups, now };
    const all = [three, now, ...deeds.elements, seeing.element, sensor.element, ...groups.map(({ element }) => element)];
    this.#root.replaceChildren(part("div", { className: "all" }, ...all));
  }

  #deeds() {
    const count = part("p", { className: "tally" });
    count.setAttribute("role", "status");
    const save = button(say("drawer.save"), () => this.#save());
    const { box, label } = check(say("drawer.exact"), (on) => (this.#exact = on));
    box.checked = this.#exact;
    const elements = [count, part("div", { className: "deeds" }, save), label];
    return { elements, parts: { count } };
  }

  #seeing() {
    const { box, label } = check(say("page.feel"), (on) => this.#watching.watch(on));
    box.checked = this.#watching.on;
    const signs = legend();
    return { element: part("div", {}, label, signs), parts: { legend: signs } };
  }

  /**
   * @param {string[]} names
   * @param {boolean} hasDiodes
   */
  #sensor(names, hasDiodes) {
    const options = names.sort().map((name) => new Option(name, name));
    const select = part("select", { id: "broken-point" }, new Option("–", ""), ...options);
    select.addEventListener("change", () => this.#choose(select.value));
    const choices = /** @type {const} */ (["works", ...SENSOR_KINDS]).map((kind) => {
      const box = part("input", { type: "radio", name: "kind", value: kind });
      box.addEventListener("change", () => this.#breakPoint(kind));
      return part("label", {}, box, say(`drawer.kind.${kind}`));
    });
    const point = () => this.#point;
    /** @type {(request: Request) => unknown} */
    const ask = (request) => this.#ask(request);
    const wires = [exchange(names, point, ask), ...(hasDiodes ? [diode(point, ask)] : [])];
    const reads = part("p", { className: "reads" });
    const title = part("legend", { textContent: say("drawer.kinds") });
    const kinds = part("fieldset", {}, title, ...choices, ...wires.map(({ element }) => element));
    const label = part("label", { htmlFor: select.id, textContent: say("drawer.point") });
    const picks = button(say("drawer.pick"), () => (picks.ariaPressed = String(picks.ariaPressed !== "true")));
    picks.ariaPressed = "false";
    const element = part("div", { className: "sensor" }, label, select, picks, reads, kinds);
    return { element, parts: { select, picks, wires, reads, kinds } };
  }

  // ---- the board's messages ----------------------------------------------------------------------------

  #fill() {
    const { faults } = present(this.#simulated);
    const { count, groups } = present(this.#parts);
    write(count, counted(faults.length));
    groups.forEach((group) => group.show(faults));
    this.#fillNow();
    this.#fillPoint();
  }

  #fillNow() {
    const { now } = present(this.#parts);
    const snapshot = present(this.#snapshot);
    const { faults } = present(this.#simulated);
    const { turns, status, extra, masked } = snapshot.state;
    const made = JSON.stringify([faults, turns.at(-1), status, extra, masked]);
    if (made !== this.#broken) {
      this.#broken = made;
      const had = [...now.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
      const { wires, groups } = present(this.#parts);
      const words = (/** @type {Defect} */ fault) => [...groups, ...wires].map((control) => control.named(fault)).find(Boolean);
      now.replaceChildren(...brokenNow(snapshot, words, (request) => this.#ask(request)));
      now.querySelectorAll("button")[had]?.focus();
    }
  }

  #fillPoint() {
    const { select, kinds, wires } = present(this.#parts);
    select.value = this.#point;
    kinds.disabled = !this.#point;
    const fault = this.#faultAt(this.#point);
    for (const box of kinds.querySelectorAll("input")) {
      box.checked = this.#point !== "" && box.value === (fault?.kind ?? "works");
    }
    wires.forEach((control) => control.show(present(this.#simulated).faults));
    this.#read();
  }

  #read() {
    const { reads, legend: signs } = present(this.#parts);
    const { sensors, on } = this.#watching;
    signs.hidden = !on;
    if (!this.#point || !sensors) {
      write(reads, this.#point ? "" : say("drawer.choose"));
      return;
    }
    const { raw: now, believed: lasts, flickers: count, level, led } = of(sensors, this.#point);
    const raw = wordsFor(sensors, now);
    const stable = wordsFor(sensors, lasts);
    const texts = [say("drawer.says", { raw, stable, count })];
    texts.push(level === undefined ? "" : say("drawer.level", { level }));
    texts.push(led ? say("drawer.led", { led }) : say("drawer.led.dark"));
    write(reads, texts.filter(Boolean).join(" "));
  }

  /** @param {string} point */
  #faultAt(point) {
    return present(this.#simulated).faults.find((fault) => fault.point === point);
  }

  // ---- actions -----------------------------------------------------------------------------------------

  /** @param {string | undefined} name */
  #choose(name) {
    if (name === undefined || this.#root.hidden || name === this.#point) {
      return;
    }
    this.#point = name;
    this.#watching.show(name);
    this.#fillPoint();
  }

  /** @param {PointerEvent} event */
  #pick(event) {
    const name = this.#pointed(event);
    if (name) {
      present(this.#parts).picks.ariaPressed = "false";
      this.#choose(name);
    }
  }

  /** @param {PointerEvent} event */
  #pointed({ clientX, clientY }) {
    const drawn = present(element("feel").getScreenCTM()).inverse();
    return nearest(this.#view.arrangement, new DOMPoint(clientX, clientY).matrixTransform(drawn), REACH)?.name;
  }

  /** @param {PointKind | "works"} kind */
  #breakPoint(kind) {
    const fault = this.#faultAt(this.#point);
    if (kind !== "works") {
      this.#ask({ fault: { point: this.#point, kind } });
    } else if (fault) {
      this.#ask({ repair: fault });
    }
  }

  async #save() {
    const { script } = (await this.#ask({ script: true })) ?? {};
    if (script) {
      const href = URL.createObjectURL(new Blob([script], { type: "application/jsonl" }));
      part("a", { href, download: FILE }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10000);
    }
  }

  /**
   * A request that fails is reported, and the drawer shows the current faults again.
   * @template {Request} R
   * @param {R} request
   * @returns {Promise<Result<R> | undefined>}
   */
  async #ask(request) {
    try {
      return await this.#connection.ask(request);
    } catch (error) {
      this.#view.complain(error);
      this.#fill();
      return undefined;
    }
  }
}

/**
 * Return the words for a reading.
 * @param {Protocol.Sensors} sensors
 * @param {number} reading
 */
function wordsFor(sensors, reading) {
  const pieces = sensors.shown[reading];
  const seen = reading ? "piece" : "nothing";
  return pieces ? piled(pieces) : say(`drawer.reads.${seen}`);
}

/** @param {number} count */
function counted(count) {
  if (count === 0) {
    return say("drawer.broken.none");
  }
  return count === 1 ? say("drawer.broken.one") : say("drawer.broken.many", { count });
}
