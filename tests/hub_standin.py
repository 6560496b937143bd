"""A small hub on the loopback interface: enough of the real one's routes and headers to fetch a model from it.

GET  /api/models/REPO[/revision/REVISION]      the commit and the list of files
HEAD /REPO/resolve/REVISION/FILE               its commit, ETag and length
GET  /REPO/resolve/REVISION/FILE               its content, or a range of it
"""

import hashlib
import json
import re
import threading
import time
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

COMMIT = hashlib.sha1(b"the only commit").hexdigest()
_API = re.compile(r"/api/models/(?P<repo>[^/]+/[^/]+)(?:/revision/(?P<revision>.+))?")
_FILE = re.compile(r"/(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)")
# What a refusing hub answers, with the code that its client reads.
_REFUSALS = {"not found": (404, "RepoNotFound"), "gated": (403, "GatedRepo"), "private": (401, ""), "down": (503, "")}


@dataclass
class Hub:
    """A hub that serves one repository.

    mode: "normal"; "not found", "gated", "private" or "down", which refuse everything; "silent", which accepts a
    request and never answers; "login page", which answers everything with a page of HTML; "breaking off", which
    closes the connection halfway through the weights, and again at every attempt to go on; "cut short", which serves
    half of the weights as if that were all, under the length of the whole.
    requests: every request, as "METHOD path", in order.
    """

    repo: str
    files: Mapping[str, bytes]
    mode: str = "normal"
    requests: list[str] = field(default_factory=list)
    url: str = ""
    released: threading.Event = field(default_factory=threading.Event)  # lets silent requests go at the end


@contextmanager
def serve(repo: str, files: Mapping[str, bytes], mode: str = "normal"):
    """A running Hub, stopped on leaving."""
    hub = Hub(repo, files, mode)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.released.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            _answer(self, hub)

        do_HEAD = do_GET

        def log_message(self, *args) -> None:
            pass

    return Handler


def _answer(request: BaseHTTPRequestHandler, hub: Hub) -> None:
    path = unquote(urlsplit(request.path).path)
    hub.requests.append(f"{request.command} {path}")
    if hub.mode in _REFUSALS:
        status, code = _REFUSALS[hub.mode]
        return _send(request, status, b'{"error": "refused"}', {"X-Error-Code": code} if code else {})
    if hub.mode == "silent":
        hub.released.wait(60)
        request.close_connection = True
        return None
    if hub.mode == "login page":
        return _send(request, 200, b"<!doctype html><title>Welcome to the hotel</title>", {})
    api, file = _API.fullmatch(path), _FILE.fullmatch(path)
    asked = api or file
    if asked is None or asked["repo"] != hub.repo:
        return _send(request, 404, b"{}", {"X-Error-Code": "RepoNotFound"})
    if (asked["revision"] or "main") not in ("main", COMMIT):
        return _send(request, 404, b"{}", {"X-Error-Code": "RevisionNotFound"})
    if api:
        return _send(request, 200, _listing(hub), {})
    if file["file"] not in hub.files:
        return _send(request, 404, b"{}", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
    return _send_file(request, hub, file["file"])


def _listing(hub: Hub) -> bytes:
    files = [{"rfilename": name, "size": len(content)} for name, content in hub.files.items()]
    return json.dumps({"id": hub.repo, "sha": COMMIT, "private": False, "tags": [], "siblings": files}).encode()


def _send_file(request: BaseHTTPRequestHandler, hub: Hub, name: str) -> None:
    content = hub.files[name]
    headers = {"ETag": f'"{hashlib.sha1(content).hexdigest()}"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
    is_weights, half = name.endswith(".safetensors"), len(content) // 2
    if request.command == "GET" and is_weights and hub.mode == "cut short":
        return _send(request, 200, content[:half], headers)
    wanted = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
    start, status = (int(wanted[1]), 206) if wanted else (0, 200)
    if wanted:
        headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
    if is_weights and hub.mode == "breaking off":
        return _send(request, status, content[start:], headers, stop_after=max(0, half - start))
    return _send(request, status, content[start:], headers)


def _send(
    request: BaseHTTPRequestHandler, status: int, body: bytes, headers: Mapping[str, str], stop_after: int | None = None
) -> None:
    """Answer with a body; with `stop_after`, send only so many bytes of it and close the connection."""
    request.send_response(status)
    for name, value in {"Content-Type": "application/octet-stream", **headers}.items():
        request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    if request.command == "HEAD":
        return
    request.wfile.write(body[:stop_after])
    if stop_after is not None:
        request.wfile.flush()
        time.sleep(0.05)
        request.close_connection = True
