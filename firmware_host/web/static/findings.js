// The doctor's findings, with what to do about each, and the report as a file. Those about what doesn't work come first.

import { logOffer, save } from "./logs.js";
import { button, part } from "./parts.js";
import { element } from "./required.js";
import { learn, say, tell } from "./words.js";

/** @typedef {NonNullable<Protocol.Setup["findings"]>} Findings */

await Promise.all([learn("doctor"), learn("faults")]); // an error of a driver is a finding as well

const FILE = "millwright-report.json";
const ORDER = ["fault", "warning", "skipped", "pass"];

/**
 * Show the findings below the answers.
 * @param {Findings} findings
 * @param {() => Promise<string>} report
 * @param {() => Promise<string>} log
 */
export function show(findings, report, log) {
  const section = element("findings");
  section.hidden = !findings.length;
  if (section.dataset.shown === JSON.stringify(findings)) {
    return;
  }
  section.dataset.shown = JSON.stringify(findings);
  const ordered = [...findings].sort((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
  section.replaceChildren(
    part("h2", {}, say("setup.doctor.findings")),
    part("ul", {}, ...ordered.map(item)),
    button(say("setup.doctor.report"), async () => save(FILE, await report())),
    part("p", {}, say("setup.doctor.report.says")),
    logOffer(log),
  );
}

/** @param {Findings[number]} finding */
function item({ check, check_said, verdict, found, found_said, mend, mend_said }) {
  const text = part("span", {}, `${tell(check_said, check)}: ${tell(found_said, found)}`);
  const fix = mend ? [part("p", {}, `→ ${tell(mend_said ?? undefined, mend)}`)] : [];
  return part("li", { className: verdict }, part("b", {}, say(`setup.doctor.verdict.${verdict}`)), " ", text, ...fix);
}
