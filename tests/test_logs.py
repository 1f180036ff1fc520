"""What the library says beside its results: warnings point at the line of whoever called."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import ooa
from ooa.errors import OOAWarning
from ooa.logs import user_warn


def test_a_warning_points_at_the_caller():
    with pytest.warns(OOAWarning, match="odd") as caught:
        user_warn("odd")
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: ooa.fit(X, y, C=0.4),
        lambda X, y: ooa.OOAxClassifier(C1=0.4, C2=0.4).fit(X, y),
        lambda X, y: ooa.OneVsRestRules(ooa.OOAxClassifier(C1=0.4, C2=0.4)).fit(X, y),
    ],
)
def test_warnings_of_a_fit_point_at_the_line_that_asked_for_it(fit):
    X, y = pd.DataFrame({"x": np.arange(20) % 3}), np.arange(20) % 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", OOAWarning)
        fit(X, y)
    found = [one.filename for one in caught if issubclass(one.category, OOAWarning)]
    assert found
    assert set(found) == {__file__}
