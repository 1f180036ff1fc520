"""The model file: a rule set's JSON with its certificate, the training schema and the settings.

::

    {"format": "ooa.model", "version": 1, "ooa": "0.1.0", "text": "IF ...", "rules": {...},
     "certificate": {...}, "schema": {...}, "settings": {...}, "patterns": [...]}
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ooa.errors import FormatError, OOAError
from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet
from ooa.version import __version__

from .output import exactly, finite

__all__ = ["SavedModel", "certificate_dict", "model_dict", "read_model"]

_FORMAT, _VERSION = "ooa.model", 1


@dataclass(frozen=True)
class SavedModel:
    """What the commands need of a model file.

    Attributes
    ----------
    rules : the rule set
    kinds : the kind of every training column, where the file says it: numeric, categorical or time
    """

    rules: RuleSet
    kinds: dict[str, str] = field(default_factory=dict)

    @property
    def categorical(self) -> set[str]:
        """The columns that were categorical in training."""
        return {name for name, kind in self.kinds.items() if kind == "categorical"}


def model_dict(rules: RuleSet, certificate: Certificate, **parts: Any) -> dict[str, Any]:
    """The document of a model."""
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "ooa": __version__,
        "text": rules.to_text(),
        "rules": rules.to_dict(),
        "certificate": certificate_dict(certificate),
        **parts,
    }


def certificate_dict(certificate: Certificate) -> dict[str, Any]:
    """A certificate as plain values; the two numbers that matter also as exact fractions."""
    found = certificate
    return {
        "objective": exactly(found.objective),
        "bound": exactly(found.bound),
        "gap": finite(found.gap),
        "proved": found.proved,
        "standing": found.standing.value,
        "headline": found.headline,
        "pool": found.pool,
        "rounding": float(found.rounding),
        "feasible": found.feasible,
        "wrong_rows": found.wrong_rows,
        "rows": found.rows,
        "errors": float(found.errors),
        "total": float(found.total),
        "accuracy": found.accuracy,
        "literals": found.literals,
        "patterns": found.patterns,
        "scope": found.scope.value,
        "statement": found.statement,
        "proof": found.proof,
        "termination": found.termination.value,
        "counts": dict(found.counts),
        "seconds": {stage: round(seconds, 3) for stage, seconds in found.seconds.items()},
        "backend": found.backend,
        "version": found.version,
        "message": found.message,
        "limits": [
            {"option": limit.option, "wider": limit.wider, "gain": float(limit.gain)}
            for limit in found.limits
        ],
    }


def read_model(place: str) -> SavedModel:
    """Read a model file, the JSON of a bare rule set, or rules as text.

    Raises
    ------
    FormatError
        One sentence that names the file and the place in it.
    """
    try:
        text = Path(place).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise FormatError(f"there is no file {place!r}") from None
    except IsADirectoryError:
        raise FormatError(f"{place} is a folder, not a model") from None
    except UnicodeDecodeError:
        raise FormatError(f"{place}: this is not UTF-8 text, so it is no model") from None
    try:
        return _of_json(text) if text.lstrip().startswith("{") else SavedModel(RuleSet.parse(text))
    except OOAError as error:
        raise FormatError(f"{place}: {error}") from None


def _of_json(text: str) -> SavedModel:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"the document cannot be read: {error}") from None
    if document.get("format") != _FORMAT:
        return SavedModel(RuleSet.from_json(text))
    if document.get("version") != _VERSION:
        raise FormatError(f"version: this library reads version {_VERSION}, not {document.get('version')!r}")
    if "rules" not in document:
        raise FormatError("rules: is missing")
    try:
        rules = RuleSet.from_dict(document["rules"])
    except FormatError as error:
        raise FormatError(f"rules.{error}") from None
    return SavedModel(rules, _kinds(document.get("schema")))


def _kinds(schema: Any) -> dict[str, str]:
    """The kinds of the columns; a schema that is absent is no harm, one that is wrong is."""
    if schema is None:
        return {}
    try:
        kinds = {column["name"]: column["kind"] for column in schema["columns"]}
    except (KeyError, TypeError):
        raise FormatError("schema.columns: expected a list of objects with name and kind") from None
    for name, kind in kinds.items():
        if kind not in ("numeric", "categorical", "time"):
            raise FormatError(f"schema.columns: the kind of {name!r} is {kind!r:.40}")
    return kinds
