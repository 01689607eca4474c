// One found thing: what it is, why it may matter, and what can be done with it. Which fields count, its kind says.

import { call } from "./api.js";
import { counted, day, h, isWebAddress, link, within } from "./dom.js";
import { imageOnRequest } from "./image.js";
import { inline } from "./inline.js";
import { busy, chip, copyButton, list } from "./parts.js";
import { failed } from "./outcome.js";

const STYLES = { apa: "APA", mla: "MLA", chicago: "Chicago", ieee: "IEEE", bibtex: "BibTeX", ris: "RIS" };
const MOST_NAMES = 6;
const DATES = /(date|At|filed|granted|Updated)$/i;

export function card(item, kind = {}, signal = undefined) {
  const url = item[kind.url || "url"] || item.url || item.link || "";
  const name = (kind.title || ["title"]).map((field) => item[field]).find(Boolean) || item.title || item.name || url;
  const text = (kind.text || ["snippet", "tldr", "abstract"]).map((field) => item[field]).find(Boolean);
  return h(
    "article",
    { class: "card" },
    item.thumbnailLink || (item.link && item.width !== undefined)
      ? imageOnRequest(item.thumbnailLink || item.link, name, signal)
      : null,
    h("h3", {}, link(url, name)),
    h(
      "p",
      { class: "meta" },
      factsOf(item, kind).map((fact) => h("span", { dir: "auto" }, fact)),
    ),
    text
      ? h("p", { dir: "auto", class: "clamp" }, kind.isMarkdown ? inline(text.replace(/(^|\s)#{1,6}\s/g, "$1")) : text)
      : null,
    (item.extraSnippets || []).slice(0, 2).map((more) => h("p", { class: "faint", dir: "auto" }, more)),
    marks(item),
    Object.entries(kind.lists || {}).map(([field, title]) => folded(title, item[field])),
    actions(item, url, signal),
  );
}

function factsOf(item, kind) {
  const facts = (kind.facts || ["authors", "journal", "displayLink", "source", "publishedAt", "year"]).map((fact) => {
    const [field, before] = Array.isArray(fact) ? fact : [fact, ""];
    const value = item[field];
    if (value === undefined || value === null || value === "") return "";
    return `${before}${Array.isArray(value) ? named(value) : DATES.test(field) ? day(String(value)) : value}`;
  });
  return [...facts, item.engines?.length ? `found by ${item.engines.join(", ")}` : ""].filter(Boolean);
}

function named(names) {
  return names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? " et al." : "");
}

function folded(title, items) {
  if (!items?.length) return null;
  return h("details", {}, h("summary", {}, `${title} (${items.length})`), list(items.map(String)));
}

// Why it may matter, or may not: reputation, retraction, reach, agreement with a claim.
function marks(item) {
  const notice = item.retractionStatus;
  const chips = [
    notice?.retracted ? chip(`Retracted${notice.date ? ` ${day(notice.date)}` : ""}`, "bad") : null,
    notice && !notice.retracted ? chip(notice.kind.replaceAll("_", " "), "warning") : null,
    item.boxedWarning ? chip("Boxed warning", "bad") : null,
    item.sourceReputation ? chip(`${item.sourceReputation.tier}: ${item.sourceReputation.note}`, "good") : null,
    item.openAccess ? chip("Free to read", "good") : null,
    item.hasResults ? chip("Results posted", "good") : null,
    item.citationCount && item.doi ? chip(`cited ${counted(item.citationCount, "time")}`) : null,
    ...Object.entries(item.engagement || {}).map(([name, count]) => chip(`${name} ${count.toLocaleString()}`)),
  ].filter(Boolean);
  return [
    chips.length ? h("p", { class: "chips" }, chips) : null,
    item.boxedWarning ? folded("Boxed warning", [item.boxedWarning]) : null,
    item.claimSignal
      ? h("p", { class: "evidence", dir: "auto" }, "Nearest to the claim: “", item.claimSignal, "”")
      : null,
  ];
}

function actions(item, url, signal) {
  if (item.seriesId && !item.value)
    return h(
      "div",
      { class: "actions" },
      within(
        "search",
        { kind: "statistics", series_id: item.seriesId, provider: providerOf(item), country: item.country },
        "Show the values",
        { class: "button" },
      ),
    );
  const isCitable = (item.doi || item.url) && item.title;
  const panel = h("div", { class: "cite", hidden: true });
  const cite = h("button", { type: "button", "aria-expanded": "false", click: toggle }, "Cite");
  function toggle() {
    panel.hidden = !panel.hidden;
    cite.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden && !panel.childElementCount) panel.replaceChildren(citing(item, signal));
  }
  const buttons = [
    isWebAddress(item.pdfUrl || item.pdf || url)
      ? within("read", { url: item.pdfUrl || item.pdf || url }, "Read", { class: "button" })
      : null,
    isCitable ? cite : null,
    isCitable ? within("verify", { citation: item.doi || item.url }, "Verify", { class: "button" }) : null,
    item.citation && item.caseName
      ? within("verify", { citation: `${item.caseName}, ${item.citation}` }, "Verify", { class: "button" })
      : null,
    item.doi ? within("graph", { paper: item.doi }, "Citations", { class: "button" }) : null,
  ].filter(Boolean);
  return buttons.length ? [h("div", { class: "actions" }, buttons), panel] : null;
}

function providerOf({ source }) {
  const known = ["fred", "worldbank", "oecd", "eurostat", "ecb", "imf", "dbnomics"];
  return known.find((name) => (source || "").toLowerCase().replaceAll(" ", "").includes(name)) || "";
}

function citing(item, signal) {
  const shown = h("div", { "aria-live": "polite" });
  const options = Object.entries(STYLES).map(([key, name]) => h("option", { value: key }, name));
  const select = h("select", { "aria-label": "Citation style", change: draw }, options);
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
    if (answer.error) return shown.replaceChildren(failed(answer.error));
    const { bibliography } = answer.content;
    return shown.replaceChildren(
      h("pre", { tabindex: 0, role: "group", "aria-label": "Citation", dir: "auto" }, bibliography),
      copyButton(bibliography, "Citation"),
    );
  }
  draw();
  return h("div", {}, select, shown);
}
