"""Several fits beside a constraint each: one that fails, or Ctrl-C, loses nothing of the others."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd
import pytest

from ooa.data.table import Table
from ooa.errors import LicenseLimit, OOAWarning, SolverError
from ooa.explore import beside
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.rashomon import RashomonSet
from ooa.learning.ooax import learn_ooax
from ooa.solving import Termination

FAULTS = [SolverError("it broke"), LicenseLimit("too large"), MemoryError()]


@pytest.fixture(scope="module")
def near() -> RashomonSet:
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": list("uvuvuv")}, [0, 1, 0, 1, 1, 0])
    return enumerate_optimal(table, 1, within="1/5", C1="1/50", C2="1/50", max_patterns=1, max_length=1)


@pytest.fixture(scope="module")
def whole(near: RashomonSet) -> pd.DataFrame:
    """The ranges where nothing fails."""
    return near.ranges(exact=True).set_index("figure")


def learning(monkeypatch: pytest.MonkeyPatch, number: int, fault: BaseException | None) -> list[int]:
    """Let so manieth fit raise something, or end by Ctrl-C; return the fits that there are."""
    calls: list[int] = []

    def learn(*told, **options):
        if len(calls) == number - 1 and fault is not None:
            calls.append(number)
            raise fault
        learned = learn_ooax(*told, **options)  # those that show that there is none do not count
        calls.append(len(calls) + 1)
        ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
        return replace(learned, certificate=ended) if calls[-1] == number else learned

    monkeypatch.setattr(beside, "learn_ooax", learn)
    return calls


@pytest.mark.parametrize("number", [1, 4])
@pytest.mark.parametrize("fault", [None, KeyboardInterrupt()])
def test_ctrl_c_ends_the_fits_of_ranges(near, whole, number, fault, monkeypatch):
    calls = learning(monkeypatch, number, fault)
    with pytest.warns(OOAWarning, match="Ctrl-C came before all was fitted"):
        frame = near.ranges(exact=True).set_index("figure")
    assert len(calls) == number
    assert list(frame.index) == list(whole.index)
    assert not frame["exact"].iloc[-1]
    assert (frame["least"] >= whole["least"]).all()
    assert (frame["most"] <= whole["most"]).all()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fit_of_ranges_that_fails_loses_nothing_of_the_others(near, whole, fault, monkeypatch):
    assert whole["least_exact"].all()
    calls = learning(monkeypatch, 1, fault)
    with pytest.warns(OOAWarning, match=f"found nothing: {str(fault) or 'not enough memory'}"):
        frame = near.ranges(exact=True).set_index("figure")
    assert len(calls) > 1
    assert frame.index[~frame["least_exact"]].tolist() == ["errors"]
    assert frame["least"].iloc[1:].equals(whole["least"].iloc[1:])


@pytest.mark.parametrize("fault", [None, KeyboardInterrupt()])
def test_ctrl_c_ends_the_fits_of_attributes(near, fault, monkeypatch):
    calls = learning(monkeypatch, 1, fault)
    plain = near.attributes()
    with pytest.warns(OOAWarning, match="Ctrl-C came before all was fitted"):
        frame = near.attributes(exact=True)
    assert len(calls) == 1
    assert (frame["without_at_least"] <= frame["without"].fillna(math.inf)).all()
    assert sorted(frame["attribute"]) == sorted(plain["attribute"])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fit_of_attributes_that_fails_proves_nothing(near, fault, monkeypatch):
    plain = near.attributes().set_index("attribute")
    learning(monkeypatch, 1, fault)
    with pytest.warns(OOAWarning, match="One of several fits found nothing"):
        frame = near.attributes(exact=True).set_index("attribute")
    assert frame.loc["x", "without_at_least"] == plain.loc["x", "without_at_least"]
