// Tokens to pick from: a toolbar of toggle buttons, one per token, or two where a token can also be the contrast.

let buttons = []; // in reading order
let data = null;
let lastFocus = 0;

/** A toggle button that reports `index`. */
function makeButton(className, index, token, pressed, name) {
  const button = make("button", className);
  button.type = "button";
  button.setAttribute("aria-pressed", String(pressed));
  button.setAttribute("aria-label", name.filter(Boolean).join(", "));
  button.setAttribute("tabindex", "-1");
  button.addEventListener("click", () => {
    roveTo(root, button, true);
    emitSelect(index, token);
  });
  return button;
}

function makeShare(item) {
  const side = make("span", "rs-share");
  side.append(make("span", "rs-share-text", item.note));
  if (item.share !== null) {
    const track = make("span", "rs-track");
    const fill = make("span", "rs-fill");
    fill.style.width = `${item.share * 100}%`;
    track.append(fill);
    side.append(track);
    side.classList.add("rs-with-bar");
  }
  return side;
}

function makeTags(item) {
  const tags = make("span", "rs-tags");
  tags.setAttribute("aria-hidden", "true"); // the buttons' names say it
  const add = (className, word) => tags.append(make("span", `rs-tag ${className}`, `✓ ${word}`));
  if (item.answer) add("", data.words.answer);
  if (item.contrast) add("rs-tag-contrast", data.words.contrast);
  if (!item.answer && !item.contrast) add("", data.words.chosen);
  return tags;
}

function makeChoice(item, i) {
  const { words, withContrast } = data;
  const node = make("div", "rs-choice");
  for (const state of ["pressed", "answer", "contrast"]) node.classList.toggle(`rs-${state}`, item[state]);
  const pressed = withContrast ? item.answer : item.pressed;
  const role = withContrast ? words.answer : item.answer ? words.answer : item.contrast ? words.contrast : "";
  const pick = makeButton("rs-pick", withContrast ? [i, "answer"] : i, item.token, pressed, [
    item.token,
    item.note,
    role || (item.pressed ? words.chosen : ""),
  ]);
  pick.title = item.detail || item.token;
  pick.append(makeToken(item.token));
  if (item.note || item.share !== null) pick.append(makeShare(item));
  node.append(pick);
  if (withContrast) {
    const name = [`${words.versus} ${item.token}`, words.contrast];
    const versus = makeButton("rs-versus", [i, "contrast"], item.token, item.contrast, name);
    versus.title = `${words.contrast}: ${item.token}`;
    versus.append(words.versus);
    node.append(versus);
  }
  if (item.pressed) node.append(makeTags(item));
  return node;
}

function draw(value, hadFocus) {
  data = value;
  buttons = [];
  if (!data) return;
  const caption = make("p", "rs-caption", data.caption);
  if (data.hint) caption.append(make("span", "rs-caption-hint", data.hint));
  const bar = make("div", "rs-options");
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", data.caption);
  bar.append(...data.items.map(makeChoice));
  const body = make("div", "rs-choices" + (data.hint || data.withContrast ? "" : " rs-inline"));
  body.append(caption, bar);
  root.append(body);
  buttons = [...bar.querySelectorAll("button")];
  bar.addEventListener("keydown", onKey);
  bar.addEventListener("focusin", (event) => {
    lastFocus = Math.max(0, buttons.indexOf(event.target));
  });
  roveTo(root, buttons[Math.min(lastFocus, buttons.length - 1)], hadFocus);
}

/** The button above or below in a row that has wrapped. */
function vertical(button, direction) {
  const from = button.getBoundingClientRect();
  let best = null;
  for (const other of buttons) {
    const box = other.getBoundingClientRect();
    const down = (box.top - from.top) * direction;
    const aside = Math.abs(box.left + box.width / 2 - from.left - from.width / 2);
    if (down < 8) continue;
    if (!best || down < best.down - 8 || (down < best.down + 8 && aside < best.aside)) best = { other, down, aside };
  }
  return best ? best.other : button;
}

function onKey(event) {
  const at = buttons.indexOf(event.target);
  if (at < 0 || event.altKey || event.metaKey || event.ctrlKey) return;
  const go = {
    ArrowLeft: () => buttons[Math.max(0, at - 1)],
    ArrowRight: () => buttons[Math.min(buttons.length - 1, at + 1)],
    ArrowUp: () => vertical(buttons[at], -1),
    ArrowDown: () => vertical(buttons[at], 1),
    Home: () => buttons[0],
    End: () => buttons[buttons.length - 1],
  }[event.key];
  if (!go) return; // Enter and Space press the button by themselves
  event.preventDefault();
  roveTo(root, go(), true);
}

mount(draw);
