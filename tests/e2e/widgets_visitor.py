"""Somebody who looks at the page of `widgets_page`."""

import json

import pytest

PICTURES = ("lens", "heads", "curves", "waterfall", "scatter")
PATIENCE = 60_000  # ms, on a machine that may be busy


class Seen:
    """The page as somebody sees it, and everything on it that should not happen."""

    def __init__(self, page):
        self.page, self.trouble, self.heard = page, [], dict.fromkeys(PICTURES, 0)
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda m: self.trouble.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: self.trouble.append(f"exception: {e}"))
        page.on("dialog", lambda d: (self.trouble.append(f"dialog: {d.message}"), d.dismiss()))

    def told(self, name: str) -> tuple:
        """Index and value of the next event of a picture, as Python got it."""
        self.heard[name] += 1
        wanted = self.heard[name]
        self.page.wait_for_function(
            "([id, n]) => { const t = document.querySelector(id).value; return t && JSON.parse(t).n >= n; }",
            arg=[f"#{name}-log textarea", wanted],
        )
        got = json.loads(self.page.locator(f"#{name}-log textarea").input_value())
        assert got["n"] == wanted, "one act, one event"
        return got["index"], got["value"]

    def press(self, name: str) -> None:
        self.page.locator(f"#{name}").click()

    def part(self, name: str, selector: str):
        return self.page.locator(f"#{name} {selector}")

    def cell(self, name: str, row: int, column: int):
        return self.part(name, f'tr[data-row="{row}"] > td').nth(column)

    def button(self, name: str, words: str):
        return self.page.locator(f"#{name}").get_by_role("button", name=words, exact=True)

    def cells_of(self, name: str, selector: str) -> list:
        """[row, column] of the cells that match, in order of rows."""
        places = self.part(name, f"tr[data-row] > td{selector}").evaluate_all(
            "cells => cells.map((cell) => [Number(cell.parentNode.dataset.row), cell.cellIndex - 1])"
        )
        return sorted(places)

    def hover_until(self, x: float, y: float, selector: str, words: str) -> None:
        """Keep the pointer about a place until a popup opens: what still scrolls closes it again."""
        for n in range(100):
            self.page.mouse.move(x + n % 2, y)
            popup = self.page.locator(selector)
            if popup.count() and popup.inner_text().startswith(words):
                return
            self.page.wait_for_timeout(100)
        pytest.fail(f"nothing opened that begins with {words!r}")

    def wait_marked(self, name: str, selector: str) -> None:
        self.part(name, selector).first.wait_for(state="attached")
