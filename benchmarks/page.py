"""One page with the tables and pictures of every study that has results; it needs nothing else.

    python benchmarks/page.py                      # writes benchmarks/results/benchmarks.html
    python benchmarks/page.py --results benchmarks/measured --to docs/results.html

What the page shows already of studies that have no results in the folder stays.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import instances
from common import PRIVATE, RESULTS, columns_of
from store import read
from study import Study, Summary
from words import GLOSSARY, note

from ooa.datasets import list_datasets
from ooa.report.parts import facts, grid, section
from ooa.report.style import STYLE
from ooa.rules.markup import Html, join, tag

STUDIES = (
    "proofs",
    "paper",
    "peers",
    "solvers",
    "layers",
    "scaling",
    "cuts",
    "wide",
    "languages",
    "choosing",
    "waiting",
    "listing",
)
_MORE_STYLE = """
header, main, footer, nav { max-width: 78rem; }
svg.plot { width: 100%; max-width: 46rem; height: auto; }
svg.plot text { font-size: 12px; }
figure { margin: 1.5rem 0; }
figcaption { margin: 0 0 .4rem; max-width: 46rem; }
figcaption b, h3 { font-weight: 600; font-size: 1.05rem; }
h3 { margin: 1.8rem 0 .3rem; }
td, tbody th { white-space: nowrap; }
.facts td, .facts th, td.words { white-space: normal; } td.words { min-width: 24rem; }
.facts th { width: 12rem; font-weight: 600; color: var(--ink); }
.scroll caption { display: none; }
details { margin: .75rem 0; } summary { cursor: pointer; color: var(--accent); }
@media (max-width: 40rem) {
  svg.plot text { font-size: 19px; }
  .facts th, .facts td { display: block; width: auto; } .facts th { border-bottom: 0; padding-bottom: 0; }
}
"""
_LEAD = (
    "ooa learns small rule sets and says how good they are at most. This page has what was measured about "
    "that: questions, and the figures that answer them, losses included. The words and the data sets "
    "come first. Read ratios, not seconds: they were taken side by side in one run. Gurobi's licence does "
    "not allow publishing its timings, so they are not here."
)
#: What stands around the results of a study, to find them again.
_RESULTS = '<div class="results" id="{}-results">'


def write_page(results: Path, to: Path) -> list[str]:
    """Write the page, or anew what it says of studies that have results; return the names of these."""
    parts, shown = [], []
    before = to.read_text(encoding="utf-8") if to.exists() else ""
    for name in STUDIES:
        rows = [row for row in read(results / f"{name}.csv") if row.get("backend") not in PRIVATE]
        module = import_module(name)
        if rows:
            found = _results(module.STUDY, module.STUDY.summary(rows), results)
            shown.append(name)
        elif not (found := _kept(before, name)):
            continue
        words = _words(module.__doc__ or "")
        parts.append((name, module.STUDY.title, section(name, module.STUDY.title, words, found)))
    sections = [("words", "Words", _glossary()), ("sets", "Data sets", _sets()), *parts]
    links = [tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in sections]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", "ooa: benchmarks"),
        tag("style", Html(STYLE + _MORE_STYLE)),
    ]
    body = [
        tag("header", tag("h1", "Benchmarks"), tag("p", _LEAD, class_="lead")),
        tag("nav", tag("ul", links), aria_label="Parts of this page"),
        tag(
            "main",
            [part for _, _, part in sections],
            None if parts else tag("p", "No study has results yet."),
        ),
    ]
    page = "<!doctype html>\n" + tag("html", tag("head", head), tag("body", body), lang="en-GB") + "\n"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(page, encoding="utf-8", newline="\n")
    return shown


def _kept(page: str, name: str) -> Html:
    """What a page that was written before shows of a study."""
    found = re.search(re.escape(_RESULTS.format(name)) + r".*?</div>(?=</section>)", page, re.DOTALL)
    return Html(found[0]) if found else Html("")


def _glossary() -> Html:
    return section("words", "Words", facts(list(GLOSSARY.items())))


def _sets() -> Html:
    used = {*instances.PAPER, "mushroom", "apnea-survey"}
    rows = [
        {
            "set": one["name"],
            "rows": f"{one['rows']:,}",
            "yes": f"{100 * one['positives'] / one['rows']:.0f} %",
            "columns": one["numeric"] + one["categorical"],
            "of them numbers": one["numeric"],
            "what it is about": one["description"],
        }
        for one in list_datasets().reset_index().to_dict("records")
        if one["name"] in used
    ]
    words = (
        "Tables of the UCI repository, but for three: tic-tac-toe and monks1 are enumerated, and the survey "
        "is synthetic. Yes: the share of the rows that are positive. Sets called planted-... are generated."
    )
    return section("sets", "Data sets", tag("p", words), table("Data sets", rows))


def _words(text: str) -> Html:
    """What the head of a study says: its question, its paragraphs, and its commands folded away."""
    question, *rest = inspect.cleandoc(text).split("\n\n")
    content = [tag("p", tag("b", question))]
    content += [tag("p", _prose(part)) for part in rest if not part.startswith("    ")]
    commands = [inspect.cleandoc(part) for part in rest if part.startswith("    ")]
    how = (
        tag("details", tag("summary", "How to run it"), tag("pre", "\n".join(commands))) if commands else None
    )
    return join(*content, how)


def _prose(text: str) -> Html:
    """A paragraph, with its code as code."""
    pieces = " ".join(text.split()).split("`")
    return join(*(tag("code", piece) if i % 2 else piece for i, piece in enumerate(pieces)))


def _results(study: Study, summary: Summary, results: Path) -> Html:
    content: list[Any] = [tag("p", sentence) for sentence in summary.sentences]
    content += [figure(study.name, title, drawing) for title, drawing in summary.pictures.items()]
    for title, rows in summary.tables.items():
        if rows:
            words = note(study.name, title)
            content += [tag("h3", title), tag("p", words) if words else None, table(title, rows)]
    path = results / f"{study.name}.machine.json"
    if path.exists():
        taken = json.loads(path.read_text(encoding="utf-8"))
        words = ", ".join(f"{name} {value}" for name, value in taken.items())
        content.append(
            tag("details", tag("summary", "What it was measured with"), tag("p", words, class_="soft"))
        )
    return join(Html(_RESULTS.format(study.name)), *content, Html("</div>"))


def figure(study: str, title: str, drawing: Html) -> Html:
    """A picture of the page, with what it is and how to read it."""
    words = note(study, title)
    return tag("figure", tag("figcaption", tag("b", title), [tag("br"), words] if words else None), drawing)


def table(title: str, rows: Sequence[Mapping[str, Any]]) -> Html:
    """A table of the page; columns that hold only figures are set as such."""
    columns = columns_of(rows)
    values = [[str(row.get(name, "")) for row in rows] for name in columns]
    figures = [j for j, some in enumerate(values) if j > 0 and all(_is_number(value) for value in some)]
    kinds = ["n" if j in figures else "words" if _long(some) else None for j, some in enumerate(values)]
    lines = [
        tag("tr", [tag("td", value, class_=kind) for value, kind in zip(row, kinds, strict=True)])
        for row in zip(*values, strict=True)
    ]
    return grid(title, columns, lines, figures, "tall" if len(rows) > 20 else "")


def _long(values: Sequence[str]) -> bool:
    return max(map(len, values)) > 60


def _is_number(value: str) -> bool:
    try:
        float(value.removesuffix(" %").replace(",", "") or 0)
    except ValueError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the CSV files")
    parser.add_argument("--to", type=Path, help="the page (benchmarks.html in that folder)")
    arguments = parser.parse_args()
    if not arguments.results.is_dir():
        parser.error(f"there is no folder {arguments.results}")
    to = arguments.to or arguments.results / "benchmarks.html"
    shown = write_page(arguments.results, to)
    print(f"{to}: {', '.join(shown) or 'nothing yet'}")


if __name__ == "__main__":
    main()
