// Small bar charts as SVG, with the figures in words beside them.

import { h, svg } from "./dom.js";

const WIDTH = 200;
const HEIGHT = 10;
const MOST = 60;

// rows: {name, parts: [[value, tone, meaning]], note}
export function bars(title, rows) {
  const shown = rows.slice(0, MOST);
  const most = Math.max(1, ...shown.map((row) => row.parts.reduce((sum, [value]) => sum + value, 0)));
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, title),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        shown.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, row.name),
            h("td", { class: "bar-cell" }, bar(row, most)),
            h("td", { class: "number" }, row.note),
          ),
        ),
      ),
    ),
  );
}

function bar(row, most) {
  let at = 0;
  const pieces = row.parts
    .filter(([value]) => value > 0)
    .map(([value, tone]) => {
      const width = Math.max(1.5, (value / most) * WIDTH);
      const piece = svg("rect", { x: at, y: 0, width, height: HEIGHT, rx: 2, class: `bar ${tone}` });
      at += width;
      return piece;
    });
  const words = row.parts.map(([value, , meaning]) => `${meaning} ${value}`).join(", ");
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `${row.name}: ${words}`,
    },
    pieces,
  );
}
