"""What a browser makes of the viewer."""

import csv
import io
import os
import pathlib
import time

import pytest

import chromium
from conftest import BUILT
from test_pages import CONTRAST

FILES = BUILT / "files"
ROWS = 336_776
# The most that opening the large file and its first screen may take.
FIRST_REQUESTS, FIRST_BYTES = 20, 600_000


def flight(number):
    """As tests/files.mjs makes it."""
    mixed = number * 7919 % 1009
    return {"id": number, "carrier": ["AA", "B6", "DL", "UA", "WN"][mixed % 5], "dep_delay": None if mixed % 40 == 0 else mixed % 200 - 20,
            "note": f"flight {number} of {mixed}"}


def wait(browser, script, wanted=True):
    """Waits until a script comes to a value."""
    end = time.monotonic() + chromium.PATIENCE
    while (got := browser.value(script)) != wanted:
        assert time.monotonic() < end, f"{script}: {got}, wanted {wanted}; {browser.value('document.body.innerText')}"
        time.sleep(0.02)


def visit(browser, server, address="", width=1280, height=900, scheme="light", phone=False):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
    browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])
    # Another fragment alone is no other page.
    browser.events.clear()
    browser.call("Page.navigate", url="about:blank")
    browser.wait_for("Page.loadEventFired")
    browser.events.clear()
    browser.call("Page.navigate", url=f"{server.url}viewer/index.html{address}")
    browser.wait_for("Page.loadEventFired")


SETTLED = """document.body.dataset.state === 'open' && document.querySelectorAll('.wait').length === 0 &&
    document.querySelectorAll('#cells tr').length > 0"""


def pick(browser, path):
    """Gives a file to the page."""
    element = browser.call("Runtime.evaluate", expression="document.getElementById('pick')")["result"]["objectId"]
    browser.call("DOM.setFileInputFiles", files=[str(path)], objectId=element)


def opened(browser, server, name, **options):
    """The viewer with a file of the server."""
    visit(browser, server, f"#{server.url}files/{name}", **options)
    wait(browser, SETTLED)


def cells(browser):
    """The rows that are seen: their numbers, and their cells by name."""
    names = browser.value("Array.from(document.querySelectorAll('#grid thead [data-path]'), (one) => one.dataset.path)")
    rows = browser.value("Array.from(document.querySelectorAll('#cells tr'), (row) => Array.from(row.cells, (one) => one.textContent))")
    return [(int(row[0].replace(",", "")), dict(zip(names, row[1:]))) for row in rows]


def check_rows(browser, first):
    rows = cells(browser)
    assert len(rows) > 10 and [number for number, _ in rows] == list(range(first, first + len(rows)))
    for number, row in rows:
        expected = flight(number)
        assert row["id"] == str(number) and row["note"] == expected["note"] and row["carrier"] == expected["carrier"]
        assert row["dep_delay"] == ("null" if expected["dep_delay"] is None else str(expected["dep_delay"]))


def go(browser, row):
    browser.value(f"(() => {{ const box = document.getElementById('goto'); box.focus(); box.value = '{row}'; }})()")
    browser.press("Enter")


def type_filter(browser, text):
    browser.value("(() => { const box = document.getElementById('filter'); box.focus(); box.select(); })()")
    browser.write(text) if text else browser.value(
        "(() => { const box = document.getElementById('filter'); box.value = ''; box.dispatchEvent(new Event('input')); })()")
    browser.press("Enter")


def traffic(browser):
    return browser.value("[Number(traffic.dataset.requests), Number(traffic.dataset.bytes)]")


def test_a_local_file_scrolls_to_any_row(browser, server):
    visit(browser, server)
    before = server.counted()
    pick(browser, FILES / "flights.trv")
    wait(browser, SETTLED)
    assert browser.value("document.getElementById('name').textContent") == "flights.trv"
    check_rows(browser, 0)
    first = traffic(browser)
    go(browser, "300,000")
    wait(browser, "document.querySelector('#cells th').textContent", "300,000")
    wait(browser, SETTLED)
    check_rows(browser, 300_000)
    after = traffic(browser)
    print("local:", first, after)
    assert first[1] <= FIRST_BYTES and after[1] <= 2 * FIRST_BYTES
    # By the scroll bar, too.
    browser.value("grid.scrollTop = grid.scrollHeight")
    wait(browser, f"document.querySelector('#cells tr:last-child th').textContent === '{ROWS - 1:,}' && {SETTLED}")
    browser.value("grid.scrollTop = 0")
    wait(browser, f"document.querySelector('#cells th').textContent === '0' && {SETTLED}")
    check_rows(browser, 0)
    # Nothing has left the machine, and nothing has come.
    assert server.counted() == before and browser.complaints() == []
    assert {url.split("/viewer/")[0] for url in browser.requests()} == {server.url.rstrip("/")}


def test_a_url_is_read_as_it_is_looked_at(browser, server):
    visit(browser, server)
    before = server.counted()
    browser.value("document.getElementById('url').focus()")
    browser.write(f"{server.url}files/flights.trv")
    browser.press("Enter")
    wait(browser, SETTLED)
    check_rows(browser, 0)
    first = [after - start for after, start in zip(server.counted(), before)]
    go(browser, "300000")
    wait(browser, "document.querySelector('#cells th').textContent", "300,000")
    wait(browser, SETTLED)
    check_rows(browser, 300_000)
    second = [after - start for after, start in zip(server.counted(), before)]
    print("url:", first, second, "of", (FILES / "flights.trv").stat().st_size)
    assert first[0] <= FIRST_REQUESTS and first[1] <= FIRST_BYTES
    assert second[0] <= 2 * FIRST_REQUESTS and second[1] <= 2 * FIRST_BYTES
    assert traffic(browser) == second
    assert browser.complaints() == []


def test_the_viewer_is_one_file_too(browser, server):
    browser.open(BUILT / "viewer.html")
    pick(browser, FILES / "flights.trv")
    wait(browser, SETTLED)
    go(browser, 300_000)
    wait(browser, f"document.querySelector('#cells th').textContent === '300,000' && {SETTLED}")
    check_rows(browser, 300_000)
    assert browser.complaints() == []
    assert {url.split(":")[0] for url in browser.requests()} <= {"file", "blob", "data"}


def test_filters_are_typed(browser, server):
    opened(browser, server, "flights.trv")
    wanted = [number for number in range(ROWS) if (flight(number)["dep_delay"] or 0) > 170 and flight(number)["carrier"] == "AA"]
    type_filter(browser, "dep_delay > 170 and carrier = 'AA'")
    wait(browser, f"document.getElementById('shown').textContent.endsWith(' of {len(wanted):,}') && {SETTLED}")
    assert [row["id"] for _, row in cells(browser)] == [str(number) for number in wanted[:len(cells(browser))]]
    go(browser, len(wanted) - 1)
    wait(browser, f"{SETTLED} && document.querySelector('#cells tr:last-child td').textContent", str(wanted[-1]))
    # What is wrong is said, and the rows stay.
    type_filter(browser, "dep_delay > and")
    wait(browser, "!document.getElementById('wrong').hidden")
    assert "character 13" in browser.value("document.getElementById('wrong').textContent")
    assert browser.value("document.getElementById('filter').getAttribute('aria-invalid')") == "true"
    type_filter(browser, "")
    wait(browser, f"document.getElementById('shown').textContent.endsWith(' of {ROWS:,}') && {SETTLED}")
    assert browser.value("document.getElementById('wrong').hidden")
    type_filter(browser, "id < 0")
    wait(browser, "document.getElementById('shown').textContent", "no rows")
    assert browser.complaints() == []


CARD = "document.querySelector('#column .card')"


def test_a_column_has_statistics_and_a_histogram(browser, server):
    opened(browser, server, "flights.trv")
    browser.value("document.querySelector('#grid [data-path=dep_delay] button').click()")
    wait(browser, f"{CARD}?.querySelectorAll('dl').length", 1)
    facts = browser.value(f"Object.fromEntries(Array.from({CARD}.querySelectorAll('dl div'), (one) => Array.from(one.children, (part) => part.textContent)))")
    nulls = sum(flight(number)["dep_delay"] is None for number in range(ROWS))
    assert facts["rows"] == f"{ROWS:,}" and facts["nulls"].startswith(f"{nulls:,} (") and facts["distinct"] == "195"
    assert browser.value(f"{CARD}.querySelectorAll('svg.histogram rect').length") == 40
    assert browser.value(f"{CARD}.querySelector('.ends').textContent") == "-19179"
    browser.value("document.querySelector('#grid [data-path=carrier] button').click()")
    wait(browser, f"{CARD}?.querySelectorAll('.top li').length", 5)
    type_filter(browser, "carrier in ('AA', 'B6')")
    wait(browser, f"{CARD}?.querySelectorAll('.top li').length", 2)
    browser.value("document.querySelector('#tree .node button').click()")
    wait(browser, f"{CARD}?.querySelector('h2').textContent", "id")
    wait(browser, f"{CARD}?.querySelectorAll('dl').length", 1)
    browser.value("document.querySelector('#column .close').click()")
    assert browser.value("document.getElementById('column').hidden")
    assert browser.complaints() == []


def test_what_is_filtered_is_downloaded(browser, server, tmp_path):
    opened(browser, server, "flights.trv")
    type_filter(browser, "id >= 100000 and id < 150000")
    wait(browser, f"document.getElementById('shown').textContent.endsWith(' of 50,000') && {SETTLED}")
    session, browser.session = browser.session, None
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.session = session
    browser.value("document.getElementById('csv').click()")
    end = time.monotonic() + chromium.PATIENCE
    while not (tmp_path / "flights.csv").exists():
        assert time.monotonic() < end and browser.value("document.getElementById('problem').hidden")
        time.sleep(0.05)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "flights.csv").read_text())))
    assert [int(row["id"]) for row in rows] == list(range(100_000, 150_000))
    assert rows[7]["note"] == flight(100_007)["note"]


KEYS = {"ArrowDown": 40, "ArrowUp": 38, "PageDown": 34, "PageUp": 33, "Home": 36, "End": 35, "Escape": 27}


def press(browser, key):
    code = KEYS.get(key)
    for kind in ["keyDown", "keyUp"]:
        text = {"text": key} if code is None and kind == "keyDown" else {}
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code or ord(key.upper()), **text)


def test_all_is_done_by_keyboard(browser, server):
    opened(browser, server, "flights.trv")
    first = "Number(document.querySelector('#cells th')?.textContent.replaceAll(',', ''))"
    fit = browser.value("document.querySelectorAll('#cells tr').length")
    assert browser.value("document.activeElement.id") == "grid"
    for key, expected in [("ArrowDown", 1), ("PageDown", 1 + fit), ("ArrowUp", fit), ("PageUp", 0), ("End", ROWS - fit), ("Home", 0)]:
        press(browser, key)
        assert browser.value(first) == expected, key
    press(browser, "g")
    assert browser.value("document.activeElement.id") == "goto"
    browser.write("200000")
    browser.press("Enter")
    assert browser.value(first) == 200_000
    browser.value("grid.focus()")
    press(browser, "/")
    assert browser.value("[document.activeElement.id, document.activeElement.value]") == ["filter", ""]
    browser.write("id = 9")
    browser.press("Enter")
    wait(browser, f"{first} === 0 && document.getElementById('shown').textContent === 'rows 0 to 0 of 1'")
    browser.value("document.querySelector('#grid [data-path=id] button').focus()")
    browser.press("Enter")
    wait(browser, f"{CARD} !== null && !document.getElementById('column').hidden")
    press(browser, "Escape")
    assert browser.value("document.getElementById('column').hidden")
    # Each thing that can be used is reached, and shows that it is.
    visit(browser, server)
    order = []
    for _ in range(6):
        browser.press("Tab")
        order.append(browser.value("document.activeElement.id || document.activeElement.textContent"))
    assert order[:4] == ["Skip to the content", "pick", "url", "Open"]


def test_no_script_of_a_file_runs(browser, server):
    opened(browser, server, "hostile.trv")
    text = browser.value("document.getElementById('cells').textContent")
    assert "<script>window.canary=1</script>" in text and "\u202e" not in text
    for path in browser.value("Array.from(document.querySelectorAll('#grid thead button'), (one, at) => at)"):
        browser.value(f"document.querySelectorAll('#grid thead button')[{path}].click()")
        wait(browser, f"{CARD}?.querySelectorAll('dl, [role=alert]').length", 1)
        assert browser.value(f"{CARD}.querySelectorAll('[role=alert]').length") == 0
    assert browser.value("typeof window.canary") == "undefined"
    assert browser.value("document.scripts.length") == 1 and browser.complaints() == []


def test_many_columns_are_chosen(browser, server):
    opened(browser, server, "wide.trv")
    assert browser.value("document.querySelectorAll('#grid thead [data-path]').length") == 24
    browser.value("document.querySelectorAll('#tree input')[30].click()")
    wait(browser, f"document.querySelectorAll('#grid thead [data-path]').length === 25 && {SETTLED}")
    assert cells(browser)[2][1]["column_30"] == "60"


def test_what_is_no_file_is_said(browser, server, tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    visit(browser, server)
    pick(browser, tmp_path / "x.csv")
    wait(browser, "!document.getElementById('problem').hidden")
    assert "CSV" in browser.value("document.getElementById('problem').textContent")
    browser.value("document.getElementById('url').value = 'http://127.0.0.1:9/x.trv'; document.getElementById('address').requestSubmit()")
    wait(browser, "document.getElementById('problem').textContent.includes('127.0.0.1:9')")
    damaged = bytearray((FILES / "nested.trv").read_bytes())
    for at in range(len(damaged) // 2, len(damaged), 40):
        damaged[at] ^= 0x55
    (tmp_path / "damaged.trv").write_bytes(damaged)
    pick(browser, tmp_path / "damaged.trv")
    wait(browser, "document.getElementById('problem').textContent.includes('column')")


@pytest.mark.parametrize("name", ["flights", "nested", "hostile", "wide"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280, 2560])
def test_the_page_is_as_wide_as_the_window(browser, server, name, width):
    opened(browser, server, f"{name}.trv", width=width, phone=width < 500)
    browser.value("document.getElementById('fields').open = true")
    browser.value("document.querySelector('#grid thead button').click()")
    wait(browser, f"{CARD}?.querySelectorAll('dl').length", 1)
    assert browser.value("document.documentElement.scrollWidth") <= width
    beyond = """Array.from(document.querySelectorAll('body *')).filter((one) => !one.closest('#grid, .skip') && one.checkVisibility() &&
        one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    assert browser.value(beyond) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_contrast(browser, server, scheme):
    visit(browser, server, scheme=scheme)
    texts, contrast, element = browser.value(CONTRAST)
    assert texts > 5 and contrast >= 4.5, element
    opened(browser, server, "flights.trv", scheme=scheme)
    type_filter(browser, "carrier ==")
    browser.value("document.querySelector('#grid [data-path=carrier] button').click()")
    wait(browser, f"{CARD}?.querySelectorAll('.top li').length", 5)
    wait(browser, "!document.getElementById('wrong').hidden")
    texts, contrast, element = browser.value(CONTRAST)
    assert texts > 100 and contrast >= 4.5, element


def test_screen_readers_get_names(browser, server):
    opened(browser, server, "flights.trv")
    for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
        role, label = node.get("role", {}).get("value"), node.get("name", {}).get("value", "")
        if not node.get("ignored") and role in ("searchbox", "textbox", "button", "checkbox", "link", "heading", "region"):
            assert label.strip(), node


@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="SCREENSHOTS=folder takes pictures")
def test_pictures(browser, server):
    folder = pathlib.Path(os.environ["SCREENSHOTS"])
    folder.mkdir(exist_ok=True)
    for scheme in ["light", "dark"]:
        visit(browser, server, scheme=scheme)
        browser.screenshot(folder / f"landing-{scheme}.png")
        opened(browser, server, "flights.trv", scheme=scheme)
        type_filter(browser, "dep_delay > 100")
        wait(browser, f"document.getElementById('shown').textContent.startsWith('rows 0 to ') && !document.getElementById('shown').textContent.includes('looked') && {SETTLED}")
        browser.value("document.querySelector('#grid [data-path=dep_delay] button').click()")
        wait(browser, f"{CARD}?.querySelectorAll('svg').length", 1)
        browser.screenshot(folder / f"desktop-{scheme}.png")
        opened(browser, server, "nested.trv", scheme=scheme, width=390, height=844, phone=True)
        browser.screenshot(folder / f"phone-{scheme}.png", whole=True)
    opened(browser, server, "nested.trv")
    type_filter(browser, "in.a > and")
    wait(browser, "!document.getElementById('wrong').hidden")
    browser.screenshot(folder / "nested.png")
    opened(browser, server, "flights.trv", width=390, height=844, phone=True)
    browser.value("document.querySelector('#grid [data-path=distance] button').click()")
    wait(browser, f"{CARD}?.querySelectorAll('svg').length", 1)
    browser.screenshot(folder / "phone-column.png", whole=True)
    opened(browser, server, "wide.trv", width=800)
    browser.screenshot(folder / "wide.png")
