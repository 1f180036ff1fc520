"""The sections of the report around the rules: search, data, and what is needed to reproduce it."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from ooa.data.amounts import amount, percent
from ooa.data.columns import Column
from ooa.data.table import Table
from ooa.learning.course import fit_course
from ooa.rules.markup import Html, described, tag
from ooa.rules.text import name_text, value_text
from ooa.solving.solution import Progress
from ooa.version import __version__

from .cells import measure_text
from .figures import Figures, RowFigures
from .parts import facts, grid, key, section
from .pictures import Curve, bar, chart
from .words import several

__all__ = ["data_section", "reproduce_section", "search_section"]

#: Most attributes, and most categories of one, that are listed.
ATTRIBUTES, CATEGORIES = 400, 5
_PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "highspy")


def search_section(figures: Figures, trace: Sequence[Progress]) -> Html:
    """Best score and bound over time, how many patterns each stage left, and its seconds."""
    found = figures.certificate
    went = fit_course(trace, found)
    curves = [Curve("incumbent", went.incumbent), Curve("bound", went.bound)]
    curves = [one for one in curves if one.points]
    said = ", ".join(f"{_NAMES[one.name]} {one.points[-1][1]:.4f} at the end" for one in curves)
    longest = max(found.seconds.values(), default=0.0)
    stages = [
        tag(
            "tr",
            tag("th", stage, scope="row"),
            tag("td", f"{spent:.2f}", class_="n"),
            tag("td", bar([("found", spent)], longest, f"{stage}: {spent:.2f} seconds")),
        )
        for stage, spent in found.seconds.items()
    ]
    counts = [(what.capitalize(), f"{number:,}") for what, number in found.counts.items()]
    return section(
        "search",
        "The search",
        tag("p", "The search goes on until the best score found and the proven bound meet, or time is up."),
        chart(curves, "seconds", "score", f"Score over the seconds of the search: {said}."),
        key([(f"dot {one.name}", _NAMES[one.name]) for one in curves]),
        None if found.backend else tag("p", "No solver was called."),
        grid("Seconds per stage", ["Stage", "Seconds", "Share"], stages, (1,)) if stages else None,
        (tag("h3", "Conditions and patterns left after each step"), facts(counts)) if counts else None,
    )


_NAMES = {"incumbent": "best score found", "bound": "proven bound"}


def data_section(figures: Figures) -> Html:
    """The schema of the rows learned from, if they are at hand: the attributes that the rules use first."""
    table = figures.sets[0].table
    used, each = set(figures.rules.attributes), table.row_numbers
    columns = sorted(table.columns, key=lambda column: column.name not in used)
    rows = [
        tag(
            "tr",
            tag("th", name_text(column.name), scope="row"),
            tag("td", "yes" if column.name in used else ""),
            tag("td", "time" if column.time else "ordered" if column.levels else column.kind),
            tag("td", percent(float(each[column.missing].sum()), float(each.sum())), class_="n"),
            tag("td", f"{_distinct(column):,}", class_="n"),
            tag("td", _summary(column)),
        )
        for column in columns[:ATTRIBUTES]
    ]
    more = len(columns) - ATTRIBUTES
    head = ["Attribute", "Used", "Kind", "Missing", "Distinct", "Values"]
    return section(
        "data",
        "The data",
        tag("p", f"{several(len(columns), 'attribute')}.", [_classes(one) for one in figures.sets]),
        grid("Attributes, those the rules use first", head, rows, (3, 4), kind="tall"),
        tag("p", f"{more:,} more are not listed.") if more > 0 else None,
    )


def _classes(one: RowFigures) -> str:
    """Say how many rows there are of either class, and what they weigh."""
    table, all_ = one.table, one.rows.confusion
    target, no, yes = name_text(table.target), *map(value_text, table.labels)
    number = int(table.row_numbers.sum())
    words = (
        f" {several(number, one.row)}: {target} is {yes} for {amount(all_.positives)} and {no} for "
        f"{amount(all_.negatives)}"
    )
    if one.weighed is None:
        return f"{words}."
    its = one.weighed.confusion
    return f"{words}; by weight for {amount(its.positives)} and {amount(its.negatives)}."


def _distinct(column: Column) -> int:
    return len(np.unique(column.values[~column.missing]))


def _summary(column: Column) -> str:
    """Say which values a column has: the most frequent categories, or least, median and largest number."""
    values = column.values[~column.missing]
    if not len(values):
        return "none"
    if column.kind == "numeric":
        low, high, middle = values.min(), values.max(), np.sort(values)[(len(values) - 1) // 2]
        ends = (
            value_text(column.levels[int(value)])
            if column.levels
            else measure_text(value.item(), column.time)
            for value in (low, high, middle)
        )
        return "{} to {}, median {}".format(*ends)
    counts = np.bincount(values, minlength=len(column.categories))
    order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    listed = ", ".join(f"{value_text(column.categories[c])} ({counts[c]:,})" for c in order[:CATEGORIES])
    return listed + (f" and {len(order) - CATEGORIES:,} more" if len(order) > CATEGORIES else "")


def reproduce_section(figures: Figures, parameters: Mapping[str, object]) -> Html:
    """Parameters, versions and a fingerprint of the data."""
    found = figures.certificate
    settings = [(str(name), tag("code", described(value))) for name, value in parameters.items()]
    versions = [("ooa", __version__), ("Python", platform.python_version())]
    versions += [(name, number) for name in _PACKAGES if (number := _version(name))]
    if found.backend:
        versions.append((f"solver {found.backend}", found.version or "unknown"))
    return section(
        "reproduce",
        "To reproduce this",
        tag("h3", "Parameters"),
        facts(settings) if settings else tag("p", "They were not handed to the report."),
        tag("h3", "Versions"),
        facts(list(versions)),
        tag("h3", "Data"),
        facts(
            [
                (f"SHA-256 of columns, labels and weights{one.suffix}", tag("code", fingerprint(one.table)))
                for one in figures.sets
            ]
        ),
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def fingerprint(table: Table) -> str:
    """Return a hash of everything in a table; equal tables have equal ones on every machine.

    Examples
    --------
    >>> one, other = (Table.from_any({"x": [1, 2, last]}, [0, 1, 1]) for last in (3, 4))
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(other), len(fingerprint(one))
    (True, False, 64)
    """
    digest = hashlib.sha256()
    head = (table.target, table.labels, [(c.name, c.kind, c.names, c.time) for c in table.columns])
    digest.update(repr(head).encode("utf-8", "backslashreplace"))
    for column in table.columns:
        kept = "<i8" if column.time else "<f8"
        digest.update(np.where(column.missing, -1, column.values).astype(kept).tobytes())
        digest.update(np.packbits(column.missing).tobytes())
    digest.update(np.packbits(table.y).tobytes())
    digest.update(table.weight.astype("<f8").tobytes())
    return digest.hexdigest()
