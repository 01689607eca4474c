// What the tools say of a source, brought into one shape: a row of the evidence table.

import { day } from "./dom.js";

const KINDS = { peer_reviewed: "peer-reviewed paper", government: "authority", news: "news", unknown: "" };
const TONES = { retracted: "bad", concern: "warning", press_release: "warning", print_of_press_release: "warning" };
const WORDS = {
  retracted: "Retracted",
  concern: "Expression of concern",
  press_release: "Press release",
  print_of_press_release: "Prints a press release",
  self_published: "Self-published",
  cited_by_others: "Cited by others here",
};

export function hostOf(url) {
  try {
    return new URL(url).host.replace(/^www\./, "");
  } catch {
    return "";
  }
}

// A page of search_and_scrape. The sentence is the one nearest to the claim or the question.
export function rowOfSource(source) {
  const textOf = (each) => each.text ?? source.keySentences?.[each.keySentence];
  const near = nearestOf(source.evidence || [], (each) => textOf(each) === source.claimSignal);
  const quote = near ? textOf(near) : source.keySentences?.[0];
  return {
    state: "read",
    url: source.url,
    title: source.title || source.url,
    author: source.author,
    date: source.publishedAt,
    kind: KINDS[source.sourceType] ?? (source.sourceType || "").replaceAll("_", " "),
    quote,
    at: near?.start,
    link: near?.link,
    stance: near?.stance,
    differences: near?.differences || source.differences || [],
    sameTextAs: source.sameTextAs,
    samePublisherAs: source.samePublisherAs,
    doi: source.doi,
    standing: source.standing || [],
    marks: (source.standing || []).filter(({ kind }) => WORDS[kind]).map(markOf),
  };
}

// One that says so or otherwise counts before the one with the most words in common.
function nearestOf(evidence, isSignal) {
  const telling = evidence.filter(({ stance }) => stance === "differs" || stance === "states");
  return telling.find(isSignal) || telling[0] || evidence.find(isSignal) || evidence[0];
}

function markOf({ kind, note }) {
  return { tone: TONES[kind] || "plain", words: WORDS[kind], note };
}

export function rowOfFailure({ url, kind, reason }) {
  return { state: "failed", url, failure: { kind, reason }, marks: [], standing: [] };
}

export function rowOfPaper(paper, question) {
  const notice = paper.retractionStatus;
  const words = notice?.retracted
    ? `Retracted${notice.date ? ` ${day(notice.date)}` : ""}`
    : notice?.kind?.replaceAll("_", " ");
  const marks = [
    notice ? { tone: notice.retracted ? "bad" : "warning", words } : null,
    paper.openAccess ? { tone: "good", words: "Free to read" } : null,
    paper.citationCount ? { tone: "plain", words: `cited ${paper.citationCount.toLocaleString()} times` } : null,
  ].filter(Boolean);
  return {
    state: "read",
    url: paper.url,
    title: paper.title,
    author: (paper.authors || []).slice(0, 3).join(", "),
    date: paper.date || (paper.year ? String(paper.year) : ""),
    kind: "paper",
    quote: nearest(paper.abstract || paper.tldr || "", question),
    from: "abstract",
    doi: paper.doi,
    standing: [],
    marks,
  };
}

export function rowOfArticle(article) {
  const { url, title, snippet, publishedAt, date, source } = article;
  return {
    state: "read",
    url,
    title,
    date: publishedAt || date,
    kind: "news",
    author: source,
    quote: snippet,
    from: "teaser",
    standing: [],
    marks: [],
  };
}

// The sentence of an abstract that shares most words with the question.
export function nearest(text, question) {
  const wanted = new Set(words(question));
  const sentences = text.slice(0, 20_000).split(/(?<=[.!?])\s+/);
  const score = (sentence) =>
    words(sentence).filter((word) => wanted.has(word)).length / Math.sqrt(sentence.length + 40);
  return sentences.reduce((best, next) => (score(next) > score(best) ? next : best), sentences[0] || "");
}

function words(text) {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3);
}

export const COLUMNS = [
  "title",
  "url",
  "date",
  "kind",
  "author",
  "quote",
  "link",
  "stance",
  "sameTextAs",
  "samePublisherAs",
  "marks",
];

export function cells(row) {
  const marks = [
    ...row.marks.map(({ words: text }) => text),
    row.failure ? `${row.failure.kind}: ${row.failure.reason}` : "",
  ];
  return COLUMNS.map((name) => (name === "marks" ? marks.filter(Boolean).join("; ") : (row[name] ?? "")));
}
