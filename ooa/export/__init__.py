"""Rule sets for other systems: the same predictions as `RuleSet.predict`, missing values included."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ooa.checks import did_you_mean, instance
from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet

__all__ = ["FORMATS", "export"]

_HOME = {
    "json": "ooa.rules.json_format:to_json",
    "latex": "ooa.export.latex:to_latex",
    "pandas": "ooa.export.pandas:to_pandas",
    "pmml": "ooa.export.pmml:to_pmml",
    "python": "ooa.export.python:to_python",
    "sql": "ooa.export.sql:to_sql",
    "text": "ooa.rules.text:rules_text",
}
#: The formats that `export` writes.
FORMATS = tuple(_HOME)


def export(rules: RuleSet, to: str, **options: Any) -> str:
    """Write a rule set in one of `FORMATS`.

    Parameters
    ----------
    rules : RuleSet
    to : {"json", "latex", "pandas", "pmml", "python", "sql", "text"}
    **options
        Those of the format: of `RuleSet.to_json`, `to_latex`, `to_pandas`, `to_pmml`, `to_python`, `to_sql`
        (all in the module of the same name) and `RuleSet.to_text`.

    Raises
    ------
    OptionError
        If there is no such format or option.
    RuleError
        If the format cannot express the rules; the message names the column or value.

    Examples
    --------
    >>> rules = RuleSet.parse("age >= 30 AND job != clerk")
    >>> export(rules, "pandas")
    "(age >= 30) & (job != 'clerk') & job.notna()"
    >>> export(rules, "text", compact=True, unicode=False)
    '(age >= 30 AND job != clerk) -> target = 1 ELSE 0'
    """
    instance(rules, "rules", RuleSet, "a rule set")
    if not isinstance(to, str) or to not in _HOME:
        raise OptionError(f"There is no export to {to!r:.200}; {did_you_mean(to, FORMATS)}")
    module, _, name = _HOME[to].partition(":")
    write: Callable[..., str] = getattr(import_module(module), name)
    known = [option for option in inspect.signature(write).parameters if option != "rules"]
    for option in options:
        if option not in known:
            offered = did_you_mean(option, known) if known else "it has none"
            raise OptionError(f"The export to {to} has no option {option!r}; {offered}")
    return write(rules, **options)
