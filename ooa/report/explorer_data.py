"""What the page to explore near-optimal rule sets is about: rule sets, figures and rows as plain values."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.explore.predictions import Predictions
from ooa.explore.rashomon import RashomonSet
from ooa.explore.reliance import group_gaps, groups_of
from ooa.formulations.base import ConstraintLike
from ooa.rules.pattern import Pattern
from ooa.rules.text import name_text, value_text
from ooa.version import __version__

from .coding import CodedRows, Coding, coded_rows, coding_of
from .explorer_limits import limits_document

__all__ = ["explorer_document"]


def explorer_document(
    near: RashomonSet,
    *,
    test: Table | None,
    rows: bool,
    groups: str | None,
    schema: Mapping[str, Any] | None,
    constraints: Sequence[ConstraintLike | str],
) -> dict[str, Any]:
    """Everything that the page knows, as JSON takes it.

    Parameters
    ----------
    near : the rule sets
    test : other rows
    rows : whether coded rows are in it, for the editor
    groups : a column between whose groups gaps are figures
    schema : for the model files that the page writes
    constraints : what the fit was bound to
    """
    table, first = near.table, next(iter(near.certificates), None)
    if table is None or near.objective is None or first is None:
        raise OptionError("there is no rule set to explore, or the list was copied without its rows")
    patterns = list(dict.fromkeys(pattern for rules in near.rules for pattern in rules))
    coding = coding_of(table, patterns, others=rows)
    place = {pattern: k for k, pattern in enumerate(patterns)}
    rules = near.rules[0]
    document: dict[str, Any] = {
        "ooa": __version__,
        "target": {"text": name_text(rules.target), "json": json.dumps(rules.target)},
        "positive": {"text": value_text(rules.positive), "json": json.dumps(rules.positive)},
        "negative": {"text": value_text(rules.negative), "json": json.dumps(rules.negative)},
        "C1": float(near.objective.C1),
        "C2": float(near.objective.C2),
        "proof": _proof(near),
        "schema": None if schema is None else json.dumps(schema),
        "attributes": [one.document() for one in coding],
        "reliance": near.attributes().replace({np.nan: None}).to_dict("records"),
        "patterns": [_pattern(pattern, coding) for pattern in patterns],
        "sets": [[place[pattern] for pattern in one] for one in near.rules],
        "excess": [float(far) for far in near.excess],
        "groups": groups,
    }
    tables = {"training": table} | ({} if test is None else {"test": test})
    coded = {name: coded_rows(one, coding) if rows else None for name, one in tables.items()}
    document["rows"] = {name: _rows(near, patterns, one, groups, coded[name]) for name, one in tables.items()}
    document["limits"] = limits_document(constraints, table, near.objective, coded["training"])
    return document


def _proof(near: RashomonSet) -> dict[str, Any]:
    first = near.certificates[0]
    ambiguity = near.rows()
    weight = ambiguity["weight"].to_numpy()
    return {
        "headline": near.headline,
        "objective": float(first.objective),
        "proved": first.proved,
        "bound": float(first.bound),
        "statement": first.statement,
        "words": first.headline,
        "complete": near.complete,
        "total": near.total,
        "within": None if near.within is None else float(near.within),
        "known": None if near.known is None else float(near.known),
        "ambiguous": float(weight[ambiguity["ambiguous"].to_numpy()].sum() / weight.sum()),
    }


def _pattern(pattern: Pattern, coding: Sequence[Coding]) -> list[list[Any]]:
    places = {one.attribute.name: k for k, one in enumerate(coding)}
    return [
        coding[places[literal.attribute]].literal(literal, places[literal.attribute]) for literal in pattern
    ]


def _rows(
    near: RashomonSet,
    patterns: Sequence[Pattern],
    table: Table,
    groups: str | None,
    coded: CodedRows | None,
) -> dict[str, Any]:
    """What rule sets and patterns do on some rows, and the rows if they are to be there."""
    found: dict[str, Any] = {
        "count": int(table.row_numbers.sum()),
        "weighted": table.weighted,
        "positives": float(table.positive.sum()),
        "negatives": float(table.negative.sum()),
        **_figures(near, table, groups),
    }
    each = [type(near.rules[0])([pattern]) for pattern in patterns]
    made = Predictions(each, table)
    found["pattern_found"] = [float(made.distinct.positive[fires].sum()) for fires in made]
    found["pattern_alarms"] = [float(made.distinct.negative[fires].sum()) for fires in made]
    if coded is not None:
        found["coded"] = _coded(coded)
    return found


def _figures(near: RashomonSet, table: Table, groups: str | None) -> dict[str, Any]:
    """What every rule set does."""
    made = Predictions(near.rules, table)
    positive, negative, row = made.distinct.positive, made.distinct.negative, made.distinct.row
    members = None if groups is None else groups_of(table, groups)
    figures: dict[str, list[float]] = {name: [] for name in ("found", "alarms", "changed", "alike")}
    first, alike = made.of(near.rules[0]), dict[bytes, int]()
    for k, fires in enumerate(made):
        figures["found"].append(float(positive[fires].sum()))
        figures["alarms"].append(float(negative[fires].sum()))
        figures["changed"].append(float((positive + negative)[fires != first].sum()))
        figures["alike"].append(alike.setdefault(fires.tobytes(), k))  # the first that predicts the same
        if members is not None:
            for name, gap in group_gaps(fires[row], table, members).items():
                figures.setdefault(name, []).append(0.0 if np.isnan(gap) else gap)
    return figures


def _coded(rows: CodedRows) -> dict[str, Any]:
    """Codes and weights as typed arrays."""
    most = [int(codes.max(initial=0)) for codes in rows.codes]
    return {
        "count": len(rows.positive),
        "bits": [8 if one < 256 else 16 for one in most],
        "codes": [
            _base64(codes.astype("<u1" if one < 256 else "<u2")) for codes, one in zip(rows.codes, most)
        ],
        "positive": _base64(rows.positive.astype("<f8")),
        "negative": _base64(rows.negative.astype("<f8")),
    }


def _base64(array: NDArray[Any]) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
