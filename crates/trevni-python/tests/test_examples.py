"""The examples of docstrings and of the README run, and the stubs name what there is."""

import ast
import doctest
import inspect
import pathlib
import re

import pyarrow as pa
import pytest

import trevni

CRATE = pathlib.Path(__file__).resolve().parents[1]
FLIGHTS = {"carrier": ["AA", "UA", "B6"], "delay": pa.array([80, None, -3], pa.int32()), "distance": [1089.0, 2475.0, 944.0]}


def documented():
    yield "trevni", trevni.__doc__
    for name in trevni.__all__:
        thing = getattr(trevni, name)
        yield name, inspect.getdoc(thing)
        for part, value in vars(thing).items() if inspect.isclass(thing) else []:
            if not part.startswith("_"):
                yield f"{name}.{part}", inspect.getdoc(value)


@pytest.fixture
def names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(2):
        trevni.write(folder / f"part-{number}.trv", pa.table(FLIGHTS))
    return {"trevni": trevni, "flights": str(folder / "part-0.trv"), "folder": str(folder)}


def run(text, name, names):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(test)
    assert runner.failures == 0
    return runner.tries


DOCUMENTED = dict(documented())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstrings(name, names):
    text = DOCUMENTED[name]
    assert text, f"{name} has no docstring"
    if ">>>" in text:
        assert run(text, name, names) > 0


ROOT = CRATE.parents[1]
PAGES = [page for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("crates/*/*.md")] if "```py" in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages(page, names, monkeypatch):
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    others = re.findall(r"```py\n(.*?)```", text, re.S)  # need a server or the like
    assert len(blocks) + len(others) == text.count("```py")
    for block in others:
        compile(block, page.name, "exec")
    monkeypatch.setenv("POLARS_FMT_MAX_COLS", "20")
    assert run("\n".join(blocks), page.name, {}) >= 2 * len(blocks)


REPOSITORY = "https://github.com/trevni-rs/trevni/blob/main/"


def test_pages_have_links_to_what_there_is():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if link.startswith(REPOSITORY):
                assert (ROOT / link.removeprefix(REPOSITORY)).exists(), f"{page.name}: {link}"
            else:  # the page of a package has no files beside it
                assert link.startswith("https://") or page.parent != CRATE and (page.parent / link).exists(), f"{page.name}: {link}"


def test_there_are_pages():
    assert {page.name for page in PAGES} >= {"README.md", "conditions.md"}


def test_stubs_name_what_there_is():
    tree = ast.parse((CRATE / "python" / "trevni" / "_trevni.pyi").read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"}
    for name, node in classes.items():
        stubbed = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        there = {part for part in vars(getattr(trevni, name))}
        assert stubbed - {"__new__"} <= there, name
        assert {part for part in there if not part.startswith("_")} <= stubbed, name
        assert ast.get_docstring(node) == inspect.getdoc(getattr(trevni, name)), name
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                assert ast.get_docstring(part) == inspect.getdoc(vars(getattr(trevni, name))[part.name]), f"{name}.{part.name}"
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}
    assert functions.keys() == {"open", "write"}
    for name, node in functions.items():
        assert ast.get_docstring(node) == inspect.getdoc(getattr(trevni, name)), name
        names = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
        assert names == list(inspect.signature(getattr(trevni, name)).parameters)
    assert (pathlib.Path(trevni.__file__).parent / "py.typed").exists()
    assert (pathlib.Path(trevni.__file__).parent / "_trevni.pyi").exists()
