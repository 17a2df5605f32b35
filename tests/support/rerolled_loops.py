"""What loops of tests go over."""

from __future__ import annotations

import numpy as np

from mycel import Tensor
from mycel.frontend.control_flow import rerolling as rerolling

ROUNDS = 50
x3 = Tensor(np.array([0.5, -1.25, 2.0], np.float32))
rows = Tensor(np.random.RandomState(0).randn(60, 3).astype(np.float32))
