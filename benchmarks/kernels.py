"""The inner loops: evaluating rule sets on a million rows, and mining patterns, in one run.

    python benchmarks/kernels.py            # a million rows; the survey with 112 and 224 literals
    python benchmarks/kernels.py --quick    # a tenth of the rows, the small survey

Ratios are taken against plain numpy doing the same comparisons (evaluation) and against our bitset
miner (mining; pyfim's engines find the patterns, and their coverage is computed afterwards).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from common import save, show

from ooa.candidates.mining import ENGINES, mine
from ooa.data.bitsets import pack
from ooa.datasets import apnea_survey
from ooa.rules.ruleset import RuleSet


def best_of(run: Callable[[], Any], repeats: int = 3) -> float:
    run()
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - began)
    return best


def evaluation(n: int) -> list[dict[str, Any]]:
    """Five patterns of three literals on n rows."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{j}": rng.normal(size=n) for j in range(4)})
    frame["c"] = pd.Categorical(rng.choice(["a", "b", "c", "d"], n))
    rules = RuleSet.parse(
        " OR ".join(f"x{k % 4} > {k / 10} AND -1 < x{(k + 1) % 4} <= 1 AND c IN {{a, d}}" for k in range(5))
    )
    x = [frame[f"x{j}"].to_numpy() for j in range(4)]
    codes = frame["c"].cat.codes.to_numpy()

    def plain() -> Any:
        fires = np.zeros(n, dtype=bool)
        for k in range(5):
            one, two = x[k % 4], x[(k + 1) % 4]
            fires |= (one > k / 10) & (two > -1) & (two <= 1) & ((codes == 0) | (codes == 3))
        return fires

    assert np.array_equal(rules.predict(frame) == 1, plain())
    base = best_of(plain)
    found = best_of(lambda: rules.predict(frame))
    return [
        {
            "kernel": f"evaluate {n:,} rows",
            "method": name,
            "seconds": round(s, 4),
            "ratio": round(s / base, 2),
        }
        for name, s in (("plain numpy", base), ("ooa, pandas frame", found))
    ]


def mining(both: bool) -> list[dict[str, Any]]:
    """The survey of the paper's size, support 5 %, length 3; with `both`, complements as well."""
    data = apnea_survey()
    X, y = data.X.to_numpy().astype(bool), data.y.to_numpy().astype(float)
    masks = np.vstack([X.T, ~X.T]) if both else X.T
    literals = SimpleNamespace(
        attribute=np.tile(np.arange(112), 2 if both else 1).astype(np.int32), bits=pack(masks), n_rows=len(y)
    )
    rows = []
    for engine in ENGINES:
        if both and engine == "fpgrowth":
            continue  # takes most of a minute
        try:
            run = lambda engine=engine: mine(  # noqa: E731
                literals, y, 1 - y, max_length=3, min_positive=0.05 * len(y), engine=engine
            )
            size = len(run())
        except ImportError as error:
            print(f"{engine}: left out ({error})")
            continue
        seconds = best_of(run, 1 if both else 3)
        rows.append(
            {
                "kernel": f"mine {size:,} patterns",
                "method": engine,
                "seconds": round(seconds, 3),
                "ratio": 1.0,
            }
        )
    for row in rows:
        row["ratio"] = round(row["seconds"] / rows[0]["seconds"], 2)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, the small survey only")
    quick = parser.parse_args().quick
    table = evaluation(100_000 if quick else 1_000_000) + mining(False)
    if not quick:
        table += mining(True)
    show(table)
    print("saved:", save("kernels", table))


if __name__ == "__main__":
    main()
