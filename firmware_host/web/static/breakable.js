// All that can be broken on a simulated board besides single sensors: for each fault a control that asks for it
// and for its end. What is broken, only the board says: a control is an `element` and `show(faults)`.

import { check, part } from "./parts.js";
import { language, say } from "./words.js";

const UNITS = { millitesla: "mT", mm: "mm", ms: "ms" };
const ORDERS = ["GRB", "RGB", "GRBW", "RGBW"];
const WIRINGS = ["mirrored", "upside-down", "half-turned", "turned-right", "turned-left"];
const LINE_KINDS = ["open", "high"];
const PAIR_KINDS = ["swapped", "shorted"];
const numbers = new Intl.NumberFormat(language);

/** The controls of a board that is `simulated` so; `ask(request)` asks the board, and complains itself. */
export function breakables(simulated, ask) {
  const groups = [
    [say("drawer.group.magnets"), magnets(simulated, ask)],
    [say("drawer.group.wires"), wires(simulated, ask)],
    [say("drawer.group.light"), light(simulated, ask)],
    ...(simulated.disk ? [[say("drawer.group.disk"), [disk(ask)]]] : []),
  ];
  return groups.map(([title, controls]) => ({
    element: part(
      "fieldset",
      { className: "group" },
      part("legend", { textContent: title }),
      ...controls.map(({ element }) => element),
    ),
    show: (faults) => controls.forEach((control) => control.show(faults)),
  }));
}

/** The wire of a sensor that hangs where another's should; `point()` names the one that is meant. */
export function exchange(names, point, ask) {
  const among = ({ wiring }) => Array.isArray(wiring) && wiring.includes(point());
  const options = [["–", null], ...names.map((name) => [name, (own) => ({ wiring: [own, name] })])];
  const select = part("select", {}, ...options.map(([text]) => new Option(text)));
  let now = [];
  select.addEventListener("change", () => {
    const fault = options[select.selectedIndex][1]?.(point());
    replace(now.filter(among), fault, ask);
  });
  return {
    element: part("label", { className: "choice" }, say("drawer.exchanged"), select),
    show: (faults) => {
      now = faults;
      const wiring = faults.find(among)?.wiring ?? [];
      select.value = wiring[(wiring.indexOf(point()) + 1) % wiring.length] ?? "–";
      for (const option of select.options) {
        option.disabled = option.value === point();
      }
    },
  };
}

function magnets({ usual }, ask) {
  return [
    amount(say("drawer.magnets"), { magnets: "field" }, "millitesla", 120, 1, usual, ask),
    choice(say("drawer.magnets.all"), ask, ({ magnets: how }) => how && how !== "field", [
      [say("drawer.magnets.set"), null],
      [say("drawer.magnets.strong"), { magnets: "strong" }],
      [say("drawer.magnets.weak"), { magnets: "weak" }],
    ]),
    amount(say("drawer.wood"), { wood: "thickness" }, "mm", 20, 0.5, usual, ask),
    amount(say("drawer.bounce"), { contacts: "bounce" }, "ms", 200, 1, usual, ask),
  ];
}

function wires({ chips, signals, selects }, ask) {
  const turned = WIRINGS.map((wiring) => [say(`drawer.wiring.${wiring}`), { wiring }]);
  return [
    ...count(chips).map((number) => flag(say("drawer.chip", { number }), { mux: number, kind: "dead" }, ask)),
    ...count(signals).map((number) => signal(number, ask)),
    ...(selects ? [selectLines(selects, chips, ask)] : []),
    choice(say("drawer.wiring"), ask, ({ wiring }) => typeof wiring === "string", [[say("drawer.fine"), null], ...turned]),
  ];
}

function signal(number, ask) {
  return choice(say("drawer.signal", { number }), ask, (fault) => fault.signal === number, [
    [say("drawer.fine"), null],
    [say("drawer.signal.floating"), { signal: number, kind: "floating" }],
    [say("drawer.signal.slow"), { signal: number, kind: "slow" }],
  ]);
}

// What is wrong with the lines by which chips are told which sensor is meant, and for which of the chips.
function selectLines(selects, chips, ask) {
  const lines = count(selects);
  const pairs = lines.flatMap((one) => lines.slice(one + 1).map((other) => [one, other]));
  const single = LINE_KINDS.flatMap((line) =>
    lines.map((number) => [say(`drawer.select.${line}`, { number }), { select: number, kind: line }]),
  );
  const double = PAIR_KINDS.flatMap((pair) =>
    pairs.map(([number, other]) => [say(`drawer.select.${pair}`, { number, other }), { select: [number, other], kind: pair }]),
  );
  const options = [[say("drawer.fine"), null], ...single, ...double];
  const what = part("select", {}, ...options.map(([text]) => new Option(text)));
  const places = [say("drawer.select.everywhere"), ...count(chips).map((number) => say("drawer.select.chip", { number }))];
  const where = part("select", {}, ...places.map((text) => new Option(text)));
  where.setAttribute("aria-label", say("drawer.select.where"));
  let now = [];
  const own = ({ select }) => select !== undefined;
  const change = () => {
    const fault = options[what.selectedIndex][1];
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
      where.disabled = typeof fault?.select !== "number"; // two lines are wrong for all chips
    },
  };
}

function light({ lights }, ask) {
  const broken = count(lights).map((led) => [say("drawer.leds.before", { number: led }), { leds: "broken", led }]);
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

function disk(ask) {
  return choice(say("drawer.disk"), ask, (fault) => fault.disk, [
    [say("drawer.disk.works"), null],
    [say("drawer.disk.slow"), { disk: "slow" }, { seconds: 0.5 }],
    [say("drawer.disk.full"), { disk: "full" }],
  ]);
}

// ---- controls ------------------------------------------------------------------------------------------

// A slider; while it is moved it only says how far, and the board is asked when it is let go.
function amount(title, subject, unit, most, step, usual, ask) {
  const slider = part("input", { type: "range", min: 0, max: most, step });
  const value = part("span", { className: "value" });
  const tell = () => {
    value.textContent = `${numbers.format(slider.value)} ${UNITS[unit]}`;
    slider.setAttribute("aria-valuetext", value.textContent);
  };
  slider.addEventListener("input", tell);
  slider.addEventListener("change", () => ask({ fault: { ...subject, [unit]: Number(slider.value) } }));
  return {
    element: part("label", { className: "amount" }, title, value, slider),
    show: (faults) => {
      if (document.activeElement !== slider || !slider.matches(":active")) {
        slider.value = faults.find((fault) => within(subject, fault))?.[unit] ?? usual[unit];
        tell();
      }
    },
  };
}

function flag(title, fault, ask) {
  const { box, label } = check(title, (on) => ask(on ? { fault } : { repair: fault }));
  return { element: label, show: (faults) => (box.checked = faults.some((other) => within(fault, other))) };
}

// One of several `options` (words, a fault or null, and what the fault is asked for with besides); `own` knows
// the faults that exclude each other here.
function choice(title, ask, own, options) {
  const select = part("select", {}, ...options.map(([text]) => new Option(text)));
  let now = [];
  select.addEventListener("change", () => {
    const [, fault, more] = options[select.selectedIndex];
    replace(now.filter(own), fault && { ...fault, ...more }, ask);
  });
  return {
    element: part("label", { className: "choice" }, title, select),
    show: (faults) => {
      now = faults;
      const fault = faults.find(own);
      select.selectedIndex = fault ? options.findIndex(([, option]) => option && within(option, fault)) : 0;
    },
  };
}

async function replace(faults, fault, ask) {
  for (const other of faults) {
    await ask({ repair: other });
  }
  if (fault) {
    await ask({ fault });
  }
}

function count(number) {
  return Array.from({ length: number }, (_, at) => at);
}

// Whether all that `wanted` says is said of `fault`, too.
function within(wanted, fault) {
  return Object.entries(wanted).every(([key, value]) => JSON.stringify(fault[key]) === JSON.stringify(value));
}
