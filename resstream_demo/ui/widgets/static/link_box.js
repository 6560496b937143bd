// An address and a button that copies it. The address bar follows, so that a bookmark keeps the state too.

function draw(data) {
  if (!data) return;
  const own = window.location.origin + window.location.pathname;
  const text = (data.page || own) + (data.query ? `?${data.query}` : "");
  const box = make("div", "rs-link");
  const field = make("input", "rs-link-field");
  field.type = "text";
  field.readOnly = true;
  field.value = text;
  field.setAttribute("aria-label", data.caption);
  field.addEventListener("focus", () => field.select());
  box.append(field, makeCopyButton(text, field, data.copyWords));
  root.append(box, make("p", "rs-muted rs-link-caption", data.caption));
  if (!data.page) window.history.replaceState(window.history.state, "", text);
}

mount(draw);
