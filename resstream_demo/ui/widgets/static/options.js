// A listbox: options of which one is the tab stop, moved by arrow keys, chosen by click, Enter or Space.

/**
 * `step(key, at)` gives the option a key leads to (any number: it is brought into range) or undefined;
 * `choose(at)` selects; `moved(at)` is told of a move by key; `find(event)` gives the option of a click.
 */
function listenToOptions(list, options, { step, choose, moved, find }) {
  const indexOf = find || ((event) => options.findIndex((option) => option.contains(event.target)));
  list.addEventListener("click", (event) => {
    const at = indexOf(event);
    if (at < 0) return;
    roveTo(list, options[at], true);
    choose(at);
  });
  list.addEventListener("keydown", (event) => {
    const at = options.indexOf(event.target);
    if (at < 0 || event.altKey || event.metaKey || event.ctrlKey) return;
    const next = step(event.key, at);
    if (next !== undefined) {
      const to = Math.max(0, Math.min(options.length - 1, next));
      roveTo(list, options[to], true);
      if (moved) moved(to);
    } else if (event.key === "Enter" || event.key === " ") {
      choose(at);
    } else {
      return;
    }
    event.preventDefault();
  });
}

/** Where the usual keys lead in a list of `count` that runs forwards (1) or backwards (-1) along the page. */
function stepInLine(key, at, count, way = 1) {
  const moves = {
    ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + way, ArrowUp: at - way,
    PageDown: at + 5 * way, PageUp: at - 5 * way,
    Home: way > 0 ? 0 : count - 1, End: way > 0 ? count - 1 : 0,
  };
  return moves[key];
}

function markOption(options, selected) {
  options.forEach((option, at) => {
    option.classList.toggle("rs-selected", at === selected);
    option.setAttribute("aria-selected", at === selected ? "true" : "false");
  });
}

/** A new option; the first is the tab stop until another is. name: if it should not be the text inside. */
function asOption(node, at, name) {
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", "false");
  if (name) node.setAttribute("aria-label", name);
  node.setAttribute("tabindex", at === 0 ? "0" : "-1");
  return node;
}
