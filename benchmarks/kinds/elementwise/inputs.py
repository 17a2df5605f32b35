"""Programs of elementwise operations and reductions, many with their gradients."""

from collections.abc import Callable

import numpy as np
from programs import Program, normal

Maker = Callable[[np.random.Generator], list[np.ndarray]]


def positive(*shapes: tuple[int, ...]) -> Maker:
    """Makes float32 numbers from 0.5 to 1.5."""
    return lambda generator: [generator.uniform(0.5, 1.5, shape).astype(np.float32) for shape in shapes]


def doubles(*shapes: tuple[int, ...]) -> Maker:
    """Makes float64 numbers from 0.5 to 1.5."""
    return lambda generator: [generator.uniform(0.5, 1.5, shape) for shape in shapes]


def integers(high: int, *shapes: tuple[int, ...]) -> Maker:
    """Makes int32 numbers from 0 to `high`, that excluded."""
    return lambda generator: [generator.integers(0, high, shape).astype(np.int32) for shape in shapes]


def both(*makers: Maker) -> Maker:
    """Makes what several makers make."""
    return lambda generator: [array for maker in makers for array in maker(generator)]


VECTOR = (1_000_000,)

PROGRAMS = {
    "softmax_rows": Program("a weighted softmax of 512 rows of 1,024", normal((512, 1024), (512, 1024))),
    "log_softmax_first": Program("log softmax along the first axis of 1000 x 256", normal((1000, 256), (1000, 256))),
    "logsumexp_middle": Program("logsumexp along the middle axis of 64 x 128 x 96", normal((64, 128, 96))),
    "layer_norm": Program("layer norm of 1024 x 768", normal((1024, 768), (768,), (768,)), 3),
    "layer_norm_tiny": Program("layer norm of 8 x 32", normal((8, 32), (32,), (32,)), 3),
    "rms_norm": Program("root mean square norm of 2048 x 512", normal((2048, 512), (512,)), 2),
    "group_norm": Program("norm of 8 groups of 16 x 64 x 28 x 28", normal((16, 64, 28, 28), (64, 1, 1)), 2),
    "gelu": Program("GELU by erf of a million elements", normal(VECTOR)),
    "mish": Program("SiLU and mish of 250,000 elements", normal((250_000,))),
    "swiglu": Program("a gated unit on 512 x 2048", normal((512, 2048), (512, 2048)), 2),
    "adam": Program(
        "one step of Adam on a million elements", both(normal(VECTOR, VECTOR), positive(VECTOR, VECTOR)), 0
    ),
    "lion": Program("Lion on 4 million elements", normal(*[(4_000_000,)] * 3), 0),
    "adam_small": Program("AdamW on 5,000 elements", both(normal(*[(5000,)] * 2), positive(*[(5000,)] * 2)), 0),
    "cross_entropy": Program("smoothed cross entropy of 512 x 1000", both(normal((512, 1000)), integers(1000, (512,)))),
    "focal": Program("focal loss of 200,000 logits", both(normal((200_000,)), integers(2, (200_000,)))),
    "black_scholes": Program("prices of 500,000 options and their delta", positive(*[(500_000,)] * 4), 1),
    "black_scholes_double": Program("prices of 200,000 options in float64", doubles(*[(200_000,)] * 4), 0),
    "pairwise": Program("distances between 400 and 400 points", normal((400, 3), (400, 3)), 2),
    "rbf": Program("a kernel matrix of 512 x 512 points in 8 dimensions", normal((512, 8), (512, 8)), 0),
    "mandelbrot": Program("40 iterations on 400 x 400", normal((400, 400), (400, 400)), 0),
    "butterflies": Program("ten stages of sums and differences on 64 x 1024", normal((64, 1024))),
    "quantise": Program("two million numbers to 8 bits and back", normal((2_000_000,)), 0),
    "hash": Program("a hash of a million integers", integers(1 << 15, VECTOR), 0),
    "moments": Program("mean, variance, skew and kurtosis of a million elements", normal(VECTOR), 0),
    "correlation": Program("the correlation of two vectors of a million", normal(VECTOR, VECTOR), 2),
    "double_chain": Program("a chain on 500,000 float64 elements", doubles((500_000,))),
    "masks": Program("conditions on a million elements", normal(VECTOR, VECTOR), 2),
    "reduce_first": Program("sum, maximum and norm down 2000 x 500", normal((2000, 500)), 0),
    "standardise": Program("columns of 5000 x 100 with mean 0 and variance 1", normal((5000, 100), (5000, 100))),
    "norms": Program("three norms of 4096 rows of 256", normal((4096, 256))),
    "cosine": Program("cosine similarity of 2048 rows of 256", normal((2048, 256), (2048, 256)), 2),
    "outer": Program("a function of all pairs of 1000 and 1000", normal((1000,), (1000,)), 2),
    "causal": Program("softmax under a triangular mask, 8 x 256 x 256", normal((8, 256, 256), (8, 256, 256))),
    "polynomial": Program("a polynomial of 4 million elements", normal((4_000_000,)), 0),
    "special": Program("erf, gamma and logarithm of 500,000 elements", positive((500_000,))),
    "sum_exp": Program("the sum of exp over a million elements", normal(VECTOR)),
    "dot": Program("the mean of products of a million elements", normal(VECTOR, VECTOR), 0),
    "chain_tiny": Program("a chain on 100 elements", normal((100,), (100,)), 2),
    "huber": Program("Huber loss of a million elements", normal(VECTOR, VECTOR)),
    "rotary": Program("rotations of 512 x 8 x 64", normal((512, 8, 64), (512, 1, 32))),
    "mixture": Program("a mixture of 8 Gaussians at 20,000 points", normal((20_000,), (8,), (8,), (8,)), 4),
    "boxes": Program("overlaps of 500 and 500 boxes", positive((500, 4), (500, 4)), 0),
    "colours": Program("hue and saturation of 512 x 512 pixels", positive((512, 512, 3)), 0),
}
