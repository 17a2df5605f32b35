"""Programs of slices, pads and rolls, with their gradients."""

import numpy as np
from programs import Program, normal


def cells(generator: np.random.Generator) -> list[np.ndarray]:
    """Cells that live, or do not."""
    return [generator.integers(0, 2, (256, 256)).astype(np.int32)]


def doubles(generator: np.random.Generator) -> list[np.ndarray]:
    """A cube of float64 and its sources."""
    return [generator.standard_normal((48, 48, 48)), generator.standard_normal((48, 48, 48))]


PROGRAMS = {
    "blur": Program("mean of each element and its eight neighbours on 384 x 384", normal((384, 384))),
    "string": Program("30 steps of a wave on a string of 100 points", normal((100,))),
    "waves": Program("8 steps of a wave equation on a ring of 300 x 300", normal((300, 300), (300, 300)), 2),
    "upwind": Program("3 steps of advection in a box of 48 x 48 x 64", normal((48, 48, 64), (3, 48, 48, 64)), 2),
    "life": Program("8 steps of life on 256 x 256 cells", cells, 0),
    "variation": Program("total variation of images", normal((8, 3, 96, 96))),
    "median": Program("median of 3 x 3 pixels of 512 x 512", normal((512, 512)), 0),
    "dilation": Program("maxima of 3 x 3 minus minima of 3 x 3 pixels", normal((256, 256))),
    "jacobi": Program("5 steps of Jacobi's method in a cube of 48, float64", doubles, 2),
    "wavelets": Program("two levels of Haar's wavelets of 512 x 512, and back", normal((512, 512))),
    "doubled": Program("images of twice the size, smoothed", normal((4, 3, 64, 64))),
    "far": Program("derivative of sixth order of a million points on a ring", normal((1000000,))),
    "edges": Program("gradients of Sobel with mirrored borders", normal((320, 320))),
    "whirls": Program("Jacobian of Arakawa on a ring of 192 x 192", normal((192, 192), (192, 192)), 2),
    "checkers": Program("4 sweeps over the black and the white cells of 128 x 128", normal((128, 128), (128, 128)), 2),
    "pieces": Program("rows put together from four parts", normal((600, 96), (600, 40)), 2),
    "burgers": Program("60 steps of Burgers' equation on a ring of 40000 cells", normal((40000,))),
    "heat": Program("50 steps of heat flow on 256 x 256", normal((256, 256))),
    "gas": Program("4 steps of Lax and Friedrichs for a gas in 20000 cells", normal((3, 20000))),
}
