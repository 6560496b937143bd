// Token chips: a listbox whose options are keyed by position.

let chips = [];
let list = null;
let focusAt = 0;

function makeChip(data, position) {
  const differs = data.differs.includes(position);
  const name = `${position} ${data.tokens[position]}` + (differs ? `, ${data.differsWord}` : "");
  const chip = asOption(make("div", "rs-chip"), position, name);
  if (differs) chip.classList.add("rs-differs");
  if (data.special.includes(position)) chip.classList.add("rs-special");
  chip.append(make("span", "rs-number", position), makeToken(data.tokens[position]));
  if (differs) chip.append(make("span", "rs-mark", "≠"));
  const detail = data.details ? data.details[position] : data.tokens[position];
  chip.title = differs ? `${detail} · ${data.differsWord}` : detail;
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
  listenToOptions(list, chips, {
    step: (key, at) => stepInLine(key, at, chips.length),
    choose: (position) => choose(data, position),
  });
  root.append(list);
  list.addEventListener("focusin", (event) => {
    focusAt = Math.max(0, chips.indexOf(event.target));
  });
  if (hadFocus && chips.length) roveTo(list, chips[Math.min(focusAt, chips.length - 1)], true);
}

function choose(data, position) {
  markOption(chips, position);
  emitSelect(position, data.tokens[position]);
}

function applyMarks({ selected }) {
  markOption(chips, selected);
  if (list && chips[selected] && !list.contains(document.activeElement)) roveTo(list, chips[selected], false);
}

mount(draw, { applyMarks });
