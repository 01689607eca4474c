// Series of figures as lines over time, with the figures as a table.

import { svg } from "./dom.js";
import { picture, shortened } from "./picture.js";
import { scale, ticks, yearOf, yearTicks } from "./scale.js";

const [WIDTH, HEIGHT] = [900, 340];
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 20, 14, 34];
const MOST_SERIES = 6;
const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2, notation: "compact" });

// series: {name, units, points: [[date, value, url]]}
export function lineChart(title, series) {
  const drawn = series
    .slice(0, MOST_SERIES)
    .map((each) => ({ ...each, at: placed(each.points) }))
    .filter(({ at }) => at.length > 1);
  if (!drawn.length) return null;
  const all = drawn.flatMap(({ at }) => at);
  const years = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const values = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  if (values[0] > 0 && values[0] < values[1] / 2) values[0] = 0;
  const across = scale(years, [LEFT, WIDTH - RIGHT]);
  const up = scale(values, [HEIGHT - BOTTOM, TOP]);
  const words = drawn
    .map(({ name, at, points }) => `${name}: ${at.length} values from ${points[0][0]} to ${points.at(-1)[0]}`)
    .join("; ");
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT + (drawn.length > 1 ? drawn.length * 20 : 0)}`,
      role: "img",
      "aria-label": words,
      class: "line-chart",
    },
    ticks(...values).map((value) => level(up(value), value)),
    yearTicks(...years)
      .filter((year) => year >= years[0] - 0.01 && year <= years[1] + 0.01)
      .map((year) => moment(across(year), year)),
    drawn.map((each, index) => lineOf(each, index, across, up)),
    drawn.length > 1 ? drawn.map((each, index) => legend(each, index)) : null,
  );
  return picture({
    title,
    drawing,
    file: "series",
    note: [...new Set(drawn.map(({ units }) => units).filter(Boolean))].join("; ") || null,
    columns: COLUMNS,
    rows: rowsOf(series),
    isOpen: true,
  });
}

export const COLUMNS = ["Date", "Value", "Series"];

// Every value digit for digit, also where it is no number and cannot be drawn.
export function rowsOf(series) {
  return series.flatMap(({ name, points }) => points.map(([date, value]) => [date, String(value), name]));
}

function placed(points) {
  return points
    .map(([date, value]) => [yearOf(date), value === "" ? NaN : Number(value)])
    .filter(([x, y]) => x !== null && Number.isFinite(y))
    .sort(([one], [other]) => one - other);
}

function level(y, value) {
  return [
    svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y, class: "rule" }),
    svg("text", { x: LEFT - 8, y: y + 4, "text-anchor": "end", class: "tick" }, figures.format(value)),
  ];
}

function moment(x, year) {
  return svg("text", { x, y: HEIGHT - 10, "text-anchor": x > WIDTH - 50 ? "end" : "middle", class: "tick" }, year);
}

function lineOf({ name, at }, index, across, up) {
  const path = at.map(([x, y], number) => `${number ? "L" : "M"}${across(x).toFixed(1)} ${up(y).toFixed(1)}`).join("");
  const dots =
    at.length <= 60
      ? at.map(([x, y]) =>
          svg(
            "circle",
            { cx: across(x), cy: up(y), r: 3, class: `point series-${index}` },
            svg("title", {}, `${name}: ${y}`),
          ),
        )
      : null;
  return [svg("path", { d: path, class: `series series-${index}` }), dots];
}

function legend({ name }, index) {
  const y = HEIGHT + index * 20 + 8;
  return [
    svg("line", { x1: LEFT, x2: LEFT + 28, y1: y, y2: y, class: `series series-${index}` }),
    svg("text", { x: LEFT + 38, y: y + 4, class: "label" }, shortened(name, 90)),
  ];
}
