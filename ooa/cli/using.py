"""`ooa predict`, `ooa explain`, `ooa export`: what can be done with a model."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.errors import DataError, OptionError
from ooa.keeping import replacing, write_text
from ooa.rules.text import pattern_text, value_text

from .modelfile import SavedModel, read_model
from .options import names
from .output import aside, note, refuse_unwritable, say, say_json
from .reading import InputFile, source_asked_for
from .scoring import confusion_or_why_not, figures, figures_table, matrix_table, plain_labels
from .tables import confusion_there, is_table, write_predictions
from .unseen import show_unseen, unseen_values

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["explain", "export", "predict"]

#: Bytes that are written to a pipe at a time.
_PIECE = 1 << 16


def predict(arguments: argparse.Namespace) -> int:
    """Apply a rule set to a table."""
    refuse_unwritable(arguments, "output")
    model = read_model(arguments.model)
    if is_table(arguments):
        return _predict_table(arguments, model)
    source = model.source(source_asked_for(arguments))
    every = arguments.output is not None and arguments.output.endswith(".parquet")
    rules, frame = model.rules, model.frame(source, every=every)
    covers, predictions = rules.covers(frame), rules.predict(frame)
    texts = [f"({pattern_text(pattern)})" for pattern in rules]
    why = [" OR ".join(texts[k] for k in np.flatnonzero(row)) for row in covers] if arguments.why else []
    counted, reason = confusion_or_why_not(rules, frame)
    unseen = unseen_values(rules, frame, model.known)
    show_unseen(unseen)
    if arguments.json:
        document = {
            "target": rules.target,
            "positive": rules.positive,
            "negative": rules.negative,
            "rows": len(frame),
            "positives": int(covers.any(axis=1).sum()),
            "labelled": None if counted is None else figures(counted),
            "unseen": [asdict(one) for one in unseen],
            "predictions": predictions.tolist(),
        }
        say_json(document | ({"why": why} if arguments.why else {}))
        return 0
    columns = {f"predicted_{rules.target}": predictions} | ({"why": why} if arguments.why else {})
    _write(source, frame, columns, arguments.output)
    if counted is not None:
        note(f"{counted.total:,} rows have a label:")
        aside(f"{matrix_table(counted, rules)}\n\n{figures_table({'': counted})}")
    elif reason:
        note(f"the predictions are not compared with labels: {reason}")
    return 0


def _predict_table(arguments: argparse.Namespace, model: SavedModel) -> int:
    """Apply a rule set to files that are not read into memory."""
    rules, table = model.rules, write_predictions(arguments, model)
    counted = None if table is None else confusion_there(rules, table)
    if arguments.json:
        labels = {"target": rules.target, "positive": rules.positive, "negative": rules.negative}
        document = labels | dict.fromkeys(("rows", "positives", "labelled", "predictions")) | {"unseen": []}
        if counted is not None:
            document |= {"rows": counted.total, "positives": counted.flagged, "labelled": figures(counted)}
        say_json(document)
    elif counted is not None:
        note(f"{counted.total:,.0f} rows have a label:")
        aside(f"{matrix_table(counted, rules)}\n\n{figures_table({'': counted})}")
    return 0


def explain(arguments: argparse.Namespace) -> int:
    """Say why rows are predicted as they are."""
    model = read_model(arguments.model)
    source = model.source(source_asked_for(arguments))
    rules, frame = model.rules, model.frame(source)
    labels = plain_labels(rules, frame) or [None] * len(frame)
    for row in arguments.row:
        if not 0 <= row < len(frame):
            raise OptionError(f"--row {row}: {source.name} has rows 0 to {len(frame) - 1}")
    unseen = unseen_values(rules, frame.iloc[arguments.row], model.known)
    show_unseen(unseen)
    rows = []
    for row in arguments.row:
        found = rules.explain(frame.iloc[[row]])
        label = labels[row]
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
        say_json({"rows": rows, "unseen": [asdict(one) for one in unseen]})
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Write a rule set in another language."""
    from ooa.export import export as exported

    refuse_unwritable(arguments, "output")
    options = dict(_option(text) for text in arguments.option)
    text = exported(read_model(arguments.model).rules, arguments.to, **options)
    if arguments.output is not None:
        write_text(arguments.output, text if text.endswith("\n") else f"{text}\n")
    elif arguments.json:
        say_json({"to": arguments.to, "text": text})
    else:
        say(text.removesuffix("\n"))
    return 0


def _option(text: str) -> tuple[str, Any]:
    """An option of an export: a text, a whole number, true or false; types are like age:number,job:text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise OptionError(f"--option {text}: expected NAME=VALUE")
    if name == "types":
        pairs = (one.rpartition(":") for one in names(value))
        return name, {column.strip(): kind.strip() for column, _, kind in pairs}
    if value.lower() in ("true", "false"):
        return name, value.lower() == "true"
    return name, int(value) if value.isdecimal() else value


def _write(source: InputFile, frame: pd.DataFrame, columns: dict[str, Any], place: str | None) -> None:
    """Write the table as it was, with further columns."""
    if place is not None and place.endswith(".parquet"):
        try:
            with replacing(place) as draft:
                frame.assign(**columns).to_parquet(draft, index=False)
        except ImportError:
            raise DataError(f"{place}: writing Parquet needs pyarrow (pip install pyarrow)") from None
        return
    if place is not None and place.lower().endswith((".xlsx", ".xls")):
        raise OptionError(f"--output {place}: the name must end in .csv, .tsv or .parquet")
    delimiter = source.delimiter if source.is_text else ","
    if place is not None and place.endswith(".tsv"):
        delimiter = "\t"
    elif place is not None and place.endswith(".csv") and delimiter == "\t":
        delimiter = ","
    end = source.line_end
    text = source.cells().assign(**columns).to_csv(sep=delimiter, index=False, lineterminator=end)
    content = text.encode(source.written_in, errors="backslashreplace")
    if place is not None:
        with replacing(place) as draft:
            draft.write_bytes(content)
    elif sys.stdout.isatty() or not hasattr(sys.stdout, "buffer"):
        say(text.replace(end, "\n").removesuffix("\n"))  # a screen has an encoding of its own
    else:
        sys.stdout.flush()
        for start in range(0, len(content), _PIECE):  # of one large piece, a reader that goes is not noticed
            sys.stdout.buffer.write(content[start : start + _PIECE])
