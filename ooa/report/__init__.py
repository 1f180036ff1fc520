"""A report to look at: rules, proof, patterns, wrong rows and data in one self-contained HTML file."""

from __future__ import annotations

from .page import write_report, write_short_report

__all__ = ["write_report", "write_short_report"]
