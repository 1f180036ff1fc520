"""The solver-neutral model: arrays that any solver can be handed, a builder for them, and files.

`Model` appends blocks of variables and rows from vectorised expressions and freezes them into a `Milp`.
"""

from .builder import Model
from .expressions import Expression, FloatArray, Rows, Variables
from .lp_writer import write_lp
from .milp import Milp
from .mps_reader import read_mps
from .mps_writer import write_mps
from .names import Names

__all__ = [
    "Expression",
    "FloatArray",
    "Milp",
    "Model",
    "Names",
    "Rows",
    "Variables",
    "read_mps",
    "write_lp",
    "write_mps",
]
