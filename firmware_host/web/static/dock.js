// The dock: one primary action at one place, and tools with names, each at a place of its own. A tool that
// is not possible now rests there, so that no button comes to lie where another was.

import { optionName } from "./asking.js";
import { chosenSteps } from "./carrying.js";
import { button } from "./parts.js";
import { element, present, within } from "./required.js";
import { say } from "./words.js";

/** @import { View } from "./views.js" */

/**
 * The situation that decides on the primary action. `looksBack` is whether an earlier position is shown,
 * `opened` the view that somebody opened and `view` the one that is shown, `offers` whether a game can be chosen,
 * `another` whether another page leads the lesson, `asked` whether the room waits for an answer, and `undoes` whether an
 * end was declared moments ago: then its undo stands beside the primary action.
 * @typedef {object} Situation
 * @property {Protocol.Snapshot | undefined} snapshot
 * @property {boolean} looksBack
 * @property {View | undefined} opened
 * @property {View} view
 * @property {boolean} offers
 * @property {boolean} another
 * @property {boolean} asked
 * @property {boolean} undoes
 */

const TOOLS = /** @type {const} */ (["take-back", "redo", "hint"]);
const ITEMS = /** @type {const} */ (["ask", "pause", "draw", "resign"]);

/**
 * Return the id of the primary action, or "phases" while only hands are due.
 * @param {Situation} situation
 */
export function primary(situation) {
  const { snapshot, looksBack, opened } = situation;
  const { classList } = document.body;
  const looks = classList.contains("looking");
  /** @type {[string, boolean][]} */
  const choices = [
    ["now", looksBack && opened !== "share"],
    [repair(snapshot), opened === "drawer"],
    ["done", opened !== undefined && (opened !== "start" || looks)],
    ["leave", classList.contains("learning")],
    ["begin", opened === "start"],
    ["to-code", looks],
    ["phases", !snapshot],
  ];
  return choices.find(([, applies]) => applies)?.[0] ?? atRest(situation, present(snapshot));
}

/**
 * Return the primary action beside the board.
 * @param {Situation} situation
 * @param {Protocol.Snapshot} snapshot
 */
function atRest(situation, snapshot) {
  return due(snapshot, situation.asked) ?? (situation.view === "start" ? "begin" : waiting(situation));
}

/** @param {Situation} situation */
function waiting({ snapshot, another, offers }) {
  if (another && snapshot?.table) {
    return "take-over";
  }
  return offers ? "choose" : "phases";
}

/**
 * Return the action of the drawer: what ends all that is broken, or the end of the drawer itself.
 * @param {Protocol.Snapshot | undefined} snapshot
 */
function repair(snapshot) {
  const { power = true, faults = [] } = snapshot?.simulated ?? {};
  if (!power) {
    return "plug-in";
  }
  return faults.length ? "repair" : "done";
}

/**
 * Return the action that the board waits for, if it is not one of hands.
 * @param {Protocol.Snapshot} snapshot
 * @param {boolean} asked
 */
function due({ state, table }, asked) {
  const { can, status, said, confirm } = state;
  const lies = table !== null && table.pieces.length + table.held.length > 0;
  /** @type {[string, boolean][]} */
  const choices = [
    ["try-again", can.includes("try-again")],
    ["copy-command", isUnplayable(state)],
    ["resume", status === "paused"],
    ["set-up-answers", isSettingUp(state)],
    ["decline", can.includes("decline")],
    ["set-up", table !== null && said.key === "lay-out"],
    ["sweep", lies && status === "clear"],
    ["room-answers", asked],
    ["next-puzzle", said.key.startsWith("puzzle.right.")],
    ["again", status === "over" && !isInRoom(state)],
    ["move-for", table !== null && chosenSteps(state).length > 0],
    ["set-right", table !== null && isAstray(state, table)],
    ["confirm", confirm.length > 0],
    ["skip-puzzle", /^puzzle\.(win|draw|shown)$/.test(said.key)],
  ];
  return choices.find(([, applies]) => applies)?.[0];
}

/**
 * Return whether a position is being set up on the board.
 * @param {Protocol.Snapshot["state"]} state
 */
export const isSettingUp = ({ asking }) => /^(set-up|to-move|phase)/.test(asking?.question ?? "");

/**
 * Return whether nothing was played yet, and nothing can be redone.
 * @param {Protocol.Snapshot["state"]} state
 */
export const isUnbegun = ({ turns, redo, outcome, status, set_up: isSetUp }) =>
  turns.length + redo.length === 0 && !outcome && status !== "paused" && !isSetUp;

/**
 * Return whether no game can begin, since the board can't read its sensors.
 * @param {Protocol.Snapshot["state"]} state
 */
export const isUnplayable = (state) => state.said.key === "cannot-feel" && isUnbegun(state);

/**
 * Return whether the board is in a room with another one, where games begin by the players of both.
 * @param {Protocol.Snapshot["state"]} state
 */
export const isInRoom = ({ far }) => far?.room !== undefined && far.room.stage !== "outside";

/**
 * Return whether pieces lie elsewhere than the game has them: hands can correct that, unlike a broken sensor.
 * @param {Protocol.Snapshot["state"]} state
 * @param {NonNullable<Protocol.Snapshot["table"]>} table
 */
function isAstray({ status, missing, extra, wrong }, { pieces }) {
  const lies = (/** @type {string} */ point) => pieces.some(({ at }) => at === point);
  return status === "mismatch" && (wrong.length > 0 || extra.some(lies) || !missing.every(lies));
}

/**
 * Return the id of the action beside the primary one; undefined without one.
 * @param {Situation} situation
 * @param {string} chosen
 */
function secondary({ snapshot, looksBack, opened, undoes }, chosen) {
  if (undoes && !looksBack && opened === undefined) {
    return "undo";
  }
  const taught = chosen === "leave" && snapshot?.state.rules === "lesson" && snapshot.state.outcome;
  return taught ? "first-puzzle" : chosen === "again" ? "share-over" : undefined;
}

export class Dock {
  /**
   * Show the primary action and the tools of a situation. The focus stays in the dock if its button goes.
   * @param {Situation} situation
   */
  show(situation) {
    const { snapshot, looksBack } = situation;
    const had = element("slot").contains(document.activeElement);
    const chosen = primary(situation);
    const beside = secondary(situation, chosen);
    for (const part of element("slot").children) {
      part.toggleAttribute("hidden", part.id !== chosen && part.id !== beside);
    }
    element("tools").hidden = looksBack;
    element("steps").hidden = !looksBack;
    if (snapshot) {
      this.#enable(snapshot, looksBack);
      this.#answer(snapshot.state);
      this.#phase(snapshot);
    }
    if (had && !element("slot").contains(document.activeElement?.checkVisibility() ? document.activeElement : null)) {
      this.#refocus(chosen);
    }
  }

  /**
   * @param {Protocol.Snapshot} snapshot
   * @param {boolean} looksBack
   */
  #enable({ state, table, simulated, rule_sets: names }, looksBack) {
    const lies = table !== null && table.pieces.length + table.held.length > 0;
    const unplayable = isUnplayable(state);
    element("no-sensors").hidden = !unplayable;
    element("no-turns").hidden = unplayable || looksBack || state.turns.length > 0;
    for (const name of [...TOOLS, ...ITEMS]) {
      rest(element(name), unplayable || !state.can.includes(name));
    }
    this.#offerHint(state);
    const isOver = state.status === "over" && state.turns.length > 0;
    element("redo").hidden = isOver; // nothing can be redone, and a tool of the same size is in its place
    element("analyse-over").hidden = !isOver;
    rest(element("new"), unplayable);
    rest(element("new-position"), unplayable);
    rest(element("look-back"), state.turns.length === 0);
    rest(element("share"), state.turns.length === 0);
    rest(element("clear"), !lies);
    element("clear").hidden = table === null;
    element("break-it").hidden = !simulated;
    element("puzzle").hidden = !names.includes("standard");
  }

  /**
   * Offer the answers to what is asked while a position is set up; all but the last step can be left.
   * @param {Protocol.Snapshot["state"]} state
   */
  #answer({ asking, ...state }) {
    const setsUp = isSettingUp({ asking, ...state });
    const options = setsUp ? Object.entries(asking?.options ?? {}) : [];
    const offered = options.filter(([, does]) => does !== "back").map(([at, does]) => ({ at, text: optionName(does) }));
    const leaves = setsUp && offered.length === 1 ? [{ at: "", text: say("position.leave") }] : [];
    const shown = JSON.stringify([...offered, ...leaves]);
    const place = element("set-up-answers");
    if (place.dataset.shown !== shown) {
      place.dataset.shown = shown;
      const buttons = [...offered, ...leaves].map(({ at, text }) => {
        const made = button(text, () => {});
        made.dataset.at = at;
        made.classList.toggle("quiet", !at);
        return made;
      });
      place.replaceChildren(...buttons);
    }
  }

  /**
   * Offer hints wherever a player at the board can ask for one, and show whether there is one now. One that came too
   * late can be asked for again.
   * @param {Protocol.Snapshot["state"]} state
   */
  #offerHint({ hint: { white, black, now }, can }) {
    const tool = element("hint");
    const may = can.includes("hint");
    tool.hidden = !may && white !== "on-request" && black !== "on-request";
    tool.setAttribute("aria-pressed", String(may && now !== null && now !== "late"));
  }

  /** @param {Protocol.Snapshot} snapshot */
  #phase({ state, kinds, layout }) {
    const own = Object.keys(kinds).filter((kind) => kinds[kind]?.player === state.to_move);
    const waiting = own.some((kind) => (state.in_hand[kind] ?? 0) > 0);
    const moving = waiting ? "place" : jumps(state.moves, layout) ? "fly" : "move";
    const now = state.status === "remove" ? "take" : moving;
    for (const item of element("phases").querySelectorAll("li")) {
      item.toggleAttribute("aria-current", item.dataset.phase === now && !state.outcome);
      if (item.hasAttribute("aria-current")) {
        item.setAttribute("aria-current", "step");
      }
    }
    element("phases").classList.toggle("unknown", own.length !== 1);
  }

  /** @param {string} chosen */
  #refocus(chosen) {
    /** @type {HTMLElement | SVGElement | null} */
    const next = chosen === "phases" ? document.querySelector("#hands [tabindex='0']") : within(element("slot"), "button", `:is(#${chosen}, #${chosen} > *)`);
    next?.focus({ preventScroll: true });
  }
}

/**
 * Return whether a turn among `moves` leads further than along a line to the next point.
 * @param {string[]} moves
 * @param {Protocol.Layout} layout
 */
export function jumps(moves, { lines }) {
  const ways = new Set(lines.flatMap((line) => line.slice(1).flatMap((point, i) => [`${line[i]}-${point}`, `${point}-${line[i]}`])));
  return moves.some((move) => /^\w+-\w+/.test(move) && !ways.has(present(move.split("x")[0])));
}

/**
 * Let a button rest: it stays where it is, and does nothing.
 * @param {HTMLButtonElement} button
 * @param {boolean} rests
 */
function rest(button, rests) {
  button.setAttribute("aria-disabled", String(rests));
}
