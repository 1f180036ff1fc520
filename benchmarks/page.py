"""One page with the tables and pictures of every study that has results; it needs nothing else.

    python benchmarks/page.py                      # writes benchmarks/results/benchmarks.html
    python benchmarks/page.py --results benchmarks/measured --to docs/results.html

What the page says already about studies that have no results in the folder stays.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from common import PRIVATE, RESULTS, columns_of
from store import read
from study import Summary

from ooa.report.parts import grid, section
from ooa.report.style import STYLE
from ooa.rules.markup import Html, tag

STUDIES = ("proofs", "paper", "peers", "solvers", "layers", "scaling", "cuts")
_MORE_STYLE = """
header, main, footer, nav { max-width: 78rem; }
svg.plot { width: 100%; max-width: 46rem; height: auto; }
svg.plot text { font-size: 12px; }
figcaption { font-weight: 600; margin: 1rem 0 .4rem; }
td, tbody th { white-space: nowrap; }
.scroll caption { color: var(--ink); font-weight: 600; font-size: 1rem; }
"""


def write_page(results: Path, to: Path) -> list[str]:
    """Write the page, or anew the sections of studies that have results; return the names of these."""
    parts, shown = [], []
    before = _sections(to.read_text(encoding="utf-8")) if to.exists() else {}
    for name in STUDIES:
        rows = [row for row in read(results / f"{name}.csv") if row.get("backend") not in PRIVATE]
        module = import_module(name)
        study = module.STUDY
        if rows:
            made = _section(study, module.__doc__ or "", study.summary(rows), results)
            shown.append(name)
        elif name in before:
            made = before[name]
        else:
            continue
        parts.append((name, study.title, made))
    links = [tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in parts]
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", "ooa: benchmarks"),
        tag("style", Html(STYLE + _MORE_STYLE)),
    ]
    lead = tag(
        "p",
        "Read ratios, not seconds: they were taken side by side in one run. Gurobi's licence does not allow "
        "publishing its timings, so they are not here.",
        class_="lead",
    )
    body = [
        tag("header", tag("h1", "Benchmarks"), lead),
        tag("nav", tag("ul", links), aria_label="Studies"),
        tag("main", [part for _, _, part in parts] or tag("p", "No study has results yet.")),
    ]
    page = "<!doctype html>\n" + tag("html", tag("head", head), tag("body", body), lang="en-GB") + "\n"
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(page, encoding="utf-8", newline="\n")
    return shown


def _sections(page: str) -> dict[str, Html]:
    """The sections of a page that was written before, by study."""
    return {
        name: Html(found[0])
        for name in STUDIES
        if (found := re.search(rf'<section id="{name}".*?</section>', page, re.DOTALL))
    }


def _section(study: Any, words: str, summary: Summary, results: Path) -> Html:
    question, _, rest = words.partition("\n")
    content: list[Any] = [tag("p", question), tag("pre", rest.strip("\n"))]
    content += [tag("p", sentence) for sentence in summary.sentences]
    content += summary.pictures
    content += [table(title, rows) for title, rows in summary.tables.items() if rows]
    path = results / f"{study.name}.machine.json"
    if path.exists():
        taken = json.loads(path.read_text(encoding="utf-8"))
        content.append(tag("p", ", ".join(f"{name} {value}" for name, value in taken.items()), class_="soft"))
    return section(study.name, study.title, content)


def table(title: str, rows: Sequence[Mapping[str, Any]]) -> Html:
    """A table of the page; columns that hold only figures are set as such."""
    columns = columns_of(rows)
    figures = [
        j for j, name in enumerate(columns) if all(_is_number(row.get(name, "")) for row in rows) and j > 0
    ]
    lines = [
        tag(
            "tr",
            [
                tag("td", str(row.get(name, "")), class_="n" if j in figures else None)
                for j, name in enumerate(columns)
            ],
        )
        for row in rows
    ]
    return grid(title, columns, lines, figures, "tall" if len(rows) > 20 else "")


def _is_number(value: Any) -> bool:
    try:
        float(str(value).replace(",", "") or 0)
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
