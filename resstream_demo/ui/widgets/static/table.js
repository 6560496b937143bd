// Tables of text and numbers, and rows that can be chosen.

/** A table with a caption and column heads, in a box that scrolls sideways. kinds: "text", "token", others are numbers. */
function tableShell(caption, columns) {
  const table = make("table", "rs-facts-table");
  if (caption) table.append(make("caption", "", caption));
  const head = make("tr");
  for (const { name, kind } of columns) {
    const cell = make("th", kind === "text" || kind === "token" ? "" : "rs-num");
    cell.append(makeToken(name, "rs-plain"));
    cell.setAttribute("scope", "col");
    head.append(cell);
  }
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  table.append(top, body);
  const box = make("div", "rs-table-box");
  box.append(table);
  return { box, table, body };
}

/** Let a row be chosen by a click, Enter or Space. */
function choosableRow(row, choose) {
  row.classList.add("rs-clickable");
  row.setAttribute("tabindex", "0");
  row.addEventListener("click", choose);
  row.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  });
}

/**
 * The table twin of a chart. label: its name for screen readers; caption: printed over it. `rows` are arrays of text,
 * the first of each its head; `choose(n)` gives the function that selects row n, or null.
 */
function twinTable({ label, caption, columns, rows, choose }) {
  const { box, table, body } = tableShell(caption, columns);
  if (label) table.setAttribute("aria-label", label);
  box.classList.add("rs-twin-box");
  rows.forEach((texts, n) => {
    const row = make("tr");
    texts.forEach((text, c) => {
      const cell = make(c ? "td" : "th", columns[c].kind === "number" ? "rs-num" : "");
      if (!c) cell.setAttribute("scope", "row");
      cell.append(makeToken(text, columns[c].kind === "token" ? "" : "rs-plain"));
      row.append(cell);
    });
    if (choose(n)) choosableRow(row, choose(n));
    body.append(row);
  });
  return { box, table, rows: [...body.rows] };
}

/** Emphasise the rows that `isMarked(n)` names. */
function markRows(rows, isMarked) {
  rows.forEach((row, n) => {
    const marked = isMarked(n);
    row.classList.toggle("rs-marked", marked);
    if (marked) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  });
}
