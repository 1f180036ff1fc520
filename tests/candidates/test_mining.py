"""The miners against brute force, against each other, and within their budgets."""

from __future__ import annotations

import importlib.util
import itertools
import signal
import subprocess
import sys
import textwrap
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from ooa.candidates import bitset_miner, row_weights
from ooa.candidates.mining import ENGINES, mine
from ooa.clock import Deadline, WorkClock
from ooa.data.bitsets import pack, unpack
from ooa.datasets import apnea_survey
from ooa.errors import BackendUnavailable, DataError, OptionError
from ooa.kernels.availability import compiled

HAS_FIM = importlib.util.find_spec("fim") is not None
needs_fim = pytest.mark.skipif(not HAS_FIM, reason="pyfim is not installed")
PYFIM = [pytest.param(name, marks=needs_fim) for name in ENGINES[1:]]
ALL_ENGINES = ["bitset", *PYFIM]
WAYS = [False, True] if compiled() else [False]  # in numpy, and compiled
AVAILABLE = ENGINES if HAS_FIM else ENGINES[:1]


def literals_of(attribute, rows):
    rows = np.asarray(rows, dtype=bool)
    return SimpleNamespace(
        attribute=np.asarray(attribute, dtype=np.int32), bits=pack(rows), n_rows=rows.shape[1]
    )


def random_case(rng, weights):
    """Literals, rows and weights of a small random table; some literals hold in every row, some in none."""
    n_rows = int(rng.choice([1, 5, 63, 64, 65, 130]))
    attribute = np.sort(rng.integers(0, rng.integers(1, 7), rng.integers(1, 12)))
    rows = (
        rng.random((len(attribute), n_rows)) < rng.choice([0.0, 0.4, 0.7, 0.9, 1.0], len(attribute))[:, None]
    )
    label = rng.random(n_rows) < 0.5
    if weights == "unit":
        weight = np.ones(n_rows)
    elif weights == "few":  # as class weights and merged rows give
        weight = rng.choice([0.0, 0.5, 0.75, 3.0], n_rows)
    elif weights == "whole":
        weight = rng.integers(0, 1000, n_rows).astype(float)
    else:
        weight = rng.random(n_rows) * (rng.random(n_rows) < 0.8)
    positive, negative = weight * label, weight * ~label
    if rng.random() < 0.3:  # merged rows may have both labels
        negative = rng.permutation(negative)
    return attribute, rows, positive, negative


def brute_force(attribute, rows, positive, negative, max_length, least, most):
    """Every pattern that qualifies, as {items: (positive, negative)}, by plain counting."""
    found = {}
    for length in range(1, max_length + 1):
        for items in itertools.combinations(range(len(attribute)), length):
            if len({attribute[i] for i in items}) < length:
                continue
            cover = rows[list(items)].all(axis=0)
            gain, loss = positive[cover].sum(), negative[cover].sum()
            if gain > 0 and gain >= least[length] and loss <= most[length]:
                found[items] = gain, loss
    return found


def as_dict(mined):
    return {
        tuple(items[items >= 0].tolist()): (gain, loss)
        for items, gain, loss in zip(mined.items, mined.positive, mined.negative)
    }


@pytest.mark.parametrize("weights", ["unit", "few", "whole", "real"])
def test_all_engines_agree_with_brute_force(weights):
    rng = np.random.default_rng(len(weights))
    patterns = 0
    for _ in range(120):
        attribute, rows, positive, negative = random_case(rng, weights)
        max_length = int(rng.integers(1, 5))
        least = rng.uniform(0, 0.1 * positive.sum() + 1e-9, max_length + 1)
        if rng.random() < 0.5:
            least = np.sort(least)
        most = (
            rng.uniform(0, negative.sum() + 1e-9, max_length + 1)
            if rng.random() < 0.5
            else np.full(9, np.inf)
        )
        if weights == "whole" and rng.random() < 0.5:
            least = np.floor(least)  # the threshold itself is met
        expected = brute_force(attribute, rows, positive, negative, max_length, least, most)
        patterns += len(expected)
        literals = literals_of(attribute, rows)
        results = {
            engine: mine(
                literals,
                positive,
                negative,
                max_length=max_length,
                min_positive=least,
                max_negative=most,
                engine=engine,
            )
            for engine in AVAILABLE
        }
        first = results["bitset"]
        assert first.complete
        assert first.reason == ""
        assert as_dict(first).keys() == expected.keys()
        for items, weight in as_dict(first).items():
            assert weight == pytest.approx(expected[items], rel=1e-12, abs=1e-12)
        for i, items in enumerate(first.items):
            cover = rows[items[items >= 0]].all(axis=0)
            np.testing.assert_array_equal(unpack(first.bits[i], rows.shape[1]), cover)
            assert first.length[i] == (items >= 0).sum()
        order = [(int(n), tuple(items.tolist())) for n, items in zip(first.length, first.items)]
        assert order == sorted(order)
        for other in results.values():
            for name in ("items", "length", "positive", "negative", "bits"):
                np.testing.assert_array_equal(getattr(other, name), getattr(first, name))
            kept = {key: value for key, value in other.counts.items() if key != "tested"}
            assert kept == {key: value for key, value in first.counts.items() if key != "tested"}
    assert patterns > 600


@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_threshold_is_inclusive_and_nextafter_makes_it_strict(engine):
    literals = literals_of([0, 1], [[1, 1, 1, 0], [1, 1, 0, 0]])
    positive, negative = np.ones(4), np.zeros(4)
    assert mine(literals, positive, negative, min_positive=2, engine=engine).items.tolist() == [
        [0, -1],
        [1, -1],
        [0, 1],
    ]
    strict = mine(literals, positive, negative, min_positive=np.nextafter(2, np.inf), engine=engine)
    assert strict.items.tolist() == [[0]]  # as wide as the longest


@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_no_literals_no_positives_no_negatives(engine):
    nothing = mine(literals_of([], np.zeros((0, 3))), np.ones(3), np.ones(3), engine=engine)
    assert len(nothing) == 0
    assert nothing.complete
    literals = literals_of([0, 1], np.ones((2, 70)))
    assert len(mine(literals, np.zeros(70), np.ones(70), engine=engine)) == 0
    all_positive = mine(literals, np.ones(70), np.zeros(70), engine=engine)
    assert all_positive.positive.tolist() == [70, 70, 70]
    assert all_positive.negative.tolist() == [0, 0, 0]
    assert len(mine(literals, np.ones(70), np.zeros(70), min_positive=np.inf, engine=engine)) == 0


def test_unlimited_length_stops_at_the_number_of_attributes():
    literals = literals_of(np.repeat(np.arange(5), 2), np.ones((10, 3)))
    mined = mine(literals, np.ones(3), np.zeros(3), max_length=None)
    assert mined.items.shape == (3**5 - 1, 5)


@pytest.mark.parametrize("engine", ALL_ENGINES)
@pytest.mark.parametrize("limit", [1, 2, 7, 50])
def test_budget_keeps_the_best_by_score(engine, limit):
    rng = np.random.default_rng(limit)
    rows = rng.random((12, 100)) < 0.5
    literals, label = literals_of(np.arange(12) // 2, rows), rng.random(100) < 0.5
    score = lambda positive, negative, length: np.round(positive / 4) - length  # noqa: E731  (many ties)
    everything = mine(literals, label, ~label)
    mined = mine(literals, label, ~label, max_patterns=limit, score=score, engine=engine)
    value = score(everything.positive, everything.negative, everything.length)
    best = np.sort(np.lexsort((np.arange(len(value)), -value))[:limit])
    longest = everything.length[best].max()
    np.testing.assert_array_equal(mined.items, everything.items[best][:, :longest])
    np.testing.assert_array_equal(mined.bits, everything.bits[best])
    assert not mined.complete
    assert "raise max_patterns" in mined.reason
    assert mined.counts["mined"] == len(everything)
    assert mined.counts["over_budget"] == len(everything) - limit


@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_byte_budget_bounds_the_result(engine):
    rows = np.random.default_rng(0).random((20, 1000)) < 0.5
    mined = mine(
        literals_of(np.arange(20), rows), np.ones(1000), np.zeros(1000), max_bytes=20_000, engine=engine
    )
    assert 0 < mined.bits.nbytes + mined.items.nbytes <= 20_000
    assert "max_bytes" in mined.reason
    assert mined.engine == "bitset"  # pyfim would have listed everything first


def test_deadline_stop_and_interrupt_return_what_is_there():
    rows = np.random.default_rng(0).random((60, 3000)) < 0.7
    literals, ones, zeros = literals_of(np.arange(60), rows), np.ones(3000), np.zeros(3000)

    batches = []
    mined = mine(
        literals,
        ones,
        zeros,
        max_length=None,
        max_patterns=1000,
        deadline=Deadline.after(3, WorkClock()),
        progress=lambda found, done: batches.append(found),
    )
    assert len(batches) == 3  # each is followed by a look at the clock
    assert not mined.complete
    assert not mined.interrupted
    assert len(mined) == 1000
    assert "time was up" in mined.reason
    assert "max_patterns" in mined.reason

    past = mine(literals, ones, zeros, deadline=Deadline.after(0.0))
    assert past.length.tolist() == [1] * 60
    assert not past.complete
    nothing_left = mine(literals, ones, zeros, max_length=1, deadline=Deadline.after(0.0))
    assert nothing_left.complete

    stop = threading.Event()
    seen = []

    def progress(found, done):
        seen.append((found, done))
        if len(seen) == 3:
            stop.set()

    told = mine(literals, ones, zeros, max_length=None, stop=stop, progress=progress)
    assert len(seen) == 3
    assert len(told) == seen[-1][0]
    assert not told.complete

    def interrupt(found, done):
        if found > 100:
            raise KeyboardInterrupt

    cut = mine(literals, ones, zeros, max_length=None, progress=interrupt)
    assert cut.interrupted
    assert not cut.complete
    assert len(cut) > 100
    assert "interrupted" in cut.reason


@pytest.mark.parametrize("fast", WAYS)
def test_progress_never_goes_back(fast):
    rows = np.random.default_rng(0).random((70, 2000)) < 0.5
    seen = []
    mine(
        literals_of(np.arange(70), rows),
        np.ones(2000),
        np.zeros(2000),
        max_length=4,
        min_positive=100,
        max_patterns=1000,
        progress=lambda found, done: seen.append((done, found)),
        fast=fast,
    )
    assert len(seen) > 10
    assert seen == sorted(seen)
    assert all(0 <= done <= 1 for done, _ in seen)


def test_survey_of_the_papers_size_is_mined_completely():
    data = apnea_survey()
    X, y = data.X.to_numpy(), data.y.to_numpy()
    literals = literals_of(np.arange(112), X.T)
    mined = mine(literals, y, 1 - y, max_length=3, min_positive=0.05 * len(y))
    assert len(mined) > 20_000
    assert mined.complete


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"engine": "magic"}, OptionError, "engine"),
        ({"max_length": 0}, OptionError, "max_length"),
        ({"max_patterns": 0}, OptionError, "max_patterns"),
        ({"min_positive": [1, 1]}, OptionError, "min_positive"),
        ({"max_negative": np.nan}, OptionError, "max_negative"),
        ({"score": lambda positive, negative, length: 1.0}, OptionError, "score"),
        ({"positive": np.ones(4)}, DataError, "positive"),
        ({"negative": [0, -1, 0]}, DataError, "negative in row 1"),
        ({"negative": [0, 0, np.nan]}, DataError, "negative in row 2"),
    ],
)
def test_errors_name_the_argument(options, error, message):
    arguments = {"positive": np.ones(3), "negative": np.zeros(3)} | options
    with pytest.raises(error, match=message):
        mine(literals_of([0, 1, 2], np.ones((3, 3))), **arguments)


def test_bits_of_another_table_are_refused():
    literals = literals_of([0], np.ones((1, 65)))
    literals.n_rows = 64
    with pytest.raises(DataError, match="64 rows"):
        mine(literals, np.ones(64), np.zeros(64))


def test_missing_pyfim_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fim", None)
    with pytest.raises(BackendUnavailable, match="pip install"):
        mine(literals_of([0], [[1, 0]]), [1, 1], [0, 0], engine="eclat")


@pytest.mark.parametrize("engine", PYFIM)
def test_pyfim_reports_sets_that_are_in_every_row(engine):
    literals = literals_of([0, 1, 2], [[1, 1, 1], [1, 1, 1], [1, 0, 1]])
    mined = mine(literals, np.ones(3), np.zeros(3), engine=engine)
    assert len(mined) == 7
    assert mined.engine == engine


@pytest.mark.parametrize("engine", PYFIM)
def test_pyfim_is_never_asked_for_support_zero(engine):
    mined = mine(literals_of([0, 1], np.ones((2, 4))), np.ones(4), np.zeros(4), min_positive=0, engine=engine)
    assert len(mined) == 3
    tiny = mine(literals_of([0, 1], np.ones((2, 4))), np.full(4, 1e-9), np.zeros(4), engine=engine)
    assert len(tiny) == 3


@pytest.mark.parametrize("engine", PYFIM)
def test_pyfim_survives_weights_beyond_its_integers(engine):
    weights = np.array([2.0**31, 2.0**40, 1.0, 3.0])
    literals = literals_of([0, 1], [[1, 1, 0, 0], [0, 1, 1, 1]])
    mined = mine(literals, weights, np.zeros(4), engine=engine)
    assert mined.positive.tolist() == [2.0**31 + 2.0**40, 2.0**40 + 4, 2.0**40]


@needs_fim
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
def test_ctrl_c_inside_pyfim_comes_back_with_what_is_there():
    """The signal is sent once pyfim has been called, from which it would not come back for days."""
    script = """
        import time
        from types import SimpleNamespace
        import numpy as np
        from ooa.data.bitsets import pack
        from ooa.candidates.fim_miner import FimMiner
        from ooa.candidates.mining import mine

        run = FimMiner._run

        def announced(self, report):
            print("ready", flush=True)
            return run(self, report)

        FimMiner._run = announced
        rows = np.random.default_rng(0).random((64, 400)) < 0.8
        literals = SimpleNamespace(attribute=np.arange(64), bits=pack(rows), n_rows=400)
        mined = mine(literals, np.ones(400), np.zeros(400), max_length=None, engine="fpgrowth")
        time.sleep(0.2)
        print(mined.interrupted, mined.complete, flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            output, _ = child.communicate(timeout=120)
        finally:
            child.kill()
    assert output == "True False\n"


@pytest.mark.parametrize("fast", WAYS)
def test_laying_out_rows_ends_with_the_time(fast, monkeypatch):
    attribute, rows = np.arange(40), np.random.default_rng(2).random((40, 300)) < 0.5
    label = np.arange(300) % 2.0
    told = literals_of(attribute, rows), label, 1 - label
    monkeypatch.setattr(row_weights, "_LAID_OUT", 4_000)
    looks = []
    mined = mine(
        *told, fast=fast, deadline=Deadline.after(3.5, WorkClock()), progress=lambda *_: looks.append(1)
    )
    assert len(looks) == 4
    assert mined.ended_early
    assert len(mined) == mined.counts["tested"] == 0
    whole = mine(*told, fast=fast)
    assert whole.complete
    assert whole.counts["tested"] >= 40


def test_numpy_looks_up_in_the_midst_of_one_familys_patterns(monkeypatch):
    """On a million rows the patterns of one parent alone are more than a piece of work."""
    rng = np.random.default_rng(4)
    attribute, rows = np.repeat(np.arange(12), 2), rng.random((24, 500)) < 0.6
    label = (rng.random(500) < 0.5).astype(float)
    told = literals_of(attribute, rows), label, 1 - label
    whole = mine(*told, fast=False)
    monkeypatch.setattr(bitset_miner, "_PIECE_WORDS", 20)
    looks = []
    pieces = mine(*told, fast=False, progress=lambda found, share: looks.append(share))
    assert (pieces.items == whole.items).all()
    assert (pieces.negative == whole.negative).all()
    assert pieces.counts == whole.counts
    assert len(looks) > pieces.counts["tested"] / 20
    assert looks == sorted(looks)
