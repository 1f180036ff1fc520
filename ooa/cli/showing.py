"""`ooa backends` and `ooa datasets`: what is there to work with."""

from __future__ import annotations

import argparse
from typing import Any

from ooa.kernels.availability import instruction_set, what_is_missing
from ooa.solving.registry import available_backends

from .output import say, say_json, text_table

__all__ = ["backends", "datasets"]


def backends(arguments: argparse.Namespace) -> int:
    """Show the solvers, and whether the core is compiled."""
    found = available_backends()
    if arguments.json:
        solvers: list[dict[str, Any]] = [
            {
                "name": name,
                "available": one.ok,
                "version": one.version,
                "max_rows": one.max_rows,
                "max_columns": one.max_columns,
                "reason": one.reason,
            }
            for name, one in found.items()
        ]
        core = {"instruction_set": instruction_set(), "missing": what_is_missing() or None}
        say_json({"backends": solvers, "core": core})
        return 0
    rows = []
    for name, one in found.items():
        limits = [
            f"{limit:,} {what}"
            for limit, what in ((one.max_rows, "rows"), (one.max_columns, "columns"))
            if limit is not None
        ]
        licence = f"models of at most {' and '.join(limits)}" if limits else "no limit"
        rows.append([name, one.version or "-" if one.ok else "-", licence if one.ok else one.reason])
    say(text_table(["backend", "version", "licence, or what is missing"], rows, left=range(3)))
    say("\nchoose one with: ooa fit data.csv --target y --backend NAME")
    say(what_is_missing() or f"the compiled core is there, for the instruction set {instruction_set()}")
    return 0


def datasets(arguments: argparse.Namespace) -> int:
    """Show the data sets."""
    from ooa.datasets.catalogue import list_datasets

    listed = list_datasets().reset_index()
    if arguments.json:
        say_json({"datasets": listed.to_dict(orient="records")})
        return 0
    rows = [
        [
            one.name,
            f"{one.rows:,}",
            one.numeric,
            one.categorical,
            f"{one.positives:,}",
            one.source,
            one.description,
        ]
        for one in listed.itertuples(index=False)
    ]
    head = ["name", "rows", "numeric", "categorical", "positives", "source", "description"]
    say(text_table(head, rows, left=(0, 5, 6)))
    say("\nuse one by name: ooa fit dataset:monks1")
    say("UCI sets are downloaded once, or read from the folder that OOA_DATA names")
    return 0
