# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.nn import *
from typing import Any
from mycel.library.nn.internal_names import (
    RNNCellBase as RNNCellBase, VirtualDatasetCellTriple as VirtualDatasetCellTriple,
)
from mycel.library.nn.recurrent import run_steps as run_steps

UNROLLED: int
