"""Names in files: unique tokens that come back, and blocks that are found again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.model_files import AWKWARD, blocks, names

from ooa.model import Names
from ooa.model.file_names import escape, regroup, unescape


@settings(max_examples=200, deadline=None)
@given(st.lists(names, max_size=6))
def test_escaped_names_are_unique_tokens_and_come_back(given_names: list[str]) -> None:
    tokens = escape(given_names, "[],", "rhs obj")
    assert len(set(tokens)) == len(tokens)
    assert all(len(token.split()) == 1 and token.isascii() for token in tokens)
    assert not {token.lower() for token in tokens} & {"rhs", "obj"}
    assert [unescape(token) for token in tokens] == given_names


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 8).flatmap(blocks))
def test_regrouping_keeps_every_name(given_names: Names) -> None:
    assert list(regroup(list(given_names))) == list(given_names)


def test_regrouping_finds_blocks_again() -> None:
    given_names = Names([("zeta", (3,)), ("omega", (2, 5)), ("total", ()), ("odd[1]", ())])
    assert regroup(list(given_names)).blocks == given_names.blocks


def test_regrouping_does_not_believe_huge_indices() -> None:
    assert len(regroup(["x[0]", "x[999999999999]"])) == 2


AWKWARD += ["end", "bounds", "General", "BINARY", "max", "a:b", "a<=b", "a+b", "a*b", "a^2", "€", "%", "#"]
AWKWARD += ["x[0]", "x(0)", "x%5B0%5D", "subject to", "sos1", "a/b", "a>b", "~", "'q'", '"q"', "$", "!", ";"]
AWKWARD += ["RANGES", "ENDATA", "MARKER", "objsense", "name", "N", "E2E", "e+5", ".5", "5", "nan", "x,y", ""]
AWKWARD += ["\\c", "(0)", "Semi-Continuous"]
