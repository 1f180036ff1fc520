"""Backends by name: built-in ones lazily, other packages' through the entry point group `ooa.backends`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import partial

from ooa.checks import did_you_mean
from ooa.errors import BackendUnavailable, OptionError

from .backend import Availability, Backend

_BUILT_IN = {
    "highs": "ooa_backends.highs:HighsBackend",
    "scip": "ooa_backends.scip:ScipBackend",
    "cbc": "ooa_backends.cbc:CbcBackend",
    "gurobi": "ooa_backends.gurobi:GurobiBackend",
}
GROUP = "ooa.backends"


def backend_names() -> list[str]:
    """Names of all backends known here, installed or not."""
    return list(_loaders())


def get_backend(backend: str | Backend = "highs") -> Backend:
    """Return a backend by name; an instance is returned as it is.

    Examples
    --------
    >>> get_backend("highs")
    HighsBackend()
    >>> get_backend("hihgs")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: unknown backend 'hihgs'; did you mean 'highs'?
    """
    if isinstance(backend, Backend):
        return backend
    built_in = isinstance(backend, str) and backend in _BUILT_IN
    loaders = _built_in() if built_in else _loaders()  # entry points take time to look up
    if not isinstance(backend, str) or backend not in loaders:
        raise OptionError(f"unknown backend {backend!r}; {did_you_mean(backend, loaders)}")
    try:
        made = loaders[backend]()()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise BackendUnavailable(f"backend {backend!r} cannot be loaded: {reason}") from error
    if not isinstance(made, Backend):
        raise BackendUnavailable(f"backend {backend!r}: {type(made).__name__} is no ooa.solving.Backend")
    return made


def available_backends() -> dict[str, Availability]:
    """What is known of every backend, without importing any solver.

    Examples
    --------
    >>> available_backends()["highs"].ok
    True
    """
    found = {}
    for name, load in _loaders().items():
        try:
            found[name] = load().availability()
        except Exception as error:  # a broken third-party adapter must not hide the others
            found[name] = Availability(False, reason=f"{type(error).__name__}: {error}")
    return found


def other_solvers(name: str) -> Iterator[Backend]:
    """The backends of this library that are available, but for one: who is asked next.

    Examples
    --------
    >>> next(other_solvers("cbc")).name
    'highs'
    """
    for other in _BUILT_IN:
        if other != name and _load(_BUILT_IN[other]).availability().ok:
            yield get_backend(other)


def _built_in() -> dict[str, Callable[[], type[Backend]]]:
    return {name: partial(_load, where) for name, where in _BUILT_IN.items()}


def _loaders() -> dict[str, Callable[[], type[Backend]]]:
    from importlib.metadata import entry_points  # with all that reads mail headers

    loaders = _built_in()
    for point in entry_points(group=GROUP):
        loaders.setdefault(point.name, point.load)
    return loaders


def _load(where: str) -> type[Backend]:
    module, _, attribute = where.partition(":")
    found: type[Backend] = getattr(importlib.import_module(module), attribute)
    return found
