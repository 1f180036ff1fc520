"""Other libraries in their own interpreters: find them, hand over a job, turn their rules into a RuleSet.

The interpreters are named by OOA_PEER_PYTHON, separated by colons; `requirements-peers.txt` says what to
install in them. Without it, this interpreter is asked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from cutting import deciles
from numpy.typing import NDArray

from ooa.candidates.generate import candidate_literals
from ooa.data.table import Table
from ooa.rules.literal import Equal, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

WORKER = Path(__file__).with_name("peer_worker.py")
VARIABLE = "OOA_PEER_PYTHON"
Condition = Sequence[Any]


@dataclass(frozen=True)
class Tuning:
    """Settings to choose from by cross-validation, and the fold of each row in it."""

    grid: Sequence[Mapping[str, Any]]
    folds: NDArray[np.int64]


@dataclass(frozen=True)
class Fitted:
    """What a peer learned. `rules` is None if its rules vote; then the size is what it says."""

    rules: RuleSet | None
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    patterns: int
    literals: int
    seconds: float
    tuning_seconds: float
    params: Mapping[str, Any]
    kind: str
    version: str


@cache
def interpreters() -> dict[str, tuple[str, str]]:
    """For every peer that can be imported somewhere: its version and the interpreter."""
    found: dict[str, tuple[str, str]] = {}
    for python in (os.environ.get(VARIABLE) or sys.executable).split(os.pathsep):
        done = subprocess.run(
            [python, str(WORKER), "--probe"], capture_output=True, text=True, timeout=300, check=False
        )
        if done.returncode != 0:
            print(f"{python} cannot be asked for peers: {done.stderr.strip()[-200:]}", file=sys.stderr)
            continue
        for name, version in json.loads(done.stdout.strip().splitlines()[-1]).items():
            found.setdefault(name, (version, python))
    return found


def fit_peer(
    peer: str,
    X: pd.DataFrame,
    y: NDArray[np.int64],
    X_test: pd.DataFrame,
    *,
    C: str = "0.005",
    limit: float = 60.0,
    tuning: Tuning | None = None,
    python: str | None = None,
    processor: bool = False,
) -> Fitted:
    """Fit a peer on some rows and predict them and others.

    Parameters
    ----------
    peer : one of `peer_worker.PEERS`
    X, y, X_test : the rows to learn from with 0/1 labels, and other rows; without missing values
    C : price of a literal and of a pattern, for peers that have such
    limit : seconds, for peers that have such
    tuning : settings to choose from by cross-validation
    python : the interpreter; by default the one that has the peer
    processor : whether seconds, and the limit of those that ask Python for the time, are of the processor
    """
    table = Table.from_any(X, y)
    literals = candidate_literals(table, thresholds=deciles(table), negations=True)
    seen: set[int] = set()
    for i, other in enumerate(literals.complement.tolist()):
        if other not in seen:
            seen.add(i)
    job = {
        "peer": peer,
        "C1": C,
        "C2": C,
        "limit": limit,
        "processor": processor,
        "grid": [dict(settings) for settings in (tuning.grid if tuning is not None else ())],
        "columns": [{"name": a.name, "kind": a.kind} for a in table.attributes],
        "numbers": _codes(X),
        "single": sorted(seen),
    }
    arrays = {"y_train": y, "inner": np.zeros(len(X), dtype=np.int64) if tuning is None else tuning.folds}
    parts = {"train": X, "test": X_test}
    for part, frame in parts.items():
        arrays[f"literals_{part}"] = _holds(literals.literals, frame)
        arrays[f"numbers_{part}"] = _numbers(frame, X)
    answer = _answer(python or interpreters()[peer][1], job, arrays, parts)
    rules = None
    if "rules" in answer:
        rules = rule_set(answer["rules"], literals.literals, table)
        for part, frame in parts.items():
            if len(frame) and (rules.predict(frame) != np.array(answer[part])).any():
                raise RuntimeError(
                    f"{peer}: its rules, as a RuleSet, predict other labels on the {part} rows"
                )
    return _fitted(answer, rules)


def _answer(
    python: str, job: dict[str, Any], arrays: dict[str, NDArray[Any]], parts: dict[str, pd.DataFrame]
) -> dict[str, Any]:
    """Hand a job over to a peer in its interpreter, and return what it says."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "job.json").write_text(json.dumps(job))
        for part, frame in parts.items():
            frame.to_csv(folder / f"{part}.csv", index=False)
        np.savez(folder / "arrays.npz", **arrays)
        done = subprocess.run([python, str(WORKER), name], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        raise RuntimeError(f"{job['peer']}: {why}")
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def _fitted(answer: dict[str, Any], rules: RuleSet | None) -> Fitted:
    """A peer's answer with its rules, if they are a rule set."""
    return Fitted(
        rules,
        np.array(answer["train"], dtype=np.int64),
        np.array(answer["test"], dtype=np.int64),
        len(rules) if rules is not None else answer["patterns"],
        rules.n_literals if rules is not None else answer["literals"],
        answer["seconds"],
        answer["tuning seconds"],
        answer["params"],
        answer["kind"],
        answer["version"],
    )


def rule_set(rules: Sequence[Sequence[Condition]], literals: Sequence[Literal], table: Table) -> RuleSet:
    """A peer's rules with one literal per attribute and pattern; simplified, which does them no harm."""
    patterns = []
    for rule in rules:
        by_attribute: dict[str, list[tuple[str, Any]]] = {}
        for condition in rule:
            for name, operator, value in _plain(condition, literals):
                by_attribute.setdefault(name, []).append((operator, value))
        merged = [_merged(name, conditions, table) for name, conditions in by_attribute.items()]
        if any(literal is None for literal in merged):
            continue  # contradictory: it never fires
        patterns.append(Pattern([literal for literal in merged if literal is not None] or [_always(table)]))
    return RuleSet(patterns).simplify()


def _always(table: Table) -> Literal:
    """A literal that holds for every row: a rule without conditions still is a rule."""
    first = table.attributes[0]
    return Range(first.name, -1e300) if first.kind == "numeric" else OneOf(first.name, first.categories)


def _plain(condition: Condition, literals: Sequence[Literal]) -> list[tuple[str, str, Any]]:
    """A condition on a raw column, whichever way it was given."""
    if len(condition) == 3:
        name, operator, value = condition
        return [(name, operator, value)]
    literal, holds = literals[condition[0]], condition[1]
    if isinstance(literal, Equal):
        return [(literal.attribute, "==" if holds else "!=", literal.value)]
    if isinstance(literal, NotEqual):
        return [(literal.attribute, "!=" if holds else "==", literal.value)]
    assert isinstance(literal, Range)
    if literal.low is None:
        closed = ("<=", ">") if literal.high_closed else ("<", ">=")
        return [(literal.attribute, closed[0 if holds else 1], literal.high)]
    closed = (">=", "<") if literal.low_closed else (">", "<=")
    return [(literal.attribute, closed[0 if holds else 1], literal.low)]


def _merged(name: str, conditions: Sequence[tuple[str, Any]], table: Table) -> Literal | None:
    """One literal that says the same as all conditions on an attribute; None if nothing meets them."""
    attribute = next(a for a in table.attributes if a.name == name)
    if attribute.kind == "categorical":
        known = {str(value): value for value in attribute.categories}
        wanted = {str(value) for operator, value in conditions if operator == "=="}
        barred = {str(value) for operator, value in conditions if operator == "!="}
        left = [known[key] for key in known if key not in barred and (not wanted or wanted == {key})]
        if not left:
            return None
        if not wanted and len(barred & set(known)) == 1:
            return NotEqual(name, known[(barred & set(known)).pop()])
        return Equal(name, left[0]) if len(left) == 1 else OneOf(name, left)
    low, low_closed, high, high_closed = -np.inf, True, np.inf, True
    for operator, value in conditions:
        number = float(value)
        if operator == "==" or operator in (">", ">="):
            closed = operator != ">"
            if number > low or (number == low and not closed):
                low, low_closed = number, closed
        if operator == "==" or operator in ("<", "<="):
            closed = operator != "<"
            if number < high or (number == high and not closed):
                high, high_closed = number, closed
    if low > high or (low == high and not (low_closed and high_closed)):
        return None
    return Range(
        name,
        low if np.isfinite(low) else None,
        high if np.isfinite(high) else None,
        low_closed=low_closed,
        high_closed=high_closed,
    )


def _holds(literals: Sequence[Literal], X: pd.DataFrame) -> NDArray[np.bool_]:
    """Rows by literals: which hold."""
    if not len(X):
        return np.zeros((0, len(literals)), dtype=bool)
    return np.column_stack([RuleSet([Pattern([literal])]).covers(X)[:, 0] for literal in literals])


def _codes(X: pd.DataFrame) -> list[tuple[str, str | None]]:
    """What the columns of `_numbers` are: a column as it is, or whether it has a value."""
    return [
        (str(name), value)
        for name in X.columns
        for value in ([None] if X[name].dtype.kind == "f" else sorted(set(X[name].astype(str))))
    ]


def _numbers(X: pd.DataFrame, like: pd.DataFrame) -> NDArray[np.float64]:
    """Numbers as they are, categories one column each (those of the rows learned from)."""
    columns = [
        X[name].to_numpy(dtype=np.float64) if value is None else (X[name].astype(str) == value).to_numpy()
        for name, value in _codes(like)
    ]
    return np.column_stack(columns).astype(np.float64)
