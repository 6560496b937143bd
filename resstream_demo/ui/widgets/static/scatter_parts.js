// Parts of the scatter plot: its axes, and where the labels of dots go.

const SCATTER = { largest: 560, top: 12, right: 16, bottom: 26 };
const NEAR = 22; // pixels within which the pointer finds a dot

function scatterScales(data, width) {
  const longest = Math.max(...data.axis.ticks.map(([, text]) => text.length));
  const left = Math.round(longest * 6.6) + 14;
  const size = Math.min(width, SCATTER.largest) - left - SCATTER.right;
  return {
    left,
    size,
    width: size + left + SCATTER.right,
    height: size + SCATTER.top + SCATTER.bottom,
    x: (share) => left + share * size,
    y: (share) => SCATTER.top + (1 - share) * size,
  };
}

function drawSquare(picture, data, { left, size, x, y, height }) {
  const top = SCATTER.top;
  picture.append(makeSvg("rect", { x: left, y: top, width: size, height: size, class: "rs-square" }));
  for (const [share, text] of data.axis.ticks) {
    const zero = share === data.axis.zero ? " rs-zero-line" : "";
    picture.append(
      makeSvg("path", { d: `M${left} ${y(share)}h${size}`, class: `rs-grid-line${zero}` }),
      makeSvg("path", { d: `M${x(share)} ${top}v${size}`, class: `rs-grid-line${zero}` }),
      makeSvg("text", { x: left - 7, y: y(share) + 4, class: "rs-tick rs-tick-y" }, text),
      makeSvg("text", { x: x(share), y: height - 7, class: "rs-tick" }, text),
    );
  }
  picture.append(makeSvg("path", { d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}`, class: "rs-diagonal" }));
  const words = [
    [data.above, left + 9, top + 17, "start"],
    [data.below, left + size - 9, top + size - 9, "end"],
  ];
  for (const [text, at, height, anchor] of words) {
    if (text) picture.append(makeSvg("text", { x: at, y: height, "text-anchor": anchor, class: "rs-side" }, text));
  }
  if (data.diagonal) {
    const [cx, cy] = [x(0.03), y(0.03) - 6];
    const turned = { x: cx, y: cy, transform: `rotate(-45 ${cx} ${cy})`, class: "rs-side" };
    picture.append(makeSvg("text", turned, data.diagonal));
  }
}

// ---- labels ----

const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/** Boxes around a dot where its label may stand, the best first. */
function labelBoxes(cx, cy, w, h, clear) {
  const boxes = [];
  for (const gap of [clear, clear + 8, clear + 17]) {
    const slant = 0.7 * gap;
    boxes.push(
      { x: cx + gap, y: cy - h / 2 }, { x: cx - gap - w, y: cy - h / 2 },
      { x: cx - w / 2, y: cy - gap - h }, { x: cx - w / 2, y: cy + gap },
      { x: cx + slant, y: cy - slant - h }, { x: cx - slant - w, y: cy - slant - h },
      { x: cx + slant, y: cy + slant }, { x: cx - slant - w, y: cy + slant },
    );
  }
  return boxes.map((box) => ({ ...box, w, h }));
}

/**
 * Place labels [{at: [x, y], width, clear}] clear of each other and, as well as can be, of the dots. Returns a box for each,
 * or null where every place would cover another label or leave the square: its name is then in the popup only.
 */
function placeLabels(labels, dots, area, h = 14) {
  const taken = [];
  return labels.map(({ at: [cx, cy], width, clear }) => {
    let best = null;
    labelBoxes(cx, cy, width, h, clear).forEach((box, n) => {
      const outside = box.x < area.x || box.y < area.y || box.x + box.w > area.x + area.w || box.y + h > area.y + area.h;
      if (outside || taken.some((other) => overlap(box, other) > 0)) return;
      const covered = dots.reduce((sum, [x, y]) => sum + overlap(box, { x: x - 4, y: y - 4, w: 8, h: 8 }), 0);
      const cost = covered + 6 * n;
      if (!best || cost < best.cost) best = { ...box, cost };
    });
    if (best) taken.push(best);
    return best;
  });
}
