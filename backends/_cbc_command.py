"""The command that runs CBC: neutral parameters, guards against known faults, the caller's options."""

from __future__ import annotations

import shutil
from pathlib import Path

from ooa.model import FloatArray
from ooa.solving import SolveParams, unknown_option

from . import _cbc_binary as binary


def wrappers() -> list[str]:
    """Small programs of Linux that start CBC: one ends it should we be killed, one makes its log live.

    Without the second the log comes in blocks of 4 KB.
    """
    arguments = []
    for program, *options in (("setpriv", "--pdeathsig", "KILL"), ("stdbuf", "-oL")):
        path = shutil.which(program)
        if path is not None:
            arguments += [path, *options]
    return arguments


def settings(params: SolveParams, path: str, limit: float | None, start: bool) -> list[str]:
    """The neutral parameters and the guards, as arguments; the caller's own options follow them."""
    arguments = ["-mipStart", "start.txt"] if start else []
    # By default CBC's clock is the CPU's, which has made it call feasible models infeasible.
    arguments += ["-timeMode", "elapsed"]
    if limit is not None:
        arguments += ["-seconds", repr(limit)]
    arguments += ["-ratioGap", repr(float(params.relative_gap))]
    arguments += ["-allowableGap", repr(float(params.absolute_gap))]
    if params.node_limit is not None:
        arguments += ["-maxNodes", str(min(params.node_limit, 2**31 - 1))]
    if params.threads > 1 and binary.knows(path, "threads"):
        arguments += ["-threads", str(params.threads)]
    arguments += ["-randomCbcSeed", str(params.seed)]
    # Probing, alone and inside the preprocessing, cuts off optima of one in several hundred small
    # models, all-binary ones too.
    arguments += ["-preprocess", "off", "-probingCuts", "off"]
    return arguments


def own_options(path: str, params: SolveParams) -> list[str]:
    """The caller's options, and then the commands to solve and to write the solution."""
    arguments = []
    for name, value in params.options.items():
        if not isinstance(name, str) or not binary.knows(path, name):
            known = [whole for _, whole in binary.options(path)]
            raise unknown_option("CBC", name, known)
        arguments += [f"-{name}", str(value)]
    return [*arguments, "-solve", "-solution", "solution.txt", "-saveSolution", "solution.bin"]


def write_start(path: Path, start: FloatArray) -> None:
    """Every value of the point: integers not listed would count as 0."""
    lines = (f"{j} x{j} {value!r}\n" for j, value in enumerate(start.tolist()))
    path.write_text("".join(lines), encoding="ascii")
