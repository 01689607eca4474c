// Quoting what is selected: the words go to a project, with their link and a receipt for where they stood.

import { announce, h } from "./dom.js";
import { keeping } from "./keep.js";
import { isFree } from "./keys.js";
import { copyButton, notice } from "./parts.js";

const LONGEST = 2000;

// Three clicks on the last paragraph select up to what follows the text: that is cut off.
function selected(root) {
  const selection = document.getSelection();
  if (!selection.rangeCount || !root.contains(selection.getRangeAt(0).startContainer)) return "";
  const range = selection.getRangeAt(0).cloneRange();
  const isInside = root.contains(range.endContainer);
  if (!isInside) range.setEndAfter(root.lastChild);
  return (isInside ? selection : range).toString().replace(/\s+/g, " ").trim();
}

// A bar beside the text: it says what is selected, and what can be done with it.
export function quoteBar(text, page, signal) {
  const shown = h("div", {});
  const button = h(
    "button",
    { type: "button", disabled: true, "aria-keyshortcuts": "q", click: take },
    "Quote the selection",
  );
  const watch = () => {
    button.disabled = !selected(text);
  };
  const press = (event) => {
    if (event.key !== "q" || !isFree(event) || !selected(text)) return;
    event.preventDefault();
    take();
  };
  document.addEventListener("selectionchange", watch, { signal });
  document.addEventListener("keydown", press, { signal });
  function take() {
    const words = selected(text);
    if (!words) return void announce("Nothing is selected in the text.");
    if (words.length > LONGEST)
      return void shown.replaceChildren(
        notice(
          "warning",
          "Too long to quote",
          h("p", {}, `${words.length} characters are selected; ${LONGEST} is the most.`),
        ),
      );
    const url = page.finalUrl || page.url;
    const keep = keeping({
      label: "Keep in a project",
      suggestion: page.citation.metadata.title || "",
      items: () => [{ kind: "quote", url, quote: words }],
      signal,
    });
    shown.replaceChildren(
      h(
        "figure",
        { class: "quote" },
        h("blockquote", { dir: "auto", tabindex: -1 }, words),
        h("figcaption", {}, page.citation.metadata.title || url),
      ),
      h("div", { class: "actions" }, keep, copyButton(`“${words}” ${url}`, "quotation")),
    );
    shown.querySelector("blockquote").focus();
    announce("Quoted.");
    return null;
  }
  return h("div", { class: "quoting" }, button, shown);
}
