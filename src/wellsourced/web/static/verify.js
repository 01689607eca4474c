// One citation held against the record: evidence, set out side by side. The judging is the reader's.

import { watch } from "./api.js";
import { announce, day, go, h, link, within } from "./dom.js";
import { fieldTable } from "./field_table.js";
import { busy, chip, field, list, table, values } from "./parts.js";
import { failed } from "./outcome.js";

export const title = "Verify";
export const heading = "Verify a citation";
export const lead =
  "What the registers say about one citation: evidence, not a verdict. “Nobody could tell” says nothing against it.";

const FIELDS = { title: "Title", authors: "Authors", year: "Year", venue: "Venue", volume: "Volume", pages: "Pages" };
const WORK = { true: "A record was found", false: "Not registered" };
const ADDRESS = { true: "The page is there", false: "No such page there now" };
const TONES = { match: "good", partial: "warning", mismatch: "bad" };

export function render(root, { parameters, signal }) {
  const shown = h("section", { "aria-label": "Evidence" });
  const form = h(
    "form",
    { class: "panel", submit },
    field({
      name: "citation",
      label: "Citation",
      kind: "area",
      value: parameters.citation || "",
      required: true,
      maxlength: 4000,
      hint: "A DOI, address, arXiv id, PMID, ISBN, case citation, or a whole reference as it stands in the text.",
    }),
    field({
      name: "claim",
      label: "What it is cited for (optional)",
      value: parameters.claim || "",
      maxlength: 2000,
      hint: "The source is read and held against this sentence.",
    }),
    h("button", { type: "submit", class: "primary" }, "Look it up"),
  );
  function submit(event) {
    event.preventDefault();
    go("verify", values(form));
  }
  root.append(form, shown);
  return parameters.citation ? look(shown, parameters, signal) : null;
}

async function look(shown, { citation, claim: about }, signal) {
  const waiting = busy("Asking the registers…");
  shown.replaceChildren(waiting);
  const tell = (name, data) => name === "progress" && waiting.lastChild.replaceWith(data.message);
  const answer = await watch("verify_citation", { citation, claim: about }, signal, tell);
  if (signal.aborted) return;
  shown.replaceChildren(answer.error ? failed(answer.error) : evidence(answer.content));
  if (!answer.error) announce("The evidence is here.");
}

export function evidence(found) {
  const asked = found.provenance.map((said) => h("li", { dir: "auto" }, said));
  const findings = rows(found).map(([question, ...finding]) => [question, finding]);
  return h(
    "div",
    {},
    table("Found about this citation", ["Question", "Finding"], findings, "evidence-table"),
    found.fieldChecks?.length ? [h("h2", {}, "As cited, beside as recorded"), fieldTable(found.fieldChecks)] : "",
    h("h2", {}, "Who was asked"),
    h("ul", { class: "provenance" }, asked),
  );
}

function rows(found) {
  const known = found.retractionStatus;
  return [
    ["Understood as", found.inputType.replaceAll("_", " ")],
    [
      "Does it exist?",
      chip(
        (found.inputType === "url" ? ADDRESS : WORK)[found.exists] || "Nobody could tell",
        { true: "good", false: "bad" }[found.exists] || "plain",
      ),
    ],
    ...(found.matchedRecord
      ? [["Record", record(found.matchedRecord), found.matchConfidence ? chip(`match: ${found.matchConfidence}`) : ""]]
      : []),
    ...(found.matchedRecord?.doi
      ? [["Go on", within("graph", { paper: found.matchedRecord.doi }, "Who cites it, and whom it cites")]]
      : []),
    ...(found.possibleMatch ? [["Possibly meant", record(found.possibleMatch)]] : []),
    ...(found.fieldChecks ? [] : compared(found.fieldMatches || {})),
    ...(found.differences?.length && !found.fieldChecks ? [["Differences", list(found.differences)]] : []),
    ["Retracted?", retraction(known, found.retractionChecked)],
    ...("linkLive" in found || found.httpStatus ? [["Link", liveness(found)]] : []),
    ...(found.claim ? claim(found) : []),
    ...(found.authenticityCaveat ? [["Mind", found.authenticityCaveat]] : []),
  ];
}

function compared(matches) {
  const fields = Object.entries(matches).filter(([name]) => FIELDS[name]);
  const missing = fields.filter(([, state]) => state === "not_given").map(([name]) => FIELDS[name].toLowerCase());
  return [
    ...fields
      .filter(([, state]) => state !== "not_given")
      .map(([name, state]) => [FIELDS[name], chip(state.replaceAll("_", " "), TONES[state] || "plain")]),
    ...(missing.length
      ? [["Not given", h("span", { class: "faint" }, `Nothing to compare for ${missing.join(", ")}.`)]]
      : []),
  ];
}

function record(work) {
  return h(
    "div",
    {},
    link(work.url, work.title),
    h(
      "p",
      { class: "meta" },
      [work.authors?.slice(0, 6).join(", "), work.journal, work.year, work.doi ? `doi:${work.doi}` : ""]
        .filter(Boolean)
        .map((fact) => h("span", { dir: "auto" }, String(fact))),
    ),
  );
}

function retraction(known, checked) {
  if (known?.retracted)
    return chip(`Retracted${known.date ? `, ${day(known.date)}` : ""} (${known.source || "record"})`, "bad");
  if (known) return chip(`${known.kind.replaceAll("_", " ")}${known.date ? `, ${day(known.date)}` : ""}`, "warning");
  return checked ? chip("No notice in the record", "good") : chip("Could not be checked");
}

function liveness(found) {
  const state =
    found.linkLive === true
      ? chip("Alive", "good")
      : found.linkLive === false
        ? chip("Dead", "bad")
        : chip("Could not be told");
  return h(
    "span",
    {},
    state,
    found.httpStatus ? ` status ${found.httpStatus} ` : " ",
    found.archivedUrl ? link(found.archivedUrl, "archived copy") : null,
  );
}

const STANCES = { states: " (says so)", differs: " (says otherwise)" };

function difference({ kind, claim, source }) {
  if (!claim) return `Differs (${kind}): only the source says “${source}”.`;
  if (!source) return `Differs (${kind}): only the claim says “${claim}”.`;
  return `Differs (${kind}): the claim says “${claim}”, the source “${source}”.`;
}

function claim(found) {
  return [
    ["Claim", found.claim],
    [
      "The source on it",
      chip((found.claimSupport || "unknown").replaceAll("_", " ")),
      " ",
      found.quotation ? `The quotation: ${found.quotation.replaceAll("_", " ")}. ` : "",
      found.claimNote || "",
      found.claimEvidence?.length
        ? h(
            "div",
            {},
            found.claimEvidence.map((text, place) =>
              h("blockquote", { dir: "auto" }, text, STANCES[found.claimStances?.[place]] || ""),
            ),
          )
        : "",
      found.claimSourceUrl ? link(found.claimSourceUrl, "source") : "",
      ...(found.claimDifferences || []).map((each) => h("p", {}, difference(each))),
      ...(found.sourceStanding || []).map((each) => h("p", {}, each.note)),
      found.contrastSignal && !found.claimDifferences
        ? h("p", {}, "The passage also holds words of contrast; read it.")
        : "",
    ],
  ];
}
