"""Fits beside one more constraint each, of which none loses what the others found."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ooa.constraints.structure import budget
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints, LicenseLimit, OOAWarning, SolverError
from ooa.formulations.base import ConstraintLike
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.verdict import Learned
from ooa.logs import user_warn
from ooa.solving.solution import Termination

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FitsBeside", "fit_losses"]

INTERRUPTED = "Ctrl-C came before all was fitted: what is not known to be exact may go further"


@dataclass
class FitsBeside:
    """Makes a fit for each constraint that is asked about, until Ctrl-C comes.

    Parameters
    ----------
    table : the rows
    settings : of every fit
    interrupted : whether Ctrl-C came: no other fit is begun

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]}, [0, 0, 1, 1])
    >>> fits = FitsBeside(table, OOAxSettings(C1=0.01, C2=0.01))
    >>> fits.without("x").certificate.headline
    'proved optimal'
    """

    table: Table
    settings: OOAxSettings
    interrupted: bool = False

    def best(self, limit: ConstraintLike) -> Learned | None:
        """The best rule set that meets a constraint, too; None if nothing is known.

        Raises
        ------
        InfeasibleConstraints
            If there provably is none.
        """
        if self.interrupted:
            return None
        bounds: list[ConstraintLike] = [*self.settings.constraints, limit]
        told = replace(self.settings, constraints=bounds, start=None, progress=False)
        learned, failed = None, ""
        with warnings.catch_warnings():  # of none found in time, which whoever asked says
            warnings.simplefilter("ignore", OOAWarning)
            try:
                learned = learn_ooax(self.table, settings=told)
            except KeyboardInterrupt:  # when there was nothing yet to round off
                self.interrupted = True
            except (SolverError, LicenseLimit, MemoryError) as error:
                failed = str(error) or "not enough memory"
        if failed:
            user_warn(f"One of several fits found nothing: {failed}")
        if learned is not None:
            self.interrupted = learned.certificate.termination is Termination.INTERRUPTED
        if self.interrupted:
            user_warn(INTERRUPTED)
        return learned

    def without(self, name: str) -> Learned | None:
        """The best rule set that does not use an attribute."""
        return self.best(budget({name: 1}, 0))


def fit_losses(frame: pd.DataFrame, fits: FitsBeside, best: Fraction) -> None:
    """Put the loss without an attribute, where it is not known, into the frame of all attributes.

    Parameters
    ----------
    frame : as `ooa.explore.reliance.attribute_frame` makes it
    fits : to be made, one for each of those
    best : value of the best rule set
    """
    without, least = frame["without"].tolist(), frame["without_at_least"].tolist()
    for k, name in enumerate(frame["attribute"]):
        if without[k] <= least[k]:
            continue
        try:
            learned = fits.without(name)
        except InfeasibleConstraints:
            least[k] = math.inf
            continue
        if learned is None:  # not known: one that failed, or Ctrl-C
            continue
        found = learned.certificate
        if found.feasible and not without[k] <= float(found.objective - best):
            without[k] = float(found.objective - best)
        least[k] = max(least[k], float(found.bound - best))
    frame["without"], frame["without_at_least"] = without, least
