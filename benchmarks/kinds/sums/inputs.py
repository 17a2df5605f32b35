"""Programs of running sums, products and extrema along an axis, with their gradients."""

from programs import Program, normal

PROGRAMS = {
    "cumsum_columns": Program("running sums down the columns of 512 x 384", normal((512, 384))),
}
