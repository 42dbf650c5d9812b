"""The viewer and files on a local server, and a browser to look at them."""

import http.server
import os
import pathlib
import re
import sys
import threading

import pytest

ROOT = pathlib.Path(__file__).parents[4]
sys.path.insert(0, str(ROOT / "crates/trevni-cli/tests/browser"))
import chromium  # noqa: E402

BUILT = pathlib.Path(os.environ.get("TREVNI_WASM", ROOT / "target/wasm"))
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm"}


class Server(http.server.ThreadingHTTPServer):
    """Serves the viewer and the files, and counts what is asked for of the latter."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests, self.bytes, self.lock = 0, 0, threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def counted(self):
        with self.lock:
            return self.requests, self.bytes


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = (BUILT / self.path.split("?")[0].lstrip("/")).resolve()
        if not path.is_relative_to(BUILT.resolve()) or not path.is_file():
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        size, asked = path.stat().st_size, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        start, end = (int(asked[1]), min(int(asked[2]) + 1, size)) if asked else (0, size)
        with path.open("rb") as file:
            file.seek(start)
            body = file.read(end - start)
        if path.suffix == ".trv":
            with self.server.lock:
                self.server.requests += 1
                self.server.bytes += len(body)
        self.send_response(206 if asked else 200)
        self.send_header("Content-Type", TYPES.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(len(body)))
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def server():
    return Server()


@pytest.fixture(scope="session")
def browser():
    if not chromium.installed():
        pytest.skip("there is no Chromium: apt-get install chromium")
    browser = chromium.Chromium()
    yield browser
    browser.close()
