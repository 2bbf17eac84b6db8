// The sounds of a wooden board, made here and not loaded: off until they are turned on for this device, and
// never before somebody has touched the page, as browsers require. The board decides what is heard and when;
// the buzzer of a simulated board is heard instead of the wood. A phone that can shake does so in its rhythm.

import { buzzerFault } from "./buzzer.js";
import { keep, kept } from "./kept.js";
import { SOUNDS } from "./tones.js";

/** @import { Tone } from "./tones.js" */
/** @typedef {keyof typeof SOUNDS} Cue */

const KEY = "sounds";
const SHAKES_KEY = "shakes";
const BUZZER_HZ = 2300; // that of a usual buzzer
const canShake = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;

export class Sounds {
  /** @type {AudioContext | undefined} */
  #context;
  #wanted = kept(KEY) === "on";
  #shakes = canShake && kept(SHAKES_KEY) !== "off";
  /** @type {number | undefined} */
  #number; // of the last sound; none before the first snapshot
  /** @type {OscillatorNode[]} */
  #ringing = [];

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
   * Play a sound that has begun since the previous snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state: { sound }, table, simulated }) {
    const before = this.#number;
    const { last } = sound;
    this.#number = last?.number ?? 0;
    if (!last || before === undefined || this.#number <= before) {
      return;
    }
    if (!table) {
      this.#play(last.what);
      return;
    }
    const isSilent = simulated?.buzzer && (sound.level === "off" || buzzerFault(simulated));
    if (!isSilent) { // a board whose sounds are off is silent, and so is a buzzer that fails
      this.#play(last.what, { buzzes: last.by === "buzzer" });
    }
    this.#shake(last.what); // beside a real board a phone lies on the table
  }

  /** @param {Cue} what */
  #shake(what) {
    if (this.#shakes) {
      navigator.vibrate(SOUNDS[what].rhythm);
    }
  }

  #ready() {
    if (this.#wanted) {
      this.#context ??= new AudioContext();
      this.#context.resume();
    }
  }

  /** @param {Cue} what */
  #play(what, { buzzes = false } = {}) {
    const context = this.#context;
    if (!this.#wanted || !context) {
      return;
    }
    for (const tone of this.#ringing) {
      tone.stop(); // never two at once
    }
    const tones = buzzes ? beeps(SOUNDS[what].rhythm) : SOUNDS[what].tones;
    this.#ringing = tones.map((tone) => ring(context, tone, buzzes ? "square" : "sine"));
  }
}

/**
 * Return a rhythm as tones of a buzzer.
 * @param {number[]} rhythm
 * @returns {Tone[]}
 */
function beeps(rhythm) {
  let at = 0;
  return rhythm.flatMap((span, index) => {
    const from = at / 1000;
    at += span;
    return index % 2 ? [] : [{ at: from, hz: BUZZER_HZ, loud: 0.15, long: span / 1000, rings: true }];
  });
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 * @param {OscillatorType} type
 */
function ring(context, { at, hz, loud, long, rings }, type) {
  const tone = context.createOscillator();
  const level = context.createGain();
  const begins = context.currentTime + at;
  const ends = begins + long;
  tone.type = type;
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
  return tone;
}
