"""The scikit-learn estimator of OOAx that chooses the price of complexity by cross-validation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from ooa.checks import listed_items, truth
from ooa.clock import Deadline
from ooa.explore.cross_validation import cross_validate
from ooa.explore.price_path import path, path_found
from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, FitSettings, OOAxSettings
from ooa.live_line import LiveLine
from ooa.logs import logger, user_warn
from ooa.objective import Objective, exact

from .folds import folds_of
from .ooax_classifier import OOAxClassifier
from .sklearn_compat import with_callbacks

if TYPE_CHECKING:
    from ooa.data.table import Table
    from ooa.explore.path_frame import PathFrame

__all__ = ["OOAxClassifierCV"]

#: Parameters that say how the price is chosen.
_CHOOSING = ("C_grid", "cv", "one_standard_error")


class OOAxClassifierCV(OOAxClassifier):
    """A small rule set whose price of complexity, C = C1 = C2, is chosen by cross-validation.

    As `sklearn.linear_model.LassoCV` does it: the path of rule sets over all rows, from none at all to the
    most detailed, gives the prices; in every fold the rule sets of all prices are learned in one go, each
    started from the others, and counted on the rows held out; then a rule set is learned from all rows at the
    price chosen.

    Parameters
    ----------
    C_grid : sequence of float, optional
        The prices to choose from; by default one for every rule set of the path down to 0.0005.
    cv : int, splitter or iterable of splits, default 5
        The folds, as everywhere in scikit-learn: a number for so many stratified ones, ``GroupKFold(5)``
        (with `groups` for `fit`), ``TimeSeriesSplit(5)``. Where it is a number, rows are shuffled first, by
        `random_state`: tables come sorted more often than not. Of rows that are not in memory a number, or
        the name of a column whose values are the folds; neither takes a further scan.
    one_standard_error : bool, default False
        Whether to take the highest price, and so the simplest rule set, whose mean score is not below the
        best by more than the standard error of that. By default the best mean score counts, as elsewhere in
        scikit-learn: with five folds an error is two or three points of accuracy on a small table, which is
        more than most would give for a shorter rule set without having been asked. `ooa.plot_cv` shows what
        it would take.
    n_jobs : int, optional
        Folds that are learned at a time, and threads of the solver for the last fit; 1 by default, -1 for one
        per processor.
    time_limit : float, "auto" or None, default "auto"
        Seconds for everything. The folds are after rule sets, not proofs: where time is short, these suffer.
    max_patterns, max_length, min_support, max_candidates, gamma : as for `OOAxClassifier`
    thresholds, max_thresholds, ranges, negations, sets, selection : as for `OOAxClassifier`
    positive, class_weight, categorical, numeric, missing : as for `OOAxClassifier`
    start, constraints, backend, confirm, gap, max_memory, random_state : as for `OOAxClassifier`
    verbose, progress, predict_columns, probabilities : as for `OOAxClassifier`

    Attributes
    ----------
    C_ : float
        The price chosen.
    cv_results_ : dict of ndarray
        What `sklearn.model_selection.GridSearchCV` calls so, with an entry per price, from dear to cheap:
        ``param_C``, ``mean_test_score``, ``std_test_score``, ``rank_test_score``, ``split0_test_score`` and
        so on; and ``se_test_score``, the standard error of the mean, ``mean_literals``, ``mean_patterns`` and
        ``mean_objective``, which is L on the rows learned from. A score is the share of the weight held out
        (sample weight times class weight) that is classified right. `ooa.plot_cv` draws it.
    path_ : PathFrame
        The rule sets of these prices over all rows, row by row as in `cv_results_`; see `ooa.path`.
    n_splits_ : int
        The number of folds.
    rules_, certificate_, classes_, n_features_in_, feature_names_in_, solution_, trace_, explanation_ : as \
for `OOAxClassifier`

    Notes
    -----
    Constraints have to hold in every fold, so those that speak of rows by number cannot be used; groups of
    fairness constraints are named by a column. Class weights "balanced" are those of all rows.

    See Also
    --------
    OOAxClassifier : at a price of your own.
    sklearn.model_selection.GridSearchCV : to choose other parameters.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> model = OOAxClassifierCV(max_length=2).fit(data.X, data.y)
    >>> model.C_, model.score(data.X, data.y)
    (0.004, 1.0)
    >>> import pandas as pd
    >>> pd.DataFrame(model.cv_results_)[["param_C", "mean_test_score", "mean_literals"]].round(3)
       param_C  mean_test_score  mean_literals
    0    0.200             0.50            0.0
    1    0.060             0.75            1.0
    2    0.004             1.00            7.0
    """

    C_: float
    cv_results_: dict[str, Any]
    path_: PathFrame
    n_splits_: int

    def __init__(
        self,
        C_grid: Any = None,
        *,
        cv: Any = 5,
        one_standard_error: bool = False,
        max_patterns: int | None = 5,
        max_length: int | None = 3,
        min_support: float | None = None,
        max_candidates: int | Literal["auto"] | None = "auto",
        gamma: float = 0.0,
        thresholds: Any = "auto",
        max_thresholds: int = 15,
        ranges: bool = False,
        negations: bool = False,
        sets: int = 1,
        selection: str = "auto",
        positive: Any = None,
        class_weight: Any = None,
        categorical: Any = (),
        numeric: Any = (),
        missing: Any = "false",
        start: Any = None,
        constraints: Any = (),
        backend: Any = "highs",
        confirm: bool | None = None,
        time_limit: float | Literal["auto"] | None = INTERACTIVE_TIME_LIMIT,
        gap: float = 0.0,
        n_jobs: int | None = None,
        max_memory: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
        progress: bool | None = None,
        predict_columns: str = "all",
        probabilities: str = "weighted",
    ) -> None:
        self.C_grid, self.cv, self.one_standard_error = C_grid, cv, one_standard_error
        self.max_patterns, self.max_length = max_patterns, max_length
        self.min_support, self.max_candidates, self.gamma = min_support, max_candidates, gamma
        self.thresholds, self.max_thresholds = thresholds, max_thresholds
        self.ranges, self.negations, self.sets = ranges, negations, sets
        self.selection, self.positive, self.class_weight = selection, positive, class_weight
        self.categorical, self.numeric, self.missing = categorical, numeric, missing
        self.start, self.constraints = start, constraints
        self.backend, self.confirm = backend, confirm
        self.time_limit, self.gap, self.n_jobs, self.max_memory = time_limit, gap, n_jobs, max_memory
        self.random_state, self.verbose, self.progress = random_state, verbose, progress
        self.predict_columns, self.probabilities = predict_columns, probabilities

    @with_callbacks
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, **overrides: Any
    ) -> OOAxClassifierCV:
        """Choose the price by cross-validation, and learn a rule set from all rows.

        Parameters
        ----------
        X, y, sample_weight : as for `OOAxClassifier.fit`
            Sample weights count in the scores as well.
        groups : sequence, optional
            The group of each row, for a splitter `cv` that keeps groups together.
        **overrides
            Parameters of the constructor to be used for this call only, such as ``cv=10``.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, self._parameters("fit", overrides), groups)

    def _priced(
        self, table: Table, wanted: FitSettings, parameters: dict[str, Any], groups: Any
    ) -> FitSettings:
        """The settings of the last fit: the price chosen, the rule set known there, and the time left."""
        assert isinstance(wanted, OOAxSettings)
        policy, deadline = wanted.policy, Deadline.after(wanted.seconds, wanted.clock)
        simpler = truth(parameters["one_standard_error"], "one_standard_error")
        rows, splits = folds_of(table, parameters["cv"], groups, wanted.seed)
        with LiveLine(wanted.progress, clock=wanted.clock) as line:
            line.update("the path over all rows")
            limit = deadline.share_of_rest(policy.whole_path_share).left()
            inner = replace(wanted, policy=policy.in_a_fold()).within(limit)
            frame = _path(table, inner, parameters["C_grid"])
            if frame.interrupted:  # there is nothing to choose by
                raise KeyboardInterrupt
            prices = [Objective.of(C, C) for C in frame["C1"]]
            limit = deadline.share_of_rest(policy.folds_share).left()
            inner = replace(wanted, progress=False, threads=1).within(limit)
            jobs, tell = parameters["n_jobs"], line.update
            found = cross_validate(rows, splits, prices, inner, jobs=jobs, tell=tell)
        if not found.whole:
            folds = len(found.scores)
            user_warn(f"Ctrl-C ended cross-validation: C is chosen by {folds} of {len(splits)} folds")
        best = found.best(simpler)
        self.C_, self.cv_results_ = float(prices[best].C1), found.as_dict()
        self.path_, self.n_splits_ = frame, len(found.scores)
        logger.info(
            "C = %g by cross-validation, of %d prices in %d folds", self.C_, len(prices), self.n_splits_
        )
        given = wanted.start or ()
        told = replace(wanted, patterns=(*wanted.patterns, *given), start=frame.rule_sets[best])
        return replace(told, C1=self.C_, C2=self.C_).within(deadline.left() if found.whole else 0.0)

    def _warn(self, wanted: FitSettings) -> None:
        """Say what the user should know about the result."""
        if self.explanation_ is not None and not len(self.rules_):
            none = "By cross-validation no rule set does better on rows held out than predicting one label"
            self.explanation_ = f"{none} (cv_results_ has the scores). {self.explanation_}"
        super()._warn(wanted)

    def _offered(self, caller: str) -> dict[str, Any]:
        """Return the parameters that a caller has to do with: once a price is chosen, that one."""
        parameters = super()._offered(caller)
        if caller == "fit":
            return parameters
        return {"C1": self.C_, "C2": self.C_} | {
            name: value for name, value in parameters.items() if name not in _CHOOSING
        }


def _path(table: Table, wanted: OOAxSettings, C_grid: Any) -> PathFrame:
    """The rule sets over all rows to choose from, from dear to cheap."""
    table = table if wanted.constraints else table.ordered()
    if C_grid is None:
        lowest = wanted.policy.least_price
        return path_found(table, replace(wanted, C1=lowest, C2=lowest), choosing=True)
    prices = listed_items(C_grid, "C_grid", object, "numbers")
    grid = sorted({exact(C, "a price of C_grid") for C in prices}, reverse=True)
    return path(table, grid, settings=wanted)
