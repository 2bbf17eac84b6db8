// The end of a game, in words.

import { say } from "./words.js";

const OF_ONE_PLAYER = ["few-pieces", "blocked", "start-covered", "resigned", "time"];

/**
 * Return who won, and why.
 * @param {Protocol.Outcome} outcome
 */
export function ended({ winner, reason }) {
  const loser = winner === "white" ? "black" : "white";
  const why = OF_ONE_PLAYER.includes(reason) ? say(`why.${reason}.${loser}`) : say(`why.${reason}`);
  return winner ? say(`games.won.${winner}`, { why }) : say("games.won.nobody", { why });
}
