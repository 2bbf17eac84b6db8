// Mitsudomoe for people who have never played it: all of its rules, and a lesson of three turns that show the aim, open
// rings, a vault, and who moves the vaulted ball.

import { part } from "./parts.js";
import { learn, say } from "./words.js";

/** @import { Course } from "./lesson.js" */

await learn("mitsudomoe");

/** @type {Course} */
export const MITSUDOMOE = {
  rules: "lesson-mitsudomoe",
  game: "mitsudomoe",
  turns: [
    {
      turn: "+b2 a1-b2",
      text: () => say("mitsudomoe.aim", { points: ["b2"] }),
      more: [() => say("mitsudomoe.ball", { from: ["a1"], points: ["b2"] })],
    },
    { turn: "+d3 e4-d3" },
    {
      turn: "a1>c3 b2-c3",
      text: () => say("mitsudomoe.open", { from: ["a1"], points: ["c3"] }),
      more: [() => say("mitsudomoe.ball-again", { from: ["b2"], points: ["c3"] })],
    },
    { turn: "+d4 e5-d4" },
    {
      turn: "+e5 c3^e5/d4-e4",
      text: () => say("mitsudomoe.cover", { points: ["e5"] }),
      more: [
        () => say("mitsudomoe.vault", { from: ["c3"], others: ["d4"], points: ["e5"] }),
        () => say("mitsudomoe.relocate", { from: ["d4"], points: ["e4"] }),
      ],
    },
  ],
  end: () => say("mitsudomoe.end"),
};

/** Return the rules on one page: a list of names and what each means. */
export function wholeRules() {
  const rules = [
    [say("mitsudomoe.rule.aim"), say("mitsudomoe.rule.aim-says")],
    [say("mitsudomoe.rule.ring"), say("mitsudomoe.rule.ring-says")],
    [say("mitsudomoe.rule.ball"), say("mitsudomoe.rule.ball-says")],
    [say("mitsudomoe.rule.vault"), say("mitsudomoe.rule.vault-says")],
    [say("mitsudomoe.rule.vaulted"), say("mitsudomoe.rule.vaulted-says")],
    [say("mitsudomoe.rule.goal"), say("mitsudomoe.rule.goal-says")],
    [say("mitsudomoe.rule.lost"), say("mitsudomoe.rule.lost-says")],
    [say("mitsudomoe.rule.draw"), say("mitsudomoe.rule.draw-says")],
  ];
  const items = rules.flatMap(([name = "", text = ""]) => [part("dt", { textContent: name }), part("dd", { textContent: text })]);
  return [part("dl", {}, ...items)];
}
