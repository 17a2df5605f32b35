"""Programs of running sums, products and extrema along an axis, with their gradients."""

import numpy as np
from programs import Program, normal


def _densities(generator: np.random.Generator) -> list[np.ndarray]:
    return [generator.uniform(0, 0.2, (512, 64)).astype(np.float32), normal((512, 64, 3))(generator)[0]]


PROGRAMS = {
    "cumsum_columns": Program("running sums down the columns of 512 x 384", normal((512, 384))),
    "cumsum_rows": Program("running sums along the rows of 512 x 384", normal((512, 384))),
    "remaining": Program("sums of all later elements along the rows of 256 x 200", normal((256, 200))),
    "products": Program("running products along the rows of 256 x 100", normal((256, 100))),
    "transmittance": Program("colours along 512 rays of 64 steps, by what is not absorbed before", _densities, 2),
    "maxima": Program("running maxima down the columns of 300 x 64, and how far below them", normal((300, 64))),
    "partial_likelihood": Program("Cox's partial likelihood of 2000: running logsumexp from the end", normal((2000,))),
    "logsumexp_middle": Program("running logsumexp along the middle axis of 16 x 50 x 40", normal((16, 50, 40))),
    "narrow": Program("running sums of 2000 rows of 6", normal((2000, 6))),
    "long": Program("running sums of one row of 100,000", normal((100_000,))),
    "integral_image": Program("sums of all boxes of 9 x 9 of 256 x 256 by running sums", normal((256, 256))),
}
