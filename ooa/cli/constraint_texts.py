"""The ready-made constraints as texts: `max_uses=age,1` is `ooa.constraints.max_uses("age", 1)`."""

from __future__ import annotations

import csv
import re
import textwrap
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from ooa import constraints as ready_made
from ooa.checks import nearest
from ooa.constraints.base import Constraint
from ooa.errors import OptionError

from .commands import HELP_WIDTH

__all__ = ["NAMES", "constraint_help", "parse_constraint"]

#: The constraints there are.
NAMES = tuple(name for name in ready_made.__all__ if name != "Constraint")
_PLACES = {
    "attributes": "A,B,...",
    "costs": "A:COST,B:COST,...",
    "most": "MOST",
    "false_negative": "FN",
    "false_positive": "FP",
    "true_positive": "TP",
    "true_negative": "TN",
    "direction": "increasing|decreasing",
    "side": "above|below",
}


def parse_constraint(text: str, groups: Mapping[str, Any] | None = None) -> Constraint:
    """Read a constraint.

    Parameters
    ----------
    text : its name, "=" and its arguments separated by commas; one that contains a comma stands in
        double quotes
    groups : columns that are not in the table, but that a fairness constraint may name

    Examples
    --------
    >>> parse_constraint("max_uses=age,1")
    max_uses(attribute='age', most=1)
    >>> parse_constraint("budget=age:1,bmi:2.5,most:3")
    budget(costs={'age': 1, 'bmi': 2.5}, most=3)
    >>> parse_constraint("require_pattern=age >= 30 AND bmi > 25").pattern
    Pattern.parse('age ≥ 30 ∧ bmi > 25')
    >>> parse_constraint("unchanged_when=age,5"), parse_constraint("no_cut=age,above,60")
    (unchanged_when(attribute='age', change=5, most=0), no_cut(attribute='age', side='above', value=60))
    >>> parse_constraint("max_usage=age,1")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: there is no constraint 'max_usage'; did you mean max_uses=ATTRIBUTE,MOST?
    """
    name, _, rest = (part.strip() for part in text.partition("="))
    if name not in NAMES:
        close = nearest(name, NAMES)
        hint = f"did you mean {usage(close)}?" if close is not None else "`ooa fit --help` lists them"
        raise OptionError(f"there is no constraint {name!r}; {hint}")
    kind: type[Constraint] = getattr(ready_made, name)
    wanted = fields(kind)
    if wanted[0].name == "pattern":
        return _made(kind, text, [rest])
    try:
        parts = next(csv.reader([rest], skipinitialspace=True), [])
    except csv.Error:
        raise OptionError(f"--constraint {text!r} is not on one line") from None
    if wanted[0].name == "attributes":
        return _made(kind, text, [parts])
    if wanted[0].name == "costs":
        return _made(kind, text, _costs(parts, text))
    if not _least(wanted) <= len(parts) <= len(wanted):
        raise OptionError(f"--constraint {text}: expected {usage(name)}")
    values = [_value(field, part, text) for field, part in zip(wanted, parts)]
    if wanted[0].name == "group" and groups is not None and values[0] in groups:
        values[0] = groups[values[0]]
    return _made(kind, text, values)


def usage(name: str) -> str:
    """How a constraint is typed.

    Examples
    --------
    >>> usage("monotone")
    'monotone=ATTRIBUTE,increasing|decreasing'
    >>> usage("unchanged_when")
    'unchanged_when=ATTRIBUTE,CHANGE[,MOST]'
    """
    names = [field.name for field in fields(getattr(ready_made, name))]
    words = [_PLACES.get(field, field.upper()) for field in names]
    if "costs" in names:
        words[-1] = "most:MOST"
    least = _least(fields(getattr(ready_made, name)))
    return f"{name}={','.join(words[:least])}" + "".join(f"[,{word}]" for word in words[least:])


def constraint_help() -> str:
    """All ready-made constraints, for the help."""
    lines = ["constraints (shares are between 0 and 1, counts are of rows, or of weight):"]
    for name in NAMES:
        about = (getattr(ready_made, name).__doc__ or "").partition("\n")[0]
        about = re.sub("`([a-z]+)`", lambda found: found[1].upper(), about)
        lines.append(f"  {usage(name)}")
        lines += textwrap.wrap(about, HELP_WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
    lines.append("  A GROUP is a column; one named in --drop too is not used in the rules.\n")
    return "\n".join(lines)


def _made(kind: type[Constraint], text: str, values: list[Any]) -> Constraint:
    """The constraint, or an error that shows what was typed."""
    try:
        return kind(*values)
    except ValueError as error:
        raise OptionError(f"--constraint {text}: {error}") from None


def _costs(parts: list[str], text: str) -> list[Any]:
    """A price per attribute, and the most they may cost together, which comes last."""
    pairs = [part.rpartition(":") for part in parts]
    if len(pairs) < 2 or any(not colon for _, colon, _ in pairs) or pairs[-1][0].strip() != "most":
        raise OptionError(f"--constraint {text}: expected {usage('budget')}")
    costs = {name.strip(): _number(cost, text) for name, _, cost in pairs[:-1]}
    return [costs, _number(pairs[-1][2], text)]


def _least(wanted: tuple[Field[Any], ...]) -> int:
    """How many arguments there have to be: those without a default."""
    return sum(field.default is MISSING for field in wanted)


def _value(field: Field[Any], part: str, text: str) -> Any:
    """An argument as what the constraint's field says it is: a number, a text, or a category or number."""
    if field.name in ("change", "value"):
        try:
            return _number(part, text)
        except OptionError:
            return part.strip()
    return _number(part, text) if field.type in ("int", "float") else part.strip()


def _number(part: str, text: str) -> float:
    try:
        return int(part)
    except ValueError:
        pass
    try:
        return float(part)
    except ValueError:
        raise OptionError(f"--constraint {text}: {part.strip()!r} is not a number") from None
