// Looking back: the turns so far as buttons, and the position after the one that was chosen, drawn as a
// diagram in place of the board. Nothing on the board changes, and hands cannot reach it meanwhile. A new
// turn, or one taken back, ends a look at the game on the board, so that the page shows what is due; a
// stored game stays until it is left.

import { piled, say } from "./words.js";

const element = (id) => document.getElementById(id);
const tallWindow = matchMedia("(max-aspect-ratio: 1/1)");
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Past {
  #connection;
  #complain;
  #live = { turns: [] };
  #shown;
  #asked = 0;
  #timer;

  /** `complain(error)` is told what could not be looked at. */
  constructor(connection, complain) {
    this.#connection = connection;
    this.#complain = complain;
    const bar = element("past");
    for (const button of bar.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.#walk(STEPS[button.dataset.step]));
    }
    bar.querySelector(".play").addEventListener("click", () => this.#play());
    bar.querySelector(".back").addEventListener("click", () => this.close());
    element("turns").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) {
        this.open(this.#live, Number(button.dataset.turn));
      }
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    tallWindow.addEventListener("change", () => this.#shown && this.open(this.#shown.game, this.#shown.after));
  }

  /** Write the turns of the game on the board. */
  show({ state, layout, kinds }) {
    element("no-turns").hidden = state.turns.length > 0;
    if (this.#live.written === [state.rules, ...state.turns].join(" ")) {
      return;
    }
    if (this.#shown?.game === this.#live) {
      this.close();
    }
    this.#live = { layout, kinds, turns: state.turns, written: [state.rules, ...state.turns].join(" ") };
    const list = element("turns");
    list.replaceChildren(...pairs(state.turns));
    if (state.turns.length) {
      list.scrollTop = list.scrollHeight;
    }
  }

  /** Show `game` (`layout`, `kinds` and `turns`, and `number` if it is a stored one) as it stood after so many turns. */
  async open(game, after) {
    const asked = ++this.#asked;
    const which = game.number === undefined ? {} : { game: game.number };
    try {
      const asking = this.#connection.ask({ ask: "position", after, ...which });
      const [position, { drawDiagram }] = await Promise.all([asking, import("./diagram.js")]);
      if (asked === this.#asked) {
        this.#draw(game, position, drawDiagram);
      }
    } catch (error) {
      this.close();
      this.#complain(error);
    }
  }

  /** Show the board again. */
  close() {
    this.#asked++;
    this.#stop();
    this.#shown = undefined;
    reveal(false);
    this.#mark();
  }

  #draw(game, position, drawDiagram) {
    const began = !this.#shown;
    this.#shown = { game, after: position.after };
    const then = element("then");
    drawDiagram(then, game, position, tallWindow.matches);
    then.setAttribute("aria-label", described(game, position));
    reveal(true);
    element("past").querySelector("p").textContent = captioned(game, position);
    this.#mark();
    if (began) {
      element("past").scrollIntoView({ block: "nearest" });
    }
    if (position.after >= game.turns.length) {
      this.#stop();
    }
  }

  #mark() {
    const { game, after } = this.#shown ?? {};
    for (const button of element("turns").querySelectorAll("button")) {
      const here = game === this.#live && Number(button.dataset.turn) === after;
      button.removeAttribute("aria-current");
      if (here) {
        button.setAttribute("aria-current", "step");
        button.scrollIntoView({ block: "nearest" });
      }
    }
    for (const button of element("past").querySelectorAll("[data-step]")) {
      const end = STEPS[button.dataset.step] < 0 ? 0 : game?.turns.length;
      button.setAttribute("aria-disabled", after === end);
    }
  }

  #walk(steps) {
    const { game, after } = this.#shown;
    const target = Math.max(0, Math.min(game.turns.length, after + steps));
    return target === after ? undefined : this.open(game, target);
  }

  #play() {
    if (this.#timer) {
      this.#stop();
      return;
    }
    const { game, after } = this.#shown;
    this.#timer = setInterval(() => this.#walk(1), element("past").dataset.pace);
    this.#playing(true);
    this.open(game, after < game.turns.length ? after + 1 : 0);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#playing(false);
  }

  #playing(playing) {
    const button = element("past").querySelector(".play");
    button.textContent = playing ? "❚❚" : "▶\uFE0E";
    button.setAttribute("aria-label", playing ? say("past.stop") : say("past.play"));
  }

  #key(event) {
    const elsewhere = event.target.closest("select, input, dialog") || event.altKey || event.ctrlKey || event.metaKey;
    if (!this.#shown || elsewhere) {
      return;
    }
    if (event.key === "Escape") {
      this.close();
    } else if (Object.hasOwn(STEPS, event.key)) {
      event.preventDefault();
      this.#walk(STEPS[event.key]);
    }
  }
}

// The diagram in place of the board, and the bar to walk with in place of the header.
function reveal(past) {
  element("stage").classList.toggle("back", past);
  element("then").toggleAttribute("hidden", !past);
  element("past").hidden = !past;
  document.querySelector("header").classList.toggle("unseen", past);
}

function pairs(turns) {
  const items = [];
  turns.forEach((turn, index) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: turn });
    button.dataset.turn = index + 1;
    const span = document.createElement("span");
    span.append(button);
    if (index % 2 === 0) {
      items.push(document.createElement("li"));
    }
    items.at(-1).append(span);
  });
  return items;
}

// As in the list: the second turn of a pair has no number of its own.
function captioned({ number }, { after, turn: text }) {
  const turn = `${Math.ceil(after / 2)}${after % 2 ? "." : " …"} ${text}`;
  const when = after ? say("past.after", { turn }) : say("past.start");
  return number === undefined ? when : say("past.of-game", { count: number, when });
}

// What stands alike is named together; then what is yet to be placed.
function described({ kinds }, { standing, beneath, in_hand: inHand }) {
  const alike = new Map();
  const order = Object.keys(kinds);
  const names = Object.keys(standing).sort((one, other) => order.indexOf(standing[one]) - order.indexOf(standing[other]));
  for (const name of names) {
    const piece = piled([...(beneath[name] ?? []), standing[name]]);
    alike.set(piece, [...(alike.get(piece) ?? []), name]);
  }
  const waiting = Object.entries(inHand).filter(([, count]) => count > 0);
  return [
    ...[...alike].map(([piece, points]) => say("past.standing", { piece, points: points.sort() })),
    ...waiting.map(([kind, count]) => say("past.waiting", { piece: piled([kind]), count })),
  ].join(" ");
}
