"""`ooa bench` and `ooa write`: one model for every solver."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..certificate import count
from ..errors import BackendUnavailable, LicenseLimit, OptionError, SolverError
from ..formulation import Formulation
from ..milp import Milp
from ..progress import LiveLine
from ..registry import available_backends, get_backend
from ..rules import RuleSet
from ..solution import Progress
from ..solving import Backend, SolveParams
from .formulating import formulate
from .output import exactly, finite, following, note, say, say_json, text_table
from .problem import Problem, read_problem

__all__ = ["Run", "agree", "run", "write"]

#: Solvers state bounds up to a tolerance; this much of L, relative to it, is no contradiction.
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Run:
    """One solver on the model, once; values are of L."""

    backend: str
    version: str
    start: str
    status: str
    objective: Fraction | None = None
    bound: float | None = None
    seconds: float | None = None
    nodes: int | None = None
    message: str = ""

    @property
    def gap(self) -> float | None:
        """Relative distance between objective and bound."""
        if self.objective is None or self.bound is None:
            return None
        difference = max(0.0, float(self.objective) - self.bound)
        return difference / float(self.objective) if self.objective else difference


def run(arguments: argparse.Namespace) -> int:
    """Solve the same model with each solver."""
    installed = available_backends()
    names = arguments.backends or [name for name, found in installed.items() if found.ok]
    solvers = [get_backend(name) for name in names]
    problem = read_problem(arguments)
    if not arguments.json:
        say(problem.summary())
    formulation, learned = formulate(arguments, problem)
    if not arguments.json:
        say(f"{_words(formulation.milp)}\n")
    runs = []
    params = SolveParams(time_limit=arguments.time_limit, seed=arguments.seed)
    starts = [None, learned.rules] if learned.certificate.feasible else [None]
    interrupted = False
    with following(arguments.quiet) as progress, LiveLine(progress) as line:
        for solver in solvers:
            for start in starts:
                watched = params.changed(progress=_shown_on(line, solver, start, formulation))
                runs.append(_run(solver, start, formulation, problem, watched))
                interrupted = runs[-1].status == "interrupted"
                if interrupted or runs[-1].status in ("not available", "licence limit"):
                    break
            if interrupted:
                break
    trouble = agree(runs)
    if arguments.json:
        say_json(
            {
                "model": {"method": arguments.method} | _size(formulation.milp),
                "agree": not trouble,
                "runs": [_run_dict(one) for one in runs],
            }
        )
    else:
        _show(runs, trouble)
    if trouble:
        note(trouble)
    return 130 if interrupted else 3 if trouble else 0


def write(arguments: argparse.Namespace) -> int:
    """Write the model for any other solver."""
    from ..lpformat import write_lp
    from ..mps import write_mps

    writers: dict[str, Any] = {".mps": write_mps, ".lp": write_lp}
    ending = next((ending for ending in writers if arguments.to.lower().endswith(ending)), None)
    if ending is None:
        raise OptionError(f"--to {arguments.to}: the name must end in .mps or .lp")
    problem = read_problem(arguments)
    formulation, _ = formulate(arguments, problem)
    writers[ending](formulation.milp, arguments.to)
    scale = formulation.total / formulation.unit
    if arguments.json:
        say_json({"file": arguments.to} | _size(formulation.milp) | {"scale": float(scale)})
    else:
        say(f"{problem.summary()}\n{arguments.to}: {_words(formulation.milp)}")
        say(f"minimise; its objective is {float(scale):g} L, with L = errors / N + C1 literals + C2 patterns")
    return 0


def agree(runs: list[Run]) -> str:
    """What is contradictory among the runs, in a sentence; empty if nothing is."""
    proved = {one.backend: one.objective for one in runs if one.status == "optimal"}
    if len(set(proved.values())) > 1:
        claims = ", ".join(f"{name} {value}" for name, value in proved.items())
        return f"the solvers disagree about the optimum: {claims}"
    known = min((one.objective for one in runs if one.objective is not None), default=None)
    for one in runs:
        if known is not None and one.bound is not None and one.bound > float(known) * (1 + TOLERANCE) + 1e-9:
            return f"{one.backend} claims that nothing is below {one.bound:.9g}, but {known} is known"
    return ""


def _run(
    solver: Backend, start: RuleSet | None, formulation: Formulation, problem: Problem, params: SolveParams
) -> Run:
    """Solve once, and count the objective from the rules."""
    point = None if start is None else formulation.encode(start)
    named = "cold" if start is None else "warm"
    try:
        solver.require(formulation.milp)
        solution = solver.solve(formulation.milp, point, params)
    except (BackendUnavailable, LicenseLimit, SolverError) as error:
        status = {BackendUnavailable: "not available", LicenseLimit: "licence limit"}.get(
            type(error), "error"
        )
        return Run(solver.name, "", named, status, message=str(error))
    scale = float(formulation.total / formulation.unit)
    objective = None
    if solution.x is not None:
        rules = formulation.decode(solution.x)
        objective = count(rules, problem.table, formulation.objective).objective
    return Run(
        backend=solver.name,
        version=solution.version,
        start=named,
        status=solution.termination.value.replace("_", " "),
        objective=objective,
        bound=None if solution.bound is None else finite(solution.bound / scale),
        seconds=solution.seconds,
        nodes=solution.nodes,
        message=solution.message,
    )


def _shown_on(
    line: LiveLine, solver: Backend, start: RuleSet | None, formulation: Formulation
) -> Callable[[Progress], None]:
    """A function that shows the progress of a run."""
    scale = float(formulation.total / formulation.unit)

    def show(moment: Progress) -> None:
        best, bound = (
            "-" if value is None else f"{value / scale:.5f}" for value in (moment.incumbent, moment.bound)
        )
        line.update(f"{solver.name}, {'cold' if start is None else 'warm'}: best {best}, bound {bound}")

    return show


def _show(runs: list[Run], trouble: str) -> None:
    """The table, then whatever has to be said about it."""

    def shown(value: float | None, form: str) -> str:
        return "-" if value is None else format(value, form)

    head = [
        "backend",
        "version",
        "start",
        "status",
        "objective",
        "exactly",
        "bound",
        "gap",
        "seconds",
        "nodes",
    ]
    rows = [
        [
            one.backend,
            one.version or "-",
            one.start,
            one.status,
            shown(None if one.objective is None else float(one.objective), ".6f"),
            "-" if one.objective is None else str(one.objective),
            shown(one.bound, ".6f"),
            "-" if one.gap is None else f"{100 * one.gap:.1f} %",
            shown(one.seconds, ".2f"),
            "-" if one.nodes is None else f"{one.nodes:,}",
        ]
        for one in runs
    ]
    say(text_table(head, rows, left=range(4)))
    for message in dict.fromkeys(f"{one.backend}: {one.message}" for one in runs if one.message):
        note(message)
    proved = {one.backend for one in runs if one.status == "optimal"}
    if len(proved) > 1 and not trouble:
        say(f"\n{', '.join(sorted(proved))} agree on the optimum")


def _run_dict(one: Run) -> dict[str, Any]:
    return {
        "backend": one.backend,
        "version": one.version,
        "start": one.start,
        "status": one.status,
        "objective": exactly(one.objective),
        "bound": one.bound,
        "gap": one.gap,
        "seconds": one.seconds,
        "nodes": one.nodes,
        "message": one.message,
    }


def _words(milp: Milp) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in _size(milp).items())


def _size(milp: Milp) -> dict[str, int]:
    return {
        "columns": milp.n_columns,
        "integer": int(milp.integer.sum()),
        "rows": milp.n_rows,
        "nonzeros": int(milp.A.nnz),
    }
