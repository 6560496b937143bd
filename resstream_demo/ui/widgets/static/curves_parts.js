// Parts of the line chart: its lines and axes, and the legend that is also its readout.

// No two lines share both dash and marker until there are 24 of them; colour repeats after eight.
const DASHES = ["", "7 4", "2 3", "10 3 2 3", "1 4", "6 2 2 2 2 2", "14 4", "4 2"];
const MARKERS = ["circle", "square", "up", "diamond", "down", "ring"];
const COLOURS = 8;
const MARKERS_UP_TO = 40; // with more layers a marker at each hides the line
const CHART = { height: 248, top: 10, right: 14, bottom: 24 };

const styleOf = (n) => ({ dash: DASHES[n % DASHES.length], shape: MARKERS[n % MARKERS.length], colour: n % COLOURS });

/** Pixels of a share of the y axis, and of a place along x. */
function chartScales(data, width) {
  const longest = Math.max(...data.y.ticks.map(([, text]) => text.length));
  const left = Math.round(longest * 6.6) + 14;
  const inner = width - left - CHART.right - 8;
  const count = data.x.length;
  return {
    left,
    x: (i) => left + 8 + (count < 2 ? inner / 2 : (i / (count - 1)) * inner),
    y: (share) => CHART.top + (1 - share) * (CHART.height - CHART.top - CHART.bottom),
    indexAt: (x) => Math.max(0, Math.min(count - 1, Math.round(((x - left - 8) / inner) * (count - 1)))),
    step: count < 2 ? inner : inner / (count - 1),
  };
}

function drawAxes(picture, data, scales, width) {
  for (const [share, text] of data.y.ticks) {
    const y = scales.y(share);
    picture.append(makeSvg("path", { d: `M${scales.left} ${y}H${width - CHART.right + 6}`, class: "rs-grid-line" }));
    picture.append(makeSvg("text", { x: scales.left - 7, y: y + 4, class: "rs-tick rs-tick-y" }, text));
  }
  const room = 8 + 6.4 * Math.max(...data.x.map((label) => label.length));
  const every = Math.max(1, Math.ceil(room / scales.step));
  const last = data.x.length - 1;
  data.x.forEach((label, i) => {
    if (i !== last && (i % every || (last - i) * scales.step < room)) return; // the last label is always there
    picture.append(makeSvg("text", { x: scales.x(i), y: CHART.height - 6, class: "rs-tick" }, label));
  });
}

function drawLine(data, n, scales) {
  const { dash, shape, colour } = styleOf(n);
  const group = makeSvg("g", { class: `rs-line rs-colour-${colour}` });
  const points = data.series[n].at.map((share, i) => (share === null ? null : [scales.x(i), scales.y(share)]));
  group.append(makeSvg("path", { d: linePath(points), class: "rs-stroke", "stroke-dasharray": dash || "none" }));
  const every = Math.ceil(data.x.length / MARKERS_UP_TO);
  points.forEach((point, i) => {
    const alone = point && !points[i - 1] && !points[i + 1];
    if (point && (i % every === 0 || alone)) group.append(makeMarker(shape, ...point, 3, { class: "rs-marker" }));
  });
  return group;
}

function makeSample(n) {
  const { dash, shape, colour } = styleOf(n);
  const sample = makeSvg("svg", { width: 34, height: 12, class: `rs-line rs-colour-${colour}` });
  sample.setAttribute("aria-hidden", "true");
  sample.append(
    makeSvg("path", { d: "M1 6H33", class: "rs-stroke", "stroke-dasharray": dash || "none" }),
    makeMarker(shape, 17, 6, 3.2, { class: "rs-marker" }),
  );
  return sample;
}

/** The legend: sample, name, the number at the place looked at, and a button that asks for the line's removal. */
function makeKey(data, onRemove, onHover) {
  const list = make("ul", "rs-key");
  const numbers = data.series.map((series, n) => {
    const entry = make("li", "rs-key-entry");
    const name = makeToken(series.name);
    name.title = series.name;
    entry.append(makeSample(n), name);
    if (series.group) {
      const sum = make("span", "rs-sum", "Σ");
      sum.setAttribute("role", "img");
      sum.setAttribute("aria-label", data.words.group);
      sum.title = data.words.group;
      entry.append(sum);
    }
    const number = make("span", "rs-key-number");
    entry.append(number);
    if (data.removable) {
      const button = makeTool(`remove-${n}`, "×", () => onRemove(n));
      button.classList.add("rs-remove");
      button.title = fill(data.words.remove, { name: series.name });
      button.setAttribute("aria-label", button.title);
      entry.append(button);
    }
    entry.addEventListener("pointerenter", () => onHover(n));
    entry.addEventListener("pointerleave", () => onHover(null));
    list.append(entry);
    return number;
  });
  return { list, numbers };
}
