"""Start `python app.py` as a newcomer would, fetch the page, call one endpoint; exit 0 if all of it works.

python tests/startup_check.py
"""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 120  # seconds for the page to answer, on a machine that may be busy


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_page(url: str, app: subprocess.Popen) -> str:
    """The page's HTML as soon as the app gives it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if app.poll() is not None:
            raise SystemExit(f"app.py ended with exit code {app.returncode} before its page answered")
        try:
            with urllib.request.urlopen(url, timeout=5) as response:
                return response.read().decode()
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit(f"no page after {PATIENCE} s")


def call_lens(url: str) -> dict:
    from gradio_client import Client

    client = Client(url, verbose=False)
    return client.predict(model="tiny", prompt="The capital of France is", api_name="/logit_lens")


def main() -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    began = time.monotonic()
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port)}
    app = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment)
    try:
        page = wait_for_page(url, app)
        print(f"page after {time.monotonic() - began:.1f} s, {len(page)} characters")
        assert "Residual Stream Explorer" in page, "the page does not name the app"
        result = call_lens(url)
        top = result["top_tokens"][-1][-1][0]
        print(f"/logit_lens after {time.monotonic() - began:.1f} s: the last row's first token is {top!r}")
        assert all(receipt["ok"] for receipt in result["receipts"]), result["receipts"]
    finally:
        app.terminate()
        app.wait(20)


if __name__ == "__main__":
    main()
