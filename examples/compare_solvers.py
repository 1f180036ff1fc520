"""For those who choose a solver: one program, every solver at hand, and a file for the solvers that are not.

The patterns are mined and screened once. What is left to choose from becomes one integer program, which every
installed solver gets, first as it is and then with a rule set to start from. Whatever a solver says, its
vector is rounded, checked and turned into rules, whose value is counted exactly: a wrong "optimal" shows.

    python examples/compare_solvers.py [model.mps]
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

import ooa
from ooa.datasets import planted_dnf
from ooa.errors import LicenseLimit
from ooa.formulations import Formulation, OOAxFormulation
from ooa.model import read_mps, write_mps

PRICE = "0.01"
LIMIT = 20.0


def main() -> None:
    """Formulate once, solve with every solver, and write the file."""
    data = planted_dnf(200, 6, 3, 2, noise=0.05, seed=3)
    table = ooa.Table.from_any(data.X, data.y)
    learned = ooa.learn_ooax(table, C1=PRICE, C2=PRICE, max_length=2, selection="ilp")
    prices = ooa.Objective.of(PRICE, PRICE)
    formulation = OOAxFormulation(learned.candidates, table.distinct(), prices, max_patterns=5, table=table)
    print(f"{table.n_rows} rows, {len(learned.candidates)} candidate patterns: {formulation.milp}\n")

    print("solver   version    start why it stopped L, exactly    bound  seconds")
    found = {}
    for name, there in ooa.available_backends().items():
        if not there.ok:
            print(f"{name:8} {there.reason}")
            continue
        for start in (None, learned.rules):
            value = run(name, formulation, table, prices, start)
            if value is not None:
                found[name, start is None] = value
    values = sorted(set(found.values()))
    words = "agree" if len(values) <= 1 else "DISAGREE"
    print(f"\n{len(found)} proofs {words} on the optimum: L =", *values)

    path = sys.argv[1] if len(sys.argv) > 1 else "rules.mps"
    write_mps(formulation.milp, path)
    again = ooa.get_backend("highs").solve(read_mps(path))
    print(f"{path} is the same program for any other solver.", end=" ")
    print(f"Read back, its optimum is {again.objective:g}, which is {table.n_rows} L")


def run(
    name: str, formulation: Formulation, table: ooa.Table, prices: ooa.Objective, start: ooa.RuleSet | None
) -> Fraction | None:
    """Solve once and print a line; return the value of the rules if it is proved."""
    backend = ooa.get_backend(name)
    began = time.perf_counter()
    try:
        point = None if start is None else formulation.encode(start)
        solution = backend.solve(formulation.milp, point, time_limit=LIMIT)
    except LicenseLimit as refused:
        print(f"{name:8} {refused}")
        return None
    seconds = time.perf_counter() - began
    value = None if solution.x is None else exact_value(formulation.decode(solution.x), table, prices)
    bound = "-" if solution.bound is None else f"{solution.bound / table.n_rows:.5f}"
    words = (name, backend.version(), "cold" if start is None else "warm", solution.termination.value)
    print("{:8} {:10} {:5} {:14}".format(*words), f"{value!s:>10} {bound:>8} {seconds:8.2f}")
    return value if solution.is_optimal else None


def exact_value(rules: ooa.RuleSet, table: ooa.Table, prices: ooa.Objective) -> Fraction:
    """The objective of a rule set, as a fraction."""
    wrong = rules.predict(table.as_frame()) != table.y
    return prices.value(int(wrong.sum()), table.n_rows, rules.n_literals, len(rules))


if __name__ == "__main__":
    main()
