// Three stories of what can go wrong with a board, each begun by one click, and what is broken now, with what the
// board makes of it.

import { button, part } from "./parts.js";
import { present } from "./required.js";
import { say } from "./words.js";

/** @import { Defect } from "./breakable.js" */
/** @import { Request } from "./connection.js" */

/** @typedef {(fault: Defect) => string | undefined} Named */
/** @typedef {Pick<Protocol.Snapshot, "state" | "table" | "layout" | "simulated">} Shown */

/** The ways in which a sensor can be broken. */
export const SENSOR_KINDS = /** @type {const} */ (["stuck-on", "stuck-off", "chatter", "weak", "faint", "wrong-pole"]);

const LISTED = 3; // faults with buttons of their own

/**
 * Return the buttons of the stories. `shown()` is the present snapshot, `ask(request)` sends a request.
 * @param {() => Shown | undefined} shown
 * @param {(request: Request) => unknown} ask
 */
export function stories(shown, ask) {
  return part(
    "div",
    { className: "stories" },
    story(say("drawer.story.stuck"), say("drawer.story.stuck-then"), () => {
      const [point] = free(shown());
      return point && ask({ fault: { point, kind: "stuck-on" } });
    }),
    story(say("drawer.story.plug"), say("drawer.story.plug-then"), () => ask({ power: shown()?.simulated?.power ? "off" : "on" })),
    story(say("drawer.story.wires"), say("drawer.story.wires-then"), () => {
      const wiring = free(shown()).slice(0, 2);
      return wiring.length === 2 && ask({ fault: { wiring } });
    }),
  );
}

/**
 * Return a card for each fault with a button of its own that ends it; of a sensor also one to play without it.
 * `named(fault)` has the words of the control that breaks it.
 * @param {Shown} shown
 * @param {Named} named
 * @param {(request: Request) => unknown} ask
 */
export function brokenNow(shown, named, ask) {
  const faults = shown.simulated?.faults ?? [];
  return faults.slice(0, LISTED).map((fault) => {
    const { point } = fault;
    const deeds = [button(say("drawer.mend"), () => ask({ repair: fault }))];
    if (point && !shown.state.masked.includes(point)) {
      deeds.push(button(say("drawer.without", { points: [point] }), () => ask({ do: "mask", point })));
    }
    return part(
      "div",
      { className: "broken" },
      part("p", {}, described(fault, named), " ", takenFor(fault, shown)),
      part("div", { className: "deeds" }, ...deeds),
    );
  });
}

/**
 * @param {string} title
 * @param {string} then
 * @param {() => unknown} tell
 */
function story(title, then, tell) {
  const made = button("", tell);
  made.append(part("b", { textContent: title }), part("small", { textContent: then }));
  return made;
}

/**
 * Return the points on which nothing stands, those in the middle of a line first.
 * @param {Shown | undefined} shown
 */
function free(shown) {
  const { layout, state, simulated } = shown ?? {};
  const broken = new Set(simulated?.faults.flatMap(({ point, wiring }) => [point, ...(Array.isArray(wiring) ? wiring : [])]));
  const names = layout ? [...new Set([...layout.lines.map((line) => line[1]), ...Object.keys(layout.points)])] : [];
  return names.flatMap((name) => (name && !state?.standing[name] && !broken.has(name) ? name : []));
}

/**
 * @param {Defect} fault
 * @param {Named} named
 */
function described(fault, named) {
  const { point, kind } = fault;
  if (point) {
    const broken = present(SENSOR_KINDS.find((one) => one === kind));
    return say(`drawer.now.${broken}`, { points: [point] });
  }
  return named(fault) ?? say("drawer.broken.one");
}

/**
 * Return what the board takes a stuck sensor for: a turn, or a piece that does not belong there.
 * @param {Defect} fault
 * @param {Shown} shown
 */
function takenFor({ point, kind }, { state, table }) {
  if (!point || kind !== "stuck-on" || table?.pieces.some(({ at }) => at === point)) {
    return "";
  }
  const [step] = (state.turns.at(-1) ?? "").split("x");
  if (step === point || step?.endsWith(`-${point}`)) {
    const isOver = state.status !== "remove";
    const white = isOver === (state.to_move === "black");
    return white ? say("drawer.taken-for.white") : say("drawer.taken-for.black");
  }
  return state.extra.includes(point) ? say("drawer.taken-for.extra") : "";
}
