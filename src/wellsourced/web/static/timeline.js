// Sources along time: one line each while they are few, stacked dots when they are many.

import { day, go, svg } from "./dom.js";
import { readerLink } from "./evidence_board.js";
import { picture, shortened } from "./picture.js";
import { scale, yearOf, yearTicks } from "./scale.js";

const WIDTH = 900;
const LINE = 26;
const MOST_LINES = 24;
const EDGE = 16;

// rows: {title, url, date, kind, marks, quote, at}; without two dates there is nothing to draw.
export function timeline(title, rows) {
  const dated = rows
    .map((row) => ({ ...row, year: yearOf(row.date) }))
    .filter(({ year }) => year !== null)
    .sort((one, other) => one.year - other.year);
  if (dated.length < 2) return null;
  const least = Math.floor(dated[0].year);
  const most = Math.max(dated.at(-1).year, least + 1);
  const across = scale([least, most], [EDGE, WIDTH - EDGE]);
  const isShort = dated.length <= MOST_LINES;
  const height = (isShort ? dated.length * LINE : 160) + 40;
  const dots = isShort
    ? dated.map((row, index) => line(row, across(row.year), index * LINE + 22))
    : stacked(dated, across, height - 44);
  const axis = yearTicks(least, most).map((year) => tick(across(year), year, height));
  const words = `${dated.length} sources from ${day(dated[0].date)} to ${day(dated.at(-1).date)}`;
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words, class: "timeline" },
    axis,
    dots,
  );
  const left = rows.length - dated.length;
  return picture({
    title,
    drawing,
    file: "timeline",
    note: left ? `${left} without a date are not drawn.` : null,
    columns: ["Date", "Source", "Kind", "Marks", "Address"],
    rows: dated.map((row) => [
      row.date,
      row.title || row.url,
      row.kind || "",
      (row.marks || []).map(({ words: text }) => text).join(", "),
      row.url,
    ]),
    show: (cells, column) =>
      column === 1 ? readerLink({ url: cells[4] }, cells[1]) : column ? cells[column] : day(cells[0]),
  });
}

function tick(x, year, height) {
  const anchor = x > WIDTH - 40 ? "end" : x < 40 ? "start" : "middle";
  return [
    svg("line", { x1: x, x2: x, y1: 4, y2: height - 24, class: "rule" }),
    svg("text", { x, y: height - 6, "text-anchor": anchor, class: "tick" }, year),
  ];
}

function toneOf(row) {
  return row.marks?.some(({ tone }) => tone === "bad") ? "dot bad" : "dot";
}

function dot(row, x, y) {
  const open = () => go("read", { url: row.url, quote: row.quote, at: row.at });
  return svg(
    "circle",
    { cx: x, cy: y, r: 6, class: toneOf(row), click: open },
    svg("title", {}, `${day(row.date)} · ${row.title || row.url}`),
  );
}

function line(row, x, y) {
  const isLate = x > WIDTH * 0.6;
  const given = { x: isLate ? x - 14 : x + 14, y: y + 5, "text-anchor": isLate ? "end" : "start", class: "label" };
  return [dot(row, x, y), svg("text", given, shortened(row.title || row.url, 62))];
}

function stacked(rows, across, floor) {
  const heights = new Map();
  return rows.map((row) => {
    const column = Math.round(across(row.year) / 13);
    const level = heights.get(column) || 0;
    heights.set(column, level + 1);
    return dot(row, column * 13, Math.max(8, floor - (level % 11) * 13));
  });
}
