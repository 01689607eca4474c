// A table of any length: rows are drawn as they are scrolled to, sorted by a heading, narrowed by words.

import { announce, counted, h, newId } from "./dom.js";

const PORTION = 200;
const FILTER_FROM = 25;
const comparing = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

// rows: arrays of texts and numbers; `show` makes what stands in a cell from the row and the column, if not the text.
export function longTable({ name, columns, rows, show = (row, column) => row[column] ?? "", kind = "" }) {
  let sorted = rows;
  let matching = rows;
  let drawn = 0;
  let order = { column: -1, isDown: false };
  const body = h("tbody", {});
  const counter = h("p", { class: "meta", role: "status" });
  const more = h("button", { type: "button", hidden: true, click: draw }, "More rows");
  const headings = columns.map((text, column) => {
    const button = h("button", { type: "button", class: "sort", click: () => sort(column) }, text);
    return h("th", { scope: "col", "aria-sort": "none" }, button);
  });
  const table = h(
    "table",
    { class: `long ${kind}`, "aria-rowcount": rows.length + 1 },
    h("thead", {}, h("tr", {}, headings)),
    body,
  );

  function draw() {
    const next = matching.slice(drawn, drawn + PORTION);
    body.append(
      ...next.map((row) =>
        h(
          "tr",
          {},
          columns.map((_, column) => cellOf(row, column)),
        ),
      ),
    );
    drawn += next.length;
    more.hidden = drawn >= matching.length;
    counter.textContent =
      drawn < matching.length
        ? `${drawn.toLocaleString()} of ${counted(matching.length, "row")} shown`
        : matching.length < rows.length
          ? `${counted(matching.length, "row")} of ${rows.length.toLocaleString()}`
          : "";
  }
  function cellOf(row, column) {
    const isNumber = typeof row[column] === "number";
    const given = { dir: "auto", class: isNumber ? "number" : null };
    return column ? h("td", given, show(row, column)) : h("th", { scope: "row", ...given }, show(row, column));
  }
  function redraw() {
    body.replaceChildren();
    drawn = 0;
    draw();
  }
  function sort(column) {
    order = { column, isDown: order.column === column && !order.isDown };
    const sign = order.isDown ? -1 : 1;
    sorted = rows.toSorted((one, other) => sign * comparing.compare(one[column] ?? "", other[column] ?? ""));
    const words = filter?.value || "";
    headings.forEach((cell, index) =>
      cell.setAttribute("aria-sort", index === column ? (order.isDown ? "descending" : "ascending") : "none"),
    );
    narrow(words);
    announce(`Sorted by ${columns[column]}, ${order.isDown ? "downwards" : "upwards"}.`);
  }
  function narrow(words) {
    const wanted = words.trim().toLowerCase();
    matching = wanted
      ? sorted.filter((row) =>
          row.some((cell) =>
            String(cell ?? "")
              .toLowerCase()
              .includes(wanted),
          ),
        )
      : sorted;
    redraw();
  }
  const id = newId("filter");
  const filter =
    rows.length > FILTER_FROM
      ? h("input", { id, type: "search", autocomplete: "off", input: () => narrow(filter.value) })
      : null;
  const label = filter
    ? h("div", { class: "field table-filter" }, h("label", { for: id }, "Only rows with"), filter)
    : null;
  const frame = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, table);
  new IntersectionObserver(([seen]) => seen.isIntersecting && !more.hidden && draw(), { rootMargin: "600px" }).observe(
    more,
  );
  draw();
  return h("div", { class: "long-table" }, label, counter, frame, more);
}
