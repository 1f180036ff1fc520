"""Backends: the contract that an adapter fulfils, what a solve hands back, and the solvers by name.

An adapter implements `Backend`; `ooa.testing` has the suite that it must pass.
"""

from ooa.clock import Deadline

from .backend import Availability, Backend, Capability, Monitor, other_backends
from .own_options import unknown_option
from .params import SolveParams
from .registry import available_backends, get_backend
from .solution import PointStatus, Progress, RawResult, Solution, StartStatus, Termination, relative_gap

__all__ = [
    "Availability",
    "Backend",
    "Capability",
    "Deadline",
    "Monitor",
    "PointStatus",
    "Progress",
    "RawResult",
    "Solution",
    "SolveParams",
    "StartStatus",
    "Termination",
    "available_backends",
    "get_backend",
    "other_backends",
    "relative_gap",
    "unknown_option",
]
