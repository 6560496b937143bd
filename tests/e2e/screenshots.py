"""Take the pictures of the page that README shows: `python -m tests.e2e.screenshots [folder]`.

Every tab wide, on a phone, in the dark and in Chinese, on the example that the page opens with. Needs Chromium and
Playwright, as the browser tests do.
"""

import io
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets" / "screenshots"
FLAGS = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync".split()
TABS = ("lens", "attribution", "patching", "ablation")
#: Name → window width, what to ask the page for, the browser's language.
VIEWS = {
    "wide": (1400, "", "en-US"),
    "phone": (390, "", "en-US"),
    "dark": (1400, "&__theme=dark", "en-US"),
    "chinese": (1400, "", "zh-CN"),
}
TALLEST = 2600  # pixels; a phone's page is longer than anybody wants to see here
COLOURS = 200  # per picture: the page has few, and the file becomes a third as large


def take(browser: Browser, address: str, tab: str, view: str) -> bytes:
    """One picture of a tab as a PNG of few colours."""
    width, asked, locale = VIEWS[view]
    context = browser.new_context(viewport={"width": width, "height": 1000}, locale=locale)
    page = context.new_page()
    page.goto(f"{address}?tab={tab}{asked}")
    page.locator(f"#{tab}-grid td.rs-cell").first.wait_for(timeout=60_000)
    page.wait_for_timeout(3_000)  # what follows a run has its say
    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(500)
    shot = page.screenshot()
    context.close()
    packed = io.BytesIO()
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def main(folder: Path) -> None:
    """Start the app, take all pictures into the folder, stop the app."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    app = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env={**os.environ, "GRADIO_SERVER_PORT": str(port)})
    try:
        _wait(address, app)
        folder.mkdir(parents=True, exist_ok=True)
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
            for view in VIEWS:
                for tab in TABS:
                    (folder / f"{tab}-{view}.png").write_bytes(take(browser, address, tab, view))
                    print(f"{tab}-{view}.png")
            browser.close()
    finally:
        app.terminate()
        app.wait(20)


def _wait(address: str, app: subprocess.Popen) -> None:
    for _ in range(600):
        if app.poll() is not None:
            raise SystemExit(f"app.py ended with exit code {app.returncode} before its page answered.")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("app.py did not answer within two minutes.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
