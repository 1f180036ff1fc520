"""Rule sets as PMML 4.4 RuleSetModel: the first pattern that holds gives the positive label.

By the standard a comparison with a missing value is unknown, and a rule whose predicate is unknown does not
fire, which is what `predict` does; NaN is declared to mean missing. Values are compared one by one rather
than as an Array, whose quoting readers understand differently. Times are dateTime in UTC; not every reader
compares those (pmml4s, which is behind pypmml, does not).
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ooa.data.columns import Category
from ooa.errors import RuleError
from ooa.rules.literal import IsMissing, NotEqual, OneOf, Range
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import number_text, time_text

from .plain import ColumnType, Plain, Types, is_long, label_type, plain_patterns

__all__ = ["to_pmml"]

Element = ElementTree.Element
_DATA_TYPES = {"number": "double", "text": "string", "bool": "boolean", "time": "dateTime"}
_LONG = 1 << 31  # some readers hold an integer in 32 bits
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def to_pmml(rules: RuleSet, types: Types | None = None) -> str:
    """Write a rule set as a PMML document.

    Parameters
    ----------
    rules : RuleSet
    types : mapping from column to {"number", "text", "bool", "time"}, optional
        Columns that are not in it have the type of what the rules compare them with; a column that is only
        tested for being missing is declared as text, in which 'NaN' is missing too.

    Raises
    ------
    RuleError
        If a column's type is unclear, both labels are not of one type, the target is also an attribute, a
        text holds a character that XML has no place for, or a category is an integer beyond 2**53.

    Examples
    --------
    >>> text = to_pmml(RuleSet.parse("age >= 30"))
    >>> print(text[text.index("<RuleSet ") : text.index("</RuleSet>")])
    <RuleSet defaultScore="0" defaultConfidence="1">
          <RuleSelectionMethod criterion="firstHit" />
          <SimpleRule id="1" score="1">
            <SimplePredicate field="age" operator="greaterOrEqual" value="30" />
          </SimpleRule>
    <BLANKLINE>
    """
    if rules.target in rules.attributes:
        raise RuleError(f"The target {rules.target!r} is also an attribute, which PMML cannot tell apart")
    patterns = plain_patterns(rules, types)
    fields = {plain.test.attribute: plain.type for pattern in patterns for plain in pattern}
    root = Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    ElementTree.SubElement(root, "Header", description=f"Rule set for {_legal(rules.target)}")
    _data_dictionary(root, rules, fields)
    model = ElementTree.SubElement(root, "RuleSetModel", functionName="classification")
    schema = ElementTree.SubElement(model, "MiningSchema")
    for name in sorted(fields):
        ElementTree.SubElement(schema, "MiningField", name=name, invalidValueTreatment="asIs")
    ElementTree.SubElement(schema, "MiningField", name=rules.target, usageType="target")
    default = {"defaultScore": _value(rules.negative), "defaultConfidence": "1"}
    body = ElementTree.SubElement(model, "RuleSet", default)
    ElementTree.SubElement(body, "RuleSelectionMethod", criterion="firstHit")
    for number, pattern in enumerate(patterns, 1):
        rule = ElementTree.SubElement(body, "SimpleRule", id=str(number), score=_value(rules.positive))
        rule.append(_joined("and", [part for plain in pattern for part in _predicates(plain)]))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _data_dictionary(root: Element, rules: RuleSet, fields: dict[str, ColumnType | None]) -> None:
    """Declare every column and the target."""
    dictionary = ElementTree.SubElement(root, "DataDictionary", numberOfFields=str(len(fields) + 1))
    for name in sorted(fields):
        kind = fields[name]
        scale = "continuous" if kind in ("number", "time") else "categorical"
        field = _field(dictionary, name, scale, _DATA_TYPES[kind or "text"])
        if kind in ("number", None):
            ElementTree.SubElement(field, "Value", value="NaN", property="missing")
    labels = (rules.positive, rules.negative)
    of_labels = label_type(rules)
    whole = of_labels == "number" and all(isinstance(label, int) and abs(label) < _LONG for label in labels)
    target = _field(dictionary, rules.target, "categorical", "integer" if whole else _DATA_TYPES[of_labels])
    for label in labels:
        ElementTree.SubElement(target, "Value", value=_value(label))


def _field(dictionary: Element, name: str, scale: str, data_type: str) -> Element:
    """Declare one column."""
    return ElementTree.SubElement(
        dictionary, "DataField", name=_legal(name), optype=scale, dataType=data_type
    )


def _predicates(plain: Plain) -> list[Element]:
    """Return one test as predicates that must all be true."""
    test = plain.test
    name = test.attribute
    match test:
        case Range():
            bound = _moment if test.time else number_text
            parts = []
            if test.low is not None:
                above = "greaterOrEqual" if test.low_closed else "greaterThan"
                parts.append(_simple(name, above, bound(test.low)))
            if test.high is not None:
                below = "lessOrEqual" if test.high_closed else "lessThan"
                parts.append(_simple(name, below, bound(test.high)))
            return parts
        case OneOf():
            return [_joined("or", [_simple(name, "equal", _category(value)) for value in test.values])]
        case NotEqual():
            return [_simple(name, "notEqual", _category(test.value))]
        case IsMissing():
            return [_simple(name, "isMissing")]
    return [_simple(name, "isNotMissing")]


def _moment(microseconds: float) -> str:
    """Write a time as XML Schema's dateTime."""
    text = time_text(microseconds)
    return text if "T" in text else f"{text}T00:00:00"


def _simple(name: str, operator: str, value: str | None = None) -> Element:
    """Return a predicate on one column."""
    predicate = Element("SimplePredicate", field=name, operator=operator)
    if value is not None:
        predicate.set("value", value)
    return predicate


def _joined(operator: str, parts: list[Element]) -> Element:
    """Join predicates."""
    if len(parts) == 1:
        return parts[0]
    joined = Element("CompoundPredicate", booleanOperator=operator)
    joined.extend(parts)
    return joined


def _category(value: Category) -> str:
    """Write a value to compare with, or raise if PMML's doubles do not tell it from its neighbours."""
    if isinstance(value, (bool, str)):
        return _value(value)
    if is_long(value):
        raise RuleError(
            f"PMML compares numbers as doubles, which do not tell {value} from its neighbours: "
            "convert the column to text"
        )
    return number_text(value)


def _value(value: Category) -> str:
    """Write a value or label as XML Schema spells it."""
    return _legal(value) if isinstance(value, str) else repr(value).lower()


def _legal(text: str) -> str:
    """Return text that XML has a place for, or raise."""
    if _ILLEGAL.search(text):
        raise RuleError(f"The text {text!r} contains a character that XML, and so PMML, cannot carry")
    return text
