// A line between two numbers, and a third on it. The names under the line stand in the order of the marks.

const percent = (share) => `${(100 * share).toFixed(2)}%`;

function makeTrack(data) {
  const track = make("div", "rs-ruler-track");
  track.setAttribute("aria-hidden", "true");
  const placed = data.marks.filter((mark) => mark.at !== null);
  const find = (kind) => placed.find((mark) => mark.kind === kind);
  const [start, end, moved, origin] = ["start", "end", "moved", data.origin].map(find);
  track.append(make("span", "rs-ruler-line"));
  const stretch = (from, to, kind) => {
    const line = make("span", kind);
    line.style.left = percent(Math.min(from.at, to.at));
    line.style.width = percent(Math.abs(to.at - from.at));
    track.append(line);
  };
  if (start && end) stretch(start, end, "rs-ruler-line rs-ruler-scale");
  if (moved && origin) stretch(origin, moved, "rs-ruler-line rs-ruler-way");
  for (const mark of placed) {
    const dot = make("span", `rs-ruler-mark rs-ruler-${mark.kind}`);
    dot.style.left = percent(mark.at);
    track.append(dot);
  }
  return track;
}

function makeName(mark) {
  const name = make("span", "rs-ruler-name");
  const dot = make("span", `rs-ruler-mark rs-ruler-${mark.kind}`);
  dot.setAttribute("aria-hidden", "true");
  name.append(dot, makeToken(mark.name, "rs-plain"), make("b", "", mark.shown));
  return name;
}

function draw(data) {
  if (!data) return;
  const box = make("div", "rs-ruler");
  const title = make("p", "rs-ruler-title");
  title.append(makeToken(data.title, "rs-plain"));
  box.append(title);
  if (data.marks.some((mark) => mark.at !== null)) box.append(makeTrack(data));
  const names = make("div", "rs-ruler-names");
  names.append(...data.marks.map(makeName));
  box.append(names);
  for (const line of data.lines) {
    const sentence = make("p", "rs-muted rs-ruler-note");
    sentence.append(makeToken(line, "rs-plain"));
    box.append(sentence);
  }
  root.append(box);
}

mount(draw);
