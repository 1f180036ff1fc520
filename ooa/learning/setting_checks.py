"""What each option of a fit may be, checked before any work is done; the error names the option."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ooa.checks import (
    MOST_THREADS,
    function_or_none,
    instance,
    listed_items,
    number_from,
    one_of,
    truth,
    whole_number,
    whole_or_none,
)
from ooa.clock import Clock
from ooa.errors import OptionError

from .policy import Policy

__all__ = ["CHECKS"]

_MOST_SEED = 2**31 - 1


def _number_or_none(value: Any, name: str) -> Any:
    return None if value is None else number_from(value, name)


def _truth_or_none(value: Any, name: str) -> Any:
    return None if value is None else truth(value, name)


def _count_or_auto(value: Any, name: str) -> Any:
    return value if isinstance(value, str) and value == "auto" else whole_or_none(value, name)


def _seconds(value: Any, name: str) -> Any:
    if value is None or (isinstance(value, str) and value == "auto"):
        return value
    if isinstance(value, str):
        raise OptionError(f"{name} must be a number of seconds, None or 'auto', not {value!r:.200}")
    number = number_from(value, name, finite=False)
    return value if number < math.inf else None


def _seed(value: Any, name: str) -> int:
    seed = whole_number(value, name, least=0)
    if seed > _MOST_SEED:
        raise OptionError(f"{name} must be at most {_MOST_SEED}, not {seed!r:.200}")
    return seed


def _threads(value: Any, name: str) -> int | None:
    threads = whole_or_none(value, name)
    if threads is not None and threads > MOST_THREADS:
        raise OptionError(f"{name} must be at most {MOST_THREADS}, not {value!r:.200}")
    return threads


def _start(value: Any, name: str) -> Any:
    if value is not None:
        from ooa.rules.ruleset import RuleSet

        instance(value, name, RuleSet, "None or a rule set")
    return value


def _patterns(value: Any, name: str) -> Any:
    from ooa.rules.pattern import Pattern

    return listed_items(value, name, Pattern, "patterns")


def _constraints(value: Any, name: str) -> Any:
    if callable(value):
        return (value,)
    given = listed_items(value, name, object, "constraints")
    for constraint in given:
        if not callable(constraint):
            raise OptionError(
                f"{name}: a constraint must be a function of a formulation, not {constraint!r:.200}"
            )
    return given


def _backend(value: Any, name: str) -> Any:
    if not isinstance(value, str):
        from ooa.solving.backend import Backend

        instance(value, name, Backend, "the name of a solver, or a Backend")
    return value


def _thresholds(value: Any, name: str) -> Any:
    if not isinstance(value, (str, Mapping)):
        raise OptionError(f"{name} must be the name of a way to cut, or a dict of cuts, not {value!r:.200}")
    return value


def _options(value: Any, name: str) -> Any:
    if value is None:
        return {}
    instance(value, name, Mapping, "a mapping of the solver's own names")
    return dict(value)


def _log(value: Any, name: str) -> Any:
    if value is None or callable(value) or hasattr(value, "write") or hasattr(value, "info"):
        return value
    raise OptionError(f"{name} must be a stream, a logger or a function of one line, not {value!r:.200}")


def _function(value: Any, name: str) -> Any:
    function_or_none(value, name)
    return value


def _of_type(kind: type, words: str) -> Callable[[Any, str], Any]:
    def check(value: Any, name: str) -> Any:
        instance(value, name, kind, words)
        return value

    return check


def _price(value: Any, name: str) -> Any:
    from ooa.objective import exact  # which imports numpy: the help does without

    exact(value, name)
    return value


def _word(*choices: str) -> Callable[[Any, str], Any]:
    return lambda value, name: one_of(value, name, choices)


def _engine(value: Any, name: str) -> str:
    from ooa.candidates.mining import ENGINES

    return one_of(value, name, ENGINES)


#: By option, what checks it and returns it as the settings keep it.
CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "C1": _price,
    "C2": _price,
    "max_patterns": whole_or_none,
    "thresholds": _thresholds,
    "max_thresholds": whole_number,
    "missing": truth,
    "start": _start,
    "constraints": _constraints,
    "backend": _backend,
    "time_limit": _seconds,
    "relative_gap": number_from,
    "threads": _threads,
    "deterministic": truth,
    "max_memory": whole_or_none,
    "seed": _seed,
    "log": _log,
    "progress": _truth_or_none,
    "options": _options,
    "confirm": _truth_or_none,
    "policy": _of_type(Policy, "a Policy"),
    "clock": _of_type(Clock, "a Clock"),
    "max_length": whole_or_none,
    "min_support": _number_or_none,
    "max_candidates": _count_or_auto,
    "gamma": number_from,
    "ranges": truth,
    "negations": truth,
    "sets": whole_number,
    "patterns": _patterns,
    "score": _function,
    "keep": _function,
    "engine": _engine,
    "max_mined": whole_number,
    "selection": _word("auto", "search", "ilp"),
    "form": _word("auto", "aggregated", "disaggregated"),
    "formulation": _word("compact", "paper"),
    "single_category": truth,
    "decompose": truth,
}
