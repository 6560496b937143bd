// Colours of a scale. SCALE_STOPS is written in front of this text.

function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

function paletteNow(kind) {
  return SCALE_STOPS[kind][document.body.classList.contains("dark") ? "dark" : "light"].map(rgb);
}

/** Colour at `share` (0…1) of the way along the stops. */
function colourAt(stops, share) {
  const x = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(x));
  return stops[i].map((from, k) => Math.round(from + (stops[i + 1][k] - from) * (x - i)));
}

function luminance(colour) {
  const [r, g, b] = colour.map((v) => (v <= 10 ? v / 3294 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Black or white text, whichever contrasts more: at least 4.58 on any colour, which a softer black would not give. */
function inkOn(colour) {
  return luminance(colour) > 0.179 ? "#000000" : "#ffffff";
}
