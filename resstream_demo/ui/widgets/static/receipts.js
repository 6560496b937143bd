// Receipts: a line of verdicts, opening to the numbers behind them.

function makePill(receipt, words) {
  const pill = make("span", "rs-receipt " + (receipt.ok ? "rs-ok" : "rs-fail"));
  pill.append(
    make("span", "rs-tick", receipt.ok ? "✓" : "✗"),
    make("span", "", receipt.name),
    make("span", "rs-figure", receipt.value),
  );
  if (!receipt.ok) pill.append(make("strong", "", words.bad));
  return pill;
}

function makeExplanation(receipt, words) {
  const item = make("li", receipt.ok ? "rs-ok" : "rs-fail");
  item.append(
    make("span", "rs-tick", receipt.ok ? "✓" : "✗"),
    make("span", "rs-receipt-name", receipt.name),
    make("span", "rs-figure", `${receipt.value} (${words.limit} ${receipt.tolerance})`),
  );
  if (receipt.detail) item.append(make("span", "rs-muted rs-receipt-detail", receipt.detail));
  return item;
}

function draw(data) {
  if (!data) return;
  const failed = data.receipts.some((receipt) => !receipt.ok);
  const box = make("details", "rs-receipts-box" + (failed ? " rs-any-fail" : ""));
  box.open = failed;
  const line = make("summary");
  line.append(...data.receipts.map((receipt) => makePill(receipt, data.words)));
  const list = make("ul");
  list.append(...data.receipts.map((receipt) => makeExplanation(receipt, data.words)));
  if (failed) list.setAttribute("role", "alert");
  box.append(line, list);
  root.append(box);
}

mount(draw);
