"""The list of checks: which exist, what each one needs, and which apply to a backend."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TypeVar

from ooa.solving import Backend, Capability

Check = Callable[[Backend], None]
AnyCheck = TypeVar("AnyCheck", bound=Check)

#: The modules of checks, in the order in which they are worth reading and running.
THEMES = (
    "basics",
    "degenerate",
    "status",
    "trust",
    "limits",
    "starts",
    "lp",
    "adding_rows",
    "adding_columns",
    "logs",
    "progress",
    "options",
    "random_models",
    "isolation",
    "interrupts",
    "concurrency",
)


def needs(*capabilities: Capability) -> Callable[[AnyCheck], AnyCheck]:
    """Mark a check that applies only to backends with these capabilities.

    Examples
    --------
    >>> @needs(Capability.LP)
    ... def check_something(backend): ...
    >>> check_something.needs
    (<Capability.LP: 'lp'>,)
    """

    def mark(check: AnyCheck) -> AnyCheck:
        check.needs = capabilities  # type: ignore[attr-defined]
        return check

    return mark


def needs_time_limit_option(check: AnyCheck) -> AnyCheck:
    """Mark a check that sets an option of the solver's own: `Backend.time_limit_option`."""
    check.needs_option = True  # type: ignore[attr-defined]
    return check


def all_checks() -> list[Check]:
    """Every check there is, theme by theme."""
    found: list[Check] = []
    for theme in THEMES:
        module = importlib.import_module(f"{__package__}.{theme}")
        names = [name for name in vars(module) if name.startswith("check_")]
        found += [getattr(module, name) for name in names]
    return found


def checks(backend: Backend) -> list[Check]:
    """The checks that apply to a backend: those whose needed capabilities, or option, it declares.

    Examples
    --------
    >>> from ooa.solving.registry import get_backend
    >>> len(checks(get_backend("highs"))) >= 60
    True
    """
    return [
        check
        for check in all_checks()
        if set(getattr(check, "needs", ())) <= backend.capabilities
        and (backend.time_limit_option is not None or not getattr(check, "needs_option", False))
    ]
