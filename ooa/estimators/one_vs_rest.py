"""The scikit-learn estimator for more than two classes: a rule set for each, with its name in the rules."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from ooa.data.columns import canonical_value
from ooa.data.labels import row_weights
from ooa.errors import OOAWarning, OptionError
from ooa.logs import user_warn
from ooa.rules.by_class import ClassRules
from ooa.solving.solution import Termination

from .base import RuleSetClassifier
from .ooax_classifier import OOAxClassifier
from .probabilities import FiringRates, lead_by
from .sklearn_compat import Tagged
from .validation import check_lengths, read_classes, read_features

if TYPE_CHECKING:
    from ooa.learning.certificate import Certificate

__all__ = ["OneVsRestRules"]

#: What the rest is called, and what if that is the name of a class.
_REST = ("other", "rest", "none of these")


class OneVsRestRules(ClassifierMixin, Tagged):  # type: ignore[misc]
    """A classifier for more than two classes: one rule set for each class, against all others.

    Each rule set is learned and proved as for two classes, and names its class: ``THEN predict species =
    setosa``. Where the rules of several classes hold, that class is predicted whose rules were right most
    often in training (by sample weight, of the rows on which they hold); where those of none hold, the class
    that was most frequent among such rows in training. `rules_` prints all of it as IF ... ELSE IF ... ELSE,
    to be read from top to bottom.

    Parameters
    ----------
    estimator : OOAxClassifier, OOAClassifier or OOAxClassifierCV, optional
        What learns each rule set, with its price and its time limit; ``OOAxClassifier()`` by default. Its
        `positive` and a dict as its `class_weight` have no meaning here.

    Attributes
    ----------
    rules_ : ClassRules
        The rule sets by class, in the order in which they count: ``rules_["setosa"]`` is one of them.
    certificates_ : dict
        For each class what is proved about its rule set, against all other classes as one.
    estimators_ : list
        The fitted estimators of the classes, in the order of `classes_`: each has a `report` and a `path`.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if the columns have names.

    See Also
    --------
    sklearn.multiclass.OneVsRestClassifier : does the same without names, for any classifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(as_frame=True)
    >>> species = data.target.map(dict(enumerate(data.target_names))).rename("species")
    >>> X = data.data.rename(columns=lambda name: name.removesuffix(" (cm)").replace(" ", "_"))
    >>> model = OneVsRestRules(OOAxClassifier(C1=0.01, C2=0.01, thresholds="mdl")).fit(X, species)
    >>> print(model.rules_["setosa"])
    IF   (petal_length ≤ 2)
    THEN predict species = setosa
    ELSE predict species = other
    >>> model.certificates_["setosa"].proved
    True
    >>> bool(model.score(X, species) > 0.94)
    True
    """

    rules_: ClassRules
    certificates_: dict[Any, Certificate]
    estimators_: list[RuleSetClassifier]
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    _several_classes: ClassVar[bool] = True

    def __init__(self, estimator: Any = None) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OneVsRestRules:
        """Learn a rule set for each class.

        Parameters
        ----------
        X : frame or array, shape (n_samples, n_features)
            As for the estimator.
        y : sequence of two or more different labels
        sample_weight : sequence of float, optional
            What each row counts for; 1 by default.

        Returns
        -------
        self
            After Ctrl-C the class at hand has the best rule set known, and later ones what is found at once.
        """
        base = OOAxClassifier() if self.estimator is None else self.estimator
        _check(base)
        features = read_features(self, X, reset=True)
        labels, classes, target = read_classes(self, y)
        check_lengths(features, labels)
        weight = row_weights(sample_weight, len(labels))
        rest = next(word for word in _REST if word not in classes.astype(str))
        self.classes_ = classes
        self.estimators_, interrupted = [], False
        for label in classes:
            own = pd.Series(np.where(labels == label, str(label), rest), name=target)
            if not interrupted:
                try:
                    one = _learned(base, X, own, label, weight)
                    interrupted = one.certificate_.termination is Termination.INTERRUPTED
                except KeyboardInterrupt:  # when there was nothing yet to round off
                    one, interrupted = _learned(base, X, own, label, weight, at_once=True), True
                if interrupted and label != classes[-1]:
                    user_warn(f"Ctrl-C came at {target} = {label}: other classes have what is found at once")
            else:
                one = _learned(base, X, own, label, weight, at_once=True)
            self.estimators_.append(one)
        holds = self._holds(X)
        of_class = labels[:, None] == classes
        # Of the weight on which the rules of a class hold, how much is of the class; of equals the first.
        right = [
            (weight * of_class[:, k])[holds[:, k]].sum() / max(weight[holds[:, k]].sum(), 1e-300)
            for k in range(len(classes))
        ]
        self._order = np.argsort(-np.array(right), kind="stable")
        left = weight * ~holds.any(axis=1)
        default = int(np.argmax((left if left.any() else weight) @ of_class))
        names = [canonical_value(label) for label in classes]
        self.rules_ = ClassRules([self.estimators_[k].rules_ for k in self._order], names[default])
        self.certificates_ = {
            name: one.certificate_ for name, one in zip(names, self.estimators_, strict=True)
        }
        self._rates = FiringRates.count(holds, weight[:, None] * of_class)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row.

        Parameters
        ----------
        X : as for the estimator
        """
        decided = self._decided(self._holds(X))
        return self.classes_[decided]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classes in `classes_`.

        They are the shares of the classes, by sample weight, among the training rows on which the rules of
        exactly the same classes hold; the class that `predict` returns is never behind another.

        Parameters
        ----------
        X : as for `predict`
        """
        holds = self._holds(X)
        return lead_by(self._rates.shares(holds), self._decided(holds))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def _holds(self, X: Any) -> NDArray[np.bool_]:
        """Return for each row and each class whether its rules hold."""
        check_is_fitted(self)
        return np.column_stack([one._holds(X).any(axis=1) for one in self.estimators_])

    def _decided(self, holds: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the number of the class of each row."""
        decided: NDArray[np.intp] = self._order[self.rules_.decide(holds[:, self._order])]
        return decided


def _check(estimator: Any) -> None:
    """Refuse what cannot learn a rule set for each class."""
    if not isinstance(estimator, RuleSetClassifier):
        raise OptionError(
            "OneVsRestRules takes an OOAxClassifier, OOAClassifier or OOAxClassifierCV as its estimator, not "
            f"{estimator!r:.200}; "
            "for other classifiers there is sklearn.multiclass.OneVsRestClassifier"
        )
    if estimator.positive is not None:
        raise OptionError("OneVsRestRules learns every class: positive must be None")
    if estimator.class_weight not in (None, "balanced"):
        raise OptionError("class_weight must be None or 'balanced' here; sample_weight can say anything else")


def _learned(
    base: Any, X: Any, y: pd.Series[Any], label: Any, weight: Any, at_once: bool = False
) -> RuleSetClassifier:
    """The rule set of one class, which is text here as the rest is; what is warned of says which it is."""
    one: RuleSetClassifier = clone(base)
    if at_once:
        one.set_params(time_limit=0.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        one.fit(X, y, sample_weight=weight, positive=str(label))
    one._call_positive(canonical_value(label))
    for warning in caught:
        if issubclass(warning.category, OOAWarning):
            user_warn(f"{y.name} = {label}: {warning.message}")
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return one
