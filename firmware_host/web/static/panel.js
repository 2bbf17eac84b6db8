// The written parts: the sentence with a line of advice, the player to move and the pieces in hand.
//
// Invariants: a refusal or an explanation takes the place of the sentence and its advice for a while, and no longer than
// the position and what hands do next allow.

import { address, sayTo } from "./address.js";
import { isUnplayable, jumps } from "./dock.js";
import { kindsOf } from "./geometry.js";
import { captions } from "./newgame.js";
import { NOTE_MS, write } from "./notice.js";
import { element, present, within } from "./required.js";
import { say, tell } from "./words.js";

/** @import { Refusal } from "./notice.js" */

// By the first part of the sentence's key.
const ADVICE = new Map([
  ["places", () => say("advice.places")],
  ["places-or-moves", () => say("advice.places")],
  ["moves", () => say("advice.moves")],
  ["paused", () => say("advice.paused")],
]);
const LEAST = 0.74; // of its size, at which a name stays on one line of its plaque, as large as .long in face.css
const LEAST_PX = 14; // no name is smaller
const ASTRAY = ["mismatch", "fault"];
const ASKED_FOR = ["wrong.set", "lay-out"]; // after a take-back or a redo, and before a game: hands have done nothing wrong

// The sizes of the sentence: the first in which it fits into its place, which is the same for all sentences.
const SIZES = [1, 0.9, 0.8, 0.7, 0.62];

export class Panel {
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;
  /** @type {{ why: string, next?: string, position: string, refuses: boolean } | undefined} */
  #aside; // since the last deed, in this position
  #timer = 0;
  #own = "";

  constructor() {
    document.addEventListener("pointerdown", () => this.#retract(), true);
    document.addEventListener("keydown", () => this.#retract(), true);
    const observer = new ResizeObserver(fit);
    [element("say"), ...element("say").children].forEach((part) => observer.observe(part));
    const plaques = new ResizeObserver(fitNames);
    element("players").querySelectorAll("div, .time").forEach((part) => plaques.observe(part));
  }

  /**
   * Write the texts of a snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show(snapshot) {
    const { state, kinds } = snapshot;
    this.#snapshot = snapshot;
    this.#write(snapshot);
    document.body.classList.toggle("astray", ASTRAY.includes(state.status) && !ASKED_FOR.includes(state.said.key));
    nameRules(state.rules);
    this.#showFaults(state.faults.map((text, i) => tell(state.faults_said?.[i], text)));
    if (!document.body.classList.contains("back")) {
      this.#showPlayers(state, kinds); // while looking back, they have the counts of another position
      call(state.names, state.seats, state.settings.external, this.#own);
    }
  }

  /**
   * Call the player here like their board, in games with another one in which they have no name.
   * @param {string} name
   */
  callOwn(name) {
    if (this.#own !== name && this.#snapshot) {
      this.#own = name;
      this.show(this.#snapshot);
    }
  }

  /**
   * Write why hands were refused and what to do next, in the place of the sentence.
   * @param {Refusal} refusal
   */
  refuse({ why, next }) {
    this.#put({ why, next, refuses: true });
  }

  /**
   * Write an explanation in the place of the sentence, which is then the advice below; an empty one ends it.
   * @param {string} why
   */
  explain(why) {
    if (why) {
      this.#put({ why, refuses: false });
    } else {
      this.#retract();
    }
  }

  /** @param {{ why: string, next?: string, refuses: boolean }} aside */
  #put(aside) {
    const snapshot = present(this.#snapshot);
    this.#aside = { ...aside, position: snapshot.state.position };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retract(), NOTE_MS);
    this.#write(snapshot);
  }

  #retract() {
    if (this.#aside && this.#snapshot) {
      this.#aside = undefined;
      this.#write(this.#snapshot);
    }
  }

  /** @param {Protocol.Snapshot} snapshot */
  #write(snapshot) {
    const { state } = snapshot;
    const aside = this.#aside?.position === state.position ? this.#aside : undefined;
    const [why, next] = instruction(snapshot);
    // The voice speaks neither a refusal nor an explanation, so screen readers announce it.
    within(element("say"), "div", "[role=status]").ariaLive = speaks() && !aside ? "off" : "polite";
    write(element("sentence"), aside ? aside.why : why);
    write(element("advice"), aside ? (aside.next ?? why) : next);
    document.body.classList.toggle("refused", aside?.refuses ?? false);
    requestAnimationFrame(fit);
  }

  /**
   * @param {Protocol.Snapshot["state"]} state
   * @param {Protocol.Kinds} kinds
   */
  #showPlayers(state, kinds) {
    const { outcome } = state;
    const lit = next(state);
    for (const row of element("players").querySelectorAll("div")) {
      const { player } = row.dataset;
      const { text, short } = left(kindsOf(kinds, player), state);
      row.classList.toggle("to-move", lit === player);
      const wins = outcome?.winner === player;
      write(within(row, "dd"), wins ? say("page.wins") : text);
      within(row, "dd").dataset.short = wins ? say("page.wins") : short;
    }
  }

  /** @param {string[]} faults */
  #showFaults(faults) {
    const list = element("faults");
    list.hidden = faults.length === 0;
    if (faults.join("\n") !== [...list.children].map((item) => item.textContent).join("\n")) {
      list.replaceChildren(...faults.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    }
  }
}

/**
 * Return the sentence and the advice.
 * @param {Protocol.Snapshot} snapshot
 * @returns {[string, string]}
 */
function instruction({ state, layout, table, kinds }) {
  if (isUnplayable(state)) {
    return lacking(state);
  }
  if (table !== null && state.said.key === "set-up.pieces" && kindsOf(kinds, "white").length === 1) {
    return [say("position.taps"), ""]; // on wood a hand takes the piece of either colour
  }
  return [address(state.said, state.sentence, state.seats), advice(state, layout)];
}

/** Return whether a voice says what the panel shows. */
const speaks = () => document.body.classList.contains("speaks");

/**
 * Return the player whose plaque is lit: the winner, or the one to move; none on a board that can't play.
 * @param {Protocol.Snapshot["state"]} state
 */
function next(state) {
  if (isUnplayable(state)) {
    return undefined;
  }
  return state.outcome ? state.outcome.winner : state.to_move;
}

/**
 * Name the rules of the game; a narrow page says only that options are set over them.
 * @param {string} rules
 */
function nameRules(rules) {
  const { name, changes } = captions(rules);
  write(element("rules-name"), name);
  write(element("rules-changes"), changes.map((change) => ` · ${change}`).join(""));
  element("rules").dataset.changed = changes.length ? ` · ${say("page.changed")}` : "";
}

/**
 * Return the name of a player who is not at the board; undefined where names of people count.
 * @param {string} seat
 * @param {string | null} [program]
 */
function called(seat, program) {
  const [kind, count] = seat.split(":");
  if (kind === "external") {
    return program ?? undefined;
  }
  return count ? say("page.engine", { count }) : undefined;
}

/**
 * Return the name of the board here if it plays a side against another board.
 * @param {"white" | "black"} player
 * @param {string} own
 * @param {Protocol.Snapshot["state"]["seats"]} [seats]
 */
function nameHere(player, own, seats) {
  const other = player === "white" ? seats?.black : seats?.white;
  return seats?.[player] === "here" && other === "far" ? own : "";
}

/**
 * Name the players on their plaques. The board and another `program` play under their own names; a name of a
 * person is followed by the side for those who hear the page.
 * @param {Protocol.Names} names
 * @param {Protocol.Snapshot["state"]["seats"]} [seats]
 * @param {string | null} [program]
 * @param {string} [own] the name of the board here
 */
export function call(names, seats, program, own = "") {
  for (const player of /** @type {const} */ (["white", "black"])) {
    const side = player === "white" ? say("page.white") : say("page.black");
    const name = called(seats?.[player] ?? "here", program) ?? (names[player] || nameHere(player, own, seats));
    const place = within(element("players"), "dt", `:is([data-player=${player}] > *)`);
    if (place.textContent !== (name || side)) {
      requestAnimationFrame(fitNames);
    }
    write(place, name || side);
    place.title = name ? `${name} (${side})` : "";
  }
}

/** Set each name on one line if it isn't too long for that, in the size that it then has room for. */
function fitNames() {
  const names = [...element("players").querySelectorAll("dt")];
  names.forEach((name) => {
    name.classList.remove("long", "cut", "sign");
    name.style.removeProperty("--fit");
  });
  const room = names.map((name) => Math.min(1, name.clientWidth / name.scrollWidth));
  const least = names.map((name) => Math.max(LEAST, LEAST_PX / parseFloat(getComputedStyle(name).fontSize)));
  names.forEach((name, index) => {
    const size = room[index] ?? 1;
    name.classList.toggle("long", size < Math.min(1, least[index] ?? LEAST));
    name.style.setProperty("--fit", String(size));
  });
  const long = names.filter((name) => name.classList.contains("long"));
  const cut = long.filter((name) => name.title && name.scrollWidth > name.clientWidth);
  cut.forEach((name) => name.classList.add("cut"));
  const isNoRoom = long.some((name) => !name.title); // the names of both sides give way, not one
  names.forEach((name) => name.classList.toggle("sign", isNoRoom && !name.title));
  fitClocks();
}

/** Set both times in the size that there is room for below the names. */
function fitClocks() {
  const plaques = [...element("players").querySelectorAll("div")];
  plaques.forEach((plaque) => plaque.style.removeProperty("--fit"));
  const fits = plaques.map((plaque) => {
    const height = within(plaque, "dd", ".time").offsetHeight;
    const over = plaque.scrollHeight - plaque.clientHeight;
    return height && over > 1 ? 1 - over / height : 1;
  });
  plaques.forEach((plaque) => plaque.style.setProperty("--fit", String(Math.min(...fits))));
}

/**
 * Return how many pieces of these kinds a player has left: in hand, or once all are placed on the board, in games with
 * captures, which have just one kind for each player. One that is lifted still counts.
 * @param {string[]} own
 * @param {Pick<Protocol.PositionResult, "standing" | "in_hand">} position
 */
function left(own, { standing, in_hand: inHand }) {
  const waiting = own.reduce((sum, kind) => sum + (inHand[kind] ?? 0), 0);
  const stands = Object.values(standing).filter((kind) => own.includes(kind)).length;
  const waits = waiting > 0 || own.length > 1;
  const text = waits ? say("page.in-hand", { count: waiting }) : say("page.on-board", { count: stands });
  return { text, short: String(waits ? waiting : stands) };
}

/**
 * Show the counts of a past position.
 * @param {Protocol.Kinds} kinds
 * @param {Protocol.PositionResult} position
 */
export function count(kinds, position) {
  for (const row of element("players").querySelectorAll("div")) {
    const { player } = row.dataset;
    const { text, short } = left(kindsOf(kinds, player), position);
    row.classList.toggle("to-move", position.to_move === player);
    write(within(row, "dd"), text);
    within(row, "dd").dataset.short = short;
  }
}

/** Give the sentence the largest size that fits; only a very long one is left without advice. */
export function fit() {
  const room = element("say").clientHeight;
  const attempts = [true, false].flatMap((advised) => SIZES.map((size) => ({ advised, size })));
  for (const part of /** @type {HTMLCollectionOf<HTMLElement>} */ (element("say").children)) {
    const advised = part.contains(element("advice"));
    attempts.find((attempt) => {
      part.style.setProperty("--size", String(attempt.size));
      if (advised) {
        element("advice").hidden = !attempt.advised;
      }
      return part.scrollHeight <= room;
    });
  }
}

/**
 * Return the sentence of a board that never could read its sensors, and what it says about that.
 * @param {Protocol.Snapshot["state"]} state
 * @returns {[string, string]}
 */
const lacking = ({ said, sentence }) => [say("page.no-sensors"), tell(said, sentence)];

/**
 * Return whether the only light is that of a board that nobody has used for a while.
 * @param {Protocol.Snapshot["state"]["cues"]} cues
 * @param {string} status
 */
const rests = (cues, status) => status === "ready" && Object.values(cues).flat().includes("resting");

/**
 * Return what a new player may want to know now, in a line below the sentence.
 * @param {Protocol.Snapshot["state"]} state
 * @param {Protocol.Layout} layout
 */
function advice({ said, status, suspects, to_move: player, moves, ...state }, layout) {
  if (state.advice) {
    return address(state.advice_said ?? undefined, state.advice, state.seats);
  }
  if (suspects.length > 0) {
    return say("advice.suspects");
  }
  if (rests(state.cues, status)) {
    return say("advice.rests");
  }
  const [kind] = said.key.split(".");
  if (kind === "moves" && status === "ready" && jumps(moves, layout)) {
    return sayTo(`advice.flies.${player}`, state.seats);
  }
  return ADVICE.get(kind ?? "")?.() ?? "";
}
