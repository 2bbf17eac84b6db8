// Sentences of the board for the only person who plays at it: "you" instead of a colour.
//
// Invariants: a page that only watches is nobody's, and reads the colours; so is a sentence without a form of its own.

import { has, say, tell } from "./words.js";

/** @import { Phrase, Slots } from "./words.js" */
/** @typedef {Protocol.Snapshot["state"]["seats"]} Seats */

const COLOUR = /\.(white|black)(?=\.|$)/;

/**
 * Return the text of a message for the person who plays here; `otherwise` if no catalogue has its key.
 * @param {Phrase | undefined} said
 * @param {string} otherwise
 * @param {Seats} seats
 */
export function address(said, otherwise, seats) {
  return tell(said && addressed(said, seats), otherwise);
}

/**
 * Return the text of `key`, which ends in the name of a player, for the person who plays here.
 * @param {string} key
 * @param {Seats} seats
 */
export const sayTo = (key, seats) => say(addressed({ key }, seats).key);

/**
 * @param {Phrase} phrase
 * @param {Seats} seats
 * @returns {Phrase}
 */
function addressed({ key, slots }, seats) {
  const own = key.replace(COLOUR, (_, player) => `.${called(seats, player)}`);
  const parts = Object.entries(slots ?? {}).map(([name, slot]) => [
    name,
    typeof slot === "object" && "key" in slot ? addressed(slot, seats) : slot,
  ]);
  return { key: has(own) ? own : key, slots: /** @type {Slots} */ (Object.fromEntries(parts)) };
}

/**
 * Return how the player of a side is called: "you" if nobody else plays here, "board" for its engine.
 * @param {Seats} seats
 * @param {Protocol.Player} player
 */
function called(seats, player) {
  const [seat, other] = player === "white" ? [seats.white, seats.black] : [seats.black, seats.white];
  const watches = document.body.classList.contains("looking");
  if (seat === "here" && other !== "here" && !watches) {
    return "you";
  }
  return seat.startsWith("engine:") && other === "here" ? "board" : player;
}
