// One popup, shared by all cells of a grid. It never takes the pointer, so it cannot flicker.

function makePopup() {
  const node = make("div", "rs-popup");
  node.setAttribute("role", "tooltip");
  node.id = `rs-popup-${Math.random().toString(36).slice(2)}`;
  let owner = null;
  const onScroll = () => hide();
  const onPress = (event) => {
    if (owner && !owner.closest("table").contains(event.target)) hide();
  };

  function hide() {
    if (!owner) return;
    owner.removeAttribute("aria-describedby");
    owner = null;
    node.classList.remove("rs-open");
    window.removeEventListener("scroll", onScroll, true);
    document.removeEventListener("pointerdown", onPress, true);
  }

  function showAt(cell, content) {
    if (owner === cell) return;
    hide();
    owner = cell;
    node.replaceChildren(...content);
    node.classList.add("rs-open");
    cell.setAttribute("aria-describedby", node.id);
    place(cell.getBoundingClientRect());
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
