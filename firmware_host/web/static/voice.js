// The board's sentences, spoken by this browser's voices: loaded once somebody wants them. Screen readers don't
// announce the same sentences. Questions that were asked by keys are answered here, by voice or in writing.
//
// Invariants: a newer utterance replaces prompts that were not spoken to their end; reports are spoken in any case.

import { keep, kept } from "./kept.js";
import { element } from "./required.js";
import { language, learn, say, tell } from "./words.js";

/** @typedef {Protocol.Utterance} Utterance */
/** @typedef {{ text: string, isPrompt: boolean }} Sentence */

const KEY = "speech";
const LEVELS = /** @type {const} */ (["off", "answers", "turns", "all"]);
const LOCALES = /** @type {Record<string, string>} */ ({ en: "en-GB", es: "es-ES", pt: "pt-BR", de: "de-DE" });

await learn("speech");

export class Voice {
  #me = Math.random().toString(36).slice(2); // not secret: it only tells pages apart
  /** @type {number | undefined} */
  #number; // of the last utterance; none before the first snapshot
  /** @type {Sentence[]} */
  #waiting = [];
  /** @type {Sentence | undefined} */
  #spoken; // now
  #ask;
  #announce;

  /**
   * `ask(request)` sends a request to the board; `announce(text)` gives screen readers the answer to a question.
   * @param {(request: Protocol.Do) => unknown} ask
   * @param {(text: string) => void} announce
   */
  constructor(ask, announce) {
    this.#ask = ask;
    this.#announce = announce;
    this.choose(this.level);
  }

  get level() {
    return LEVELS.find((level) => level === kept(KEY)) ?? "off";
  }

  /**
   * Speak at this level from now on, and say so.
   * @param {string} level
   */
  choose(level) {
    const changed = level !== this.level;
    keep(KEY, level);
    hush(level !== "off");
    speechSynthesis.cancel();
    this.#waiting = [];
    if (changed && level !== "off") {
      const speech = this.level;
      const what = say(`speech-level.${speech}`);
      this.#speak([{ text: say("speech.sample", { what }), isPrompt: true }]);
    }
  }

  /**
   * Ask the board a question, whose answer is for this page alone.
   * @param {NonNullable<Protocol.Do["what"]>} what
   * @param {string} [point]
   */
  ask(what, point) {
    this.#ask({ do: "tell", what, to: this.#me, ...(point === undefined ? {} : { point }) });
  }

  /**
   * Say what is new in a snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state: { speech } }) {
    const before = this.#number;
    this.#number = speech.at(-1)?.number ?? 0;
    if (before === undefined) {
      return;
    }
    const after = this.#number < before ? 0 : before; // of a board that was started again
    for (const utterance of speech.filter(({ number }) => number > after)) {
      if (utterance.to === this.#me && this.level === "off") {
        this.#announce(sentences(utterance).map(({ text }) => text).join(" "));
      } else if (utterance.to === this.#me || (utterance.to === null && this.#isDue(utterance))) {
        this.#speak(sentences(utterance));
      }
    }
  }

  /** @param {Utterance} utterance */
  #isDue({ level }) {
    return LEVELS.indexOf(level) <= LEVELS.indexOf(this.level);
  }

  /** @param {Sentence[]} sentences */
  #speak(sentences) {
    this.#waiting = [...this.#waiting.filter(({ isPrompt }) => !isPrompt), ...sentences];
    if (this.#spoken?.isPrompt) {
      this.#spoken = undefined;
      speechSynthesis.cancel();
    }
    this.#next();
  }

  #next() {
    if (this.#spoken) {
      return;
    }
    const sentence = this.#waiting.shift();
    this.#spoken = sentence;
    if (sentence) {
      const words = new SpeechSynthesisUtterance(sentence.text);
      words.lang = LOCALES[language] ?? language;
      words.onend = words.onerror = () => this.#ended(sentence);
      speechSynthesis.speak(words);
    }
  }

  /** @param {Sentence} sentence */
  #ended(sentence) {
    if (this.#spoken === sentence) {
      this.#spoken = undefined;
      this.#next();
    }
  }
}

/**
 * Return the sentences of an utterance in the page's language.
 * @param {Utterance} utterance
 * @returns {Sentence[]}
 */
function sentences({ reports, prompts }) {
  const all = [...reports.map((one) => ({ ...one, isPrompt: false })), ...prompts.map((one) => ({ ...one, isPrompt: true }))];
  return all.map(({ said, text, isPrompt }) => ({ text: tell(said, text), isPrompt }));
}

/**
 * Have screen readers be silent about what the voice says, or not any more.
 * @param {boolean} speaks
 */
function hush(speaks) {
  document.body.classList.toggle("speaks", speaks);
  for (const region of element("say").querySelectorAll("[role=status], #lesson > div")) {
    region.ariaLive = speaks ? "off" : "polite";
  }
}
