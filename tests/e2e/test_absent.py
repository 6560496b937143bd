"""Without a browser these tests are skipped on a desk, and fail where nobody would notice."""

import sys

import pytest

from . import conftest


@pytest.fixture(params=["chromium", "playwright"])
def start(request, monkeypatch):
    """A start of the browser on a machine on which one of the two is missing."""
    if request.param == "chromium":
        monkeypatch.setenv("PATH", "")
        return lambda: conftest.chromium_path("/no/such/chromium")
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setattr(conftest, "chromium_path", lambda: "/usr/bin/chromium")
    return lambda: next(conftest.browser.__wrapped__())


@pytest.mark.parametrize(("ci", "outcome"), [("", "Skipped"), ("true", "Failed")])
def test_a_missing_browser_is_skipped_or_fails(start, monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    with pytest.raises((pytest.skip.Exception, pytest.fail.Exception), match="There is no") as caught:
        start()
    assert caught.type.__name__ == outcome
