"""Trees, the rows that tell them from other trees, and what they predict."""

import itertools
import math

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer

LARGEST = float(np.finfo(np.float32).max)
BEYOND = LARGEST * (1 + 2.0**-25)  # the first number that rounds to infinity, half a step away


def around(value):
    """Numbers that a comparison with a value in float32 could get wrong."""
    single = np.float32(min(max(value, -LARGEST), LARGEST))
    with np.errstate(over="ignore"):
        near = [single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf))]
    found = {float(value), *(float(x) for x in near if np.isfinite(x))}
    found |= {(a + b) / 2 for a, b in itertools.combinations(sorted(found), 2)}
    found |= {math.nextafter(x, side) for x in found for side in (-math.inf, math.inf)}
    return sorted(x for x in found if abs(x) < BEYOND)


def adversarial(trees, n_columns, rng, n=400):
    """Rows whose values lie at, between and right beside the thresholds of trees."""
    pools = [[0.0, -LARGEST, LARGEST, 1e-45, -1e-300] for _ in range(n_columns)]
    for tree in trees:
        for column, threshold in zip(tree.tree_.feature, tree.tree_.threshold):
            if column >= 0:
                pools[column] += around(float(threshold)) if math.isfinite(threshold) else []
    return np.array([rng.choice(pool, n) for pool in pools]).T


def said(model, X):
    """What a model predicts; scikit-learn's own check of the input overflows on the largest numbers."""
    with np.errstate(all="ignore"):
        return model.predict(X)


def positive_leaves(tree, index=1):
    ends = tree.tree_.children_left < 0
    return int((tree.tree_.value[ends, 0].argmax(axis=1) == index).sum())


def people(rng, n=150):
    """A mixed table with a rule in it."""
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "colour": rng.choice(["red", "green", "blue", "grey"], n),
            "member": rng.choice([True, False], n),
            "grade": rng.choice([1, 2, 3], n),
        }
    )
    y = ((frame.colour == "red") & (frame.age > 40)) | ((frame.colour != "blue") & (frame.grade == 2))
    flip = rng.random(n) < 0.1
    return frame, np.where(y ^ flip, "yes", "no")


def mixed(encoder, *columns, remainder="passthrough"):
    return ColumnTransformer([("coded", encoder, list(columns))], remainder=remainder)
