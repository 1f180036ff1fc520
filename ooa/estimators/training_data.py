"""The rows that a fitted estimator learned from: kept, found again, reported on."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from sklearn.utils.validation import check_is_fitted

from ooa.data.labels import row_weights
from ooa.data.ranks import as_trained_on
from ooa.data.rows import Attribute
from ooa.data.table import Table
from ooa.engines.source import is_source
from ooa.errors import DataError, OptionError
from ooa.rules.evaluation import check_comparable, is_positive
from ooa.rules.ruleset import RuleSet

from .from_source import test_rows
from .parameters import READING, settings_of
from .validation import as_trained, without_column

if TYPE_CHECKING:
    import pandas as pd

    from ooa.explore.rashomon import RashomonSet
    from ooa.learning.certificate import Certificate
    from ooa.learning.settings import FitSettings
    from ooa.solving.solution import Progress

__all__ = ["Fitted", "LearnedFrom"]


class Fitted(NamedTuple):
    """What a report is about."""

    rules: RuleSet
    certificate: Certificate
    trace: tuple[Progress, ...]


class LearnedFrom:
    """Keeps the training table of an estimator, as long as this is neither copied nor pickled.

    A model that is sent to another process or saved in a file thus carries no rows of the training data.
    """

    rules_: RuleSet
    certificate_: Certificate
    trace_: tuple[Progress, ...]
    predict_columns: str
    probabilities: str
    #: What a fit of this estimator can be told.
    _settings_kind: ClassVar[type[FitSettings]]
    _attributes: Sequence[Attribute]
    #: The table in the order of the data; absent in copies.
    _training: Table
    #: Where the columns are cut, if rows were merged between cuts where they live.
    _cuts: Mapping[str, Any] | None
    #: What the fit was told, overrides included, as values that any process can read.
    _fitted_with: dict[str, object]

    @abstractmethod
    def _parameters(self, caller: str, overrides: dict[str, Any]) -> dict[str, Any]: ...

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: Any = None,
        ids: Any = None,
        short: bool = False,
        title: str | None = None,
        path_frame: pd.DataFrame | None = None,
        curve_frame: pd.DataFrame | None = None,
        near: RashomonSet | None = None,
    ) -> Path:
        """Write a report to look at: rules, proof, patterns, wrong rows and data in one HTML file.

        Without `X` and `y` it is about the training data. With them, what the rules do on these rows stands
        beside what they do on the training data, and the wrong rows named are of these. (A copy, or a model
        that was unpickled, is without its training data; its report is about these rows alone.)

        Parameters
        ----------
        path : str or path
            The file to write. It needs nothing else: no network, no script, no second file.
        X, y : frame or array, and its labels, optional
            Test rows, such as those held out. Of rows that stay where they are (a path, a lazy frame, an
            `ooa.Source`) the name of the column of labels; they are counted there, in one scan.
        sample_weight : sequence of float, optional
            What each of the test rows counts for. (A class weight counts in training alone.)
        ids : str or sequence, optional
            What the rows are called whose errors are named: a column of `X`, which need not be one that the
            model learned from, or a name for each row. By default they are counted from 0.
        short : bool, default False
            Whether to leave it at what fits on one printed page: rules, figures and proof, without the rows.
        title : str, optional
        path_frame : pandas.DataFrame, optional
            What `path` returned, to show accuracy against complexity; for the training data.
        curve_frame : pandas.DataFrame, optional
            What `operating_curve` returned, to show sensitivity against false alarms; for the training data.
        near : RashomonSet, optional
            What `near_optimal` returned, to say what rule sets rely on that are nearly as good.

        Returns
        -------
        pathlib.Path
            The file written.

        Raises
        ------
        DataError
            If the model is a copy or was unpickled and so is without its training data, and no others are
            given; if `ids` do not fit the rows.

        Examples
        --------
        >>> import tempfile
        >>> from ooa import OOAxClassifier
        >>> from ooa.datasets import monks
        >>> data = monks(1)
        >>> model = OOAxClassifier().fit(data.X, data.y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.report(f"{folder}/report.html", title="The first monk's problem").name
        'report.html'
        """
        from ooa.report.others import Others
        from ooa.report.page import write_report, write_short_report

        if is_source(X) and ids is not None:
            raise OptionError("ids name rows, and rows that are merged where they live have no names")
        if X is not None and isinstance(ids, str):
            X, ids = without_column(X, ids, [attribute.name for attribute in self._attributes])
        rows = self._labelled_rows(X, y, sample_weight)
        found = Fitted(self.rules_, self.certificate_, self.trace_)
        known, test = (rows, None) if X is None else (getattr(self, "_training", None), rows)
        if short:
            write_short_report(found, known, path, test=test, title=title)
        else:
            told, others = self._fitted_with, Others(path_frame, curve_frame, near)
            write_report(found, known, path, test=test, ids=ids, title=title, parameters=told, others=others)
        return Path(path)

    def _labelled_rows(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Table:
        """Return labelled rows as this model reads them; without any, those it was learned from."""
        check_is_fitted(self)
        if (X is None) != (y is None) or (X is None and sample_weight is not None):
            raise DataError("Other rows need both X and y, and the training data neither")
        return (
            self._rows_learned_from("pass X and y, or fit it again")
            if X is None
            else self._other_rows(X, y, sample_weight)
        )

    def _settings(self, caller: str, overrides: dict[str, Any]) -> FitSettings:
        """Return the settings of another fit to the same rows, as the estimator is set."""
        for name in READING:
            if name in overrides:
                raise OptionError(f"{caller} learns from the rows as fit read them: give {name} to fit")
        parameters = self._parameters(caller, overrides)
        if getattr(self, "_cuts", None) is not None:
            if "thresholds" in overrides:
                raise OptionError(f"{caller} learns from rows merged between cuts: give thresholds to fit")
            parameters = parameters | {"thresholds": self._cuts}
        return settings_of(self._settings_kind, parameters)

    def _rows_learned_from(self, hint: str) -> Table:
        """Return the training table, if it is there."""
        check_is_fitted(self)
        if not hasattr(self, "_training"):
            raise DataError(f"This model was copied or unpickled, without the data it learned from: {hint}")
        return self._training

    def _ordered(self) -> Table:
        """Return the training table as `fit` learned from it."""
        table = self._rows_learned_from("fit it again")
        return table if self._fitted_with["constraints"] else table.ordered()

    def _other_rows(self, X: Any, y: Any, sample_weight: Any) -> Table:
        """Return other rows as a table; they may be of one class, and columns may lack every value."""
        if is_source(X):
            return test_rows(self.rules_, self._attributes, X, y, sample_weight)
        used = self.rules_.attributes if self.predict_columns == "used" else None
        frame = as_trained(self, X, self._attributes, used)
        if not frame.n_rows:
            raise DataError("There are no rows to report on")
        known = {attribute.name: attribute for attribute in self._attributes}
        columns = tuple(as_trained_on(frame, name, known[name]) for name in frame.names)
        check_comparable([literal for pattern in self.rules_ for literal in pattern], columns)
        labels = is_positive(self.rules_, y, frame.n_rows)
        weight = row_weights(sample_weight, frame.n_rows)
        if not weight.sum() > 0:
            raise DataError("The weights are all zero: at least one row must count")
        rules = self.rules_
        return Table.of_columns(
            [known[name] for name in frame.names],
            columns,
            labels,
            weight,
            labels=(rules.negative, rules.positive),
            target=rules.target,
        )

    def __getstate__(self) -> dict[str, Any]:
        state: Any = super().__getstate__()  # type: ignore[misc, unused-ignore]
        return {name: value for name, value in state.items() if name != "_training"}
