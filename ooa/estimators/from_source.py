"""Fits to rows that are not read into memory: what an estimator asks of a source, and says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ooa.data.rows import Attribute
from ooa.data.table import Table
from ooa.engines.capacity import hoeffding
from ooa.engines.compress import Compressed, ReadAs, compress
from ooa.engines.reading import EngineRows
from ooa.engines.source import source_of
from ooa.engines.testing_rows import confusion_on, rows_to_test
from ooa.errors import DataError
from ooa.learning.certificate import Certificate, Scope
from ooa.learning.settings import FitSettings, OOAxSettings
from ooa.rules.ruleset import RuleSet

from .parameters import is_literal
from .sklearn_compat import validate
from .validation import check_classes

__all__ = ["certified", "cut_by", "read_source", "score_on", "test_rows"]


def read_source(
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    parameters: dict[str, Any],
    say: Callable[[str], None],
    fold: str = "",
) -> tuple[Compressed, NDArray[Any]]:
    """Compress a source as an estimator is told, and return the two classes as well.

    Parameters
    ----------
    estimator : is told the names of the columns
    X : what `ooa.engines.source.is_source` says yes to
    y, sample_weight : the names of its columns of labels, and of weights if there is one
    parameters : of the estimator
    say : what is told about progress
    fold : the name of a column that says which rows are held out together, if there is one
    """
    _check_named(y, sample_weight)
    found = compress(
        source_of(X),
        ReadAs(
            target=y,
            weight=sample_weight or "",
            positive=parameters["positive"],
            class_weight=parameters["class_weight"],
            categorical=parameters["categorical"],
            numeric=parameters["numeric"],
            missing="false" if is_literal(parameters["missing"]) else parameters["missing"],
            thresholds=parameters["thresholds"],
            max_thresholds=parameters["max_thresholds"],
            fold=fold,
        ),
        say,
    )
    classes = np.unique(np.array(found.table.labels))
    check_classes(classes)
    names = [attribute.name for attribute in found.table.attributes]
    validate(estimator, pd.DataFrame(columns=names), reset=True, array=False)
    return found, classes.astype(np.float64) if found.float_labels else classes


def _check_named(y: Any, sample_weight: Any) -> None:
    for given, what in ((y, "labels"), (sample_weight, "weights")):
        if not isinstance(given, str) and (given is not None or what == "labels"):
            raise DataError(
                f"The {what} of rows that are not in memory must be one of their columns: pass its name, not "
                f"{'nothing' if given is None else f'a {type(given).__name__}'}"
            )


def score_on(rules: RuleSet, X: Any, y: Any, sample_weight: Any) -> float:
    """The share of the weight that is classified right, counted where the rows live."""
    found = confusion_on(rules, _labelled(X, y, sample_weight))
    if not found.total:
        raise DataError("The weights are all zero: at least one row must count")
    return 1 - found.errors / found.total


def test_rows(rules: RuleSet, attributes: Sequence[Attribute], X: Any, y: Any, sample_weight: Any) -> Table:
    """Rows to report on, merged where they live."""
    known = {attribute.name: attribute for attribute in attributes}
    table = rows_to_test(rules, _labelled(X, y, sample_weight), known)
    if not table.weight.sum() > 0:
        raise DataError("The weights are all zero: at least one row must count")
    return table


def _labelled(X: Any, y: Any, sample_weight: Any) -> EngineRows:
    _check_named(y, sample_weight)
    return EngineRows(source_of(X).open(), y, sample_weight or "")


def cut_by(found: Compressed, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a fit to compressed rows: cuts are where these were merged by them."""
    return parameters | {"thresholds": found.cuts} if found.narrowed else parameters


def certified(
    certificate: Certificate, found: Compressed, rules: RuleSet, settings: FitSettings
) -> Certificate:
    """A certificate that says how rows were compressed, and claims nothing beyond their cuts."""
    statement = certificate.statement
    if found.narrowed and certificate.scope is Scope.ALL:
        statement = f"{statement.partition(' (')[0]} over these cuts"
    note = found.note
    if found.everywhere is not None:
        statement = f"{statement}, on these rows"
        note += f"; {_on_all_rows(rules, certificate, found, settings)}"
    message = "; ".join(filter(None, (note, certificate.message)))
    return replace(certificate, statement=statement, message=message)


def _on_all_rows(rules: RuleSet, certificate: Certificate, found: Compressed, settings: FitSettings) -> str:
    """What a rule set does on all rows, counted, and what the proof on a sample says about them.

    See `ooa.engines.capacity`.
    """
    assert found.everywhere is not None
    counted = confusion_on(rules, found.everywhere)
    words = f"on all {found.n_rows:,} rows its errors weigh {counted.errors:,.0f} of {counted.total:,.0f}"
    rows = found.everywhere
    weighted = rows.weight or rows.class_weight is not None or found.table.weighted
    if weighted or found.language is None or not isinstance(settings, OOAxSettings) or settings.constraints:
        return words
    # What is left out by its support on the drawn rows may do better on all.
    if settings.max_length is None or settings.max_patterns is None or settings.min_support is not None:
        return words
    number = found.language.rule_sets(
        settings.max_patterns,
        settings.max_length,
        ranges=settings.ranges,
        negations=settings.negations,
        sets=settings.sets,
    )
    slack = hoeffding(certificate.rows, number)
    return (
        f"{words}, and with a confidence of 95 % no rule set of this language has an L there below "
        f"{max(0.0, float(certificate.bound) - slack):.6g}"
    )
