// The citation graph as one drawing: a list for screen readers and arrow keys, to be moved and enlarged by pointer.

import { h, svg } from "./dom.js";
import { layout, neighbour } from "./graph_layout.js";
import { shortened } from "./picture.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const CLOSEST = 150;
const NARROW = 620; // on a phone only the surroundings are shown at first, at a size that can be read

// works: [{id, title, year, citationCount, isRetracted}], edges: [{from, to}] (from cites to)
export function graphDrawing({ works, edges, seed, choose }) {
  const { places, labels, box, years } = layout(works, seed);
  const byId = new Map(works.map((work) => [work.id, work]));
  let view = [...box];
  let active = seed;
  const idOf = (id) => `work-${works.findIndex((work) => work.id === id)}`;
  const nodes = new Map(works.map((work, index) => [work.id, node(work, index)]));
  const drawing = svg(
    "svg",
    {
      class: "graph",
      tabindex: 0,
      role: "listbox",
      "aria-label": `${works.length} works; arrow keys move, Enter opens one`,
      keydown: press,
    },
    svg(
      "g",
      { "aria-hidden": "true" },
      years.map(([year, x]) => yearMark(year, x)),
    ),
    svg("g", { "aria-hidden": "true" }, edges.map(edge)),
    [...nodes.values()],
    svg("g", { "aria-hidden": "true" }, works.filter((work) => labels.has(work.id)).map(label)),
  );
  drawing.style.aspectRatio = `${box[2]} / ${box[3]}`;

  function node(work, index) {
    const { x, y, r } = places.get(work.id);
    const kind = ["work", work.isRetracted ? "bad" : "", work.id === seed ? "seed" : ""].join(" ");
    const words = [work.title, work.year, work.isRetracted ? "retracted" : ""].filter(Boolean).join(", ");
    return svg(
      "g",
      {
        class: kind,
        id: `work-${index}`,
        role: "option",
        "aria-selected": "false",
        "aria-label": words,
        click: () => pick(work.id),
      },
      svg("circle", { cx: x, cy: y, r }, svg("title", {}, words)),
    );
  }
  function label(work) {
    const { x, y, r } = places.get(work.id);
    if (work.id !== seed) return svg("text", { x: x + r + 4, y: y + 4, class: "label" }, shortened(work.title, 28));
    return svg("text", { x, y: y - r - 8, class: "label seed", "text-anchor": "middle" }, shortened(work.title, 36));
  }
  function edge({ from, to }) {
    const [one, other] = [places.get(from), places.get(to)];
    if (!one || !other) return null;
    const middle = (one.x + other.x) / 2;
    const isBad = byId.get(from).isRetracted || byId.get(to).isRetracted;
    return svg("path", {
      d: `M${one.x} ${one.y}C${middle} ${one.y} ${middle} ${other.y} ${other.x} ${other.y}`,
      class: isBad ? "edge bad" : "edge",
    });
  }
  function yearMark(year, x) {
    return svg("text", { x, y: box[1] + box[3] - 14, "text-anchor": "middle", class: "tick" }, year);
  }
  function look(next) {
    view = next;
    drawing.setAttribute("viewBox", view.map((number) => number.toFixed(1)).join(" "));
  }
  function zoom(factor, [x, y] = [view[0] + view[2] / 2, view[1] + view[3] / 2]) {
    const width = Math.min(box[2] * 1.5, Math.max(CLOSEST, view[2] * factor));
    const ratio = width / view[2];
    look([x - (x - view[0]) * ratio, y - (y - view[1]) * ratio, width, view[3] * ratio]);
  }
  function mark(id) {
    for (const each of drawing.querySelectorAll('[aria-selected="true"]')) each.setAttribute("aria-selected", "false");
    active = id;
    nodes.get(id).setAttribute("aria-selected", "true");
    drawing.setAttribute("aria-activedescendant", idOf(id));
    const { x, y } = places.get(id);
    const isSeen = x > view[0] && x < view[0] + view[2] && y > view[1] && y < view[1] + view[3];
    if (!isSeen) look([x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
  }
  function pick(id) {
    mark(id);
    choose(byId.get(id));
  }
  function press(event) {
    if (event.key === "Enter") pick(active);
    else if (event.key === "+" || event.key === "=") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else if (ARROWS[event.key]) mark(neighbour(places, active, ARROWS[event.key]));
    else return;
    event.preventDefault();
  }
  drag(drawing, () => view, look, zoom);
  look(window.innerWidth < NARROW ? [places.get(seed).x - NARROW / 3, box[1], NARROW, box[3]] : view);
  mark(seed);
  const controls = [
    h("button", { type: "button", "aria-label": "Enlarge", click: () => zoom(0.75) }, "+"),
    h("button", { type: "button", "aria-label": "Make smaller", click: () => zoom(1.33) }, "−"),
    h("button", { type: "button", click: () => look([...box]) }, "Show all"),
  ];
  return { drawing, controls, pick };
}

// Drag to move (a finger moves it sideways and scrolls the page up and down); with Ctrl the wheel enlarges, without it the page scrolls as everywhere.
function drag(drawing, viewNow, look, zoom) {
  let from = null;
  const unit = () => viewNow()[2] / drawing.clientWidth;
  drawing.addEventListener("pointerdown", (event) => {
    from = { x: event.clientX, y: event.clientY, view: viewNow() };
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) return;
    const [x, y, width, height] = from.view;
    look([x - (event.clientX - from.x) * unit(), y - (event.clientY - from.y) * unit(), width, height]);
  });
  drawing.addEventListener("pointerup", () => {
    from = null;
  });
  const wheel = (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const edge = drawing.getBoundingClientRect();
    const [x, y] = viewNow();
    zoom(event.deltaY > 0 ? 1.15 : 0.87, [
      x + (event.clientX - edge.left) * unit(),
      y + (event.clientY - edge.top) * unit(),
    ]);
  };
  drawing.addEventListener("wheel", wheel, { passive: false });
}
