// A bibliography checked entry by entry, filling in as the findings come.

import { failure, stream } from "./api.js";
import { announce, counted, h } from "./dom.js";
import { busy, download, field, list, notice } from "./parts.js";
import { failed } from "./outcome.js";
import { asCsv, FLAGS, rowOf, summaryOf } from "./audit_rows.js";

export const title = "Audit";
export const heading = "Audit a bibliography";
export const lead =
  "Drop in a .bib, .ris or CSL-JSON file. Every entry is looked up: existence, agreement with the record, retraction, link.";

const LARGEST = 5_000_000;

export function render(root, { signal }) {
  const shown = h("section", { "aria-label": "Findings" });
  const picker = h("input", {
    type: "file",
    id: "file",
    accept: ".bib,.ris,.json,.txt,application/json,text/plain",
    change: () => take(picker.files[0]),
  });
  const area = field({
    name: "bibliography",
    label: "Or paste it here",
    kind: "area",
    rows: 7,
    spellcheck: "false",
    class: "mono",
  });
  const text = area.querySelector("textarea");
  const zone = h(
    "div",
    { class: "drop", dragover: hover, dragleave: () => zone.classList.remove("over"), drop },
    h("label", { for: "file" }, "Choose a file, or drop it here"),
    picker,
  );
  const form = h(
    "form",
    {
      class: "panel",
      submit: (event) => {
        event.preventDefault();
        start();
      },
    },
    zone,
    area,
    h("button", { type: "submit", class: "primary" }, "Audit"),
  );
  let running = new AbortController();

  function hover(event) {
    event.preventDefault();
    zone.classList.add("over");
  }
  function drop(event) {
    event.preventDefault();
    zone.classList.remove("over");
    take(event.dataTransfer.files[0]);
  }
  async function take(file) {
    if (!file) return;
    if (file.size > LARGEST)
      return void shown.replaceChildren(
        notice(
          "bad",
          "Too large",
          h("p", {}, `The file has ${counted(file.size, "byte")}; ${LARGEST.toLocaleString()} is the most.`),
        ),
      );
    text.value = decoded(await file.arrayBuffer());
    start();
  }
  async function start() {
    if (!text.value.trim())
      return void shown.replaceChildren(
        notice("plain", "There is nothing to audit yet", h("p", {}, "Choose a file or paste a bibliography.")),
      );
    running.abort();
    running = new AbortController();
    signal.addEventListener("abort", () => running.abort(), { once: true });
    const own = running.signal;
    shown.replaceChildren(busy("Reading the bibliography…"));
    const board = new Board(shown, () => running.abort());
    try {
      await stream("/api/audit", {
        body: { bibliography: text.value },
        signal: own,
        onEvent: (name, data) => board.take(name, data),
      });
    } catch (problem) {
      if (problem.name !== "AbortError") shown.append(failed(failure(problem)));
    }
    if (!signal.aborted) board.end();
  }
  root.append(form, shown);
}

// Reference managers of old write Windows-1252; what is not UTF-8 is taken for that.
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

class Board {
  constructor(shown, stop) {
    this.shown = shown;
    this.stop = stop;
    this.entries = [];
    this.rows = [];
    this.done = 0;
    this.filter = "all";
  }

  take(name, data) {
    if (name === "list") this.begin(data);
    if (name === "entry") this.fill(data);
  }

  begin(data) {
    this.entries = data.entries;
    this.rows = data.entries.map((entry) => rowOf(entry, true));
    this.progress = h("progress", { max: data.total, value: 0, "aria-label": "Entries checked" });
    this.told = h("p", { class: "meta" });
    this.buttons = h("div", { class: "choices", role: "group", "aria-label": "Show only" });
    this.halt = h("button", { type: "button", click: this.stop }, "Stop");
    this.saving = h(
      "div",
      { class: "actions" },
      this.halt,
      h(
        "button",
        {
          type: "button",
          click: () => download("audit.json", "application/json", JSON.stringify(this.report(), null, 2)),
        },
        "Save as JSON",
      ),
      h(
        "button",
        { type: "button", click: () => download("audit.csv", "text/csv", asCsv(this.entries)) },
        "Save as CSV",
      ),
    );
    this.shown.replaceChildren(
      h("div", { class: "audit-head" }, this.progress, this.told, this.buttons, this.saving),
      data.skipped
        ? notice(
            "warning",
            "",
            h("p", {}, `Only the first ${data.total} entries are audited; ${data.skipped} more were left out.`),
          )
        : "",
      data.unreadable.length ? notice("warning", "Read only in part", list(data.unreadable)) : "",
      h("ol", { class: "audit-list" }, this.rows),
    );
    this.count();
    announce(`${counted(data.total, "entry", "entries")} found; checking.`);
  }

  fill(entry) {
    this.entries[entry.index] = entry;
    const row = rowOf(entry, false);
    this.rows[entry.index].replaceWith(row);
    this.rows[entry.index] = row;
    this.done += 1;
    this.progress.value = this.done;
    this.count();
  }

  count() {
    const summary = summaryOf(this.entries);
    this.told.textContent = `${this.done} of ${this.entries.length} checked`;
    const names = ["all", ...Object.keys(FLAGS).filter((flag) => summary[flag])];
    this.buttons.replaceChildren(
      ...names.map((name) =>
        h(
          "button",
          {
            type: "button",
            class: "filter",
            "data-flag": name,
            "aria-pressed": String(name === this.filter),
            click: () => this.choose(name),
          },
          name === "all" ? `All ${this.entries.length}` : `${FLAGS[name][0]} ${summary[name]}`,
        ),
      ),
    );
    this.sift();
  }

  choose(name) {
    this.filter = name;
    this.count();
    this.buttons.querySelector(`[data-flag="${name}"]`).focus();
  }

  sift() {
    this.rows.forEach((row, index) => {
      const { flags } = this.entries[index];
      row.hidden =
        this.filter !== "all" && !(this.filter === "ok" ? flags && !flags.length : flags?.includes(this.filter));
    });
  }

  end() {
    if (!this.halt) return;
    this.halt.remove();
    announce(`${this.done} of ${this.entries.length} entries are checked.`);
  }

  report() {
    return {
      summary: { total: this.entries.length, checked: this.done, ...summaryOf(this.entries) },
      entries: this.entries,
    };
  }
}
