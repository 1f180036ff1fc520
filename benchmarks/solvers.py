"""Which solver is fastest on the mixed-integer programs of this library?

    OOA_DATA=folder python benchmarks/solvers.py
    OOA_DATA=folder python benchmarks/solvers.py --sets heart --backends highs scip --models OOAx
    python benchmarks/solvers.py --quick

Three kinds of programs are built from each data set: "OOAx" selects among the 2,000 best patterns that the
paper's theorems leave; "OOA, paper" forms patterns itself, as the paper writes it; "OOA, compact" does the
same in this library's smaller formulation. Each is handed to HiGHS, SCIP and CBC as it is, on one thread:
"cold", and "warm" with the rule set of our local search to start from. Every rule set that comes back is
counted again; solvers that contradict one another are reported. `ooa bench` does the same for a table of your
own.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from statistics import mean
from typing import Any

import instances
from plots import plot
from proof_runs import theorem_candidates
from proofs import SHIFT
from store import Row
from study import Study, Summary, number
from summary import performance_profile, reached, shifted_geometric_mean

from ooa.candidates.candidates import Candidates, prices
from ooa.data.rows import DistinctRows
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation
from ooa.learning.compare_solvers import Run, agree, run_once
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.search.local_search import LocalSearch
from ooa.solving import SolveParams, Termination, available_backends, get_backend

MODELS = ("OOA, paper", "OOA, compact", "OOAx")
CANDIDATES = 2_000
#: What a solver that has found the optimum ends with, confirmed or not.
DONE = (Termination.OPTIMAL.words, Termination.CLAIMED.words)


class Solvers(Study):
    """All backends on three models."""

    name = "solvers"
    title = "Solvers on the same programs"
    key = ("set", "model", "C", "K", "backend", "start", "limit", "version")
    time_limit = 60.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which models and solvers."""
        parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
        parser.add_argument("--backends", nargs="+", help="by default all that are installed")
        parser.add_argument("--price", default="0.01", help="C1 = C2")
        parser.add_argument("--size", type=int, default=3, help="most patterns, and boxes of OOA")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per set, model, solver and start."""
        installed = {name: found.version for name, found in available_backends().items() if found.ok}
        models = arguments.models[-2:] if arguments.quick else arguments.models
        for name in arguments.sets:
            for model in models:
                for backend in arguments.backends or installed:
                    for start in ("cold", "warm"):
                        yield {
                            "set": name,
                            "model": model,
                            "C": arguments.price,
                            "K": arguments.size,
                            "backend": backend,
                            "start": start,
                            "limit": float(arguments.time_limit),
                            "version": installed.get(backend, ""),
                        }

    def told(self, row: Row) -> str:
        """Status and gap."""
        ends = f"{number(row.get('objective'), 5)} >= {number(row.get('bound'), 5)}"
        return f"{row.get('status')} in {number(row.get('seconds'), 3)} s, {ends} {row.get('message', '')}"

    def measure(self, cell: Row) -> Row:
        """Build one model and solve it once."""
        table = instances.table_of(cell["set"])
        rows, objective = table.distinct(), Objective.of(cell["C"], cell["C"])
        candidates, _ = theorem_candidates(
            rows, objective, instances.longest_pattern(cell["set"]), CANDIDATES
        )
        formulation, start = build(cell["model"], candidates, rows, objective, cell["K"])
        milp = formulation.milp
        run = run_once(
            get_backend(cell["backend"]),
            formulation,
            table,
            SolveParams(time_limit=cell["limit"], threads=1, confirm=False),
            start if cell["start"] == "warm" else None,
        )
        steps = list(run.course.incumbent) if run.course is not None else []
        bounds = list(run.course.bound) if run.course is not None else []
        value = None if run.objective is None else float(run.objective)
        known = None if value is None else run.seconds  # at the latest, where nothing was heard before
        return {
            "status": run.status,
            "objective": value,
            "exactly": "" if run.objective is None else str(run.objective),
            "bound": run.bound,
            "gap": run.gap,
            "first s": _rounded(steps[0][0] if steps else known),
            # What was counted can be better than what the solver thought of its vector.
            "best s": _rounded(reached(steps, min(v for _, v in steps) + 1e-9) if steps else known),
            "seconds": _rounded(run.seconds),
            "nodes": run.nodes,
            "columns": milp.n_columns,
            "rows": milp.n_rows,
            "nonzeros": int(milp.A.nnz),
            "message": run.message[:200],
            "course": json.dumps([_thinned(steps), _thinned(bounds)]),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """Means, profiles, a table, gaps over time, and contradictions."""
        return _summary(rows)


def build(
    model: str, candidates: Candidates, rows: DistinctRows, objective: Objective, K: int
) -> tuple[Formulation, RuleSet]:
    """A model, and a rule set to start it from."""
    selection = OOAxFormulation(candidates, rows, objective, max_patterns=K)
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    search = LocalSearch(
        candidates.bits, rows.positive, rows.negative, prices(candidates, objective, total), K
    )
    start = selection.rule_set(search.run(work=10**8))
    if model == "OOAx":
        return selection, start
    made = OOAFormulation if model == "OOA, paper" else CompactFormulation
    return made(rows, objective, K), start


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _thinned(steps: list[tuple[float, float]], most: int = 60) -> list[list[float]]:
    """At most so many of the steps, the last one included."""
    every = max(1, len(steps) // most)
    kept = steps[::every] + (steps[-1:] if steps and (len(steps) - 1) % every else [])
    return [[round(t, 3), round(v, 7)] for t, v in kept]


def _run_of(row: Row) -> Run:
    """A stored row as a run, to compare."""
    exactly = str(row.get("exactly", ""))
    return Run(
        backend=f"{row['backend']} {row['start']}",
        version="",
        start=str(row["start"]),
        termination=next((one for one in Termination if one.words == row["status"]), None),
        refusal=str(row["status"]),
        objective=Fraction(exactly) if exactly else None,
        bound=float(row["bound"]) if row.get("bound") not in (None, "") else None,
    )


def _summary(rows: list[Row]) -> Summary:
    by: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        by[row["set"], row["model"], str(row["C"]), row["K"]].append(row)
    result = Summary()
    contradictions = {instance: agree([_run_of(row) for row in own]) for instance, own in by.items()}
    for instance, trouble in contradictions.items():
        if trouble:
            result.sentences.append(f"{instance[0]}, {instance[1]}: {trouble}")
    if rows and not any(contradictions.values()):
        result.sentences.append(f"No two solvers contradict one another on any of {len(by)} models.")
    for model in MODELS:
        mine = [own for instance, own in by.items() if instance[1] == model]
        if mine:
            _compare(model, mine, result)
    result.tables["Each model"] = [_line(row) for row in rows]
    result.pictures |= _gap_plots(by)
    return result


def _compare(model: str, instances: list[list[Row]], result: Summary) -> None:
    """Add what each way to solve took over all instances of a model: a table, and a profile."""
    ways = sorted({(row["backend"], row["start"]) for own in instances for row in own})
    times: dict[str, list[float | None]] = {}
    lines = []
    for backend, start in ways:
        own = [
            next((r for r in some if (r["backend"], r["start"]) == (backend, start)), None)
            for some in instances
        ]
        times[f"{backend}, {start}"] = [
            float(row["seconds"]) if row is not None and row["status"] in DONE else None for row in own
        ]
        lines.append(_way(backend, start, [row for row in own if row is not None]))
    result.tables[f"{model}: in all"] = lines
    if any(seconds is not None for own in times.values() for seconds in own):
        title = f"{model}: performance profile"
        result.pictures[title] = plot(
            performance_profile(times),
            "factor of the fastest time to proof",
            "share of models proved",
            title,
            log_x=True,
            steps=True,
        )


def _way(backend: Any, start: Any, ran: list[Row]) -> dict[str, Any]:
    """One line of the table: a solver, with or without a start, over all models it was given."""
    counted = [row for row in ran if row["status"] not in ("licence limit", "not available")]
    clock = [float(r["seconds"]) if r["status"] in DONE else float(r["limit"]) for r in counted]
    return {
        "backend": backend,
        "start": start,
        "models": len(ran),
        "refused": len(ran) - len(counted),
        "proved": sum(row["status"] in DONE for row in ran),
        f"mean s (shifted by {SHIFT:g} s)": number(shifted_geometric_mean(clock, SHIFT), 3),
        "nothing found": sum(row.get("objective") in (None, "") for row in counted),
        "mean s to first": _mean_of(counted, "first s", "limit"),
        "mean s to best": _mean_of(counted, "best s", "limit"),
        "mean gap %": _mean_gap(counted),
        "mean MB": _mean_of(counted, "peak MB"),
    }


def _gap_plots(by: dict[tuple[Any, ...], list[Row]], most: int = 4) -> dict[str, Any]:
    """The gap over time on the models that take longest."""
    slow = sorted(by.items(), key=lambda item: -max(float(row.get("seconds") or 0) for row in item[1]))
    made = {}
    for instance, own in slow[:most]:
        series = {}
        for row in own:
            incumbent, bound = json.loads(str(row.get("course") or "[[], []]"))
            moments = sorted({t for t, _ in [*incumbent, *bound]})
            gaps = []
            for moment in moments:
                best = min((v for t, v in incumbent if t <= moment), default=None)
                least = max((v for t, v in bound if t <= moment), default=0.0)
                if best:
                    gaps.append((max(moment, 0.01), 100 * max(0.0, min(1.0, (best - least) / best))))
            if gaps:
                series[f"{row['backend']}, {row['start']}"] = gaps
        if series:
            title = f"Gap over time: {instance[0]}, {instance[1]}"
            made[title] = plot(series, "seconds", "gap %", title, log_x=True, steps=True)
    return made


def _line(row: Row) -> Row:
    return {
        "set": row["set"],
        "model": row["model"],
        "backend": row["backend"],
        "start": row["start"],
        "status": row["status"],
        "L": number(row.get("objective"), 6),
        "bound": number(row.get("bound"), 6),
        "gap %": number(100 * float(row["gap"]), 3) if row.get("gap") not in (None, "") else "",
        "first s": number(row.get("first s"), 3),
        "best s": number(row.get("best s"), 3),
        "s": number(row.get("seconds"), 3),
        "nodes": number(row.get("nodes"), 6),
        "MB": number(row.get("peak MB"), 4),
    }


def _mean_of(rows: list[Row], name: str, otherwise: str = "") -> str:
    """The shifted geometric mean of a column; where it is empty, another one counts."""
    values = [row.get(name) if row.get(name) not in (None, "") else row.get(otherwise) for row in rows]
    return number(shifted_geometric_mean([float(v) for v in values if v is not None], SHIFT), 3)


def _mean_gap(rows: list[Row]) -> str:
    """The mean gap in percent; 100 where there is no rule set or no bound."""
    gaps = [1.0 if row.get("gap") in (None, "") else float(row["gap"]) for row in rows]
    return number(100 * mean(gaps), 3) if gaps else ""


STUDY = Solvers()

if __name__ == "__main__":
    STUDY.main()
