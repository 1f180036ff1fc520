"""Other libraries behind one face: fit on rows, predict rows, say the rules. Needs none of ooa.

A peer's rules are lists of conditions: [literal number, holds or not] over the binary literals of a job, or
[column, operator, value] over its raw columns. A peer whose rules vote has a size instead.
"""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
from peer_trees import DL85, GOSDT, FairSTreeD, STreeD


class Data:
    """Rows as 0/1 literals, as they are, and as numbers."""

    def __init__(self, literals, single, raw, numbers):
        self.literals, self.raw, self.numbers = literals, raw, numbers
        self.single = single  # literals of which none is the complement of another, for trees

    def take(self, rows):
        """Some of the rows."""
        return Data(self.literals[rows], self.single, self.raw.iloc[rows], self.numbers[rows])


class BRCG:
    """Column generation, AIX360."""

    def __init__(self, job, params):
        from aix360.algorithms.rbm import BooleanRuleCG, boolean_rule_cg

        if job["processor"]:  # it looks at the clock between its rounds
            boolean_rule_cg.time = SimpleNamespace(time=time.process_time)
        limit = max(1, int(job["limit"]))
        self.model = BooleanRuleCG(
            lambda0=float(job["C2"]), lambda1=float(job["C1"]), solver="CLARABEL", timeMax=limit, silent=True
        )

    def frame(self, data):
        """Its input: columns named by feature, operation and value; the numbers of our literals do."""
        import pandas as pd

        names = [(f"l{i}", "==", i) for i in range(data.literals.shape[1])]
        return pd.DataFrame(data.literals.astype(int), columns=pd.MultiIndex.from_tuples(names))

    def fit(self, data, y):
        """Learn."""
        self.model.fit(self.frame(data), y.astype(int))

    def predict(self, data):
        """Labels."""
        return self.model.predict(self.frame(data))

    def rules(self):
        """Conjunctions with positive weight."""
        chosen = np.asarray(self.model.z)[:, np.asarray(self.model.w) > 0.5]
        return [[[int(i), True] for i in np.flatnonzero(column)] for column in chosen.T]


class BRS:
    """Bayesian rule sets (BOA), imodels."""

    def __init__(self, job, params):
        from imodels import BayesianRuleSetClassifier

        settings = {"maxlen": 3, "supp": 5, "num_iterations": 2000} | params
        self.model = BayesianRuleSetClassifier(n_rules=2000, random_state=0, **settings)

    def frame(self, data):
        """The literals without complements: it adds those itself."""
        import pandas as pd

        return pd.DataFrame(data.literals[:, data.single].astype(int), columns=[f"l{i}" for i in data.single])

    def fit(self, data, y):
        """Learn."""
        import random

        random.seed(0)  # it draws from the global generator
        self.model.fit(self.frame(data), y.astype(int))

    def predict(self, data):
        """Labels."""
        if not self.model.rules_:
            return np.zeros(len(data.literals), dtype=int)
        return np.asarray(self.model.predict(self.frame(data)))

    def rules(self):
        """Names such as l7 or l7_neg."""
        return [
            [[int(name.removeprefix("l").removesuffix("_neg")), not name.endswith("_neg")] for name in rule]
            for rule in self.model.rules_
        ]


class RIPPER:
    """RIPPER, wittgenstein; with describes=0 its rules are those of the negatives."""

    def __init__(self, job, params):
        from wittgenstein import RIPPER as Model

        self.describes = params.get("describes", 1)
        own = {name: value for name, value in params.items() if name != "describes"}
        self.model = Model(random_state=0, **own)

    def fit(self, data, y):
        """Learn."""
        self.model.fit(data.raw, y=y.astype(int), pos_class=self.describes)

    def predict(self, data):
        """Labels."""
        fires = np.asarray(self.model.predict(data.raw)).astype(int)
        return fires if self.describes else 1 - fires

    def size(self):
        """Rules and conditions."""
        rules = self.model.ruleset_.rules
        return len(rules), sum(len(rule.conds) for rule in rules)

    def rules(self):
        """Conditions are values, or bins with an open left end."""
        bins = self.model.bin_transformer_
        found = []
        for rule in self.model.ruleset_.rules:
            conditions = []
            for cond in rule.conds:
                if bins is not None and cond.feature in (bins.bins_ or {}):
                    every = bins.bins_[cond.feature]
                    interval = bins._strs_to_intervals(every, cond.feature)[every.index(cond.val)]
                    if np.isfinite(interval.left):
                        conditions.append([cond.feature, ">", float(interval.left)])
                    if np.isfinite(interval.right):
                        conditions.append([cond.feature, "<=", float(interval.right)])
                else:
                    value = cond.val.item() if hasattr(cond.val, "item") else cond.val
                    conditions.append([cond.feature, "==", value])
            found.append(conditions)
        return found


class OnNumbers:
    """A classifier on numbers, where categories are columns of 0 and 1; a subclass makes it as `model`."""

    def fit(self, data, y):
        """Learn."""
        self.model.fit(data.numbers, y.astype(int))

    def predict(self, data):
        """Labels."""
        return np.asarray(self.model.predict(data.numbers)).astype(int)


class RUG(OnNumbers):
    """Rule generation by linear programming, ruleopt: weighted rules."""

    def __init__(self, job, params):
        from ruleopt import RUGClassifier

        self.model = RUGClassifier(random_state=0, **params)

    def size(self):
        """Rules and conditions."""
        rules = list(getattr(self.model, "decision_rules_", {}).values())
        return len(rules), sum(len(rule) for rule in rules)


class RuleFit(OnNumbers):
    """RuleFit without linear terms, imodels: rules with weights."""

    def __init__(self, job, params):
        from imodels import RuleFitClassifier

        self.model = RuleFitClassifier(include_linear=False, random_state=0, **params)

    def size(self):
        """Rules with a weight, and their conditions, those on one column as one."""
        rules = [rule for rule in self.model.rules_ if np.any(np.asarray(rule.args) != 0)]
        return len(rules), sum(len({name for name, _ in rule.agg_dict}) for rule in rules)


class Slipper(OnNumbers):
    """SLIPPER, imodels: boosted rules."""

    def __init__(self, job, params):
        from imodels import SlipperClassifier

        self.model = SlipperClassifier(random_state=0, **params)

    def size(self):
        """Rules and conditions, those on one column as one."""
        rules = [one.rule for one in self.model.estimators_]
        return len(rules), sum(len({condition["feature"] for condition in rule}) for rule in rules)


class Skope(OnNumbers):
    """SkopeRules, imodels: any of its rules makes a positive, as in the library it comes from.

    In imodels its rules vote: on tic-tac-toe its accuracy is .35 with votes and .65 this way.
    """

    def __init__(self, job, params):
        from imodels import SkopeRulesClassifier

        self.columns = job["numbers"]
        self.model = SkopeRulesClassifier(random_state=0, **params)

    def conditions(self):
        """Rules as conditions (column of the numbers, operator, value)."""
        return [
            [(int(name.removeprefix("X")), operator, float(value)) for (name, operator), value in terms]
            for terms in (rule.agg_dict.items() for rule in self.model.rules_)
        ]

    def predict(self, data):
        """Labels."""
        fires = np.zeros(len(data.numbers), dtype=bool)
        for rule in self.conditions():
            holds = np.ones(len(data.numbers), dtype=bool)
            for j, operator, value in rule:
                below = data.numbers[:, j] <= value
                holds &= below if operator == "<=" else ~below
            fires |= holds
        return fires.astype(int)

    def rules(self):
        """Conditions on columns; one that codes a category is compared with 0.5."""
        found = []
        for rule in self.conditions():
            conditions = []
            for j, operator, value in rule:
                name, category = self.columns[j]
                if category is not None:
                    operator, value = "!=" if operator == "<=" else "==", category
                conditions.append([name, operator, value])
            found.append(conditions)
        return found


class CN2:
    """CN2 unordered, Orange: rules that vote."""

    def __init__(self, job, params):
        self.kinds = {column["name"]: column["kind"] for column in job["columns"]}
        self.values = {}

    def table(self, data, y=None):
        """Its input."""
        from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

        if not self.values:
            categorical = [name for name, kind in self.kinds.items() if kind == "categorical"]
            self.values = {name: sorted(set(data.raw[name].astype(str))) for name in categorical}
        columns, variables = [], []
        for name in self.kinds:
            if name in self.values:
                place = {value: i for i, value in enumerate(self.values[name])}
                columns.append([place.get(value, np.nan) for value in data.raw[name].astype(str)])
                variables.append(DiscreteVariable(name, values=tuple(self.values[name])))
            else:
                columns.append(data.raw[name].to_numpy(dtype=float))
                variables.append(ContinuousVariable(name))
        X = np.array(columns, dtype=float).T
        domain = Domain(variables, DiscreteVariable("target of the study", values=("0", "1")))
        return Table.from_numpy(domain, X, np.zeros(len(X)) if y is None else y.astype(float))

    def fit(self, data, y):
        """Learn."""
        from Orange.classification.rules import CN2UnorderedLearner

        self.model = CN2UnorderedLearner()(self.table(data, y))

    def predict(self, data):
        """Labels."""
        return np.asarray(self.model(self.table(data))).astype(int)

    def size(self):
        """Rules and conditions."""
        return len(self.model.rule_list), sum(len(rule.selectors) for rule in self.model.rule_list)


FITTERS = {
    "BRCG": BRCG,
    "BRS": BRS,
    "RIPPER": RIPPER,
    "RUG": RUG,
    "SkopeRules": Skope,
    "RuleFit": RuleFit,
    "SLIPPER": Slipper,
    "CN2": CN2,
    "STreeD": STreeD,
    "fair STreeD": FairSTreeD,
    "DL8.5": DL85,
    "GOSDT": GOSDT,
}
