"""The inner loops: evaluating rule sets on a million rows, and mining patterns, in one run.

    python benchmarks/kernels.py            # a million rows; the survey with 112 and 224 literals
    python benchmarks/kernels.py --quick    # a tenth of the rows, the small survey

Ratios are taken against plain numpy doing the same comparisons (evaluation) and against our bitset miner in
numpy (mining; pyfim's engines find the same patterns). The last part mines tables of other shapes by the
miner in numpy and by the compiled one, with one and with two threads, side by side; of ratios there the
first is that of the wall, the second that of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import instances
import numpy as np
import pandas as pd
from common import save, show

from ooa.candidates.generate import candidate_literals
from ooa.candidates.mining import ENGINES, mine
from ooa.candidates.screening import InformationGain
from ooa.data.bitsets import pack
from ooa.data.table import Table
from ooa.datasets import apnea_survey
from ooa.kernels.availability import compiled
from ooa.rules.ruleset import RuleSet

#: The tables of the last part: few and many rows, few and many literals.
SHAPES = ["heart", "breast-cancer", "planted-2000x400", "planted-2000x1000", "planted-1000000x40"]
PRICE = 0.01
WAYS = [("numpy", False, 1), ("compiled", True, 1), ("compiled, two threads", True, 2)]


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
    ours = [("bitset", False), ("bitset", True)] if compiled() else [("bitset", False)]
    for engine, fast in [*ours, *((engine, None) for engine in ENGINES[1:])]:
        if both and engine == "fpgrowth":
            continue  # takes most of a minute
        try:
            run = lambda engine=engine, fast=fast: mine(  # noqa: E731
                literals, y, 1 - y, max_length=3, min_positive=0.05 * len(y), engine=engine, fast=fast
            )
            size = len(run())
        except ImportError as error:
            print(f"{engine}: left out ({error})")
            continue
        seconds = best_of(run, 1 if both else 3)
        rows.append(
            {
                "kernel": f"mine {size:,} patterns",
                "method": f"{engine}, compiled" if fast else engine,
                "seconds": round(seconds, 3),
                "ratio": 1.0,
            }
        )
    for row in rows:
        row["ratio"] = round(row["seconds"] / rows[0]["seconds"], 2)
    return rows


def side_by_side(names: list[str]) -> list[dict[str, Any]]:
    """The miner in numpy and the compiled one on whole tables, up to length 3, the best million kept."""
    rows: list[dict[str, Any]] = []
    for name in names:
        data = instances.load(name)
        distinct = Table.from_any(data.X, data.y).distinct()
        literals, weights = candidate_literals(distinct), (distinct.positive, distinct.negative)
        total = sum(some.sum() for some in weights)
        least = np.array([0.0] + [np.nextafter(PRICE * (k + 1) * total, np.inf) for k in (1, 2, 3)])
        base = None
        for words, fast, threads in WAYS if compiled() else WAYS[:1]:
            began = time.perf_counter(), time.process_time()
            mined = mine(
                literals,
                *weights,
                min_positive=least,
                score=InformationGain(*(some.sum() for some in weights)),
                fast=fast,
                threads=threads,
            )
            wall, processor = time.perf_counter() - began[0], time.process_time() - began[1]
            base = base or (wall, processor)
            rows.append(
                {
                    "kernel": f"{name}: {mined.counts['mined']:,} patterns",
                    "method": words,
                    "seconds": round(wall, 3),
                    "of the processor": round(processor, 3),
                    "ratio": f"{wall / base[0]:.2f}, {processor / base[1]:.2f}",
                }
            )
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
    beside = side_by_side(["planted-300x40"] if quick else SHAPES)
    show(beside)
    print("saved:", save("kernels", table), save("mining", beside))


if __name__ == "__main__":
    main()
