// Tokens of one or two prompts: a listbox of columns, each with a token of either prompt, one above the other.
// Columns wrap as wholes, so the two rows of a band stay together. A token is keyed by [row, position].

const NARROW = 520; // px; below this the rows have no names at their left
let cells = [[], []]; // per row, per position: the token's element
let places = null; // the parts of the current drawing
let words = {};
let lastFocus = null; // [row, position]
let selectedCell = null;

function makeCell(data, column, side, differs) {
  const position = column[side];
  const row = data.rows[side];
  if (position === null) {
    const gap = make("div", "rs-pair-cell rs-gap", "–");
    gap.title = data.words.gap;
    gap.setAttribute("aria-hidden", "true"); // the token opposite says that it has no partner
    return gap;
  }
  const token = row.tokens[position];
  const cell = make("div", "rs-pair-cell");
  cell.dataset.place = `${side} ${position}`;
  cell.setAttribute("role", "option");
  cell.setAttribute("aria-selected", "false");
  cell.setAttribute("tabindex", "-1");
  cell.append(make("span", "rs-number", position), makeToken(token));
  const remark = !differs ? "" : column[1 - side] === null ? data.words.alone : data.words.differs;
  const name = data.rows[1 - side] || side === 1 ? `${row.name} ` : "";
  cell.setAttribute("aria-label", `${name}${position} ${token}` + (remark ? `, ${remark}` : ""));
  cell.title = row.details[position] + (remark ? ` · ${remark}` : "");
  if (row.special.includes(position)) cell.classList.add("rs-special");
  cells[side][position] = cell;
  return cell;
}

function makeColumn(data, index, differing) {
  const column = data.columns[index];
  const node = make("div", "rs-pair-column");
  node.setAttribute("role", "presentation");
  const differs = differing.has(index);
  if (differs) node.classList.add("rs-differs");
  if (column.includes(null)) node.classList.add("rs-has-gap");
  for (const side of [0, 1]) {
    if (data.rows[side]) node.append(makeCell(data, column, side, differs));
  }
  if (differs) {
    const mark = make("span", "rs-mark", "≠");
    mark.setAttribute("aria-hidden", "true");
    node.append(mark);
  }
  return node;
}

function draw(data, hadFocus) {
  cells = [[], []];
  places = null;
  selectedCell = null;
  observer.disconnect();
  if (!data) return;
  words = data.words;
  const names = data.rows[1] ? data.rows.filter(Boolean).map((row) => row.name) : []; // one row needs none
  const readout = make("p", "rs-pair-readout");
  readout.setAttribute("aria-hidden", "true"); // each token's title says the same
  const head = make("div", "rs-pair-head");
  head.append(make("p", "rs-pair-summary", data.summary), readout);
  const bands = make("div", "rs-bands");
  bands.setAttribute("role", "listbox");
  bands.setAttribute("aria-label", data.words.group);
  const differing = new Set(data.differs);
  const columns = data.columns.map((_, index) => makeColumn(data, index, differing));
  bands.append(makeNames(names), ...columns);
  const box = make("div", "rs-pair-box");
  const aside = make("div", "rs-asides"); // the rows' names, placed by layOut
  aside.setAttribute("aria-hidden", "true");
  box.append(aside, bands);
  root.append(head, box);
  places = { box, bands, columns, readout, names, aside };
  listen(bands);
  layOut();
  observer.observe(bands);
  focusFirst(hadFocus);
  showReadout(null);
}

function listen(bands) {
  const cellOf = (event) => event.target.closest && event.target.closest("[data-place]");
  bands.addEventListener("click", (event) => cellOf(event) && choose(cellOf(event)));
  bands.addEventListener("keydown", onKey);
  bands.addEventListener("pointerover", (event) => cellOf(event) && showReadout(cellOf(event)));
  bands.addEventListener("pointerleave", () => showReadout(null));
  bands.addEventListener("focusin", (event) => {
    lastFocus = placeOf(event.target);
    showReadout(event.target);
  });
  bands.addEventListener("focusout", () => showReadout(null));
}

function placeOf(cell) {
  return cell.dataset.place.split(" ").map(Number);
}

/** The token's detail at the head of the strip: of `cell`, else of the selected token. */
function showReadout(cell) {
  if (!places) return;
  const shown = cell || selectedCell;
  places.readout.classList.toggle("rs-hint", !shown);
  if (!shown) {
    places.readout.replaceChildren(words.hint);
    return;
  }
  const [side, position] = placeOf(shown);
  const name = places.names.length === 2 ? `${places.names[side]} ${position}` : position;
  places.readout.replaceChildren(make("span", "rs-pair-where", name), makeToken(shown.title, "rs-plain"));
}

// ---- bands ----

/** The names of the rows as a first column, for a strip that is too narrow to have them beside every band. */
function makeNames(names) {
  const node = make("div", "rs-row-names");
  node.setAttribute("aria-hidden", "true"); // every token's name begins with its row's
  node.append(...names.map((name) => make("span", "", name)));
  return node;
}

/**
 * Name the rows at the left of every band. Where the bands are is known only after the columns have wrapped. All is
 * read before anything is written, so that a thousand columns are laid out once.
 */
function layOut() {
  const { box, bands, columns, names, aside } = places;
  const narrow = box.clientWidth < NARROW;
  root.classList.toggle("rs-narrow", narrow);
  aside.hidden = narrow || !names.length;
  if (aside.hidden) {
    bands.style.paddingLeft = "";
    return;
  }
  const lines = [...columns[0].querySelectorAll(".rs-pair-cell")].map((cell) => [cell.offsetTop, cell.offsetHeight]);
  aside.replaceChildren(...makeBandNames(names, lines, 0));
  bands.style.paddingLeft = `${Math.max(...[...aside.children].map((node) => node.offsetWidth)) + 10}px`;
  const tops = [...new Set(columns.map((column) => column.offsetTop))];
  aside.replaceChildren(...tops.flatMap((top) => makeBandNames(names, lines, top)));
}

function makeBandNames(names, lines, top) {
  return names.map((name, line) => {
    const node = make("span", "rs-row-name", name);
    node.style.top = `${top + lines[line][0]}px`;
    node.style.height = `${lines[line][1]}px`;
    return node;
  });
}

const observer = new ResizeObserver(() => places && layOut());

// ---- keyboard and selection ----

function focusFirst(hadFocus) {
  const [side, position] = lastFocus || [0, 0];
  const row = cells[side].length ? cells[side] : cells[1 - side];
  roveTo(places.bands, row[Math.min(position, row.length - 1)], hadFocus);
}

/** The token above or below: in the other row of the band, or in the next band, as the eye would go. */
function vertical(cell, direction) {
  const from = cell.getBoundingClientRect();
  const centre = (box) => box.left + box.width / 2;
  let best = null;
  for (const other of [...cells[0], ...cells[1]]) {
    const box = other.getBoundingClientRect();
    const down = (box.top - from.top) * direction;
    const aside = Math.abs(centre(box) - centre(from));
    if (down < 4) continue;
    if (!best || down < best.down - 4 || (down < best.down + 4 && aside < best.aside)) best = { other, down, aside };
  }
  return best ? best.other : cell;
}

function onKey(event) {
  const cell = event.target;
  if (!cell.dataset.place || event.altKey || event.metaKey || event.ctrlKey) return;
  const [side, position] = placeOf(cell);
  const row = cells[side];
  const go = {
    ArrowLeft: () => row[Math.max(0, position - 1)],
    ArrowRight: () => row[Math.min(row.length - 1, position + 1)],
    ArrowUp: () => vertical(cell, -1),
    ArrowDown: () => vertical(cell, 1),
    Home: () => row[0],
    End: () => row[row.length - 1],
  }[event.key];
  if (go) roveTo(places.bands, go(), true);
  else if (event.key === "Enter" || event.key === " ") choose(cell);
  else return;
  event.preventDefault();
}

function choose(cell) {
  const place = placeOf(cell);
  drawSelection(cell);
  roveTo(places.bands, cell, true);
  emitSelect(place, cell.querySelector(".rs-token").textContent);
}

function drawSelection(cell) {
  for (const node of root.querySelectorAll(".rs-selected")) node.classList.remove("rs-selected");
  if (selectedCell) selectedCell.setAttribute("aria-selected", "false");
  selectedCell = cell || null;
  if (cell) {
    cell.setAttribute("aria-selected", "true");
    cell.classList.add("rs-selected");
    cell.parentElement.classList.add("rs-selected");
  }
}

/** A mark names [row, position], or a position: of the clean prompt, or of the only one there is. */
function cellOfMark(selected) {
  if (Array.isArray(selected)) return (cells[selected[0]] || [])[selected[1]];
  return (cells[0].length ? cells[0] : cells[1])[selected];
}

function applyMarks({ selected }) {
  if (!places) return;
  const cell = selected === undefined || selected === null ? null : cellOfMark(selected);
  drawSelection(cell);
  const inside = places.bands.contains(document.activeElement);
  if (cell && !inside) {
    roveTo(places.bands, cell, false);
    reveal(cell.parentElement);
  }
  showReadout(inside ? document.activeElement : null);
}

/** Scroll the strip, never the page, until a column can be seen. */
function reveal(column) {
  const { box } = places;
  const top = column.offsetTop;
  if (top < box.scrollTop || top + column.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - 6;
}

mount(draw, { applyMarks });
