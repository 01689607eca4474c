// A map of independence: the works that sources rest on, the sources, and the copies of them.

import { go, link, svg } from "./dom.js";
import { hostOf } from "./evidence_rows.js";
import { picture, shortened } from "./picture.js";

const COLUMNS = [0, 330, 660];
const BOX = { width: 250, height: 40 };
const STEP = 54;
const WORDS = { copies: "copies the text of", publisher: "has the same publisher as", cites: "rests on" };

export function independenceMap(rows) {
  const sources = rows.filter(({ state, url }) => state === "read" && url);
  const edges = sources.flatMap(edgesOf);
  if (!edges.length) return null;
  const related = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const known = new Map(sources.filter(({ url }) => related.has(url)).map((row) => [row.url, row]));
  for (const { to } of edges) if (!known.has(to)) known.set(to, { url: to, title: hostOf(to) || to, isOutside: true });
  const places = arranged(known, edges);
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + BOX.height + 8;
  const width = COLUMNS[2] + BOX.width + 8;
  const words = edges
    .map(({ from, to, kind }) => `${hostOf(from)} ${WORDS[kind]} ${hostOf(to)}`)
    .slice(0, 20)
    .join("; ");
  const drawing = svg(
    "svg",
    {
      viewBox: `-4 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Who rests on whom: ${words}`,
      class: "independence",
    },
    edges.map(({ from, to, kind }) => arrow(places.get(from), places.get(to), kind)),
    [...known.values()].map((row) => box(row, places.get(row.url))),
  );
  const copied = sources.filter(({ sameTextAs }) => sameTextAs).length;
  return picture({
    title: "Who copied whom",
    drawing,
    file: "independence",
    note: `${sources.length - copied} of ${sources.length} are no copies. Left: works they rest on. Right: copies.`,
    columns: ["Source", "Relation", "Other source"],
    rows: edges.map(({ from, to, kind }) => [from, WORDS[kind], to]),
    show: (cells, column) =>
      column === 1 ? cells[1] : link(cells[column], known.get(cells[column])?.title || cells[column]),
  });
}

function edgesOf(row) {
  const cites = (row.standing || []).filter(
    ({ kind, url }) => url && ["cites", "print_of_press_release"].includes(kind),
  );
  return [
    row.sameTextAs ? { from: row.url, to: row.sameTextAs, kind: "copies" } : null,
    row.samePublisherAs && !row.sameTextAs ? { from: row.url, to: row.samePublisherAs, kind: "publisher" } : null,
    ...cites.filter(({ url }) => url !== row.sameTextAs).map(({ url }) => ({ from: row.url, to: url, kind: "cites" })),
  ].filter(Boolean);
}

// Copies to the right of the middle, works that are rested on to its left; a copy stands near its origin.
function arranged(known, edges) {
  const copies = new Set(edges.filter(({ kind }) => kind === "copies").map(({ from }) => from));
  const works = new Set(edges.filter(({ kind, to }) => kind === "cites" && !copies.has(to)).map(({ to }) => to));
  const used = [0, 0, 0];
  const places = new Map();
  for (const url of known.keys()) {
    const column = copies.has(url) ? 2 : works.has(url) ? 0 : 1;
    places.set(url, { x: COLUMNS[column], y: used[column] * STEP + 4 });
    used[column] += 1;
  }
  return places;
}

function arrow(from, to, kind) {
  const isLeft = to.x < from.x;
  const [x1, x2] = isLeft ? [from.x, to.x + BOX.width] : [from.x, to.x];
  const [y1, y2] = [from.y + BOX.height / 2, to.y + BOX.height / 2];
  const bend = isLeft ? (x1 + x2) / 2 : Math.min(x1, x2) - 40;
  const head = isLeft
    ? `M${x2 + 8} ${y2 - 4}L${x2} ${y2}L${x2 + 8} ${y2 + 4}`
    : `M${x2 - 8} ${y2 - 4}L${x2} ${y2}L${x2 - 8} ${y2 + 4}`;
  return svg("path", { d: `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}${head}`, class: `edge ${kind}` });
}

function box(row, { x, y }) {
  const isBad = row.marks?.some(({ tone }) => tone === "bad");
  return svg(
    "g",
    {
      class: `node ${row.isOutside ? "outside" : ""} ${isBad ? "bad" : ""}`,
      click: () => go("read", { url: row.url }),
    },
    svg("rect", { x, y, width: BOX.width, height: BOX.height, rx: 6 }, svg("title", {}, row.title || row.url)),
    svg("text", { x: x + 10, y: y + 17, class: "label" }, shortened(row.title || row.url, 34)),
    svg("text", { x: x + 10, y: y + 33, class: "tick" }, shortened(hostOf(row.url), 38)),
  );
}
