// Cards to choose from: a listbox in one row, of which one card at most is selected.

let cards = [];
let keys = [];
let row = null;

function makeCard([key, title, line], at) {
  const card = make("div", "rs-gallery-card");
  card.setAttribute("role", "option");
  card.setAttribute("aria-selected", "false");
  card.setAttribute("tabindex", at === 0 ? "0" : "-1");
  card.append(make("span", "rs-gallery-title", title));
  if (line) card.append(make("span", "rs-gallery-line", line));
  card.title = line;
  return card;
}

function draw(data, hadFocus) {
  cards = [];
  keys = [];
  row = null;
  if (!data) return;
  if (data.title) root.append(make("span", "rs-gallery-name", data.title));
  row = make("div", "rs-gallery");
  row.setAttribute("role", "listbox");
  row.setAttribute("aria-orientation", "horizontal");
  row.setAttribute("aria-label", data.title);
  cards = data.cards.map(makeCard);
  keys = data.cards.map((card) => card[0]);
  row.append(...cards);
  row.addEventListener("click", (event) => choose(cards.indexOf(event.target.closest(".rs-gallery-card"))));
  row.addEventListener("keydown", onKey);
  row.addEventListener("scroll", hintAtMore, { passive: true });
  new ResizeObserver(hintAtMore).observe(row);
  root.append(row);
  if (hadFocus && cards.length) roveTo(row, cards[0], true);
}

/** Fade the edge beyond which there are more cards. */
function hintAtMore() {
  if (!row) return;
  row.classList.toggle("rs-more-right", row.scrollWidth - row.clientWidth - row.scrollLeft > 6);
  row.classList.toggle("rs-more-left", row.scrollLeft > 6);
}

function choose(at) {
  if (at < 0) return;
  drawSelection(keys[at]);
  roveTo(row, cards[at], true);
  emitSelect(at, keys[at], { selected: keys[at] });
}

function drawSelection(key) {
  cards.forEach((card, at) => {
    const chosen = keys[at] === key;
    card.classList.toggle("rs-selected", chosen);
    card.setAttribute("aria-selected", chosen ? "true" : "false");
  });
}

function onKey(event) {
  const at = cards.indexOf(event.target);
  if (at < 0 || event.altKey || event.metaKey || event.ctrlKey) return;
  const last = cards.length - 1;
  const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
  if (event.key in moves) roveTo(row, cards[Math.max(0, Math.min(last, moves[event.key]))], true);
  else if (event.key === "Enter" || event.key === " ") choose(at);
  else return;
  event.preventDefault();
}

/** Scroll the row, and nothing else, until the selected card is in view. */
function reveal(card) {
  const inside = row.getBoundingClientRect();
  const box = card.getBoundingClientRect();
  if (box.left < inside.left) row.scrollLeft -= inside.left - box.left + 24;
  else if (box.right > inside.right) row.scrollLeft += box.right - inside.right + 24;
}

function applyMarks({ selected }) {
  drawSelection(selected);
  const card = cards[keys.indexOf(selected)];
  if (!card) return;
  if (!row.contains(document.activeElement)) roveTo(row, card, false);
  reveal(card);
}

mount(draw, { applyMarks });
