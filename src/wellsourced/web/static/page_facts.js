// What is known of a page that was read: how it was read, what to mind about it, and how to cite it.

import { day, h, within } from "./dom.js";
import { chip, copyButton, list, notice } from "./parts.js";

const QUALITY = { complete: "good", partial: "warning" };

export function traits(page) {
  return [
    page.extractionQuality ? chip(`read: ${page.extractionQuality}`, QUALITY[page.extractionQuality]) : null,
    page.sourceType && page.sourceType !== "unknown" ? chip(page.sourceType.replaceAll("_", " ")) : null,
    page.authorityTier ? chip(`authority: ${page.authorityTier.replaceAll("_", " ")}`) : null,
    page.extractedBy ? chip(WAYS[page.extractedBy] || `by ${page.extractedBy}`) : null,
    page.detectedDoi
      ? within("verify", { citation: page.detectedDoi }, `doi:${page.detectedDoi}`, { class: "chip" })
      : null,
    page.detectedDoi ? within("graph", { paper: page.detectedDoi }, "citations", { class: "chip" }) : null,
  ].filter(Boolean);
}

const WAYS = {
  stealth: "fetched as a browser does",
  html: "fetched plainly",
  browser: "opened in a browser",
  exa: "through Exa",
};

export function warnings(page) {
  const known = page.retractionStatus;
  const remarks = [
    ...(page.notes || []),
    page.hiddenRemoved ? `${page.hiddenRemoved} hidden elements were removed from the text.` : null,
    page.refusedRequests?.length
      ? `The page asked for addresses that must not be fetched: ${page.refusedRequests.join(", ")}`
      : null,
    page.forumSignals?.credibilityNote,
  ].filter(Boolean);
  const facts = known
    ? [
        known.date ? `On ${day(known.date)}.` : "",
        known.source ? `Source: ${known.source}.` : "",
        known.noticeDoi ? `Notice: ${known.noticeDoi}.` : "",
      ]
    : [];
  const name = known?.retracted
    ? "This work was retracted"
    : `Notice about this work: ${known?.kind.replaceAll("_", " ")}`;
  return [
    known ? notice(known.retracted ? "bad" : "warning", name, h("p", {}, facts.filter(Boolean).join(" "))) : null,
    remarks.length ? notice("plain", "Worth knowing", list(remarks)) : null,
  ].filter(Boolean);
}

export function citation(page) {
  const forms = Object.entries(page.citation.formatted).filter(([, text]) => text);
  const form = ([style, text]) =>
    h(
      "div",
      {},
      h("dt", {}, style === "bibtex" ? "BibTeX" : style.toUpperCase(), " ", copyButton(text, `${style} citation`)),
      h("dd", { dir: "auto", class: style === "bibtex" ? "mono" : null }, text),
    );
  return h(
    "section",
    { class: "panel", "aria-labelledby": "cite" },
    h("h2", { id: "cite" }, "Cite it"),
    h("dl", { class: "forms" }, forms.map(form)),
  );
}
