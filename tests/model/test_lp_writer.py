"""LP files, as text."""

from __future__ import annotations

import io

import numpy as np
from support.model_files import AWKWARD, everything

from ooa.model import Milp, write_lp

AWKWARD += ["end", "bounds", "General", "BINARY", "max", "a:b", "a<=b", "a+b", "a*b", "a^2", "€", "%", "#"]
AWKWARD += ["x[0]", "x(0)", "x%5B0%5D", "subject to", "sos1", "a/b", "a>b", "~", "'q'", '"q"', "$", "!", ";"]
AWKWARD += ["RANGES", "ENDATA", "MARKER", "objsense", "name", "N", "E2E", "e+5", ".5", "5", "nan", "x,y", ""]
AWKWARD += ["\\c", "(0)", "Semi-Continuous"]


def test_lp_text_of_ranges_offsets_and_free_rows() -> None:
    stream = io.StringIO()
    write_lp(everything(), stream)
    text = stream.getvalue()
    assert text.isascii()
    assert " %73t%upper:" in text
    assert "- 10.25 %offset\n" in text
    assert " %offset = 1\n" in text
    assert "\\ free row free%20row:" in text
    assert max(map(len, text.splitlines())) < 255


def test_lp_of_an_empty_model_is_written() -> None:
    stream = io.StringIO()
    write_lp(Milp([], np.zeros((0, 0)), [], [], [], [], []), stream)
    assert stream.getvalue().endswith("End\n")
