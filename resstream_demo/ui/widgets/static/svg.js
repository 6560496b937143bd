// Pieces of SVG pictures, built node by node.

const SVG = "http://www.w3.org/2000/svg"; // the name of the namespace, not an address that is asked for

function makeSvg(tag, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// Outlines around (0, 0) that reach about r from it.
const OUTLINES = {
  circle: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  square: (r) => `M${-0.88 * r} ${-0.88 * r}h${1.76 * r}v${1.76 * r}h${-1.76 * r}z`,
  diamond: (r) => `M0 ${-1.25 * r}L${1.25 * r} 0L0 ${1.25 * r}L${-1.25 * r} 0z`,
  up: (r) => `M0 ${-1.15 * r}L${1.15 * r} ${0.9 * r}H${-1.15 * r}z`,
  down: (r) => `M0 ${1.15 * r}L${1.15 * r} ${-0.9 * r}H${-1.15 * r}z`,
  ring: (r) => `${OUTLINES.circle(r)}M${-0.5 * r} 0a${0.5 * r} ${0.5 * r} 0 1 1 ${r} 0a${0.5 * r} ${0.5 * r} 0 1 1 ${-r} 0z`,
};

function makeMarker(shape, x, y, r, attributes = {}) {
  return makeSvg("path", { d: OUTLINES[shape](r), transform: `translate(${x} ${y})`, ...attributes });
}

/** A line through [x, y] points; a null leaves a gap. */
function linePath(points) {
  let drawing = false;
  let path = "";
  for (const point of points) {
    if (point) path += `${drawing ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}`;
    drawing = Boolean(point);
  }
  return path;
}

/** Call `render(width)` whenever `box` gets another width, the first time as soon as it has one. */
function onWidth(box, render) {
  let last = 0;
  const measure = () => {
    const width = Math.floor(box.clientWidth);
    if (width <= 0 || Math.abs(width - last) < 2) return;
    last = width;
    render(width);
  };
  measure(); // at once where it is on the page already, so that nothing flickers
  new ResizeObserver(measure).observe(box);
}
