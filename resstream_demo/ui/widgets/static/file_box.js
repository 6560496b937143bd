// Reads a text file in the browser and hands its text to Python.

async function read(file, most) {
  if (file.size > most) return { fault: "size", bytes: file.size };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return { fault: "encoding" };
  }
}

function draw(data) {
  if (!data) return;
  const box = make("label", "rs-file");
  const field = make("input", "rs-file-field");
  field.type = "file";
  field.accept = data.accept;
  field.dataset.keep = "file";
  const take = async (file) => {
    if (file) emitSelect(file.name, await read(file, data.most), {});
    field.value = ""; // the same file can be chosen again after it was changed
  };
  field.addEventListener("change", () => take(field.files[0]));
  const hint = make("span", "rs-muted", data.hint);
  const over = (now) => {
    box.classList.toggle("rs-file-over", now);
    hint.textContent = now ? data.drop : data.hint;
  };
  box.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  box.addEventListener("dragleave", () => over(false));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    take(event.dataTransfer.files[0]);
  });
  box.append(field, make("span", "rs-file-button", data.label), hint);
  root.append(box);
}

mount(draw);
