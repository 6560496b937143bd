// What the popup of a cell says, and the path of its token through the layers.

const TRAIL = { width: 252, height: 46, edge: 5 };

function popupContent(r, c) {
  const value = data.values[r][c];
  const head = make("div", "rs-popup-head");
  head.append(makeToken(data.rows[r], "rs-plain"), make("span", "rs-muted", " · "));
  if (data.numbers) head.append(make("span", "", `${data.numbers[c]} `));
  head.append(makeToken(data.columns[c]));
  if (data.columnMarks && data.columnMarks[c]) head.append(make("span", "", ` ${data.columnMarks[c]}`));
  const lines = [head];
  if (value === null) {
    lines.push(make("div", "rs-popup-value", reasonAt(r, c)));
  } else {
    const line = make("div", "rs-popup-value");
    line.append(make("b", "", data.shown[r][c]), make("span", "rs-muted", ` ${data.scale.label}`));
    if (textAt(r, c)) line.prepend(makeToken(textAt(r, c)));
    lines.push(line);
    if (isBeyond(value)) lines.push(make("div", "rs-muted", data.words.beyond));
  }
  for (const item of (data.hover && data.hover[r][c]) || []) lines.push(popupLine(item));
  const own = data.trails ? data.trails.keys[r][c] : -1;
  if (own >= 0) lines.push(makeTrail(data.trails.columns[c], own, r));
  return lines;
}

/** The numbers of a column's tokens from the bottom row (left) to the top row, the cell's own token in front. */
function makeTrail({ tokens, high }, own, r) {
  const { width, height, edge } = TRAIL;
  const count = data.rows.length;
  const x = (i) => (count < 2 ? width / 2 : edge + (i / (count - 1)) * (width - 2 * edge));
  const y = (share) => height - edge - share * (height - 2 * edge);
  const picture = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "rs-trail-picture" });
  picture.setAttribute("aria-hidden", "true");
  picture.append(makeSvg("path", { d: `M${edge} ${y(0)}H${width - edge}`, class: "rs-trail-base" }));
  const line = (shares, kind) =>
    makeSvg("path", { d: linePath(shares.map((share, i) => [x(i), y(share)])), class: kind });
  tokens.forEach(([, shares], n) => n !== own && picture.append(line(shares, "rs-trail-other")));
  const [name, shares] = tokens[own];
  picture.append(line(shares, "rs-trail-own"), makeMarker("circle", x(r), y(shares[r]), 3.6, { class: "rs-trail-dot" }));
  const caption = make("div", "rs-trail-caption");
  const [before, after = ""] = data.words.trail.split("{name}");
  const words = make("span");
  words.append(make("span", "", before), makeToken(name), make("span", "", after));
  caption.append(words, make("span", "", `0–${high}`));
  const ends = make("div", "rs-trail-ends");
  ends.append(makeToken(data.rows[0], "rs-plain"), makeToken(data.rows[count - 1], "rs-plain"));
  const trail = make("div", "rs-trail");
  trail.append(caption, picture, ends);
  return trail;
}
