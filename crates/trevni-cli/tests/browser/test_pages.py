"""What browsers make of `trevni report`."""

import pytest

NAMES = ["flights", "movies", "bcd", "hostile", "wide", "long", "empty"]
SCHEMES = ["light", "dark"]


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_quiet_and_ask_for_nothing(browser, pages, name):
    browser.open(pages / f"{name}.html")
    assert browser.complaints() == []
    assert browser.requests() == [(pages / f"{name}.html").resolve().as_uri()]
    assert browser.value("document.compatMode") == "CSS1Compat"
    # An id is that of one element, and each link leads to one.
    assert browser.value("""(() => {
        const ids = Array.from(document.querySelectorAll('[id]'), (one) => one.id);
        const links = Array.from(document.querySelectorAll('a'), (one) => one.getAttribute('href'));
        return [ids.length - new Set(ids).size, links.filter((link) => !document.querySelector(link))];
    })()""") == [0, []]


def test_no_script_of_the_data_runs(browser, pages):
    browser.open(pages / "hostile.html")
    assert browser.value("typeof window.canary") == "undefined"
    assert browser.value("[document.scripts.length, document.images.length, document.styleSheets.length]") == [1, 0, 1]
    assert browser.value("document.querySelectorAll('[onload],[onerror],[onfocus],iframe,object,embed,base').length") == 0
    browser.value("document.querySelectorAll('details').forEach((one) => one.open = true)")
    browser.value("document.querySelectorAll('[tabindex],input,summary,a').forEach((one) => one.focus())")
    assert browser.value("typeof window.canary") == "undefined"
    # The data is there as text.
    text = browser.value("document.getElementById('cells').textContent")
    assert "</style><script>window.canary=1</script>" in text and "\\u202e" in text
    assert "\u202e" not in text and "\u2066" not in text


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [320, 360, 768, 1280, 2560])
def test_pages_are_as_wide_as_the_window(browser, pages, name, width):
    browser.open(pages / f"{name}.html", width=width, phone=width < 500)
    browser.value("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert browser.value("document.documentElement.scrollWidth") <= width
    # Nothing lies to the right of the window but what scrolls within itself.
    beyond = """Array.from(document.querySelectorAll('body *')).filter((one) => !one.closest('.wide, .skip') &&
        one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    assert browser.value(beyond) == []


# The least contrast of the texts that are seen, by the rules of WCAG 2.2, with the text that has it.
CONTRAST = """(() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const pixel = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        return Array.from(canvas.getImageData(0, 0, 1, 1).data);
    };
    const luminance = ([r, g, b]) => {
        const part = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (element) => {
        for (let one = element; one; one = one.parentElement) {
            const bar = one.parentElement?.matches('.top li') && one.matches('span') ? one.previousElementSibling : null;
            for (const layer of [one, bar]) {
                const color = layer && pixel(getComputedStyle(layer).backgroundColor);
                if (color && color[3] === 255) return color;
                if (color && color[3] !== 0) throw new Error('not opaque: ' + layer.outerHTML);
            }
        }
        return pixel('Canvas');
    };
    let least = [21, ''], texts = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || !element.checkVisibility() || element.closest('script, svg')) continue;
        const [one, two] = [luminance(pixel(getComputedStyle(element).color)), luminance(behind(element))];
        const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
        texts += 1;
        if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 120)];
    }
    return [texts, ...least];
})()"""


@pytest.mark.parametrize("name", ["flights", "movies", "bcd", "hostile"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_texts_have_contrast(browser, pages, name, scheme):
    browser.open(pages / f"{name}.html", scheme=scheme)
    browser.value("document.querySelectorAll('details').forEach((one) => one.open = true)")
    texts, contrast, element = browser.value(CONTRAST)
    assert texts > 100 and contrast >= 4.5, element


def test_each_scheme_has_its_colours_and_paper_is_light(browser, pages):
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {}
    for scheme in SCHEMES:
        browser.open(pages / "flights.html", scheme=scheme)
        grounds[scheme] = browser.value(ground)
    browser.open(pages / "flights.html", scheme="dark", media="print")
    assert grounds["light"] == browser.value(ground) == "rgb(255, 255, 255)" != grounds["dark"]
    texts, contrast, element = browser.value(CONTRAST)
    assert texts > 100 and contrast >= 4.5, element


def seen(browser, within):
    """How many of some elements are seen."""
    return browser.value(f"Array.from(document.querySelectorAll('{within}')).filter((one) => one.checkVisibility()).length")


def test_the_search_finds_rows(browser, pages):
    browser.open(pages / "movies.html")
    all_rows = seen(browser, "#cells tr")
    browser.value("document.querySelector('[data-in=cells]').focus()")
    browser.write("dRAMa")
    found = seen(browser, "#cells tr")
    wanted = browser.value("Array.from(document.querySelectorAll('#cells tr')).filter("
                           "(row) => row.textContent.toLowerCase().includes('drama')).length")
    assert 0 < found == wanted < all_rows
    # What is found is told, to those too who do not see it.
    told = "document.querySelector('#cells').closest('section').querySelector('output').textContent"
    assert browser.value(told) == f"{found} of {all_rows}"
    browser.write(" no row has this")
    assert (seen(browser, "#cells tr"), browser.value(told)) == (0, f"0 of {all_rows}")
    browser.value("const search = document.querySelector('[data-in=cells]'); search.value = '';"
                  "search.dispatchEvent(new Event('input'))")
    assert (seen(browser, "#cells tr"), browser.value(told)) == (all_rows, "")


def test_the_search_finds_columns(browser, pages):
    browser.open(pages / "movies.html")
    browser.value("document.querySelector('[data-in=cards]').focus()")
    browser.write("tomatoes.rev")
    cards = "Array.from(document.querySelectorAll('.card')).filter((one) => one.checkVisibility())"
    assert browser.value(f"{cards}.map((one) => one.querySelector('h3').textContent)") == ["tomatoes.Reviews"]
    assert seen(browser, "#cells tr") == 23


FOCUSED = """(() => {
    const one = document.activeElement;
    return [one.tagName, one.getAttribute('aria-label') || one.textContent.trim().slice(0, 24)];
})()"""


def test_all_is_reached_by_keyboard_in_its_order(browser, pages):
    browser.open(pages / "movies.html")
    order, places = [], []
    while True:
        browser.press("Tab")
        focused = browser.value(FOCUSED)
        if focused[0] == "BODY" or focused in order[:1]:
            break
        order.append(focused)
        places.append(browser.value("""(() => {
            const style = getComputedStyle(document.activeElement);
            return [document.activeElement.getBoundingClientRect().top + scrollY, style.outlineStyle, style.outlineWidth];
        })()"""))
        assert len(order) < 50, order
    tags = [tag for tag, _ in order]
    assert order[0] == ["A", "Skip to the content"]
    assert [label for tag, label in order[1:] if tag == "A"] == ["Schema", "Sizes", "Columns", "Rows"]
    assert tags.count("SUMMARY") == browser.value("document.querySelectorAll('summary').length") > 1
    assert tags.count("INPUT") == 2
    assert order[-1][1] == "Rows" or order[-1][1].startswith("First ")
    # The focus is seen, and goes down the page, from line to line.
    assert all(style != "none" and width != "0px" for _, style, width in places)
    tops = [top for top, _, _ in places[1:]]
    assert all(after >= before - 30 for before, after in zip(tops, tops[1:])), places


def test_the_first_link_skips_to_the_content(browser, pages):
    browser.open(pages / "movies.html")
    browser.press("Tab")
    box = browser.value("(({left, top, width}) => [left, top, width])(document.activeElement.getBoundingClientRect())")
    assert box[0] >= 0 and box[1] >= 0 and box[2] > 50
    browser.press("Enter")
    assert browser.value("[location.hash, document.activeElement.id]") == ["#main", "main"]


def test_details_open_and_close_by_keyboard(browser, pages):
    browser.open(pages / "movies.html")
    state = "document.activeElement.parentElement.open"
    for number in range(browser.value("document.querySelectorAll('summary').length")):
        # Those of inner details are in the page only while the outer ones are open.
        browser.value("document.querySelectorAll('details').forEach((one) => one.open = true)")
        browser.value(f"document.querySelectorAll('summary')[{number}].focus()")
        for key, expected in [("Enter", False), ("Enter", True), (" ", False), (" ", True)]:
            browser.press(key)
            assert browser.value(state) is expected, (number, key)


@pytest.mark.parametrize("name", ["flights", "movies", "bcd", "wide"])
def test_screen_readers_get_names(browser, pages, name):
    browser.open(pages / f"{name}.html")
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    for node in tree:
        role, label = node.get("role", {}).get("value"), node.get("name", {}).get("value", "")
        if not node.get("ignored") and role in ("searchbox", "link", "heading", "image", "region", "navigation"):
            assert label.strip(), node
    headings = browser.value("Array.from(document.querySelectorAll('h1, h2, h3'), (one) => Number(one.tagName[1]))")
    assert headings[0] == 1 and headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(headings, headings[1:]))
    # The numbers of the treemap are in a table.
    rows = browser.value("document.querySelectorAll('.bars tbody tr').length")
    assert rows > 0 and browser.value("document.querySelectorAll('table:not(:has(thead th))').length") == 0


def test_numbers_are_aligned(browser, pages):
    browser.open(pages / "flights.html")
    aligned = browser.value("""(() => {
        const heads = Array.from(document.querySelectorAll('.rows thead th'), (one) => getComputedStyle(one).textAlign);
        const cells = Array.from(document.querySelector('#cells tr').cells, (one) => getComputedStyle(one));
        return heads.map((head, at) => [head, cells[at].textAlign, cells[at].fontVariantNumeric]);
    })()""")
    assert all(head == cell and figures == "tabular-nums" for head, cell, figures in aligned)
    assert {head for head, _, _ in aligned} == {"left", "right"}


def test_labels_of_the_treemap_lie_in_their_tiles(browser, pages):
    for name, width in [("flights", 1280), ("movies", 1280), ("movies", 360)]:
        browser.open(pages / f"{name}.html", width=width)
        told = browser.value("""(() => {
            const map = document.querySelector('.treemap').getBoundingClientRect();
            const tiles = Array.from(document.querySelectorAll('.tile'));
            const out = (inner, outer) => inner.left < outer.left - 1 || inner.right > outer.right + 1 ||
                inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
            const labels = tiles.flatMap((tile) => Array.from(tile.children, (label) => [tile, label]));
            const seen = labels.filter(([, label]) => label.checkVisibility());
            const box = (one) => one.getBoundingClientRect();
            return [tiles.filter((tile) => out(box(tile), map)).length,
                seen.filter(([tile, label]) => out(box(label), box(tile))).map(([tile]) => tile.title), seen.length];
        })()""")
        assert told[:2] == [0, []] and told[2] > 4, (name, width, told)


def test_pages_print(browser, pages, tmp_path):
    for name in ["flights", "movies", "bcd"]:
        browser.open(pages / f"{name}.html")
        browser.pdf(tmp_path / f"{name}.pdf")
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        # As wide as a sheet, with what is closed on the screen, without what is for the screen alone.
        browser.open(pages / f"{name}.html", width=690, media="print")
        assert browser.value("document.documentElement.scrollWidth") <= 690
        assert seen(browser, ".bars tbody tr") > 0 and seen(browser, ".search, nav, .skip") == 0
        assert seen(browser, "#cells tr") <= 20
