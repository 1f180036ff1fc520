"""Which Gurobi licence there is, told without starting Gurobi, and what to say where it does not suffice."""

from __future__ import annotations

import os
from pathlib import Path

from ooa.errors import LicenseLimit
from ooa.solving import other_backends

#: Rows and columns that the licence inside the pip package admits.
PIP_LIMIT = 2000
#: Where Gurobi looks for `gurobi*/gurobi.lic` besides the home directory.
ROOTS = ("/opt", "/Library", "c:/")
#: Settings that may reach a licence: a file elsewhere, a server, a cluster, the cloud.
VARIABLES = (
    "GRB_LICENSE_FILE",
    "GRB_WLSACCESSID",
    "GRB_CLOUDACCESSID",
    "GRB_CLOUDPOOL",
    "GRB_COMPUTESERVER",
    "GRB_CSMANAGER",
    "GRB_TOKENSERVER",
)


def licence_found() -> bool:
    """Whether there may be a licence beyond pip's; if it turns out too small, the run says so."""
    if any(os.environ.get(name) for name in VARIABLES):
        return True
    folders = [Path.home()]
    for root in ROOTS:
        folders += Path(root).glob("gurobi*")
    return any((folder / "gurobi.lic").is_file() for folder in folders)


def too_large() -> LicenseLimit:
    """The error for a model beyond the licence."""
    return LicenseLimit(
        "the model, whose two-sided rows count twice, is too large for the Gurobi licence found "
        f"(pip's admits {PIP_LIMIT:,} rows and columns). {other_backends('gurobi')}"
    )
