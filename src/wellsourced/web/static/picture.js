// The frame of every picture: a title, the drawing, the same as a table, and both as files.

import { h } from "./dom.js";
import { saveCsv, saveSvg } from "./files.js";
import { longTable } from "./long_table.js";

// `show` makes the cells of the table where they are more than text; `extra` are further controls.
export function picture({ title, drawing, columns, rows, show, file, note, extra = [], isOpen = false }) {
  const buttons = [
    ...extra,
    h("button", { type: "button", click: () => saveSvg(`${file}.svg`, drawing) }, "Save as SVG"),
    h("button", { type: "button", click: () => saveCsv(`${file}.csv`, columns, rows) }, "Save as CSV"),
  ];
  const holder = h("div", {});
  const fill = () => holder.childElementCount || holder.append(longTable({ name: title, columns, rows, show }));
  if (isOpen) fill();
  return h(
    "figure",
    { class: "picture" },
    h("figcaption", {}, h("h2", {}, title), note ? h("p", { class: "faint" }, note) : null),
    h("div", { class: "drawing scroll", tabindex: 0, role: "group", "aria-label": `${title}, drawn` }, drawing),
    h("div", { class: "actions" }, buttons),
    h("details", { open: isOpen, toggle: fill }, h("summary", {}, "As a table"), holder),
  );
}

export function shortened(text, most) {
  const letters = [...String(text || "")];
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : letters.join("");
}
