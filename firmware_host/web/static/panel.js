// All that is written: the sentence, whose turn it is and what is in hand.

import { captioned } from "./newgame.js";
import { language, say, tell } from "./words.js";

const element = (id) => document.getElementById(id);
const NOTE_MS = 5000;

export class Panel {
  #noteTimer;

  /** Write what a snapshot says. */
  show({ state, table, kinds }) {
    write(element("sentence"), tell(state.said, state.sentence));
    keepRoom(element("sentence"));
    write(element("rules"), captioned(state.rules));
    this.#showFaults(state.faults.map((text, i) => tell(state.faults_said?.[i], text)));
    this.#showPlayers(state, table, kinds);
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

  // How many are left counts in a game where pieces are taken, which has but one kind of each player.
  #showPlayers({ to_move: toMove, in_hand: inHand, outcome }, table, kinds) {
    for (const row of element("players").children) {
      const { player } = row.dataset;
      const own = Object.keys(kinds).filter((kind) => kinds[kind].player === player);
      const standing = table?.pieces.filter(({ piece }) => own.includes(piece)).length;
      const waiting = own.reduce((sum, kind) => sum + (inHand[kind] ?? 0), 0);
      const counted = table && !waiting && own.length === 1;
      const left = counted ? say("page.on-board", { count: standing }) : say("page.in-hand", { count: waiting });
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

/**
 * Leave a part as much room as it ever took, so that no board moves away under the hand that moves a piece. It is
 * measured with the next frame, which lays the page out in any case.
 */
export function keepRoom(part) {
  requestAnimationFrame(() => {
    const { textContent: said, dataset, clientWidth: width } = part;
    if (dataset.said === said && dataset.width === `${width}`) {
      return;
    }
    if (dataset.width !== `${width}`) {
      part.style.minHeight = "";
    }
    Object.assign(dataset, { said, width });
    part.style.minHeight = `${part.offsetHeight}px`;
  });
}

// Only changes are written: a screen reader speaks of every one.
function write(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}
