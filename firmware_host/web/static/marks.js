// The shapes of the lights: they differ without their colours, and at their dimmest. A rim
// stands on a dark one, since wood in the glow of its own light is nearly as bright as the light.
//
// Invariants: marks follow from cues, whatever colour the LED has now; they move in style sheets alone, so that
// nothing runs where people have asked for less motion.

import { present } from "./required.js";
import { place, svg } from "./svg.js";

/** @import { Arrangement, Spot } from "./geometry.js" */

/** @typedef {Protocol.Snapshot["state"]} State */
/** @typedef {{ shape: keyof typeof SHAPES, colour: string }} Look */

// The order of PRIORITY in lights/cues.py.
const ORDER = [
  "broken", "going-off", "own-wifi", "sure", "white", "black", "asked", "ask", "wrong", "extra", "missing", "unclear",
  "take-back", "clear", "hint", "hint-wins", "hint-draws", "hint-loses", "suggested", "removable", "relocatable", "lifted", "mill",
  "destination", "movable", "winner", "last-move", "goal", "resting",
];

const DARK = "#1d0d04";
const SKY = "#8fd4ff";
const YELLOW = "#f7e64a";

/** @type {Record<string, { shape: keyof typeof SHAPES, colours: [string, string] }>} */
const LOOKS = {
  destination: { shape: "free", colours: [SKY, YELLOW] },
  movable: { shape: "around", colours: [SKY, YELLOW] },
  removable: { shape: "pieces", colours: ["#ffc3b0", "#ffc3b0"] },
  relocatable: { shape: "pieces", colours: ["#ffc3b0", "#ffc3b0"] },
  hint: { shape: "lift", colours: ["#e3c4ff", "#e3c4ff"] },
  "hint-wins": { shape: "wins", colours: ["#4de0b0", "#4de0b0"] },
  "hint-draws": { shape: "draws", colours: [YELLOW, YELLOW] },
  "hint-loses": { shape: "loses", colours: ["#f9bfe2", "#f9bfe2"] },
  suggested: { shape: "suggested", colours: ["#e3c4ff", "#e3c4ff"] },
  mill: { shape: "mill", colours: ["#ffffff", "#ffffff"] },
  winner: { shape: "around", colours: [YELLOW, YELLOW] },
  "last-move": { shape: "past", colours: ["#f7ead0", "#f7ead0"] },
  lifted: { shape: "lifted", colours: ["#ffffff", "#ffffff"] },
  missing: { shape: "missing", colours: [YELLOW, YELLOW] },
  extra: { shape: "extra", colours: ["#ffbfae", "#ffbfae"] },
  wrong: { shape: "wrong", colours: ["#f9bfe2", "#f9bfe2"] },
  unclear: { shape: "unclear", colours: ["#8ff0d0", "#8ff0d0"] },
  "take-back": { shape: "dashed", colours: ["#ffffff", "#ffffff"] },
  clear: { shape: "dashed", colours: ["#ffffff", "#ffffff"] },
  ask: { shape: "free", colours: ["#ffffff", "#ffffff"] },
  asked: { shape: "past", colours: ["#f7ead0", "#f7ead0"] },
  sure: { shape: "pieces", colours: ["#f9bfe2", "#f9bfe2"] },
  white: { shape: "free", colours: [SKY, SKY] },
  black: { shape: "free", colours: [YELLOW, YELLOW] },
  "going-off": { shape: "free", colours: ["#ffffff", "#ffffff"] },
  "own-wifi": { shape: "free", colours: [SKY, SKY] },
  resting: { shape: "past", colours: [SKY, YELLOW] },
  goal: { shape: "goal", colours: ["#b4f09a", "#b4f09a"] },
};
const ASKS = ["ask", "white", "black"]; // also where a piece stands, which is touched by lifting it
const LANDING = /** @type {const} */ ({ shape: "free", colour: YELLOW }); // where a piece of the board's turn goes

// One hue for themes that have one: they are chosen for it.
/** @type {Record<string, string>} */
const OF_THEME = { candle: "#ffdf9e", contrast: "#ffffff" };

const SHAPES = {
  /** @param {string} colour */
  free: (colour) => [...rim(colour, 0.235, 0.085), svg("circle", { r: 0.12, fill: colour })],
  /** @param {string} colour */
  around: (colour) => rim(colour, 0.43, 0.075),
  /** @param {string} colour */
  pieces: (colour) => rim(colour, 0.46, 0.11, "0.6 0.1226"),
  /** @param {string} colour */
  lift: (colour) => rim(colour, 0.46, 0.11),
  /** @param {string} colour */
  wins: (colour) => disc(colour, "M-.1 .01L-.03 .09L.11 -.09"),
  /** @param {string} colour */
  draws: (colour) => disc(colour, "M-.1 -.05H.1M-.1 .06H.1"),
  /** @param {string} colour */
  loses: (colour) => disc(colour, "M-.085 -.085L.085 .085M.085 -.085L-.085 .085"),
  /** @param {string} colour */
  suggested: (colour) => disc(colour, "M-.07 -.06A.07 .07 0 1 1 .02 .01Q0 .03 0 .06M0 .12V.13"),
  /** @param {string} colour */
  mill: (colour) => rim(colour, 0.41, 0.05),
  /** @param {string} colour */
  past: (colour) => [svg("circle", { class: "past", r: 0.41, stroke: colour })],
  /** @param {string} colour */
  lifted: (colour) => rim(colour, 0.24, 0.045, "0.06 0.06"),
  /** @param {string} colour */
  missing: (colour) => [...rim(colour, 0.38, 0.085, "0.17 0.13"), ...sign(colour, "M0 -.15V.03M0 .13V.14")],
  /** @param {string} colour */
  extra: (colour) => [...rim(colour, 0.46, 0.08, "0.16 0.09"), ...sign(colour, "M-.1 -.1L.1 .1M.1 -.1L-.1 .1")],
  /** @param {string} colour */
  wrong: (colour) => [...rim(colour, 0.46, 0.08, "0.16 0.09"), ...sign(colour, "M-.13 -.06H.12L.05 -.13M.13 .06H-.12L-.05 .13")],
  /** @param {string} colour */
  unclear: (colour) => rim(colour, 0.45, 0.085, "1.1 0.3137"),
  /** @param {string} colour */
  dashed: (colour) => rim(colour, 0.43, 0.06, "0.1 0.08"),
  /** @param {string} colour */
  goal: (colour) => rim(colour, 0.3, 0.04),
};

/** @type {(keyof typeof SHAPES)[]} */
const ABOVE = ["wins", "draws", "loses", "suggested"];
/** @type {(keyof typeof SHAPES)[]} */
const AROUND = ["around", "pieces", "lift", "mill", "past", "extra", "wrong", "unclear", "dashed"];

export class Marks {
  /** @type {Map<string, SVGElement>} */
  #places = new Map();
  /** @type {Map<string, string>} */
  #shown = new Map();
  #ways = svg("g", { class: "ways" });
  #points;
  #below = svg("g", { class: "marks" }, this.#ways);
  #above;

  /**
   * Marks of free points are drawn `below` the pieces, the others `above`, where no shadow falls on them.
   * @param {SVGElement} below
   * @param {SVGElement} above
   * @param {Arrangement} arrangement
   */
  constructor(below, above, { points }) {
    this.#points = points;
    this.#above = above;
    above.replaceChildren();
    for (const [name, point] of points) {
      const mark = svg("g", { "data-mark": name });
      place(mark, point);
      this.#below.append(mark);
      this.#places.set(name, mark);
    }
    below.append(this.#below);
  }

  /**
   * Mark the points of a state by the meaning of their light.
   * @param {State} state
   * @param {Protocol.Layout} layout
   */
  show(state, layout) {
    for (const [name, element] of this.#places) {
      const look = lookOf(state, name);
      const drawn = look ? `${look.shape} ${look.colour}` : "";
      if (this.#shown.get(name) !== drawn) {
        this.#shown.set(name, drawn);
        (look && [...ABOVE, ...AROUND].includes(look.shape) ? this.#above : this.#below).append(element);
        element.setAttribute("class", look ? `mark-${look.shape}` : "");
        element.replaceChildren(...(look ? SHAPES[look.shape](look.colour) : []));
      }
    }
    this.#joinMills(state, layout);
  }

  /**
   * Draw the line of each mill that is lit.
   * @param {State} state
   * @param {Protocol.Layout} layout
   */
  #joinMills({ cues }, { lines }) {
    const closed = lines.filter((line) => line.every((name) => cues[name]?.includes("mill")));
    const drawn = JSON.stringify(closed);
    if (this.#shown.get("ways") === drawn) {
      return;
    }
    this.#shown.set("ways", drawn);
    const ways = closed.flatMap((line) => {
      const spots = line.flatMap((name) => this.#points.get(name) ?? []);
      const d = spots.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join("");
      return [svg("path", { class: "under", d, stroke: DARK }), svg("path", { class: "way", d, stroke: "#ffffff" })];
    });
    this.#ways.replaceChildren(...ways);
  }
}

/**
 * Return the meaning that the light of a point shows, if it has any.
 * @param {State} state
 * @param {string} name
 */
export function meaningAt({ cues }, name) {
  const meanings = cues[name] ?? [];
  return ORDER.find((one) => meanings.includes(/** @type {typeof meanings[number]} */ (one)));
}

/**
 * Return the look of the lights with a meaning, and the piece there, as the first of them is drawn.
 * @param {string} cue
 * @param {State} state
 */
export function lookNow(cue, state) {
  const name = Object.keys(state.cues).find((each) => meaningAt(state, each) === cue);
  return name === undefined ? undefined : { look: lookOf(state, name), kind: state.standing[name] };
}

/**
 * Return the look of the light at a point, or undefined if none is on.
 * @param {State} state
 * @param {string} name
 * @returns {Look | undefined}
 */
function lookOf(state, name) {
  const cue = meaningAt(state, name);
  if (cue === "hint" && !state.standing[name]) {
    return { ...LANDING, colour: OF_THEME[state.settings.theme] ?? LANDING.colour };
  }
  const look = cue === undefined ? undefined : lookFor(cue, state);
  return look && cue && ASKS.includes(cue) && state.standing[name] ? { ...look, shape: "around" } : look;
}

/**
 * @param {string} cue
 * @param {State} state
 * @returns {Look | undefined}
 */
function lookFor(cue, { to_move: player, settings }) {
  const look = LOOKS[cue];
  return look && { shape: look.shape, colour: OF_THEME[settings.theme] ?? look.colours[player === "white" ? 0 : 1] };
}

/**
 * Return a drawing of the light with this meaning, for a legend: on a piece if it surrounds one.
 * @param {string} cue
 * @param {State} state
 */
export function swatch(cue, state) {
  const { look, kind } = lookNow(cue, state) ?? {};
  const piece = svg("circle", { r: 0.33, fill: kind?.startsWith("black") ? "#241b16" : "#efdfbf" });
  return svg(
    "svg",
    { viewBox: "-0.6 -0.6 1.2 1.2", class: `swatch mark-${look?.shape ?? "none"}`, "aria-hidden": "true" },
    ...(look && AROUND.includes(look.shape) ? [piece] : []),
    ...(look ? SHAPES[look.shape](look.colour) : []),
  );
}

/**
 * Return the parts of the sign for how a turn ends by best play, as the lights of hints have it.
 * @param {"hint-wins" | "hint-draws" | "hint-loses"} cue
 */
export function signOf(cue) {
  const { shape, colours } = present(LOOKS[cue]);
  return SHAPES[shape](colours[0]);
}

/**
 * A ring in a colour on a wider dark one; with `dashes`, in pieces.
 * @param {string} colour
 * @param {number} r
 * @param {number} width
 * @param {string} [dashes]
 */
function rim(colour, r, width, dashes) {
  return [
    svg("circle", { class: "dark", r, stroke: DARK, "stroke-width": width + 0.075 }),
    svg("circle", { class: "bright", r, stroke: colour, "stroke-width": width, ...(dashes ? { "stroke-dasharray": dashes } : {}) }),
  ];
}

/**
 * A disc that bears a sign: on a piece or on a free point.
 * @param {string} colour
 * @param {string} d
 */
function disc(colour, d) {
  return [
    svg("circle", { class: "disc", r: 0.21, fill: colour, stroke: DARK, "stroke-width": 0.05 }),
    svg("path", { class: "sign", d, stroke: DARK }),
  ];
}

/**
 * A sign on a wider dark one, to be seen on a white piece and on a bright light.
 * @param {string} colour
 * @param {string} d
 */
function sign(colour, d) {
  return [svg("path", { class: "sign below", d, stroke: DARK }), svg("path", { class: "sign", d, stroke: colour })];
}
