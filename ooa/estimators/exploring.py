"""What an estimator says of the rule sets that are nearly as good as the one that it learned."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ooa.learning.settings import OOAxSettings

from .training_data import LearnedFrom

if TYPE_CHECKING:
    from ooa.explore.rashomon import RashomonSet
    from ooa.report.explorer import ExplorerPage

__all__ = ["Explored"]


class Explored(LearnedFrom):
    """Lists near-optimal rule sets of the training data, and writes the page to explore them."""

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        X: Any = None,
        y: Any = None,
        *,
        within: Any = "5%",
        n: int | None = None,
        near: RashomonSet | None = None,
        rows: bool = True,
        groups: str | None = None,
        title: str | None = None,
        **overrides: Any,
    ) -> ExplorerPage:
        """Write a page to choose among rule sets that are nearly as good as the best, and to change them.

        The page is one file that loads nothing and sends nothing. It shows the rule sets as points and as a
        list that can be filtered, the chosen one in words with its figures, what changes against the
        optimum, and an editor: every figure follows at once. Rule sets are copied from it as text that
        `RuleSet.parse` reads, or downloaded as a model file for `ooa predict`.

        Parameters
        ----------
        path : str or path, optional
            The file to write; without it, the page is only returned, and shown by a notebook.
        X, y : frame or array, and its labels, optional
            Test rows, whose figures stand beside those of the training data.
        within, n : as for `near_optimal`
        near : RashomonSet, optional
            What `near_optimal` returned, not to list them again.
        rows : bool, default True
            Whether the distinct training rows, in coded form and with their counts, are in the page: the
            editor needs them. With False there are only counts of what rule sets and patterns cover.
        groups : str, optional
            A column of categories: gaps between its groups are among the figures.
        title : str, optional
        **overrides
            Parameters of the constructor to be used for this call only, such as `time_limit`.

        Returns
        -------
        ExplorerPage

        Examples
        --------
        >>> from ooa import OOAxClassifier
        >>> from ooa.datasets import monks
        >>> data = monks(1)
        >>> model = OOAxClassifier(max_length=2).fit(data.X, data.y)
        >>> model.explore(within=0.02, title="Monks")
        ExplorerPage(3 rule sets)
        """
        from ooa.report.explorer import write_explorer

        test = None if X is None and y is None else self._labelled_rows(X, y)
        if near is None:
            near = self.near_optimal(within, n, **overrides)
        bound = self._settings("explore", overrides).constraints
        return write_explorer(
            near,
            path,
            test=test,
            rows=rows,
            groups=groups,
            title=title,
            constraints=tuple(bound),
        )

    def near_optimal(
        self,
        within: Any = "5%",
        n: int | None = None,
        *,
        redundant: bool = False,
        sample: int = 0,
        **overrides: Any,
    ) -> RashomonSet:
        """List all rule sets that are nearly as good as the best, to choose among them.

        It learns from the training data, as the estimator is set, constraints included, and leaves the
        estimator as it is.

        Parameters
        ----------
        within : float, str or Fraction, default "5%"
            How much the objective may exceed the optimum: an amount, or a share of it.
        n : int, optional
            The most rule sets to list; by default as many as there are, up to 10,000.
        redundant : bool, default False
            Whether to list rule sets too that only add a pattern which changes no prediction.
        sample : int, default 0
            How many to draw from all there are, also where these are too many to be listed, each as likely.
        **overrides
            Parameters of the constructor to be used for this call only, such as `time_limit`.

        Returns
        -------
        RashomonSet
            What it says of attributes, of rows and of what can be attained: its methods `attributes`, `rows`
            and `ranges`. Rows are in the order of the training data.

        Examples
        --------
        >>> from ooa import OOAxClassifier
        >>> from ooa.datasets import monks
        >>> data = monks(1)
        >>> near = OOAxClassifier(max_length=2).fit(data.X, data.y).near_optimal(within=0.02)
        >>> len(near), near.complete, near.attributes()["attribute"].tolist()[:3]
        (3, True, ['head_shape', 'body_shape', 'jacket_color'])
        """
        found = self.enumerate_optimal(n, within, redundant=redundant, sample=sample, **overrides)
        return replace(found, table=self._rows_learned_from("fit it again"))

    def enumerate_optimal(
        self,
        n: int | None = None,
        within: Any = None,
        *,
        distinct_predictions: bool = False,
        redundant: bool = False,
        sample: int = 0,
        **overrides: Any,
    ) -> RashomonSet:
        """List the best rule sets, or all that are nearly as good as the best.

        It learns from the training data, as the estimator is set, and leaves the estimator as it is.

        Parameters
        ----------
        n : int, optional
            How many rule sets; 10 if `within` is not given either, else no limit.
        within : float, str or Fraction, optional
            How much the objective may exceed the optimum.
        distinct_predictions : bool, default False
            Whether rule sets with equal predictions on the training rows count as one.
        redundant : bool, default False
            Whether to list rule sets too that only add a pattern which changes no prediction.
        sample : int, default 0
            How many to draw from all within the distance, each as likely.
        **overrides
            Parameters of the constructor to be used for this call only.

        Returns
        -------
        RashomonSet
            See `ooa.enumerate_optimal`.

        Examples
        --------
        >>> from ooa import OOAxClassifier
        >>> from ooa.datasets import monks
        >>> data = monks(1)
        >>> near = OOAxClassifier(max_length=2).fit(data.X, data.y).enumerate_optimal(within=0)
        >>> len(near), near.complete
        (1, True)
        """
        from ooa.explore.enumerate import enumerate_optimal

        wanted = self._settings("enumerate_optimal", overrides)
        assert isinstance(wanted, OOAxSettings)
        return enumerate_optimal(
            self._ordered(),
            n,
            within,
            distinct_predictions=distinct_predictions,
            redundant=redundant,
            sample=sample,
            settings=wanted,
        )
