// Scales and ticks for pictures with an axis.

// A date as a number of years; also quarters (2020-Q3) and weeks (2020-W07) of statistics. Null where there is none.
export function yearOf(text) {
  const found = /^\s*(-?\d{4})(?:-?Q(\d)|-?W(\d{1,2})|-(\d{1,2})(?:-(\d{1,2}))?)?/.exec(String(text ?? ""));
  if (!found) {
    const moment = new Date(text);
    return Number.isNaN(moment.getTime()) || !text ? null : moment.getUTCFullYear() + moment.getUTCMonth() / 12;
  }
  const [, year, quarter, week, month, dayOfMonth] = found.map((part) =>
    part === undefined ? undefined : Number(part),
  );
  if (quarter) return year + (quarter - 1) / 4;
  if (week) return year + (week - 1) / 53;
  return year + ((month || 1) - 1) / 12 + ((dayOfMonth || 1) - 1) / 366;
}

// From four to eight round numbers between two others.
export function ticks(least, most, wanted = 6) {
  if (!(most > least)) return [least];
  const rough = (most - least) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  const found = [];
  for (let at = Math.ceil(least / step) * step; at <= most + step * 1e-9; at += step)
    found.push(Number(at.toPrecision(12)));
  return found;
}

export function scale([least, most], [from, to]) {
  const span = most - least || 1;
  return (value) => from + ((value - least) / span) * (to - from);
}

export function yearTicks(least, most) {
  const whole = ticks(Math.floor(least), Math.ceil(most)).filter(Number.isInteger);
  return whole.length > 1
    ? whole
    : [Math.floor(least), Math.ceil(most)].filter((year, index, all) => all.indexOf(year) === index);
}
