"""The dtypes of arrays that machine code takes, and its longest vectors."""

SIZES = {
    "float32": 4, "int32": 4, "float64": 8, "int64": 8, "uint32": 4, "uint64": 8, "float16": 2, "uint8": 1, "bool": 1,
}  # fmt: skip
"""The bytes of an element, by the dtype's name."""

LANES = {dtype: max(size, 4) for dtype, size in SIZES.items() if dtype != "bool"}
"""The bytes of a number in a vector: halves are computed as float32, and bytes are only cast. A bool has any size."""

WIDTH = 64
"""Bytes of a vector of AVX-512."""

NARROW = 32
"""Bytes of a vector of AVX2."""
