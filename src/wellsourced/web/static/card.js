// One found source: what it is, why it may matter, and what can be done with it.

import { call } from "./api.js";
import { counted, day, h, link, within } from "./dom.js";
import { busy, chip, copyButton } from "./parts.js";
import { failed } from "./outcome.js";

const STYLES = [
  ["apa", "APA"],
  ["mla", "MLA"],
  ["chicago", "Chicago"],
  ["ieee", "IEEE"],
  ["bibtex", "BibTeX"],
  ["ris", "RIS"],
];
const LONGEST_AUTHORS = 6;

export function card(item, signal) {
  const panel = h("div", { class: "cite", hidden: true });
  const cite = h("button", { type: "button", "aria-expanded": "false", click: toggle }, "Cite");
  function toggle() {
    panel.hidden = !panel.hidden;
    cite.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden && !panel.childElementCount) panel.replaceChildren(citing(item, signal));
  }
  return h(
    "article",
    { class: "card" },
    h("h3", {}, link(item.url, item.title || item.url)),
    h(
      "p",
      { class: "meta" },
      facts(item).map((fact) => h("span", { dir: "auto" }, fact)),
    ),
    item.snippet || item.tldr || item.abstract
      ? h("p", { dir: "auto" }, item.snippet || item.tldr || item.abstract)
      : null,
    (item.extraSnippets || []).slice(0, 2).map((text) => h("p", { class: "faint", dir: "auto" }, text)),
    marks(item),
    h(
      "div",
      { class: "actions" },
      within("read", { url: item.pdfUrl || item.url }, "Read", { class: "button" }),
      cite,
      within("verify", { citation: item.doi || item.url }, "Verify", { class: "button" }),
    ),
    panel,
  );
}

function facts(item) {
  const authors = item.authors || [];
  const people = authors.slice(0, LONGEST_AUTHORS).join(", ") + (authors.length > LONGEST_AUTHORS ? " et al." : "");
  return [
    people,
    item.journal,
    item.displayLink || item.source,
    day(item.publishedAt || item.date) || item.year,
    item.doi ? `doi:${item.doi}` : "",
    item.engines?.length ? `found by ${item.engines.join(", ")}` : "",
  ].filter(Boolean);
}

// Why it may matter, or may not: reputation, retraction, reach, agreement with a claim.
function marks(item) {
  const chips = [
    item.retractionStatus?.retracted
      ? chip(`Retracted${item.retractionStatus.date ? ` ${day(item.retractionStatus.date)}` : ""}`, "bad")
      : null,
    item.retractionStatus && !item.retractionStatus.retracted
      ? chip(item.retractionStatus.kind.replaceAll("_", " "), "warning")
      : null,
    item.sourceReputation ? chip(`${item.sourceReputation.tier}: ${item.sourceReputation.note}`, "good") : null,
    item.openAccess ? chip("Free to read", "good") : null,
    item.citationCount ? chip(`cited ${counted(item.citationCount, "time")}`) : null,
    ...Object.entries(item.engagement || {}).map(([name, count]) => chip(`${name} ${count.toLocaleString()}`)),
  ].filter(Boolean);
  return [
    chips.length ? h("p", { class: "chips" }, chips) : null,
    item.claimSignal
      ? h("p", { class: "evidence", dir: "auto" }, "Nearest to the claim: “", item.claimSignal, "”")
      : null,
  ];
}

function citing(item, signal) {
  const shown = h("div", { "aria-live": "polite" });
  const select = h(
    "select",
    { "aria-label": "Citation style", change: draw },
    STYLES.map(([key, name]) => h("option", { value: key }, name)),
  );
  const source = {
    url: item.url,
    title: item.title,
    doi: item.doi,
    author: item.authors?.join("; "),
    site: item.journal || item.source || item.displayLink,
    date: item.publishedAt || item.date || (item.year ? String(item.year) : ""),
  };
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value));
  async function draw() {
    shown.replaceChildren(busy("Formatting…"));
    const answer = await call("format_bibliography", { style: select.value, sources: [given] }, signal);
    if (answer.error) shown.replaceChildren(failed(answer.error));
    else
      shown.replaceChildren(
        h("pre", { tabindex: 0, role: "group", "aria-label": "Citation", dir: "auto" }, answer.content.bibliography),
        copyButton(answer.content.bibliography, "Citation"),
      );
  }
  draw();
  return h("div", {}, select, shown);
}
