// The points for those who play by keyboard or listen: each is a button that says what stands and what its
// light means. Enter lifts a piece or sets one down; Escape puts what is in the hands into the box.

import { owner } from "./pieces.js";
import { place, svg } from "./svg.js";
import { say } from "./words.js";

export class Keys {
  #root = svg("g", { class: "keys" });
  #buttons = new Map();
  #connection;
  #view;

  /** `view` has the page's `table` and `state` as they are now, and can `complain(error)`. */
  constructor(root, connection, view) {
    this.#connection = connection;
    this.#view = view;
    root.append(this.#root);
    root.addEventListener("keydown", (event) => this.#press(event));
  }

  /** Lay the buttons out anew; in reading order, from the upper left. */
  arrange({ points }) {
    this.#root.replaceChildren();
    this.#buttons.clear();
    const sorted = [...points].sort(([, a], [, b]) => a.y - b.y || a.x - b.x);
    for (const [name, point] of sorted) {
      const button = svg("circle", { class: "key", r: 0.46, tabindex: 0, role: "button", "data-point": name });
      place(button, point);
      this.#buttons.set(name, button);
      this.#root.append(button);
    }
  }

  /** Say what stands where now. */
  describe() {
    const { table, felt, state } = this.#view;
    const standing = new Map((table ?? felt).pieces.map(({ at, piece }) => [at, owner(piece)]));
    for (const [name, button] of this.#buttons) {
      const player = standing.get(name);
      const stands = player ? say(`point.${player}`) : say("point.empty");
      const lights = (state.cues[name] ?? []).map((cue) => say(`cue.${cue}`));
      button.setAttribute("aria-label", [name, stands, ...lights].join(", "));
    }
  }

  #press(event) {
    const { table } = this.#view;
    const name = event.target.dataset?.point;
    if (event.key === "Escape" && table?.held.length) {
      this.#ask({ box: true });
    } else if (table && name && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#ask(this.#deed(name));
    }
  }

  #deed(name) {
    const { table, state } = this.#view;
    if (table.pieces.some((piece) => piece.at === name)) {
      return { lift: name };
    }
    const piece = table.held.at(-1)?.piece ?? state.to_move;
    return { put: name, piece };
  }

  #ask(request) {
    this.#connection.ask(request).catch((error) => this.#view.complain(error));
  }
}
