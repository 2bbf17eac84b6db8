// All that is written: the sentence, whose turn it is and what is in hand.

import { captioned } from "./newgame.js";
import { language, say, tell } from "./words.js";

const element = (id) => document.getElementById(id);
const NOTE_MS = 5000;

export class Panel {
  #noteTimer;

  /** Write what a snapshot says. */
  show({ state, table }) {
    write(element("sentence"), tell(state.said, state.sentence));
    write(element("rules"), captioned(state.rules));
    this.#showFaults(state.faults.map((text, i) => tell(state.faults_said?.[i], text)));
    this.#showPlayers(state, table);
  }

  /** Say for a while what could not be done. */
  complain(error) {
    const note = element("note");
    note.lang = error.lang ?? language;
    write(note, error.message);
    note.hidden = false;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = setTimeout(() => (note.hidden = true), NOTE_MS);
  }

  #showPlayers({ to_move: toMove, in_hand: inHand, outcome }, table) {
    for (const row of element("players").children) {
      const { player } = row.dataset;
      const standing = table?.pieces.filter(({ piece }) => piece.startsWith(player)).length;
      const waiting = inHand[player];
      const left = table && !waiting ? say("page.on-board", { count: standing }) : say("page.in-hand", { count: waiting });
      row.classList.toggle("to-move", (outcome ? outcome.winner : toMove) === player);
      write(row.querySelector("dd"), outcome?.winner === player ? say("page.wins") : left);
    }
  }

  #showFaults(faults) {
    const list = element("faults");
    list.hidden = faults.length === 0;
    if (faults.join("\n") !== [...list.children].map((item) => item.textContent).join("\n")) {
      list.replaceChildren(...faults.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    }
  }
}

// Only changes are written: a screen reader speaks of every one.
function write(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}
