// The first page: one question, and a table of evidence that fills as sources come in.

import { watch } from "./api.js";
import { announce, counted, go, h } from "./dom.js";
import { demonstration } from "./demo.js";
import { EvidenceBoard } from "./evidence_board.js";
import { rowOfArticle, rowOfFailure, rowOfPaper, rowOfSource } from "./evidence_rows.js";
import { independenceMap } from "./independence.js";
import { failed, nothing, remarks } from "./outcome.js";
import { field, values } from "./parts.js";
import { keepButton } from "./keep.js";
import { timeline } from "./timeline.js";

export const title = "Ask";
export const heading = "What do you want to know?";

const PAGES = 8;
// The ways to look, side by side: which tool is asked, and how its answer becomes rows.
const LANES = {
  web: {
    label: "Web pages",
    tool: "search_and_scrape",
    given: ({ question, claim }) => ({
      query: question,
      claim: claim || question,
      num_results: PAGES,
      max_tokens: 20000,
    }),
    rows: (content) => [...content.sources.map(rowOfSource), ...(content.scrapeFailures || []).map(rowOfFailure)],
  },
  papers: {
    label: "Papers",
    tool: "academic_search",
    given: ({ question }) => ({ query: question, num_results: PAGES }),
    rows: (content, { question, claim }) => content.papers.map((paper) => rowOfPaper(paper, claim || question)),
  },
  news: {
    label: "News",
    tool: "news_search",
    given: ({ question }) => ({ query: question, num_results: PAGES, time_range: "year" }),
    rows: (content) => content.articles.map(rowOfArticle),
  },
};

export function render(root, { parameters, about, signal }) {
  const offered = Object.entries(LANES).filter(([, lane]) => about.tools.some(({ name }) => name === lane.tool));
  const chosen = (parameters.in || "web papers").split(" ");
  const form = questionForm(parameters, offered, chosen);
  root.append(form);
  window.dispatchEvent(new Event("ask-ready"));
  if (!parameters.question) {
    root.append(about.demo ? demonstration(signal) : "", firstSteps());
    return null;
  }
  return work(
    root,
    parameters,
    offered.filter(([name]) => chosen.includes(name)),
    signal,
  );
}

function questionForm(parameters, offered, chosen) {
  const box = { name: "question", label: "Question", kind: "search", required: true, maxlength: 500 };
  const hint = "A statement to hold the sources against; each row then says which way it points.";
  const form = h(
    "form",
    { class: "panel ask-box", role: "search", submit },
    h(
      "div",
      { class: "row" },
      field({
        ...box,
        value: parameters.question || "",
        placeholder: "Do moss roofs keep beehives cooler?",
        "data-box": true,
      }),
      h("button", { type: "submit", class: "primary" }, "Ask"),
    ),
    h(
      "details",
      { open: Boolean(parameters.claim && !parameters.question) },
      h("summary", {}, "A claim, and where to look"),
      field({ name: "claim", label: "Claim", value: parameters.claim || "", maxlength: 2000, hint }),
      h(
        "fieldset",
        { class: "choices" },
        h("legend", {}, "Look in"),
        offered.map(([name, lane]) => {
          const box = h("input", { type: "checkbox", name: `in-${name}`, checked: chosen.includes(name) });
          return h("label", {}, box, lane.label);
        }),
      ),
    ),
  );
  function submit(event) {
    event.preventDefault();
    const given = values(form);
    const lanes = offered.map(([name]) => name).filter((name) => given[`in-${name}`]);
    const usual = lanes.join(" ") === "web papers" || !lanes.length;
    go("", { question: given.question, claim: given.claim, in: usual ? "" : lanes.join(" ") });
  }
  return form;
}

async function work(root, asked, lanes, signal) {
  const own = new AbortController();
  signal.addEventListener("abort", () => own.abort(), { once: true });
  const board = new EvidenceBoard({ claim: asked.claim, cancel: () => own.abort() });
  const after = h("div", {});
  root.append(board.element, after);
  announce(`Asking: ${lanes.map(([, lane]) => lane.label).join(", ")}.`);
  const answers = await Promise.all(lanes.map(([name, lane]) => runLane(name, lane, asked, board, own.signal, after)));
  if (signal.aborted) return;
  board.end(own.signal.aborted);
  announce(`${counted(board.rows.length, "source")}.`);
  if (!board.rows.length && answers.some((answer) => answer.content))
    after.append(nothing("Nothing found", hintsOf(answers)));
  const dated = timeline("Sources by date", board.rows);
  const copied = independenceMap(board.rows);
  const keep = board.rows.length ? keepButton(board.rows, asked, signal) : null;
  after.append(...[keep, dated, copied].filter(Boolean));
}

async function runLane(name, lane, asked, board, signal, after) {
  const line = board.lane(name, lane.label);
  const take = {
    progress: ({ done, total, message }) => line.tell(done, total, message),
    found: ({ sources }) => sources.forEach((source) => board.put({ ...source, state: "waiting", lane: name })),
    source: (source) => board.put(rowOfSource(source)),
    failure: (failure) => board.put(rowOfFailure(failure)),
  };
  const answer = await watch(lane.tool, lane.given(asked), signal, (event, data) => take[event]?.(data));
  if (answer.error) {
    line.end(signal.aborted ? "stopped" : "not answered");
    if (!signal.aborted) after.append(h("div", {}, h("h2", {}, lane.label), failed(answer.error)));
    return answer;
  }
  const rows = lane.rows(answer.content, asked);
  rows.forEach((row) => board.put(row));
  line.end(rows.length ? counted(rows.length, "source") : "nothing found");
  after.append(...remarks(answer.content).filter(Boolean));
  return answer;
}

function hintsOf(answers) {
  return answers.map((answer) => answer.content?.hints).find(Boolean);
}

function firstSteps() {
  const steps = [
    ["Ask", "Pages and papers are searched and read side by side; each row is a sentence you can open in its place."],
    ["Weigh", "Copies are folded under their origin. Retractions, press releases and walls are marked, never hidden."],
    ["Keep", "A project holds sources, quotations with receipts, and tells you when a page has changed."],
  ];
  return h(
    "ol",
    { class: "first-steps" },
    steps.map(([name, text]) => h("li", {}, h("strong", {}, name), h("p", {}, text))),
  );
}
