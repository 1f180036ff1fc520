"""The model file: a rule set's JSON with its certificate, the training schema and the settings.

::

    {"format": "ooa.model", "version": 1, "ooa": "0.1.0", "text": "IF ...", "rules": {...},
     "certificate": {...}, "schema": {...}, "settings": {...}, "patterns": [...], "training": {...}, ...}

The schema also says how the training data were read, so that whoever uses the model reads others alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ooa.data.columns import Category
from ooa.errors import FormatError, OOAError, OptionError
from ooa.learning.certificate import Certificate
from ooa.rules.json_format import read_json
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, Literal, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet
from ooa.version import __version__

from .cells import PLAIN, CellType, Reading
from .output import exactly, finite
from .reading import InputFile

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SavedModel", "certificate_dict", "is_against_rest", "model_dict", "read_model"]

_FORMAT, _VERSION = "ooa.model", 1


@dataclass(frozen=True)
class SavedModel:
    """What the commands need of a model file.

    Attributes
    ----------
    name : what to call it in messages
    rules : the rule set
    reading : how the training data were written, where the file says it
    known : the categories there were in training, by column, where the file says it
    """

    name: str
    rules: RuleSet
    reading: Reading = PLAIN
    known: Mapping[str, Sequence[Category]] = field(default_factory=dict)

    @property
    def types(self) -> dict[str, CellType]:
        """What columns must be for the rules to say anything of them, where that follows from the rules."""
        found: dict[str, set[CellType]] = {}
        for literal in (literal for pattern in self.rules for literal in pattern):
            found.setdefault(literal.attribute, set()).update(_compared_with(literal))
        labels = self.rules.positive, self.rules.negative
        if all(isinstance(label, str) for label in labels) and not is_against_rest(self.rules):
            found[self.rules.target] = {"text"}
        return {name: next(iter(types)) for name, types in found.items() if len(types) == 1}

    def source(self, table: InputFile) -> InputFile:
        """A table, to be read as the training data were.

        Raises
        ------
        OptionError
            If something said of this table contradicts that: another order of dates, or --na with what was
            a value in training, so that conditions would silently mean something else.
        """
        values = {name: {*map(str, self.known.get(name, ()))} for name in self.rules.attributes}
        for literal in (literal for pattern in self.rules for literal in pattern):
            values[literal.attribute].update(map(str, _named_by(literal)))
        values[self.rules.target] = {str(self.rules.positive), str(self.rules.negative)}
        for text in set(table.reading.na) - set(self.reading.na):
            for name, known in values.items():
                if text in known:
                    raise OptionError(
                        f"--na {text} contradicts the model, for which {text!r} is a value of column {name!r}"
                    )
        return table.for_model(self.reading)

    def frame(self, source: InputFile, *, every: bool = False) -> pd.DataFrame:
        """A table with the types that the rules need: the columns they use and the labels, or all columns."""
        needed = None if every else {*self.rules.attributes, self.rules.target}
        return source.frame(self.types, needed)


def is_against_rest(rules: RuleSet) -> bool:
    """Whether a rule set tells one label from all others, as `ooa fit --positive` learns it of several."""
    return rules.negative == f"not {rules.positive}"


def _compared_with(literal: Literal) -> set[CellType]:
    """What a literal compares a column with."""
    match literal:
        case Range():
            return {"time" if literal.time else "number"}
    return set(map(_type_of, _named_by(literal)))


def _named_by(literal: Literal) -> Sequence[Category]:
    """The categories that a literal names."""
    match literal:
        case Equal() | NotEqual():
            return (literal.value,)
        case OneOf() | LevelRange():
            return literal.values
    return ()


def _type_of(value: Category) -> CellType:
    if isinstance(value, bool):
        return "bool"
    return "text" if isinstance(value, str) else "number"


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
        "confirmed_by": found.confirmed_by,
        "claimed_by": found.claimed_by,
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
        raise FormatError(
            f"{place}: this is not UTF-8 text, so it is no model; the model comes before the table"
        ) from None
    opening = text.lstrip()[:1]
    if opening == "<":
        raise FormatError(f"{place} is a page to look at, and a model is needed: what `ooa fit --save` wrote")
    try:
        if opening == "{":
            return _of_json(place, text)
        return SavedModel(place, RuleSet.parse(text))
    except OOAError as error:
        if opening != "{" and _looks_like_a_table(text):
            raise FormatError(
                f"{place} is a table, and a model is needed here: what `ooa fit --save` wrote"
            ) from None
        raise FormatError(f"{place}: {error}") from None


def _looks_like_a_table(text: str) -> bool:
    """Whether lines have the same separators, and something before and after them."""
    lines = [line for line in text.splitlines()[:5] if line.strip()]
    return len(lines) > 1 and any(
        lines[0].count(mark) > 0 and len({line.count(mark) for line in lines}) == 1 for mark in ",;\t|"
    )


def _of_json(place: str, text: str) -> SavedModel:
    document = read_json(text)
    if document.get("format") != _FORMAT:
        return SavedModel(place, RuleSet.from_dict(document))
    if document.get("version") != _VERSION:
        raise FormatError(f"version: this library reads version {_VERSION}, not {document.get('version')!r}")
    if "rules" not in document:
        raise FormatError("rules: is missing")
    try:
        rules = RuleSet.from_dict(document["rules"])
    except FormatError as error:
        raise FormatError(f"rules.{error}") from None
    schema = document.get("schema")
    return SavedModel(place, rules, _reading(schema), _known(schema))


def _known(schema: Any) -> dict[str, list[Category]]:
    """The categories there were in training, by column; older files have none."""
    listed = schema.get("columns", []) if isinstance(schema, dict) else []
    if not isinstance(listed, list) or not all(isinstance(column, dict) for column in listed):
        raise FormatError("schema.columns: expected a list of objects")
    known: dict[str, list[Category]] = {}
    for column in (column for column in listed if "values" in column):
        name, values = column.get("name"), column["values"]
        simple = isinstance(values, list) and all(isinstance(one, (str, int, float)) for one in values)
        if not isinstance(name, str) or not simple:
            raise FormatError(f"schema.columns: the values of {name!r:.40} are not expected there")
        known[name] = values
    return known


def _reading(schema: Any) -> Reading:
    """How the training data were read; a schema that does not say it is no harm, one that is wrong is."""
    said = {} if schema is None else schema.get("reading", {}) if isinstance(schema, dict) else None
    if not isinstance(said, dict):
        raise FormatError("schema.reading: expected an object")
    for name, value in said.items():
        good = {
            "na": _is_texts(value),
            "strip": isinstance(value, bool),
            **dict.fromkeys(("decimal", "dates", "sep", "encoding"), value is None or isinstance(value, str)),
        }
        if not good.get(name, False):
            raise FormatError(f"schema.reading.{name}: {value!r:.40} is not expected there")
    return Reading(**said | {"na": tuple(said.get("na", ()))})


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
