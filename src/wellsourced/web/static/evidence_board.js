// The table of evidence: who is being asked, a row for each source, copies folded under their origin.

import { counted, day, h, link, within } from "./dom.js";
import { chip } from "./parts.js";
import { cells, COLUMNS, hostOf } from "./evidence_rows.js";
import { saveCsv } from "./files.js";

const STANCES = {
  states: ["Says so", "good"],
  differs: ["Says otherwise", "bad"],
  near: ["On the same matter", "plain"],
};
const WALLS = {
  blocked: "Blocked",
  auth_required: "Sign-in needed",
  rate_limited: "Rate-limited",
  not_found: "Not there",
};

export class EvidenceBoard {
  constructor({ claim, cancel, name = "Evidence", opens = true }) {
    this.opens = opens;
    this.claim = claim;
    this.rows = [];
    this.byKey = new Map();
    this.drawn = new Map();
    this.lanes = h("ul", { class: "lanes", "aria-label": "Who is being asked" });
    this.stop = h("button", { type: "button", click: cancel }, "Cancel");
    this.save = h(
      "button",
      { type: "button", hidden: true, click: () => saveCsv("evidence.csv", COLUMNS, this.rows.map(cells)) },
      "Save as CSV",
    );
    this.body = h("tbody", {});
    const headings = ["Source", "What it says", ...(claim ? ["Which way"] : []), "Worth knowing"];
    this.table = h(
      "table",
      { class: "evidence-rows" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          headings.map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      this.body,
    );
    this.frame = h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": name, hidden: true },
      this.table,
    );
    const bar = h("div", { class: "board-bar" }, this.lanes, h("div", { class: "actions" }, this.stop, this.save));
    const held = claim
      ? h("p", { class: "held", dir: "auto" }, h("span", { class: "faint" }, "Held against: "), claim)
      : null;
    this.element = h("section", { class: "board", "aria-label": name }, bar, held, this.frame);
  }

  lane(name, label) {
    const words = h("span", { class: "faint" }, "asking…");
    const bar = h("progress", { "aria-label": label });
    this.lanes.append(h("li", { "data-lane": name }, h("strong", {}, label), bar, words));
    return {
      tell(done, total, message) {
        if (total) Object.assign(bar, { max: total, value: Math.min(done, total) });
        words.textContent = hostOf(message) ? `${done} of ${total}, last ${hostOf(message)}` : message;
      },
      end(text) {
        Object.assign(bar, { max: 1, value: 1 });
        words.textContent = text;
      },
    };
  }

  // A row that is known already takes what is new; the order stays, so that nothing moves away under the reader.
  put(row) {
    const key = keyOf(row.url);
    const known = this.byKey.get(key);
    if (known) Object.assign(known, row, { title: row.title || known.title });
    else {
      this.rows.push(row);
      this.byKey.set(key, row);
    }
    this.frame.hidden = false;
    this.draw(this.byKey.get(key));
  }

  draw(row) {
    const origin = row.sameTextAs ? this.byKey.get(keyOf(row.sameTextAs)) : null;
    if (origin && origin !== row && !origin.sameTextAs) {
      origin.copies = [...new Set([...(origin.copies || []), row])];
      this.drawn.get(row)?.remove();
      this.drawn.delete(row);
      return this.draw(origin);
    }
    const made = rowElement(row, Boolean(this.claim), this.opens ? readerLink : plainly);
    if (this.drawn.has(row)) this.drawn.get(row).replaceWith(made);
    else this.body.append(made);
    this.drawn.set(row, made);
    return made;
  }

  end(wasCancelled) {
    this.stop.remove();
    this.save.hidden = !this.rows.length;
    for (const row of this.rows.filter(({ state }) => state === "waiting")) {
      row.state = "failed";
      row.failure = { kind: "left", reason: wasCancelled ? "Cancelled before it was read." : "It was not read." };
      this.draw(row);
    }
  }
}

function keyOf(url) {
  return String(url || "")
    .replace(/^https?:\/\/(www\.)?/i, "")
    .replace(/[#].*$/, "")
    .replace(/\/$/, "");
}

function rowElement(row, hasClaim, opening) {
  const named = h("th", { scope: "row" }, sourceCell(row, opening), row.copies ? copies(row.copies, opening) : null);
  const [says, stance] = [
    saysCell(row, opening),
    hasClaim ? h("td", { "data-label": "Which way" }, stanceOf(row)) : null,
  ];
  const known = h("td", { "data-label": "Worth knowing" }, marks(row));
  return h("tr", { class: row.state }, named, h("td", { "data-label": "What it says" }, says), stance, known);
}

export function readerLink(row, text, attributes = {}) {
  return within("read", { url: row.url, quote: row.quote, at: row.at }, text, { dir: "auto", ...attributes });
}

// Where the sources are not within this server's reach, they are named and not linked.
function plainly(row, text, attributes = {}) {
  return h("span", { dir: "auto", ...attributes }, text);
}

function sourceCell(row, opening) {
  const facts = [hostOf(row.url), row.author, day(row.date), row.kind].filter(Boolean);
  return [
    row.state === "read" || opening === plainly
      ? opening(row, row.title || row.url, { class: "row-title" })
      : link(row.url, row.title || row.url, { class: "row-title" }),
    h(
      "span",
      { class: "meta" },
      facts.map((fact) => h("span", { dir: "auto" }, fact)),
    ),
  ];
}

function saysCell(row, opening) {
  if (row.state === "waiting") return h("span", { class: "faint" }, "reading…");
  if (row.failure) return h("span", { class: "faint", dir: "auto" }, row.failure.reason);
  if (!row.quote) return h("span", { class: "faint" }, "No sentence stands out; open it to read.");
  const place = row.from ? `in the ${row.from}` : row.at !== undefined ? `at character ${row.at.toLocaleString()}` : "";
  return [h("q", {}, opening(row, row.quote, { class: "says" })), place ? h("span", { class: "meta" }, place) : null];
}

function stanceOf(row) {
  const [words, tone] = STANCES[row.stance] || [];
  const differs = (row.differences || []).map(({ kind, claim, source }) =>
    h("p", { class: "meta", dir: "auto" }, `${kind}: “${claim || "–"}” / “${source || "–"}”`),
  );
  return words ? [chip(words, tone), row.stance === "differs" ? differs : null] : null;
}

function marks(row) {
  const shown = [
    row.failure ? chip(WALLS[row.failure.kind] || "Not read", "warning") : null,
    ...(row.marks || []).map(({ tone, words, note }) =>
      h("span", { class: `chip ${tone}`, title: note || null, dir: "auto" }, words),
    ),
    row.samePublisherAs ? chip(`Same publisher as ${hostOf(row.samePublisherAs)}`, "warning") : null,
  ].filter(Boolean);
  return shown.length ? h("span", { class: "chips" }, shown) : null;
}

function copies(rows, opening) {
  const item = (row) =>
    h("li", {}, opening(row, row.title || row.url), h("span", { class: "meta" }, hostOf(row.url), " ", day(row.date)));
  const name = counted(rows.length, "copy", "copies");
  return h("details", { class: "copies" }, h("summary", {}, `${name} of the same text`), h("ul", {}, rows.map(item)));
}
