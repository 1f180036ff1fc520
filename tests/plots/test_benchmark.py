"""Performance profiles."""

from __future__ import annotations

import pandas as pd
import pytest
from support import plotting

from ooa.errors import DataError
from ooa.plots.benchmark import plot_benchmark

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot

TIMES = pd.DataFrame(
    [
        ("highs", "a", 1.0, True),
        ("scip", "a", 4.0, True),
        ("highs", "b", 60.0, False),
        ("scip", "b", 10.0, True),
        ("highs", "c", 0.001, True),
        ("scip", "c", 0.005, True),
        ("highs", "d", 60.0, False),
        ("scip", "d", 60.0, False),
    ],
    columns=["solver", "instance", "seconds", "proved"],
)


def test_performance_profile(pyplot, tmp_path):
    ax = plot_benchmark(TIMES)
    highs, scip = (line.get_xydata().tolist() for line in ax.lines)
    assert highs == [[1, 0], [1, 25], [1, 50], [5, 50]]
    assert scip == [[1, 0], [1, 25], [1, 50], [4, 75], [5, 75]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "highs (2 of 4 proved)",
        "scip (3 of 4 proved)",
    ]
    ax.figure.savefig(tmp_path / "benchmark.png")
    assert (tmp_path / "benchmark.png").stat().st_size > 5_000
    assert plot_benchmark(TIMES, ax) is ax


def test_a_run_that_is_absent_is_no_proof(pyplot):
    ax = plot_benchmark(TIMES.drop(index=1))
    assert [text.get_text() for text in ax.get_legend().get_texts()][1] == "scip (2 of 4 proved)"


def test_frames_that_are_no_benchmark():
    with pytest.raises(DataError, match="no column 'proved'"):
        plot_benchmark(TIMES.drop(columns="proved"))
    with pytest.raises(DataError, match="'highs' on 'a' twice"):
        plot_benchmark(pd.concat([TIMES, TIMES.iloc[:1]]))
    with pytest.raises(DataError, match="without rows"):
        plot_benchmark(TIMES.iloc[:0])
