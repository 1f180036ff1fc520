"""The command `ooa`: learn, use and export rule sets without writing Python; see `ooa --help`.

It is built on argparse, so that it is there, whole, with the core alone.
"""

from __future__ import annotations

from .main import main

__all__ = ["main"]
