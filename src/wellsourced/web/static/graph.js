// The citation graph of a paper: who cites it and whom it cites, along time. Retracted works are red.

import { watch } from "./api.js";
import { announce, counted, go, h, link, within } from "./dom.js";
import { graphDrawing } from "./graph_drawing.js";
import { failed, nothing, remarks } from "./outcome.js";
import { busy, chip, field, values } from "./parts.js";
import { picture } from "./picture.js";

export const title = "Citations";
export const heading = "Who cites whom";
export const lead =
  "The works a paper rests on, to its left, and those that rest on it, to its right. Choose one and go on from there.";

const EACH_WAY = 25;

export function render(root, { parameters, signal }) {
  const hint = "A DOI, an arXiv id, PMID:number, or the exact title.";
  const form = h(
    "form",
    { class: "panel", role: "search", submit },
    h(
      "div",
      { class: "row" },
      field({ name: "paper", label: "Paper", kind: "search", required: true, value: parameters.paper || "", hint }),
      h("button", { type: "submit", class: "primary" }, "Draw"),
    ),
  );
  function submit(event) {
    event.preventDefault();
    go("graph", values(form));
  }
  const shown = h("div", {});
  root.append(form, shown);
  return parameters.paper ? new Graph(shown, signal).begin(parameters.paper) : null;
}

export class Graph {
  constructor(shown, signal) {
    this.signal = signal;
    this.works = new Map();
    this.edges = new Map();
    this.state = h("div", {});
    this.figure = h("div", {});
    this.detail = h("section", { class: "panel work-detail", "aria-live": "polite", hidden: true });
    shown.replaceChildren(this.state, this.figure, this.detail);
  }

  async begin(paper) {
    const content = await this.ask(paper);
    if (!content) return;
    const found = this.take(content, paper);
    if (this.works.size < 2) return void this.state.append(nothing("No work is known to cite it or to be cited by it"));
    this.draw(found);
    announce(`${counted(this.works.size, "work")}.`);
  }

  async ask(paper) {
    const waiting = busy("Asking the citation indexes…");
    this.state.replaceChildren(waiting);
    const tell = (name, data) => name === "progress" && waiting.lastChild.replaceWith(data.message);
    const answer = await watch("citation_graph", { paper, num_results: EACH_WAY }, this.signal, tell);
    if (this.signal.aborted) return null;
    this.state.replaceChildren(...(answer.error ? [failed(answer.error)] : remarks(answer.content).filter(Boolean)));
    return answer.error ? null : answer.content;
  }

  // The works of an answer, and who cites whom among them; gives the id of the one that was asked for.
  take(content, asked) {
    const seed = this.add(content.seedPaper || { title: content.seed || asked });
    for (const work of content.citedBy || []) this.join(this.add(work), seed);
    for (const work of content.references || []) this.join(seed, this.add(work));
    this.seed = this.seed || seed;
    return seed;
  }

  add(paper) {
    const id = (paper.doi || paper.url || paper.title || "").toLowerCase();
    const known = this.works.get(id);
    this.works.set(id, {
      ...known,
      ...paper,
      id,
      isRetracted: Boolean(paper.retractionStatus?.retracted || known?.isRetracted),
    });
    return id;
  }

  join(from, to) {
    if (from !== to) this.edges.set(`${from} ${to}`, { from, to });
  }

  draw(selected) {
    const works = [...this.works.values()];
    const edges = [...this.edges.values()];
    const { drawing, controls, pick } = graphDrawing({
      works,
      edges,
      seed: this.seed,
      choose: (work) => this.tell(work),
    });
    const rows = works.map((work) => [
      work.title || "",
      work.year || "",
      work.citationCount ?? "",
      this.relation(work.id),
      work.isRetracted ? "retracted" : "",
      work.doi || work.url || "",
    ]);
    const show = (cells, column) =>
      column ? cells[column] : cells[5] ? within("graph", { paper: cells[5] }, cells[0], { dir: "auto" }) : cells[0];
    this.figure.replaceChildren(
      picture({
        title: counted(works.length, "work"),
        drawing,
        file: "citations",
        note: "Time runs to the right; the more a work is cited, the larger it is.",
        columns: ["Work", "Year", "Cited", "Relation", "Notice", "DOI or address"],
        rows,
        show,
        extra: controls,
      }),
    );
    pick(selected);
  }

  relation(id) {
    if (id === this.seed) return "asked for";
    if (this.edges.has(`${id} ${this.seed}`)) return "cites it";
    return this.edges.has(`${this.seed} ${id}`) ? "is cited by it" : "further off";
  }

  tell(work) {
    const name = work.doi || work.url || work.title;
    const facts = [
      (work.authors || []).slice(0, 6).join(", "),
      work.journal,
      work.year,
      work.citationCount ? `cited ${counted(work.citationCount, "time")}` : "",
    ];
    this.detail.hidden = false;
    this.detail.replaceChildren(
      h("h2", {}, link(work.url || "", work.title || name)),
      h(
        "p",
        { class: "meta" },
        facts.filter(Boolean).map((fact) => h("span", { dir: "auto" }, String(fact))),
        work.isRetracted ? chip("Retracted", "bad") : null,
      ),
      work.abstract || work.tldr ? h("p", { dir: "auto" }, work.tldr || work.abstract) : "",
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", click: () => this.grow(work.id, name) }, "Add its citations"),
        within("graph", { paper: name }, "Begin from it", { class: "button" }),
        work.url ? within("read", { url: work.pdfUrl || work.url }, "Read", { class: "button" }) : null,
        within("verify", { citation: name }, "Verify", { class: "button" }),
      ),
    );
  }

  async grow(id, name) {
    const before = this.works.size;
    const content = await this.ask(name);
    if (!content) return;
    this.take({ ...content, seedPaper: this.works.get(id) }, name);
    this.draw(id);
    announce(`${counted(this.works.size - before, "new work")}.`);
  }
}
