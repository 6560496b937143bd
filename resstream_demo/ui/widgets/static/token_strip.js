// Token chips: a listbox whose options are keyed by position.

let chips = [];
let list = null;
let focusAt = 0;

function makeChip(data, position) {
  const chip = make("div", "rs-chip");
  chip.setAttribute("role", "option");
  chip.setAttribute("aria-selected", "false");
  chip.setAttribute("tabindex", position === 0 ? "0" : "-1");
  const differs = data.differs.includes(position);
  if (differs) chip.classList.add("rs-differs");
  if (data.special.includes(position)) chip.classList.add("rs-special");
  chip.append(make("span", "rs-number", position), makeToken(data.tokens[position]));
  if (differs) chip.append(make("span", "rs-mark", "≠"));
  const detail = data.details ? data.details[position] : data.tokens[position];
  chip.title = differs ? `${detail} · ${data.differsWord}` : detail;
  chip.setAttribute("aria-label", `${position} ${data.tokens[position]}` + (differs ? `, ${data.differsWord}` : ""));
  return chip;
}

function draw(data, hadFocus) {
  chips = [];
  list = null;
  if (!data) return;
  if (data.label) root.append(make("span", "rs-strip-label", data.label));
  list = make("div", "rs-chips");
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-orientation", "horizontal");
  list.setAttribute("aria-label", data.label || "tokens");
  chips = data.tokens.map((_, position) => makeChip(data, position));
  list.append(...chips);
  list.addEventListener("click", (event) => {
    const position = chips.indexOf(event.target.closest(".rs-chip"));
    if (position >= 0) choose(data, position);
  });
  list.addEventListener("keydown", (event) => onKey(event, data));
  root.append(list);
  list.addEventListener("focusin", (event) => {
    focusAt = Math.max(0, chips.indexOf(event.target));
  });
  if (hadFocus && chips.length) roveTo(list, chips[Math.min(focusAt, chips.length - 1)], true);
}

function choose(data, position) {
  drawSelection(position);
  roveTo(list, chips[position], true);
  emitSelect(position, data.tokens[position]);
}

function drawSelection(position) {
  chips.forEach((chip, at) => {
    chip.classList.toggle("rs-selected", at === position);
    chip.setAttribute("aria-selected", at === position ? "true" : "false");
  });
}

function onKey(event, data) {
  const at = chips.indexOf(event.target);
  if (at < 0 || event.altKey || event.metaKey) return;
  const last = chips.length - 1;
  const moves = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
  if (event.key in moves) roveTo(list, chips[Math.max(0, Math.min(last, moves[event.key]))], true);
  else if (event.key === "Enter" || event.key === " ") choose(data, at);
  else return;
  event.preventDefault();
}

function applyMarks({ selected }) {
  drawSelection(selected === undefined ? null : selected);
  if (list && chips[selected] && !list.contains(document.activeElement)) roveTo(list, chips[selected], false);
}

mount(draw, { applyMarks });
