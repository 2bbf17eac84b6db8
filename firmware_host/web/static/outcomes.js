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

/**
 * Return the points of the pieces by which a game was won: those of the mill that the last turn closed, otherwise all
 * of the winner's.
 * @param {Protocol.Snapshot["state"]} state
 * @param {Protocol.Layout} layout
 * @returns {Set<string>}
 */
export function winning({ outcome, turns, standing }, { lines }) {
  const winner = outcome?.winner;
  const own = Object.keys(standing).filter((point) => winner && standing[point]?.startsWith(winner));
  const [step = ""] = (turns.at(-1) ?? "").split("x");
  const mills = lines.filter((line) => line.includes(step.slice(-2)) && line.every((point) => own.includes(point)));
  return new Set(mills.length ? mills.flat() : own);
}
