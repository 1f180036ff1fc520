"""What the columns that a tree sees were made of: fitted pipelines and encoders read backwards."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import listed_items, truth
from ooa.data.columns import canonical_value
from ooa.errors import DataError, OptionError, RuleError

from .cells import Coded, Raw, TreeInput

__all__ = ["read_inputs"]

_UNSEEN = "a value that is not there"


def read_inputs(
    model: Any, feature_names: Sequence[str] | None, *, missing: bool, unknown: bool
) -> tuple[Any, list[TreeInput]]:
    """Return the last step of a pipeline, or the model itself, and what each of its columns is made of.

    Parameters
    ----------
    model : a fitted tree, forest or `Pipeline` that ends in one
    feature_names : the names of the columns that the model takes
    missing, unknown : whether missing values, and categories that an encoder does not know, count
    """
    from sklearn.exceptions import NotFittedError
    from sklearn.pipeline import Pipeline
    from sklearn.utils.validation import check_is_fitted

    missing, unknown = truth(missing, "missing"), truth(unknown, "unknown")
    steps = [step for _, step in model.steps] if isinstance(model, Pipeline) else [model]
    try:
        check_is_fitted(steps[-1])
        names = _names(next(step for step in steps if hasattr(step, "n_features_in_")), feature_names)
    except (NotFittedError, AttributeError, TypeError):
        raise OptionError(f"{type(model).__name__} is not a fitted scikit-learn model") from None
    reader = _Reader(missing, unknown)
    sources: list[TreeInput] = [Raw(name, missing) for name in names]
    for step in steps[:-1]:
        sources = reader.through(step, sources)
    return steps[-1], sources


def _names(first: Any, given: Sequence[str] | None) -> list[str]:
    """The names of the columns: as given, as fitted, or x0, x1, ... as `open_frame` calls them."""
    n_columns = first.n_features_in_
    if given is not None:
        names = list(map(str, listed_items(given, "feature_names", object, "names")))
        if len(names) != n_columns:
            raise OptionError(f"feature_names={given!r:.60} must name the {n_columns} columns of the model")
    else:
        names = [str(name) for name in getattr(first, "feature_names_in_", ())]
    names = names or [f"x{j}" for j in range(n_columns)]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"two columns of the model are called {repeated!r}")
    return names


@dataclass(frozen=True)
class _Reader:
    """Follows columns through transformers."""

    missing: bool
    unknown: bool

    def through(self, step: Any, sources: list[TreeInput]) -> list[TreeInput]:
        """What each column after a step is made of, from what each before it is made of."""
        from sklearn.compose import ColumnTransformer
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder

        if step is None or step == "passthrough":
            return sources
        if isinstance(step, FunctionTransformer) and step.func is None:
            return sources
        if isinstance(step, Pipeline):
            for _, part in step.steps:
                sources = self.through(part, sources)
            return sources
        if isinstance(step, ColumnTransformer):
            return self._columns(step, sources)
        if isinstance(step, (OneHotEncoder, OrdinalEncoder)):
            return self._encoded(step, sources)
        raise RuleError(
            f"conditions on the columns cannot be read through {type(step).__name__}: only OneHotEncoder, "
            "OrdinalEncoder, ColumnTransformer and 'passthrough' are (trees need no scaling)"
        )

    def _columns(self, step: Any, sources: list[TreeInput]) -> list[TreeInput]:
        """Follow columns through the parts of a fitted `ColumnTransformer`."""
        names = [str(name) for name in getattr(step, "feature_names_in_", ())]
        result: list[TreeInput] = []
        for label, part, chosen in step.transformers_:
            place = step.output_indices_[label]
            if part == "drop" or place.stop == place.start:
                continue
            with warnings.catch_warnings():  # scikit-learn 1.5 and 1.6 warn of how they list the remainder
                warnings.simplefilter("ignore", FutureWarning)
                taken = _positions(chosen, names, len(sources))
            result += self.through(part, [sources[j] for j in taken])
        return result

    def _encoded(self, encoder: Any, sources: list[TreeInput]) -> list[TreeInput]:
        """Ask an encoder what it makes of every category, and of unknown and missing values."""
        result: list[TreeInput] = []
        for i, source in enumerate(sources):
            if isinstance(source, Coded):
                raise RuleError(f"column {source.attribute!r} is encoded twice")
            categories = encoder.categories_[i]
            known = [value for value in categories.tolist() if not _is_missing(value)]
            if not known:
                raise RuleError(f"column {source.attribute!r} had no value when the encoder was fitted")
            codes = _ask(encoder, i, known)
            other = _ask_any(encoder, i, _unseen(known), source.attribute) if self.unknown else None
            lacking = _ask_any(encoder, i, _lacking(categories), source.attribute) if self.missing else None
            seen = [code for code in (*codes, other, lacking) if code is not None]
            form = Coded(
                source.attribute,
                tuple(_category(source.attribute, value) for value in known),
                other is not None,
                lacking is not None,
                codes=(),
            )
            result += [replace(form, codes=tuple(map(float, column))) for column in np.array(seen).T]
        return result


def _positions(chosen: Any, names: list[str], n_columns: int) -> list[int]:
    """The columns that a part of a `ColumnTransformer` takes."""
    if isinstance(chosen, (str, int, np.integer)):
        chosen = [chosen]
    if isinstance(chosen, slice):
        ends = [names.index(end) if isinstance(end, str) else end for end in (chosen.start, chosen.stop)]
        if isinstance(chosen.stop, str):  # by name, the last one is included
            ends[1] += 1
        return list(range(n_columns))[slice(ends[0], ends[1], chosen.step)]
    listed = np.asarray(chosen)
    if listed.dtype == bool:
        return [int(j) for j in np.flatnonzero(listed)]
    return [names.index(str(c)) if isinstance(c, str) else int(c) % n_columns for c in listed.tolist()]


def _ask(encoder: Any, i: int, values: Sequence[object]) -> NDArray[np.float64]:
    """What an encoder makes of values of its i-th column, as the trees see it: one line per value."""
    import pandas as pd

    columns = {}
    for j, categories in enumerate(encoder.categories_):
        cells = list(values) if j == i else [categories[0]] * len(values)
        columns[j] = pd.Series(cells, dtype=object if categories.dtype.kind in "OUS" else None)
    rows = pd.DataFrame(columns)
    rows.columns = pd.Index(getattr(encoder, "feature_names_in_", rows.columns))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = encoder.transform(rows)
    dense = np.asarray(made.toarray() if hasattr(made, "toarray") else made)
    ends = np.cumsum([_width(encoder, j) for j in range(len(encoder.categories_))])
    return dense[:, ends[i] - _width(encoder, i) : ends[i]].astype(np.float32).astype(np.float64)


def _ask_any(encoder: Any, i: int, values: list[object], name: str) -> NDArray[np.float64] | None:
    """What an encoder makes of values that mean the same to us; None if it refuses them."""
    answers = []
    for value in values:
        try:
            answers.append(_ask(encoder, i, [value])[0])
        except (ValueError, TypeError):
            continue
    if any(not np.array_equal(answers[0], other, equal_nan=True) for other in answers[1:]):
        raise RuleError(f"the encoder tells None and NaN apart in column {name!r}, which no literal does")
    return answers[0] if answers else None


def _width(encoder: Any, i: int) -> int:
    """How many columns an encoder makes of its i-th one."""
    if not hasattr(encoder, "drop_idx_"):
        return 1
    size = len(encoder.categories_[i])
    rare = getattr(encoder, "infrequent_categories_", [None] * (i + 1))[i]
    size -= 0 if rare is None else len(rare) - 1
    return size - int(encoder.drop_idx_ is not None and encoder.drop_idx_[i] is not None)


def _unseen(known: list[Any]) -> list[object]:
    """A value that is not among the known ones; none if there is no other."""
    if all(isinstance(value, bool) for value in known):
        return [value for value in (False, True) if value not in known]
    if any(isinstance(value, str) for value in known):
        return [_UNSEEN + "!" * max(len(str(value)) for value in known)]
    return [float(max(known)) * 2 + 1 if max(known) > 0 else 1.0]


def _lacking(categories: NDArray[Any]) -> list[object]:
    """The ways to lack a value in a column: those that the encoder knows, if it knows any."""
    known = [value for value in categories.tolist() if _is_missing(value)]
    return known or ([None, np.nan] if categories.dtype.kind in "OUS" else [np.nan])


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and np.isnan(value))


def _category(attribute: str, value: object) -> Any:
    try:
        return canonical_value(value)
    except DataError as error:
        raise RuleError(f"a category of column {attribute!r}: {error}") from None
