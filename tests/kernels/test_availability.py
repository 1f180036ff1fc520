"""What is said where there is no compiled core."""

from __future__ import annotations

from ooa.kernels import library
from ooa.kernels.availability import compiled, instruction_set, what_is_missing
from ooa.kernels.core_files import WITHOUT


def test_there_is_a_core_or_a_sentence():
    assert (compiled(), not what_is_missing()) == (instruction_set() is not None,) * 2


def test_the_sentence_says_why_and_what_is_slower(monkeypatch):
    monkeypatch.setattr(library, "core_or_reason", lambda: "_core_baseline.so was not built")
    monkeypatch.setattr("ooa.kernels.availability.core_or_reason", library.core_or_reason)
    assert not compiled()
    assert instruction_set() is None
    assert what_is_missing() == f"the compiled core is missing (_core_baseline.so was not built): {WITHOUT}"
