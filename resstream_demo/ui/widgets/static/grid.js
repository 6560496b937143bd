// Heat map. Rows arrive bottom first and are drawn upwards.

const BOTH_HEADS_FROM_ROWS = 17; // taller grids repeat the column labels at the top
const VERTICAL_LABEL_FROM = 4; // longest label that still fits across a narrow column
let data = null;
let cells = []; // cells[row][column]
let table = null;
let focusAt = [0, 0];
let scrollLeftNow = 0;
const popup = makePopup();

// ---- colour ----

function shareOf(value) {
  const { low, high, kind } = data.scale;
  if (high > low) return (value - low) / (high - low);
  return kind === "diverging" ? 0.5 : 0;
}

function paint() {
  const stops = paletteNow(data.scale.kind);
  data.values.forEach((row, r) =>
    row.forEach((value, c) => {
      if (value === null) return;
      const colour = colourAt(stops, shareOf(value));
      cells[r][c].style.background = `rgb(${colour})`;
      cells[r][c].style.color = inkOn(colour);
    }),
  );
  const bar = root.querySelector(".rs-bar");
  if (bar) bar.style.background = `linear-gradient(to right, ${stops.map((s) => `rgb(${s})`)})`;
}

// ---- words ----

function columnName(c) {
  const number = data.numbers ? `${data.numbers[c]} ` : "";
  const mark = data.columnMarks && data.columnMarks[c] ? ` ${data.columnMarks[c]}` : "";
  return number + data.columns[c] + mark;
}

function isBeyond(value) {
  return value !== null && (value < data.scale.low || value > data.scale.high);
}

function reasonAt(r, c) {
  const reason = typeof data.reasons === "string" ? data.reasons : data.reasons[r][c];
  return reason || data.words.noValue;
}

function spoken(r, c) {
  const value = data.values[r][c] === null ? reasonAt(r, c) : data.shown[r][c];
  const text = data.text && data.text[r][c] ? `, ${data.text[r][c]}` : "";
  return `${data.rows[r]}, ${columnName(c)}: ${value}${text}`;
}

// ---- drawing ----

function makeLegend() {
  const legend = make("div", "rs-legend");
  legend.append(make("span", "rs-legend-label", data.scale.label));
  const bar = make("div", "rs-bar-box");
  bar.append(make("div", "rs-bar"));
  const ticks = make("div", "rs-ticks");
  for (const text of data.scale.ticks) ticks.append(make("span", "", text));
  bar.append(ticks);
  legend.append(bar);
  if (data.values.some((row) => row.includes(null))) {
    const swatch = make("span", "rs-legend-none");
    swatch.append(make("span", "rs-swatch rs-none"), make("span", "", data.words.noValue));
    legend.append(swatch);
  }
  if (data.cone) {
    const swatch = make("span", "rs-legend-none");
    swatch.append(make("span", "rs-swatch rs-reach"), make("span", "", data.words.cone));
    legend.append(swatch);
  }
  if (data.scale.beyond) {
    const swatch = make("span", "rs-legend-none");
    swatch.append(make("span", "rs-swatch rs-beyond"), make("span", "", `${data.scale.beyond} ${data.words.beyond}`));
    legend.append(swatch);
  }
  return legend;
}

function makeHead(vertical, twin) {
  const row = make("tr");
  const corner = make("th", "rs-row-head");
  row.append(corner);
  data.columns.forEach((label, c) => {
    const head = make("th", "rs-column-head" + (vertical ? " rs-vertical" : ""));
    head.setAttribute("scope", "col");
    head.title = columnName(c);
    const stack = make("div", "rs-stack");
    if (data.numbers) {
      const mark = data.columnMarks && data.columnMarks[c];
      stack.append(make("span", "rs-number", data.numbers[c] + (mark ? ` ${mark}` : "")));
    }
    stack.append(makeToken(label));
    head.append(stack);
    row.append(head);
  });
  const section = make(twin ? "thead" : "tfoot");
  if (twin) section.setAttribute("aria-hidden", "true");
  section.append(row);
  return section;
}

function makeCell(r, c) {
  const cell = make("td", "rs-cell");
  cell.setAttribute("role", "gridcell");
  cell.setAttribute("aria-label", spoken(r, c));
  if (data.values[r][c] === null) cell.classList.add("rs-none");
  if (isBeyond(data.values[r][c])) cell.classList.add("rs-beyond");
  const text = data.text && data.text[r][c];
  if (text) {
    cell.textContent = text; // no element inside: with thousands of cells each one counts
    cell.setAttribute("dir", "auto");
  }
  return cell;
}

function makeBody() {
  const body = make("tbody");
  cells = data.rows.map(() => null);
  for (let r = data.rows.length - 1; r >= 0; r--) {
    const row = make("tr");
    row.dataset.row = r;
    const head = make("th", "rs-row-head", data.rows[r]);
    head.setAttribute("scope", "row");
    head.title = data.rows[r];
    row.append(head);
    cells[r] = data.columns.map((_, c) => makeCell(r, c));
    row.append(...cells[r]);
    body.append(row);
  }
  return body;
}

function columnWidths() {
  const longestRow = Math.max(3, ...data.rows.map((name) => name.length));
  const label = Math.round(Math.min(longestRow, 15) * 7.2 + 18);
  const column = data.text ? 58 : 32;
  return { label, column };
}

function makeTable() {
  const { label, column } = columnWidths();
  const longest = Math.max(0, ...data.columns.map((name) => [...name].length));
  const vertical = !data.text && longest > VERTICAL_LABEL_FROM;
  table = make("table", "rs-table" + (data.text ? " rs-with-text" : ""));
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", data.title || data.scale.label);
  table.style.minWidth = `${label + column * data.columns.length}px`;
  table.style.maxWidth = `${label + (data.text ? 130 : 60) * data.columns.length}px`;
  const widths = make("colgroup");
  widths.append(make("col"));
  widths.firstChild.style.width = `min(${label}px, 26vw)`;
  table.append(widths);
  if (data.rows.length >= BOTH_HEADS_FROM_ROWS) table.append(makeHead(vertical, true));
  table.append(makeBody(), makeHead(vertical, false));
  return table;
}

function draw(value, hadFocus) {
  const scrolled = scrollLeftNow;
  data = value;
  cells = [];
  table = null;
  popup.hide();
  if (!data) return;
  const top = make("div", "rs-top");
  if (data.title) top.append(make("h3", "rs-title", data.title));
  top.append(makeLegend());
  const stale = make("p", "rs-stale-note", data.words.stale);
  stale.setAttribute("role", "status");
  const scroller = make("div", "rs-scroller");
  scroller.append(makeTable());
  scroller.addEventListener("scroll", () => {
    scrollLeftNow = scroller.scrollLeft;
    popup.hide();
    hintAtMore();
  }, { passive: true });
  const card = make("div", "rs-card");
  card.append(top, stale);
  if (data.rowTitle) card.append(make("p", "rs-axis-title", `↑ ${data.rowTitle}`));
  card.append(scroller);
  if (data.columnTitle) card.append(make("p", "rs-axis-title rs-below", `${data.columnTitle} →`));
  root.append(card, popup.node);
  listen(table);
  paint();
  scroller.scrollLeft = scrolled;
  const sized = new ResizeObserver(() => { // also when a hidden picture gets its size
    if (!scroller.isConnected) return;
    reveal();
    hintAtMore();
  });
  sized.observe(scroller);
  const r = Math.min(focusAt[0], cells.length - 1);
  const c = Math.min(focusAt[1], data.columns.length - 1);
  if (cells[r] && cells[r][c]) moveFocus(r, c, hadFocus);
}
// ---- popup ----

function popupContent(r, c) {
  const value = data.values[r][c];
  const head = make("div", "rs-popup-head");
  head.append(make("span", "", data.rows[r]), make("span", "rs-muted", " · "));
  if (data.numbers) head.append(make("span", "", `${data.numbers[c]} `));
  head.append(makeToken(data.columns[c]));
  if (data.columnMarks && data.columnMarks[c]) head.append(make("span", "", ` ${data.columnMarks[c]}`));
  const lines = [head];
  if (value === null) {
    lines.push(make("div", "rs-popup-value", reasonAt(r, c)));
  } else {
    const line = make("div", "rs-popup-value");
    line.append(make("b", "", data.shown[r][c]), make("span", "rs-muted", ` ${data.scale.label}`));
    if (data.text && data.text[r][c]) line.prepend(makeToken(data.text[r][c]));
    lines.push(line);
    if (isBeyond(value)) lines.push(make("div", "rs-muted", data.words.beyond));
  }
  for (const item of (data.hover && data.hover[r][c]) || []) lines.push(popupLine(item));
  return lines;
}

function popupLine(item) {
  if (typeof item === "string") return make("div", "rs-popup-line", item);
  const line = make("div", "rs-popup-line rs-pair");
  line.append(makeToken(item[0]), make("span", "", item[1]));
  return line;
}

function showPopup(r, c) {
  popup.showAt(cells[r][c], popupContent(r, c));
}

// ---- interaction ----

function placeOf(target) {
  const cell = target.closest && target.closest("td.rs-cell");
  return cell ? [Number(cell.parentNode.dataset.row), cell.cellIndex - 1] : null;
}

function highlightHeads(r, c) {
  for (const head of table.querySelectorAll("th.rs-hot")) head.classList.remove("rs-hot");
  if (r === undefined) return;
  cells[r][c].parentNode.firstChild.classList.add("rs-hot");
  for (const row of table.querySelectorAll("thead tr, tfoot tr")) row.children[c + 1].classList.add("rs-hot");
}

function moveFocus(r, c, focus) {
  focusAt = [r, c];
  roveTo(table, cells[r][c], focus);
}

function choose(r, c) {
  drawSelection([r, c]);
  emitSelect([r, c], data.values[r][c]);
}

function drawSelection(place) {
  if (!table) return;
  for (const cell of table.querySelectorAll(".rs-selected, .rs-cone-left, .rs-cone-bottom")) {
    cell.classList.remove("rs-selected", "rs-cone-left", "rs-cone-bottom");
    cell.removeAttribute("aria-selected");
  }
  const cell = place && cells[place[0]] && cells[place[0]][place[1]];
  if (!cell) return;
  cell.classList.add("rs-selected");
  cell.setAttribute("aria-selected", "true");
  if (!table.contains(document.activeElement)) moveFocus(place[0], place[1], false);
  if (!data.cone) return;
  for (let r = place[0]; r < cells.length; r++) cells[r][place[1]].classList.add("rs-cone-left");
  for (let c = place[1]; c < data.columns.length; c++) cells[place[0]][c].classList.add("rs-cone-bottom");
}

/** Scroll the picture sideways, and nothing else, until the selected cell's column is in view. */
function reveal() {
  const cell = table && table.querySelector(".rs-selected");
  if (!cell) return;
  const scroller = table.parentElement;
  const inside = scroller.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const hidden = cell.parentNode.firstChild.getBoundingClientRect().right; // the row labels cover what is left of it
  if (box.left < hidden) scroller.scrollLeft -= hidden - box.left;
  else if (box.right > inside.right - 4) scroller.scrollLeft += box.right - inside.right + 4;
}

/** Fade the right edge as long as there are columns beyond it. */
function hintAtMore() {
  const scroller = table.parentElement;
  const beyond = scroller.scrollWidth - scroller.clientWidth - scroller.scrollLeft;
  scroller.classList.toggle("rs-more", beyond > 6);
}

function steps(key, r, c, wide) {
  const lastRow = cells.length - 1;
  const lastColumn = data.columns.length - 1;
  const moves = {
    ArrowUp: [r + 1, c], ArrowDown: [r - 1, c], ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1],
    PageUp: [r + 5, c], PageDown: [r - 5, c],
    Home: [wide ? lastRow : r, 0], End: [wide ? 0 : r, lastColumn],
  };
  const move = moves[key];
  return move && [Math.max(0, Math.min(lastRow, move[0])), Math.max(0, Math.min(lastColumn, move[1]))];
}

function onKey(event) {
  const place = placeOf(event.target);
  if (!place || event.altKey || event.metaKey) return;
  const next = steps(event.key, ...place, event.ctrlKey);
  if (next) {
    moveFocus(...next, true);
    cells[next[0]][next[1]].scrollIntoView({ block: "nearest", inline: "nearest" });
    showPopup(...next);
  } else if (event.key === "Enter" || event.key === " ") {
    choose(...place);
  } else if (event.key === "Escape") {
    popup.hide();
    return;
  } else {
    return;
  }
  event.preventDefault();
}

function listen(target) {
  target.addEventListener("pointerover", (event) => {
    const place = event.pointerType !== "touch" && placeOf(event.target);
    if (!place) return;
    highlightHeads(...place);
    showPopup(...place);
  });
  target.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    highlightHeads();
    popup.hide();
  });
  target.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    moveFocus(...place, true);
    highlightHeads(...place);
    showPopup(...place);
    choose(...place);
  });
  target.addEventListener("focusout", (event) => {
    if (!target.contains(event.relatedTarget)) popup.hide();
  });
  target.addEventListener("keydown", onKey);
}

// Repaint when the page changes between light and dark; stop once the widget has left the page.
const themeObserver = new MutationObserver(() => {
  if (!element.isConnected) themeObserver.disconnect();
  else if (data) paint();
});
themeObserver.observe(document.body, { attributes: true, attributeFilter: ["class"] });

const applyMarks = (marks) => {
  drawSelection(marks.selected || null);
  reveal();
};
mount(draw, { applyMarks, minWidth: 300 });
