// A brand's colours as colours, with their values in words.

import { svg } from "./dom.js";
import { picture } from "./picture.js";

const SIZE = { width: 140, height: 92, gap: 14, across: 6 };
const HEX = /^#[0-9a-f]{3,8}$/i;

export function palette(colours) {
  const shown = colours.filter(({ hex }) => HEX.test(hex));
  if (!shown.length) return null;
  const rows = Math.ceil(shown.length / SIZE.across);
  const width = Math.min(shown.length, SIZE.across) * (SIZE.width + SIZE.gap);
  const words = shown.map(({ hex, role }) => `${role || "colour"} ${hex}`).join(", ");
  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${rows * (SIZE.height + 52)}`,
      role: "img",
      "aria-label": `Colours: ${words}`,
      class: "palette",
    },
    shown.map(swatch),
  );
  return picture({
    title: "Colours",
    drawing,
    file: "palette",
    columns: ["Colour", "Role", "Name"],
    rows: shown.map(({ hex, role, name }) => [hex, role || "", name || ""]),
  });
}

function swatch({ hex, role, name }, index) {
  const x = (index % SIZE.across) * (SIZE.width + SIZE.gap) + 1;
  const y = Math.floor(index / SIZE.across) * (SIZE.height + 52) + 1;
  return [
    svg("rect", { x, y, width: SIZE.width, height: SIZE.height, rx: 8, fill: hex, class: "swatch" }),
    svg("text", { x, y: y + SIZE.height + 18, class: "label" }, hex),
    svg("text", { x, y: y + SIZE.height + 36, class: "tick" }, [role, name].filter(Boolean).join(", ")),
  ];
}
