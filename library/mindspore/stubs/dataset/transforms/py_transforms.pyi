# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.dataset.operations import (
    CompoundOperation as CompoundOperation, PyTensorOperation as PyTensorOperation,
    TensorOperation as TensorOperation,
)
from mycel.library.dataset.transforms import (
    Compose as Compose, Concatenate as Concatenate, Duplicate as Duplicate, Fill as Fill, Mask as Mask,
    OneHot as OneHot, PadEnd as PadEnd, RandomApply as RandomApply, RandomChoice as RandomChoice,
    RandomOrder as RandomOrder, Relational as Relational, Slice as Slice, TypeCast as TypeCast, Unique as Unique,
    not_random as not_random,
)
