// One popup for all parts of a picture. It never takes the pointer, so it cannot flicker.

/** A line of a popup: a sentence, or a token and its number; a `kind` of "rs-plain" for a name that is no token. */
function popupLine(item, kind) {
  if (typeof item === "string") return make("div", "rs-popup-line", item);
  const line = make("div", "rs-popup-line rs-pair");
  line.append(makeToken(item[0], kind), make("span", "", item[1]));
  return line;
}

function makePopup() {
  const node = make("div", "rs-popup");
  node.setAttribute("role", "tooltip");
  node.id = `rs-popup-${Math.random().toString(36).slice(2)}`;
  let owner = null;
  let within = null; // a press inside this leaves the popup open
  const onScroll = () => hide();
  const onPress = (event) => {
    if (owner && !within.contains(event.target)) hide();
  };

  function hide() {
    if (!owner) return;
    owner.removeAttribute("aria-describedby");
    owner = null;
    node.classList.remove("rs-open");
    window.removeEventListener("scroll", onScroll, true);
    document.removeEventListener("pointerdown", onPress, true);
  }

  /** Show `content()` for a part of a picture, beside `at`. */
  function showAt(part, picture, content, at = part) {
    if (owner === part) return;
    hide();
    owner = part;
    within = picture;
    node.replaceChildren(...content());
    node.classList.add("rs-open");
    part.setAttribute("aria-describedby", node.id);
    place(at.getBoundingClientRect());
    window.addEventListener("scroll", onScroll, { capture: true, passive: true });
    document.addEventListener("pointerdown", onPress, true);
  }

  function place(box) {
    const { offsetWidth: width, offsetHeight: height } = node;
    const above = box.top - height - 8;
    const left = box.left + box.width / 2 - width / 2;
    node.style.top = `${above > 4 ? above : box.bottom + 8}px`;
    node.style.left = `${Math.max(6, Math.min(left, document.documentElement.clientWidth - width - 6))}px`;
  }

  return { node, hide, showAt };
}
