"""Checks of many solves at once, in threads and processes, and of what they leave behind."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ooa.model import Milp
from ooa.solving import Backend, Capability, SolveParams, Termination

from .catalogue import needs
from .enumeration import enumerated
from .helpers import assert_optimal, in_child, same
from .models import knapsack, market_split, small, steiner
from .patience import FAR, eventually, watched
from .random_models import random_binary


def check_threads_at_once(backend: Backend) -> None:
    """Several threads solve different models at once, each with its own right answer."""
    models = [random_binary(seed) for seed in range(200, 212)]
    with ThreadPoolExecutor(4) as pool:
        solutions = list(pool.map(backend.solve, models))
    for milp, solution in zip(models, solutions):
        expected = enumerated(milp)
        if expected is None:
            assert solution.termination is Termination.INFEASIBLE
        else:
            assert_optimal(milp, solution, expected)


@needs(Capability.INTERRUPT)
def check_python_goes_on(backend: Backend) -> None:
    """While the solver works, other Python threads do too: one of them ends what would take hours."""
    done = threading.Event()
    with watched(backend) as runs, backend.open(market_split()) as session:

        def tick() -> None:
            ticks = 0
            while not done.wait(0.01):
                ticks += bool(runs)  # the solver is at work
                if ticks >= 15:
                    session.backend.interrupt()

        thread = threading.Thread(target=tick)
        thread.start()
        solution = session.solve(time_limit=FAR)
        done.set()
        thread.join()
    assert solution.termination is Termination.INTERRUPTED, "no other thread ran meanwhile"


@needs(Capability.INTERRUPT)
def check_two_solves_at_once(backend: Backend) -> None:
    """While one solve is at work, another begins and ends."""
    done = threading.Event()
    with watched(backend) as runs, backend.open(market_split()) as hard, ThreadPoolExecutor(1) as pool:
        future = pool.submit(hard.solve, time_limit=FAR)
        assert eventually(lambda: len(runs) > 0)
        assert_optimal(knapsack(), backend.solve(knapsack()), -4.0)

        def stop() -> None:
            while not done.wait(0.1):  # again and again: it may not have been ready to listen
                hard.backend.interrupt()

        thread = threading.Thread(target=stop)
        thread.start()
        termination = future.result().termination
        done.set()
        thread.join()
    assert termination is Termination.INTERRUPTED, "the other solve had to wait"


def check_two_limits_at_once(backend: Backend) -> None:
    """Two solves at once stop at their limits."""
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(backend.solve, market_split(), time_limit=0.3) for _ in range(2)]
        terminations = [future.result().termination for future in futures]
    assert terminations == [Termination.TIME_LIMIT] * 2


def check_sessions_side_by_side(backend: Backend) -> None:
    """Two open sessions do not disturb each other."""
    models = small(backend)
    with backend.open(models[0][0]) as first, backend.open(models[-1][0]) as second:
        for _ in range(2):
            for session, (milp, optimum) in ((first, models[0]), (second, models[-1])):
                assert_optimal(milp, session.solve(), optimum)


def check_pickling(backend: Backend) -> None:
    """Backend, model, parameters and solution survive pickling, also after a solve."""
    model, optimum = small(backend)[-1]
    solution = backend.solve(model)
    twin, milp, again, params = pickle.loads(pickle.dumps((backend, model, solution, SolveParams(seed=4))))
    assert type(twin) is type(backend)
    assert milp == model
    assert isinstance(milp, Milp)
    assert again.objective == solution.objective
    assert solution.x is not None
    assert np.array_equal(again.x, solution.x)
    assert again.termination is solution.termination
    assert params.seed == 4
    assert_optimal(milp, twin.solve(milp, params=params), optimum)


def _objective(backend: Backend, milp: Milp) -> float | None:
    return backend.solve(milp).objective


def check_worker_processes(backend: Backend) -> None:
    """joblib's worker processes solve as this one does."""
    from joblib import Parallel, delayed

    backend.solve(knapsack())  # the parent has used its solver before
    models = small(backend)
    found = Parallel(n_jobs=2)(delayed(_objective)(backend, milp) for milp, _ in models)
    assert all(same(value, optimum) for value, (_, optimum) in zip(found, models)), found


_FORK = """
import warnings
warnings.simplefilter("ignore")
import multiprocessing
cover, threads = given

def work(queue):
    queue.put(backend.solve(cover, threads=threads).objective)

assert backend.solve(cover, threads=threads).is_optimal
context = multiprocessing.get_context("fork")
queue = context.Queue()
child = context.Process(target=work, args=(queue,))
child.start()
answer = queue.get(timeout=30)
child.join()
"""


@needs(Capability.THREADS)
def check_forked_process(backend: Backend) -> None:
    """A process forked after a multi-threaded solve can solve too, where there are forks."""
    if sys.platform == "linux":
        assert same(in_child(backend, _FORK, (steiner(9), 2)), 5.0)


def check_nothing_left_behind(backend: Backend) -> None:
    """Fifteen solves leave no thread, no open file and no temporary file."""
    backend.solve(knapsack())
    gc.collect()
    old = tempfile.tempdir
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        try:
            threads, files = threading.active_count(), _open_files()
            for _ in range(15):
                backend.solve(knapsack(), start=[1, 0, 0], log=lambda line: None)
            gc.collect()
            assert os.listdir(folder) == []
            assert eventually(lambda: threading.active_count() <= threads + 1)  # threads end when they can
            assert eventually(lambda: _open_files() <= files + 2)
        finally:
            tempfile.tempdir = old


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
