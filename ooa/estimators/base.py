"""What the two scikit-learn estimators share: reading data, the course of a fit, and predictions."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ooa.checks import did_you_mean, one_of
from ooa.clock import Deadline
from ooa.data.frames import open_frame
from ooa.data.table import Table
from ooa.engines.scoring import predicted
from ooa.engines.source import is_source, source_of
from ooa.errors import DataError, OptionError
from ooa.learning.by_settings import explain_fit, learn
from ooa.learning.certificate import Standing
from ooa.live_line import LiveLine
from ooa.logs import audible, logger, user_warn
from ooa.rules.evaluation import covers
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .from_source import certified, cut_by, read_source, score_on
from .learning_again import LearnsAgain
from .parameters import PREDICTING, is_literal, plain_parameters, settings_of
from .probabilities import FiringRates, lead_by, rows_by_class
from .sklearn_compat import CallbackSupport, Tagged, with_callbacks
from .validation import accuracy, as_trained, check_lengths, read_features, read_target, read_weight

if TYPE_CHECKING:
    from ooa.data.columns import Category
    from ooa.learning.certificate import Certificate
    from ooa.learning.settings import FitSettings
    from ooa.learning.verdict import Learned
    from ooa.solving.solution import Progress, Solution

__all__ = ["RuleSetClassifier"]

Self = TypeVar("Self", bound="RuleSetClassifier")


class RuleSetClassifier(LearnsAgain, CallbackSupport, ClassifierMixin, Tagged):  # type: ignore[misc]
    """A classifier that is a rule set; the subclasses say by their settings how it is learned."""

    rules_: RuleSet
    certificate_: Certificate
    solution_: Solution | None
    trace_: tuple[Progress, ...]
    explanation_: str | None
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    @with_callbacks
    def fit(self: Self, X: Any, y: Any, sample_weight: Any = None, **overrides: Any) -> Self:
        """Learn a rule set.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)
            A pandas, polars or pyarrow table, an array, or a list of rows or dicts. Text and true/false
            columns are categorical, numbers and dates numeric. Values may be missing, not infinite.
            Or rows that stay where they are: the path of CSV or Parquet files, a lazy frame, an `ooa.Source`.
        y : sequence of two different labels
            Of rows that stay where they are: the name of the column of labels.
        sample_weight : sequence of float, optional
            What each row counts for; 1 by default. Of rows that stay where they are: the name of a column.
        **overrides
            Parameters of the constructor to be used for this call only, such as ``backend="scip"``.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, self._parameters("fit", overrides))

    def _fit(
        self: Self, X: Any, y: Any, sample_weight: Any, parameters: dict[str, Any], groups: Any = None
    ) -> Self:
        """Learn a rule set by these parameters; `groups` of rows are for whoever splits them."""
        context = self._announce(X, y, sample_weight)
        wanted = settings_of(self._settings_kind, parameters)
        with audible(parameters["verbose"]), LiveLine(wanted.progress) as line:
            line.update("reading the data")
            source, told_as = None, parameters
            if is_source(X):
                fold = parameters["cv"] if isinstance(parameters.get("cv"), str) else ""
                source, classes = read_source(self, X, y, sample_weight, parameters, line.update, fold)
                given, told_as = source.table, cut_by(source, parameters)
                wanted = settings_of(self._settings_kind, told_as)
            else:
                given, classes = self._table(X, y, sample_weight, parameters)
            logger.info("%s: %r, solver %s", type(self).__name__, given, wanted.backend)
            known = groups if source is None or source.fold is None else source.fold
            told = self._priced(given, wanted, told_as, known)
            # Constraints speak of the rows by number, so with constraints they stay as they are.
            deadline = Deadline.after(told.seconds, told.clock)
            in_time = deadline.share(told.policy.ordering_share)
            table = given if wanted.constraints else given.ordered(in_time)
            told = told.within(deadline.left())
            learned = learn(table, told)
            _log_result(learned)
            holds = learned.rules.covers(table.as_frame())
            why = explain_fit(learned, holds, table, told)
        self.classes_ = classes
        self.rules_, self.certificate_ = learned.rules, learned.certificate
        self._cuts = None if source is None or told_as is parameters else source.cuts
        if source is not None:
            self.certificate_ = certified(self.certificate_, source, self.rules_, wanted)
        self.solution_, self.trace_ = learned.solution, learned.trace
        self._attributes = table.attributes
        self._positive = int(classes[1] == table.labels[1])
        by_class = np.column_stack((table.negative, table.positive))
        self._rates = {
            "weighted": FiringRates.count(holds, by_class),
            "unweighted": FiringRates.count(holds, rows_by_class(by_class > 0, table.copies)),
        }
        prices = {"C1": told.C1, "C2": told.C2}
        self._training, self._fitted_with = given, plain_parameters(prices | parameters)
        self.explanation_ = None if why is None else why.sentence()
        self._warn(wanted)
        if context is not None:
            context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes=dict)
        return self

    def _priced(
        self, table: Table, wanted: FitSettings, parameters: dict[str, Any], groups: Any
    ) -> FitSettings:
        """The settings of the fit; who chooses the prices by the data does so here."""
        return wanted

    def predict(self, X: Any) -> Any:
        """Return the label of each row: the positive one where any pattern holds.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)
            With the columns of the training data, in the same order; see `predict_columns`. A condition on a
            missing value or on a category never seen in training is false. Of rows that stay where they are
            (a path, a lazy frame, an `ooa.Source`) a lazy frame is returned, of the same engine, with one
            more column: "prediction".
        """
        if is_source(X):
            check_is_fitted(self)
            floats = self.classes_.dtype.kind == "f"
            return predicted(self.rules_, source_of(X).open(), floats=floats).to_native()
        fires = self._holds(X).any(axis=1)
        return self.classes_[np.where(fires, self._positive, 1 - self._positive)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the rows that is classified right, by weight.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`; rows that stay where they are are counted there, in one scan
        """
        if not is_source(X):
            return accuracy(y, self.predict(X), sample_weight)
        check_is_fitted(self)
        return score_on(self.rules_, X, y, sample_weight)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the two labels in `classes_`.

        The probability of the positive label is the share of positives among the training rows on which
        exactly the same patterns hold; for a row on which no pattern holds, among the training rows on which
        none holds. (If the same patterns never held together in training: among the rows on which any of them
        holds.)

        With ``probabilities="weighted"`` it is a share of the weight, sample weight times class weight, as
        for scikit-learn's trees, and is kept on the side of one half that the rule set predicts, so that the
        more probable label is the one that `predict` returns. With ``class_weight="balanced"`` it is thus
        about a world in which both labels are as frequent. With "unweighted" every training row counts once:
        the share that is found among rows as they come. It stays where it is, and may be below one half
        where the rule set, which goes by the weights, predicts the positive label.

        Parameters
        ----------
        X : as for `predict`
        """
        holds = self._holds(X)
        one_of(self.probabilities, "probabilities", tuple(self._rates))
        unweighted = self.probabilities == "unweighted"
        shares = self._rates["unweighted"].shares(holds) if unweighted else self._led(holds)
        return shares if self._positive else shares[:, ::-1]

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the weighted share of ``classes_[1]`` minus one half: above zero where that is predicted.

        It is that of `predict_proba` with ``probabilities="weighted"``, whatever is set.

        Parameters
        ----------
        X : as for `predict`
        """
        positive: NDArray[np.float64] = self._led(self._holds(X))[:, 1] - 0.5
        return positive if self._positive else -positive

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """What a notebook shows: as scikit-learn shows estimators, and below that what was learned."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle and hasattr(self, "rules_"):
            learned = self.rules_._repr_html_() + self.certificate_._repr_html_()
            bundle["text/html"] += f"<div>{learned}</div>"
        return bundle

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def _led(self, holds: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the shares of the negative and the positive label by weight, led by the one predicted."""
        predicted: NDArray[np.intp] = np.where(holds.any(axis=1), 1, 0)
        return lead_by(self._rates["weighted"].shares(holds), predicted)

    def _holds(self, X: Any) -> NDArray[np.bool_]:
        """Return for each row and each pattern whether it holds."""
        check_is_fitted(self)
        if is_source(X):
            raise DataError(
                "X is rows that stay where they are (a path, a lazy frame, an ooa.Source), of which one rule "
                "set's labels can be had and no more: read them for probabilities, or for several classes"
            )
        choice = one_of(self.predict_columns, "predict_columns", ("all", "used"))
        used = self.rules_.attributes if choice == "used" else None
        return covers(self.rules_.patterns, as_trained(self, X, self._attributes, used), check=True)

    def _parameters(self, caller: str, overrides: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of one call: those of the estimator, then those given to the caller."""
        parameters = self._offered(caller)
        for name in overrides:
            if name not in parameters:
                hint = did_you_mean(name, sorted(parameters))
                raise OptionError(f"{caller} has no option {name!r}; {hint}")
        return parameters | overrides

    def _offered(self, caller: str) -> dict[str, Any]:
        """Return the parameters of the estimator that a caller has to do with."""
        parameters: dict[str, Any] = self.get_params(deep=False)
        for name, choices in PREDICTING.items():
            one_of(parameters.pop(name), name, choices)
        return parameters

    def _announce(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """Tell scikit-learn's callbacks, where there are any, that the fit begins."""
        if not hasattr(self, "_init_callback_context"):
            return None
        context = self._init_callback_context()
        weights = None if sample_weight is None else {"sample_weight": sample_weight}
        return context.call_on_fit_task_begin(estimator=self, X=X, y=y, metadata=weights)

    def _table(
        self, X: Any, y: Any, sample_weight: Any, parameters: dict[str, Any]
    ) -> tuple[Table, NDArray[Any]]:
        """Check the data and read them into a table."""
        features = read_features(self, X, reset=True)
        labels, classes, target = read_target(self, y)
        check_lengths(features, labels)
        weight = read_weight(sample_weight, labels)
        names = open_frame(features).names
        table = Table.from_any(
            features,
            open_frame({target: labels}).column(target, kind="categorical"),
            positive=parameters["positive"],
            sample_weight=weight,
            class_weight=parameters["class_weight"],
            categorical=_named("categorical", parameters["categorical"], names),
            numeric=_named("numeric", parameters["numeric"], names),
            missing="false" if is_literal(parameters["missing"]) else parameters["missing"],
        )
        return table, classes

    def _call_positive(self, label: Category) -> None:
        """Call the positive label otherwise, whatever the other one is."""
        negative = self.rules_.negative
        self.rules_ = replace(self.rules_, positive=label)
        self.classes_, self._positive = np.array([negative, label], dtype=object), 1
        self._training = replace(self._training, labels=(negative, label))

    def _warn(self, wanted: FitSettings) -> None:
        """Say what the user should know about the result."""
        if self.explanation_ is not None:
            user_warn(self.explanation_)
        found, said = self.certificate_, list[str]()
        ended = {
            Termination.TIME_LIMIT: f"{_limit(wanted.time_limit)} ended the fit before its proof",
            Termination.INTERRUPTED: "An interruption ended the fit before its proof",
            Termination.STALLED: "The fit ended without a proof, as neither one nor a better rule set was in "
            "sight (time_limit=300 goes on for 300 s)",
            Termination.CLAIMED: f"Nobody confirmed what {found.backend} claims, so that it is no proof",
            Termination.EXHAUSTED: "The fit ended without a proof, as all was done that its settings allow",
        }.get(found.termination)
        if ended and found.feasible and self.explanation_ is None:
            pool = f"the rule set is the {found.headline}, and " if found.standing is Standing.POOL else ""
            said.append(
                f"{ended}: the objective is {float(found.objective):.6g}, {pool}among "
                f"{found.statement} none is below {float(found.bound):.6g} (gap {100 * found.gap:.1f} %)"
            )
        worth_while = wanted.policy.telling_gain * found.objective
        said += [limit.sentence() for limit in found.limits if limit.gain >= worth_while]
        if said:
            user_warn("; ".join(said))


def _limit(seconds: float | str | None) -> str:
    """What the time that a fit had is called."""
    if isinstance(seconds, str):
        return f"The time that time_limit={seconds!r} allows"
    return f"The time limit of {seconds} s"


def _log_result(learned: Learned) -> None:
    """Log the outcome; the stages were logged as they ended."""
    found = learned.certificate
    logger.info("patterns: %s", ", ".join(f"{n:,} {what}" for what, n in found.counts.items()))
    for line in str(found).splitlines():
        logger.info("%s", line)


def _named(option: str, chosen: Any, names: Sequence[str]) -> list[Any]:
    """Return columns given by name or by position as names; what is neither is left to be refused."""
    if isinstance(chosen, str) or not isinstance(chosen, Iterable) or getattr(chosen, "ndim", 1) != 1:
        raise OptionError("must be a list of column names or positions", option=option, value=chosen)

    def name(column: Any) -> Any:
        positional = isinstance(column, numbers.Integral) and str(column) not in names
        return names[column] if positional and -len(names) <= column < len(names) else column

    return [name(column) for column in chosen]
