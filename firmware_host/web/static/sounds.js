// The sounds of a wooden board, made here and not loaded: off until they are turned on for this device, and
// never before somebody has touched the page, as browsers require.

/** @typedef {{ at: number, hz: number, loud: number, long: number, rings?: boolean }} Note */
/** @typedef {Protocol.Snapshot["state"]} State */

const KEY = "millwright.sounds";

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
  #wanted = remembered();
  /** @type {State | undefined} */
  #before;

  /**
   * `box` is the checkbox that turns sounds on.
   * @param {HTMLInputElement} box
   */
  constructor(box) {
    box.checked = this.#wanted;
    box.addEventListener("change", () => {
      this.#wanted = box.checked;
      remember(box.checked);
      this.#ready();
      this.#play("placed");
    });
    for (const gesture of ["pointerdown", "keydown"]) {
      document.addEventListener(gesture, () => this.#ready());
    }
  }

  /**
   * Play the sounds of everything that has happened since the previous snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state }) {
    const before = this.#before;
    this.#before = state;
    const heard = before && happened(before, state);
    if (heard) {
      this.#play(heard);
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

// A browser may not let pages store anything: then the choice lasts as long as the page.
function remembered() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} wanted */
function remember(wanted) {
  try {
    localStorage.setItem(KEY, wanted ? "on" : "off");
  } catch {
    // as above
  }
}
