"""What the two scikit-learn estimators share: reading data, the course of a fit, and predictions."""

from __future__ import annotations

import difflib
import numbers
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from ooa.data.frames import open_frame
from ooa.data.table import Table
from ooa.errors import OOAWarning, OptionError
from ooa.learning.empty_result import explain_trivial
from ooa.logs import audible, logger
from ooa.objective import Objective, exact
from ooa.rules.evaluation import covers
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .probabilities import FiringRates
from .sklearn_compat import CallbackSupport, Tagged, with_callbacks
from .training_data import LearnedFrom, plain_settings
from .validation import as_trained, in_order, read_features, read_target, read_weight

if TYPE_CHECKING:
    from ooa.candidates.generate import LiteralSet
    from ooa.data.rows import Rows
    from ooa.learning.certificate import Certificate
    from ooa.learning.ooax import Learned
    from ooa.solving.solution import Progress, Solution

__all__ = ["RuleSetClassifier"]

Self = TypeVar("Self", bound="RuleSetClassifier")


class RuleSetClassifier(LearnedFrom, CallbackSupport, ClassifierMixin, Tagged):  # type: ignore[misc]
    """A classifier that is a rule set; the subclasses say how it is learned."""

    rules_: RuleSet
    certificate_: Certificate
    solution_: Solution | None
    trace_: tuple[Progress, ...]
    explanation_: str | None
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    @abstractmethod
    def _learn(self, table: Table, arguments: dict[str, Any]) -> Learned:
        """Learn from a table."""

    @abstractmethod
    def _options(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments that only this way of learning takes."""

    @abstractmethod
    def _literals(self, rows: Rows, settings: dict[str, Any]) -> LiteralSet:
        """Return candidate literals to look for a first pattern among, should there be none."""

    @with_callbacks
    def fit(self: Self, X: Any, y: Any, sample_weight: Any = None, **overrides: Any) -> Self:
        """Learn a rule set.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)
            A pandas, polars or pyarrow table, an array, or a list of rows or dicts. Text and true/false
            columns are categorical, numbers and dates numeric. Values may be missing, not infinite.
        y : sequence of two different labels
        sample_weight : sequence of float, optional
            What each row counts for; 1 by default.
        **overrides
            Parameters of the constructor to be used for this call only, such as ``backend="scip"``.

        Returns
        -------
        self
        """
        settings = self._settings(overrides)
        context = self._announce(X, y, sample_weight)
        common = self._common(settings)
        given, classes = self._table(X, y, sample_weight, settings)
        # Constraints speak of the rows by number, so with constraints they stay as they are.
        table = given if settings["constraints"] else in_order(given)
        with audible(settings["verbose"]):
            logger.info("%s: %r, solver %s", type(self).__name__, table, settings["backend"])
            learned = self._learn(table, self._options(settings) | common)
            _log_result(learned)
        holds = learned.rules.covers(table.as_frame())
        self.classes_ = classes
        self.rules_, self.certificate_ = learned.rules, learned.certificate
        self.solution_, self.trace_ = learned.solution, learned.trace
        self._attributes = table.attributes
        self._positive = int(classes[1] == table.labels[1])
        self._rates = FiringRates.count(holds, table.positive, table.negative)
        self._training, self._fitted_with = given, plain_settings(settings)
        self.explanation_ = self._explain(learned, holds, table, settings)
        self._warn(settings)
        if context is not None:
            context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes=dict)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the label of each row: the positive one where any pattern holds.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)
            With the columns of the training data, in the same order; see `predict_columns`. A condition on a
            missing value or on a category never seen in training is false.
        """
        fires = self._holds(X).any(axis=1)
        return self.classes_[np.where(fires, self._positive, 1 - self._positive)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the two labels in `classes_`.

        The probability of the positive label is the share of positives, by weight, among the training rows on
        which exactly the same patterns hold; for a row on which no pattern holds, among the training rows on
        which none holds. (If the same patterns never held together in training: among the rows on which any
        of them holds.) It is then kept on the side of one half that the rule set predicts, so that the more
        probable label is the one that `predict` returns.

        Parameters
        ----------
        X : as for `predict`
        """
        holds = self._holds(X)
        positive = self._rates.probability(holds)
        columns = (1 - positive, positive) if self._positive else (positive, 1 - positive)
        return np.column_stack(columns)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of ``classes_[1]`` minus one half: above zero where that is predicted.

        Parameters
        ----------
        X : as for `predict`
        """
        scores: NDArray[np.float64] = self.predict_proba(X)[:, 1] - 0.5
        return scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def _holds(self, X: Any) -> NDArray[np.bool_]:
        """Return for each row and each pattern whether it holds."""
        check_is_fitted(self)
        choice = self.predict_columns
        if choice not in ("all", "used"):
            raise OptionError(f"predict_columns must be 'all' or 'used', not {choice!r}")
        used = self.rules_.attributes if choice == "used" else None
        return covers(self.rules_.patterns, as_trained(self, X, self._attributes, used), check=True)

    def _settings(self, overrides: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of this call: those of the estimator, then those given to `fit`."""
        settings: dict[str, Any] = self.get_params(deep=False)
        del settings["predict_columns"]
        for name in overrides:
            if name not in settings:
                close = difflib.get_close_matches(name, settings, n=1, cutoff=0.5)
                hint = f"did you mean {close[0]!r}? " if close else ""
                raise OptionError(f"fit has no option {name!r}; {hint}Known: {', '.join(sorted(settings))}")
        return settings | overrides

    def _announce(self, X: Any, y: Any, sample_weight: Any) -> Any:
        """Tell scikit-learn's callbacks, where there are any, that the fit begins."""
        if not hasattr(self, "_init_callback_context"):
            return None
        context = self._init_callback_context()
        weights = None if sample_weight is None else {"sample_weight": sample_weight}
        return context.call_on_fit_task_begin(estimator=self, X=X, y=y, metadata=weights)

    def _table(
        self, X: Any, y: Any, sample_weight: Any, settings: dict[str, Any]
    ) -> tuple[Table, NDArray[Any]]:
        """Check the data and read them into a table."""
        features = read_features(self, X, reset=True)
        labels, classes, target = read_target(self, y)
        check_consistent_length(features, labels)
        weight = read_weight(sample_weight, labels)
        names = open_frame(features).names
        table = Table.from_any(
            features,
            open_frame({target: labels}).column(target, kind="categorical"),
            positive=settings["positive"],
            sample_weight=weight,
            class_weight=settings["class_weight"],
            categorical=_named("categorical", settings["categorical"], names),
            numeric=_named("numeric", settings["numeric"], names),
            missing="false" if _is(settings["missing"], "literal") else settings["missing"],
        )
        return table, classes

    def _common(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments that both ways of learning take."""
        chosen = {
            name: settings[name] for name in ("C1", "C2", "max_patterns", "start", "backend", "time_limit")
        }
        given = settings["constraints"]
        if given:
            chosen["constraints"] = (given,) if callable(given) else tuple(given)
        gap, verbose = settings["gap"], settings["verbose"]
        if not (isinstance(gap, (int, float, np.number)) and gap >= 0):
            raise OptionError(f"gap must be a number >= 0, not {gap!r}")
        if not isinstance(verbose, (int, np.integer)):
            raise OptionError(f"verbose must be a whole number, not {verbose!r}")
        state = settings["random_state"]
        fixed = isinstance(state, numbers.Integral)
        return chosen | {
            "relative_gap": float(gap),
            "threads": effective_n_jobs(settings["n_jobs"]),
            "seed": int(state) if fixed else int(check_random_state(state).randint(2**31 - 1)),
            "progress": settings["progress"],
            "log": logger if verbose > 1 else None,
        }

    def _explain(
        self, learned: Learned, holds: NDArray[np.bool_], table: Table, settings: dict[str, Any]
    ) -> str | None:
        """Say why the rule set tells no rows apart, if that is so and not already said."""
        fires = holds.any(axis=1)
        if (fires.any() and not fires.all()) or not learned.certificate.feasible:
            return None
        rows = table.distinct()
        least = exact(settings.get("min_support") or 0, "min_support")
        limit = settings["time_limit"]
        return explain_trivial(
            learned,
            rows,
            Objective.of(settings["C1"], settings["C2"]),
            self._literals(rows, settings),
            max_length=settings.get("max_length", 3),
            min_positive=float(least) if least >= 1 else float(least) * float(rows.positive.sum()),
            seconds=5.0 if limit is None else min(5.0, limit / 10),
            constrained=bool(settings["constraints"]),
        ).sentence()

    def _warn(self, settings: dict[str, Any]) -> None:
        """Say what the user should know about the result."""
        if self.explanation_ is not None:
            warnings.warn(self.explanation_, OOAWarning, stacklevel=4)
        found = self.certificate_
        ended = {
            Termination.TIME_LIMIT: f"The time limit of {settings['time_limit']} s",
            Termination.INTERRUPTED: "An interruption",
        }.get(found.termination)
        if ended and not found.proved and found.gap > settings["gap"]:
            warnings.warn(
                f"{ended} ended the fit before its proof: the objective is {float(found.objective):.6g}, and "
                f"no rule set among {found.statement} is below {float(found.bound):.6g} "
                f"(gap {100 * found.gap:.1f} %)",
                OOAWarning,
                stacklevel=4,
            )


def _log_result(learned: Learned) -> None:
    """Log the outcome; the stages were logged as they ended."""
    found = learned.certificate
    logger.info("patterns: %s", ", ".join(f"{n:,} {what}" for what, n in found.counts.items()))
    for line in str(found).splitlines():
        logger.info("%s", line)


def _named(option: str, chosen: Any, names: Sequence[str]) -> list[Any]:
    """Return columns given by name or by position as names; what is neither is left to be refused."""
    if isinstance(chosen, str) or not isinstance(chosen, Iterable):
        raise OptionError(f"{option}={chosen!r} must be a list of column names or positions")

    def name(column: Any) -> Any:
        positional = isinstance(column, numbers.Integral) and str(column) not in names
        return names[column] if positional and -len(names) <= column < len(names) else column

    return [name(column) for column in chosen]


def _is(value: Any, text: str) -> bool:
    return isinstance(value, str) and value == text
