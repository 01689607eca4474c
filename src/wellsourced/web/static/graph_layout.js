// Where the works of a citation graph stand: time runs to the right, the most cited of a year in the middle.

const SLOT = { few: 46, many: 30 };
const FEW = 60;
const LEAST_YEAR = 38;
const WIDTH = 820;
const COLUMNS = 8;
const LABEL = { width: 215, height: 16, most: 46 };

// works: [{id, year, citationCount}]. Gives {places: Map id → {x, y, r}, labels: Set id, box: [x, y, width, height], years}.
export function layout(works, seed) {
  const isMany = works.length > FEW;
  const room = isMany ? SLOT.many : SLOT.few;
  const years = [...new Set(works.map(({ year }) => year).filter(Boolean))].sort((one, other) => one - other);
  const [least, span] = [years[0] || 0, Math.max(1, (years.at(-1) || 0) - (years[0] || 0))];
  const at = new Map(isMany ? spread(years) : years.map((year) => [year, ((year - least) / span) * WIDTH]));
  // Works of one column stand above each other: those of a year, and of several years where there are few.
  const yearsEach = isMany ? 1 : Math.ceil((span + 1) / COLUMNS);
  const columns = Map.groupBy(works, ({ year }) => (year ? Math.floor((year - least) / yearsEach) : -1));
  const places = new Map();
  for (const [column, list] of columns) {
    const shift = column % 2 ? room / 2 : 0; // so that a name has the next column's works above and below it
    const ordered = list.toSorted((one, other) => weight(other, seed) - weight(one, seed));
    ordered.forEach((work, index) =>
      places.set(work.id, {
        x: at.get(work.year) ?? -LEAST_YEAR * 2,
        y: slot(index) * room + shift,
        r: work.id === seed ? 12 : radius(work),
      }),
    );
  }
  return { places, labels: labelled(works, places, seed), box: around(places), years: apart([...at]) };
}

// Years without works take less room, but some, so that a gap stays to be seen.
function spread(years) {
  let x = 0;
  return years.map((year, index) => {
    if (index) x += Math.min(LEAST_YEAR, LEAST_YEAR * 0.6 + (year - years[index - 1]) * LEAST_YEAR * 0.15);
    return [year, x];
  });
}

// Years that can be written beside each other.
function apart(years) {
  let last = -Infinity;
  return years.filter(([, x]) => {
    const isFar = x - last >= 42;
    if (isFar) last = x;
    return isFar;
  });
}

function weight(work, seed) {
  return work.id === seed ? Infinity : work.citationCount || 0;
}

// 0, 1, -1, 2, -2 …: from the middle outwards.
function slot(index) {
  return index % 2 ? (index + 1) / 2 : -index / 2;
}

function radius(work) {
  return 5 + Math.min(9, Math.log10(1 + (work.citationCount || 0)) * 2);
}

function around(places) {
  const all = [...places.values()];
  const [left, right] = [
    Math.min(...all.map(({ x }) => x)) - 60,
    Math.max(...all.map(({ x }) => x)) + LABEL.width + 20,
  ];
  const [top, bottom] = [Math.min(...all.map(({ y }) => y)) - 50, Math.max(...all.map(({ y }) => y)) + 60];
  return [left, top, Math.max(400, right - left), Math.max(200, bottom - top)];
}

// Names are written where they cover neither another name nor a work, the weightiest first.
function labelled(works, places, seed) {
  const taken = [...places.values()].map(({ x, y, r }) => [x - r, y - r, x + r, y + r]);
  const cells = new Map();
  const cellsOf = ([x1, y1, x2, y2]) => {
    const found = [];
    for (let x = Math.floor(x1 / 100); x <= Math.floor(x2 / 100); x += 1)
      for (let y = Math.floor(y1 / 100); y <= Math.floor(y2 / 100); y += 1) found.push(`${x} ${y}`);
    return found;
  };
  const put = (rect) => cellsOf(rect).forEach((key) => cells.set(key, [...(cells.get(key) || []), rect]));
  const isFree = (rect) => cellsOf(rect).every((key) => (cells.get(key) || []).every((other) => !overlap(rect, other)));
  taken.forEach(put);
  const labels = new Set();
  for (const work of works.toSorted((one, other) => weight(other, seed) - weight(one, seed))) {
    if (labels.size >= LABEL.most) break;
    const { x, y, r } = places.get(work.id);
    const isSeed = work.id === seed; // its name stands above it, in the middle
    const width = isSeed ? LABEL.width * 1.4 : LABEL.width;
    const [left, middle] = isSeed ? [x - width / 2, y - r - LABEL.height] : [x + r + 2, y];
    const rect = [left, middle - LABEL.height / 2, left + width, middle + LABEL.height / 2];
    if (!isSeed && !isFree(rect)) continue;
    put(rect);
    labels.add(work.id);
  }
  return labels;
}

function overlap([a1, b1, a2, b2], [c1, d1, c2, d2]) {
  return a1 < c2 && c1 < a2 && b1 < d2 && d1 < b2;
}

// The next work in a direction, for the arrow keys.
export function neighbour(places, id, [dx, dy]) {
  const from = places.get(id);
  let best = null;
  for (const [other, { x, y }] of places) {
    const [ahead, aside] = dx ? [(x - from.x) * dx, Math.abs(y - from.y)] : [(y - from.y) * dy, Math.abs(x - from.x)];
    if (ahead <= 0 || other === id) continue;
    const cost = ahead + aside * 2.5;
    if (!best || cost < best.cost) best = { other, cost };
  }
  return best?.other ?? id;
}
