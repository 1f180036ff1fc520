"""For developers: a constraint of your own, a solver of your own, and the checks that tell if it is right.

The constraints are two Python functions. The solver is branch and bound in a hundred lines of Python
(`tree_backend.py`); nothing in the library knows it, and yet it gets the program with the constraints in it,
a start, a time limit and Ctrl-C, and its answer is checked like everybody's.

    python examples/own_constraint_and_backend.py [all]

With "all" every check of the conformance suite is run, which takes about a minute; without, the quick themes.
"""

from __future__ import annotations

import sys
from collections import Counter

from tree_backend import TreeSearch

import ooa
from ooa.datasets import apnea_survey
from ooa.formulations import Vocabulary
from ooa.model import Rows
from ooa.testing import checks

QUESTIONS = ["age_30_or_more", "bmi_25_or_more", "male", "symptom_snoring", "has_hypertension"]
QUICK = ("basics", "degenerate", "status", "starts")

survey = apnea_survey(300)
X, y = survey.X[QUESTIONS], survey.y


def few_false_alarms_among_women(f: Vocabulary) -> Rows:
    """At most 10 women without apnea are sent to the sleep laboratory."""
    healthy_women = ~X["male"].to_numpy() & ~f.label
    return f.error[healthy_women].sum() <= 10


def blood_pressure_only_with_age(f: Vocabulary) -> Rows:
    """Whoever is asked for their blood pressure was asked for their age before."""
    return f.uses("has_hypertension") <= f.uses("age_30_or_more")


def main() -> None:
    """Fit without and with the constraints, by HiGHS and by our own solver; then check the solver."""
    own = [few_false_alarms_among_women, blood_pressure_only_with_age]
    healthy_women = ~X["male"] & (y == 0)
    for constraints, backend in (([], "highs"), (own, "highs"), (own, TreeSearch())):
        model = ooa.OOAxClassifier(
            C1=0.01, C2=0.01, max_length=2, selection="ilp", constraints=constraints, backend=backend
        ).fit(X, y)
        proof, alarms = model.certificate_, int(model.predict(X)[healthy_women].sum())
        print(f"== {'two constraints' if constraints else 'no constraints'}, solved by {proof.backend} ==")
        print(model.rules_)
        print(f"{alarms} false alarms among women; L = {proof.objective}", end=", ")
        print("proved best\n" if proof.proved else f"gap {proof.gap:.1%}\n")

    print("Every value was counted from the rules themselves, whoever found them.\n")
    run_checks(everything="all" in sys.argv[1:])


def run_checks(everything: bool) -> None:
    """Run the conformance suite, or its quick themes, on our own solver."""
    backend = TreeSearch()
    able = ", ".join(sorted(capability.value for capability in backend.capabilities))
    suite = checks(backend)
    print(f"{len(suite)} checks apply to a solver that claims: {able}")
    passed: Counter[str] = Counter()
    for check in suite:
        theme = check.__module__.rpartition(".")[2]
        if everything or theme in QUICK:
            check(backend)  # raises an AssertionError that says what is wrong
            passed[theme] += 1
    for theme, number in passed.items():
        print(f"  {theme:15} {number:3} passed")
    print(f"{passed.total()} of {passed.total()} that were run")


if __name__ == "__main__":
    main()
