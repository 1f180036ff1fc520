"""Trees and forests as rule sets that predict the same on every input (Theorems 5 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from ooa.checks import one_of, whole_number
from ooa.data.columns import Category
from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet
from ooa.rules.values import check_category, value_key

from .cells import Cells, Coded, TreeInput, Words
from .inputs import read_inputs
from .votes import Leaves, VoteSearch, theorem_6

__all__ = ["Equivalent", "forest_rules", "tree_rules"]

Voting = Literal["soft", "hard"]


@dataclass(frozen=True)
class Equivalent:
    """A rule set that predicts what a tree or forest predicts.

    Attributes
    ----------
    rules : RuleSet
    positive_leaves : tuple of int
        How many leaves of each tree predict the positive label.
    bound : int or None
        The number of patterns by Theorem 5, or an upper bound by Theorem 6, for rows without missing values.
        None for averaged probabilities of impure leaves, where no votes are counted.
    statement : str
        What the rule set is equivalent to, and on which rows.
    """

    rules: RuleSet
    positive_leaves: tuple[int, ...]
    bound: int | None
    statement: str

    def __str__(self) -> str:
        size = f"{len(self.rules)} patterns, {self.rules.n_literals} literals"
        limit = "" if self.bound is None else f" (by the theorem at most {self.bound})"
        return f"{size}{limit}: {self.statement}"


def tree_rules(
    tree: Any,
    *,
    feature_names: Sequence[str] | None = None,
    target: str = "target",
    positive: object = None,
    missing: bool = False,
    unknown: bool = False,
) -> Equivalent:
    """Write a decision tree as a rule set: one pattern per leaf that predicts the positive label.

    Conditions on one attribute along a path become one literal. Scikit-learn compares values rounded to
    float32 with its thresholds; the bounds of the literals are where that makes float64 values change sides.

    Parameters
    ----------
    tree : DecisionTreeClassifier or ExtraTreeClassifier, fitted on two classes
        Or a `Pipeline` that ends in one, after encoders whose columns become "x = v", "x ≠ v" and
        "x in {v, w}" again: `OneHotEncoder` and `OrdinalEncoder` with any of their options, alone or in a
        `ColumnTransformer`.
    feature_names : sequence of str, optional
        The columns; by default the names seen in `fit`, or x0, x1, ... as everywhere for arrays.
    target : str
        What the label is called.
    positive : optional
        The label that the patterns predict; by default the second of the tree's `classes_`.
    missing : bool
        Whether the rule set follows the tree on missing values too. Scikit-learn's trees send them left or
        right at every split, even if none occurred in training. No literal says "at most 3 or missing", so
        this takes a second pattern for every attribute where both are possible.
    unknown : bool
        Whether the rule set follows the tree on categories that the encoder does not know (and accepts)
        too. "Neither a nor b, and maybe unknown" is no literal; a RuleError says so where it is needed.

    Returns
    -------
    Equivalent

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = [[20, 1], [30, 1], [40, 0], [50, 0], [60, 1]]
    >>> tree = DecisionTreeClassifier(random_state=0).fit(X, ["well", "ill", "well", "ill", "ill"])
    >>> made = tree_rules(tree, feature_names=["age", "smokes"], positive="ill")
    >>> made.rules.predict({"age": [25, 45, 45.00000190735], "smokes": [1, 0, 0]}).tolist()
    ['well', 'well', 'ill']
    >>> len(made.rules) == made.bound == made.positive_leaves[0]
    True
    """
    from sklearn.tree import DecisionTreeClassifier

    model, sources = read_inputs(tree, feature_names, missing=missing, unknown=unknown)
    if not isinstance(model, DecisionTreeClassifier):
        raise OptionError(f"{type(model).__name__} is not a decision tree that classifies")
    labels, index = _labels(model, positive)
    cells = Cells(sources, _splits(model, range(len(sources))))
    leaves = _leaves(model, cells, range(len(sources)), [0, 1], index)
    # argmax takes the first class on a tie
    wins = leaves.margin >= 0 if index == 0 else leaves.margin > 0
    regions = leaves.regions[wins & cells.nonempty(leaves.regions)]
    rules = _rule_set(cells, regions, target, labels)
    count = int(np.count_nonzero(wins))
    return Equivalent(rules, (count,), count, f"the tree's predictions on {_rows(missing, unknown, sources)}")


def forest_rules(
    forest: Any,
    *,
    voting: Voting = "soft",
    max_patterns: int = 2_000,
    feature_names: Sequence[str] | None = None,
    target: str = "target",
    positive: object = None,
    missing: bool = False,
    unknown: bool = False,
) -> Equivalent:
    """Write a forest as a rule set: conjunctions of leaves of just enough trees to decide the vote.

    Conjunctions that contradict themselves are never formed, and contained patterns are dropped at once.
    The number of patterns still grows fast with the number of trees: this is for small forests.

    Parameters
    ----------
    forest : RandomForestClassifier, ExtraTreesClassifier or BaggingClassifier of trees, on two classes
        Or a `Pipeline` that ends in one; see `tree_rules`.
    voting : {"soft", "hard"}
        "soft" is what the forest's `predict` does: the label with the higher average probability. "hard" is
        the majority of the trees' own predictions, as in Theorem 6. Both are the same where every leaf is
        pure. On a tie either takes the first of the forest's `classes_`. Sums of probabilities are added in
        the order of the trees, as scikit-learn does with one job.
    max_patterns : int
        An OptionError is raised rather than hold more patterns than this, or look at 20 times as many
        conjunctions.
    feature_names, target, positive, missing, unknown
        See `tree_rules`.

    Returns
    -------
    Equivalent

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((80, 3))
    >>> forest = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, X[:, 0] + X[:, 1] > 1)
    >>> made = forest_rules(forest, voting="hard")
    >>> len(made.rules) <= made.bound
    True
    >>> more = rng.random((1000, 3))
    >>> bool((RuleSet.from_forest(forest).predict(more) == forest.predict(more)).all())
    True
    """
    from sklearn.ensemble import BaggingClassifier
    from sklearn.ensemble._forest import ForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    one_of(voting, "voting", get_args(Voting))
    whole_number(max_patterns, "max_patterns")
    model, sources = read_inputs(forest, feature_names, missing=missing, unknown=unknown)
    if not isinstance(model, (ForestClassifier, BaggingClassifier)):
        raise OptionError(f"{type(model).__name__} is not a forest of trees that classify")
    members = model.estimators_
    if not all(isinstance(tree, DecisionTreeClassifier) for tree in members):
        raise OptionError(f"{type(model).__name__} is made of {type(members[0]).__name__}, not of trees")
    labels, index = _labels(model, positive)
    views = getattr(model, "estimators_features_", [np.arange(len(sources))] * len(members))
    cells = Cells(sources, (split for tree, view in zip(members, views) for split in _splits(tree, view)))
    trees = [
        # Within a forest the classes are coded 0 and 1, and a tree of a bag may know one of them only.
        _leaves(tree, cells, view, [int(c) for c in tree.classes_], index)
        for tree, view in zip(members, views)
    ]
    votes = [_votes(tree, first=index == 0) for tree in trees]
    pure = all(np.array_equal(np.abs(tree.margin), np.ones(len(tree.margin))) for tree in trees)
    counts = tuple(int(np.count_nonzero(tree.margin > 0)) for tree in votes)
    needed = (len(trees) + 1) // 2 if index == 0 else len(trees) // 2 + 1
    bound = theorem_6(counts, needed) if voting == "hard" or pure else None
    chosen = votes if voting == "hard" else trees
    search = VoteSearch(cells, chosen, tie=index == 0, most=int(max_patterns), bound=bound)
    rules = _rule_set(cells, search.run(), target, labels)
    if len(rules) > max_patterns:
        raise OptionError(f"the forest takes {len(rules):,} patterns, more than max_patterns={max_patterns}")
    what = "the majority of the trees" if voting == "hard" else "the forest's predictions"
    return Equivalent(rules, counts, bound, f"{what} on {_rows(missing, unknown, sources)}")


def _labels(model: Any, positive: object) -> tuple[tuple[Category, Category], int]:
    """The negative and the positive label, and the position of the positive one in `classes_`."""
    if getattr(model, "n_outputs_", 1) != 1 or len(model.classes_) != 2:
        raise OptionError(f"{type(model).__name__} was not fitted on one target with two classes")
    classes = model.classes_.tolist()
    if positive is None:
        return (classes[0], classes[1]), 1
    wanted = value_key(check_category("positive", positive))
    for index, label in enumerate(classes):
        if value_key(check_category("a class", label)) == wanted:
            return (classes[1 - index], label), index
    raise OptionError(
        f"is not one of the classes {classes[0]!r} and {classes[1]!r}", option="positive", value=positive
    )


def _splits(tree: Any, view: Sequence[int]) -> Iterator[tuple[int, float]]:
    """The column and threshold of every split; `view` says which columns the tree sees."""
    for node in np.flatnonzero(tree.tree_.children_left >= 0):
        yield int(view[tree.tree_.feature[node]]), float(tree.tree_.threshold[node])


def _leaves(tree: Any, cells: Cells, view: Sequence[int], classes: list[int], index: int) -> Leaves:
    """The regions of a tree's leaves, and the probabilities of the positive and the negative class there."""
    nodes = tree.tree_
    regions: list[Words] = []
    numbers: list[int] = []
    waiting = [(0, cells.everywhere())]
    while waiting:
        node, region = waiting.pop()
        if nodes.children_left[node] < 0:
            regions.append(region)
            numbers.append(node)
            continue
        words, left = cells.left(
            int(view[nodes.feature[node]]), float(nodes.threshold[node]), bool(nodes.missing_go_to_left[node])
        )
        for child, side in ((nodes.children_left[node], left), (nodes.children_right[node], ~left)):
            inner = region.copy()
            inner[words] &= side
            waiting.append((int(child), inner))
    shares = np.zeros((len(numbers), 2))
    shares[:, classes] = nodes.value[numbers, 0, : len(classes)]
    return Leaves(np.array(regions), shares[:, index], shares[:, 1 - index])


def _votes(tree: Leaves, first: bool) -> Leaves:
    """The same leaves with one vote each; a tie within a leaf is a vote for the first class."""
    wins = tree.margin >= 0 if first else tree.margin > 0
    return Leaves(tree.regions, wins.astype(float), (~wins).astype(float))


def _rule_set(cells: Cells, regions: Words, target: str, labels: tuple[Category, Category]) -> RuleSet:
    patterns = [pattern for region in regions for pattern in cells.patterns(region)]
    return RuleSet(patterns, target=target, positive=labels[1], negative=labels[0])


def _rows(missing: bool, unknown: bool, sources: Sequence[TreeInput]) -> str:
    """On which rows a rule set is equivalent, in words."""
    encoded = any(isinstance(source, Coded) for source in sources)
    limits = [] if missing else ["without missing values"]
    if encoded and not unknown:
        limits.append("with categories that the encoder knows")
    return "every row" + "".join(f" {limit}" for limit in [" and ".join(limits)] if limit)
