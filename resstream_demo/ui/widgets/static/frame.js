// The card around a picture: title, legend, tools, and the table of the same numbers that may stand in its place.

let twinShown = false; // remembered from one drawing to the next

/** A small button. `keep` names it, so that it gets the focus back after a drawing. */
function makeTool(keep, text, onPress) {
  const tool = make("button", "rs-tool", text);
  tool.type = "button";
  tool.dataset.keep = keep;
  tool.addEventListener("click", onPress);
  return tool;
}

function axisTitle(text, below) {
  return make("p", "rs-axis-title" + (below ? " rs-below" : ""), below ? `${text} →` : `↑ ${text}`);
}

/** What the keys do, for screen readers: a description of `target`, if that is on the page to stay. */
function makeHelp(text, target) {
  const help = make("p", "rs-sr", text);
  help.id = `rs-help-${Math.random().toString(36).slice(2)}`;
  if (target) target.setAttribute("aria-describedby", help.id);
  return help;
}

/**
 * Parts: title, words, legend (node or null), tools (nodes), picture (nodes), twin() building the table's node when
 * it is first asked for, shown(twinShown) called after one of the two was put on the page.
 */
function makeFrame({ title, words, legend, tools = [], picture, twin, shown }) {
  const card = make("div", "rs-card");
  const body = make("div", "rs-frame-body");
  let table = null;
  const put = () => {
    if (twinShown) table = table || twin();
    body.replaceChildren(...(twinShown ? [table] : picture));
    card.classList.toggle("rs-shows-twin", twinShown);
    button.setAttribute("aria-pressed", twinShown ? "true" : "false");
  };
  const button = makeTool("table", words.table, () => {
    twinShown = !twinShown;
    put();
    shown(twinShown);
  });
  const bar = make("div", "rs-tools");
  bar.append(...tools, button);
  const top = make("div", "rs-top");
  if (title) {
    const heading = make("h3", "rs-title");
    heading.append(makeToken(title, "rs-plain"));
    top.append(heading);
  }
  if (legend) top.append(legend);
  top.append(bar);
  const stale = make("p", "rs-stale-note", words.stale);
  stale.setAttribute("role", "status");
  put();
  card.append(top, stale, body);
  return card;
}
