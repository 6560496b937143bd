// Heat map. Rows arrive bottom first and are drawn upwards.

let data = null;
let scrollLeftNow = 0;
let picture = null; // the first of the faces
let counter = null; // the number of chosen cells and the button that forgets them
const popup = makePopup();
const announce = makeAnnouncer();

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
      picture.cells[r][c].style.background = `rgb(${colour})`;
      picture.cells[r][c].style.color = inkOn(colour);
    }),
  );
  const bar = root.querySelector(".rs-bar");
  if (bar) bar.style.background = `linear-gradient(to right, ${stops.map((s) => `rgb(${s})`)})`;
}

// ---- the picture's surroundings ----

function makeTools() {
  if (!data.multi) return [];
  const count = make("span", "rs-count");
  const clear = makeTool("clear", data.words.clear, clearChosen);
  const each = makeTool("several", data.words.several, () => {
    several = !several;
    each.setAttribute("aria-pressed", several ? "true" : "false");
  });
  each.setAttribute("aria-pressed", several ? "true" : "false");
  counter = { count, clear };
  return [count, clear, each];
}

function countChosen(n) {
  if (!counter) return;
  counter.count.textContent = fill(data.words.count, { n });
  for (const part of [counter.count, counter.clear]) part.style.visibility = n ? "" : "hidden";
}

function makeScroller() {
  const scroller = make("div", "rs-scroller");
  scroller.append(picture.table);
  scroller.addEventListener("scroll", () => {
    scrollLeftNow = scroller.scrollLeft;
    popup.hide();
    hintAtMore();
  }, { passive: true });
  new ResizeObserver(() => { // also when a hidden picture gets its size
    if (!scroller.isConnected) return;
    reveal();
    hintAtMore();
  }).observe(scroller);
  return scroller;
}

function openTwin() {
  const twin = makeTwin();
  listenToCells(twin.table);
  faces.push(twin);
  if (focusAt && inGrid(...focusAt)) roveTo(twin.table, twin.cells[focusAt[0]][focusAt[1]], false);
  return twin.box;
}

function draw(value, hadFocus) {
  const scrolled = scrollLeftNow;
  data = value;
  faces = [];
  picture = null;
  counter = null;
  popup.hide();
  if (!data) return;
  picture = makePicture();
  faces = [picture];
  const scroller = makeScroller();
  const parts = [scroller];
  if (data.rowTitle) parts.unshift(axisTitle(data.rowTitle));
  if (data.columnTitle) parts.push(axisTitle(data.columnTitle, true));
  if (data.multi) parts.push(make("p", "rs-how", data.words.how));
  parts.push(makeHelp(data.words.keys + (data.multi ? ` ${data.words.keys_several}` : ""), picture.table));
  const shown = () => {
    popup.hide();
    scroller.scrollLeft = scrollLeftNow; // lost while it was off the page
    redrawMarks();
  };
  root.append(
    makeFrame({
      title: data.title, words: data.words, legend: makeLegend(), tools: makeTools(), picture: parts,
      twin: openTwin, shown,
    }),
    popup.node,
  );
  listenToCells(picture.table);
  listenToPointer(picture.table);
  paint();
  scroller.scrollLeft = scrolled;
  const place = [Math.min(focusAt[0], data.rows.length - 1), Math.min(focusAt[1], data.columns.length - 1)];
  if (inGrid(...place)) moveFocus(...place, hadFocus);
}

// ---- hovering ----

function showPopup(r, c) {
  if (faceNow() !== picture) return;
  highlightHeads(r, c);
  popup.showAt(picture.cells[r][c], picture.table, () => popupContent(r, c));
}

function highlightHeads(r, c) {
  const { table, cells } = picture;
  for (const head of table.querySelectorAll("th.rs-hot")) head.classList.remove("rs-hot");
  if (r === undefined) return;
  cells[r][c].parentNode.firstChild.classList.add("rs-hot");
  for (const row of table.querySelectorAll("thead tr, tfoot tr")) row.children[c + 1].classList.add("rs-hot");
}

function listenToPointer(table) {
  table.addEventListener("pointerover", (event) => {
    const place = event.pointerType !== "touch" && placeOf(event.target);
    if (place) showPopup(...place);
  });
  table.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    highlightHeads();
    popup.hide();
  });
}

// ---- scrolling ----

/** Scroll the picture sideways, and nothing else, until the selected cell's column is in view. */
function reveal() {
  const cell = picture && selectedAt && picture.cells[selectedAt[0]][selectedAt[1]];
  if (!cell || faceNow() !== picture) return;
  const scroller = picture.table.parentElement;
  const inside = scroller.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const hidden = cell.parentNode.firstChild.getBoundingClientRect().right; // the row labels cover what is left of it
  if (box.left < hidden) scroller.scrollLeft -= hidden - box.left;
  else if (box.right > inside.right - 4) scroller.scrollLeft += box.right - inside.right + 4;
}

/** Fade the right edge as long as there are columns beyond it. */
function hintAtMore() {
  const scroller = picture.table.parentElement;
  const beyond = scroller.scrollWidth - scroller.clientWidth - scroller.scrollLeft;
  scroller.classList.toggle("rs-more", beyond > 6);
}

// Repaint when the page changes between light and dark; stop once the widget has left the page.
const themeObserver = new MutationObserver(() => {
  if (!element.isConnected) themeObserver.disconnect();
  else if (data) paint();
});
themeObserver.observe(document.body, { attributes: true, attributeFilter: ["class"] });

function redrawMarks() {
  if (!data) return;
  drawSelection(selectedAt);
  drawChosen();
  reveal();
}

const applyMarks = (marks) => {
  selectedAt = marks.selected || null;
  chosen = new Set((marks.chosen || []).map(([r, c]) => keyOf(r, c)));
  redrawMarks();
};
mount(draw, { applyMarks, minWidth: 300 });
