"""The policy of a fit: every share, limit and threshold that decides who runs when."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["POLICY", "Policy"]


@dataclass(frozen=True)
class Policy:
    """Who runs when in a fit, and for how long."""


#: What a fit does unless it is handed another one.
POLICY = Policy()
