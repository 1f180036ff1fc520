"""An empty model to build on, and its arrays."""

import numpy as np
import pytest

from ooa.model import Model


def dense(model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    milp = model.freeze()
    return milp.A.toarray(), milp.row_lower, milp.row_upper


@pytest.fixture
def model() -> Model:
    return Model("m")
