"""Which OOA formulation is better? Size, LP bound, and what each backend makes of it in the same time.

    python benchmarks/formulations.py                               # generated sets, 30 s per solve
    OOA_DATA=folder python benchmarks/formulations.py               # the UCI sets in that folder as well
    python benchmarks/formulations.py --sets heart monks1 --seconds 20
    python benchmarks/formulations.py --quick                       # tiny tables, 3 s per solve

Every model is solved cold and once more from the rule set that OOAx finds. "LP", "objective" and
"bound" are values of L; "gap" is relative to the objective, and infinite where none was found.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from common import parser_of, save, show

from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.datasets import Dataset, apnea_survey, load_dataset, monks, planted_dnf
from ooa.errors import LicenseLimit
from ooa.formulations import CompactFormulation, OOAFormulation
from ooa.formulations.boxes import BoxFormulation
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import Solution, available_backends, get_backend, relative_gap

# Gurobi's licence allows measuring it but not publishing the figures: they are shown, never saved.
PRIVATE = {"gurobi"}


@dataclass(frozen=True)
class Instance:
    """A data set, the number of boxes, and the price of a literal and of a pattern."""

    load: Callable[[], Dataset]
    K: int
    C: str = "0.005"
    rows: int | None = None
    columns: int | None = None

    def table(self) -> Table:
        data = self.load()
        return Table.from_any(data.X.iloc[: self.rows, : self.columns], data.y.iloc[: self.rows])


GENERATED = {
    "monks1": Instance(lambda: monks(1), K=4, C="0.001"),
    "apnea": Instance(apnea_survey, K=3, rows=300, columns=20),
    "planted": Instance(lambda: planted_dnf(200, noise=0.05), K=3),
}
FETCHED = {
    "heart": Instance(lambda: load_dataset("heart"), K=2),
    "bupa": Instance(lambda: load_dataset("bupa"), K=2),
    "blogger": Instance(lambda: load_dataset("blogger"), K=3),
}
TINY = {
    "monks1": Instance(lambda: monks(1), K=2, C="0.01", rows=100, columns=4),
    "apnea": Instance(apnea_survey, K=2, C="0.01", rows=40, columns=6),
    "planted": Instance(lambda: planted_dnf(20, 3, 2, noise=0.05), K=2, C="0.02"),
}
FORMS: dict[str, Callable[[DistinctRows, Objective, int], BoxFormulation]] = {
    "paper": OOAFormulation,
    "compact": CompactFormulation,
    "compact, merged": lambda rows, objective, K: CompactFormulation(rows, objective, K, merge=True),
}


def figures(solution: Solution, scale: float) -> dict[str, Any]:
    """What a solve has reached, as values of L."""
    objective, bound = (None if v is None else v / scale for v in (solution.objective, solution.bound))
    return {
        "objective": "" if objective is None else f"{objective:.5f}",
        "bound": "" if bound is None else f"{bound:.5f}",
        "gap %": f"{100 * relative_gap(objective, bound):.1f}",
        "seconds": round(solution.seconds, 1),
        "nodes": solution.nodes,
        "ended": solution.termination.value,
        "start used": solution.start.value.replace("_", " "),
    }


def study(name: str, instance: Instance, backends: list[str], seconds: float) -> list[dict[str, Any]]:
    """All formulations of one instance on all backends, cold and started."""
    table = instance.table()
    rows, objective = table.distinct(), Objective.of(instance.C, instance.C)
    prices: dict[str, Any] = {"C1": instance.C, "C2": instance.C, "max_patterns": instance.K}
    mined = learn_ooax(table, **prices, time_limit=seconds)
    found = []
    for form, make in FORMS.items():
        began = time.perf_counter()
        formulation = make(rows, objective, instance.K)
        milp = formulation.milp
        built = time.perf_counter() - began
        scale = float(formulation.total / formulation.unit)  # from L to the model's objective
        relaxed = get_backend("highs").solve(milp.relaxed(), time_limit=max(seconds, 60))
        size = {
            "set": name,
            "K": instance.K,
            "form": form,
            "columns": milp.n_columns,
            "integer": int(milp.integer.sum()),
            "rows": milp.n_rows,
            "nonzeros": milp.A.nnz,
            "build ms": round(1e3 * built),
            "LP": "" if relaxed.objective is None else f"{relaxed.objective / scale:.5f}",
        }
        for backend in backends:
            starts: dict[str, RuleSet | None] = {"cold": None, "OOAx": mined.rules}
            for start, rules in starts.items():
                point = None if rules is None else formulation.encode(rules)
                try:
                    solution = get_backend(backend).solve(milp, point, time_limit=seconds)
                except LicenseLimit as error:
                    print(f"{name} / {form} / {backend}: left out ({error})", file=sys.stderr)
                    break
                found.append(size | {"backend": backend, "start": start} | figures(solution, scale))
                print(".", end="", file=sys.stderr, flush=True)
    print(f" {name}: OOAx has {float(mined.certificate.objective):.5f}", file=sys.stderr)
    return found


def main() -> None:
    installed = [backend for backend, found in available_backends().items() if found.ok]
    instances = GENERATED | (FETCHED if os.environ.get("OOA_DATA") else {})
    parser = parser_of(__doc__, instances, 30.0, "tiny tables, 3 s per solve")
    parser.add_argument("--backends", nargs="+", choices=installed, default=installed)
    arguments = parser.parse_args()
    if arguments.quick:
        instances, arguments.seconds = TINY, 3.0
    table: list[dict[str, Any]] = []
    for name, instance in instances.items():
        if name in arguments.sets:
            table += study(name, instance, arguments.backends, arguments.seconds)
    show(table)
    if not arguments.quick:
        print("saved:", save("formulations", [row for row in table if row["backend"] not in PRIVATE]))


if __name__ == "__main__":
    main()
