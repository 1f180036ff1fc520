"""Boxes over rank space: as by brute force beside others too, counted right, and caps that hold."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.brute_ooa import all_boxes

from ooa.data.table import Table
from ooa.formulations.rank_space import RankSpace
from ooa.kernels.availability import compiled
from ooa.search.boxes import BoxPrices, BoxSearch
from ooa.search.replacement import Replacement

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")
