"""Plots without matplotlib, and without importing it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.plotting import FRAME

from ooa.errors import OOAError
from ooa.plots.canvas import PlotUnavailable
from ooa.plots.price_path import plot_path


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(PlotUnavailable, match="pip install matplotlib"):
        plot_path(FRAME)
    assert issubclass(PlotUnavailable, OOAError)
    assert issubclass(PlotUnavailable, ImportError)


def test_importing_plots_does_not_import_matplotlib():
    code = "import sys, ooa.plots; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
