# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.dataset.vision import *
from mycel.library.dataset.operations import (
    CompoundOperation as CompoundOperation, PyTensorOperation as PyTensorOperation,
    TensorOperation as TensorOperation,
)
