// One audited entry as a line, the sum of all, and all as a table for other programs.

import { counted, h, link, within } from "./dom.js";
import { fieldTable } from "./field_table.js";
import { csvOf } from "./files.js";
import { chip } from "./parts.js";

export const FLAGS = {
  ok: ["Nothing against it", "good"],
  retracted: ["Retracted", "bad"],
  not_found: ["Not registered", "bad"],
  mismatch: ["Differs from the record", "warning"],
  dead_link: ["Dead link", "warning"],
  mischaracterized: ["Not about the claim", "warning"],
  unchecked: ["Could not be checked", "plain"],
};
const COLUMNS = [
  "index",
  "key",
  "title",
  "doi",
  "url",
  "exists",
  "flags",
  "reason",
  "matchedTitle",
  "differences",
  "fieldsMatched",
  "fieldChecks",
  "duplicateOf",
  "linkLive",
  "httpStatus",
  "archivedUrl",
];

export function rowOf(entry, isWaiting) {
  const name = entry.title || entry.doi || entry.url || `Entry ${entry.index + 1}`;
  const flags = entry.flags?.length ? entry.flags : ["ok"];
  const archived = entry.archivedUrl ? link(entry.archivedUrl, "archived copy") : null;
  return h(
    "li",
    { class: isWaiting ? "waiting" : "checked" },
    h(
      "div",
      { class: "entry-title" },
      h("span", { dir: "auto" }, entry.url ? link(entry.url, name) : name),
      isWaiting ? chip("waiting") : flags.map((flag) => chip(FLAGS[flag]?.[0] || flag, FLAGS[flag]?.[1])),
    ),
    entry.reason ? h("p", { dir: "auto" }, entry.reason, " ", archived) : archived,
    entry.matchedTitle && entry.matchedTitle !== entry.title
      ? h("p", { class: "faint", dir: "auto" }, "In the record: ", entry.matchedTitle)
      : null,
    fields(entry),
    entry.possibleMatch
      ? h(
          "p",
          { class: "faint", dir: "auto" },
          "Possibly meant: ",
          link(entry.possibleMatch.url || "", entry.possibleMatch.title),
        )
      : null,
    h(
      "p",
      { class: "meta" },
      entry.key ? h("span", { dir: "auto" }, entry.key) : null,
      entry.doi ? h("span", { dir: "auto" }, `doi:${entry.doi}`) : null,
      isWaiting ? null : evidence(entry),
    ),
  );
}

// Every field beside the record, folded away where nothing differs.
function fields(entry) {
  const checks = entry.fieldChecks || [];
  const differing = checks.filter(({ result }) => result === "differs").length;
  const same =
    entry.duplicateOf !== undefined
      ? h("p", { class: "faint" }, `The same work as entry ${entry.duplicateOf + 1}.`)
      : null;
  const words = differing
    ? `${counted(differing, "field")} not as recorded`
    : `${counted(checks.length, "field")} as recorded`;
  const beside = checks.length
    ? h("details", { open: differing > 0 }, h("summary", {}, words), fieldTable(checks))
    : null;
  return [same, beside];
}

function besides(check) {
  return `${check.field}: cited “${check.cited}”, recorded “${check.recorded ?? ""}”`;
}

// The corrections that the record offers for an entry, by field.
export function fixesOf(entry) {
  const found = (entry.fieldChecks || []).filter(
    (check) => check.result === "differs" && check.grade !== "variant" && check.recorded,
  );
  return Object.fromEntries(found.map((check) => [check.field, check.recorded]));
}

// In a tab of its own, with its key: leaving the view would end the audit and lose what it found.
function evidence(entry) {
  const citation = entry.doi || entry.url || entry.title || "";
  return within("verify", { citation }, "All evidence", { target: "_blank", rel: "opener" });
}

export function summaryOf(entries) {
  const counts = {};
  for (const entry of entries) {
    if (!entry.flags) continue;
    for (const flag of entry.flags.length ? entry.flags : ["ok"]) counts[flag] = (counts[flag] || 0) + 1;
  }
  return counts;
}

function textOf(value) {
  const words = (part) => (part?.field ? `${besides(part)};` : part);
  return Array.isArray(value) ? value.map(words).join(" ") : value;
}

export function asCsv(entries) {
  return csvOf(
    COLUMNS,
    entries.map((entry) => COLUMNS.map((name) => textOf(entry[name]))),
  );
}
