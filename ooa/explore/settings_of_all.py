"""What every fit of several is told: one settings object from a method, settings and options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ooa.checks import instance, one_of
from ooa.errors import OptionError
from ooa.learning.settings import METHODS, FitSettings, OOAxSettings

__all__ = ["settings_of_all"]


def settings_of_all(
    caller: str, method: str | None, settings: FitSettings | None, options: dict[str, Any]
) -> FitSettings:
    """What every fit is told.

    Parameters
    ----------
    caller : the function that was called, for errors
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : by default `OOAxSettings()` or `OOASettings()`
    options : fields of them, in place of what the settings say

    Examples
    --------
    >>> settings_of_all("path", "ooa", None, {"C1": 0.1}).C1
    0.1
    """
    if settings is not None:
        instance(settings, "settings", FitSettings, "None or the settings of a fit")
    kind = OOAxSettings if settings is None else type(settings)
    if method is not None:
        kind = METHODS[one_of(method, "method", METHODS)]
    if settings is not None and not isinstance(settings, kind):
        raise OptionError(
            f"takes {kind.__name__}, not {type(settings).__name__}", option="method", value=method
        )
    wanted = kind.of(settings, options, caller)
    wanted = replace(wanted, policy=wanted.policy.one_of_many())
    if wanted.start is not None and isinstance(wanted, OOAxSettings):
        # One family of rule sets for all of them.
        wanted = replace(wanted, patterns=(*wanted.patterns, *wanted.start))
    return wanted
