// The sounds of a wooden board, made here and not loaded: off until they are turned on for this device, and
// never before somebody has touched the page, as browsers require. A phone that can shake does so as well.

import { keep, kept } from "./kept.js";

/** @typedef {{ at: number, hz: number, loud: number, long: number, rings?: boolean }} Note */
/** @typedef {Protocol.Snapshot["state"]} State */

const KEY = "sounds";
const SHAKES_KEY = "shakes";

// Notes of each sound: when (seconds), pitch (Hz, falling to half where it knocks), loudness and length (s).
/** @type {Note[]} */
const WOOD = [{ at: 0, hz: 210, loud: 0.9, long: 0.09 }, { at: 0, hz: 640, loud: 0.25, long: 0.04 }];
const SOUNDS = {
  placed: WOOD,
  removed: [{ at: 0, hz: 320, loud: 0.6, long: 0.07 }, { at: 0.09, hz: 240, loud: 0.8, long: 0.08 }],
  mill: [...WOOD, ...tones(0.08, 0.09, 523, 659, 784)],
  wrong: [{ at: 0, hz: 130, loud: 0.8, long: 0.12 }, { at: 0.16, hz: 110, loud: 0.8, long: 0.16 }],
  over: tones(0.05, 0.14, 392, 523, 659, 784, 1047),
};

// The milliseconds for which a phone shakes at each of these, and rests in between.
/** @type {Record<keyof typeof SOUNDS, number[]>} */
const SHAKES = { placed: [12], removed: [12, 60, 12], mill: [20, 50, 40], wrong: [60, 60, 60], over: [40, 60, 40, 60, 120] };
const canShake = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

// Statuses in which the game waits for hands.
const UNRESOLVED = ["mismatch", "undecided"];

/**
 * @param {number} from
 * @param {number} apart
 * @param {number[]} pitches
 * @returns {Note[]}
 */
function tones(from, apart, ...pitches) {
  return pitches.map((hz, index) => ({ at: from + apart * index, hz, loud: 0.35, long: 0.4, rings: true }));
}

export class Sounds {
  /** @type {AudioContext | undefined} */
  #context;
  #wanted = kept(KEY) === "on";
  #shakes = canShake && kept(SHAKES_KEY) !== "off";
  /** @type {State | undefined} */
  #before;

  /**
   * `boxes` are the checkboxes that turn sounds on, and `shakes` is the one for shaking, which is hidden on a
   * device that can't.
   * @param {HTMLInputElement[]} boxes
   * @param {HTMLInputElement} shakes
   */
  constructor(boxes, shakes) {
    for (const box of boxes) {
      box.checked = this.#wanted;
      box.addEventListener("change", () => {
        this.#wanted = box.checked;
        boxes.forEach((other) => (other.checked = box.checked));
        keep(KEY, box.checked ? "on" : "off");
        this.#ready();
        this.#play("placed");
      });
    }
    shakes.checked = this.#shakes;
    shakes.closest("label")?.toggleAttribute("hidden", !canShake);
    shakes.addEventListener("change", () => {
      this.#shakes = shakes.checked;
      keep(SHAKES_KEY, shakes.checked ? "on" : "off");
      this.#shake("placed");
    });
    for (const gesture of ["pointerdown", "keydown"]) {
      document.addEventListener(gesture, () => this.#ready());
    }
  }

  /**
   * Play the sounds of everything that has happened since the previous snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, table }) {
    const before = this.#before;
    this.#before = state;
    const heard = before && happened(before, state);
    if (heard) {
      this.#play(heard);
    }
    if (heard && table) {
      this.#shake(heard); // beside a real board a phone lies on the table
    }
  }

  /** @param {keyof typeof SHAKES} deed */
  #shake(deed) {
    if (this.#shakes) {
      navigator.vibrate(SHAKES[deed]);
    }
  }

  #ready() {
    if (this.#wanted) {
      this.#context ??= new AudioContext();
      this.#context.resume();
    }
  }

  /** @param {keyof typeof SOUNDS} sound */
  #play(sound) {
    if (!this.#wanted || !this.#context) {
      return;
    }
    for (const note of SOUNDS[sound]) {
      ring(this.#context, note);
    }
  }
}

/**
 * @param {AudioContext} context
 * @param {Note} note
 */
function ring(context, { at, hz, loud, long, rings }) {
  const tone = context.createOscillator();
  const level = context.createGain();
  const begins = context.currentTime + at;
  const ends = begins + long;
  tone.frequency.setValueAtTime(hz, begins);
  if (!rings) {
    tone.frequency.exponentialRampToValueAtTime(hz / 2, ends);
  }
  level.gain.setValueAtTime(0.0001, begins);
  level.gain.exponentialRampToValueAtTime(0.4 * loud, begins + 0.004);
  level.gain.exponentialRampToValueAtTime(0.0001, ends);
  tone.connect(level).connect(context.destination);
  tone.start(begins);
  tone.stop(ends + 0.01);
}

/**
 * @param {State} before
 * @param {State} now
 * @returns {keyof typeof SOUNDS | undefined}
 */
function happened(before, now) {
  const on = now.turns.length >= before.turns.length && now.turns.join(" ") !== before.turns.join(" ");
  if (now.outcome && !before.outcome) {
    return "over";
  }
  if (UNRESOLVED.includes(now.status) && !UNRESOLVED.includes(before.status)) {
    return "wrong";
  }
  if (now.status === "remove" && before.status !== "remove" && now.turns.length >= before.turns.length) {
    return "mill";
  }
  if (on && now.taken.length) {
    return "removed";
  }
  return on ? "placed" : undefined;
}
