"""`ooa bench` and `ooa write`: one model for every solver."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ooa.errors import OptionError
from ooa.formulations.base import Formulation
from ooa.learning.compare_solvers import Run, agree, run_once
from ooa.live_line import LiveLine
from ooa.model.milp import Milp
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.registry import available_backends, get_backend
from ooa.solving.solution import Progress, Termination

from .asked import settings_asked_for
from .formulating import formulate
from .output import exactly, following, note, say, say_json, text_table
from .problem import read_problem

__all__ = ["Run", "agree", "run", "write"]


def run(arguments: argparse.Namespace) -> int:
    """Solve the same model with each solver."""
    installed = available_backends()
    names = arguments.backends or [name for name, found in installed.items() if found.ok]
    solvers = [get_backend(name) for name in names]
    problem = read_problem(arguments)
    if not arguments.json:
        say(problem.summary())
    wanted = settings_asked_for(arguments, problem)
    formulation, learned = formulate(wanted, problem, quiet=arguments.quiet)
    if not arguments.json:
        say(f"{_words(formulation.milp)}\n")
    runs = []
    params = SolveParams(
        time_limit=wanted.seconds,
        relative_gap=wanted.relative_gap,
        threads=wanted.threads or 1,
        seed=wanted.seed,
        confirm=bool(wanted.confirm),  # each solver alone is what is compared, and what it claims
    )
    starts = [None, learned.rules] if learned.certificate.feasible else [None]
    interrupted = False
    with following(arguments.quiet) as progress, LiveLine(progress) as line:
        for solver in solvers:
            for start in starts:
                watched = params.changed(progress=_shown_on(line, solver, start, formulation))
                runs.append(run_once(solver, formulation, problem.table, watched, start))
                interrupted = runs[-1].termination is Termination.INTERRUPTED
                if interrupted or not runs[-1].ran:
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
    from ooa.model.lp_writer import write_lp
    from ooa.model.mps_writer import write_mps

    writers: dict[str, Any] = {".mps": write_mps, ".lp": write_lp}
    ending = next((ending for ending in writers if arguments.to.lower().endswith(ending)), None)
    if ending is None:
        raise OptionError(f"--to {arguments.to}: the name must end in .mps or .lp")
    problem = read_problem(arguments)
    formulation, _ = formulate(settings_asked_for(arguments, problem), problem, quiet=True)
    writers[ending](formulation.milp, arguments.to)
    scale = formulation.total / formulation.unit
    if arguments.json:
        say_json({"file": arguments.to} | _size(formulation.milp) | {"scale": float(scale)})
    else:
        say(f"{problem.summary()}\n{arguments.to}: {_words(formulation.milp)}")
        say(f"minimise; its objective is {float(scale):g} L, with L = errors / N + C1 literals + C2 patterns")
    return 0


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

    # What a terminal may cut off comes last.
    head = ["backend", "version", "start", "status"]
    head += ["objective", "bound", "gap", "seconds", "nodes", "exactly"]
    rows = [
        [
            one.backend,
            one.version or "-",
            one.start,
            one.status,
            shown(None if one.objective is None else float(one.objective), ".6f"),
            shown(one.bound, ".6f"),
            "-" if one.gap is None else f"{100 * one.gap:.1f} %",
            shown(one.seconds, ".2f"),
            "-" if one.nodes is None else f"{one.nodes:,}",
            "-" if one.objective is None else str(one.objective),
        ]
        for one in runs
    ]
    say(text_table(head, rows, left=range(4)))
    for message in dict.fromkeys(f"{one.backend}: {one.message}" for one in runs if one.message):
        note(message)
    done = {one.backend for one in runs if one.done}
    if len(done) > 1 and not trouble:
        say(f"\n{', '.join(sorted(done))} agree on the optimum")


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
