// Focus, selection and the chosen set of a grid: the same for the picture and for its table.

let faces = []; // {table, cells[row][column]}: the picture and, once it was opened, its table
let focusAt = [0, 0];
let selectedAt = null;
let chosen = new Set(); // keys of cells
let anchor = null; // the corner that a rectangle starts from …
let before = new Set(); // … and what was chosen before it
let several = false; // every click adds or removes, for those who have no Ctrl key
let emission = 0; // timer of an event that waits for the end of a row of key presses
const EMIT_AFTER = 250; // ms

const keyOf = (r, c) => `${r} ${c}`;

function inGrid(r, c) {
  return r >= 0 && c >= 0 && r < data.rows.length && c < data.columns.length;
}

/** The chosen cells that this grid has, in order of rows. */
function chosenList() {
  const places = [...chosen].map((key) => key.split(" ").map(Number)).filter(([r, c]) => inGrid(r, c));
  return places.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function placeOf(target) {
  const cell = target.closest && target.closest("tr[data-row] > td");
  return cell ? [Number(cell.parentNode.dataset.row), cell.cellIndex - 1] : null;
}

function faceNow() {
  return faces.find(({ table }) => table.isConnected);
}

function moveFocus(r, c, focus) {
  focusAt = [r, c];
  for (const face of faces) roveTo(face.table, face.cells[r][c], focus && face === faceNow());
}

// ---- marks ----

function drawSelection(place) {
  selectedAt = place && inGrid(...place) ? place : null;
  for (const { table, cells } of faces) {
    for (const cell of table.querySelectorAll(".rs-selected, .rs-cone-left, .rs-cone-bottom")) {
      cell.classList.remove("rs-selected", "rs-cone-left", "rs-cone-bottom");
      cell.removeAttribute("aria-current");
      if (!data.multi) cell.removeAttribute("aria-selected");
    }
    if (!selectedAt) continue;
    const cell = cells[selectedAt[0]][selectedAt[1]];
    cell.classList.add("rs-selected");
    // Where a set can be chosen, "selected" is what its cells are called.
    cell.setAttribute(data.multi || !cell.hasAttribute("role") ? "aria-current" : "aria-selected", "true");
    if (data.cone) drawCone(cells, ...selectedAt);
  }
  const face = faceNow();
  if (selectedAt && !(face && face.table.contains(document.activeElement))) moveFocus(...selectedAt, false);
}

function drawCone(cells, row, column) {
  for (let r = row; r < cells.length; r++) cells[r][column].classList.add("rs-cone-left");
  for (let c = column; c < cells[row].length; c++) cells[row][c].classList.add("rs-cone-bottom");
}

function drawChosen() {
  for (const { table, cells } of faces) {
    for (const cell of table.querySelectorAll(".rs-chosen")) {
      cell.classList.remove("rs-chosen");
      if (cell.hasAttribute("role")) cell.setAttribute("aria-selected", "false");
    }
    for (const [r, c] of chosenList()) {
      cells[r][c].classList.add("rs-chosen");
      if (cells[r][c].hasAttribute("role")) cells[r][c].setAttribute("aria-selected", "true");
    }
  }
  countChosen(chosenList().length);
}

// ---- what a visitor does ----

/** Tell Python, at once or when no more follows for a moment. */
function emitPlace(place, wait = 0) {
  clearTimeout(emission);
  const value = data.values[place[0]][place[1]];
  if (!data.multi) return emitSelect(place, value);
  const list = chosenList();
  const changed = { selected: selectedAt, chosen: list };
  const send = () => emitSelect(place, { value, chosen: list }, changed);
  rememberMarks(changed);
  if (wait) emission = setTimeout(send, wait);
  else send();
}

/** From here a rectangle may start. */
function startAt(place) {
  anchor = place;
  before = new Set(chosen);
}

function choose(place) {
  startAt(place);
  drawSelection(place);
  emitPlace(place);
}

function changeSet(place, change, wait) {
  change();
  drawSelection(place);
  tellChosen();
  emitPlace(place, wait);
}

function tellChosen() {
  drawChosen();
  announce(fill(data.words.count, { n: chosenList().length }));
}

function toggle(place) {
  const key = keyOf(...place);
  changeSet(place, () => chosen.delete(key) || chosen.add(key));
  startAt(place);
}

function toggleRow(r) {
  const keys = data.columns.map((_, c) => keyOf(r, c));
  const all = keys.every((key) => chosen.has(key));
  const place = [r, focusAt[1]];
  changeSet(place, () => keys.forEach((key) => (all ? chosen.delete(key) : chosen.add(key))));
  startAt(place);
}

/** Choose the rectangle between the anchor and here, beside what was chosen before it. */
function extendTo(place, wait) {
  if (!anchor || !inGrid(...anchor)) startAt(focusAt);
  const [rows, columns] = [0, 1].map((i) => [anchor[i], place[i]].sort((a, b) => a - b));
  changeSet(place, () => {
    chosen = new Set(before);
    for (let r = rows[0]; r <= rows[1]; r++) for (let c = columns[0]; c <= columns[1]; c++) chosen.add(keyOf(r, c));
  }, wait);
}

function clearChosen() {
  chosen.clear();
  anchor = null;
  tellChosen();
  emitPlace(selectedAt || focusAt);
}

// ---- keys and pointer ----

function stepFrom(key, r, c, wide) {
  const lastRow = data.rows.length - 1;
  const lastColumn = data.columns.length - 1;
  const moves = {
    ArrowUp: [r + 1, c], ArrowDown: [r - 1, c], ArrowLeft: [r, c - 1], ArrowRight: [r, c + 1],
    PageUp: [r + 5, c], PageDown: [r - 5, c],
    Home: [wide ? lastRow : r, 0], End: [wide ? 0 : r, lastColumn],
  };
  const move = moves[key];
  return move && [Math.max(0, Math.min(lastRow, move[0])), Math.max(0, Math.min(lastColumn, move[1]))];
}

function onMoveKey(place, extend) {
  if (extend) extendTo(place, EMIT_AFTER);
  else startAt(place);
  moveFocus(...place, true);
  faceNow().cells[place[0]][place[1]].scrollIntoView({ block: "nearest", inline: "nearest" });
  showPopup(...place);
}

function onKey(event) {
  const place = placeOf(event.target);
  if (!place || event.altKey) return;
  const command = event.ctrlKey || event.metaKey;
  const next = event.metaKey ? null : stepFrom(event.key, ...place, event.ctrlKey);
  const enter = event.key === "Enter" || event.key === " ";
  if (next) onMoveKey(next, data.multi && event.shiftKey);
  else if (data.multi && event.key === " " && event.shiftKey) toggleRow(place[0]);
  else if (data.multi && enter && (command || several)) toggle(place);
  else if (data.multi && event.key === "x" && !command) toggle(place);
  else if (enter && !event.metaKey) choose(place);
  else if (event.key === "Escape") return popup.hide();
  else return;
  event.preventDefault();
}

function onClick(event) {
  const place = placeOf(event.target);
  const head = event.target.closest("tr[data-row] > th");
  if (data.multi && head) return toggleRow(Number(head.parentNode.dataset.row));
  if (!place) return;
  const extend = data.multi && event.shiftKey;
  const add = data.multi && (several || event.ctrlKey || event.metaKey);
  if (extend) extendTo(place);
  moveFocus(...place, true);
  if (!several) showPopup(...place);
  if (extend) return;
  if (add) toggle(place);
  else choose(place);
}

function listenToCells(table) {
  table.addEventListener("click", onClick);
  table.addEventListener("keydown", onKey);
  table.addEventListener("mousedown", (event) => {
    if (data.multi && event.shiftKey) event.preventDefault(); // no text is selected
  });
  table.addEventListener("focusout", (event) => {
    if (!table.contains(event.relatedTarget)) popup.hide();
  });
}
