// Read a page: its text, its outline, the passages that answer a question, and how to cite it.

import { call, watch } from "./api.js";
import { announce, day, go, h, link, within } from "./dom.js";
import { findBar, findRanges, highlight, reach } from "./find.js";
import { imageOnRequest } from "./image.js";
import { keeping } from "./keep.js";
import { plainTitle, rendered } from "./markdown.js";
import { failed } from "./outcome.js";
import { citation, traits, warnings } from "./page_facts.js";
import { busy, field, notice, values } from "./parts.js";
import { quoteBar } from "./quoting.js";

export const title = "Read";
export const lead =
  "A page, PDF, document, video or thread as clean text. Walls and logins are told as such, never as content.";

const MOST_BYTES = 250_000;
const MANY = 400; // blocks from which on what is out of sight is not laid out
const BEFORE = 3000; // characters shown before a sentence that stands far down

export function render(root, { parameters, signal }) {
  const shown = h("div", {});
  const address = { name: "url", label: "Address", inputmode: "url", required: true, placeholder: "https://" };
  const form = h(
    "form",
    { class: "panel", submit },
    h(
      "div",
      { class: "row" },
      field({ ...address, value: parameters.url || "" }),
      h("button", { type: "submit", class: "primary" }, "Read"),
    ),
    h(
      "details",
      { open: Boolean(parameters.query) },
      h("summary", {}, "Only some passages"),
      field({ name: "query", label: "Passages about", value: parameters.query || "" }),
    ),
  );
  function submit(event) {
    event.preventDefault();
    go("read", values(form));
  }
  root.append(form, shown);
  return parameters.url ? load(shown, parameters, signal) : null;
}

async function load(shown, asked, signal) {
  const waiting = busy("Reading…");
  shown.replaceChildren(waiting);
  const far = Number(asked.at) > MOST_BYTES / 2 ? Math.max(0, Number(asked.at) - BEFORE) : 0;
  const offset = Number(asked.offset) || far;
  const given = {
    url: asked.url,
    query: asked.query,
    offset: asked.query ? 0 : offset,
    max_length: MOST_BYTES,
    outline: true,
    inline: true,
  };
  const tell = (name, data) => name === "progress" && waiting.lastChild.replaceWith(data.message);
  const answer = await watch("scrape_page", given, signal, tell);
  if (signal.aborted) return;
  if (answer.error) return void shown.replaceChildren(failed(answer.error));
  draw(shown, answer.content, asked, signal, given.offset);
  if (asked.quote) point(shown.querySelector(".text"), asked.quote);
}

// To the sentence for which the page was opened; that it is not there is said, since pages change.
function point(text, quote) {
  const [range] = findRanges(text, quote, 1);
  if (!range)
    return void text.before(
      notice("warning", "The sentence was not found in this text", h("blockquote", { dir: "auto" }, quote)),
    );
  highlight("quoted", [range]);
  const block = reach(range);
  block.setAttribute("tabindex", "-1");
  block.classList.add("quoted-block");
  block.focus({ preventScroll: true });
  announce("At the sentence.");
  return null;
}

function draw(shown, page, asked, signal, start) {
  const onImage = (address, words) => imageOnRequest(address, words, signal);
  const options = { onImage };
  const blocks = page.passages ? [passages(page.passages)] : rendered(page.content, start, options);
  const text = h(
    "div",
    { class: blocks.length > MANY ? "text many" : "text", lang: page.metadata?.language || null },
    blocks,
  );
  const article = h(
    "article",
    { "aria-label": "Text" },
    start
      ? h(
          "p",
          { class: "faint" },
          `From character ${start.toLocaleString()} on. `,
          within("read", { url: asked.url }, "From the beginning"),
        )
      : null,
    text,
    further(page, asked, signal, text, options),
  );
  announce(`${page.citation.metadata.title || page.url} was read.`);
  shown.replaceChildren(
    head(page, signal),
    ...warnings(page),
    h(
      "div",
      { class: "reader-bar" },
      findBar(() => text),
      quoteBar(text, page, signal),
    ),
    h("div", { class: "reading" }, contents(page, asked), article),
    citation(page),
  );
}

function head(page, signal) {
  const about = page.citation.metadata;
  const words = page.wordCount ? `${page.wordCount.toLocaleString()} words` : "";
  const facts = [about.author, about.site, day(about.date), words, page.pages ? `${page.pages} pages` : ""].filter(
    Boolean,
  );
  const item = { kind: "source", url: page.finalUrl || page.url };
  return h(
    "header",
    { class: "page-head" },
    h("h2", { dir: "auto" }, link(page.finalUrl || page.url, about.title || page.url)),
    h(
      "p",
      { class: "meta" },
      facts.map((fact) => h("span", { dir: "auto" }, fact)),
    ),
    h("p", { class: "chips" }, traits(page)),
    keeping({ label: "Keep in a project", suggestion: about.title || "", items: () => [item], signal }),
  );
}

function passages(found) {
  const item = (passage) =>
    h("li", {}, h("blockquote", { dir: "auto" }, passage.text), link(passage.link, "To its place in the page"));
  return h("ol", { class: "passages" }, found.map(item));
}

function contents(page, asked) {
  const headings = page.outline || [];
  if (!headings.length) return null;
  const least = Math.min(...headings.map((heading) => heading.level));
  function jump(offset) {
    const target = document.getElementById(`at-${offset}`);
    if (!target) return go("read", { url: asked.url, offset });
    target.scrollIntoView();
    return target.focus();
  }
  const items = headings
    .slice(0, 300)
    .map((heading) =>
      h(
        "li",
        { class: `level-${Math.min(heading.level - least, 3)}` },
        h(
          "button",
          { type: "button", class: "plain-link", dir: "auto", click: () => jump(heading.offset) },
          plainTitle(heading.title),
        ),
      ),
    );
  return h(
    "nav",
    { class: "outline", "aria-label": "Outline" },
    h("details", { open: window.innerWidth > 1150 }, h("summary", {}, "Outline"), h("ol", {}, items)),
  );
}

function further(page, asked, signal, text, options) {
  if (!page.nextOffset || page.passages) return null;
  let offset = page.nextOffset;
  const button = h("button", { type: "button", click: readOn }, "Read on");
  async function readOn() {
    button.disabled = true;
    const answer = await call("scrape_page", { url: asked.url, offset, max_length: MOST_BYTES, inline: true }, signal);
    button.disabled = false;
    if (answer.error) return void text.append(failed(answer.error));
    text.append(...rendered(answer.content.content, offset, options));
    offset = answer.content.nextOffset;
    announce("The next part was added.");
    if (!offset) button.remove();
    return null;
  }
  return button;
}
