# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.initializer import (
    Constant, Dirac, HeNormal, HeUniform, Identity, Initializer, Normal, One, Orthogonal, Sparse, TruncatedNormal,
    Uniform, VarianceScaling, XavierNormal, XavierUniform, Zero, filled, initializer,
)

__all__ = [
    "Constant", "Dirac", "HeNormal", "HeUniform", "Identity", "Initializer", "Normal", "One", "Orthogonal", "Sparse",
    "TruncatedNormal", "Uniform", "VarianceScaling", "XavierNormal", "XavierUniform", "Zero", "filled", "initializer",
]
