// The reader's markdown as elements: headings, paragraphs, lists, quotes, code, links. Never as markup; what is
// not understood stays as it is written. Blocks know at which character of the text they begin.

import { h, isWebAddress, link } from "./dom.js";

const LONGEST_INLINE = 20_000;
const HEADING = /^(#{1,6})[ \t]+(\S.*)$/;
const BULLET = /^\s{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const NUMBER = /^\s{0,12}(\d{1,9})[.)][ \t]/;
const FENCE = /^(```|~~~)/;

export function rendered(text, start = 0) {
  const blocks = [];
  let lines = [];
  let kind = null;
  let begins = start;
  let at = start;
  const close = () => {
    if (lines.length) blocks.push(block(kind, lines, begins));
    lines = [];
    kind = null;
  };
  for (const line of text.split("\n")) {
    const found = kind === "code" ? "code" : kindOf(line);
    if (kind === "code" && FENCE.test(line)) close();
    else {
      if (found !== kind || found === "heading") close();
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
  if (line.startsWith(">")) return "quote";
  if (BULLET.test(line)) return "list";
  if (line.startsWith("|")) return "table";
  return "paragraph";
}

function block(kind, lines, at) {
  if (kind === "heading") return heading(lines[0], at);
  if (kind === "code") return h("pre", { tabindex: 0 }, lines.slice(1).join("\n"));
  if (kind === "table") return h("pre", { tabindex: 0, class: "table" }, lines.join("\n"));
  if (kind === "quote")
    return h("blockquote", { dir: "auto" }, inline(lines.map((line) => line.replace(/^>\s?/, "")).join("\n")));
  if (kind === "list")
    return h(NUMBER.test(lines[0]) ? "ol" : "ul", { dir: "auto" }, lines.map(item));
  return h("p", { dir: "auto" }, inline(lines.join("\n")));
}

// A number stays what it is in the text, which may begin anywhere. The list says on which side the marks stand.
function item(line) {
  const number = NUMBER.exec(line)?.[1];
  const given = { value: number, class: number ? "numbered" : "bulleted" };
  return h("li", given, inline(line.replace(BULLET, "")));
}

// The page has its own first two levels, so that a text's headings come below them.
function heading(line, at) {
  const [, marks, title] = HEADING.exec(line);
  return h(`h${Math.min(marks.length + 2, 6)}`, { id: `at-${at}`, tabindex: -1, dir: "auto" }, inline(title));
}

export function plainTitle(text) {
  return text.replace(/!?\[([^\]]{0,300})\]\([^)]{0,2000}\)/g, "$1").replace(/[*`]/g, "");
}

// One pass from left to right: every mark either opens something that closes nearby or is text.
export function inline(text) {
  if (text.length > LONGEST_INLINE) return [text];
  const parts = [];
  let plain = "";
  let index = 0;
  const flush = () => {
    if (plain) parts.push(plain);
    plain = "";
  };
  while (index < text.length) {
    const found = piece(text, index);
    if (found) {
      flush();
      parts.push(found.node);
      index = found.end;
    } else {
      plain += text[index];
      index += 1;
    }
  }
  flush();
  return parts;
}

function piece(text, index) {
  const mark = text[index];
  if (mark === "\\" && /[!-/:-@[-`{-~]/.test(text[index + 1] || "")) return { node: text[index + 1], end: index + 2 };
  if (mark === "!" && text[index + 1] === "[")
    return linked(text, index + 1, (address, words) =>
      h("span", { class: "faint" }, `[image: ${words || "no description"}]`),
    );
  if (mark === "[")
    return linked(text, index, (address, words) => {
      const label = inline(words);
      return isWebAddress(address) ? link(address, words && label) : h("span", {}, label);
    });
  if (mark === "`") return wrapped(text, index, "`", "code");
  if (text.startsWith("**", index)) return wrapped(text, index, "**", "strong");
  if (text.startsWith("~~", index)) return wrapped(text, index, "~~", "del");
  if (mark === "*" && /\S/.test(text[index + 1] || "")) return wrapped(text, index, "*", "em");
  return null;
}

function wrapped(text, index, mark, tag) {
  const end = near(text, mark, index + mark.length, 400);
  if (end <= index + mark.length) return null;
  const inner = text.slice(index + mark.length, end);
  return { node: h(tag, {}, tag === "code" ? inner : inline(inner)), end: end + mark.length };
}

function linked(text, index, make) {
  const middle = near(text, "](", index + 1, 400);
  if (middle < 0) return null;
  const end = near(text, ")", middle + 2, 2000);
  if (end < 0) return null;
  const address = text
    .slice(middle + 2, end)
    .trim()
    .split(/\s/)[0]
    .replace(/^<|>$/g, "");
  return { node: make(address, text.slice(index + 1, middle)), end: end + 1 };
}

function near(text, mark, from, most) {
  const found = text.slice(from, from + most).indexOf(mark);
  return found < 0 ? -1 : from + found;
}
