// The workshop, as the settings offer it: the board's set-up and its examination. Each begins once somebody has touched
// the point at the board that is lit for it; the page then goes by itself to where the board asks.

import { question } from "./controls.js";
import { button, part } from "./parts.js";
import { learn, say } from "./words.js";

/** @import { Views } from "./views.js" */

await learn("workshop");

/**
 * Return what there is to begin; a simulated board is never set up here.
 * @param {boolean} simulated
 * @param {(kind: "setup" | "doctor") => Promise<boolean>} ask
 * @param {Views} views
 */
export function offers(simulated, ask, views) {
  /**
   * @param {"setup" | "doctor"} kind
   * @param {string} text
   * @param {string} yes
   */
  const begin = async (kind, text, yes) => {
    if ((await question(text, { yes })) && (await ask(kind))) {
      views.close();
    }
  };
  const setup = button(say("workshop.setup"), () => begin("setup", say("workshop.ask.setup"), say("workshop.begin.setup")));
  const doctor = button(say("workshop.doctor"), () => begin("doctor", say("workshop.ask.doctor"), say("workshop.begin.doctor")));
  return [...(simulated ? [] : [setup]), doctor, part("p", {}, say("workshop.says"))];
}
