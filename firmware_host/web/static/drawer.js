// The drawer of a simulated board: all that can be broken on it and is mended again, what the sensors feel of
// it, and the session as a script. What is broken, only the board says; every page shows the same.

import { breakables, exchange } from "./breakable.js";
import { nearest } from "./geometry.js";
import { of } from "./overlay.js";
import { button, check, part, write } from "./parts.js";
import { legend, Watching } from "./watching.js";
import { learn, piled, say } from "./words.js";

await learn("drawer");

const KINDS = ["stuck-on", "stuck-off", "chatter", "weak", "faint", "wrong-pole"];
const FILE = "millwright-session.jsonl";

const stage = document.getElementById("stage");
const opener = document.getElementById("break");

const REACH = 0.5; // how near to a point one has to click

export class Drawer {
  #connection;
  #view;
  #root = document.getElementById("drawer");
  #watching;
  #simulated;
  #point = "";
  #parts;

  /** `view` has the page's `arrangement` as it is now, and can `complain(error)`. */
  constructor(connection, view) {
    this.#connection = connection;
    this.#view = view;
    this.#watching = new Watching(connection, view, () => this.#parts && this.#read());
    this.#root.addEventListener("keydown", ({ key }) => key === "Escape" && this.#open(false));
    stage.addEventListener("pointerdown", (event) => this.#choose(this.#pointed(event)));
    stage.addEventListener("focusin", ({ target }) => this.#choose(target.dataset.point));
  }

  /** Open or close it, on what `snapshot` says. */
  toggle(snapshot) {
    this.show(snapshot);
    this.#open(Boolean(snapshot.simulated) && this.#root.hidden);
  }

  /** Show what is broken. */
  show({ simulated, layout }) {
    this.#simulated = simulated;
    if (!simulated) {
      this.#open(false);
      return;
    }
    this.#watching.show(this.#root.hidden ? "" : this.#point);
    if (!this.#root.hidden) {
      this.#build(layout);
      this.#fill();
    }
  }

  // ---- what is in it -----------------------------------------------------------------------------------

  #build({ points }) {
    const { chips, signals, selects, lights, disk } = this.#simulated;
    const made = JSON.stringify([Object.keys(points), chips, signals, selects, lights, disk]);
    if (this.#parts?.made === made) {
      return;
    }
    const ask = (request) => this.#ask(request);
    this.#parts = { made, breakables: breakables(this.#simulated, ask) };
    const close = button(say("drawer.close"), () => this.#open(false));
    const all = [
      ...this.#deeds(),
      this.#seeing(),
      this.#sensor(Object.keys(points)),
      ...this.#parts.breakables.map(({ element }) => element),
    ];
    this.#root.replaceChildren(
      part("header", {}, part("h2", { textContent: say("page.can-break") }), close),
      part("div", { className: "all" }, ...all),
    );
  }

  #deeds() {
    const count = part("p", { className: "tally" });
    count.setAttribute("role", "status");
    const repair = button(say("drawer.repair"), () => this.#ask({ repair: true }));
    const plug = button("", () => this.#ask({ power: this.#simulated.power ? "off" : "on" }));
    const save = button(say("drawer.save"), () => this.#save());
    Object.assign(this.#parts, { count, repair, plug });
    return [count, part("div", { className: "deeds" }, repair, plug, save)];
  }

  #seeing() {
    const { box, label } = check(say("page.feel"), (on) => this.#watching.watch(on));
    box.checked = this.#watching.on;
    this.#parts.legend = legend();
    return part("div", {}, label, this.#parts.legend);
  }

  #sensor(names) {
    const options = names.sort().map((name) => new Option(name, name));
    const select = part("select", { id: "broken-point" }, new Option("–", ""), ...options);
    select.addEventListener("change", () => this.#choose(select.value));
    const kinds = ["works", ...KINDS].map((kind) => {
      const box = part("input", { type: "radio", name: "kind", value: kind });
      box.addEventListener("change", () => this.#breakPoint(kind));
      return part("label", {}, box, say(`drawer.kind.${kind}`));
    });
    const exchanged = exchange(names, () => this.#point, (request) => this.#ask(request));
    this.#parts.select = select;
    this.#parts.exchanged = exchanged;
    this.#parts.reads = part("p", { className: "reads" });
    const title = part("legend", { textContent: say("drawer.kinds") });
    this.#parts.kinds = part("fieldset", {}, title, ...kinds, exchanged.element);
    const label = part("label", { htmlFor: select.id, textContent: say("drawer.point") });
    return part("div", { className: "sensor" }, label, select, this.#parts.reads, this.#parts.kinds);
  }

  // ---- what the board says -----------------------------------------------------------------------------

  #fill() {
    const { power, faults } = this.#simulated;
    const { plug, count, repair } = this.#parts;
    write(plug, power ? say("drawer.power.off") : say("drawer.power.on"));
    plug.classList.toggle("due", !power);
    write(count, counted(faults.length));
    repair.disabled = faults.length === 0;
    this.#parts.breakables.forEach((group) => group.show(faults));
    this.#fillPoint();
  }

  #fillPoint() {
    const { select, kinds, exchanged } = this.#parts;
    select.value = this.#point;
    kinds.disabled = !this.#point;
    const fault = this.#faultAt(this.#point);
    for (const box of kinds.querySelectorAll("input")) {
      box.checked = this.#point !== "" && box.value === (fault?.kind ?? "works");
    }
    exchanged.show(this.#simulated.faults);
    this.#read();
  }

  #read() {
    const { reads, legend: signs } = this.#parts;
    const { felt, on } = this.#watching;
    signs.hidden = !on;
    if (!this.#point || !felt) {
      write(reads, this.#point ? "" : say("drawer.choose"));
      return;
    }
    const { raw: now, believed: lasts, flickers: count, level, led } = of(felt, this.#point);
    const raw = this.#told(now);
    const believed = this.#told(lasts);
    const texts = [say("drawer.says", { raw, believed, count })];
    texts.push(level === undefined ? "" : say("drawer.level", { level }));
    texts.push(led ? say("drawer.led", { led }) : say("drawer.led.dark"));
    write(reads, texts.filter(Boolean).join(" "));
  }

  #told(reading) {
    const pieces = this.#watching.felt.shown[reading];
    const seen = reading ? "piece" : "nothing";
    return pieces ? piled(pieces) : say(`drawer.reads.${seen}`);
  }

  #faultAt(point) {
    return this.#simulated.faults.find((fault) => fault.point === point);
  }

  // ---- what is done ------------------------------------------------------------------------------------

  #open(open) {
    if (this.#root.hidden === !open) {
      return;
    }
    this.#root.hidden = !open;
    opener.setAttribute("aria-expanded", open);
    document.body.classList.toggle("breaking", open);
    if (this.#simulated) {
      this.show({ simulated: this.#simulated, layout: this.#view.layout });
    }
    if (open) {
      this.#parts.plug.focus({ preventScroll: true });
      this.#clear();
    } else {
      opener.focus({ preventScroll: true });
    }
  }

  // Where the drawer is a sheet from below, the board goes up, clear of it.
  #clear() {
    if (getComputedStyle(this.#root).position === "fixed") {
      const { all, board } = this.#view.arrangement;
      const { top, height } = stage.getBoundingClientRect();
      scrollBy({ top: top + ((board.y - all.y) / all.height) * height - 4 });
    }
  }

  #choose(name) {
    if (name === undefined || this.#root.hidden || name === this.#point) {
      return;
    }
    this.#point = name;
    this.#watching.show(name);
    this.#fillPoint();
  }

  #pointed({ clientX, clientY }) {
    const drawn = document.getElementById("feel").getScreenCTM().inverse();
    return nearest(this.#view.arrangement, new DOMPoint(clientX, clientY).matrixTransform(drawn), REACH)?.name;
  }

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

  // What cannot be done is told, and the drawer shows again what is.
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

function counted(count) {
  if (count === 0) {
    return say("drawer.broken.none");
  }
  return count === 1 ? say("drawer.broken.one") : say("drawer.broken.many", { count });
}
