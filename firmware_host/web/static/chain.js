// A hardware form as a drawing: its parts in a row, from the sensors to the Pi, each with how many there are.

import { svg } from "./svg.js";
import { say } from "./words.js";

/** @typedef {Protocol.Answers[number]["parts"]} Parts */

const CELL = 74;
const MIDDLE = CELL / 2;
const BEHIND = 3;
const MOST = 3;
const LONGEST = 4;

/** @type {Record<string, string>} */
const SENSORS = {
  // A glass tube with its two reeds; a case on three legs, with a switch or a slope on it.
  reed: "M20 10h34a7 7 0 0 1 0 14h-34a7 7 0 0 1 0-14zM8 17h30M66 17h-30l12-4",
  hall: "M25 22v-9a12 12 0 0 1 24 0v9zM29 22v9M37 22v9M45 22v9M31 15h4l5-4M41 15h3",
  linear: "M25 22v-9a12 12 0 0 1 24 0v9zM29 22v9M37 22v9M45 22v9M31 18l12-9",
};
const DIODE = "M10 17h19M29 9v16l15-8zM45 9v16M45 17h19";
const CHIP = "M20 7h34v20h-34zM24 7v-4M33 7v-4M41 7v-4M50 7v-4M24 27v4M33 27v4M41 27v4M50 27v4M20 14a3 3 0 0 1 0 6";
const CONTROLLER = "M12 7h44v20h-44zM56 12h8v10h-8zM17 10.5h34M17 23.5h34M30 14h10v6h-10z";
const PI = "M12 5h50v24h-50zM16 9h42M16 12h42M22 17h9v8h-9zM52 17h10v3h-10zM52 22h10v3h-10z";

/**
 * Return the drawing of a chain of parts.
 * @param {Parts} parts
 */
export function drawChain(parts) {
  const cells = parts.map(({ count, name: sensor }) =>
    cell(count, shape(sensor), sensor in SENSORS ? say(`setup.part.${sensor}`) : sensor),
  );
  cells.push(cell(1, PI, "Pi"));
  const width = CELL * Math.max(LONGEST, cells.length);
  const drawing = svg("svg", { viewBox: `0 0 ${width} 62`, class: "chain" });
  cells.forEach((one, at) => {
    one.setAttribute("transform", `translate(${at * CELL} 0)`);
    drawing.append(one);
  });
  for (let at = 1; at < cells.length; at += 1) {
    drawing.append(svg("path", { d: `M${at * CELL - 5} 17h10m-3-3l3 3l-3 3`, class: "leads" }));
  }
  return drawing;
}

/** @param {string} name */
function shape(name) {
  return SENSORS[name] ?? (name.startsWith("1N") ? DIODE : /Nano|Pico/.test(name) ? CONTROLLER : CHIP);
}

/**
 * Return one part, with others behind it if there are several.
 * @param {number} count
 * @param {string} d
 * @param {string} text
 */
function cell(count, d, text) {
  const shown = Math.min(count, MOST);
  const shapes = Array.from({ length: shown }, (_, n) => svg("path", { d, transform: `translate(${(shown - 1 - n) * BEHIND - BEHIND} ${(n - shown + 1) * -BEHIND})` }));
  const words = count > 1 ? [`${count} ×`, text] : [text];
  return svg("g", {}, ...shapes, ...words.map((line, at) => svg("text", { x: MIDDLE, y: 47 + 11 * at }, line)));
}
