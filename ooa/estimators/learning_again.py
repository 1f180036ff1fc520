"""What a fitted estimator learns again from its rows: along prices, limits of a constraint, or weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ooa.data.table import Table

from .training_data import LearnedFrom

if TYPE_CHECKING:
    from ooa.explore.held_out import Split
    from ooa.explore.operating_frame import OperatingFrame
    from ooa.explore.path_frame import PathFrame
    from ooa.explore.trade_off_frame import TradeOffFrame
    from ooa.formulations.base import ConstraintLike
    from ooa.learning.settings import FitSettings

__all__ = ["LearnsAgain"]


class LearnsAgain(LearnedFrom):
    """Learns several rule sets from the rows that an estimator learned from."""

    def path(
        self,
        C_grid: Iterable[Any] | None = None,
        *,
        cv: Any = None,
        groups: Any = None,
        n_jobs: int | None = None,
        **overrides: Any,
    ) -> PathFrame:
        """Learn the optimal rule sets along prices, from simple to accurate.

        Without a grid these are all that are the best at some price between the first at which a pattern pays
        and those of the estimator.

        It learns from the training data, as the estimator is set, and leaves the estimator as it is.

        Parameters
        ----------
        C_grid : sequence of numbers or of pairs (C1, C2), optional
            The prices; by default they are found.
        cv : int, splitter, iterable of splits or None, default None
            Folds: the rule sets of the same prices are learned in each, and tried on the rows held out.
        groups : sequence, optional
            The group of each training row, for a splitter `cv` that keeps groups together.
        n_jobs : int, optional
            Folds at a time.
        **overrides
            Parameters of the constructor to be used for this call only. `time_limit` is for the whole path,
            folds among it; C1 and C2 are where a path without a grid ends.

        Returns
        -------
        PathFrame
            One row per price; see `ooa.path`. `ooa.plot_path` draws it.

        Examples
        --------
        >>> from ooa import OOAxClassifier
        >>> from ooa.datasets import monks
        >>> data = monks(1)
        >>> frame = OOAxClassifier(max_length=2).fit(data.X, data.y).path([0.1, 0.01])
        >>> frame[["C1", "errors", "literals", "proved"]]
             C1  errors  literals  proved
        0  0.10   108.0         1    True
        1  0.01     0.0         7    True
        >>> frame = OOAxClassifier(max_length=2).fit(data.X, data.y).path([0.1, 0.01], cv=5)
        >>> frame[["C1", "cv_accuracy", "cv_sensitivity", "cv_specificity"]].round(2)
             C1  cv_accuracy  cv_sensitivity  cv_specificity
        0  0.10         0.75             0.5             1.0
        1  0.01         1.00             1.0             1.0
        """
        from ooa.explore.price_grid import refuse_prices
        from ooa.explore.price_path import path

        if C_grid is not None:
            refuse_prices("path", overrides)
        settings = self._settings("path", overrides)
        if cv is None:
            return path(self._ordered(), C_grid, settings=settings)
        table, splits = self._folds(cv, groups, settings)
        return path(table, C_grid, splits=splits, jobs=n_jobs, settings=settings)

    def trade_off(
        self,
        constraint: Callable[[Any], ConstraintLike | Sequence[ConstraintLike]],
        grid: Iterable[Any],
        **overrides: Any,
    ) -> TradeOffFrame:
        """Learn the best rule set at every limit of a constraint: what the limit costs.

        It learns from the training data, as the estimator is set, and leaves the estimator as it is.

        Parameters
        ----------
        constraint : callable
            Makes the constraint of a limit: a ready-made one that takes nothing else (`min_sensitivity`), or
            a function such as `lambda gap: demographic_parity("sex", gap)`.
        grid : sequence
            The limits.
        **overrides
            Parameters of the constructor to be used for this call only. `time_limit` is for all fits
            together; `constraints` hold at every limit.

        Returns
        -------
        TradeOffFrame
            One row per limit; see `ooa.trade_off`. `ooa.plot_trade_off` draws it.

        Examples
        --------
        >>> from ooa import OOAxClassifier
        >>> from ooa.constraints import max_false_positives
        >>> from ooa.datasets import monks
        >>> data = monks(1)
        >>> model = OOAxClassifier(C1=0.04, C2=0.04).fit(data.X, data.y)
        >>> model.trade_off(max_false_positives, [36, 0])[["limit", "errors", "price", "proved"]]
           limit  errors  price  proved
        0     36   108.0    0.0    True
        1      0   108.0    0.0    True
        """
        from ooa.explore.trade_off import trade_off

        table = self._rows_learned_from(
            "fit it again"
        )  # in the order of the data, as constraints speak of it
        return trade_off(table, constraint, grid, settings=self._settings("trade_off", overrides))

    def operating_curve(
        self,
        weights: Iterable[Any] | None = None,
        *,
        C_grid: Iterable[Any] | None = None,
        cv: Any = 5,
        groups: Any = None,
        n_jobs: int | None = None,
        **overrides: Any,
    ) -> OperatingFrame:
        """Learn the best rule set for every weight of a positive row: sensitivity against specificity.

        It is what a ROC curve is for scores, but every point is a rule set of its own, with its proof. It
        learns from the training data, as the estimator is set, and leaves the estimator as it is.

        Parameters
        ----------
        weights : sequence of numbers, optional
            For how many negative rows a positive one counts; by default 1/16 to 16 by doubling.
        C_grid : sequence of numbers or of pairs (C1, C2), optional
            Prices: there is a rule set for every weight at each of them, and `envelope` says which of these
            no other one beats; by default the prices are those of the estimator.
        cv : int, splitter, iterable of splits or None, default 5
            Folds for the rates on rows held out; None leaves them out.
        groups : sequence, optional
            The group of each training row, for a splitter `cv` that keeps groups together.
        n_jobs : int, optional
            Folds at a time.
        **overrides
            Parameters of the constructor to be used for this call only. `time_limit` is for all fits
            together.

        Returns
        -------
        OperatingFrame
            One row per price and weight; see `ooa.operating_curve`. `ooa.plot_operating_curve` draws it.

        Examples
        --------
        >>> from ooa import OOAxClassifier
        >>> from ooa.datasets import apnea_survey
        >>> data = apnea_survey(200)
        >>> model = OOAxClassifier(C1=0.01, C2=0.01).fit(data.X.iloc[:, :6], data.y)
        >>> frame = model.operating_curve([0.5, 2], cv=None)
        >>> frame[["weight", "sensitivity", "specificity", "proved"]].round(2)
           weight  sensitivity  specificity  proved
        0     0.5         0.66         0.81    True
        1     2.0         0.97         0.24    True
        """
        from ooa.explore.operating_curve import operating_curve
        from ooa.explore.price_grid import refuse_prices

        if C_grid is not None:
            refuse_prices("operating_curve", overrides)
        settings = self._settings("operating_curve", overrides)
        table, splits = self._folds(cv, groups, settings)
        return operating_curve(table, weights, C_grid=C_grid, splits=splits, jobs=n_jobs, settings=settings)

    def _folds(self, cv: Any, groups: Any, settings: FitSettings) -> tuple[Table, list[Split]]:
        """Return the rows learned from, in the order in which folds number them, and the folds if any."""
        from .folds import folds_of

        table = self._rows_learned_from("fit it again")
        return (table, []) if cv is None else folds_of(table, cv, groups, settings.seed)
