"""Junk for every parameter, and how to tell a good answer to it from a bad one."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from ooa.errors import OOAError

JUNK: dict[str, Any] = {
    "None": None,
    "text": "abc",
    "false as text": "false",
    "bytes": b"x",
    "-1": -1,
    "2.5": 2.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "2**70": 2**70,
    "10**400": 10**400,
    "True": True,
    "list": [],
    "dict": {},
    "object": object(),
    "array": np.array([1, 2]),
    "array without dimensions": np.array(3.0),
    "NA": pd.NA,
}

Call = Callable[[Any], object]


def parameters(function: Any, but: tuple[str, ...] = ("self",)) -> list[str]:
    """The names of the parameters that can be said by name."""
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    listed = inspect.signature(function).parameters.values()
    return [one.name for one in listed if one.kind not in kinds and one.name not in but]


def calls(function: Any, **good: Any) -> Iterator[tuple[str, Call]]:
    """One call for each parameter of a function, the others being good."""
    for name in parameters(function):
        yield name, lambda junk, name=name: function(**good | {name: junk})  # type: ignore[misc]


def complaints(call: Call, named: Callable[[str], bool]) -> dict[str, str]:
    """What is wrong with the answers to junk, by junk: other errors than ours, and those that name nothing.

    Parameters
    ----------
    call : what is called with the junk
    named : whether a sentence says which parameter is wrong
    """
    found: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for words, junk in JUNK.items():
            try:
                call(junk)
            except OOAError as error:
                if not named(str(error)) or len(str(error)) >= 2_000:
                    found[words] = f"not one sentence that names it: {error!s:.300}"
            except Exception as error:
                found[words] = f"not an error of ours: {type(error).__name__}: {error!s:.300}"
    return found
