"""The scikit-learn estimator of OOAx, which selects among mined patterns."""

from __future__ import annotations

from typing import Any, Literal

from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, OOAxSettings

from .base import RuleSetClassifier
from .exploring import Explored

__all__ = ["OOAxClassifier"]


class OOAxClassifier(Explored, RuleSetClassifier):
    """A small rule set, mined, screened and then selected by an integer program, with a certificate.

    It minimises ``errors / N + C1 * literals + C2 * patterns`` over the rule sets made of the candidate
    patterns. Rows predicted positive are those on which at least one pattern holds.

    Parameters
    ----------
    C1, C2 : float, default 0.002
        Price of a literal and of a pattern, as shares of the training rows: with 0.01 a pattern has to save
        errors on one percent of the rows to be worth having.
    max_patterns : int or None, default 5
        Most patterns in the rule set.
    max_length : int or None, default 3
        Most literals in a pattern.
    min_support : float, optional
        Least weight of the positives that a pattern covers (below 1: as a share of all positives). By
        default what the prices imply, which loses nothing.
    max_candidates : int, "auto" or None, default "auto"
        Most patterns that the solver chooses from; if more are left after screening, the best by information
        gain, and the certificate says so. "auto" begins with 2,000 and goes on with more as long as there is
        time, None takes all at once. The exact search goes through all of them.
    gamma : float, default 0
        Price of a literal in that ranking.
    thresholds : {"auto", "distinct", "quantiles", "mdl", "tree", "round"} or dict, default "auto"
        Where numeric columns are cut, or the cuts per column; see `ooa.candidate_literals`.
    max_thresholds : int, default 15
        Most cuts per numeric column.
    ranges : bool, default False
        Whether literals may be two-sided ranges between two cuts.
    negations : bool, default False
        Whether literals may be ``column ≠ value``.
    sets : int, default 1
        Most values in literals ``column in {value, ...}``; 1 for none.
    selection : {"auto", "search", "ilp"}, default "auto"
        How patterns are chosen: by the exact search, which needs no solver (no constraints), by
        the selection ILP, or by one after the other until there is a proof.
    positive : label, optional
        The label that the patterns describe; by default the last of `classes_`.
    class_weight : "balanced" or dict, optional
        A factor for the weight of each class.
    categorical, numeric : sequence of str or int, default ()
        Columns, by name or position, whose kind is not the one that their type suggests.
    missing : {"false", "category", "literal"} or sequence of str, default "false"
        A condition on a missing value is false. "category", or the names of some categorical columns, makes
        missing a category there; "literal" offers ``column IS MISSING`` for every column.
    start : RuleSet, optional
        A rule set to start from; its patterns are candidates too.
    constraints : sequence, default ()
        What the rule set has to satisfy besides.
    backend : str or Backend, default "highs"
        The solver: "highs", "scip", "cbc", "gurobi", or one of your own.
    confirm : bool, optional
        Whether what the solver claims is confirmed by another one before it counts as proved. By default that
        is so where the solver is known to err, as CBC is. The exact search needs no confirmation.
    time_limit : float, "auto" or None, default "auto"
        Seconds for the whole fit, which are used in full. When they are over, the best rule set so far is
        kept, with a warning that states the gap. "auto" is a minute at most, and ends sooner where neither a
        better rule set nor the proof is in sight.
    gap : float, default 0
        Relative gap between objective and bound at which to stop.
    n_jobs : int, optional
        Threads of the solver and of the exact search, -1 for one per processor. By default the solver has one
        and the exact search, whose answer does not depend on it, one per processor that the process may use
        (one in a joblib worker). Where `joblib.parallel_config` names the backend of a cluster, so many of
        its workers are handed subtrees of the search.
    max_memory : int, optional
        Megabytes that conditions, patterns and the search among them may take, beside the table. What does
        not fit is left out, the best kept. By default half of what is free when the fit begins.
    random_state : int, RandomState or None, default 0
        Seed of local search and solver. The default makes fits repeatable.
    verbose : int, default 0
        1 logs the stages to the logger ``ooa`` (on standard error if no handler is configured), 2 the
        solver's own log too.
    progress : bool or None, default None
        Whether to show a live line with stage, objective and bound. By default a fit that takes longer than
        three seconds does, on a terminal (where the line is wiped in the end) and in a notebook (where one
        line stays), and not elsewhere, nor in the workers of joblib, nor beside the log of `verbose`.
    predict_columns : {"all", "used"}, default "all"
        Which columns predictions need. "all" is scikit-learn's rule: all columns of the training data, in
        the same order. With "used" a frame needs only those that the rules use, by name, in any order.
    probabilities : {"weighted", "unweighted"}, default "weighted"
        What `predict_proba` counts: the weight of training rows, class weights included, as scikit-learn's
        trees do, or every training row once.

    Attributes
    ----------
    rules_ : RuleSet
        What was learned: print it, evaluate it, export it.
    certificate_ : Certificate
        Exact objective, proven bound and gap, among which patterns that is proved, seconds per stage.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if the columns have names.
    solution_ : Solution or None
        What the solver returned, if it was called.
    trace_ : tuple of Progress
        When better rule sets and bounds became known; `plot_progress` draws it.
    explanation_ : str or None
        If the rule set tells no training rows apart: why, and which prices would admit a first pattern.

    Notes
    -----
    A fitted model keeps its training data, as numbers and codes of categories, for `report`, `path` and
    `enumerate_optimal`: 8 bytes per number, 4 per category, and 25 per row. A copy (by `copy` or `pickle`, or
    from another process) does not have them, so a saved model is small and holds no row of the data.

    See Also
    --------
    OOAClassifier : forms the patterns inside one mixed-integer program.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> model = OOAxClassifier().fit(data.X, data.y)
    >>> print(model.rules_.to_text(unicode=False))
    IF   (jacket_color = red)
      OR (body_shape = octagon AND head_shape = octagon)
      OR (body_shape = round AND head_shape = round)
      OR (body_shape = square AND head_shape = square)
    THEN predict monk = 1
    ELSE predict monk = 0
    >>> model.certificate_.proved, model.score(data.X, data.y)
    (True, 1.0)
    """

    _settings_kind = OOAxSettings

    def __init__(
        self,
        C1: Any = 0.002,
        C2: Any = 0.002,
        *,
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
        self.C1 = C1
        self.C2 = C2
        self.max_patterns = max_patterns
        self.max_length = max_length
        self.min_support, self.max_candidates = min_support, max_candidates
        self.gamma = gamma
        self.thresholds = thresholds
        self.max_thresholds = max_thresholds
        self.ranges, self.negations, self.sets = ranges, negations, sets
        self.selection = selection
        self.positive = positive
        self.class_weight = class_weight
        self.categorical = categorical
        self.numeric = numeric
        self.missing = missing
        self.start = start
        self.constraints = constraints
        self.backend, self.confirm = backend, confirm
        self.time_limit = time_limit
        self.gap = gap
        self.n_jobs, self.max_memory = n_jobs, max_memory
        self.random_state = random_state
        self.verbose = verbose
        self.progress = progress
        self.predict_columns, self.probabilities = predict_columns, probabilities
