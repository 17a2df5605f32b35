"""Programs of slices, pads and rolls, with their gradients."""

from programs import Program, normal

PROGRAMS = {
    "blur": Program("mean of each element and its eight neighbours on 384 x 384", normal((384, 384))),
}
