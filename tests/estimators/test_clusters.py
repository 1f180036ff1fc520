"""Many fits on a cluster: joblib hands folds and grids to Dask's workers, and the answer is the same."""

from __future__ import annotations

from collections.abc import Iterator

import joblib
import pytest
from sklearn.model_selection import GridSearchCV

import ooa
from ooa.datasets import monks

distributed = pytest.importorskip("distributed")
DATA = monks(1)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Two worker processes on this machine."""
    local = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with local, distributed.Client(local):
        yield


def test_folds() -> None:
    told = {"C_grid": [0.1, 0.01], "cv": 3, "max_length": 2}
    alone = ooa.OOAxClassifierCV(**told).fit(DATA.X, DATA.y)
    with joblib.parallel_config(backend="dask"):
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


def test_a_grid() -> None:
    search = GridSearchCV(ooa.OOAxClassifier(max_length=2), {"C1": [0.1, 0.01]}, cv=2, n_jobs=2)
    with joblib.parallel_config(backend="dask"):
        search.fit(DATA.X, DATA.y)
    assert search.best_params_ == {"C1": 0.01}
