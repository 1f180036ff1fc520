"""The UCI sets by name: what each must look like, and how to read it from a folder or from OpenML."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from ooa.errors import DataError

FOLDER_VARIABLE = "OOA_DATA"


@dataclass(frozen=True)
class UciSet:
    """One UCI set: its columns and their kinds, the counts that identify a good copy, its OpenML form."""

    name: str
    description: str
    target: str  # what a 1 in the label means
    rows: int
    positives: int
    columns: tuple[str, ...]
    numeric: frozenset[str]
    openml_id: int
    openml_positive: tuple[str, ...]  # OpenML's label(s) of the positive class
    incomplete_rows: int = 0
    missing_value: str | None = None  # when an empty cell is a value of its own
    openml_columns: tuple[str, ...] = ()  # OpenML's names, where they are not ours
    openml_target: str = "default-target"
    codes: Mapping[str, str] = field(default_factory=dict)  # column -> "code=value code=value"


def read_uci(spec: UciSet) -> tuple[pd.DataFrame, pd.Series[int]]:
    """Attributes and 0/1 labels of a UCI set, from the folder in ``OOA_DATA`` if it is there, else OpenML."""
    path = _file_in_folder(spec)
    X, y = _from_csv(spec, path) if path is not None else _from_openml(spec)
    where = str(path) if path is not None else f"OpenML set {spec.openml_id}"
    found = (len(X), int(y.sum()), int(X.isna().any(axis=1).sum()))
    expected = (spec.rows, spec.positives, spec.incomplete_rows)
    if found != expected:
        counts = "{} rows, {} positive, {} with a missing cell"
        raise DataError(
            f"{where} is not the UCI set {spec.name!r}: it has {counts.format(*found)}, "
            f"but the documented set has {counts.format(*expected)}."
        )
    if spec.missing_value is not None:
        X = X.astype(object).fillna(spec.missing_value).astype("category")
    return X, y


def _file_in_folder(spec: UciSet) -> Path | None:
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise DataError(
            f"The environment variable {FOLDER_VARIABLE} names {folder!r}, which is not a folder."
        )
    path = Path(folder) / f"{spec.name}.csv"
    return path if path.is_file() else None


def _from_csv(spec: UciSet, path: Path) -> tuple[pd.DataFrame, pd.Series[int]]:
    """Read a CSV with a 0/1 column ``target``; only an empty cell is missing ("none" is a value)."""
    text = {name: str for name in spec.columns if name not in spec.numeric}
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=text)
    absent = [name for name in (*spec.columns, "target") if name not in frame]
    if absent:
        raise DataError(f"{path} has no column {absent[0]!r}.")
    if not set(frame["target"].unique()) <= {0, 1}:
        raise DataError(f"The column 'target' of {path} must hold 0 and 1 only.")
    return _typed(spec, frame, str(path)), frame["target"].astype("int64").rename(spec.target)


def _from_openml(spec: UciSet) -> tuple[pd.DataFrame, pd.Series[int]]:
    """Download (or take from scikit-learn's cache) the OpenML set and bring it to our names and values."""
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # bupa's selector is flagged "ignore" there; we know
            bunch = fetch_openml(
                data_id=spec.openml_id,
                target_column=spec.openml_target,
                as_frame=True,
                parser="auto",
                n_retries=1,
            )
    except (OSError, ValueError) as error:  # no connection; an unknown or damaged set
        raise DataError(
            f"The set {spec.name!r} could not be downloaded from openml.org ({error}): connect to the "
            f"internet once (it is cached), or set {FOLDER_VARIABLE} to a folder that holds {spec.name}.csv."
        ) from error

    where = f"OpenML set {spec.openml_id}"
    theirs = {_plain(str(name)): column for name, column in bunch.data.items()}
    columns = {}
    for ours, name in zip(spec.columns, spec.openml_columns or spec.columns):
        if _plain(name) not in theirs:
            raise DataError(f"{where} has no column {name!r}.")
        columns[ours] = theirs[_plain(name)]
    frame = pd.DataFrame(columns).reset_index(drop=True)
    for name, codes in spec.codes.items():
        frame[name] = _decoded(frame[name], codes, f"Column {name!r} of {where}")
    y = _as_text(bunch.target).isin(spec.openml_positive).astype("int64")
    return _typed(spec, frame, where), y.reset_index(drop=True).rename(spec.target)


def _plain(name: str) -> str:
    """A column's name without case, punctuation and URL escapes: ``bruises%3F`` is ``bruises``."""
    return re.sub(r"%[0-9a-f]{2}|[^a-z0-9]", "", name.lower())


def _as_text(column: pd.Series) -> pd.Series:
    """Values as strings, whole numbers without ``.0``, missing kept."""
    texts = {
        value: f"{value:g}" if isinstance(value, float) else str(value) for value in column.dropna().unique()
    }
    return column.astype(object).map(texts)


def _decoded(column: pd.Series, codes: str, where: str) -> pd.Series:
    """Replace each code by the value that the UCI documentation gives it."""
    mapping = dict(pair.split("=") for pair in codes.split())
    texts = _as_text(column)
    unknown = sorted(set(texts.dropna()) - set(mapping))
    if unknown:
        raise DataError(f"{where} holds the undocumented code {unknown[0]!r}.")
    return texts.map(mapping)


def _typed(spec: UciSet, frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """Our columns in our order: numeric as float64, the others as categories of strings."""
    columns: dict[str, pd.Series[Any]] = {}
    for name in spec.columns:
        if name in spec.numeric:
            try:
                columns[name] = pd.to_numeric(frame[name]).astype("float64")
            except (TypeError, ValueError) as error:
                raise DataError(f"Column {name!r} of {where} must be numeric: {error}.") from error
        else:
            columns[name] = _as_text(frame[name]).astype("category")
    return pd.DataFrame(columns)
