"""From the parameters of an estimator, as scikit-learn spells them, to the settings of a fit."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from ooa.checks import number_from
from ooa.errors import OptionError
from ooa.learning.settings import AnySettings
from ooa.logs import logger

__all__ = ["PREDICTING", "READING", "is_literal", "plain_parameters", "settings_of"]

#: Parameters that say how data are read. `missing` also says something of the literals.
READING = ("positive", "class_weight", "categorical", "numeric", "missing")
#: Parameters that say how a fitted model predicts, and mean nothing to a fit; and what they may be.
PREDICTING = {"predict_columns": ("all", "used"), "probabilities": ("weighted", "unweighted")}
#: The largest seed, and more threads than any machine has.
_MOST = 2**31 - 1


def settings_of(kind: type[AnySettings], parameters: Mapping[str, Any]) -> AnySettings:
    """Return the settings of a fit. What scikit-learn calls as they do is handed on, and the rest translated.

    Parameters
    ----------
    kind : the class of the settings
    parameters : the parameters of an estimator, by name

    Examples
    --------
    >>> from ooa.learning.settings import OOAxSettings
    >>> from ooa.estimators import OOAxClassifier
    >>> told = settings_of(OOAxSettings, OOAxClassifier(C1=0.1, gap=0.05, n_jobs=2).get_params())
    >>> told.C1, told.relative_gap, told.threads, told.time_limit
    (0.1, 0.05, 2, 'auto')
    """
    given = {field.name: parameters[field.name] for field in fields(kind) if field.name in parameters}
    return kind(
        **given
        | {
            "missing": is_literal(parameters["missing"]),
            "constraints": () if parameters["constraints"] is None else parameters["constraints"],
            "relative_gap": number_from(parameters["gap"], "gap"),
            "threads": _threads(parameters["n_jobs"]),
            "seed": _seed(parameters["random_state"]),
            "log": _log(parameters["verbose"]),
            "progress": _progress(parameters),
        }
    )


def is_literal(missing: Any) -> bool:
    """Whether the parameter `missing` asks for literals; it may also be an array."""
    return isinstance(missing, str) and missing == "literal"


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, object]:
    """Return parameters as values that can be pickled and shown: what is not plain, as text.

    Examples
    --------
    >>> plain_parameters({"C1": 0.1, "constraints": (), "keep": len})
    {'C1': 0.1, 'constraints': (), 'keep': 'len'}
    """
    from ooa.rules.markup import described

    plain = (type(None), bool, int, float, str)
    return {
        name: value
        if isinstance(value, plain) or (isinstance(value, tuple) and not value)
        else described(value)
        for name, value in parameters.items()
    }


def _progress(parameters: Mapping[str, Any]) -> bool | None:
    """Whether to show a live line: a log says as much, and the two would write into one another."""
    asked: bool | None = parameters["progress"]
    return False if asked is None and parameters["verbose"] else asked


def _threads(n_jobs: Any) -> int | None:
    if n_jobs is None:
        return None
    if not (_is_whole(n_jobs) and 0 < abs(n_jobs) < _MOST):
        raise OptionError(
            f"n_jobs must be None or a whole number, -1 for all processors, not {n_jobs!r:.200}"
        )
    return int(effective_n_jobs(n_jobs))


def _is_whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and value is not True and value is not False


def _seed(state: Any) -> int:
    if _is_whole(state) and 0 <= state <= _MOST:
        return int(state)
    if state is None or isinstance(state, (np.random.RandomState, np.random.Generator)):
        drawn = state.integers(_MOST) if isinstance(state, np.random.Generator) else None
        return int(check_random_state(state).randint(_MOST) if drawn is None else drawn)
    raise OptionError(
        f"random_state must be None, a whole number from 0 to {_MOST} or a generator of numpy, not "
        f"{state!r:.200}"
    )


def _log(verbose: Any) -> Any:
    """Where the solver's own log goes; the stages are logged by whoever fits."""
    if not isinstance(verbose, (int, np.integer)):
        raise OptionError(f"verbose must be a whole number, not {verbose!r:.200}")
    return logger if verbose > 1 else None
