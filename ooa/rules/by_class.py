"""Rule sets for more than two classes: one for each, and which of them counts where several or none hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.columns import Category
from ooa.data.frames import open_frame
from ooa.errors import RuleError

from .evaluation import predicts
from .markup import tag
from .ruleset import RuleSet
from .text import levels_text, name_text, pattern_text, value_text

__all__ = ["ClassRules"]


class ClassRules(Mapping[Category, RuleSet]):
    """A rule set for every class, in the order in which they count.

    For a row the classes are gone through in their order, and the first whose rule set holds is predicted;
    where none holds, `default` is. So the text reads from top to bottom, as IF ... ELSE IF ... ELSE.

    Parameters
    ----------
    rules : sequence of RuleSet
        Each predicts its class as the positive label; the first counts first.
    default : str, bool, int or float
        What is predicted where none of them holds: one of the classes.

    Examples
    --------
    >>> small = RuleSet.parse("length < 20 -> animal = mouse ELSE other")
    >>> large = RuleSet.parse("length >= 200 OR weight > 500 -> animal = elephant ELSE other")
    >>> cats = RuleSet.parse("FALSE -> animal = cat ELSE other")
    >>> rules = ClassRules([small, large, cats], default="cat")
    >>> print(rules)
    IF   (length < 20)
    THEN predict animal = mouse
    ELSE IF (length ≥ 200)
      OR (weight > 500)
    THEN predict animal = elephant
    ELSE predict animal = cat
    >>> rules.predict([{"length": 10, "weight": 600}, {"length": 40, "weight": 4}]).tolist()
    ['mouse', 'cat']
    >>> print(rules["mouse"].to_text(compact=True))
    (length < 20) → animal = mouse ELSE other
    """

    def __init__(self, rules: Sequence[RuleSet], default: Category) -> None:
        self._rules = {one.positive: one for one in rules}
        if len(self._rules) != len(rules):
            raise RuleError("There are two rule sets for the same class")
        if len({one.target for one in rules}) != 1:
            raise RuleError("The rule sets of the classes must be about one and the same target")
        if default not in self._rules:
            raise RuleError(f"The default {default!r} is none of the classes")
        self.default = default

    @property
    def target(self) -> str:
        """The name of what is predicted."""
        return next(iter(self._rules.values())).target

    def __getitem__(self, label: Category) -> RuleSet:
        return self._rules[label]

    def __iter__(self) -> Iterator[Category]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def decide(self, holds: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return for each row the number of its class, from whether the rules of each, in order, hold."""
        default = list(self._rules).index(self.default)
        first: NDArray[np.intp] = np.where(holds.any(axis=1), holds.argmax(axis=1), default)
        return first

    def predict(self, X: object) -> NDArray[Any]:
        """Return the class of each row.

        Parameters
        ----------
        X : frame or array
            Anything `open_frame` takes; only the columns that the rules use are looked at.
        """
        frame = open_frame(X)
        holds = np.column_stack([predicts(one.patterns, frame) for one in self._rules.values()])
        labels = np.array(list(self._rules))
        if labels.tolist() != list(self._rules):  # labels of several types stay what they are
            labels = np.array(list(self._rules), dtype=object)
        return labels[self.decide(holds)]

    def __str__(self) -> str:
        target = name_text(self.target)
        lines: list[str] = []
        for label, one in self._rules.items():
            if len(one):
                patterns = "\n  OR ".join(f"({pattern_text(pattern)})" for pattern in one)
                lines += [f"{'ELSE IF' if lines else 'IF  '} {patterns}"]
                lines += [f"THEN predict {target} = {value_text(label)}"]
        lines.append(f"{'ELSE ' if lines else ''}predict {target} = {value_text(self.default)}")
        levels = levels_text(pattern for one in self._rules.values() for pattern in one)
        return "\n".join([*lines, *([levels] if levels else [])])

    def __repr__(self) -> str:
        sizes = ", ".join(f"{label!r}: {len(one)} patterns" for label, one in self._rules.items())
        return f"ClassRules({sizes}; default {self.default!r})"

    def _repr_html_(self) -> str:
        return tag("pre", str(self), class_="ooa-rules")
