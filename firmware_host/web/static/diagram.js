// A position as books print it: lines on paper and flat pieces, so that nobody takes it for the board.

import { arrange } from "./geometry.js";
import { place, svg } from "./svg.js";

const PIECE = 0.34; // radius
const AROUND = 0.55;
const FILES = "abcdefghijklmnop";

/** Draw into `root` what stands (names of points to kinds of pieces), and mark the points in `landed`. */
export function drawDiagram(root, layout, { standing, landed }) {
  const { points, field } = arrange(layout, false, false);
  const margin = AROUND / 2;
  root.setAttribute(
    "viewBox",
    [field.x - margin, field.y - margin, field.width + 2 * margin, field.height + 2 * margin].join(" "),
  );
  root.replaceChildren(
    svg("rect", { class: "paper", ...field, rx: 0.12 }),
    ...layout.lines.map((line) => svg("polyline", { class: "ink", points: line.map((name) => xy(points.get(name))).join(" ") })),
    ...[...points.values()].map(({ x, y }) => svg("circle", { class: "dot", cx: x, cy: y, r: 0.09 })),
    ...margins(points, field),
    ...Object.entries(standing).map(([name, kind]) => piece(points.get(name), kind, landed.includes(name))),
  );
}

const xy = ({ x, y }) => `${x},${y}`;

function piece(spot, kind, landed) {
  const [player] = kind.split("-");
  const drawn = svg("g", { class: `flat ${player}`, "data-piece": kind });
  drawn.append(svg("circle", { r: PIECE }));
  if (landed) {
    drawn.append(svg("circle", { class: "landed", r: PIECE + 0.09 }));
  }
  place(drawn, spot);
  return drawn;
}

function margins(points, field) {
  const named = new Map();
  for (const [name, { x, y }] of points) {
    named.set(name[0], { x, y: field.y + field.height - 0.14 });
    named.set(name.slice(1), { x: field.x + 0.22, y: y + 0.09 });
  }
  return [...named]
    .filter(([name]) => FILES.includes(name) || /^\d+$/.test(name))
    .map(([name, { x, y }]) => Object.assign(svg("text", { class: "margin", x, y }), { textContent: name }));
}
