// The meaning of a tap or of Enter on a point, from the state of the game, and the reason why a deed is refused.
// Sends nothing and draws nothing.

import { address, sayTo } from "./address.js";
import { stepsOf } from "./carrying.js";
import { PIECE, kindsOf, nearest, stacks } from "./geometry.js";
import { Refusal } from "./notice.js";
import { present } from "./required.js";
import { say } from "./words.js";

/** @import { Arrangement, Spot, Table } from "./geometry.js" */

/** @typedef {Protocol.Snapshot["state"]} State */

/**
 * Return whether the piece of `player` on a point has to leave the board, or may: then it is not picked up.
 * @param {State} state
 * @param {string} name
 * @param {Protocol.Player} player
 */
export function mustLeave(state, name, player) {
  const cues = state.cues[name] ?? [];
  if (cues.includes("removable") || cues.includes("clear")) {
    return true;
  }
  if (state.status === "mismatch") {
    const removes = player !== state.to_move && state.moves.includes(`x${name}`);
    return removes || (cues.includes("extra") && state.missing.length === 0);
  }
  return false;
}

/**
 * Return whether a tap on the piece of a point means the point, and does not pick the piece up: in a game of stacks,
 * where pieces lie on most points, if no step that is due now begins there.
 * @param {State} state
 * @param {Arrangement} arrangement
 * @param {string} name
 */
export function meansPoint({ status, moves }, arrangement, name) {
  return stacks(arrangement) && status === "ready" && moves.length > 0 && !moves.some((turn) => stepsOf(turn)[0]?.origin === name);
}

/**
 * Return the request that does what a tap on a free point means with nothing in the hand. Throws a Refusal
 * that says where to begin if it means nothing.
 * @param {string} name
 * @param {State} state
 * @param {Table} table
 * @param {Protocol.Kinds} kinds
 * @returns {Protocol.Put}
 */
export function deedAt(name, state, { held, box }, kinds) {
  const [inHand] = held.slice(-1);
  if (inHand) {
    return { put: name, piece: inHand.id };
  }
  const placed = settingUp(state, box, kinds);
  if (placed) {
    return { put: name, piece: placed };
  }
  if (!state.moves.some((turn) => turn === name || turn.startsWith(`${name}x`) || turn.startsWith(`+${name}`))) {
    throw refused(name, state, kinds);
  }
  const own = kindsOf(kinds, state.to_move).filter((kind) => (box[kind] ?? 0) > 0);
  return { put: name, piece: present(own.find((kind) => kinds[kind]?.flat) ?? own[0]) };
}

/**
 * Return the kind of piece that a tap puts down while a position is set up: White's first, of those in the box.
 * @param {State} state
 * @param {Table["box"]} box
 * @param {Protocol.Kinds} kinds
 */
function settingUp({ asking }, box, kinds) {
  if (!asking?.question.startsWith("set-up")) {
    return undefined;
  }
  const player = asking.question === "set-up-black" ? "black" : "white";
  return kindsOf(kinds, player).find((kind) => (box[kind] ?? 0) > 0);
}

/**
 * Return why a tap on a free point means nothing, and what to do next.
 * @param {string} name
 * @param {State} state
 * @param {Protocol.Kinds} kinds
 */
function refused(name, state, kinds) {
  const { status, to_move: player, seats } = state;
  if (status === "remove") {
    return new Refusal(sayTo(`wrong.first-take.${player}`, seats), next(state));
  }
  if (["mismatch", "undecided", "taking-back"].includes(status)) {
    return new Refusal(say("tap.first"), next(state));
  }
  if (status !== "ready") {
    return new Refusal(address(state.said, state.sentence, state.seats), advice(state));
  }
  if (seats[player] !== "here") {
    return new Refusal(say("tap.board"), next(state));
  }
  const ringGoes = state.moves.some((turn) => isOfRing(stepsOf(turn)[0], name));
  if (kindsOf(kinds, player).length > 1 && !ringGoes) {
    return notOn(name, state);
  }
  return new Refusal(moves(state) ? sayTo(`tap.move.${player}`, seats) : say("tap.closed", { points: [name] }), next(state));
}

/**
 * Return whether a step moves a ring from another point to this one.
 * @param {ReturnType<typeof stepsOf>[number] | undefined} step
 * @param {string} name
 */
const isOfRing = (step, name) => Boolean(step?.flat && step.origin && step.target === name);

/**
 * Return why a tap means nothing in a game of rings and balls, and what is lit instead.
 * @param {string} name
 * @param {State} state
 */
function notOn(name, state) {
  const due = stepsOf(state.moves[0] ?? "")[0]?.flat ? "ring" : "ball";
  const lit = due === "ring" ? say("tap.choose-lit") : say("tap.then-move");
  const then = state.settings.hints ? lit : address(state.said, state.sentence, state.seats);
  return new Refusal(say(`tap.not-on.${due}`, { points: [name] }), then);
}

/**
 * Return why a tap or a piece beside the points means nothing, and what to do next.
 * @param {State | undefined} state
 */
export const noSensor = (state) => new Refusal(say("wrong.between"), state ? next(state) : choice(state));

/**
 * Return what to do next: what the board itself says if it waits for something other than a turn of hands.
 * @param {State} state
 */
function next(state) {
  const { status, to_move: player, seats } = state;
  if (status !== "ready" || seats[player] !== "here") {
    return advice(state) || address(state.said, state.sentence, state.seats);
  }
  return moves(state) ? say("tap.then-move") : choice(state);
}

/** @param {State} state */
const advice = (state) => address(state.advice_said ?? undefined, state.advice, state.seats);

/**
 * Return whether a piece on the board is to be moved now.
 * @param {State} state
 */
const moves = (state) => state.moves.some((turn) => turn.includes("-"));

/**
 * Return why the piece with this number can't be put down at `spot`, where there is no room, and what to do next.
 * @param {Arrangement} arrangement
 * @param {Table} table
 * @param {State | undefined} state
 * @param {{ number?: number | undefined }} grip
 * @param {Spot} spot
 */
export function noRoom(arrangement, table, state, { number }, spot) {
  const name = nearest(arrangement, spot, 2 * PIECE)?.name;
  const occupied = table.pieces.some(({ id, at }) => at !== undefined && at === name && id !== number);
  const why = name !== undefined && occupied ? say("tap.occupied", { points: [name] }) : say("tap.near");
  return new Refusal(why, choice(state));
}

/**
 * Points are lit for a piece unless people have switched that off, and in a game only.
 * @param {State | undefined} state
 */
const choice = (state) => (state?.settings.hints && state.moves.length > 0 ? say("tap.choose-lit") : say("tap.choose-free"));
