// Search the web, the news or the literature; results as cards that can be read, cited and verified.

import { call, turns } from "./api.js";
import { counted, h, place } from "./dom.js";
import { card } from "./card.js";
import { busy, field, tally, values } from "./parts.js";
import { failed, nothing, remarks } from "./outcome.js";

export const title = "Search";
export const lead =
  "Ask the engines and databases this server is set up with. Filters that nobody could apply are named.";

const ANY = ["", "any"];
const times = (...names) => [ANY, ...names.map((name) => [name, `last ${name}`])];
const LANGUAGE = { name: "language", label: "Language", placeholder: "de", hint: "Two letters." };
const COUNTRY = { name: "country", label: "Country", placeholder: "CH", hint: "Two letters." };
const ORDER = {
  name: "sort_by",
  label: "Order",
  kind: "select",
  options: [
    ["", "by relevance"],
    ["date", "newest first"],
  ],
};

export const KINDS = {
  web: {
    label: "Web",
    tool: "web_search",
    found: "results",
    most: 10,
    fields: [
      { name: "time_range", label: "Time", kind: "select", options: times("day", "week", "month", "year") },
      {
        name: "sites",
        label: "Only these sites",
        placeholder: "who.int, nature.com",
        hint: "Up to ten, separated by commas.",
      },
      LANGUAGE,
      COUNTRY,
      { name: "exact_terms", label: "Exact phrase" },
      { name: "exclude_terms", label: "Without the words" },
      { name: "claim", label: "Claim to hold against the snippets" },
    ],
  },
  news: {
    label: "News",
    tool: "news_search",
    found: "articles",
    most: 20,
    fields: [
      {
        name: "time_range",
        label: "Time",
        kind: "select",
        options: [
          ["", "last week"],
          ["hour", "last hour"],
          ["day", "last day"],
          ["month", "last month"],
          ["year", "last year"],
        ],
      },
      { name: "news_source", label: "Only this outlet", placeholder: "reuters.com" },
      LANGUAGE,
      COUNTRY,
      ORDER,
    ],
  },
  papers: {
    label: "Papers",
    tool: "academic_search",
    found: "papers",
    most: 10,
    fields: [
      { name: "year_from", label: "From year", kind: "number", min: 1900, max: 2030 },
      { name: "year_to", label: "To year", kind: "number", min: 1900, max: 2030 },
      {
        name: "source",
        label: "Source",
        kind: "select",
        options: [["", "all"], ...["arxiv", "pubmed", "ieee", "nature", "springer"].map((name) => [name, name])],
      },
      ORDER,
      { name: "open_access", label: "Free to read", kind: "check" },
      { name: "full_text", label: "Whole text available", kind: "check" },
    ],
  },
};
const NUMBERS = new Set(["year_from", "year_to"]);

export function render(root, { parameters, about, signal }) {
  let kind = Object.hasOwn(KINDS, parameters.kind) ? parameters.kind : "web";
  const filters = h("div", { class: "grid" });
  const results = h("section", { "aria-label": "Results", class: "results" });
  const form = h(
    "form",
    { class: "panel", role: "search", submit: ask },
    h(
      "div",
      { class: "row" },
      field({
        name: "query",
        label: "What to look for",
        kind: "search",
        value: parameters.query || "",
        required: true,
        maxlength: 500,
        spellcheck: "true",
      }),
      h("button", { type: "submit", class: "primary" }, "Search"),
    ),
    kinds(kind, (chosen) => {
      kind = chosen;
      drawFilters(values(form));
    }),
    h(
      "details",
      { class: "filters", open: Object.keys(parameters).some((name) => !["query", "kind"].includes(name)) },
      h("summary", {}, "Provider, lens and filters"),
      filters,
    ),
  );
  const turn = turns(signal);

  function drawFilters(given, isAsked = false) {
    const engines = about.providers[kind] || [];
    const choices = [
      ANY,
      ...engines.map((name) => [name, name]),
      ["all", "all, merged"],
      ...(kind === "web" && about.library ? [["library", "what was read before"]] : []),
    ];
    const shared = [
      { name: "provider", label: "Provider", kind: "select", options: choices },
      {
        name: "lens",
        label: "Lens",
        kind: "select",
        options: [["", "none"], ...about.lenses.map((lens) => [lens.name, lens.name])],
        hint: "A named set of sites.",
      },
    ];
    filters.replaceChildren(
      ...[...shared, ...KINDS[kind].fields].map((wanted) => {
        const value = given[wanted.name] || "";
        return field({ ...wanted, value, options: isAsked ? including(wanted.options, value) : wanted.options });
      }),
    );
  }

  async function ask(event) {
    event?.preventDefault();
    const own = turn();
    const given = values(form);
    history.replaceState(null, "", place("search", { ...filled(given), kind }));
    results.replaceChildren(busy("Searching…"));
    const answer = await call(KINDS[kind].tool, asked(given, KINDS[kind]), own);
    if (!own.aborted) draw(results, answer, kind, signal);
  }

  drawFilters(parameters, true);
  root.append(form, results);
  if (parameters.query) return ask();
  return null;
}

// What an address asks for and no list offers stays asked, so that the server can say what is wrong with it.
function including(options, value) {
  if (!options || !value || options.some(([name]) => name === value)) return options;
  return [...options, [value, value]];
}

function filled(given) {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value && name !== "kind"));
}

function kinds(chosen, choose) {
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", {}, "Where"),
    Object.entries(KINDS).map(([key, kind]) =>
      h(
        "label",
        {},
        h("input", { type: "radio", name: "kind", value: key, checked: key === chosen, change: () => choose(key) }),
        kind.label,
      ),
    ),
  );
}

function asked(given, kind) {
  const wanted = { num_results: kind.most };
  for (const [name, value] of Object.entries(filled(given))) {
    if (name === "sites") wanted[name] = value.split(/[,\s]+/).filter(Boolean);
    else wanted[name] = NUMBERS.has(name) ? Number(value) : value;
  }
  return wanted;
}

function draw(results, answer, kind, signal) {
  if (answer.error) return results.replaceChildren(failed(answer.error));
  const { content } = answer;
  const items = content.results || content.articles || content.papers || [];
  tally(items, KINDS[kind].found.slice(0, -1));
  const many = content.totalResults > items.length ? ` of about ${content.totalResults.toLocaleString()}` : "";
  return results.replaceChildren(
    ...remarks(content).filter(Boolean),
    items.length
      ? h("h2", {}, counted(items.length, KINDS[kind].found.slice(0, -1)), many)
      : nothing("Nothing found", content.hints),
    h(
      "ol",
      { class: "cards" },
      items.map((item) => h("li", {}, card(item, signal))),
    ),
  );
}
