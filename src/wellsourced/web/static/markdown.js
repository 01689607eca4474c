// The reader's markdown as elements: headings, paragraphs, lists, quotes, code, tables, notes. Never as markup; what
// is not understood stays as it is written. Blocks know at which character of the text they begin.

import { h } from "./dom.js";
import { inline } from "./inline.js";

const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const BULLET = /^\s{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const NUMBER = /^\s{0,12}(\d{1,9})[.)][ \t]/;
const FENCE = /^(```|~~~)/;
const NOTE = /^\[\^([^\]\s]{1,30})\]:[ \t]*/;
const RULE = /^[\s|:-]+$/;
const LONG_TABLE = 60;

// `top` is the level of the text's highest heading, so that none is left out below what stands around it.
export function rendered(text, start = 0, { onImage, top = 3 } = {}) {
  const blocks = [];
  const levels = [];
  let lines = [];
  let kind = null;
  let begins = start;
  let at = start;
  const close = () => {
    if (lines.length) blocks.push(block(kind, lines, { at: begins, onImage, top, levels }));
    lines = [];
    kind = null;
  };
  for (const line of text.split("\n")) {
    const found = kind === "code" ? "code" : kindOf(line);
    if (kind === "code" && FENCE.test(line)) close();
    else {
      if (found !== kind || found === "heading" || found === "note") close();
      if (!lines.length) begins = at;
      if (found) {
        kind = found;
        if (found !== "code" || lines.length || !FENCE.test(line)) lines.push(line);
        else lines.push("");
      }
    }
    at += length(line) + 1;
  }
  close();
  return blocks;
}

// Characters as the server counts them; JavaScript counts those beyond the first 65,536 twice.
function length(line) {
  let count = line.length;
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) count -= 1;
  }
  return count;
}

function kindOf(line) {
  if (!line.trim()) return null;
  if (FENCE.test(line)) return "code";
  if (HEADING.test(line)) return "heading";
  if (NOTE.test(line)) return "note";
  if (line.startsWith(">")) return "quote";
  if (BULLET.test(line)) return "list";
  if (line.startsWith("|")) return "table";
  return "paragraph";
}

function block(kind, lines, { at, onImage, top, levels }) {
  const running = (text) => inline(text, onImage);
  const given = { dir: "auto", "data-at": at };
  if (kind === "heading") return heading(lines[0], at, top, levels);
  if (kind === "code") return h("pre", { tabindex: 0, "data-at": at }, lines.slice(1).join("\n"));
  if (kind === "table") return table(lines, running, at);
  if (kind === "note") return note(lines, running, at);
  if (kind === "quote")
    return h("blockquote", given, running(lines.map((line) => line.replace(/^>\s?/, "")).join("\n")));
  if (kind === "list")
    return h(
      NUMBER.test(lines[0]) ? "ol" : "ul",
      given,
      lines.map((line) => item(line, running)),
    );
  const parts = running(lines.join("\n"));
  const isPictures = parts.some((part) => part.tagName === "FIGURE");
  return h(isPictures ? "div" : "p", given, parts);
}

// A number stays what it is in the text, which may begin anywhere. The list says on which side the marks stand.
function item(line, running) {
  const number = NUMBER.exec(line)?.[1];
  return h("li", { value: number, class: number ? "numbered" : "bulleted" }, running(line.replace(BULLET, "")));
}

// A heading stands one below the last higher one, whatever the page skipped.
function heading(line, at, top, levels) {
  const [, marks, title] = HEADING.exec(line);
  while (levels.length && levels.at(-1) >= marks.length) levels.pop();
  levels.push(marks.length);
  const level = Math.min(top + levels.length - 1, 6);
  return h(`h${level}`, { id: `at-${at}`, "data-at": at, tabindex: -1, dir: "auto" }, inline(title));
}

function note(lines, running, at) {
  const [, label] = NOTE.exec(lines[0]);
  const text = lines.join("\n").replace(NOTE, "");
  return h(
    "p",
    { class: "note", "data-note": label, "data-at": at, tabindex: -1, dir: "auto" },
    h("sup", {}, label),
    " ",
    running(text),
  );
}

function table(lines, running, at) {
  const rows = lines.map(cells);
  const hasHead = rows.length > 1 && RULE.test(lines[1]);
  const [head, body] = hasHead ? [rows[0], rows.slice(2)] : [null, rows];
  const names = head?.some(Boolean)
    ? h(
        "thead",
        {},
        h(
          "tr",
          {},
          head.map((text) => h("th", { scope: "col", dir: "auto" }, running(text))),
        ),
      )
    : null;
  const made = body.map((row) =>
    h(
      "tr",
      {},
      row.map((text) => h("td", { dir: "auto" }, running(text))),
    ),
  );
  const portions = [];
  for (let index = 0; index < made.length; index += LONG_TABLE)
    portions.push(h("tbody", {}, made.slice(index, index + LONG_TABLE)));
  return h(
    "div",
    { class: "scroll table", tabindex: 0, role: "group", "aria-label": "Table", "data-at": at },
    h("table", {}, names, portions),
  );
}

// The cells between bars; a bar behind a backslash is text.
function cells(line) {
  const parts = line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  const joined = [];
  for (const part of parts) {
    if (joined.length && joined.at(-1).endsWith("\\")) joined.push(`${joined.pop().slice(0, -1)}|${part}`);
    else joined.push(part);
  }
  return joined.map((cell) => cell.trim());
}

export function plainTitle(text) {
  return text.replace(/!?\[([^\]]{0,300})\]\([^)]{0,2000}\)/g, "$1").replace(/[*`]/g, "");
}
