// Helpers shared by every widget. This text runs once per widget, before the widget's own script, inside
// the function Gradio builds from js_on_load; `element`, `trigger`, `props` and `watch` come from there.
// All text reaches the page through textContent or setAttribute.

const root = element.querySelector(".rs-root");
element.parentElement.style.padding = "0";

/** A new element with a class and, if given, text. */
function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = text;
  return node;
}

/** A token: isolated from the text around it, in its own writing direction. */
function makeToken(text, className) {
  const node = make("bdi", "rs-token" + (className ? " " + className : ""), text);
  node.setAttribute("dir", "auto");
  return node;
}

function readValue() {
  const value = props.value;
  return typeof value === "string" && value ? JSON.parse(value) : value || null;
}

/** Remember marks that the visitor has changed for the next drawing. */
function rememberMarks(changed) {
  element.dispatchEvent(new CustomEvent("rs-marks", { detail: changed }));
}

/** Tell Python, and remember the marks that this changes. */
function emitSelect(index, value, changed = { selected: index }) {
  rememberMarks(changed);
  trigger("select", { index, value, selected: true });
}

/** `template` with each {name} replaced, once, by the value of that name. */
function fill(template, values) {
  return template.replace(/[{](\w+)[}]/g, (found, name) => (name in values ? String(values[name]) : found));
}

/**
 * Draw now, and again whenever the value changes; apply marks after each drawing and whenever they change.
 * `draw(data, hadFocus)` fills the empty root; data is null when there is nothing to show, and hadFocus
 * tells whether the keyboard focus was inside what has just been removed. A control with `data-keep` gets the
 * focus back by itself.
 */
function mount(draw, { applyMarks, minWidth } = {}) {
  const block = element.closest(".block");
  if (block && minWidth) block.style.minWidth = `min(${minWidth}px, 100%)`; // a narrow row wraps
  let marks = props.marks || {};
  const mark = () => {
    root.classList.toggle("rs-stale", Boolean(marks.stale));
    if (applyMarks) applyMarks(marks);
  };
  const redraw = () => {
    const data = readValue();
    const empty = !data || data.empty !== undefined;
    const active = root.contains(document.activeElement) ? document.activeElement : null;
    const kept = active && active.dataset.keep;
    root.replaceChildren();
    root.classList.toggle("rs-empty", empty);
    root.hidden = empty && !(data && data.empty);
    if (block) block.style.display = root.hidden ? "none" : ""; // no gap where there is nothing
    if (empty) {
      if (data && data.empty) root.append(make("p", "rs-placeholder", data.empty));
    }
    draw(empty ? null : data, Boolean(active) && !kept);
    mark();
    if (kept) refocus(kept);
  };
  watch("value", () => {
    marks = { ...marks, stale: false }; // new marks sent along with the value follow below
    redraw();
  });
  watch("marks", () => {
    marks = { ...marks, ...props.marks }; // what is not named stays as it is
    mark();
  });
  element.addEventListener("rs-select", (event) => {
    marks = { ...marks, selected: event.detail };
  });
  element.addEventListener("rs-marks", (event) => {
    marks = { ...marks, ...event.detail };
  });
  redraw();
}

/** Focus the control that stands for a removed one: the same, or the last before it of those in a series ("x-3"). */
function refocus(kept) {
  const controls = [...root.querySelectorAll("[data-keep]")];
  const [series, place] = kept.split("-");
  const alike = controls.filter((control) => control.dataset.keep.split("-")[0] === series);
  const same = alike.find((control) => control.dataset.keep === kept);
  const control = same || alike[Math.min(alike.length - 1, Number(place) || 0)];
  if (control) control.focus({ preventScroll: true });
}

/** Make one of `items` the tab stop of the group (a roving tabindex), and focus it if asked. */
function roveTo(items, item, focus) {
  for (const other of items.querySelectorAll('[tabindex="0"]')) {
    if (other !== item) other.setAttribute("tabindex", "-1");
  }
  item.setAttribute("tabindex", "0");
  if (focus) item.focus();
}

/** A short-lived message to screen readers; it lives outside the root, which is emptied at every drawing. */
function makeAnnouncer() {
  const region = make("div", "rs-sr");
  region.setAttribute("role", "status");
  element.append(region);
  return (text) => {
    region.textContent = text;
  };
}
