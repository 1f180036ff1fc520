"""Constraints on rule sets, ready-made; each is a function from a formulation to rows of its model.

A constraint of your own is any function `f -> rows`, written with the words of
`ooa.formulations.vocabulary.Vocabulary`, and holds for OOA and OOAx alike::

    def few_missed_in_the_north(f):
        return f.error[f.label & north].sum() <= 3

Counts are weighted counts, numbers are taken as the decimals they look like, and every constraint is
checked again on the rule set's own predictions.

Two attributes say which reductions stay valid beside a constraint, because no rule set that meets it
needs what they leave out. `allows_removal`: it still holds when any pattern is taken out of a rule set.
`allows_dominance`: it still holds when a pattern makes way for another one, that may be there already,
if that covers all of its positives, none but its negatives and has no more literals. Both are False
for a function that does not have them. A third, `required_patterns`, names the patterns that a rule set must
have to meet the constraint, so that they are among the candidates whatever is mined; none if it is not there.
A fourth, `by_literal`, says that the constraint is about each literal by itself: whether it may be there.
Where all constraints are, and patterns are many, a fit over what is left of these needs to know none of them.
"""

from .base import Constraint
from .counterfactual import not_lowered_when, not_raised_when, unchanged_when
from .error_rates import (
    max_cost,
    max_false_negatives,
    max_false_positives,
    min_precision,
    min_sensitivity,
    min_specificity,
)
from .fairness import (
    demographic_parity,
    equal_opportunity,
    equalized_odds,
    min_coverage,
    min_group_sensitivity,
    predictive_equality,
)
from .literals import category_only_with, no_category, no_cut
from .structure import (
    at_most_one_of,
    budget,
    forbid_pattern,
    forbid_together,
    max_total_literals,
    max_uses,
    min_support_per_pattern,
    monotone,
    require_attribute,
    require_pattern,
)
from .together import max_overlap, only_with

__all__ = [
    "Constraint",
    "at_most_one_of",
    "budget",
    "category_only_with",
    "demographic_parity",
    "equal_opportunity",
    "equalized_odds",
    "forbid_pattern",
    "forbid_together",
    "max_cost",
    "max_false_negatives",
    "max_false_positives",
    "max_overlap",
    "max_total_literals",
    "max_uses",
    "min_coverage",
    "min_group_sensitivity",
    "min_precision",
    "min_sensitivity",
    "min_specificity",
    "min_support_per_pattern",
    "monotone",
    "no_category",
    "no_cut",
    "not_lowered_when",
    "not_raised_when",
    "only_with",
    "predictive_equality",
    "require_attribute",
    "require_pattern",
    "unchanged_when",
]
