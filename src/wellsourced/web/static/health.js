// How the server is doing, as it happens: providers, limits, figures of the tools, the last errors.

import { stream } from "./api.js";
import { clock, counted, h } from "./dom.js";
import { busy, chip, notice, table } from "./parts.js";
import { bars } from "./charts.js";
import { size } from "./projects.js";

export const title = "Health";
export const isLive = true;
export const lead =
  "Providers, limits and figures, live. A provider that keeps failing is left alone for a while and then tried again.";

const BREAKERS = { open: ["resting", "bad"], "half-open": ["being tried again", "warning"] };
const AGAIN_MS = 3000;

export async function render(root, { signal }) {
  const shown = h("div", {}, busy("Connecting…"));
  const state = h("p", { class: "meta" });
  root.append(state, shown);
  const onEvent = (name, data) => {
    if (name !== "health" || signal.aborted) return;
    state.textContent = `Live · ${new Date().toLocaleTimeString()}`;
    update(shown, data);
  };
  listen(state, signal, onEvent);
}

async function listen(state, signal, onEvent) {
  while (!signal.aborted) {
    try {
      await stream("/api/events", { signal, onEvent });
    } catch (problem) {
      if (signal.aborted || problem.status === 401) return;
      state.textContent = `${problem.message} Trying again…`;
    }
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}

// The focus and what is folded out stay: only sections whose content changed are put in anew.
function update(shown, data) {
  const sections = {
    providers: providers(data),
    limits: limits(data),
    storage: storage(data),
    tools: tools(data),
    errors: errors(data),
  };
  if (!shown.querySelector("section")) shown.replaceChildren(...Object.values(sections));
  Object.entries(sections).forEach(([name, section], index) => {
    const key = JSON.stringify(data[name]);
    const old = shown.children[index];
    section.dataset.key = key;
    if (old !== section && old.dataset.key !== key) old.replaceWith(section);
  });
}

function section(name, ...content) {
  const id = `health-${name.toLowerCase().replaceAll(" ", "-")}`;
  return h("section", { "aria-labelledby": id }, h("h2", { id }, name), ...content.filter(Boolean));
}

function providers(data) {
  const { status, providers: known } = data.providers;
  const resting = known.filter((provider) => !provider.available).length;
  return section(
    "Providers",
    h(
      "p",
      {},
      status === "healthy"
        ? chip(`None of ${known.length} failed when last asked`, "good")
        : chip(`${resting} of ${known.length} failed when last asked, or resting`, "warning"),
    ),
    data.problems?.length
      ? notice(
          "bad",
          "Settings to mend",
          h(
            "ul",
            {},
            data.problems.map((text) => h("li", {}, text)),
          ),
        )
      : null,
    h(
      "ul",
      { class: "providers" },
      known.map((provider) => {
        const [words, tone] = BREAKERS[provider.breaker] || lastOutcome(provider);
        return h(
          "li",
          {},
          h("strong", {}, data.titles[provider.name] || provider.name),
          chip(words, tone),
          h("span", { class: "faint" }, data.offers[provider.name] || ""),
          h("span", { class: "faint" }, lastTry(provider)),
        );
      }),
    ),
  );
}

// How the provider answered when it was last really asked: that a key is set says nothing.
function lastOutcome({ lastTry: tried }) {
  if (!tried) return ["not asked yet", "plain"];
  return tried.outcome === "answered" ? ["answered", "good"] : ["failed", "bad"];
}

function lastTry({ lastTry: tried }) {
  if (!tried) return "";
  return `asked last ${clock(tried.at)}${tried.outcome === "answered" ? "" : `: ${tried.reason}`}`;
}

function limits(data) {
  const { config = {}, defaultTenant = {}, guidance } = data.limits;
  const shown = (number) => (number ? number.toLocaleString() : "unlimited");
  const rows = [
    ["Calls a day", shown(config.dailyPerTenant)],
    ["Used today", (defaultTenant.dailyUsed || 0).toLocaleString()],
    ...(defaultTenant.dailyLimit
      ? [
          ["Left today", (defaultTenant.dailyRemaining || 0).toLocaleString()],
          ["Starts anew", clock(defaultTenant.dailyResetsAt)],
        ]
      : []),
    ...(config.dailyPerUser ? [["Calls a day for one user", shown(config.dailyPerUser)]] : []),
    ["Calls a minute", shown(config.perMinutePerTenant)],
    ["Calls a second, all together", shown(config.globalPerSecond)],
    ["Live research sessions", data.sessions.activeSessions.toLocaleString()],
  ];
  return section("Limits", figures(rows), guidance ? h("p", { class: "faint" }, guidance) : null);
}

function storage(data) {
  const kept = data.storage || {};
  const caches = Object.entries(kept.cache || {}).flatMap(([name, sizes]) =>
    Object.entries(sizes).map(([what, count]) => [
      `Cache, ${name}: ${what}`,
      what === "bytes" ? size(count) : count.toLocaleString(),
    ]),
  );
  const rows = [
    ["Database", `${(kept.databaseMegabytes || 0).toLocaleString()} MB`],
    ["Free on the disk", `${(kept.freeGigabytes || 0).toLocaleString()} GB`],
    ...caches,
  ];
  return section("Cache and storage", figures(rows));
}

function figures(rows) {
  return h(
    "dl",
    { class: "figures" },
    rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

function tools(data) {
  const used = Object.entries(data.tools.tools).sort(([, one], [, other]) => other.totalCalls - one.totalCalls);
  if (!used.length) return section("Tools", h("p", { class: "faint" }, "No tool was called since the start."));
  const calls = used.map(([name, tally]) => ({
    name,
    parts: [
      [tally.successCalls, "good", "answered"],
      [tally.errorCalls, "bad", "failed"],
    ],
    note: `${tally.totalCalls}${tally.errorCalls ? `, ${tally.errorCalls} failed` : ""}`,
  }));
  const times = used.map(([name, tally]) => ({
    name,
    parts: [
      [tally.avgLatencyMs, "accent", "average"],
      [Math.max(0, tally.p95LatencyMs - tally.avgLatencyMs), "soft", "slowest twentieth"],
    ],
    note: `${tally.avgLatencyMs} / ${tally.p95LatencyMs} ms`,
  }));
  return section(
    "Tools",
    h("div", { class: "charts" }, bars("Calls since the start", calls), bars("Time: average / 95th percentile", times)),
    h(
      "p",
      { class: "faint" },
      `${counted(
        used.reduce((sum, [, tally]) => sum + tally.cacheHits, 0),
        "answer",
      )} came from the cache.`,
    ),
  );
}

function errors(data) {
  const { errors: last } = data.errors;
  if (!last.length) return section("Last errors", h("p", { class: "faint" }, "None."));
  const rows = last.slice(0, 20).map((error) => {
    const tone = error.kind === "validation" ? "plain" : "warning";
    return [clock(error.timestamp), error.tool, chip((error.kind || "").replaceAll("_", " "), tone), error.cause];
  });
  return section("Last errors", table("Last errors", ["When", "Tool", "Kind", "What"], rows, "errors"));
}
