// One view for every kind of search: its box, its filters, its outcome. What differs stands in the table of kinds.

import { watch } from "./api.js";
import { counted, go, h, newId } from "./dom.js";
import { brandSheet } from "./brand.js";
import { card } from "./card.js";
import { argumentsOf, filterField } from "./filters.js";
import { KINDS } from "./kinds.js";
import { failed, nothing, remarks } from "./outcome.js";
import { busy, field, tally, values } from "./parts.js";
import { seriesChart } from "./series.js";
import { timeline } from "./timeline.js";

export const title = "Search";
export const lead =
  "Ask the engines and databases this server is set up with. Filters that nobody could apply are named.";

export function render(root, { parameters, about, signal }) {
  const tools = new Map(about.tools.map((tool) => [tool.name, tool]));
  const offered = Object.entries(KINDS).filter(([, kind]) => tools.has(kind.tool));
  let name = offered.some(([key]) => key === parameters.kind) ? parameters.kind : "web";
  const box = h("div", { class: "row" });
  const filters = h("div", { class: "grid" });
  const results = h("section", { "aria-label": "Results", class: "results" });
  const hasFilters = Object.keys(parameters).some((key) => !["query", "kind", "url"].includes(key));
  const form = h(
    "form",
    { class: "panel", role: "search", submit },
    kindChoice(offered, name, choose),
    box,
    h("details", { class: "filters", open: hasFilters }, h("summary", {}, "Provider and filters"), filters),
  );
  const properties = () => tools.get(KINDS[name].tool).inputSchema.properties;

  function choose(next) {
    const given = values(form);
    const text = given[KINDS[name].main || "query"];
    name = next;
    drawFields({ ...given, [KINDS[name].main || "query"]: text });
  }
  function drawFields(given) {
    const kind = KINDS[name];
    const main = kind.main || "query";
    const isNeeded = tools.get(kind.tool).inputSchema.required?.includes(main);
    const about_ = { name: main, label: kind.mainLabel || "What to look for", kind: "search", spellcheck: "true" };
    box.replaceChildren(
      field({
        ...about_,
        value: given[main] || "",
        required: isNeeded,
        maxlength: properties()[main].maxLength || 500,
      }),
      h("button", { type: "submit", class: "primary" }, "Search"),
    );
    filters.replaceChildren(
      ...kind.filters
        .filter((key) => properties()[key])
        .map((key) => filterField(key, properties()[key], given[key] || "", choicesOf(key))),
    );
  }
  function choicesOf(key) {
    if (key === "lens") return about.lenses.map((lens) => lens.name);
    const engines = key === "provider" ? about.providers[name] : null;
    if (!engines?.length) return null;
    return [
      ...engines,
      ...(["web", "news", "images", "papers"].includes(name) ? ["all"] : []),
      ...(name === "web" && about.library ? ["library"] : []),
    ];
  }
  function submit(event) {
    event.preventDefault();
    const { kind: _, ...given } = values(form);
    const set = Object.entries(given).filter(([, value]) => value !== "" && value !== false);
    go("search", { kind: name, ...Object.fromEntries(set) });
  }

  drawFields(parameters);
  root.append(form, results);
  const { kind: _, ...asked } = parameters;
  return Object.keys(asked).length ? search(results, name, argumentsOf(asked, properties()), signal) : null;
}

function kindChoice(offered, chosen, choose) {
  const stem = newId("kind");
  const pill = ([key, kind]) => {
    const id = `${stem}-${key}`;
    return h(
      "span",
      {},
      h("input", { type: "radio", name: "kind", id, value: key, checked: key === chosen, change: () => choose(key) }),
      h("label", { for: id }, kind.label),
    );
  };
  return h("fieldset", { class: "pills" }, h("legend", { class: "unseen" }, "Where to look"), offered.map(pill));
}

async function search(results, name, given, signal) {
  const kind = KINDS[name];
  const own = new AbortController();
  signal.addEventListener("abort", () => own.abort(), { once: true });
  const waiting = busy("Searching…");
  results.replaceChildren(waiting, h("button", { type: "button", click: () => own.abort() }, "Cancel"));
  const count = kind.list ? { num_results: given.series_id ? 1000 : kind.most || 10 } : {};
  const tell = (event, data) => event === "progress" && waiting.lastChild.replaceWith(data.message);
  const answer = await watch(kind.tool, { ...count, ...given }, own.signal, tell);
  if (signal.aborted) return;
  if (own.signal.aborted) results.replaceChildren(h("p", { class: "faint" }, "Cancelled. Nothing was found out."));
  else if (answer.error) results.replaceChildren(failed(answer.error));
  else draw(results, answer.content, name, signal);
}

export function draw(results, content, name, signal) {
  const kind = KINDS[name];
  if (name === "brands") return results.replaceChildren(brandSheet(content, signal));
  const items = [...(content[kind.list] || []), ...(content.labels || [])];
  const chart = name === "statistics" || name === "filings" ? seriesChart(content) : null;
  tally(items, kind.one, kind.many);
  const total = content.total || content.totalResults;
  const many = total > items.length ? ` of about ${total.toLocaleString()}` : "";
  const isSeries = content.mode === "observations";
  results.replaceChildren(
    ...remarks(content).filter(Boolean),
    items.length || chart
      ? h("h2", {}, isSeries ? counted(content.resultCount, "value") : counted(items.length, kind.one, kind.many), many)
      : nothing("Nothing found", content.hints),
    chart || "",
    isSeries
      ? ""
      : h(
          "ol",
          { class: name === "images" ? "cards gallery" : "cards" },
          items.map((item) => h("li", {}, card(item, kind, signal))),
        ),
    (["news", "papers", "patents", "courts"].includes(name) && timeline("By date", items.map(dated))) || "",
    content.attribution?.length ? h("p", { class: "faint" }, content.attribution.join(" ")) : "",
  );
  return null;
}

function dated(item) {
  const date = item.publishedAt || item.date || item.dateFiled || item.filed || (item.year ? String(item.year) : "");
  const marks = item.retractionStatus?.retracted ? [{ tone: "bad", words: "Retracted" }] : [];
  return {
    title: item.title || item.caseName,
    url: item.url,
    date,
    kind: item.journal || item.source || item.court || "",
    marks,
  };
}
