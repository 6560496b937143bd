// A program to read and copy.

function draw(data) {
  if (!data) return;
  const card = make("section", "rs-card rs-code-card");
  const top = make("div", "rs-code-top");
  const code = make("pre", "rs-code");
  code.setAttribute("tabindex", "0");
  code.setAttribute("aria-label", data.caption);
  code.textContent = data.code;
  top.append(make("p", "rs-muted", data.caption), makeCopyButton(data.code, code, data.copyWords));
  card.append(top, code);
  root.append(card);
}

mount(draw);
