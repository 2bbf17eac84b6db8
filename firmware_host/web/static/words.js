// All texts of the page, in the language of its browser, with English for what its catalogue lacks. The board sends
// keys with slots, so that each page can have its own language.

/**
 * The content of a gap in a text: a text, a number, names of points, or a message itself.
 * @typedef {string | number | string[] | Protocol.Said} Slot
 */
/** @typedef {Record<string, Slot>} Slots */
/** @typedef {{ key: string, slots?: Slots }} Phrase */

/** The page's language: `?lang=` names one, otherwise the browser does. */
export const language = window.begun.language;

const catalogue = await window.begun.catalogue;
/** @type {Catalogue | undefined} */
let english = language === "en" ? catalogue : undefined;
/** @type {Record<string, Promise<void>>} */
const learnt = {};
/** @type {Record<string, string>} */
const RARE = { doctor: "doctor", fault: "faults", puzzle: "puzzle", workshop: "workshop" }; // texts that most visits never show

/**
 * Return the text of `key` with its gaps filled: by a text, a count, a list of names, or another message.
 * @param {string} key
 * @param {Slots} slots
 * @returns {string}
 */
export function say(key, slots = {}) {
  return worded(key)?.replace(/\{([a-z]+)\}/g, (gap, name) => filled(slots[name]) ?? gap) ?? key;
}

/**
 * Return the names of the pieces of a stack, the kinds from the lowest up.
 * @param {string[]} kinds
 */
export function piled(kinds) {
  const [top, ...lower] = [...kinds].reverse();
  return lower.reduce((piece, beneath) => say(`on.${beneath}`, { piece }), say(`piece.${top}`));
}

/**
 * Return the text of a message of the board; `otherwise` if there is none, or no catalogue has its key.
 * @template {string | undefined} Otherwise
 * @param {Phrase | undefined} said
 * @param {Otherwise} otherwise
 */
export function tell(said, otherwise) {
  return said && isKnown(said) ? say(said.key, said.slots) : otherwise;
}

/**
 * @param {Phrase} phrase
 * @returns {boolean}
 */
function isKnown({ key, slots }) {
  const parts = Object.values(slots ?? {}).filter(isSaid);
  return [worded(key) !== undefined, ...parts.map(isKnown)].every(Boolean);
}

/**
 * @param {Slot | undefined} slot
 * @returns {slot is Protocol.Said}
 */
function isSaid(slot) {
  return typeof slot === "object" && !Array.isArray(slot);
}

/**
 * Load the words that only a part of the page needs, from the catalogue of that name. It fails with a
 * NetworkError if the board can't be reached, and can then be called again.
 * @param {string} name
 */
export function learn(name) {
  return (learnt[name] ??= window.begun.words(`${name}.${language}`).then(
    (own) => own.forEach(([key, text]) => catalogue.set(key, text)),
    (cause) => {
      delete learnt[name];
      throw new DOMException(cause.message, "NetworkError");
    },
  ));
}

/**
 * Return whether the page's own catalogue has `key`; nothing is loaded to find out.
 * @param {string} key
 */
export const has = (key) => catalogue.has(key);

/** Translate the texts in the page's markup, and offer the languages. */
export function fill() {
  document.documentElement.lang = language;
  for (const part of marked("data-say")) {
    part.textContent = worded(part.dataset.say ?? "") ?? part.textContent;
  }
  for (const part of marked("data-say-label")) {
    part.setAttribute("aria-label", worded(part.dataset.sayLabel ?? "") ?? part.getAttribute("aria-label") ?? "");
  }
  const select = /** @type {HTMLSelectElement} */ (document.getElementById("language"));
  const options = Object.entries(window.begun.languages).map(([code, name]) => new Option(name, code, false, code === language));
  options.forEach((option) => (option.lang = option.value));
  select.replaceChildren(...options);
  select.onchange = () => choose(select.value);
}

/**
 * @param {string} attribute
 * @returns {NodeListOf<HTMLElement>}
 */
function marked(attribute) {
  return document.querySelectorAll(`[${attribute}]`);
}

/**
 * Return a turn with its number.
 * @param {number} after
 * @param {string} text
 */
export const numbered = (after, text) => `${Math.ceil(after / 2)}${after % 2 ? "." : " …"} ${text}`;

/** @param {string} code */
function choose(code) {
  const address = new URL(location.href);
  address.searchParams.set("lang", code);
  location.replace(address);
}

/** @param {string} key */
function worded(key) {
  const words = catalogue.get(key) ?? english?.get(key);
  const rare = RARE[key.split(".", 1)[0] ?? ""];
  if (words === undefined && rare !== undefined) {
    learnt[rare] ?? learn(rare).then(sayAnew, () => {}); // asked for again with the next text
  } else if (words === undefined && !english) {
    english = new Map();
    window.begun.load("en").then(speak);
  }
  return words;
}

// English is loaded only if a text is missing; then everything is written again.
/** @param {Catalogue} loaded */
function speak(loaded) {
  english = loaded;
  sayAnew();
}

function sayAnew() {
  document.dispatchEvent(new Event("words"));
}

/** @param {Slot | undefined} slot */
function filled(slot) {
  if (Array.isArray(slot)) {
    const most = slot.slice(0, -1).join(", "); // Intl.ListFormat takes a phone 60 ms, while a piece is being lifted
    return [...(most ? [most, say("list.and")] : []), ...slot.slice(-1)].join(" ");
  }
  return isSaid(slot) ? say(slot.key, slot.slots) : slot?.toString();
}
