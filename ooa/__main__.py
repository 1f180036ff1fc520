"""`python -m ooa`: fit a first rule set on data that needs no download, and show what comes out."""

from __future__ import annotations

from .datasets import tic_tac_toe
from .ooax import learn_ooax
from .registry import available_backends
from .table import Table


def main() -> None:
    """Run the demonstration."""
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y, positive=data.positive)
    print(f"data      all {len(data.y)} final boards of tic-tac-toe; who has won?")
    learned = learn_ooax(table, C1=0.001, C2=0.001, max_patterns=None)
    steps = ", ".join(f"{count:,} {stage}" for stage, count in learned.certificate.counts.items())
    print(f"patterns  {steps}\n")
    print(learned.rules, end="\n\n")
    print(learned.certificate, end="\n\n")
    for name, found in available_backends().items():
        print(f"backend   {name:8}{found.version if found.ok else 'not available: ' + found.reason}")
    print("\nnext      README.md: your own table, another solver, a time limit")


if __name__ == "__main__":
    main()
