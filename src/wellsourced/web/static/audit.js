// A bibliography checked entry by entry, filling in as the findings come.

import { failure, lost, post, stream, turns } from "./api.js";
import { announce, counted, h } from "./dom.js";
import { decoded } from "./files.js";
import { busy, download, field, list, notice } from "./parts.js";
import { failed } from "./outcome.js";
import { asCsv, fixesOf, FLAGS, rowOf, summaryOf } from "./audit_rows.js";

export const title = "Audit";
export const heading = "Audit a bibliography";
export const lead =
  "Drop in a .bib, .ris or CSL-JSON file. Every entry is looked up: existence, agreement with the record, retraction, link.";

const LARGEST = 5_000_000;
const ENDED = "The audit ended before its turn, which says nothing against it.";

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
  const turn = turns(signal);

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
    const own = turn();
    const waiting = busy("Reading the bibliography…");
    shown.replaceChildren(waiting);
    const board = new Board(shown, turn, text.value);
    try {
      await stream("/api/audit", {
        body: { bibliography: text.value },
        signal: own,
        onEvent: (name, data) => board.take(name, data),
      });
      if (!board.isWhole) lost();
    } catch (problem) {
      waiting.remove();
      if (problem.name !== "AbortError") shown.prepend(failed(failure(problem)));
    }
    if (!signal.aborted) board.end();
  }
  root.append(form, shown);
}

class Board {
  constructor(shown, stop, text) {
    this.shown = shown;
    this.text = text;
    this.stop = stop;
    this.entries = [];
    this.rows = [];
    this.done = 0;
    this.isWhole = false;
    this.filter = "all";
  }

  take(name, data) {
    if (name === "list") this.begin(data);
    if (name === "entry") this.fill(data);
    if (name === "done") this.isWhole = true;
  }

  begin(data) {
    this.entries = data.entries;
    this.rows = data.entries.map((entry) => rowOf(entry, true));
    this.progress = h("progress", { max: data.total, value: 0, "aria-label": "Entries checked" });
    this.counter = h("p", { class: "meta" });
    this.buttons = h("div", { class: "choices", role: "group", "aria-label": "Show only" });
    this.halt = h("button", { type: "button", click: this.stop }, "Stop");
    this.fixing = h("button", { type: "button", hidden: true, click: () => this.correct() }, "Save corrected .bib");
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
      this.fixing,
    );
    this.shown.replaceChildren(
      h("div", { class: "audit-head" }, this.progress, this.counter, this.buttons, this.saving),
      data.skipped
        ? notice(
            "warning",
            "",
            h("p", {}, `Only the first ${data.total} entries are audited; ${data.skipped} more were left out.`),
          )
        : "",
      data.unreadable.length ? notice("warning", "Read only in part", list(data.unreadable)) : "",
      h("ol", { class: this.rows.length > 100 ? "audit-list many" : "audit-list" }, this.rows),
    );
    this.count();
    announce(`${counted(data.total, "entry", "entries")} found; checking.`);
  }

  fill(entry) {
    this.put(entry);
    this.done += 1;
    this.progress.value = this.done;
    this.count();
  }

  put(entry) {
    this.entries[entry.index] = entry;
    const row = rowOf(entry, false);
    this.rows[entry.index].replaceWith(row);
    this.rows[entry.index] = row;
  }

  count() {
    const summary = summaryOf(this.entries);
    this.counter.textContent = `${this.done} of ${this.entries.length} checked`;
    for (const name of ["all", ...Object.keys(FLAGS).filter((flag) => summary[flag])]) {
      const button = this.button(name);
      button.textContent = name === "all" ? `All ${this.entries.length}` : `${FLAGS[name][0]} ${summary[name]}`;
      button.setAttribute("aria-pressed", String(name === this.filter));
    }
    this.sift();
  }

  // Buttons stay the same elements while findings come in, so that whoever is at one with the keyboard stays there.
  button(name) {
    const known = this.buttons.querySelector(`[data-flag="${name}"]`);
    if (known) return known;
    const made = h("button", { type: "button", class: "filter", "data-flag": name, click: () => this.choose(name) });
    this.buttons.append(made);
    return made;
  }

  // Every difference from the record that is no mere variant, put right; the rest stays as it was written.
  async correct() {
    const fixes = Object.fromEntries(
      this.entries.map((entry, index) => [index, fixesOf(entry)]).filter(([, found]) => Object.keys(found).length),
    );
    try {
      const { document: made } = await post("/api/corrected", { bibliography: this.text, fixes });
      download("corrected.bib", "application/x-bibtex", made);
    } catch (problem) {
      this.shown.prepend(failed(failure(problem)));
    }
  }

  choose(name) {
    this.filter = name;
    this.count();
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
    for (const [index, entry] of this.entries.entries())
      if (!entry.flags) this.put({ ...entry, index, exists: null, flags: ["unchecked"], reason: ENDED });
    this.count();
    this.fixing.hidden = !this.entries.some((entry) => Object.keys(fixesOf(entry)).length);
    announce(`${this.done} of ${this.entries.length} entries are checked.`);
  }

  report() {
    return {
      summary: { total: this.entries.length, checked: this.done, ...summaryOf(this.entries) },
      entries: this.entries,
    };
  }
}
