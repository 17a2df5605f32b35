"""Programs of gathers, scatters, segments, embeddings, searches and samples at positions, with their gradients."""

from collections.abc import Callable

import numpy as np
from programs import Program, normal

Arrays = list[np.ndarray]
Maker = Callable[[np.random.Generator], Arrays]


def positions(count: int, *shape: int) -> Maker:
    """Makes positions below a number."""
    return lambda generator: [generator.integers(0, count, shape).astype(np.int32)]


def together(*makers: Maker) -> Maker:
    """Makes the arrays of all these."""
    return lambda generator: [array for maker in makers for array in maker(generator)]


def warp(generator: np.random.Generator) -> Arrays:
    """An image and where each of its pixels comes from."""
    flow = 3 * generator.standard_normal((2, 256, 256))
    return [array.astype(np.float32) for array in (generator.standard_normal((256, 256)), flow)]


def grids(generator: np.random.Generator) -> Arrays:
    """Images and points between -1 and 1."""
    points = generator.uniform(-1, 1, (4, 64, 64, 2))
    return [array.astype(np.float32) for array in (generator.standard_normal((4, 8, 64, 64)), points)]


def tables(generator: np.random.Generator) -> Arrays:
    """Ordered places with values at them, and where to interpolate."""
    places = np.sort(generator.uniform(0, 1, 2048))
    places[0], places[-1] = 0, 1
    found = (generator.uniform(0.001, 0.999, 50000), generator.standard_normal(2048), places)
    return [array.astype(np.float32) for array in found]


def long_integers(generator: np.random.Generator) -> Arrays:
    """Two vectors of int64."""
    return [generator.integers(-(2**40), 2**40, 100000), generator.integers(1, 2**20, 100000)]


PROGRAMS = {
    "warp": Program("bilinear samples of a 256 x 256 image by a flow, with both gradients", warp, 2),
    "grids": Program("grid_sample of 4 x 8 images of 64 x 64, with both gradients", grids, 2),
    "adam_table": Program(
        "dense Adam on a table of 20000 x 64, 512 rows looked up",
        together(positions(20000, 512), normal((512, 64))),
        None,
        normal((20000, 64)),
    ),
    "sgd_large": Program("descent of a vector of 2M numbers", normal((2000000,)), None, normal((2000000,))),
    "adam_large": Program("Adam on a vector of 1M numbers", normal((1000000,)), None, normal((1000000,))),
    "rows_of_large": Program(
        "squares of 20000 rows of a table of 100000 x 32", together(normal((100000, 32)), positions(100000, 20000)), 0
    ),
    "scatter_add": Program(
        "200000 numbers added up in 20000 places",
        together(normal((200000,)), positions(20000, 200000)),
    ),
    "histogram": Program("how often each of 256 bins has one of 300000 numbers", normal((300000,)), 0),
    "counts": Program(
        "weighted counts of 200000 classes of 1000", together(normal((200000,)), positions(1000, 200000))
    ),
    "segment_max": Program(
        "greatest of 20000 rows of 16 in 500 segments",
        together(normal((20000, 16)), lambda generator: [np.sort(generator.integers(0, 500, 20000)).astype(np.int32)]),
    ),
    "segment_means": Program(
        "deviations from the means of 400 groups", together(normal((30000, 8)), positions(400, 30000))
    ),
    "one_hot": Program(
        "one-hot classes times a table", together(normal((64, 48)), normal((2048, 48)), positions(64, 2048)), 2
    ),
    "bag": Program(
        "weighted means of 20 embeddings", together(normal((5000, 32)), normal((256, 20)), positions(5000, 256, 20)), 2
    ),
    "tiny_lookup": Program(
        "cross entropy of 16 rows of a table of 10",
        together(normal((10, 8)), normal((8, 10)), positions(10, 16), positions(10, 16)),
        2,
    ),
    "ranked": Program("loss of a list of scores in the order of others", normal((128, 100), (128, 100))),
    "topk": Program("the 16 greatest of 1000, for 128 rows", normal((128, 1000))),
    "sorted_rows": Program("distance of sorted rows", normal((256, 256), (256, 256)), 2),
    "interpolated": Program("linear interpolation at 50000 points in a table of 2048", tables, 2),
    "masked": Program(
        "rows replaced at positions, and under a mask",
        together(normal((4000, 64)), normal((500, 64)), positions(4000, 500)),
    ),
    "sparse_product": Program(
        "a sparse matrix of 60000 entries times a matrix of 3000 x 32",
        together(normal((60000,)), normal((3000, 32)), positions(3000, 60000), positions(3000, 60000)),
        2,
    ),
    "added_transposed": Program("a matrix of 1500 x 1500 added to its transpose", normal((1500, 1500)), 0),
    "divided": Program("quotients and rests of 100000 int64", long_integers, 0),
    "bit_counts": Program("how many bits are set in 200000 int32", positions(2**31 - 1, 200000), 0),
}
