# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.initializer import filled as filled, initializer as initializer
from mycel.library.initializer.kinds import (
    Constant as Constant, Dirac as Dirac, HeNormal as HeNormal, HeUniform as HeUniform, Identity as Identity,
    Initializer as Initializer, Normal as Normal, One as One, Orthogonal as Orthogonal, Sparse as Sparse,
    TruncatedNormal as TruncatedNormal, Uniform as Uniform, VarianceScaling as VarianceScaling,
    XavierNormal as XavierNormal, XavierUniform as XavierUniform, Zero as Zero,
)
