"""Pages about files of the repository, and a browser to look at them."""

import json
import os
import pathlib
import subprocess

import pytest

import chromium

ROOT = pathlib.Path(__file__).parents[4]
DATA = ROOT / "crates/trevni-cli/tests/data"
# What a script of the data would do.
CANARY = "window.canary=1"
HOSTILE = [
    f"<script>{CANARY}</script>", f"<img src=x onerror='{CANARY}'>", f'"><svg onload="{CANARY}">', f"</style><script>{CANARY}</script>",
    f"--><script>{CANARY}</script>", f"javascript:{CANARY}", f"'onfocus='{CANARY}' autofocus='", "\u202e\u2066reversed", "\x00\x07\x1b[31m",
    "&lt;b&gt;", "`${window.canary=1}`", "]]><script>", "{{constructor}}", "url(http://127.0.0.1:9/x)",
]


def trevni(folder, *args):
    program = os.environ.get("TREVNI", ROOT / "target/debug/trevni")
    subprocess.run([program, "--quiet", *args], cwd=folder, check=True, stdin=subprocess.DEVNULL)


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """The folder of the pages."""
    folder = tmp_path_factory.mktemp("pages")
    write_rows(folder / "hostile.jsonl", [{text: text, "n": n, "in": {text: {"list": [text]}}}
                                          for n, text in enumerate(HOSTILE * 3)])
    write_rows(folder / "wide.jsonl", [{f"column_{n}": n * row for n in range(3_000)} for row in range(20)])
    write_rows(folder / "long.jsonl", [{"a" * 400: "b" * 3000, "a" * 300 + "x": {"c" * 500: ["d" * 500]}}] * 2)
    write_rows(folder / "empty.jsonl", [{}])
    inputs = {"flights": DATA / "flights.csv", "movies": DATA / "movies.jsonl", "bcd": DATA / "bcd.jsonl"}
    inputs |= {name: folder / f"{name}.jsonl" for name in ["hostile", "wide", "long", "empty"]}
    for name, path in inputs.items():
        trevni(folder, "convert", path, "--null", "NA", "--map-keys", "10000", "-o", f"{name}.trv")
        trevni(folder, "report", f"{name}.trv")
    return folder


@pytest.fixture(scope="session")
def browser():
    if not chromium.installed():
        pytest.skip("there is no Chromium: apt-get install chromium")
    browser = chromium.Chromium()
    yield browser
    browser.close()
