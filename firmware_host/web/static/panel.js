// The written parts: the sentence, the player to move and the pieces in hand.

import { kindsOf } from "./geometry.js";
import { captioned } from "./newgame.js";
import { write } from "./notice.js";
import { element, within } from "./required.js";
import { say, tell } from "./words.js";

export class Panel {
  /**
   * Write the texts of a snapshot.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, table, kinds }) {
    write(element("sentence"), tell(state.said, state.sentence));
    keepRoom(element("sentence"));
    write(element("rules"), captioned(state.rules));
    this.#showFaults(state.faults.map((text, i) => tell(state.faults_said?.[i], text)));
    this.#showPlayers(state, table, kinds);
  }

  /**
   * The number of pieces left is shown in games with captures, which have just one kind for each player.
   * @param {Protocol.Snapshot["state"]} state
   * @param {Protocol.Snapshot["table"]} table
   * @param {Protocol.Kinds} kinds
   */
  #showPlayers({ to_move: toMove, in_hand: inHand, outcome }, table, kinds) {
    for (const row of element("players").querySelectorAll("div")) {
      const { player } = row.dataset;
      const own = kindsOf(kinds, player);
      const standing = table?.pieces.filter(({ piece }) => own.includes(piece)).length ?? 0;
      const waiting = own.reduce((sum, kind) => sum + (inHand[kind] ?? 0), 0);
      const counted = table && !waiting && own.length === 1;
      const left = counted ? say("page.on-board", { count: standing }) : say("page.in-hand", { count: waiting });
      row.classList.toggle("to-move", (outcome ? outcome.winner : toMove) === player);
      write(within(row, "dd"), outcome?.winner === player ? say("page.wins") : left);
    }
  }

  /** @param {string[]} faults */
  #showFaults(faults) {
    const list = element("faults");
    list.hidden = faults.length === 0;
    if (faults.join("\n") !== [...list.children].map((item) => item.textContent).join("\n")) {
      list.replaceChildren(...faults.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    }
  }
}

/**
 * Leave a part as much room as it ever took, so that no board moves away under a hand. It is measured with
 * the next frame, which lays the page out in any case.
 * @param {HTMLElement} part
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
