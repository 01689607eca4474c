// What a project can prove: what pages said when they were captured, receipts for quotations, what has changed since.

import { get } from "./api.js";
import { clock, counted, go, h, link, within } from "./dom.js";
import { longTable } from "./long_table.js";
import { rendered } from "./markdown.js";
import { busy, chip, copyButton, field, notice, table, values } from "./parts.js";

const MOST = 500;

// Found when it is opened: a project may have thousands of captures.
function onOpen(title, fill, signal) {
  const inside = h("div", {});
  const details = h("details", { class: "panel fold", toggle }, h("summary", {}, h("h2", {}, title)), inside);
  async function toggle() {
    if (!details.open || inside.childElementCount) return;
    inside.append(busy("Looking…"));
    try {
      inside.replaceChildren(...(await fill()));
    } catch (problem) {
      if (!signal.aborted) inside.replaceChildren(notice("bad", "That did not work", h("p", {}, problem.message)));
    }
  }
  return details;
}

export function driftOf(project) {
  const items = (project.items || []).filter(({ drift }) => drift && !["unchanged", "alive"].includes(drift.state));
  if (!project.watchedAt) return "";
  if (!items.length)
    return notice("good", "Nothing has changed", h("p", {}, `Last looked ${clock(project.watchedAt)}.`));
  const rows = items.map((item) => [
    link(item.url || "", item.title || item.url),
    item.drift.state,
    item.drift.was || item.quote || "",
    item.drift.now || item.drift.detail || item.drift.movedTo || "",
  ]);
  return h(
    "section",
    { "aria-labelledby": "drift" },
    h("h2", { id: "drift" }, "Changed since"),
    h("p", { class: "meta" }, `Last looked ${clock(project.watchedAt)}.`),
    table("Changed since", ["Source", "State", "It said", "It says now"], rows, "compared"),
  );
}

export function capturesOf(project, pathOf, signal) {
  if (!project.captures) return "";
  return onOpen(
    counted(project.captures, "capture"),
    async () => {
      const { captures, total } = await get(pathOf(project.projectId, `/captures?limit=${MOST}`), signal);
      const rows = captures.map((each) => [
        each.title || each.url,
        clock(each.capturedAt),
        each.status,
        each.bytes,
        each.digest,
        each.url,
        each.capture,
      ]);
      const show = (cells, column) =>
        column
          ? column === 4
            ? h("code", {}, cells[4].slice(0, 23), "…")
            : cells[column]
          : within("projects", { id: project.projectId, capture: cells[6] }, cells[0], { dir: "auto" });
      return [
        longTable({ name: "Captures", columns: ["Page", "Captured", "Status", "Bytes", "Digest"], rows, show }),
        total > captures.length ? h("p", { class: "faint" }, `The last ${captures.length} of ${total}.`) : "",
      ];
    },
    signal,
  );
}

// A page as it was captured, read from the capture alone.
export async function captureView(shown, { id, capture, q }, pathOf, signal) {
  const asked = new URLSearchParams(q ? { q } : {});
  const found = await get(pathOf(id, `/captures/${encodeURIComponent(capture)}?${asked}`), signal);
  const form = h(
    "form",
    { class: "row", role: "search", submit },
    field({ name: "q", label: "Passages about", kind: "search", value: q || "" }),
    h("button", { type: "submit" }, "Find"),
  );
  function submit(event) {
    event.preventDefault();
    go("projects", { id, capture, ...values(form) });
  }
  const facts = [`captured ${clock(found.capturedAt)}`, `status ${found.status}`, found.contentType, found.digest];
  shown.replaceChildren(
    h("p", {}, within("projects", { id }, "← Back to the project")),
    h(
      "header",
      { class: "page-head" },
      h("h2", {}, link(found.finalUrl || found.url || "", found.title || found.url)),
      h(
        "p",
        { class: "meta" },
        facts.filter(Boolean).map((fact) => h("span", { dir: "auto" }, fact)),
      ),
    ),
    form,
    found.passages
      ? h(
          "ol",
          { class: "passages" },
          found.passages.map((passage) => h("li", {}, h("blockquote", { dir: "auto" }, passage.text))),
        )
      : "",
    h("article", { class: "text", "aria-label": "Captured text" }, rendered(found.text || "")),
  );
}

export function receiptsOf(project, pathOf, signal) {
  if (!project.receipts) return "";
  return onOpen(
    counted(project.receipts, "receipt"),
    async () => {
      const { receipts, chain } = await get(pathOf(project.projectId, "/receipts"), signal);
      const state = chain.ok
        ? chip("The chain of receipts is whole", "good")
        : chip("The chain of receipts is broken", "bad");
      return [
        h("p", {}, state),
        h(
          "ol",
          { class: "cards receipt-list" },
          receipts.map((each) => h("li", {}, receipt(each))),
        ),
      ];
    },
    signal,
  );
}

function receipt(each) {
  const signed = JSON.stringify(each, null, 2);
  return h(
    "article",
    { class: "card" },
    h("blockquote", { dir: "auto" }, each.quotation.text),
    h(
      "p",
      { class: "meta" },
      [
        `No. ${each.number}`,
        clock(each.issuedAt),
        each.capture.finalUrl || each.capture.url,
        each.timestamp ? "with a timestamp" : "",
      ]
        .filter(Boolean)
        .map((fact) => h("span", { dir: "auto" }, fact)),
    ),
    h(
      "details",
      {},
      h("summary", {}, "The receipt itself"),
      h("pre", { tabindex: 0, role: "group", "aria-label": `Receipt ${each.number}` }, signed),
      copyButton(signed, `receipt ${each.number}`),
    ),
  );
}
