"""`ooa evaluate` and `ooa compare`: how good a model is on labelled rows, and where two models differ."""

from __future__ import annotations

import argparse
import itertools
from dataclasses import asdict
from typing import Any

import numpy as np

from ooa.data.amounts import amount
from ooa.errors import OptionError
from ooa.rules.confusion import Confusion
from ooa.rules.text import name_text, pattern_text, value_text

from .cells import Reading
from .modelfile import SavedModel, read_model
from .output import note, say, say_json, text_table
from .reading import source_asked_for
from .scoring import (
    confusion_on,
    confusion_or_why_not,
    figures,
    figures_table,
    labelled,
    matrix_table,
    pattern_counts,
    pattern_table,
    plain_labels,
)
from .tables import confusion_there, is_table, table_to_test
from .unseen import Unseen, show_unseen, unseen_values

__all__ = ["compare", "evaluate"]

#: Rows that are shown; `--json` has them all.
SHOWN = 20


def evaluate(arguments: argparse.Namespace) -> int:
    """Count what a rule set gets right and wrong on labelled rows."""
    model = read_model(arguments.model)
    rules, unseen = model.rules, list[Unseen]()
    if is_table(arguments):
        table = table_to_test(arguments.data, model, Reading.typed(arguments))
        name, counted = arguments.data, confusion_there(rules, table)
        patterns = pattern_counts(rules, table, table.y, copies=table.copies)
    else:
        source = model.source(source_asked_for(arguments))
        name, frame = source.name, model.frame(source)
        counted = confusion_on(rules, frame)
        patterns = pattern_counts(rules, *labelled(rules, frame))
        unseen = unseen_values(rules, frame, model.known)
        show_unseen(unseen)
    if arguments.json:
        found = {"patterns": patterns, "unseen": [asdict(one) for one in unseen]}
        say_json({"model": model.name, "data": name} | figures(counted) | found)
        return 0
    yes = f"{name_text(rules.target)} = {value_text(rules.positive)}"
    rows, positives = amount(counted.total), amount(counted.positives)
    say(f"{model.name} on {name}: {rows} labelled rows, {yes} in {positives}\n")
    say(f"{rules}\n")
    if patterns:
        say(f"{pattern_table(patterns)}\n")
    say(f"{matrix_table(counted, rules)}\n\n{figures_table({'': counted})}")
    return 0


def compare(arguments: argparse.Namespace) -> int:
    """Show where two rule sets differ, row by row."""
    models = [read_model(place) for place in (arguments.model, arguments.other)]
    _check_alike(*models)
    source = source_asked_for(arguments)
    frames = [model.frame(model.source(source)) for model in models]
    differ = _differences(models, frames)
    counted: dict[str, Confusion] = {}
    for model, frame in zip(models, frames):
        found, reason = confusion_or_why_not(model.rules, frame)
        if found is not None:
            counted[model.name] = found
    if reason:
        note(f"the predictions are not compared with labels: {reason}")
    names = [model.name for model in models]
    found_new = [unseen_values(model.rules, frame, model.known) for model, frame in zip(models, frames)]
    unseen = list(dict.fromkeys(itertools.chain(*found_new)))
    show_unseen(sorted(unseen, key=lambda one: one.column))
    if arguments.json:
        document = {"models": names, "data": source.name, "rows": len(frames[0]), "differ": differ}
        document |= {"unseen": [asdict(one) for one in unseen]}
        say_json(document | {"labelled": [figures(one) for one in counted.values()] or None})
        return 0
    say(f"{names[0]} and {names[1]} differ on {len(differ):,} of {len(frames[0]):,} rows of {source.name}")
    if counted:
        say(f"\n{figures_table(counted)}")
    if differ:
        say(f"\n{_table(differ, models[0].rules.target, names)}")
    if len(differ) > SHOWN:
        say(f"... and {len(differ) - SHOWN:,} more; --json has them all")
    return 0


def _check_alike(first: SavedModel, second: SavedModel) -> None:
    """Refuse models that predict different things."""
    mine, its = (
        f"{model.rules.target} = {model.rules.positive!r} or {model.rules.negative!r}"
        for model in (first, second)
    )
    if mine != its:
        raise OptionError(f"{first.name} predicts {mine}, but {second.name} {its}")


def _differences(models: list[SavedModel], frames: list[Any]) -> list[dict[str, Any]]:
    """The rows on which two rule sets differ: the label, what each predicts, and which patterns hold."""
    holds = [model.rules.covers(frame) for model, frame in zip(models, frames)]
    fires = [np.asarray(one.any(axis=1)) for one in holds]
    rules = models[0].rules
    labels = plain_labels(rules, frames[0])
    texts = [[pattern_text(pattern) for pattern in model.rules] for model in models]
    return [
        {
            "row": int(row),
            "label": labels[row] if labels else None,
            "predictions": [rules.positive if fire[row] else rules.negative for fire in fires],
            "because": [texts[j][k] for j in (0, 1) for k in np.flatnonzero(holds[j][row])],
        }
        for row in np.flatnonzero(fires[0] != fires[1])
    ]


def _table(differ: list[dict[str, Any]], target: str, names: list[str]) -> str:
    """The same for people."""
    known = any(one["label"] is not None for one in differ)
    head = ["row", *([target] if known else []), *names, "because"]
    rows = [
        [
            one["row"],
            *(["-" if one["label"] is None else value_text(one["label"])] if known else []),
            *map(value_text, one["predictions"]),
            " OR ".join(f"({text})" for text in one["because"]),
        ]
        for one in differ[:SHOWN]
    ]
    return text_table(head, rows, left=range(1, len(head)))
