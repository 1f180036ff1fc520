"""Rule sets: what a learned classifier is.

A literal is a condition on one attribute, a pattern a conjunction of literals on different attributes, a rule
set a disjunction of patterns. All are immutable values: they compare and hash by what they say, they pickle,
and they are evaluated on any frame. This module offers all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ooa.checks import instance, listed_items
from ooa.data.columns import Category
from ooa.errors import RuleError

from .levels import LevelRange
from .literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from .pattern import Pattern
from .values import Ordered, check_category, check_name, value_key

if TYPE_CHECKING:
    import pandas as pd

    from .explanations import Explanation

__all__ = ["Equal", "IsMissing", "LevelRange", "Literal", "NotEqual", "OneOf", "Pattern", "Range", "RuleSet"]


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class RuleSet(Ordered):
    """A disjunction of patterns that predicts the positive label where any of them holds.

    Parameters
    ----------
    patterns : iterable of Pattern
        Kept without repetition, short ones first. None at all predicts the negative label everywhere.
    target : str
        The name of what is predicted.
    positive, negative : str, bool, int or float
        The two labels.

    Examples
    --------
    >>> rules = RuleSet([Range("age", low=30) & Equal("snores", True), Pattern([Range("bmi", low=35)])])
    >>> print(rules)
    IF   (bmi ≥ 35)
      OR (age ≥ 30 AND snores = true)
    THEN predict target = 1
    ELSE predict target = 0
    >>> rules.predict([{"age": 41, "bmi": 24, "snores": True}, {"age": 29, "bmi": None, "snores": True}])
    array([1, 0])
    >>> rules == RuleSet.parse("bmi >= 35 OR age >= 30 AND snores = true")
    True
    """

    _family = "rule set"

    patterns: tuple[Pattern, ...]
    target: str
    positive: Category
    negative: Category

    def __init__(
        self,
        patterns: Iterable[Pattern] = (),
        target: str = "target",
        positive: Category = 1,
        negative: Category = 0,
    ) -> None:
        members = set()
        for pattern in listed_items(patterns, "patterns", object, "patterns"):
            if not isinstance(pattern, Pattern):
                raise RuleError(f"A rule set is made of patterns, not of {pattern!r}")
            members.add(pattern)
        positive, negative = _label("positive", positive), _label("negative", negative)
        if positive == negative:
            raise RuleError(f"The positive and the negative label are both {positive!r}")
        check_name(target, "target")
        _check_levels(members)
        object.__setattr__(self, "patterns", tuple(sorted(members)))
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "positive", positive)
        object.__setattr__(self, "negative", negative)

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Read a rule set from either printed form, or as a person would write it; see `parse_rules`."""
        from .parsing import parse_rules

        return parse_rules(text)

    @classmethod
    def from_json(cls, text: str) -> RuleSet:
        """Read a rule set from what `to_json` wrote; raises FormatError that names the place."""
        from .json_format import from_json

        return from_json(text)

    @classmethod
    def from_dict(cls, document: object) -> RuleSet:
        """Read a rule set from what `to_dict` returned; raises FormatError that names the place."""
        from .json_format import from_dict

        return from_dict(document)

    @classmethod
    def from_tree(cls, tree: object, **options: Any) -> RuleSet:
        """Write a scikit-learn decision tree as a rule set; see `ooa.rules.trees.equivalence.tree_rules`."""
        from .trees.equivalence import tree_rules

        return tree_rules(tree, **options).rules

    @classmethod
    def from_forest(cls, forest: object, **options: Any) -> RuleSet:
        """Write a small scikit-learn forest as a rule set; see `ooa.rules.trees.equivalence.forest_rules`."""
        from .trees.equivalence import forest_rules

        return forest_rules(forest, **options).rules

    def to_json(self, indent: int | None = None) -> str:
        """Write the rule set as JSON, without loss."""
        from .json_format import to_json

        return to_json(self, indent)

    def to_dict(self) -> dict[str, Any]:
        """Return the rule set as dicts, lists and plain values, without loss."""
        from .json_format import to_dict

        return to_dict(self)

    def to_text(self, *, compact: bool = False, unicode: bool = True) -> str:
        """Write the rule set for people; `parse` reads every form back.

        Parameters
        ----------
        compact : bool
            On one line, instead of as IF ... THEN ... ELSE.
        unicode : bool
            With signs such as ≥; otherwise in ASCII alone.

        Examples
        --------
        >>> rules = RuleSet.parse("age >= 30 AND snores = true OR bmi >= 35")
        >>> rules.to_text(compact=True)
        '(bmi ≥ 35) ∨ (age ≥ 30 ∧ snores = true) → target = 1 ELSE 0'
        >>> rules.to_text(compact=True, unicode=False)
        '(bmi >= 35) OR (age >= 30 AND snores = true) -> target = 1 ELSE 0'
        """
        from .text import rules_text

        return rules_text(self, compact=compact, unicode=unicode)

    def _key(self) -> tuple[Any, ...]:
        patterns = tuple(pattern._key() for pattern in self.patterns)
        return (patterns, self.target, value_key(self.positive), value_key(self.negative))

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes that the patterns use, in order."""
        return tuple(sorted({name for pattern in self for name in pattern.attributes}))

    @property
    def n_literals(self) -> int:
        """The number of literals in all patterns."""
        return sum(map(len, self))

    def implies(self, other: RuleSet) -> bool:
        """Return whether each pattern implies a pattern of `other`; then `other` covers all that this covers.

        Examples
        --------
        >>> RuleSet.parse("x >= 3 OR y = 1").implies(RuleSet.parse("x >= 2 OR y = 1 OR z = 1"))
        True
        """
        instance(other, "other", RuleSet, "a rule set")
        return all(any(mine.implies(its) for its in other) for mine in self)

    def simplify(self) -> RuleSet:
        """Return a rule set that predicts the same on any data, with fewer or simpler patterns if possible.

        Empty patterns and patterns contained in others are dropped; patterns that differ in one literal only
        are merged if that literal is a range next to or overlapping the other, or a set of values.

        Examples
        --------
        >>> RuleSet.parse("20 <= x < 30 AND y = 1 OR x >= 30 AND y = 1 OR x > 40 AND y = 1").simplify()
        RuleSet.parse('(x ≥ 20 ∧ y = 1) → target = 1 ELSE 0')
        """
        from .algebra import simplify

        return replace(self, patterns=tuple(simplify(self)))

    def covers(self, X: object) -> NDArray[np.bool_]:
        """Return for each row and each pattern, in order, whether the pattern holds.

        Text, numbers and true/false values are never equal to one another; `predict` refuses columns of
        another kind than the rules compare them with.

        Parameters
        ----------
        X : frame or array
            Anything `open_frame` takes; only the columns that the patterns use are looked at.

        Returns
        -------
        ndarray of bool, shape (n_rows, n_patterns)

        Examples
        --------
        >>> RuleSet.parse("x0 > 1 OR x1 > 1").covers(np.array([[0, 2], [2, 2]])).tolist()
        [[False, True], [True, True]]
        """
        from .evaluation import covers

        return covers(self.patterns, X)

    def predict(self, X: object) -> NDArray[Any]:
        """Return for each row the label: positive where any pattern holds.

        Parameters
        ----------
        X : frame or array
            Anything `open_frame` takes; only the columns that the patterns use are looked at.

        Raises
        ------
        RuleError
            If a column is lacking.
        DataError
            If a column holds values of another kind than the rules compare it with, such as numbers where
            they name text: then no value can ever match.

        Examples
        --------
        >>> rules = RuleSet.parse("x0 > 1 -> fruit = 'apple' ELSE 'pear'")
        >>> rules.predict(np.array([[0.5], [1.5], [np.nan]])).tolist()
        ['pear', 'apple', 'pear']
        """
        from .evaluation import predicts

        return self._labels()[predicts(self.patterns, X).view(np.uint8)]

    def explain(self, row: object) -> Explanation:
        """Say why one row is predicted as it is.

        Parameters
        ----------
        row : mapping, pandas Series, one-dimensional array, or anything `open_frame` takes with one row

        Examples
        --------
        >>> rules = RuleSet.parse("bmi >= 35 OR age >= 30 AND snores = true")
        >>> print(rules.explain({"age": 29, "bmi": 30, "snores": True}))
        target = 0, as no pattern holds:
          (bmi ≥ 35) fails: bmi is 30, 5 too low
          (age ≥ 30 AND snores = true) fails: age is 29, 1 too low
        """
        from .explanations import explain

        return explain(self, row)

    def statistics(
        self, X: object, y: ArrayLike | Iterable[object], sample_weight: ArrayLike | None = None
    ) -> pd.DataFrame:
        """Count what each pattern does on labelled rows; `ooa.rules.evaluation.statistics` has the columns.

        Counts are of rows. With `sample_weight` what they weigh stands beside them, in columns of that name.

        Parameters
        ----------
        X : the rows; only the columns that the rules use are needed
        y : their labels
        sample_weight : what each row counts for; 1 by default

        Examples
        --------
        >>> rules = RuleSet.parse("x0 > 1 OR x1 > 1")
        >>> rules.statistics(np.array([[2, 0], [2, 2], [0, 2], [0, 0]]), [1, 1, 0, 1]).T.round(2)
                           x0 > 1  x1 > 1
        literals             1.00    1.00
        support              2.00    2.00
        positives            2.00    1.00
        negatives            0.00    1.00
        precision            1.00    0.50
        recall               0.67    0.33
        marginal_coverage    1.00    1.00
        """
        from .evaluation import statistics

        return statistics(self, X, y, sample_weight)

    def _labels(self) -> NDArray[Any]:
        """Return the negative and the positive label as an array that does not change them."""
        labels = [self.negative, self.positive]
        if type(self.negative) is type(self.positive):
            array = np.array(labels)
            if array.tolist() == labels:  # numpy cuts zero bytes off the end of text
                return array
        return np.array(labels, dtype=object)

    def __len__(self) -> int:
        return len(self.patterns)

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.patterns)

    def __contains__(self, pattern: object) -> bool:
        return pattern in self.patterns

    def __getitem__(self, index: int) -> Pattern:
        return self.patterns[index]

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"RuleSet.parse({self.to_text(compact=True)!r})"

    def _repr_html_(self) -> str:
        from .notebook import rules_html

        return rules_html(self)


def _check_levels(patterns: Iterable[Pattern]) -> None:
    """Raise if an attribute has more than one order, which nobody could keep apart."""
    orders: dict[str, list[Any] | None] = {}
    for literal in (literal for pattern in patterns for literal in pattern):
        if isinstance(literal, (LevelRange, Range)):
            order = list(map(value_key, literal.levels)) if isinstance(literal, LevelRange) else None
            if orders.setdefault(literal.attribute, order) != order:
                raise RuleError(f"The values of {literal.attribute!r} are in two different orders")


def _label(role: str, value: Category) -> Category:
    """Return a label as a plain value; unlike a category, a whole float stays a float."""
    canonical = check_category(f"The {role} label", value)
    return float(value) if isinstance(value, (float, np.floating)) else canonical
