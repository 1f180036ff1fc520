"""What an adapter says of an option that its solver does not have."""

from __future__ import annotations

from collections.abc import Iterable

from ooa.checks import nearest
from ooa.errors import OptionError

__all__ = ["unknown_option"]


def unknown_option(solver: str, name: object, known: Iterable[str]) -> OptionError:
    """The error to raise for an option that a solver does not have, with the nearest one that it has.

    Solvers have hundreds of options, so that they are not listed if none is near.

    Parameters
    ----------
    solver : what the solver is called
    name : the option asked for
    known : the names of its options

    Examples
    --------
    >>> unknown_option("HiGHS", "time_limt", ["threads", "time_limit"])
    OptionError("HiGHS has no option 'time_limt'; did you mean 'time_limit'?")
    >>> unknown_option("HiGHS", "colour", ["threads", "time_limit"])
    OptionError("HiGHS has no option 'colour'")
    """
    close = nearest(name, known)
    hint = f"; did you mean {close!r}?" if close is not None else ""
    return OptionError(f"{solver} has no option {name!r}{hint}")
