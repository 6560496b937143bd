// A button that puts a text on the clipboard.

/** `field` holds the text and can be selected; `words` are the button's before and after. */
function makeCopyButton(text, field, [copy, copied]) {
  const button = make("button", "rs-copy", copy);
  button.type = "button";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // where a page may not reach the clipboard, as inside a frame
      const range = document.createRange();
      range.selectNodeContents(field);
      if (field.select) field.select();
      else window.getSelection().removeAllRanges(), window.getSelection().addRange(range);
      document.execCommand("copy");
    }
    button.textContent = copied;
    setTimeout(() => { button.textContent = copy; }, 2000);
  });
  return button;
}
