// Message boxes. Errors interrupt a screen reader, other kinds wait for it.

const ICONS = { ok: "✓", info: "i", warning: "!", error: "✗" };

function makeNotice(notice) {
  const box = make("div", `rs-notice rs-notice-${notice.kind}`);
  box.setAttribute("role", notice.kind === "error" ? "alert" : "status");
  const icon = make("span", "rs-icon", ICONS[notice.kind]);
  icon.setAttribute("aria-hidden", "true");
  const text = make("div", "rs-notice-text");
  const title = make("p", "rs-notice-title");
  title.append(make("span", "rs-sr", `${notice.kindWord}: `), makeToken(notice.title, "rs-plain"));
  text.append(title);
  for (const line of notice.lines) {
    const paragraph = make("p");
    paragraph.append(makeToken(line, "rs-plain"));
    text.append(paragraph);
  }
  if (notice.part) {
    const part = make("p", "rs-part");
    part.append(makeToken(notice.part));
    text.append(part);
  }
  box.append(icon, text);
  return box;
}

function draw(data) {
  if (data) root.append(...data.notices.map(makeNotice));
}

mount(draw);
