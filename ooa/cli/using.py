"""`ooa predict`, `ooa explain`, `ooa export`: what can be done with a model."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.frames import open_frame
from ooa.errors import DataError, OptionError
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import pattern_text, value_text

from .modelfile import SavedModel, read_model
from .output import note, say, say_json
from .reading import Source, open_source

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["explain", "export", "predict"]


def predict(arguments: argparse.Namespace) -> int:
    """Apply a rule set to a table."""
    model, source, frame = _opened(arguments)
    rules = model.rules
    covers = rules.covers(frame)
    predictions = rules.predict(frame)
    texts = [f"({pattern_text(pattern)})" for pattern in rules]
    why = [" OR ".join(texts[k] for k in np.flatnonzero(row)) for row in covers] if arguments.why else []
    fires: NDArray[np.bool_] = np.asarray(covers.any(axis=1))
    actual = _actual(rules, frame)
    score = _score(fires, actual)
    if arguments.json:
        document = {
            "target": rules.target,
            "positive": rules.positive,
            "negative": rules.negative,
            "rows": len(frame),
            "positives": int(fires.sum()),
            **score,
            "predictions": predictions.tolist(),
        }
        say_json(document | ({"why": why} if arguments.why else {}))
        return 0
    columns = {f"predicted_{rules.target}": predictions} | ({"why": why} if arguments.why else {})
    _write(source, frame, columns, arguments.output)
    if score:
        labelled = int((~np.isnan(actual)).sum())
        note(f"{score['errors']:,} errors in {labelled:,} labelled rows (accuracy {score['accuracy']:.4f})")
    return 0


def explain(arguments: argparse.Namespace) -> int:
    """Say why rows are predicted as they are."""
    model, source, frame = _opened(arguments)
    rules = model.rules
    actual = _actual(rules, frame)
    rows = []
    for row in arguments.row:
        if not 0 <= row < len(frame):
            raise OptionError(f"--row {row}: {source.name} has rows 0 to {len(frame) - 1}")
        found = rules.explain(frame.iloc[[row]])
        label = None if np.isnan(actual[row]) else (rules.positive if actual[row] else rules.negative)
        if arguments.json:
            missed = [
                {"pattern": pattern_text(pattern), "because": [str(miss) for miss in misses]}
                for pattern, misses in found.missed.items()
            ]
            rows.append(
                {
                    "row": row,
                    "label": found.label,
                    "actual": label,
                    "values": found.values,
                    "fired": [pattern_text(pattern) for pattern in found.fired],
                    "missed": missed,
                }
            )
            continue
        truth = f" (in the data: {value_text(label)})" if label is not None else ""
        say(f"row {row}{truth}: {found}")
    if arguments.json:
        say_json({"rows": rows})
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Write a rule set in another language."""
    from ooa.export import export as exported

    options = dict(_option(text) for text in arguments.option)
    text = exported(read_model(arguments.model).rules, arguments.to, **options)
    if arguments.output is not None:
        Path(arguments.output).write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    elif arguments.json:
        say_json({"to": arguments.to, "text": text})
    else:
        say(text.removesuffix("\n"))
    return 0


def _option(text: str) -> tuple[str, Any]:
    """An option of an export: a text, a whole number, true or false."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise OptionError(f"--option {text}: expected NAME=VALUE")
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    return name, int(value) if value.isdecimal() else value


def _opened(arguments: argparse.Namespace) -> tuple[SavedModel, Source, pd.DataFrame]:
    """The model, and the table with the types the model expects."""
    model = read_model(arguments.model)
    source = open_source(arguments.data)
    return model, source, source.frame(arguments.na, model.categorical)


def _actual(rules: RuleSet, frame: pd.DataFrame) -> NDArray[np.float64]:
    """Per row 1 if its label is the positive one, 0 if it is another, NaN if it is not known."""
    if rules.target not in frame.columns:
        return np.full(len(frame), np.nan)
    labels = open_frame(frame).column(rules.target, kind="categorical")
    positive = [float(str(label) == str(rules.positive)) for label in labels.categories]
    known = {str(rules.positive), str(rules.negative)}
    against_rest = rules.negative == f"not {rules.positive}"
    if not against_rest and not {str(label) for label in labels.categories} <= known:
        return np.full(len(frame), np.nan)  # other labels than in training: nothing to compare with
    actual: NDArray[np.float64] = np.array([*positive, np.nan])[labels.values]
    return actual


def _score(fires: NDArray[np.bool_], actual: NDArray[np.float64]) -> dict[str, Any]:
    """Errors and accuracy on the rows whose label is known."""
    known = ~np.isnan(actual)
    if not known.any():
        return {}
    errors = int((fires[known] != (actual[known] == 1)).sum())
    return {"errors": errors, "accuracy": 1 - errors / int(known.sum())}


def _write(source: Source, frame: pd.DataFrame, columns: dict[str, Any], place: str | None) -> None:
    """Write the table as it was, with further columns."""
    if place is not None and place.endswith(".parquet"):
        try:
            frame.assign(**columns).to_parquet(place, index=False)
        except ImportError:
            raise DataError(f"{place}: writing Parquet needs pyarrow (pip install pyarrow)") from None
        return
    delimiter = source.delimiter if source.is_text else ","
    if place is not None and place.endswith((".csv", ".tsv")):
        delimiter = "," if place.endswith(".csv") else "\t"
    written = source.cells().assign(**columns)
    if place is not None:
        written.to_csv(place, sep=delimiter, index=False)
    else:
        written.to_csv(sys.stdout, sep=delimiter, index=False, lineterminator="\n")
