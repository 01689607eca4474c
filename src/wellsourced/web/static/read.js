// Read a page: its text, its outline, the passages that answer a question, and how to cite it.

import { call, turns } from "./api.js";
import { announce, day, h, link, place, within } from "./dom.js";
import { busy, chip, copyButton, field, list, notice, values } from "./parts.js";
import { failed } from "./outcome.js";
import { plainTitle, rendered } from "./markdown.js";

export const title = "Read";
export const lead =
  "A page, PDF, document, video or thread as clean text. Walls and logins are told as such, never as content.";

const QUALITY = { complete: "good", partial: "warning" };

export function render(root, { parameters, signal }) {
  const shown = h("div", {});
  const form = h(
    "form",
    { class: "panel", submit: ask },
    h(
      "div",
      { class: "row" },
      field({
        name: "url",
        label: "Address",
        kind: "text",
        inputmode: "url",
        value: parameters.url || "",
        required: true,
        placeholder: "https://",
      }),
      h("button", { type: "submit", class: "primary" }, "Read"),
    ),
    field({ name: "query", label: "Find passages about (optional)", value: parameters.query || "" }),
  );
  const turn = turns(signal);
  function ask(event) {
    event?.preventDefault();
    const given = values(form);
    history.replaceState(null, "", place("read", given));
    return load(shown, given, turn());
  }
  root.append(form, shown);
  return parameters.url ? ask() : null;
}

async function load(shown, given, signal, more = {}) {
  shown.replaceChildren(busy("Reading…"));
  const answer = await call("scrape_page", { ...given, ...more, outline: true, inline: true }, signal);
  if (signal.aborted) return;
  if (answer.error) shown.replaceChildren(failed(answer.error));
  else draw(shown, answer.content, given, signal, more.offset || 0);
}

function draw(shown, page, given, signal, start) {
  const about = page.citation.metadata;
  const text = h(
    "div",
    { class: "text", lang: page.metadata?.language || null },
    page.passages ? passages(page.passages) : rendered(page.content, start),
  );
  announce(`${about.title || page.url} was read.`);
  shown.replaceChildren(
    h(
      "header",
      { class: "page-head" },
      h("h2", { dir: "auto" }, link(page.finalUrl || page.url, about.title || page.url)),
      h(
        "p",
        { class: "meta" },
        [
          about.author,
          about.site,
          day(about.date),
          page.wordCount ? `${page.wordCount.toLocaleString()} words` : "",
          page.pages ? `${page.pages} pages` : "",
        ]
          .filter(Boolean)
          .map((fact) => h("span", { dir: "auto" }, fact)),
      ),
      h("p", { class: "chips" }, traits(page)),
    ),
    h("div", {}, warnings(page)),
    h(
      "div",
      { class: "reading" },
      contents(page, given, signal, shown),
      h(
        "article",
        { "aria-label": "Text" },
        start ? h("p", { class: "faint" }, `From character ${start.toLocaleString()} on.`) : null,
        text,
        further(page, given, signal, text),
      ),
    ),
    citation(page),
  );
}

function traits(page) {
  return [
    page.extractionQuality ? chip(`read: ${page.extractionQuality}`, QUALITY[page.extractionQuality]) : null,
    page.sourceType && page.sourceType !== "unknown" ? chip(page.sourceType.replaceAll("_", " ")) : null,
    page.authorityTier ? chip(`authority: ${page.authorityTier.replaceAll("_", " ")}`) : null,
    page.extractedBy ? chip(`by ${page.extractedBy}`) : null,
    page.detectedDoi
      ? within("verify", { citation: page.detectedDoi }, `doi:${page.detectedDoi}`, { class: "chip" })
      : null,
  ].filter(Boolean);
}

function warnings(page) {
  const known = page.retractionStatus;
  const remarks = [
    ...(page.notes || []),
    page.hiddenRemoved ? `${page.hiddenRemoved} hidden elements were removed from the text.` : null,
    page.refusedRequests?.length
      ? `The page asked for addresses that must not be fetched: ${page.refusedRequests.join(", ")}`
      : null,
    page.forumSignals?.credibilityNote,
  ].filter(Boolean);
  return [
    known
      ? notice(
          known.retracted ? "bad" : "warning",
          known.retracted ? "This work was retracted" : `Notice about this work: ${known.kind.replaceAll("_", " ")}`,
          h(
            "p",
            {},
            [
              known.date ? `On ${day(known.date)}.` : "",
              known.source ? `Source: ${known.source}.` : "",
              known.noticeDoi ? `Notice: ${known.noticeDoi}.` : "",
            ]
              .filter(Boolean)
              .join(" "),
          ),
        )
      : null,
    remarks.length ? notice("plain", "Worth knowing", list(remarks)) : null,
  ].filter(Boolean);
}

function passages(found) {
  return h(
    "ol",
    { class: "passages" },
    found.map((passage) =>
      h("li", {}, h("blockquote", { dir: "auto" }, passage.text), link(passage.link, "To its place in the page")),
    ),
  );
}

function contents(page, given, signal, shown) {
  const headings = page.outline || [];
  if (!headings.length) return null;
  const least = Math.min(...headings.map((heading) => heading.level));
  async function jump(offset) {
    const target = document.getElementById(`at-${offset}`);
    if (!target) await load(shown, { url: given.url }, signal, { offset });
    const reached = target || document.getElementById(`at-${offset}`);
    reached?.scrollIntoView();
    reached?.focus();
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
    h("details", { open: window.innerWidth > 800 }, h("summary", {}, "Outline"), h("ol", {}, items)),
  );
}

function further(page, given, signal, text) {
  if (!page.nextOffset || page.passages) return null;
  let offset = page.nextOffset;
  const button = h("button", { type: "button", click: readOn }, "Read on");
  async function readOn() {
    button.disabled = true;
    const answer = await call("scrape_page", { url: given.url, offset, inline: true }, signal);
    button.disabled = false;
    if (answer.error) return void text.append(failed(answer.error));
    text.append(...rendered(answer.content.content, offset));
    offset = answer.content.nextOffset;
    announce("The next part was added.");
    if (!offset) button.remove();
  }
  return button;
}

function citation(page) {
  const forms = Object.entries(page.citation.formatted).filter(([, text]) => text);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "cite" },
    h("h2", { id: "cite" }, "Cite it"),
    h(
      "dl",
      { class: "forms" },
      forms.map(([style, text]) =>
        h(
          "div",
          {},
          h("dt", {}, style === "bibtex" ? "BibTeX" : style.toUpperCase(), " ", copyButton(text, `${style} citation`)),
          h("dd", { dir: "auto", class: style === "bibtex" ? "mono" : null }, text),
        ),
      ),
    ),
  );
}
