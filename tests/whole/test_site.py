"""The site as it is built: it needs no server and no network, and a phone is enough to read it."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import subprocess
import sys
from html import unescape
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import pytest
from support.browser import browse, widths
from support.site import code_blocks

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(not (ROOT / "mkdocs.yml").exists(), reason="needs the source tree")
#: What people type into the search, and the page that answers it.
ASKED = {
    "own csv": "first-hour.html",
    "excel": "howto/files.html",
    "encoding": "howto/files.html",
    "imbalanced": "howto/imbalanced.html",
    "constraint": "howto/own-constraint.html",
    "missing values": "howto/missing-values.html",
    "max_thresholds": "reference/estimators.html",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("mkdocs", "material", "mkdocstrings", "latex2mathml"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed: make docs installs it")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return folder


def pages(site: Path) -> dict[str, str]:
    """All pages but the one for addresses that do not exist, which only a server shows."""
    return {
        page.relative_to(site).as_posix(): page.read_text(encoding="utf-8")
        for page in sorted(site.rglob("*.html"))
        if page.name != "404.html"
    }


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for name, text in pages(site).items():
        loaded = re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:)?//', text)
        assert not loaded, name


def test_formulas_are_formulas(site: Path) -> None:
    for name, text in pages(site).items():
        prose = re.sub(r"<(pre|code).*?</\1>", "", text, flags=re.DOTALL)
        assert not re.search(r"\$[^$<\n]{1,200}\\[a-z]+[^$\n]*\$", prose), name


def test_links_are_files(site: Path) -> None:
    """A folder's address is a page only for a server."""
    texts = pages(site)
    for name, text in texts.items():
        for target in re.findall(r'<(?:a|link|script|img)[^>]+(?:href|src)="([^"]+)"', text):
            path, _, place = unquote(unescape(target)).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            file = (site / name).parent / path if path else site / name
            assert file.is_file(), f"{name}: {target}"
            if place and file.suffix == ".html":
                ids = file.read_text(encoding="utf-8")
                assert f'id="{place}"' in unescape(ids) or place.startswith("__"), f"{name}: {target}"


def test_copy_buttons_copy_what_the_tests_run() -> None:
    hook = code_blocks()
    session = '>>> if True:\n...     print("<a>")\n<a>\n>>> 1\n1\n'
    block = '<div class="language-pycon highlight"><pre><span></span><code>{}</code></pre></div>'
    shown = session.replace("<", "&lt;").replace(">", "&gt;")
    made = hook.on_page_content(block.format(shown))
    copied = unescape(re.findall(r'data-copy="([^"]*)"', made)[0])
    assert copied == 'if True:\n    print("<a>")\n1\n'
    console = "$ ooa fit a.csv \\\n    --target b\nIF   TRUE\n$ ls\n"
    assert hook.what_is_typed("console", console) == "ooa fit a.csv \\\n    --target b\nls\n"
    assert hook.what_is_typed("sql", "SELECT 1") is None


def test_sessions_have_something_to_copy(site: Path) -> None:
    found = 0
    for name, text in pages(site).items():
        for opening in re.findall(r'<div class="language-(?:pycon|console) highlight"[^>]*>', text):
            copied = unescape(re.findall(r'data-copy="([^"]*)"', opening)[0])
            assert copied.strip(), name
            assert not re.search(r"^(>>>|\$) ", copied, re.MULTILINE), name
            found += 1
    assert found > 100


def test_columns_stay_columns() -> None:
    hook = code_blocks()
    table = "backend  version\nhighs    1.2\n"
    rules = "IF   (a = 1)\n  OR (b = 2)\nx = 1  # a comment\n...     indented\n"
    block = '<div class="highlight"><pre><span></span><code>\n{}</code></pre></div>'
    made = hook.on_page_content(block.format(table + rules))
    assert made.count('<span class="columns">') == 2


@pytest.mark.parametrize(
    "name",
    [
        "ooa.OOAxClassifier",
        "ooa.OOAClassifier",
        "ooa.candidate_literals",
        "ooa.constraints.min_sensitivity",
        "ooa.formulations.CompactFormulation",
        "ooa.learning.settings.OOAxSettings",
    ],
)
def test_every_parameter_has_an_entry(site: Path, name: str) -> None:
    """With its type, its default and an address, wherever docstrings say so, fields and bases included."""
    module, _, attribute = name.rpartition(".")
    thing = getattr(import_module(module), attribute)
    reference = "".join(text for place, text in pages(site).items() if place.startswith("reference/"))
    homes = [name, *(f"{base.__module__}.{base.__name__}" for base in getattr(thing, "__mro__", ()))]
    for parameter, one in inspect.signature(thing).parameters.items():
        anchors = [f'id="{home}({parameter})"' for home in homes]
        anchor = next((anchor for anchor in anchors if anchor in reference), None)
        assert anchor, f"{name}: {parameter}"
        begin = reference.index(anchor)
        entry = reference[begin : reference.index("</tr>", begin)]
        assert "TYPE:" in entry, f"{name}: {parameter}"
        assert ("DEFAULT:" in entry) == (one.default is not one.empty), f"{name}: {parameter}"


def test_the_search_finds_what_people_ask(site: Path, tmp_path: Path) -> None:
    """From a file, where browsers give pages no workers."""
    for words, answer in ASKED.items():
        query = f"?q={words.replace(' ', '+')}"
        flags = ("--virtual-time-budget=20000", "--dump-dom")
        seen = browse(site / "howto" / "index.html", *flags, profile=tmp_path, query=query).stdout
        links = re.findall(
            r'class="md-search-result__link"[^>]*href="([^"]*)"|href="([^"]*)"[^>]*class="md-search', seen
        )
        places = ["".join(link).partition("?")[0] for link in links]
        assert any(place.endswith(answer) for place in places[:6]), f"{words!r}: {places[:6]}"


def test_nothing_is_wider_than_a_phone(site: Path, tmp_path: Path) -> None:
    names = list(pages(site))
    found = widths(site, names, 390, tmp_path)
    assert found == dict.fromkeys(names, 390)
