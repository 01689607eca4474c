// Figures over time, out of economic series and out of what companies reported.

import { COLUMNS, lineChart, rowsOf } from "./line_chart.js";
import { longTable } from "./long_table.js";

export function seriesChart(content) {
  const rows = (content.results || content.filings || []).filter(({ value }) => value !== undefined && value !== null);
  if (!rows.length) return null;
  const headers = new Map((content.series || []).map((each) => [each.seriesId, each]));
  const series = new Map();
  for (const row of rows) {
    const about = headers.get(row.seriesId) || {};
    const name = [row.concept || row.title || about.title || row.seriesId, row.country].filter(Boolean).join(", ");
    if (!series.has(name)) series.set(name, { name, units: row.units || row.unit || about.units, points: [] });
    series.get(name).points.push([row.date || row.periodOfReport || row.fiscalYear, row.value]);
  }
  const sorted = [...series.values()].map((each) => ({
    ...each,
    points: each.points.toSorted(([one], [other]) => String(one).localeCompare(String(other))),
  }));
  const title = sorted.length === 1 ? sorted[0].name : `${sorted.length} series`;
  return lineChart(title, sorted) || longTable({ name: title, columns: COLUMNS, rows: rowsOf(sorted) });
}
