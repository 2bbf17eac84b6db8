// The tones and rhythms of all sounds, written from firmware_host/sound.py by its test.

/** @typedef {{ at: number, hz: number, loud: number, long: number, rings: boolean }} Tone */

/** @type {Record<Protocol.SoundCue, { tones: Tone[], rhythm: number[] }>} */
export const SOUNDS = {
  over: {
    tones: [
      { at: 0.05, hz: 392, loud: 0.35, long: 0.4, rings: true },
      { at: 0.19, hz: 523, loud: 0.35, long: 0.4, rings: true },
      { at: 0.33, hz: 659, loud: 0.35, long: 0.4, rings: true },
      { at: 0.47, hz: 784, loud: 0.35, long: 0.4, rings: true },
      { at: 0.61, hz: 1047, loud: 0.35, long: 0.4, rings: true },
    ],
    rhythm: [60, 60, 60, 60, 200],
  },
  wrong: {
    tones: [
      { at: 0, hz: 130, loud: 0.8, long: 0.12, rings: false },
      { at: 0.16, hz: 110, loud: 0.8, long: 0.16, rings: false },
    ],
    rhythm: [80, 60, 80],
  },
  low: {
    tones: [
      { at: 0, hz: 880, loud: 0.35, long: 0.07, rings: true },
      { at: 0.1, hz: 880, loud: 0.35, long: 0.07, rings: true },
      { at: 0.2, hz: 880, loud: 0.35, long: 0.07, rings: true },
      { at: 0.3, hz: 880, loud: 0.35, long: 0.07, rings: true },
    ],
    rhythm: [40, 60, 40, 60, 40, 60, 40],
  },
  turn: {
    tones: [
      { at: 0, hz: 523, loud: 0.35, long: 0.3, rings: true },
      { at: 0.11, hz: 784, loud: 0.35, long: 0.3, rings: true },
    ],
    rhythm: [30, 70, 90],
  },
  mill: {
    tones: [
      { at: 0, hz: 210, loud: 0.9, long: 0.09, rings: false },
      { at: 0, hz: 640, loud: 0.25, long: 0.04, rings: false },
      { at: 0.08, hz: 523, loud: 0.35, long: 0.4, rings: true },
      { at: 0.17, hz: 659, loud: 0.35, long: 0.4, rings: true },
      { at: 0.26, hz: 784, loud: 0.35, long: 0.4, rings: true },
    ],
    rhythm: [80, 40, 20],
  },
  removed: {
    tones: [
      { at: 0, hz: 320, loud: 0.6, long: 0.07, rings: false },
      { at: 0.09, hz: 240, loud: 0.8, long: 0.08, rings: false },
    ],
    rhythm: [20, 60, 20],
  },
  placed: {
    tones: [
      { at: 0, hz: 210, loud: 0.9, long: 0.09, rings: false },
      { at: 0, hz: 640, loud: 0.25, long: 0.04, rings: false },
    ],
    rhythm: [20],
  },
  ask: {
    tones: [
      { at: 0, hz: 659, loud: 0.35, long: 0.16, rings: true },
      { at: 0.08, hz: 880, loud: 0.35, long: 0.16, rings: true },
    ],
    rhythm: [20, 40, 20, 40, 20],
  },
};
