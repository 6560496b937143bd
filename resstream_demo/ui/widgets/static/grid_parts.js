// Parts of the heat map: its words, its legend, and the table of coloured cells.

const BOTH_HEADS_FROM_ROWS = 17; // taller grids repeat the column labels at the top
const VERTICAL_LABEL_FROM = 4; // longest label that still fits across a narrow column

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
  return reason || data.words.no_value;
}

function textAt(r, c) {
  return data.text ? data.text[r][c] : "";
}

function spoken(r, c) {
  const value = data.values[r][c] === null ? reasonAt(r, c) : data.shown[r][c];
  const text = textAt(r, c);
  return `${data.rows[r]}, ${columnName(c)}: ${value}${text ? `, ${text}` : ""}`;
}

// ---- legend ----

function makeLegend() {
  const legend = make("div", "rs-legend");
  legend.append(make("span", "rs-legend-label", data.scale.label));
  const bar = make("div", "rs-bar-box");
  bar.append(make("div", "rs-bar"));
  const ticks = make("div", "rs-ticks");
  for (const text of data.scale.ticks) ticks.append(make("span", "", text));
  bar.append(ticks);
  legend.append(bar);
  if (data.values.some((row) => row.includes(null))) legend.append(legendSwatch("rs-none", data.words.no_value));
  if (data.cone) legend.append(legendSwatch("rs-reach", data.words.cone));
  if (data.scale.beyond) legend.append(legendSwatch("rs-beyond", `${data.scale.beyond} ${data.words.beyond}`));
  return legend;
}

function legendSwatch(kind, text) {
  const entry = make("span", "rs-legend-none");
  entry.append(make("span", `rs-swatch ${kind}`), make("span", "", text));
  return entry;
}

// ---- the coloured cells ----

/** The column labels, at the foot of the picture or, not read aloud twice, also at its top. */
function makeHead(vertical, again) {
  const row = make("tr");
  row.append(make("td", "rs-row-head")); // the corner heads nothing
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
  const section = make(again ? "thead" : "tfoot");
  if (again) section.setAttribute("aria-hidden", "true");
  section.append(row);
  return section;
}

function makeRowHead(r) {
  const head = make("th", "rs-row-head");
  head.append(makeToken(data.rows[r], "rs-plain"));
  head.setAttribute("scope", "row");
  head.title = data.multi ? fill(data.words.row, { name: data.rows[r] }) : data.rows[r];
  return head;
}

function makeCell(r, c) {
  const cell = make("td", "rs-cell");
  cell.setAttribute("role", "gridcell");
  cell.setAttribute("aria-label", spoken(r, c));
  if (data.multi) cell.setAttribute("aria-selected", "false");
  if (data.values[r][c] === null) cell.classList.add("rs-none");
  if (isBeyond(data.values[r][c])) cell.classList.add("rs-beyond");
  const text = textAt(r, c);
  if (text) {
    cell.textContent = text; // no element inside: with thousands of cells each one counts
    cell.setAttribute("dir", "auto");
  }
  return cell;
}

/** Rows of cells, the last one on top; returns the section and the cells by row and column of the data. */
function makeRows(head, cell) {
  const body = make("tbody");
  const cells = data.rows.map(() => null);
  for (let r = data.rows.length - 1; r >= 0; r--) {
    const row = make("tr");
    row.dataset.row = r;
    cells[r] = data.columns.map((_, c) => cell(r, c));
    row.append(head(r), ...cells[r]);
    body.append(row);
  }
  return { body, cells };
}

function makePicture() {
  const longestRow = Math.max(3, ...data.rows.map((name) => name.length));
  const label = Math.round(Math.min(longestRow, 15) * 7.2 + 18);
  const longest = Math.max(0, ...data.columns.map((name) => [...name].length));
  const vertical = !data.text && longest > VERTICAL_LABEL_FROM;
  const table = make("table", "rs-table" + (data.text ? " rs-with-text" : "") + (data.multi ? " rs-multi" : ""));
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", data.title || data.scale.label);
  if (data.multi) table.setAttribute("aria-multiselectable", "true");
  table.style.minWidth = `${label + (data.text ? 58 : 32) * data.columns.length}px`;
  table.style.maxWidth = `${label + (data.text ? 130 : 60) * data.columns.length}px`;
  const widths = make("colgroup");
  widths.append(make("col"));
  widths.firstChild.style.width = `min(${label}px, 26vw)`;
  table.append(widths);
  if (data.rows.length >= BOTH_HEADS_FROM_ROWS) table.append(makeHead(vertical, true));
  const { body, cells } = makeRows(makeRowHead, makeCell);
  table.append(body, makeHead(vertical, false));
  return { table, cells };
}
