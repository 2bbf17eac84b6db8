// The question that the board asks by light: each option's name at its point. A click is an answer, as a touch
// of the point is.

import { clockName } from "./clocks.js";
import { part } from "./parts.js";
import { element } from "./required.js";
import { say } from "./words.js";

/** @import { Arrangement } from "./geometry.js" */
/** @import { Request } from "./connection.js" */

export class Asking {
  #shown = "";

  /** @param {(request: Request) => unknown} ask */
  constructor(ask) {
    const layer = element("asking");
    layer.addEventListener("click", ({ target }) => {
      const point = target instanceof HTMLElement ? target.closest("button")?.dataset.at : undefined;
      if (point) {
        ask({ do: "answer", point });
      }
    });
    element("ask").addEventListener("click", () => ask({ do: "ask" }));
  }

  /**
   * Name the options of a snapshot, if there are any.
   * @param {Protocol.Snapshot["state"]} state
   * @param {Arrangement} arrangement
   */
  show({ asking }, { points, all, tall }) {
    const layer = element("asking");
    const shown = JSON.stringify([asking?.question, asking?.options, asking?.sure, tall, document.documentElement.lang]);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    const focused = document.activeElement?.closest("#asking") ? document.activeElement.getAttribute("data-at") : null;
    const buttons = Object.entries(asking?.options ?? {}).map(([at, does]) => {
      const name = optionName(does);
      const button = part("button", { type: "button", textContent: asking?.sure ? say("asking.again", { what: name }) : name });
      const { x, y } = points.get(at) ?? { x: 0, y: 0 };
      button.dataset.at = at;
      button.style.left = `${(100 * (x - all.x)) / all.width}%`;
      button.style.top = `${(100 * (y - all.y)) / all.height}%`;
      return button;
    });
    layer.hidden = !buttons.length;
    layer.style.setProperty("--unit", `${100 / all.width}cqw`);
    layer.replaceChildren(...buttons);
    if (focused !== null) {
      (buttons.find(({ dataset }) => dataset.at === focused) ?? buttons[0])?.focus({ preventScroll: true });
    }
  }
}

/**
 * Return the name of an option in the page's language.
 * @param {string} does
 */
export function optionName(does) {
  const [option = "", value] = does.split(":");
  if (value === undefined) {
    return say(`option.${option}`);
  }
  if (option.endsWith("clock")) {
    // No unit is alone on a line, nor a plus sign.
    return clockName(does.slice(option.length + 1)).replace(/ (min|s)\b/g, "\u00a0$1").replace("+ ", "+\u00a0");
  }
  switch (option) {
    case "rules": {
      const name = value;
      return say(`rules.${name}`);
    }
    case "theme": {
      const theme = value;
      return say(`theme.${theme}`);
    }
    case "starts": {
      const starts = value;
      return say(`option.starts.${starts}`);
    }
    case "odds": {
      const [side = "", count] = value.split("-");
      return count === undefined ? say("option.odds.even") : say(`option.odds.${side}`, { count });
    }
    case "engine":
      return say("option.level", { count: value });
    default: {
      const count = value.slice(0, -1); // without the percent sign
      return say("option.percent", { count }).replace(" %", "\u00a0%"); // not on a line of its own
    }
  }
}
