"""The real application in a process of its own, and a real browser looking at it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[2]
START = 120  # seconds the application may take to answer, on a machine that may be busy
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="session")
def url():
    """Address of an application started as a newcomer starts it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    app = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env={**os.environ, "GRADIO_SERVER_PORT": str(port)})
    try:
        _wait(address, app)
        yield address
    finally:
        app.terminate()
        app.wait(20)


def _wait(address: str, app: subprocess.Popen) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline:
        if app.poll() is not None:
            pytest.fail(f"app.py ended with exit code {app.returncode} before its page answered")
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"app.py did not answer within {START} s")


def absent(what: str) -> NoReturn:
    """Skip what needs it; where the variable CI is set, fail, for there nobody reads what was skipped."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(f"There is no {what}, so nothing was tried in a browser.")


def chromium_path(usual: str = "/usr/bin/chromium") -> str:
    """Where Chromium is on this machine."""
    path = next((p for p in (usual, shutil.which("chromium")) if p and Path(p).exists()), None)
    return path or absent(f"chromium at {usual} or on the PATH")


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven by Playwright."""
    path = chromium_path()
    try:
        from playwright import sync_api as playwright
    except ImportError:
        absent("playwright")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@dataclass
class Visit:
    """A page that somebody has just opened, and everything on it that should not happen."""

    page: object
    trouble: list[str] = field(default_factory=list)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def run(self) -> None:
        self.page.locator("#run").click()
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is being computed."""
        self.page.wait_for_timeout(150)
        self.page.locator("#stop").wait_for(state="hidden")
        self.page.locator("#run").wait_for(state="visible")

    def example(self, title: str) -> None:
        self.page.get_by_role("option", name=title).first.click()
        self.settle()

    def cells(self, key: str):
        return self.page.locator(f"#{key}-grid td.rs-cell")

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


@pytest.fixture
def visit(browser, url):
    """A function that opens the page in a browser context of its own. What goes wrong in it fails the test."""
    contexts, visits = [], []

    def open_page(width: int = 1400, height: int = 1000, query: str = "", locale: str = "en-US") -> Visit:
        context = browser.new_context(viewport={"width": width, "height": height}, accept_downloads=True, locale=locale)
        contexts.append(context)
        seen = Visit(context.new_page())
        visits.append(seen)
        seen.page.set_default_timeout(20_000)
        seen.page.on("console", lambda m: seen.trouble.append(f"console: {m.text}") if m.type == "error" else None)
        seen.page.on("pageerror", lambda e: seen.trouble.append(f"exception: {e}"))
        seen.page.on("dialog", lambda d: (seen.trouble.append(f"dialog: {d.message}"), d.dismiss()))
        local = (url, "data:", "blob:")
        seen.page.on("request", lambda r: None if r.url.startswith(local) else seen.trouble.append(f"asks {r.url}"))
        seen.page.goto(url + query)
        seen.page.wait_for_selector("td.rs-cell:visible")
        return seen

    yield open_page
    for context in contexts:
        context.close()
    assert [trouble for seen in visits for trouble in seen.trouble] == []
