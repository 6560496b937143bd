// Scatter plot: a listbox of dots. The pointer takes the nearest dot; arrow keys go from dot to dot.

let data = null;
let plot = null;
let help = null;
let scales = null;
let options = []; // a dot for each point
let labels = null; // the layer of names, drawn again when another dot is selected
let order = []; // for each axis the points in its order, and the place of each point in it
let twinRows = [];
let selectedAt = null;
let chosen = new Set();
let focusAt = 0;
const popup = makePopup();

const placeAt = (i) => [scales.x(data.points[i].at[0]), scales.y(data.points[i].at[1])];

function spoken({ name, shown }) {
  return `${name}: ${data.xLabel} ${shown[0]}, ${data.yLabel} ${shown[1]}`;
}

/** Both orders of the points: along x for left and right, along y for up and down. */
function makeOrder() {
  return [0, 1].map((axis) => {
    const places = data.points.map((_, i) => i);
    places.sort((a, b) => data.points[a].at[axis] - data.points[b].at[axis] || a - b);
    const rank = [];
    places.forEach((i, n) => {
      rank[i] = n;
    });
    return { places, rank };
  });
}

function stepToDot(key, at) {
  const moves = {
    ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1],
    Home: [0, -Infinity], End: [0, Infinity],
  };
  if (!moves[key]) return undefined;
  const [axis, by] = moves[key];
  const { places, rank } = order[axis];
  return places[Math.max(0, Math.min(places.length - 1, rank[at] + by))];
}

function nearest(event) {
  const box = plot.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let best = -1;
  let least = NEAR * NEAR;
  options.forEach((_, i) => {
    const [cx, cy] = placeAt(i);
    const distance = (cx - x) ** 2 + (cy - y) ** 2;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

// ---- drawing ----

function makeDot(i) {
  const isChosen = chosen.has(i);
  const point = data.points[i];
  const kind = (isChosen ? " rs-in-set" : "") + (point.labelled ? " rs-labelled" : "");
  const dot = makeMarker(isChosen ? "square" : "circle", ...placeAt(i), isChosen ? 5.2 : 4, { class: `rs-dot${kind}` });
  return asOption(dot, i, spoken(point) + (isChosen ? `, ${data.words.chosen}` : ""));
}

function render(width) {
  const hadFocus = plot.contains(document.activeElement);
  popup.hide();
  scales = scatterScales(data, width);
  const picture = makeSvg("svg", { width: scales.width, height: scales.height });
  drawSquare(picture, data, scales);
  const dots = makeSvg("g", { role: "listbox", "aria-label": listLabel(), "aria-describedby": help.id });
  options = data.points.map((_, i) => makeDot(i));
  dots.append(...options);
  labels = makeSvg("g", { class: "rs-labels", "aria-hidden": "true" });
  picture.append(dots, labels);
  plot.replaceChildren(picture);
  listenToOptions(dots, options, { step: stepToDot, choose, moved: showPopup, find: () => -1 });
  if (options.length) roveTo(dots, options[Math.min(focusAt, options.length - 1)], hadFocus);
  drawMarks();
}

function listLabel() {
  return [data.title, `${data.xLabel} × ${data.yLabel}`].filter(Boolean).join(", ");
}

function drawLabels() {
  const named = data.points.map((_, i) => i).filter((i) => data.points[i].labelled || i === selectedAt);
  named.sort((a, b) => (b === selectedAt) - (a === selectedAt)); // the selected one has the first choice
  const texts = named.map((i) => makeSvg("text", { class: i === selectedAt ? "rs-own" : "" }, data.points[i].name));
  labels.replaceChildren(...texts);
  const wanted = named.map((i, n) => {
    const clear = i === selectedAt ? 12 : chosen.has(i) ? 9 : 7; // of the mark around the dot
    return { at: placeAt(i), width: texts[n].getComputedTextLength(), clear };
  });
  const area = { x: scales.left, y: SCATTER.top, w: scales.size, h: scales.size };
  placeLabels(wanted, data.points.map((_, i) => placeAt(i)), area).forEach((box, n) => {
    if (!box) return texts[n].remove();
    texts[n].setAttribute("x", box.x);
    texts[n].setAttribute("y", box.y + 11);
    const [cx, cy] = wanted[n].at;
    const [ex, ey] = [Math.max(box.x, Math.min(cx, box.x + box.w)), Math.max(box.y, Math.min(cy, box.y + box.h))];
    if (Math.hypot(ex - cx, ey - cy) > 12) labels.append(makeSvg("path", { d: `M${cx} ${cy}L${ex} ${ey}`, class: "rs-leader" }));
  });
  if (selectedAt !== null && data.points[selectedAt]) {
    labels.append(makeMarker("circle", ...placeAt(selectedAt), 9, { class: "rs-ring" }));
  }
}

function drawMarks() {
  if (!data) return;
  markRows(twinRows, (i) => i === selectedAt);
  if (!labels || !plot.isConnected) return;
  markOption(options, selectedAt);
  drawLabels();
}

// ---- what a visitor does ----

function popupContent(i) {
  const { name, shown, hover } = data.points[i];
  const head = make("div", "rs-popup-head");
  head.append(makeToken(name, "rs-plain"));
  const own = [[data.xLabel, shown[0]], [data.yLabel, shown[1]]].map((line) => popupLine(line, "rs-plain"));
  if (chosen.has(i)) own.push(popupLine(data.words.chosen));
  return [head, ...own, ...hover.map((line) => popupLine(line))];
}

function showPopup(i) {
  popup.showAt(options[i], plot, () => popupContent(i));
}

function choose(i) {
  selectedAt = i;
  drawMarks();
  emitSelect(i, data.points[i].name);
}

function listenToPlot() {
  plot.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const i = nearest(event);
    plot.classList.toggle("rs-on-dot", i >= 0);
    if (i >= 0) showPopup(i);
    else popup.hide();
  });
  plot.addEventListener("pointerleave", () => popup.hide());
  plot.addEventListener("click", (event) => {
    const i = nearest(event);
    if (i < 0) return;
    roveTo(plot, options[i], true);
    showPopup(i);
    choose(i);
  });
  plot.addEventListener("focusin", (event) => {
    focusAt = Math.max(0, options.indexOf(event.target));
  });
  plot.addEventListener("focusout", () => popup.hide());
}

function openTwin() {
  const columns = [data.words.point, data.xLabel, data.yLabel].map((name, c) => ({ name, kind: c ? "number" : "text" }));
  const rows = data.points.map(({ name, shown }) => [name, ...shown]);
  const twin = twinTable({ label: data.title, columns, rows, choose: (n) => () => choose(n) });
  twinRows = twin.rows;
  return twin.box;
}

function draw(value, hadFocus) {
  data = value;
  options = [];
  labels = scales = null;
  twinRows = [];
  popup.hide();
  if (!data) return;
  order = makeOrder();
  plot = make("div", "rs-plot rs-scatter");
  listenToPlot();
  help = makeHelp(data.words.keys);
  const shown = (asTable) => {
    popup.hide();
    if (!asTable && plot.clientWidth) render(plot.clientWidth); // marks may have changed meanwhile
    else drawMarks();
  };
  root.append(
    makeFrame({
      title: data.title, words: data.words, twin: openTwin, shown,
      picture: [axisTitle(data.yLabel), plot, axisTitle(data.xLabel, true), help],
    }),
    popup.node,
  );
  onWidth(plot, render);
  if (hadFocus && options.length) roveTo(plot, options[Math.min(focusAt, options.length - 1)], true);
}

const applyMarks = (marks) => {
  const before = [...chosen].join();
  selectedAt = Number.isInteger(marks.selected) ? marks.selected : null;
  chosen = new Set(marks.chosen || []);
  const changed = before !== [...chosen].join();
  if (changed && data && plot.clientWidth) render(plot.clientWidth);
  else drawMarks();
};
mount(draw, { applyMarks, minWidth: 280 });
