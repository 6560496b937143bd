// Line chart over the layers. One place along x is looked at (pointer, keys) and one is selected.

const AS_SLIDER = { ArrowUp: "ArrowRight", ArrowDown: "ArrowLeft", PageUp: "PageDown", PageDown: "PageUp" };

let data = null;
let plot = null; // the focusable box around the drawing
let drawing = null; // what render() made: {scales, cursor, lines, stem}
let readout = null; // {place, numbers}
let twinRows = [];
let selectedAt = null;
let lookedAt = null; // by the pointer or the keyboard; null when neither is there

/** The place whose numbers are read out. */
function placeNow() {
  const last = data.x.length - 1;
  return Math.min(last, lookedAt !== null ? lookedAt : selectedAt !== null ? selectedAt : last);
}

function render(width) {
  const scales = chartScales(data, width);
  const picture = makeSvg("svg", { width, height: CHART.height });
  picture.setAttribute("aria-hidden", "true"); // its box says the same in words
  const stem = makeSvg("path", { class: "rs-stem" });
  const cursor = makeSvg("path", { class: "rs-cursor" });
  picture.append(stem);
  drawAxes(picture, data, scales, width);
  const lines = data.series.map((_, n) => drawLine(data, n, scales));
  picture.append(cursor, ...lines);
  plot.replaceChildren(picture);
  drawing = { scales, stem, cursor, lines };
  drawPlace();
}

function drawPlace() {
  const place = placeNow();
  readout.place.textContent = fill(data.words.at, { x: data.x[place] });
  data.series.forEach((series, n) => {
    readout.numbers[n].textContent = series.shown[place];
  });
  const spoken = data.series.map((series) => `${series.name}: ${series.shown[place]}`).join(", ");
  plot.setAttribute("aria-valuenow", place);
  plot.setAttribute("aria-valuetext", `${data.x[place]}. ${spoken || data.words.none}`);
  if (!drawing) return;
  const { scales, stem, cursor } = drawing;
  const upright = (i) => `M${scales.x(i).toFixed(1)} ${CHART.top - 4}V${CHART.height - CHART.bottom + 2}`;
  stem.setAttribute("d", selectedAt === null || selectedAt >= data.x.length ? "" : upright(selectedAt));
  cursor.setAttribute("d", lookedAt === null ? "" : upright(place));
}

function look(place) {
  lookedAt = place;
  drawPlace();
}

function choose(place) {
  selectedAt = place;
  drawMarks();
  emitSelect(["x", place], data.x[place], { selected: place });
}

function remove(n) {
  emitSelect(["remove", n], data.series[n].name, {});
}

function emphasise(n) {
  if (drawing) drawing.lines.forEach((line, i) => line.classList.toggle("rs-faint", n !== null && i !== n));
}

function onKey(event) {
  if (event.altKey || event.metaKey || event.ctrlKey) return;
  const at = placeNow();
  const next = stepInLine(AS_SLIDER[event.key] || event.key, at, data.x.length);
  if (next !== undefined) look(Math.max(0, Math.min(data.x.length - 1, next)));
  else if (event.key === "Enter" || event.key === " ") choose(at);
  else return;
  event.preventDefault();
}

function makePlot() {
  const box = make("div", "rs-plot");
  box.setAttribute("role", "slider");
  box.setAttribute("tabindex", "0");
  box.setAttribute("aria-label", [data.title, data.y.label, data.xLabel].filter(Boolean).join(", "));
  box.setAttribute("aria-valuemin", 0);
  box.setAttribute("aria-valuemax", data.x.length - 1);
  box.dataset.keep = "plot";
  const placeOf = (event) => drawing.scales.indexAt(event.clientX - box.getBoundingClientRect().left);
  box.addEventListener("pointermove", (event) => drawing && look(placeOf(event)));
  box.addEventListener("pointerleave", () => look(null));
  box.addEventListener("click", (event) => drawing && choose(placeOf(event)));
  box.addEventListener("blur", () => look(null));
  box.addEventListener("keydown", onKey);
  return box;
}

function openTwin() {
  const columns = [{ name: data.xLabel, kind: "text" }, ...data.series.map(({ name }) => ({ name, kind: "number" }))];
  const places = data.x.map((_, i) => data.x.length - 1 - i); // the output on top, as in the other tables
  const rows = places.map((i) => [data.x[i], ...data.series.map((series) => series.shown[i])]);
  const twin = twinTable({
    label: data.title, caption: data.y.label, columns, rows, choose: (n) => () => choose(places[n]),
  });
  twinRows = [...twin.rows].reverse();
  return twin.box;
}

function draw(value) {
  data = value;
  plot = drawing = readout = null;
  twinRows = [];
  if (!data) return;
  plot = makePlot();
  const { list, numbers } = makeKey(data, remove, emphasise);
  const place = make("p", "rs-key-place");
  readout = { place, numbers };
  const side = make("div", "rs-key-box");
  side.append(place, data.series.length ? list : make("p", "rs-muted", data.words.none));
  const chart = make("div", "rs-chart");
  const main = make("div", "rs-chart-main");
  main.append(axisTitle(data.y.label), plot);
  if (data.xLabel) main.append(axisTitle(data.xLabel, true));
  chart.append(main, side, makeHelp(data.words.keys, plot));
  root.append(
    makeFrame({ title: data.title, words: data.words, picture: [chart], twin: openTwin, shown: drawMarks }),
  );
  onWidth(plot, render);
}

function drawMarks() {
  if (!data) return;
  drawPlace();
  markRows(twinRows, (i) => i === selectedAt);
}

const applyMarks = ({ selected }) => {
  selectedAt = Number.isInteger(selected) ? selected : null;
  drawMarks();
};
mount(draw, { applyMarks, minWidth: 280 });
