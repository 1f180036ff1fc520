"""Reports of small rule sets, and a reader that checks every page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd

from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.learning.certificate import Certificate, Scope, count
from ooa.learning.ooax import Learned
from ooa.objective import Objective
from ooa.report.page import write_report
from ooa.rules.literal import Equal, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import Termination

VOID = {"meta", "link", "br"}
ELEMENTS = {
    *("html", "head", "meta", "link", "title", "style", "body", "header", "nav", "main", "section", "footer"),
    *(
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "div",
        "span",
        "a",
        "b",
        "small",
        "pre",
        "code",
    ),
    *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("figure", "svg", "rect", "line", "circle", "text"),
}


class Page(HTMLParser):
    """Reads a page and checks that every element is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def learned(rules: RuleSet, table: Table, **changes: Any) -> Learned:
    """What a fit would have returned: these rules, with a certificate that says what it is told to."""
    rules = RuleSet(rules, target=table.target, positive=table.labels[1], negative=table.labels[0])
    counted = count(rules, table, Objective.of(0.01, 0.01))
    about: dict[str, Any] = {
        "bound": counted.objective,
        "scope": Scope.ALL,
        "statement": "all patterns",
        "termination": Termination.OPTIMAL,
        "proof": "decomposition",
    }
    trace = changes.pop("trace", ())
    certificate = Certificate.of(counted, **about | changes)
    return Learned(rules, certificate, Candidates.of_patterns(table, ()), None, trace)


def small() -> tuple[RuleSet, Table]:
    X = pd.DataFrame(
        {
            "age": [25.0, 61.0, 44.0, 70.0, np.nan, 33.0, 58.0, 20.0],
            "job": ["cook", "nurse", None, "cook", "nurse", "driver", "nurse", "cook"],
            "seen": pd.Timestamp("2020-01-01") + pd.to_timedelta(range(8), unit="D"),
        }
    )
    y = pd.Series(["well", "ill", "well", "ill", "ill", "ill", "well", "well"], name="state")
    rules = RuleSet([Pattern([Range("age", low=60)]), Range("age", low=40) & Equal("job", "nurse")])
    return rules, Table.from_any(X, y, positive="ill")


def parts_of(one: Learned) -> tuple[RuleSet, Certificate]:
    return one.rules, one.certificate


def check_safe(text: str) -> Page:
    """Nothing runs, nothing is loaded, every picture is well-formed and has words."""
    page = Page(text)
    names = {name for name, _ in page.elements}
    assert names <= ELEMENTS
    for name, attributes in page.elements:
        assert not any(key.startswith("on") or key in ("src", "srcset", "action") for key in attributes)
        if "href" in attributes:
            assert (attributes["href"] or "").startswith("#") or (
                name == "link" and attributes["href"] == "data:,"
            )
    assert not re.search(r"url\(|@import|https?:|//", text)
    for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        root = ET.fromstring(drawing)
        assert root.get("aria-hidden") == "true" or (root.get("role") == "img" and root.get("aria-label"))
    identities = [a["id"] for _, a in page.elements if "id" in a]
    assert len(identities) == len(set(identities))
    return page


NASTY = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</style><script>",
    "]]>&amp;<!--",
    "\x00\u202eevil\ud800",
]


def nasty_page(name: str, value: str, target: str) -> str:
    clean = name.encode("utf-8", "ignore").decode()
    X = {clean: [value, "plain", value, None], "other" + clean: [1.0, 2.0, 3.0, 4.0]}
    y = pd.Series([value + "1", "no", value + "1", "no"], name=target or "t")
    table = Table.from_any(X, y, positive=value + "1")
    rules = RuleSet([Pattern([Equal(clean, value)]), Pattern([Range("other" + clean, low=4)])])
    return write_report(learned(rules, table), table, title=value, parameters={name: value})
