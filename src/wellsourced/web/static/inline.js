// Running text out of markdown: emphasis, code, links, formulas, notes. One pass from left to right, never as markup:
// every mark either opens something that closes nearby or is text.

import { h, isWebAddress, link } from "./dom.js";
import { formula } from "./formula.js";

const LONGEST = 20_000;

// `onImage` makes what stands for an image; without it, its words do.
export function inline(text, onImage) {
  if (text.length > LONGEST) return [text];
  const parts = [];
  let plain = "";
  let index = 0;
  const flush = () => {
    if (plain) parts.push(plain);
    plain = "";
  };
  while (index < text.length) {
    const found = piece(text, index, onImage);
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

function piece(text, index, onImage) {
  const mark = text[index];
  if (mark === "\\" && /[!-/:-@[-`{-~]/.test(text[index + 1] || "")) return { node: text[index + 1], end: index + 2 };
  if (mark === "!" && text[index + 1] === "[")
    return linked(text, index + 1, (address, words) => picture(address, words, onImage));
  if (mark === "[" && text[index + 1] === "^") return note(text, index);
  if (mark === "[")
    return linked(text, index, (address, words) => {
      const label = inline(words, onImage);
      return isWebAddress(address) ? link(address, words && label) : h("span", {}, label);
    });
  if (mark === "$") return tex(text, index);
  if (mark === "`") return wrapped(text, index, "`", "code", onImage);
  if (text.startsWith("**", index)) return wrapped(text, index, "**", "strong", onImage);
  if (text.startsWith("~~", index)) return wrapped(text, index, "~~", "del", onImage);
  if (mark === "*" && /\S/.test(text[index + 1] || "")) return wrapped(text, index, "*", "em", onImage);
  return null;
}

function picture(address, words, onImage) {
  if (onImage && isWebAddress(address)) return onImage(address, words);
  return h("span", { class: "faint" }, `[image: ${words || "no description"}]`);
}

// A mark leads to its note at the end of the text; both are made only where the text has them.
function note(text, index) {
  const found = /^\[\^([^\]\s]{1,30})\]/.exec(text.slice(index, index + 40));
  if (!found) return null;
  const go = (event) => {
    event.preventDefault();
    const target = event.target.closest("article, main")?.querySelector(`[data-note="${CSS.escape(found[1])}"]`);
    target?.scrollIntoView({ block: "center" });
    target?.focus();
  };
  return {
    node: h(
      "sup",
      {},
      h("a", { href: "#", class: "note-mark", "aria-label": `Note ${found[1]}`, click: go }, found[1]),
    ),
    end: index + found[0].length,
  };
}

// Money is no formula: what is between two dollars must begin and end without a space, and no figure follows.
function tex(text, index) {
  const marks = text.startsWith("$$", index) ? "$$" : "$";
  const end = near(text, marks, index + marks.length, 1500);
  if (end <= index + marks.length) return null;
  const inner = text.slice(index + marks.length, end);
  const isMoney =
    marks === "$" &&
    (/^\s|\s$|\n\n/.test(inner) ||
      /\d/.test(text[end + 1] || "") ||
      !/[\\^_=a-zA-Z]/.test(inner) ||
      /\s\w{4,}\s/.test(inner));
  return isMoney ? null : { node: formula(inner, marks === "$$"), end: end + marks.length };
}

function wrapped(text, index, mark, tag, onImage) {
  const end = near(text, mark, index + mark.length, 400);
  if (end <= index + mark.length) return null;
  const inner = text.slice(index + mark.length, end);
  return { node: h(tag, {}, tag === "code" ? inner : inline(inner, onImage)), end: end + mark.length };
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
