"""Evaluate patterns on data: vectorised, in chunks of bounded memory, over the columns they use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ooa.data.columns import Category, Column, Kind
from ooa.data.frames import Frame, open_frame
from ooa.data.labels import row_weights
from ooa.errors import DataError, InexactError, RuleError

from .levels import LevelRange
from .literal import Equal, Literal, NotEqual, OneOf
from .values import value_key

if TYPE_CHECKING:
    import pandas as pd

    from .pattern import Pattern
    from .ruleset import RuleSet

__all__ = ["check_comparable", "column_for", "covers", "is_positive", "open_for", "predicts", "statistics"]

_CHUNK_ROWS = 1 << 16  # a column's chunk and the masks made of it stay in cache
_CHUNK_CELLS = 1 << 24  # rows times literals: the masks of one chunk take 16 MB at most


def covers(patterns: Sequence[Pattern], X: object, *, check: bool = False) -> NDArray[np.bool_]:
    """Return for each row and each pattern whether the pattern holds; see `RuleSet.covers`.

    With `check`, columns have to be of the kind that the patterns compare them with; see `check_comparable`.
    """
    frame = open_for(patterns, X)
    out = np.empty((frame.n_rows, len(patterns)), dtype=bool, order="F")
    for rows, masks in _chunks(patterns, frame, check):
        for k, mask in enumerate(masks):
            out[rows, k] = mask
    return out


def predicts(patterns: Sequence[Pattern], X: object) -> NDArray[np.bool_]:
    """Return for each row whether any pattern holds; columns have to be of the kind that it takes."""
    frame = open_for(patterns, X)
    out = np.zeros(frame.n_rows, dtype=bool)
    for rows, masks in _chunks(patterns, frame, check=True):
        part = out[rows]
        for mask in masks:
            part |= mask
    return out


def statistics(
    rules: RuleSet, X: object, y: ArrayLike | Iterable[object], sample_weight: ArrayLike | None = None
) -> pd.DataFrame:
    """Count what each pattern does on labelled rows.

    Parameters
    ----------
    rules : RuleSet
    X : frame or array
    y : sequence of labels
        Each the positive or the negative label of the rule set.
    sample_weight : sequence of float, optional
        Finite and not negative. A row of weight 0 is as good as absent.

    Returns
    -------
    pandas.DataFrame
        One row per pattern, named by its compact text, with the columns

        - literals: how many literals the pattern has;
        - support: how many rows it covers;
        - positives, negatives: of these, how many have which label;
        - precision: positives / support (NaN without support);
        - recall: positives / all positive rows (NaN without any);
        - marginal_coverage: how many rows it covers that no other pattern does.

        All of these count rows. With `sample_weight` the same are there again as weighted_support and so on,
        of what the rows weigh.
    """
    import pandas as pd

    from .text import pattern_text

    frame = open_for(rules.patterns, X)
    positive = is_positive(rules, y, frame.n_rows)
    weights: dict[str, NDArray[Any]] = {"": np.ones(frame.n_rows, dtype=np.int64)}
    if sample_weight is not None:
        weights["weighted_"] = row_weights(sample_weight, frame.n_rows)
        weights[""] = (weights["weighted_"] > 0).astype(np.int64)
    counts = {named: np.zeros((3, len(rules)), dtype=weight.dtype) for named, weight in weights.items()}
    for rows, masks in _chunks(rules.patterns, frame, check=True):
        parts = list(masks)
        once = np.sum(parts, axis=0) == 1
        for named, weight in weights.items():
            for k, mask in enumerate(parts):
                of_interest = mask, mask & positive[rows], mask & once
                counts[named][:, k] += [weight[rows][part].sum() for part in of_interest]
    columns: dict[str, Any] = {"literals": [len(pattern) for pattern in rules]}
    for named, (support, positives, marginal) in counts.items():
        with np.errstate(invalid="ignore", divide="ignore"):
            columns |= {
                f"{named}support": support,
                f"{named}positives": positives,
                f"{named}negatives": support - positives,
                f"{named}precision": positives / support,
                f"{named}recall": positives / weights[named][positive].sum(),
                f"{named}marginal_coverage": marginal,
            }
    texts = [pattern_text(pattern, compact=True) for pattern in rules]
    return pd.DataFrame(columns, index=pd.Index(texts, dtype=object))


def open_for(patterns: Iterable[Pattern], X: object) -> Frame:
    """Open data and check that it has every column that the patterns use."""
    frame = open_frame(X)
    lacking = sorted({name for pattern in patterns for name in pattern.attributes} - set(frame.names))
    if lacking:
        names = ", ".join(map(repr, lacking))
        raise RuleError(f"The rules use {names}, but the data have no such column{'s' * (len(lacking) > 1)}")
    return frame


def _chunks(
    patterns: Sequence[Pattern], frame: Frame, check: bool
) -> Iterator[tuple[slice, Iterator[NDArray[np.bool_]]]]:
    """Yield a range of rows and, one after the other, the pattern's truth values on them."""
    literals: dict[Literal, int] = {}
    plan = [[literals.setdefault(literal, len(literals)) for literal in pattern] for pattern in patterns]
    step = max(1024, min(_CHUNK_ROWS, _CHUNK_CELLS // max(len(literals), 1)))
    for start in range(0, frame.n_rows, step):
        rows = slice(start, min(start + step, frame.n_rows))
        holds = _literal_masks(literals, frame.slice(rows.start, rows.stop), check)
        yield rows, (_all_of([holds[i] for i in indices]) for indices in plan)


def _literal_masks(literals: Collection[Literal], frame: Frame, check: bool) -> list[NDArray[np.bool_]]:
    """Evaluate each literal once, and convert each column once."""
    columns: dict[tuple[str, Kind | None], Column] = {}
    for literal in literals:
        wanted = literal.attribute, literal.needs
        if wanted not in columns:
            columns[wanted] = column_for(literal, frame)
    if check:
        check_comparable(literals, columns.values())
    return [literal.mask(columns[literal.attribute, literal.needs]) for literal in literals]


def column_for(literal: Literal, frame: Frame) -> Column:
    """Return the column that a literal is about as it has to be; single values are told apart as categories.

    Examples
    --------
    >>> column_for(Equal("code", 7), open_frame({"code": [7, 2**53 + 1]})).categories
    (7, 9007199254740993)
    """
    try:
        return frame.column(literal.attribute, literal.needs)
    except InexactError:
        if literal.needs is not None:
            raise
        return frame.column(literal.attribute, "categorical")


def check_comparable(literals: Iterable[Literal], columns: Iterable[Column]) -> None:
    """Raise if a column holds nothing of the kind that the literals compare it with, and so never matches.

    Text and numbers are never equal, nor are true and 1. A column without values is no error, and neither is
    one that some literal can match.
    """
    named: dict[str, list[Category]] = {}
    for literal in literals:
        match literal:
            case Equal() | NotEqual():
                named.setdefault(literal.attribute, []).append(literal.value)
            case OneOf():
                named.setdefault(literal.attribute, []).extend(literal.values)
            case LevelRange():
                named.setdefault(literal.attribute, []).extend(literal.levels)
    for column in columns:
        sought, held = named.get(column.name, []), _families(column)
        wanted = {_FAMILIES[value_key(value)[0]] for value in sought}
        if wanted and held and not held & wanted:
            raise DataError(
                f"Column {column.name!r} holds {' and '.join(sorted(held))}, but the rules compare it with "
                f"{' and '.join(sorted(wanted))} ({sought[0]!r}), which never match: convert the column"
            )


#: What values are, by the first part of their key.
_FAMILIES = ("true/false", "numbers", "text")


def _families(column: Column) -> set[str]:
    """What the values of a column are; nothing if all are missing."""
    if column.missing.all():
        return set()
    if column.names:
        return {_FAMILIES[value_key(name)[0]] for name in column.names}
    return {"times" if column.time else "numbers"}


def _all_of(masks: list[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Return where all masks hold, leaving them as they are."""
    if len(masks) == 1:
        return masks[0]
    joined = masks[0] & masks[1]
    for mask in masks[2:]:
        joined &= mask
    return joined


def is_positive(rules: RuleSet, y: Any, n_rows: int) -> NDArray[np.bool_]:
    """Return which labels are the positive one; raise on any that is neither."""
    import pandas as pd

    try:
        codes, labels = pd.factorize(pd.Series(y))
    except (TypeError, ValueError):
        raise DataError("y must be a sequence of labels, one per row") from None
    if len(codes) != n_rows:
        raise DataError(f"There are {n_rows} rows but {len(codes)} labels")
    for code, label in [(-1, None), *enumerate(labels.tolist())]:
        first = np.flatnonzero(codes == code)[:1]
        if len(first) and label not in (rules.positive, rules.negative):
            raise DataError(
                f"The label of row {first[0]} is {'missing' if code < 0 else repr(label)}, neither "
                f"{rules.positive!r} nor {rules.negative!r}"
            )
    is_positive = [label == rules.positive for label in labels.tolist()]
    return np.array([*is_positive, False])[codes]
