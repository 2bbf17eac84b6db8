// The looks of pieces, by the form that the board names for their kind: their only drawing, for wood and for
// paper, in all games. Owners differ by more than colour. An unknown form is a disc.

import { PIECE } from "./geometry.js";
import { svg } from "./svg.js";

/**
 * @typedef {object} Form
 * @property {string} outline
 * @property {Record<Protocol.Player, string[]>} marks
 * @property {number} wide
 * @property {boolean} [bold]
 * @property {boolean} [studs]
 * @property {boolean} [sinks]
 */

const HOLE = 0.62; // of a ring, and a little more than a ball, so that a ball lies in its ring
const BALL = 0.56;
const CROSS = "M -0.07 0 H 0.07 M 0 -0.07 V 0.07";

// `outline` is filled by the even-odd rule, `marks` are drawn on it, with studs for Black if `studs` is true;
// a form that `sinks` lies in the piece beneath it.
/** @type {Form} */
const DISC = { outline: disc(1), marks: { white: [disc(0.72), disc(0.4)], black: [disc(0.72), disc(0.4)] }, wide: 1 };
/** @type {Record<string, Form>} */
const FORMS = {
  disc: DISC,
  ring: { outline: disc(1) + disc(HOLE), marks: { white: [disc(0.81)], black: [disc(0.81)] }, bold: true, studs: true, wide: 1 },
  ball: { outline: disc(BALL), marks: { white: [disc(0.2)], black: [CROSS] }, bold: true, sinks: true, wide: BALL },
};

/**
 * Return the width of a form, relative to a disc.
 * @param {string} form
 */
export const width = (form) => of(form).wide;

/**
 * Return whether a form lies in the piece beneath it, and not on top.
 * @param {string} form
 */
export const sinks = (form) => Boolean(of(form).sinks);

/**
 * Return a form's outline, filled as `look` says.
 * @param {string} form
 * @param {Record<string, string>} look
 */
export function outline(form, look = {}) {
  return svg("path", { d: of(form).outline, "fill-rule": "evenodd", ...look });
}

/**
 * Return the marks on a form that identify its owner.
 * @param {string} form
 * @param {Protocol.Player} player
 */
export function marks(form, player) {
  const { marks: all, bold, studs } = of(form);
  const look = ["ring", player, bold && "mark", studs && "studs"].filter(Boolean).join(" ");
  return all[player].map((d) => svg("path", { d, class: look }));
}

/** @param {string} form */
const of = (form) => FORMS[form] ?? DISC;

/** @param {number} part */
function disc(part) {
  const r = part * PIECE;
  return `M ${-r} 0 A ${r} ${r} 0 1 0 ${r} 0 A ${r} ${r} 0 1 0 ${-r} 0 Z`;
}
