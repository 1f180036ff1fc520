"""How soon is it proved that no better rule set exists?

    OOA_DATA=folder python benchmarks/proofs.py                     # ten sets, three prices, K = 5 and none
    OOA_DATA=folder python benchmarks/proofs.py --prices 0.01 --sizes 5 --time-limit 60
    OOA_DATA=folder python benchmarks/proofs.py --ablation --prices 0.005
    python benchmarks/proofs.py --quick

Three methods look for the rule set with the smallest L in the same patterns: of up to three conditions (four
where all columns are categorical), numbers cut at deciles. Method A, "paper's ILP", is the integer program of
the paper as it is written, solved by HiGHS. Method B, "disaggregated ILP", is the same program with its sums
over patterns written out pattern by pattern, which is tighter and much larger. "ooa" is this library,
`learn_ooax`. A and B get every pattern that Theorems 1 to 3 of the paper leave, and one call of the solver.

Times include everything from the table on. Each method is run once on each instance; gaps at 10, 60 and 300 s
are what was known by then on the way, and a fit with a shorter limit divides its time differently.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import instances
from plots import plot
from proof_runs import BASELINES, CHECKPOINTS, run_baseline, run_ours
from store import Row
from study import Study, Summary, number
from summary import performance_profile, shifted_geometric_mean
from warming import warm_up

import ooa
from ooa.objective import Objective

#: Our method and its variants: options of `learn_ooax` besides those of the instance.
VARIANTS: dict[str, dict[str, Any]] = {"ours": {}}
#: Run with --ablation only: one technique less each.
ABLATION: dict[str, dict[str, Any]] = {
    "ILP in the place of the search": {"selection": "ilp"},
    "the same, disaggregated": {"form": "disaggregated"},
    "without pair cuts": {"without": ("separation",)},
    "without multipliers": {"without": ("multipliers",)},
    "without dominance": {"without": ("dominance",)},
    "without the incumbent": {"without": ("incumbent",)},
    "without incumbent-aware bounds": {"without": ("bounds",)},
}
PRICES = ("0.01", "0.005", "0.001")
#: What the methods are called where results are shown.
SHOWN = {"A": "paper's ILP", "B": "disaggregated ILP", "ours": "ooa"}
#: Seconds that are added before taking geometric means, and taken off after.
SHIFT = 1.0


class Proofs(Study):
    """Baselines A and B against ours."""

    name = "proofs"
    title = "Time to proof"
    key = ("set", "C", "K", "method", "backend", "candidates limit", "limit", "ooa")
    sets = (*instances.PAPER, "mushroom")
    time_limit = 300.0

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Prices, sizes, methods."""
        parser.add_argument("--prices", nargs="+", default=list(PRICES), help="C1 = C2")
        parser.add_argument("--sizes", nargs="+", default=["5", "none"], help="most patterns, or none")
        parser.add_argument("--methods", nargs="+", default=[*BASELINES, *VARIANTS])
        parser.add_argument("--backend", default="highs")
        parser.add_argument("--ablation", action="store_true", help="our variants instead of A and B")
        parser.add_argument("--max-candidates", default="none", help="for all methods; none for no limit")

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per instance and method."""
        methods = [*VARIANTS, *ABLATION] if arguments.ablation else arguments.methods
        sizes, prices = arguments.sizes, arguments.prices
        if arguments.quick:
            sizes, prices = sizes[:1], prices[:1]
        for name in arguments.sets:
            for C in prices:
                for K in sizes:
                    for method in methods:
                        yield {
                            "set": name,
                            "C": C,
                            "K": K,
                            "method": method,
                            "backend": arguments.backend,
                            "candidates limit": arguments.max_candidates,
                            "limit": float(arguments.time_limit),
                            "ooa": ooa.__version__,
                        }

    def told(self, row: Row) -> str:
        """The status and the two ends of the gap."""
        ends = f"{number(row.get('objective'), 5)} >= {number(row.get('bound'), 5)}"
        return f"{row.get('status')} in {number(row.get('seconds'), 3)} s, {ends}"

    def measure(self, cell: Row) -> Row:
        """Fit once."""
        table = instances.table_of(cell["set"])
        objective = Objective.of(cell["C"], cell["C"])
        warm_up(cell["backend"])
        if cell["method"] in BASELINES:
            return run_baseline(cell, table, objective)
        return run_ours(cell, table, objective, (VARIANTS | ABLATION)[cell["method"]])

    def summary(self, rows: list[Row]) -> Summary:
        """Numbers proved, means, profile, and where ours is not best."""
        return _summary(rows)


def _summary(rows: list[Row]) -> Summary:
    """One line per instance with the methods side by side, then what it all comes to."""
    order = [*SHOWN, *ABLATION]
    rows = sorted(rows, key=lambda row: order.index(row["method"]))
    last: dict[tuple[Any, ...], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        by = last[row["set"], str(row["C"]), str(row["K"]), row["backend"]]
        if row["limit"] >= by.get(row["method"], row)["limit"]:  # of several limits the longest counts
            by[row["method"]] = row
    methods = list(dict.fromkeys(row["method"] for row in rows))
    result = Summary()
    proved = {m: [i for i, by in last.items() if _proved(by.get(m))] for m in methods}
    by_baseline = sorted({i for m in BASELINES for i in proved.get(m, ())})
    result.tables["In all"] = [
        {
            "method": SHOWN.get(method, method),
            "instances": sum(method in by for by in last.values()),
            "proved": len(proved[method]),
            "of them over all patterns": sum(last[i][method].get("scope") == "all" for i in proved[method]),
            f"mean s (shifted by {SHIFT:g} s)": number(_mean(last, method, list(last)), 3),
            "mean s where an ILP proves": number(_mean(last, method, by_baseline), 3),
            "median peak MB": number(
                _median([by[method].get("peak MB") for by in last.values() if method in by])
            ),
        }
        for method in methods
    ]
    result.tables["Per instance"] = [_line(instance, by) for instance, by in last.items()]
    times = {SHOWN.get(m, m): [_time(by.get(m)) for by in last.values()] for m in methods}
    if any(proved.values()):
        title = "Performance profile: share of the instances proved within a factor of the fastest method"
        result.pictures[title] = plot(
            performance_profile(times),
            "factor of the fastest method's time to proof",
            "share of instances proved",
            title,
            log_x=True,
            steps=True,
        )
    result.tables["Where ooa is behind"] = _behind(last)
    result.tables["Slow starts: after 1 s more than 2 % above the best known"] = _slow_starts(last)
    return result


def _line(instance: tuple[Any, ...], by: dict[str, Row]) -> Row:
    name, C, K, _ = instance
    line: Row = {"set": name, "C": C, "K": K}
    own = {SHOWN.get(method, method): row for method, row in by.items()}
    line |= {f"L, {method}": number(row.get("objective"), 5) for method, row in own.items()}
    line |= {f"proof s, {method}": _proof(row) for method, row in own.items()}
    line |= {f"final L at s, {method}": number(row.get("final s"), 3) for method, row in own.items()}
    line |= {f"MB, {method}": number(row.get("peak MB"), 4) for method, row in own.items()}
    return line


def _proof(row: Row) -> str:
    """The seconds to the proof, or the gap that was left."""
    if _proved(row):
        return number(row["seconds"], 3)
    return row["status"] if row.get("gap") in (None, "") else f"gap {100 * row['gap']:.1f} %"


def _behind(last: dict[tuple[Any, ...], dict[str, Row]]) -> list[Row]:
    """Instances and times at which A or B has a better objective, a smaller gap or an earlier proof."""
    found = []
    for instance, by in last.items():
        ours = by.get("ours")
        for baseline in BASELINES:
            theirs = by.get(baseline)
            if ours is None or theirs is None or theirs.get("objective") in (None, ""):
                continue
            if ours.get("objective") in (None, ""):  # it crashed or was killed
                found.append(_where(instance, baseline) | {"what": str(ours["status"])})
            for instant in CHECKPOINTS:
                for what, name in (("objective", "value"), ("gap", "gap")):
                    a, b = (row.get(f"{name} at {instant:g} s", "") for row in (ours, theirs))
                    if a not in (None, "") and b not in (None, "") and a > b * (1 + 1e-4) + 1e-9:
                        sides = {"what": what, "ooa": number(a), "the ILP": number(b)}
                        found.append(_where(instance, baseline, instant) | sides)
            if _proved(theirs) and (_time(ours) or math.inf) > theirs["seconds"]:
                found.append(
                    _where(instance, baseline)
                    | {"what": "time to proof"}
                    | {"ooa": number(_time(ours), 3) or "none", "the ILP": number(theirs["seconds"], 3)}
                )
    return found


def _where(instance: tuple[Any, ...], baseline: str, instant: float | None = None) -> Row:
    place: Row = {"set": instance[0], "C": instance[1], "K": instance[2], "against": SHOWN[baseline]}
    return place | {"at s": "" if instant is None else f"{instant:g}"}


def _slow_starts(last: dict[Any, dict[str, Row]]) -> list[Row]:
    found = []
    for instance, by in last.items():
        values = [row["objective"] for row in by.values() if row.get("objective") not in (None, "")]
        mine = by.get("ours", {}).get("at 1 s")
        if values and "ours" in by and (mine in (None, "") or mine > 1.02 * min(values)):
            known = {"best known": number(min(values), 5), "ooa at 1 s": number(mine, 5)}
            found.append({"set": instance[0], "C": instance[1], "K": instance[2]} | known)
    return found


def _proved(row: Row | None) -> bool:
    return row is not None and row["status"] == "proved"


def _time(row: Row | None) -> float | None:
    return float(row["seconds"]) if row is not None and _proved(row) else None


def _mean(last: dict[Any, dict[str, Row]], method: str, chosen: list[Any]) -> float:
    """Shifted geometric mean of the times to proof; an instance without counts as its limit."""
    rows = [last[i][method] for i in chosen if method in last[i]]
    return shifted_geometric_mean([_time(row) or float(row["limit"]) for row in rows], SHIFT)


def _median(values: list[Any]) -> float | None:
    known = sorted(float(value) for value in values if value not in (None, ""))
    return known[len(known) // 2] if known else None


STUDY = Proofs()

if __name__ == "__main__":
    STUDY.main()
