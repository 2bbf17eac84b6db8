// The beginning of every page: its colours, its words, and its connection to the board. This script is no module:
// the browser runs it while it reads the document, so that the page never appears in other colours first, and words
// and messages come in while the modules are still being compiled.

"use strict";

{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const root = document.documentElement;

  // ---- colours: light, dark, or as the device asks

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const frames = [...document.querySelectorAll("meta")].filter(({ media }) => media); // the browser's frame
  const asked = frames.map(({ media }) => media);
  let scheme = chosenScheme();

  function chosenScheme() {
    try {
      return localStorage.getItem("millwright.scheme");
    } catch {
      return null;
    }
  }

  function colour() {
    const fixed = scheme === "light" || scheme === "dark" ? scheme : "";
    root.style.colorScheme = fixed;
    root.dataset.scheme = fixed || (dark.matches ? "dark" : "light");
    frames.forEach((frame, index) => {
      const query = asked[index] ?? "";
      frame.media = fixed ? (query.includes(fixed) ? "all" : "not all") : query;
    });
  }

  colour();
  dark.addEventListener("change", colour);
  document.addEventListener("scheme", (event) => {
    scheme = /** @type {CustomEvent<string>} */ (event).detail;
    colour();
  });

  // ---- words: a catalogue for each language, and a second one for a page that has `data-words`

  /** @type {Record<string, string>} */
  const LANGUAGES = { en: "English", es: "Español", pt: "Português", de: "Deutsch" };
  const language = chosenLanguage();

  function chosenLanguage() {
    const wanted = [new URLSearchParams(location.search).get("lang"), ...navigator.languages];
    const codes = wanted.map((tag) => tag?.toLowerCase().split("-")[0]);
    return codes.find((code) => code !== undefined && Object.hasOwn(LANGUAGES, code)) ?? "en";
  }

  /**
   * Load the words of a language. A page without words still shows the board, and the English texts in its markup.
   * @param {string} code
   * @returns {Promise<Catalogue>}
   */
  async function load(code) {
    const own = root.dataset.words;
    try {
      const parts = await Promise.all([code, ...(own ? [`${own}.${code}`] : [])].map(words));
      return new Map(parts.flat());
    } catch {
      return new Map();
    }
  }

  /**
   * Load the catalogue of that name.
   * @param {string} name
   * @returns {Promise<[string, string][]>}
   */
  async function words(name) {
    const answer = await fetch(new URL(`words/${name}.json`, script.src));
    return Object.entries(await answer.json());
  }

  // ---- the WebSocket, for a page that has `data-connects`: messages that come before a listener are kept for it

  const KINDS = ["open", "message", "close"];
  let first = script.dataset.connects === undefined ? undefined : opened();
  /** @type {Event[]} */
  const missed = [];
  /** @param {Event} event */
  const keep = (event) => missed.push(event);
  KINDS.forEach((kind) => first?.addEventListener(kind, keep));

  /**
   * Return a WebSocket to the board; `listener` is called with each of its events, in their order.
   * @param {(event: Event) => void} listener
   */
  function connect(listener) {
    const socket = first ?? opened();
    KINDS.forEach((kind) => socket.removeEventListener(kind, keep));
    KINDS.forEach((kind) => socket.addEventListener(kind, listener));
    first = undefined;
    queueMicrotask(() => missed.splice(0).forEach(listener));
    return socket;
  }

  function opened() {
    return new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
  }

  window.begun = { languages: LANGUAGES, language, catalogue: load(language), load, words, connect };
}
