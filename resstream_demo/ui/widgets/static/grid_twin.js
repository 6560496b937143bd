// The same numbers as a plain table: rows in the order of the picture, every column and row with its head.

function twinCell(r, c) {
  const cell = make("td", data.values[r][c] === null ? "rs-twin-none" : "");
  const text = textAt(r, c);
  if (!text) {
    cell.textContent = data.values[r][c] === null ? reasonAt(r, c) : data.shown[r][c];
    return cell;
  }
  cell.append(makeToken(text), " ", make("span", "rs-twin-number", data.shown[r][c]));
  return cell;
}

function twinHead() {
  const row = make("tr");
  row.append(make("td")); // the corner heads nothing
  data.columns.forEach((label, c) => {
    const head = make("th");
    head.setAttribute("scope", "col");
    if (data.numbers) head.append(make("span", "rs-number", `${data.numbers[c]} `));
    head.append(makeToken(label));
    if (data.columnMarks && data.columnMarks[c]) head.append(make("span", "", ` ${data.columnMarks[c]}`));
    row.append(head);
  });
  const section = make("thead");
  section.append(row);
  return section;
}

function makeTwin() {
  const table = make("table", "rs-twin-grid" + (data.multi ? " rs-multi" : ""));
  const words = [data.scale.label, data.rowTitle && `↑ ${data.rowTitle}`, data.columnTitle && `${data.columnTitle} →`];
  const { body, cells } = makeRows(makeRowHead, twinCell);
  table.append(twinHead(), body);
  const title = make("p", "rs-axis-title", words.filter(Boolean).join(" · ")); // outside, so as not to scroll away
  table.setAttribute("aria-label", [data.title, title.textContent].filter(Boolean).join(": "));
  const scroller = make("div", "rs-twin-box");
  scroller.append(table);
  const box = make("div");
  box.append(title, scroller);
  return { box, table, cells };
}
