"""Sensitivity against specificity, drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support import plotting
from support.plotting import OPERATING

from ooa.errors import DataError
from ooa.plots.operating_curve import plot_operating_curve

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot


def test_points_lines_and_weights(pyplot, tmp_path):
    ax = plot_operating_curve(OPERATING)
    coin, curve, held_out = ax.lines
    assert coin.get_xydata().tolist() == [[0, 0], [100, 100]]
    assert np.allclose(curve.get_xydata(), [[10, 50], [10, 50], [40, 90]])
    assert np.allclose(held_out.get_xydata(), [[20, 40], [20, 45], [50, 80]])
    proved, unproved = ax.collections
    assert np.allclose(proved.get_offsets(), [[10, 50], [10, 50]])
    assert np.allclose(unproved.get_offsets(), [[40, 90]])
    assert [text.get_text() for text in ax.texts] == ["0.5 to 1", "2"]
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said == ["proved optimal", "best known", "rows held out"]
    ax.figure.savefig(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 5_000


def test_without_folds_on_axes_that_are_given(pyplot):
    ax = pyplot.subplots()[1]
    assert plot_operating_curve(OPERATING.drop(columns=["cv_sensitivity"]), ax) is ax
    assert len(ax.lines) == 2


def test_over_prices_the_line_joins_what_is_not_beaten(pyplot):
    frame = OPERATING.assign(C1=[0.1, 0.1, 0.01], C2=0.1, envelope=[False, True, True], cv_envelope=[1, 0, 1])
    frame["cv_envelope"] = frame["cv_envelope"].astype(bool)
    ax = plot_operating_curve(frame)
    _, curve, held_out = ax.lines
    assert np.allclose(curve.get_xydata(), [[10, 50], [40, 90]])
    assert np.allclose(held_out.get_xydata(), [[20, 40], [50, 80]])
    assert [text.get_text() for text in ax.texts] == ["1", "2"]


def test_a_frame_that_is_none_is_refused():
    with pytest.raises(DataError, match="no column 'weight'"):
        plot_operating_curve(pd.DataFrame({"literals": [1]}))
    with pytest.raises(DataError, match="without rows"):
        plot_operating_curve(OPERATING.iloc[:0])
