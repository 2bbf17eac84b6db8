// The drawer of a simulated board: all that can be broken on it and is mended again, what the sensors feel of
// it, and the session as a script. What is broken, only the board says; every page shows the same.

import { nearest } from "./geometry.js";
import { of, Overlay } from "./overlay.js";
import { language, say } from "./words.js";

const KINDS = ["stuck-on", "stuck-off", "chatter", "weak", "faint", "wrong-pole"];
const UNITS = { millitesla: "mT", mm: "mm", ms: "ms" };
const SLOW = { disk: "slow", seconds: 0.5 };
const FULL = { disk: "full" };
const UNPLUGGED = { leds: "unplugged" };
const FILE = "millwright-session.jsonl";

const stage = document.getElementById("stage");
const opener = document.getElementById("break");
const numbers = new Intl.NumberFormat(language);

const REACH = 0.5; // how near to a point one has to click

export class Drawer {
  #connection;
  #view;
  #root = document.getElementById("drawer");
  #overlay = new Overlay(document.getElementById("feel"));
  #simulated;
  #felt = null;
  #point = "";
  #parts;

  /** `view` has the page's `arrangement` as it is now, and can `complain(error)`. */
  constructor(connection, view) {
    this.#connection = connection;
    this.#view = view;
    this.#root.addEventListener("keydown", ({ key }) => key === "Escape" && this.#open(false));
    stage.addEventListener("pointerdown", (event) => this.#choose(this.#pointed(event)));
    stage.addEventListener("focusin", ({ target }) => this.#choose(target.dataset.point));
    connection.addEventListener("sensors", ({ detail }) => this.#feel(detail));
    connection.addEventListener("found", () => this.#watch());
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
    this.#overlay.arrange(this.#view.arrangement);
    this.#overlay.choose(this.#root.hidden ? "" : this.#point);
    this.#overlay.show(this.#felt, this.#kind);
    if (!this.#root.hidden) {
      this.#build(layout);
      this.#fill();
    }
  }

  // ---- what is in it -----------------------------------------------------------------------------------

  #build({ points }) {
    const made = JSON.stringify([Object.keys(points), this.#simulated.chips, this.#simulated.disk]);
    if (this.#parts?.made === made) {
      return;
    }
    this.#parts = { made, amounts: [], switches: [] };
    const close = button(say("drawer.close"), () => this.#open(false));
    const all = [
      ...this.#deeds(),
      this.#watching(),
      this.#sensor(Object.keys(points)),
      ...this.#amounts(),
      this.#switches(),
      ...this.#disk(),
    ];
    this.#root.replaceChildren(
      part("header", {}, part("h2", { textContent: say("drawer.title") }), close),
      part("div", { className: "all" }, ...all),
    );
  }

  #deeds() {
    const count = part("p", { className: "count" });
    count.setAttribute("role", "status");
    const repair = button(say("drawer.repair"), () => this.#ask({ repair: true }));
    const plug = button("", () => this.#ask({ power: this.#simulated.power ? "off" : "on" }));
    const save = button(say("drawer.save"), () => this.#save());
    Object.assign(this.#parts, { count, repair, plug });
    return [count, part("div", { className: "deeds" }, repair, plug, save)];
  }

  #watching() {
    this.#parts.watch = check(say("drawer.feel"), () => this.#watch());
    this.#parts.watch.box.checked = this.#felt !== null;
    this.#parts.legend = part("ul", { className: "legend" }, ...legend());
    return part("div", {}, this.#parts.watch.label, this.#parts.legend);
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
    this.#parts.select = select;
    this.#parts.reads = part("p", { className: "reads" });
    this.#parts.kinds = part("fieldset", {}, part("legend", { textContent: say("drawer.kinds") }), ...kinds);
    const label = part("label", { htmlFor: select.id, textContent: say("drawer.point") });
    return part("div", { className: "sensor" }, label, select, this.#parts.reads, this.#parts.kinds);
  }

  #amounts() {
    const made = [
      this.#amount(say("drawer.magnets"), { magnets: "field" }, "millitesla", 120, 1),
      this.#amount(say("drawer.wood"), { wood: "thickness" }, "mm", 20, 0.5),
      this.#amount(say("drawer.bounce"), { contacts: "bounce" }, "ms", 200, 1),
    ];
    this.#parts.amounts = made;
    return made.map(({ label }) => label);
  }

  // A slider; while it is moved it only says how far, and the board is asked when it is let go.
  #amount(title, subject, unit, most, step) {
    const slider = part("input", { type: "range", min: 0, max: most, step });
    const value = part("span", { className: "value" });
    const write = () => {
      value.textContent = `${numbers.format(slider.value)} ${UNITS[unit]}`;
      slider.setAttribute("aria-valuetext", value.textContent);
    };
    slider.addEventListener("input", write);
    slider.addEventListener("change", () => this.#ask({ fault: { ...subject, [unit]: Number(slider.value) } }));
    return { label: part("label", { className: "amount" }, title, value, slider), slider, subject, unit, write };
  }

  #switches() {
    const chips = Array.from({ length: this.#simulated.chips }, (_, number) => [
      say("drawer.chip", { number }),
      { mux: number, kind: "dead" },
    ]);
    this.#parts.switches = [...chips, [say("drawer.leds"), UNPLUGGED]].map(([title, fault]) => ({
      fault,
      ...check(title, (on) => this.#ask(on ? { fault } : { repair: fault })),
    }));
    return part("div", { className: "switches" }, ...this.#parts.switches.map(({ label }) => label));
  }

  #disk() {
    if (!this.#simulated.disk) {
      return [];
    }
    const texts = [say("drawer.disk.works"), say("drawer.disk.slow"), say("drawer.disk.full")];
    const select = part("select", {}, ...texts.map((text, at) => new Option(text, at)));
    select.addEventListener("change", () => this.#breakDisk([null, SLOW, FULL][select.value]));
    this.#parts.disk = select;
    return [part("label", { className: "disk" }, say("drawer.disk"), select)];
  }

  // ---- what the board says -----------------------------------------------------------------------------

  #fill() {
    const { power, faults, usual } = this.#simulated;
    const { plug, count, amounts, switches, disk, repair } = this.#parts;
    write(plug, power ? say("drawer.power.off") : say("drawer.power.on"));
    plug.classList.toggle("due", !power);
    write(count, counted(faults.length));
    repair.disabled = faults.length === 0;
    for (const { slider, subject, unit, write: told } of amounts) {
      const set = faults.find((fault) => within(subject, fault));
      if (document.activeElement !== slider || !slider.matches(":active")) {
        slider.value = set?.[unit] ?? usual[unit];
        told();
      }
    }
    for (const { box, fault } of switches) {
      box.checked = faults.some((other) => within(fault, other));
    }
    if (disk) {
      const at = [FULL, { disk: "slow" }].findIndex((fault) => faults.some((other) => within(fault, other)));
      disk.value = [2, 1][at] ?? 0;
    }
    this.#fillPoint();
  }

  #fillPoint() {
    const { select, kinds } = this.#parts;
    select.value = this.#point;
    kinds.disabled = !this.#point;
    const fault = this.#faultAt(this.#point);
    for (const box of kinds.querySelectorAll("input")) {
      box.checked = this.#point !== "" && box.value === (fault?.kind ?? "works");
    }
    this.#read();
  }

  #read() {
    const { reads, legend } = this.#parts;
    legend.hidden = !this.#watches;
    if (!this.#point || !this.#felt) {
      write(reads, this.#point ? "" : say("drawer.choose"));
      return;
    }
    const { raw: now, believed: lasts, flickers: count, level, led } = of(this.#felt, this.#point);
    const raw = this.#told(now);
    const believed = this.#told(lasts);
    const texts = [say("drawer.says", { raw, believed, count })];
    texts.push(level === undefined ? "" : say("drawer.level", { level }));
    texts.push(led ? say("drawer.led", { led }) : say("drawer.led.dark"));
    write(reads, texts.filter(Boolean).join(" "));
  }

  #told(reading) {
    const seen = this.#kind(reading);
    return say(`drawer.reads.${seen}`);
  }

  // What a reading stands for: with polarity whose piece it is.
  #kind = (reading) => {
    const kinds = this.#simulated.alphabet === "polarity" ? ["nothing", "white", "black"] : ["nothing", "piece"];
    return kinds[reading];
  };

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
    this.#overlay.choose(name);
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

  async #breakDisk(fault) {
    for (const other of this.#simulated.faults.filter(({ disk }) => disk)) {
      await this.#ask({ repair: other });
    }
    if (fault) {
      await this.#ask({ fault });
    }
  }

  get #watches() {
    return this.#parts?.watch.box.checked ?? false;
  }

  async #watch() {
    if (!this.#parts) {
      return;
    }
    await this.#ask({ watch: this.#watches });
    if (!this.#watches) {
      this.#feel(null);
    }
  }

  #feel(felt) {
    this.#felt = this.#watches ? felt : null;
    this.#overlay.show(this.#felt, this.#kind);
    this.#read();
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

function legend() {
  return [
    ["raw", "□", say("drawer.legend.raw")],
    ["believed", "○", say("drawer.legend.believed")],
    ["masked", "✕", say("drawer.legend.masked")],
    ["flickers", "×3", say("drawer.legend.flickers")],
    ["sent", "■", say("drawer.legend.sent")],
  ].map(([name, sign, text]) => {
    const shown = part("b", { className: name, textContent: sign });
    shown.setAttribute("aria-hidden", "true");
    return part("li", {}, shown, text);
  });
}

// Whether all that `wanted` says is said of `fault`, too.
function within(wanted, fault) {
  return Object.entries(wanted).every(([key, value]) => fault[key] === value);
}

function check(title, change) {
  const box = part("input", { type: "checkbox" });
  box.addEventListener("change", () => change(box.checked));
  return { box, label: part("label", { className: "switch" }, box, title) };
}

function button(text, press) {
  const made = part("button", { type: "button", textContent: text });
  made.addEventListener("click", press);
  return made;
}

function part(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Only changes are written: a screen reader speaks of every one.
function write(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}
