// Bars of a running sum. The first part is at the bottom; every bar starts where the one below it ended.

const KIND_SHAPES = { embedding: "diamond", attention: "circle", mlp: "square", bias: "ring" };

let data = null;
let options = []; // by item
let list = null;
let scroller = null;
let scrollTopNow = 0;
let twinRows = []; // by item
let selectedAt = null;
let focusAt = 0;
const popup = makePopup();

const percent = (share) => `${(100 * share).toFixed(2)}%`;

function makeKindMark(kind) {
  const mark = makeSvg("svg", { width: 10, height: 10, class: "rs-kind" });
  mark.setAttribute("aria-hidden", "true");
  if (kind) mark.append(makeMarker(KIND_SHAPES[kind], 5, 5, 3.4));
  return mark;
}

function makeBar({ from, to, minus, short }, total) {
  const bar = make("span", "rs-step" + (total ? " rs-total" : minus ? " rs-minus" : " rs-plus"));
  bar.style.left = percent(Math.min(from, to));
  bar.style.width = percent(Math.abs(to - from));
  const text = make("span", "rs-step-text" + (minus ? " rs-before" : ""), short);
  text.style.left = percent(to);
  return [bar, text];
}

function makeLine(item, kind, total) {
  const line = make("div", "rs-fall-row" + (total ? " rs-fall-total" : ""));
  const name = make("span", "rs-fall-name");
  name.append(makeKindMark(kind), makeToken(item.name, "rs-plain"));
  const track = make("span", "rs-fall-track");
  track.append(...makeBar(item, total));
  line.append(name, track);
  return line;
}

function makeOption(item, i) {
  const line = asOption(makeLine(item, item.kind), i);
  const link = make("span", "rs-link");
  link.style.left = percent(item.from);
  if (i) line.lastChild.prepend(link);
  if (i && item.group !== data.items[i - 1].group) line.classList.add("rs-group-start");
  return line;
}

/** Lines of the axis behind all rows, or, with numbers, its head. */
function makeAxis(numbers) {
  const axis = make("div", numbers ? "rs-fall-ticks" : "rs-fall-lines");
  axis.setAttribute("aria-hidden", "true");
  for (const [share, text] of data.axis.ticks) {
    const line = make("span", share === data.axis.zero ? "rs-zero" : "", numbers ? text : "");
    line.style.left = percent(share);
    axis.append(line);
  }
  return axis;
}

function makeHead() {
  const head = make("div", "rs-fall-head");
  const ticks = make("div", "rs-fall-row");
  ticks.append(make("span", "rs-fall-name"), makeAxis(true));
  const totals = make("div", "rs-fall-totals");
  totals.append(...data.totals.map((total) => makeLine(total, null, true)).reverse());
  head.append(ticks, totals);
  return head;
}

function makeSheet() {
  const sheet = make("div", "rs-fall");
  const longest = Math.max(4, ...[...data.items, ...data.totals].map(({ name }) => [...name].length));
  sheet.style.setProperty("--rs-name", `min(${Math.round(longest * 6.9) + 26}px, 36vw)`);
  list = make("div", "rs-fall-list");
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", [data.title, data.axis.label].filter(Boolean).join(", "));
  options = data.items.map(makeOption);
  list.append(...[...options].reverse());
  sheet.append(makeAxis(false), makeHead(), list);
  const box = make("div", "rs-fall-scroller");
  box.append(sheet);
  box.addEventListener("scroll", () => {
    scrollTopNow = box.scrollTop;
  }, { passive: true });
  return box;
}

function makeLegend() {
  const legend = make("div", "rs-legend");
  const entry = (mark, text) => {
    const node = make("span", "rs-legend-none");
    node.append(mark, make("span", "", text));
    legend.append(node);
  };
  entry(make("span", "rs-swatch rs-plus"), data.words.adds);
  entry(make("span", "rs-swatch rs-minus"), data.words.takes);
  for (const kind of Object.keys(KIND_SHAPES)) {
    if (data.items.some((item) => item.kind === kind)) entry(makeKindMark(kind), data.words[kind]);
  }
  return legend;
}

function popupContent(i) {
  const item = data.items[i];
  const head = make("div", "rs-popup-head");
  head.append(makeToken(item.name, "rs-plain"), make("span", "rs-muted", ` · ${data.words[item.kind]}`));
  const value = make("div", "rs-popup-value");
  value.append(make("b", "", item.shown), make("span", "rs-muted", ` ${data.axis.label}`));
  const sums = [[data.words.before, item.before], [data.words.after, item.after]];
  return [head, value, ...sums.map((line) => popupLine(line, "rs-plain")), ...item.hover.map((line) => popupLine(line))];
}

function showPopup(i) {
  popup.showAt(options[i], list, () => popupContent(i), options[i].querySelector(".rs-step"));
}

function choose(i) {
  selectedAt = i;
  drawMarks();
  emitSelect(i, data.items[i].name);
}

function openTwin() {
  const columns = [data.words.part, data.axis.label, data.words.after];
  const kinds = ["text", "number", "number"];
  const totals = data.totals.map(({ name, shown }) => [name, shown, ""]).reverse();
  const items = data.items.map(({ name, shown, after }) => [name, shown, after]).reverse();
  const itemOf = (n) => data.items.length - 1 - (n - totals.length);
  const twin = twinTable({
    label: data.title,
    columns: columns.map((name, c) => ({ name, kind: kinds[c] })),
    rows: [...totals, ...items],
    choose: (n) => (n < totals.length ? null : () => choose(itemOf(n))),
  });
  twinRows = twin.rows.slice(totals.length).reverse();
  return twin.box;
}

function listenToList() {
  listenToOptions(list, options, {
    step: (key, at) => stepInLine(key, at, options.length, -1),
    choose,
    moved: showPopup,
  });
  list.addEventListener("focusin", (event) => {
    focusAt = Math.max(0, options.indexOf(event.target));
  });
  list.addEventListener("pointerover", (event) => {
    const i = options.findIndex((option) => option.contains(event.target));
    if (i >= 0 && event.pointerType !== "touch") showPopup(i);
  });
  list.addEventListener("pointerleave", () => popup.hide());
  list.addEventListener("focusout", () => popup.hide());
}

function draw(value, hadFocus) {
  data = value;
  options = [];
  twinRows = [];
  popup.hide();
  if (!data) return;
  const scrolled = scrollTopNow;
  scroller = makeSheet();
  const shown = () => {
    popup.hide();
    scroller.scrollTop = scrollTopNow; // lost while it was off the page
    drawMarks();
  };
  root.append(
    makeFrame({
      title: data.title, words: data.words, legend: makeLegend(), twin: openTwin, shown,
      picture: [scroller, makeHelp(data.words.keys, list)],
    }),
    popup.node,
  );
  scroller.scrollTop = scrolled;
  listenToList();
  if (options.length) roveTo(list, options[Math.min(focusAt, options.length - 1)], hadFocus);
}

function drawMarks() {
  if (!data) return;
  markOption(options, selectedAt);
  markRows(twinRows, (i) => i === selectedAt);
}

/** Scroll the bars, and nothing else, until the selected one is in view. */
function reveal() {
  const option = options[selectedAt];
  if (!option || !scroller.isConnected) return;
  const head = scroller.querySelector(".rs-fall-head").getBoundingClientRect();
  const [box, inside] = [option, scroller].map((node) => node.getBoundingClientRect());
  if (box.top < head.bottom) scroller.scrollTop -= head.bottom - box.top + 2 * box.height;
  else if (box.bottom > inside.bottom) scroller.scrollTop += box.bottom - inside.bottom + 2 * box.height;
}

const applyMarks = ({ selected }) => {
  selectedAt = Number.isInteger(selected) ? selected : null;
  drawMarks();
  reveal();
  const option = options[selectedAt];
  if (option && !list.contains(document.activeElement)) roveTo(list, option, false);
};
mount(draw, { applyMarks, minWidth: 280 });
