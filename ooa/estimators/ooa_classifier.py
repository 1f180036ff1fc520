"""The scikit-learn estimator of OOA, which forms the patterns freely, from the data as they are."""

from __future__ import annotations

from typing import Any, Literal

from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, OOASettings

from .base import RuleSetClassifier

__all__ = ["OOAClassifier"]


class OOAClassifier(RuleSetClassifier):
    """A small rule set whose patterns are formed freely, with a certificate.

    It minimises ``errors / N + C1 * literals + C2 * patterns`` over all rule sets of at most `max_patterns`
    patterns: numeric columns may be cut anywhere, on one side or both, and patterns may be of any length.
    Where not all of these can be listed, they are searched in families of boxes, and what that leaves open is
    left to a mixed-integer program; `certificate_.proof` says which of them has proved the bound.
    On more than a few hundred rows `OOAxClassifier` is the faster way to a good rule set.

    Parameters
    ----------
    C1, C2 : float, default 0.002
        Price of a literal and of a pattern, as shares of the training rows.
    max_patterns : int or None, default 5
        Most patterns in the rule set.
    single_category : bool, default True
        Whether a literal on a categorical column names one value; otherwise it may name several.
    formulation : {"compact", "paper"}, default "compact"
        Two programs with the same optimum: the paper's, and one with far fewer variables.
    thresholds : {"distinct", "auto", "quantiles", "mdl", "tree", "round"} or dict, default "distinct"
        Where numeric columns may be cut: by default between any two neighbouring values. Fewer cuts make a
        smaller program, and the certificate says so.
    max_thresholds : int, default 15
        Most cuts per numeric column, unless thresholds is "distinct".
    positive, class_weight, categorical, numeric, missing : as for `OOAxClassifier`
    start : RuleSet, optional
        A rule set to start from.
    constraints, backend, confirm, time_limit, gap, n_jobs, max_memory, random_state, verbose, progress, \
predict_columns, probabilities : as for `OOAxClassifier`

    Attributes
    ----------
    rules_, certificate_, classes_, n_features_in_, feature_names_in_, solution_, trace_, explanation_ : as \
for `OOAxClassifier`

    See Also
    --------
    OOAxClassifier : selects among mined patterns.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1, 5], [2, 1], [3, 4], [4, 2], [5, 5], [6, 1], [7, 3], [8, 2]])
    >>> model = OOAClassifier(C1=0.01, C2=0.01).fit(X, [0, 0, 1, 1, 1, 1, 0, 0])
    >>> print(model.rules_.to_text(compact=True, unicode=False))
    (3 <= x0 <= 6) -> target = 1 ELSE 0
    """

    _settings_kind = OOASettings

    def __init__(
        self,
        C1: Any = 0.002,
        C2: Any = 0.002,
        *,
        max_patterns: int | None = 5,
        single_category: bool = True,
        formulation: str = "compact",
        thresholds: Any = "distinct",
        max_thresholds: int = 15,
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
        self.C1 = C1
        self.C2 = C2
        self.max_patterns = max_patterns
        self.single_category = single_category
        self.formulation = formulation
        self.thresholds = thresholds
        self.max_thresholds = max_thresholds
        self.positive = positive
        self.class_weight = class_weight
        self.categorical = categorical
        self.numeric = numeric
        self.missing = missing
        self.start = start
        self.constraints = constraints
        self.backend = backend
        self.confirm = confirm
        self.time_limit = time_limit
        self.gap = gap
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.random_state = random_state
        self.verbose = verbose
        self.progress = progress
        self.predict_columns = predict_columns
        self.probabilities = probabilities
