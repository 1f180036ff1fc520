"""Tables bigger than memory: time and peak memory of a fit where rows live, against reading them first.

``python benchmarks/engines.py --rows 1e6 1e7 1e8 --columns 20`` writes a Parquet file of each size with
DuckDB into a temporary folder (about 2 GB for 1e8 x 20), runs each way in a process of its own, prints a line
for each, and removes the file. The ways: a fit where rows live; a decision tree of 8 leaves grown by the
same engine, one scan a split; and both with pandas, which reads all rows first. Rows are those of 20,000
kinds of customers, some far more frequent than others: flags, categories, counts, measured numbers, with two
planted rules and 2 % of the labels turned.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAYS = ("ooa", "tree", "pandas", "pandas-tree")
KINDS = 20_000
SETTINGS = {"C1": 0.001, "C2": 0.001, "max_length": 2, "max_thresholds": 5, "time_limit": 120}


def columns_of(number: int) -> list[str]:
    """SQL of so many columns: of each ten, four flags, three categories, two counts and a measured number."""
    found = []
    for j in range(number):
        coin = f"hash(kind * 1000 + {j})"
        match j % 10:
            case 0 | 1 | 2 | 3:
                found.append(f"({coin} % 100 < {20 + 7 * (j % 10)}) as flag{j}")
            case 4 | 5 | 6:
                found.append(f"chr((97 + {coin} % 4)::int) as category{j}")
            case 7 | 8:
                found.append(f"({coin} % 6)::tinyint as count{j}")
            case _:
                found.append(f"(({coin} % 5)::double + random()) as measured{j}")
    return found


def write(path: Path, rows: int, columns: int) -> None:
    """Write a table with DuckDB; the same rules are planted whatever its size."""
    import duckdb

    duckdb.sql("select setseed(0.5)")
    values = ", ".join(columns_of(columns))
    rules = "(flag0 and category4 = 'a') or (count7 >= 4 and flag1)"
    duckdb.sql(
        f"copy (select *, (({rules}) <> (random() < 0.02)) as bought from (select {values} from "
        f"(select (pow(random(), 3) * {KINDS})::int as kind from range({rows})))) "
        f"to '{path}' (format parquet)"
    )


def grown(path: str, leaves: int = 8) -> dict[str, object]:
    """A decision tree by DuckDB: the best split of each leaf by one scan, the best leaf split first."""
    import duckdb
    import numpy as np

    rows = duckdb.sql(f"describe select * from '{path}'").fetchall()
    columns = [(name, kind) for name, kind, *_ in rows if name != "bought"]
    # Measured numbers are cut at halves, as fine as any of their five cuts of a fit.
    values = {name: f"floor(2 * {name})" if kind == "DOUBLE" else name for name, kind in columns}

    def entropy(negative: float, positive: float) -> float:
        total = negative + positive
        return -sum(n * np.log2(n / total) for n in (negative, positive) if n)

    def best(where: str) -> tuple[float, str, str, float]:
        """What is gained by the best split of the rows of a leaf, the two sides, and its errors."""
        numbered = " ".join(f"when grouping({name}) = 0 then {j}" for j, name in enumerate(values))
        named = ", ".join(f"{value} as {name}" for name, value in values.items())
        counted = duckdb.sql(
            f"select case {numbered} end, coalesce({', '.join(f'{n}::varchar' for n in values)}), "
            f"count(*) filter (not bought), count(*) filter (bought) from (select {named}, bought from "
            f"'{path}' where {where}) group by grouping sets ({', '.join(f'({n})' for n in values)})"
        ).fetchall()
        names, found = list(values), (0.0, "", "", 0.0)
        for j, (name, kind) in enumerate(columns):
            counts = [(text, no, yes) for which, text, no, yes in counted if which == j]
            no, yes = (sum(one[k] for one in counts) for k in (1, 2))
            ordered = kind not in ("VARCHAR", "BOOLEAN")
            counts.sort(key=lambda one: float(one[0]) if ordered else one[0])
            left = [0.0, 0.0]
            for text, some_no, some_yes in counts[:-1] if ordered else counts:
                left = [left[0] + some_no, left[1] + some_yes] if ordered else [some_no, some_yes]
                gain = entropy(no, yes) - entropy(*left) - entropy(no - left[0], yes - left[1])
                if gain > found[0]:
                    test = f"{values[names[j]]} <= {text}" if ordered else f"{name} = '{text}'"
                    found = (gain, test, f"not ({test})", min(no, yes))
            found = (*found[:3], min(no, yes))
        return found

    open_leaves = [("true", best("true"))]
    while len(open_leaves) < leaves:
        where, (gain, yes, no, _) = max(open_leaves, key=lambda leaf: leaf[1][0])
        if not gain:
            break
        open_leaves.remove((where, (gain, yes, no, _)))
        open_leaves += [(inside, best(inside)) for inside in (f"{where} and {yes}", f"{where} and {no}")]
    total = duckdb.sql(f"select count(*) from '{path}'").fetchall()[0][0]
    return {
        "rules": f"{len(open_leaves)} leaves",
        "accuracy": 1 - sum(one[1][3] for one in open_leaves) / total,
    }


def run(way: str, path: str, gigabytes: float = 12) -> dict[str, object]:
    """Fit in this process; what reads all rows first ends where that takes more memory than it may."""
    began = time.perf_counter()
    if way == "ooa":
        import ooa

        model = ooa.fit(path, target="bought", **SETTINGS)
        found = model.certificate_
        solving = sum(found.seconds.values())
        told = {
            "rules": str(model.rules_),
            "proved": found.proved,
            "message": found.message,
            "solve": solving,
        }
    elif way == "tree":
        told = grown(path)
    else:
        import pandas as pd

        most = int(gigabytes * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        table = pd.read_parquet(path)
        X, y = table.drop(columns="bought"), table["bought"]
        if way == "pandas":
            import ooa

            model = ooa.fit(X, y, **SETTINGS)
            told = {"rules": str(model.rules_), "proved": model.certificate_.proved}
        else:
            from sklearn.tree import DecisionTreeClassifier

            texts = X.select_dtypes(exclude=["number", "bool"]).columns
            X = X.assign(**{name: X[name].astype("category").cat.codes for name in texts})
            tree = DecisionTreeClassifier(max_leaf_nodes=8, random_state=0).fit(X, y)
            told = {"rules": f"{tree.get_n_leaves()} leaves", "accuracy": tree.score(X, y)}
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return told | {
        "seconds": time.perf_counter() - began,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / 1024,
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, nargs="+", default=[1e6])
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--folder", help="where the files are written; they are removed")
    parser.add_argument("--gigabytes", type=float, default=12.0, help="what pandas may take (default: 12)")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one:
        print(json.dumps(run(*chosen.one, chosen.gigabytes)))
        return 0
    for rows in map(int, chosen.rows):
        with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
            path = Path(folder) / "rows.parquet"
            began = time.perf_counter()
            write(path, rows, chosen.columns)
            size = path.stat().st_size / 2**20
            print(
                f"{rows:,} x {chosen.columns}: {size:,.0f} MB, {time.perf_counter() - began:.0f} s",
                flush=True,
            )
            for way in chosen.ways:
                command = [sys.executable, __file__, "--gigabytes", str(chosen.gigabytes)]
                command += ["--one", way, str(path)]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                last = done.stdout.strip().splitlines()[-1:] or [done.stderr.strip()[-200:]]
                print(f"  {way}: {last[0]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
