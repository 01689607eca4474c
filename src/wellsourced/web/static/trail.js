// The parts of a research trail: the tree of its steps, its questions, its sources with their evidence.

import { day, h, link, within } from "./dom.js";
import { chip } from "./parts.js";

const CONFIDENCE = { high: "good", medium: "plain", low: "warning" };

// Branches stand under the step they begin from; that step is the latest earlier one with its number.
export function stepTree(session) {
  const children = new Map();
  const lines = new Map([["", []]]);
  session.steps.forEach((step, index) => {
    const name = step.branchId || "";
    if (!lines.has(name)) {
      lines.set(name, []);
      const from = session.steps.slice(0, index).findLast((earlier) => earlier.stepNumber === step.branchFromStep);
      if (from) children.set(from, [...(children.get(from) || []), name]);
      else children.set(null, [...(children.get(null) || []), name]);
    }
    lines.get(name).push(step);
  });
  const line = (name) =>
    h(
      "ol",
      { class: "steps" },
      lines.get(name).map((step) =>
        h(
          "li",
          {},
          stepOf(step, session),
          (children.get(step) || []).map((branch) =>
            h(
              "div",
              { class: "branch" },
              h("p", { class: "branch-name" }, "Branch ", h("bdi", {}, branch)),
              line(branch),
            ),
          ),
        ),
      ),
    );
  return h("div", { class: "tree" }, lines.get("").length ? line("") : null, (children.get(null) || []).map(line));
}

function stepOf(step, session) {
  const found = session.sources.filter(
    (source) => (source.foundInStep || source.afterStep) === step.stepNumber && !step.branchId,
  );
  const remarks = [
    step.reasoning ? ["Why", step.reasoning] : null,
    ...(step.rejectedApproaches || []).map((text) => ["Dropped", text]),
    step.knowledgeGap ? ["Open question", step.knowledgeGap] : null,
    ...(step.resolvedGaps || []).map((text) => ["Closed", text]),
  ].filter(Boolean);
  return h(
    "div",
    { class: step.supersededBy ? "step old" : "step" },
    h(
      "p",
      { class: "step-head" },
      h("strong", {}, `Step ${step.stepNumber}`),
      " ",
      step.confidence ? chip(`${step.confidence} confidence`, CONFIDENCE[step.confidence]) : null,
      step.revisesStep ? chip(`revises step ${step.revisesStep}`) : null,
      step.supersededBy ? chip(`superseded by step ${step.supersededBy}`, "warning") : null,
    ),
    h("p", { class: "pre-line", dir: "auto" }, step.description),
    remarks.length
      ? h(
          "dl",
          { class: "remarks" },
          remarks.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", { dir: "auto" }, text))),
        )
      : null,
    found.length
      ? h(
          "details",
          {},
          h("summary", {}, `${found.length} found here`),
          h(
            "ul",
            {},
            found.map((source) => h("li", {}, link(source.url, source.title))),
          ),
        )
      : null,
  );
}

export function questions(gaps) {
  if (!gaps.length) return "";
  return h(
    "section",
    { "aria-labelledby": "gaps" },
    h("h2", { id: "gaps" }, "Questions"),
    h(
      "ul",
      { class: "gaps" },
      gaps.map((gap) =>
        h(
          "li",
          {},
          gap.closedInStep ? chip(`closed in step ${gap.closedInStep}`, "good") : chip("open", "warning"),
          " ",
          h("span", { dir: "auto" }, gap.description),
        ),
      ),
    ),
  );
}

export function sourceList(sources) {
  if (!sources.length) return h("p", { class: "faint" }, "No source was recorded.");
  return h(
    "section",
    { "aria-labelledby": "sources" },
    h("h2", { id: "sources" }, "Sources and evidence"),
    h(
      "ol",
      { class: "cards" },
      sources.map((source) =>
        h(
          "li",
          {},
          h(
            "article",
            { class: "card" },
            h("h3", {}, link(source.url, source.title || source.url)),
            h(
              "p",
              { class: "meta" },
              [source.author, source.relevance, day(source.date), source.doi ? `doi:${source.doi}` : ""]
                .filter(Boolean)
                .map((fact) => h("span", { dir: "auto" }, fact)),
              states(source),
            ),
            (source.evidence || []).map((item) =>
              h(
                "figure",
                { class: "quote" },
                h("blockquote", { dir: "auto" }, link(item.link || "", item.quote)),
                item.claim ? h("figcaption", { dir: "auto" }, pointing(item), item.claim) : null,
              ),
            ),
            h(
              "div",
              { class: "actions" },
              within("read", { url: source.url }, "Read", { class: "button" }),
              within("verify", { citation: source.doi || source.url }, "Verify", { class: "button" }),
            ),
          ),
        ),
      ),
    ),
  );
}

const STANCES = { states: "Says so", differs: "Says otherwise", near: "On the same" };

// Which way a quotation points, in front of its claim.
function pointing({ stance, differs }) {
  const words = STANCES[stance] ? `${STANCES[stance]}${differs ? ` (${differs})` : ""}. ` : "";
  return `${words}Beside the claim: `;
}

// A correction or a concern is no retraction.
function against(notice) {
  const isLesser = /^(correction|expression_of_concern)/.test(notice);
  return chip(notice.replaceAll("_", " "), isLesser ? "warning" : "bad");
}

function states(source) {
  return [
    source.retraction ? against(source.retraction) : null,
    ...(source.standing || []).map((note) => chip(note, "warning")),
    source.rejected ? chip(`set aside: ${source.rejected}`, "warning") : null,
    source.verified === true ? chip("alive", "good") : null,
    source.verified === false ? chip("dead link", "bad") : null,
  ];
}
