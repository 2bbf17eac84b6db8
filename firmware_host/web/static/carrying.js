// Carrying out a turn for the player whose hands are elsewhere: the steps of a turn's text, and the requests that do
// them. The texts are those of all games: `d6-d5xa1` as well as `+b2 a1^c3/b2-d4`.

import { kindsOf } from "./geometry.js";
import { present } from "./required.js";

/** @import { Request } from "./connection.js" */

/**
 * A step of a turn: where a piece comes from, unless it is laid, and where it goes, unless it is taken. The piece is
 * `flat` if others can stand on it, and may be the `other` player's.
 * @typedef {{ origin: string | undefined, target: string | undefined, flat: boolean, other: boolean }} Step
 */

const STEP = /(?<mark>[+/x]?)(?<first>[a-g]\d)(?:(?<way>[->^])(?<second>[a-g]\d))?/g;

/**
 * Return the steps of a turn that need hands: to decline a removal needs none.
 * @param {string} turn
 * @returns {Step[]}
 */
export function stepsOf(turn) {
  return [...turn.matchAll(STEP)].map(({ groups = {} }) => {
    const { mark = "", first, way, second } = groups;
    const taken = mark === "x";
    return {
      origin: taken || way ? first : undefined,
      target: taken ? undefined : (second ?? first),
      flat: mark === "+" || way === ">",
      other: taken || mark === "/",
    };
  });
}

/**
 * Return the steps that are left of the turn which the board has chosen for itself; none if it has chosen none.
 * @param {Protocol.Snapshot["state"]} state
 */
export function chosenSteps({ said, moves: [turn = ""] }) {
  return /^(board-plays|far)\./.test(said.key) ? stepsOf(turn) : [];
}

/**
 * Return the requests that carry out steps of the player to move. A piece that is in the hands already is not lifted
 * once more.
 * @param {Step[]} steps
 * @param {Protocol.Snapshot} snapshot
 * @returns {Generator<Request, void>}
 */
export function* carriedOut(steps, { state, table, kinds }) {
  const held = (table?.held ?? []).map(({ piece }) => piece);
  for (const { origin, target, flat, other } of steps) {
    const own = kindsOf(kinds, state.to_move);
    const owned = other ? Object.keys(kinds).filter((kind) => !own.includes(kind)) : own;
    const piece = present(owned.find((kind) => kinds[kind]?.flat === flat));
    const at = held.indexOf(piece);
    if (at >= 0) {
      held.splice(at, 1);
    } else if (origin) {
      yield { lift: origin };
    }
    yield target ? { put: target, piece } : { box: true };
  }
}
