"""Fits on a cluster: joblib hands folds, grids and the search's subtrees to its workers; same answer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

import ooa
from ooa.datasets import monks
from ooa.kernels.availability import compiled
from ooa.search import branch_and_bound

DATA = monks(1)


@pytest.fixture(scope="module", params=["dask", "ray", "spark"])
def cluster(request: pytest.FixtureRequest) -> Iterator[str]:
    """Two worker processes on this machine, by the name of joblib's backend."""
    if request.param == "dask":
        distributed = pytest.importorskip("distributed")
        local = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        )
        with local, distributed.Client(local):
            yield "dask"
    elif request.param == "spark":
        pytest.importorskip("joblibspark").register_spark()
        sql = pytest.importorskip("pyspark.sql")
        builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        builder.getOrCreate().sparkContext.pythonExec = sys.executable  # another one does not know ooa
        yield "spark"
    else:
        ray = pytest.importorskip("ray")
        pytest.importorskip("ray.util.joblib").register_ray()
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield "ray"
        ray.shutdown()


def test_folds(cluster: str) -> None:
    told = {"C_grid": [0.1, 0.01], "cv": 3, "max_length": 2}
    alone = ooa.OOAxClassifierCV(**told).fit(DATA.X, DATA.y)
    with joblib.parallel_config(backend=cluster):
        found = ooa.OOAxClassifierCV(**told, n_jobs=2).fit(DATA.X, DATA.y)
    assert found.C_ == alone.C_
    assert found.rules_ == alone.rules_
    assert found.cv_results_["mean_test_score"].tolist() == alone.cv_results_["mean_test_score"].tolist()


class AllAtTheEnd(joblib.parallel.ThreadingBackend):  # type: ignore[misc]
    """As Spark's backend, and others', which cannot hand over results one by one."""

    supports_return_generator = False


def test_a_cluster_that_hands_over_all_at_the_end() -> None:
    joblib.register_parallel_backend("all at the end", AllAtTheEnd)
    told = {"C_grid": [0.1, 0.01], "cv": 2, "max_length": 2}
    alone = ooa.OOAxClassifierCV(**told).fit(DATA.X, DATA.y)
    with joblib.parallel_config(backend="all at the end"):
        found = ooa.OOAxClassifierCV(**told, n_jobs=2).fit(DATA.X, DATA.y)
    assert found.rules_ == alone.rules_


@pytest.mark.skipif(not compiled(), reason="without the compiled core there is no exact search")
def test_subtrees_of_the_exact_search(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One fit on two workers: the same rule set, and the same certificate but for who was done when."""
    random = np.random.default_rng(4)
    X = random.integers(0, 2, (300, 12))
    y = ((X[:, 0] & X[:, 1]) | (X[:, 2] & X[:, 3])) ^ (random.random(300) < 0.25)
    told: dict[str, Any] = {"C1": 0.002, "C2": 0.002, "max_length": 3, "max_patterns": 4, "time_limit": 900}
    alone = ooa.OOAxClassifier(**told, n_jobs=2).fit(X, y)
    monkeypatch.setattr(branch_and_bound, "ALONE", 1)
    rounds, original = [], branch_and_bound.search_parts

    def counting(*given: Any) -> Any:
        rounds.append(given)
        return original(*given)

    monkeypatch.setattr(branch_and_bound, "search_parts", counting)
    with joblib.parallel_config(backend=cluster):
        found = ooa.OOAxClassifier(**told, n_jobs=2).fit(X, y)
    assert rounds
    assert found.rules_ == alone.rules_
    assert found.certificate_.proved
    for one in (found, alone):
        one.certificate_.counts.pop("left by the search")  # which is less after a linear program
    assert replace(found.certificate_, seconds={}) == replace(alone.certificate_, seconds={})


def test_a_grid(cluster: str) -> None:
    search = GridSearchCV(ooa.OOAxClassifier(max_length=2), {"C1": [0.1, 0.01]}, cv=2, n_jobs=2)
    with joblib.parallel_config(backend=cluster):
        search.fit(DATA.X, DATA.y)
    assert search.best_params_ == {"C1": 0.01}
