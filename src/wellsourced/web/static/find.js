// Words found in a shown text, without changing it: marked by the browser, stepped through, and said.

import { announce, h, newId } from "./dom.js";

const LONGEST = 2_000_000;
const MOST = 2000;

// The text of an element as one string with single spaces, and where each character stands.
function laidOut(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const places = [];
  let text = "";
  for (let node = walker.nextNode(); node && text.length < LONGEST; node = walker.nextNode()) {
    places.push([text.length, node]);
    text += node.data;
  }
  return { text, places };
}

function rangeAt({ places }, start, end) {
  const at = (index) => {
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (places[middle][0] <= index) low = middle;
      else high = middle - 1;
    }
    return [places[low][1], index - places[low][0]];
  };
  const range = document.createRange();
  range.setStart(...at(start));
  const [node, offset] = at(end - 1);
  range.setEnd(node, offset + 1);
  return range;
}

// Where the words stand, whatever their spacing and case; blank space between them may be of any kind.
export function findRanges(root, words, most = MOST) {
  const parts = words.trim().split(/\s+/).filter(Boolean).slice(0, 400);
  if (!parts.length) return [];
  const pattern = new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s{1,20}"), "giu");
  const laid = laidOut(root);
  const found = [];
  for (const match of laid.text.matchAll(pattern)) {
    found.push(rangeAt(laid, match.index, match.index + match[0].length));
    if (found.length >= most) break;
  }
  return found;
}

export function highlight(name, ranges) {
  if (!window.Highlight || !CSS.highlights) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

export function reach(range) {
  const element = range.startContainer.parentElement;
  const block = element.closest("[data-at], li, p") || element;
  block.scrollIntoView({ block: "center" });
  return block;
}

export function findBar(root) {
  const id = newId("find");
  let ranges = [];
  let at = -1;
  const count = h("span", { class: "meta", role: "status" });
  const input = h("input", { id, type: "search", autocomplete: "off", input: look, keydown: press });
  const step = (by, text) => h("button", { type: "button", class: "quiet", click: () => move(by) }, text);
  function look() {
    ranges = input.value.trim().length > 1 ? findRanges(root(), input.value) : [];
    at = -1;
    highlight("found", ranges);
    if (ranges.length) move(1);
    else {
      highlight("at", []);
      count.textContent = input.value.trim().length > 1 ? "not in this text" : "";
    }
  }
  function move(by) {
    if (!ranges.length) return;
    at = (at + by + ranges.length) % ranges.length;
    highlight("at", [ranges[at]]);
    reach(ranges[at]);
    count.textContent = `${at + 1} of ${ranges.length}`;
    announce(count.textContent);
  }
  function press(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    move(event.shiftKey ? -1 : 1);
  }
  return h(
    "div",
    { class: "find", role: "search" },
    h("label", { for: id }, "Find in this text"),
    input,
    step(-1, "Previous"),
    step(1, "Next"),
    count,
  );
}
