// Facts and small tables about the selected element.

function makeFacts(facts) {
  const list = make("dl", "rs-facts");
  for (const [name, value] of facts) {
    const text = make("dd");
    text.append(makeToken(value, "rs-plain"));
    list.append(make("dt", "", name), text);
  }
  return list;
}

function makeBar(share, signed) {
  const track = make("span", "rs-track" + (signed ? " rs-signed" : ""));
  if (share !== null && share !== 0) {
    const fill = make("span", "rs-fill " + (share < 0 ? "rs-minus" : "rs-plus"));
    const width = Math.abs(share) * (signed ? 50 : 100);
    fill.style.width = `${width}%`;
    if (signed) fill.style.left = share < 0 ? `${50 - width}%` : "50%";
    track.append(fill);
  }
  return track;
}

function makeCell(value, kind) {
  const numeric = Array.isArray(value);
  const cell = make("td", numeric ? "rs-num" : "");
  if (!numeric) {
    cell.append(makeToken(value, kind === "token" ? "" : "rs-plain"));
    return cell;
  }
  if (kind === "number") {
    cell.textContent = value[0];
    return cell;
  }
  const pair = make("div", "rs-bar-cell");
  pair.append(makeBar(value[1], kind === "signed"), make("span", "rs-bar-text", value[0]));
  cell.append(pair);
  return cell;
}

function makeRow(table, index, place) {
  const row = make("tr");
  row.append(...table.rows[index].map((value, i) => makeCell(value, table.columns[i].kind)));
  if (table.marked.includes(index)) row.classList.add("rs-marked");
  if (table.clickable) choosableRow(row, () => emitSelect([place, index], row.cells[0].textContent));
  return row;
}

function makeTable(table, place) {
  const { box, body } = tableShell(table.caption, table.columns);
  body.append(...table.rows.map((_, index) => makeRow(table, index, place)));
  return box;
}

const announce = makeAnnouncer();

function draw(data) {
  announce(data ? [data.title, data.subtitle].filter(Boolean).join(". ") : "");
  if (!data) return;
  const card = make("section", "rs-card");
  const head = make("div", "rs-detail-head");
  const title = make("h3", "rs-title");
  title.append(makeToken(data.title, "rs-plain"));
  head.append(title);
  if (data.subtitle) head.append(make("p", "rs-muted", data.subtitle));
  card.append(head);
  if (data.facts.length) card.append(makeFacts(data.facts));
  card.append(...data.tables.map(makeTable));
  for (const note of data.notes) card.append(make("p", "rs-note", note));
  root.append(card);
}

mount(draw, { minWidth: 260 });
