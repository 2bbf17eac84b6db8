// The controls for everything that can be broken on a simulated board besides single sensors: each requests
// one fault and its end. Only the board knows which faults there are: a control is an `element`, `show(faults)` and
// `named(fault)`, the words for a fault that is its own.

import { check, part } from "./parts.js";
import { language, say } from "./words.js";

/** @import { Request } from "./connection.js" */

/** @typedef {Protocol.Defect} Defect */
/** @typedef {NonNullable<Protocol.Simulated>} Simulated */
/** @typedef {(request: Request) => unknown} Ask */
/** @typedef {{ element: HTMLElement, show: (faults: Defect[]) => void, named: (fault: Defect) => string | undefined }} Control */

/**
 * An option: its words, the fault or none, and further members of the request for it.
 * @typedef {[string, Defect | null, Defect?]} Choice
 */

const UNITS = { millitesla: "mT", mm: "mm", ms: "ms" };
const ORDERS = /** @type {const} */ ([
  "GRB", "GBR", "RGB", "RBG", "BGR", "BRG",
  "GRBW", "GRWB", "GBRW", "GBWR", "GWRB", "GWBR",
  "RGBW", "RGWB", "RBGW", "RBWG", "RWGB", "RWBG",
  "BGRW", "BGWR", "BRGW", "BRWG", "BWGR", "BWRG",
  "WGRB", "WGBR", "WRGB", "WRBG", "WBGR", "WBRG",
]);
const WIRINGS = /** @type {const} */ (["mirrored", "upside-down", "half-turned", "turned-right", "turned-left"]);
const LINE_KINDS = /** @type {const} */ (["open", "high"]);
const PAIR_KINDS = /** @type {const} */ (["swapped", "shorted"]);
const numbers = new Intl.NumberFormat(language);

/**
 * Return the controls of a board that is `simulated` as described; `ask(request)` sends a request and reports
 * its failure.
 * @param {Simulated} simulated
 * @param {Ask} ask
 * @returns {Control[]}
 */
export function breakables(simulated, ask) {
  /** @type {[string, Control[]][]} */
  const groups = [
    [say("drawer.group.magnets"), magnets(simulated, ask)],
    [say("drawer.group.wires"), wires(simulated, ask)],
    [say("drawer.group.light"), light(simulated, ask)],
    [say("drawer.group.engine"), [opponent(ask)]],
  ];
  if (simulated.button) {
    groups.push([say("drawer.group.button"), [boardButton(ask), flag(say("drawer.care"), { care: "dead" }, ask)]]);
  }
  if (simulated.buzzer) {
    groups.push([say("drawer.group.buzzer"), [boardBuzzer(ask)]]);
  }
  if (simulated.disk) {
    groups.push([say("drawer.group.disk"), [disk(ask)]]);
  }
  return groups.map(([title, controls]) => ({
    element: part(
      "fieldset",
      { className: "group" },
      part("legend", { textContent: title }),
      ...controls.map(({ element }) => element),
    ),
    show: (faults) => controls.forEach((control) => control.show(faults)),
    named: (fault) => controls.map((control) => control.named(fault)).find(Boolean),
  }));
}

/**
 * Return the control for the diode of a matrix at a sensor; `point()` names the sensor.
 * @param {() => string} point
 * @param {Ask} ask
 * @returns {Control}
 */
export function diode(point, ask) {
  /** @type {[string, "open" | "shorted" | "reversed"][]} */
  const states = [
    [say("drawer.diode.open"), "open"],
    [say("drawer.diode.shorted"), "shorted"],
    [say("drawer.diode.reversed"), "reversed"],
  ];
  const select = part("select", {}, ...[say("drawer.fine"), ...states.map(([text]) => text)].map((text) => new Option(text)));
  /** @param {Defect} fault */
  const own = (fault) => fault.diode === point();
  /** @type {Defect[]} */
  let now = [];
  select.addEventListener("change", () => {
    const [, kind] = states[select.selectedIndex - 1] ?? [];
    replace(now.filter(own), kind && { diode: point(), kind }, ask);
  });
  return {
    element: part("label", { className: "choice" }, say("drawer.diode"), select),
    show: (faults) => {
      now = faults;
      const kind = faults.find(own)?.kind;
      select.selectedIndex = states.findIndex(([, state]) => state === kind) + 1;
    },
    named: ({ diode: at, kind }) => at && named(say("drawer.now.diode", { points: [at] }), states.find(([, state]) => state === kind)?.[0]),
  };
}

/**
 * Return the control for a sensor wire that is connected where another's belongs; `point()` names the sensor.
 * @param {string[]} names
 * @param {() => string} point
 * @param {Ask} ask
 * @returns {Control}
 */
export function exchange(names, point, ask) {
  /** @param {Defect} fault */
  const among = ({ wiring }) => Array.isArray(wiring) && wiring.includes(point());
  const select = part("select", {}, ...["–", ...names].map((text) => new Option(text)));
  /** @type {Defect[]} */
  let now = [];
  select.addEventListener("change", () => {
    const name = names[select.selectedIndex - 1];
    replace(now.filter(among), name === undefined ? null : { wiring: [point(), name] }, ask);
  });
  return {
    element: part("label", { className: "choice" }, say("drawer.exchanged"), select),
    show: (faults) => {
      now = faults;
      const { wiring: found } = faults.find(among) ?? {};
      const wiring = Array.isArray(found) ? found : [];
      select.value = wiring[(wiring.indexOf(point()) + 1) % wiring.length] ?? "–";
      for (const option of select.options) {
        option.disabled = option.value === point();
      }
    },
    named: ({ wiring }) => (Array.isArray(wiring) ? say("drawer.now.wires", { points: wiring }) : undefined),
  };
}

/**
 * @param {Simulated} simulated
 * @param {Ask} ask
 */
function magnets({ usual }, ask) {
  return [
    amount(say("drawer.magnets"), { magnets: "field" }, "millitesla", { most: 120, step: 1, usual: usual.millitesla }, ask),
    choice(say("drawer.magnets.all"), ask, ({ magnets: how }) => how !== undefined && how !== "field", [
      [say("drawer.magnets.set"), null],
      [say("drawer.magnets.strong"), { magnets: "strong" }],
      [say("drawer.magnets.weak"), { magnets: "weak" }],
    ]),
    amount(say("drawer.wood"), { wood: "thickness" }, "mm", { most: 20, step: 0.5, usual: usual.mm }, ask),
    amount(say("drawer.bounce"), { contacts: "bounce" }, "ms", { most: 200, step: 1, usual: usual.ms }, ask),
  ];
}

/**
 * @param {Simulated} simulated
 * @param {Ask} ask
 */
function wires(simulated, ask) {
  const { chips, signals, selects, rows, columns } = simulated;
  /** @type {Choice[]} */
  const turned = WIRINGS.map((wiring) => [say(`drawer.wiring.${wiring}`), { wiring }]);
  return [
    ...count(chips).map((number) => {
      const name = selects ? say("drawer.mux", { number }) : say("drawer.chip", { number });
      return flag(name, { mux: number, kind: "dead" }, ask);
    }),
    ...count(signals).map((number) => signal(number, ask)),
    ...(selects ? [selectLines(selects, chips, ask)] : []),
    ...count(rows).map((number) => matrixRow(number, simulated, ask)),
    ...count(columns).map((number) => matrixColumn(number, simulated, ask)),
    choice(say("drawer.wiring"), ask, ({ wiring }) => typeof wiring === "string", [[say("drawer.fine"), null], ...turned]),
  ];
}

/**
 * @param {number} number
 * @param {Ask} ask
 */
function signal(number, ask) {
  return choice(say("drawer.signal", { number }), ask, (fault) => fault.signal === number, [
    [say("drawer.fine"), null],
    [say("drawer.signal.floating"), { signal: number, kind: "floating" }],
    [say("drawer.signal.slow"), { signal: number, kind: "slow" }],
  ]);
}

/**
 * Return the control for a row of a matrix; that of the first row has the faults of two that touch.
 * @param {number} row
 * @param {Simulated} simulated
 * @param {Ask} ask
 */
function matrixRow(row, { rows, columns }, ask) {
  /** @type {Choice[]} */
  const touching = [
    ...count(rows)
      .slice(row + 1)
      .map((number) => /** @type {Choice} */ ([say("drawer.line.row", { number }), { row: [row, number], kind: "touching" }])),
    ...count(columns).map(
      (number) => /** @type {Choice} */ ([say("drawer.line.column", { number }), { row, column: number, kind: "touching" }]),
    ),
  ];
  return choice(say("drawer.row", { number: row }), ask, (fault) => first(fault.row) === row, [
    [say("drawer.fine"), null],
    [say("drawer.line.open"), { row, kind: "open" }],
    [say("drawer.line.grounded"), { row, kind: "grounded" }],
    ...touching,
  ]);
}

/**
 * Return the control for a column of a matrix; that of the first column has the faults of two that touch.
 * @param {number} column
 * @param {Simulated} simulated
 * @param {Ask} ask
 */
function matrixColumn(column, { columns }, ask) {
  /** @type {Choice[]} */
  const touching = count(columns)
    .slice(column + 1)
    .map((number) => [say("drawer.line.column", { number }), { column: [column, number], kind: "touching" }]);
  /** @param {Defect} fault */
  const own = (fault) => fault.row === undefined && first(fault.column) === column;
  return choice(say("drawer.column", { number: column }), ask, own, [
    [say("drawer.fine"), null],
    [say("drawer.line.open"), { column, kind: "open" }],
    [say("drawer.line.grounded"), { column, kind: "grounded" }],
    [say("drawer.line.slow"), { column, kind: "slow" }],
    ...touching,
  ]);
}

/** @param {number | number[] | undefined} numbers */
function first(numbers) {
  return Array.isArray(numbers) ? numbers[0] : numbers;
}

/**
 * Return the faults of the lines that select the sensor which the chips read.
 * @param {number} selects
 * @returns {Choice[]}
 */
function lineFaults(selects) {
  const lines = count(selects);
  /** @type {[number, number][]} */
  const pairs = lines.flatMap((one) => lines.slice(one + 1).map((other) => /** @type {[number, number]} */ ([one, other])));
  const single = LINE_KINDS.flatMap((line) =>
    lines.map((number) => /** @type {Choice} */ ([say(`drawer.select.${line}`, { number }), { select: number, kind: line }])),
  );
  const double = PAIR_KINDS.flatMap((pair) =>
    pairs.map(([number, other]) => {
      const text = say(`drawer.select.${pair}`, { number, other });
      return /** @type {Choice} */ ([text, { select: [number, other], kind: pair }]);
    }),
  );
  return [[say("drawer.fine"), null], ...single, ...double];
}

/**
 * Return the controls for faults of the select lines, and for the chips they affect.
 * @param {number} selects
 * @param {number} chips
 * @param {Ask} ask
 * @returns {Control}
 */
function selectLines(selects, chips, ask) {
  const options = lineFaults(selects);
  const what = part("select", {}, ...options.map(([text]) => new Option(text)));
  const places = [say("drawer.select.everywhere"), ...count(chips).map((number) => say("drawer.select.chip", { number }))];
  const where = part("select", {}, ...places.map((text) => new Option(text)));
  where.setAttribute("aria-label", say("drawer.select.where"));
  /** @type {Defect[]} */
  let now = [];
  /** @param {Defect} fault */
  const own = ({ select }) => select !== undefined;
  const change = () => {
    const fault = options[what.selectedIndex]?.[1];
    const mux = where.selectedIndex ? { mux: where.selectedIndex - 1 } : {};
    replace(now.filter(own), fault && { ...fault, ...(Array.isArray(fault.select) ? {} : mux) }, ask);
  };
  what.addEventListener("change", change);
  where.addEventListener("change", change);
  return {
    element: part("div", { className: "choice" }, part("label", {}, say("drawer.select"), what), where),
    show: (faults) => {
      now = faults;
      const fault = faults.find(own);
      what.selectedIndex = fault ? options.findIndex(([, option]) => option && within(option, fault)) : 0;
      where.selectedIndex = (fault?.mux ?? -1) + 1;
      where.disabled = typeof fault?.select !== "number"; // a fault of two lines affects all chips
    },
    named: (fault) => {
      const how = own(fault) && options.find(([, option]) => option && within(option, fault))?.[0];
      return how ? [named(say("drawer.select"), how), fault.mux === undefined ? "" : places[fault.mux + 1]].filter(Boolean).join(" ") : undefined;
    },
  };
}

/**
 * @param {Simulated} simulated
 * @param {Ask} ask
 */
function light({ lights }, ask) {
  /** @type {Choice[]} */
  const broken = count(lights).map((led) => [say("drawer.leds.before", { number: led }), { leds: "broken", led }]);
  /** @type {Choice[]} */
  const orders = ORDERS.map((order) => [order, { leds: "colours", order }]);
  return [
    flag(say("drawer.leds"), { leds: "unplugged" }, ask),
    flag(say("drawer.leds.reversed"), { leds: "reversed" }, ask),
    flag(say("drawer.leds.first"), { leds: "first-green" }, ask),
    choice(say("drawer.leds.broken"), ask, ({ leds }) => leds === "broken", [[say("drawer.fine"), null], ...broken]),
    choice(say("drawer.leds.order"), ask, ({ leds }) => leds === "colours", [[say("drawer.fine"), null], ...orders]),
    flag(say("drawer.supply"), { supply: "sags" }, ask),
  ];
}

/** @param {Ask} ask */
function opponent(ask) {
  return choice(say("drawer.engine"), ask, ({ engine }) => engine !== undefined, [
    [say("drawer.fine"), null],
    [say("drawer.engine.dead"), { engine: "dead" }],
    [say("drawer.engine.hangs"), { engine: "hangs" }],
    [say("drawer.engine.lies"), { engine: "lies" }],
    [say("drawer.engine.floods"), { engine: "floods" }],
  ]);
}

/** @param {Ask} ask */
function boardButton(ask) {
  /** @type {Choice[]} */
  const options = [
    [say("drawer.fine"), null],
    [say("drawer.button.stuck"), { button: "stuck" }],
    [say("drawer.button.open"), { button: "open" }],
    [say("drawer.button.bounces"), { button: "bounces", ms: 30 }],
  ];
  return choice(say("drawer.button"), ask, ({ button }) => button !== undefined, options, say("drawer.group.button"));
}

/** @param {Ask} ask */
function boardBuzzer(ask) {
  /** @type {Choice[]} */
  const options = [
    [say("drawer.fine"), null],
    [say("drawer.buzzer.open"), { buzzer: "open" }],
    [say("drawer.buzzer.stuck"), { buzzer: "stuck" }],
  ];
  return choice(say("drawer.buzzer"), ask, ({ buzzer }) => buzzer !== undefined, options, say("drawer.group.buzzer"));
}

/** @param {Ask} ask */
function disk(ask) {
  return choice(say("drawer.disk"), ask, (fault) => fault.disk !== undefined, [
    [say("drawer.disk.works"), null],
    [say("drawer.disk.slow"), { disk: "slow" }, { seconds: 0.5 }],
    [say("drawer.disk.full"), { disk: "full" }],
  ]);
}

// ---- controls ------------------------------------------------------------------------------------------

/**
 * Return a slider. While it is moved it only shows the amount; the request is sent on release.
 * @param {string} title
 * @param {Defect} subject
 * @param {keyof typeof UNITS} unit
 * @param {{ most: number, step: number, usual: number }} range
 * @param {Ask} ask
 * @returns {Control}
 */
function amount(title, subject, unit, { most, step, usual }, ask) {
  const slider = part("input", { type: "range", min: "0", max: String(most), step: String(step) });
  const value = part("span", { className: "value" });
  /** @param {number} size */
  const measured = (size) => `${numbers.format(size)} ${UNITS[unit]}`;
  const tell = () => {
    value.textContent = measured(Number(slider.value));
    slider.setAttribute("aria-valuetext", value.textContent);
  };
  slider.addEventListener("input", tell);
  slider.addEventListener("change", () => ask({ fault: { ...subject, [unit]: Number(slider.value) } }));
  return {
    element: part("label", { className: "amount" }, title, value, slider),
    show: (faults) => {
      if (document.activeElement !== slider || !slider.matches(":active")) {
        slider.value = String(faults.find((fault) => within(subject, fault))?.[unit] ?? usual);
        tell();
      }
    },
    named: (fault) => (within(subject, fault) ? named(title, measured(fault[unit] ?? usual)) : undefined),
  };
}

/**
 * @param {string} title
 * @param {Defect} fault
 * @param {Ask} ask
 * @returns {Control}
 */
function flag(title, fault, ask) {
  const { box, label } = check(title, (on) => ask(on ? { fault } : { repair: fault }));
  return {
    element: label,
    show: (faults) => (box.checked = faults.some((other) => within(fault, other))),
    named: (other) => (within(fault, other) ? say("drawer.now.as-broken", { what: title }) : undefined),
  };
}

/**
 * Return a choice of `options`; `own` selects the faults that exclude each other here. `name` is the title without
 * its group.
 * @param {string} title
 * @param {Ask} ask
 * @param {(fault: Defect) => boolean} own
 * @param {Choice[]} options
 * @param {string} [name]
 * @returns {Control}
 */
function choice(title, ask, own, options, name = title) {
  const select = part("select", {}, ...options.map(([text]) => new Option(text)));
  /** @type {Defect[]} */
  let now = [];
  select.addEventListener("change", () => {
    const [, fault, more] = options[select.selectedIndex] ?? [];
    replace(now.filter(own), fault && { ...fault, ...more }, ask);
  });
  return {
    element: part("label", { className: "choice" }, title, select),
    show: (faults) => {
      now = faults;
      const fault = faults.find(own);
      select.selectedIndex = fault ? options.findIndex(([, option]) => option && within(option, fault)) : 0;
    },
    named: (fault) => (own(fault) ? named(name, options.find(([, option]) => option && within(option, fault))?.[0]) : undefined),
  };
}

/**
 * Return the words for a fault of the part `what`, as the choice that breaks it calls it. Requests of other programs
 * may break it in a way that isn't offered here.
 * @param {string} what
 * @param {string | undefined} how
 */
function named(what, how) {
  return how ? say("drawer.now.named", { what, how }) : say("drawer.now.as-broken", { what });
}

/**
 * @param {Defect[]} faults
 * @param {Defect | null | undefined} fault
 * @param {Ask} ask
 */
async function replace(faults, fault, ask) {
  for (const other of faults) {
    await ask({ repair: other });
  }
  if (fault) {
    await ask({ fault });
  }
}

/** @param {number} number */
function count(number) {
  return Array.from({ length: number }, (_, at) => at);
}

/**
 * Return whether `fault` has all members of `wanted`, with the same values.
 * @param {Defect} wanted
 * @param {Defect} fault
 */
function within(wanted, fault) {
  const said = new Map(Object.entries(fault));
  return Object.entries(wanted).every(([key, value]) => JSON.stringify(said.get(key)) === JSON.stringify(value));
}
