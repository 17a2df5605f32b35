"""Convolutional networks: blocks with their gradients, whole training steps, inference."""

from collections.abc import Callable

import numpy as np
from programs import Program

Shape = tuple[int, ...]


def network(*shapes: Shape, images: tuple[Shape, ...]) -> Callable[[np.random.Generator], list[np.ndarray]]:
    """Makes weights of these shapes, scaled by what they add up, scales and shifts around one, and images."""

    def make(generator: np.random.Generator) -> list[np.ndarray]:
        made = []
        for shape in shapes:
            drawn = generator.standard_normal(shape)
            made.append(drawn / np.sqrt(np.prod(shape[1:])) if len(shape) > 1 else 1 + 0.1 * drawn)
        return [array.astype(np.float32) for array in [*made, *(generator.standard_normal(shape) for shape in images)]]

    return make


def classified(shape: Shape) -> Callable[[np.random.Generator], list[np.ndarray]]:
    """Makes images of this shape, and their classes."""
    return lambda generator: [
        generator.standard_normal(shape).astype(np.float32),
        generator.integers(0, 10, shape[0]).astype(np.int32),
    ]


PROGRAMS = {
    "residual": Program(
        "two convolutions of 64 channels with batch norm, and what they skip, on 8 images of 28 x 28",
        network((64, 64, 3, 3), (64,), (64,), (64, 64, 3, 3), (64,), (64,), images=((8, 64, 28, 28),)), 6,
    ),
    "bottleneck": Program(
        "convolutions of 1 x 1, 3 x 3 with stride 2, and 1 x 1, with batch norm, 8 images of 128 x 28 x 28",
        network(
            (64, 128, 1, 1), (64,), (64,), (64, 64, 3, 3), (64,), (64,), (256, 64, 1, 1), (256,), (256,),
            (256, 128, 1, 1), (256,), (256,), images=((8, 128, 28, 28),),
        ), 12,
    ),
    "grouped": Program(
        "a block of convolutions in groups of 16 channels, with batch norm, on 32 images of 64 x 16 x 16",
        network(
            (64, 64, 1, 1), (64,), (64,), (64, 16, 3, 3), (64,), (64,), (64, 64, 1, 1), (64,), (64,),
            images=((32, 64, 16, 16),),
        ), 9,
    ),
    "dilated": Program(
        "a pyramid of dilated convolutions, joined, on one image of 64 x 40 x 40",
        network(
            (32, 64, 1, 1), (32, 64, 3, 3), (32, 64, 3, 3), (32, 64, 3, 3), (64, 128, 1, 1), images=((1, 64, 40, 40),)
        ), 5,
    ),
    "audio": Program(
        "four strided convolutions over time, with batch norm, on 8 tracks of 4,096",
        network(
            (32, 1, 9), (32,), (32,), (64, 32, 5), (64,), (64,), (128, 64, 5), (128,), (128,), (128, 128, 3), (128,),
            (128,), (10, 128), images=((8, 1, 4096),),
        ), 13,
    ),
    "volume": Program(
        "two convolutions over three axes, and maxima, on 2 volumes of 4 x 16 x 32 x 32",
        network((16, 4, 3, 3, 3), (32, 16, 3, 3, 3), images=((2, 4, 16, 32, 32),)), 2,
    ),
    "decoder": Program(
        "a dense layer and three transposed convolutions: 16 images of 32 x 32 from 64 numbers each",
        network((1024, 64), (64, 32, 4, 4), (32, 16, 4, 4), (16, 3, 4, 4), images=((16, 64), (16, 3, 32, 32))), 4,
    ),
    "unet": Program(
        "down and up again, with what is skipped joined, on 4 images of 3 x 48 x 48",
        network(
            (16, 3, 3, 3), (16, 16, 3, 3), (32, 16, 3, 3), (32, 32, 3, 3), (64, 32, 3, 3), (32, 96, 3, 3),
            (16, 48, 3, 3), (1, 16, 1, 1), images=((4, 3, 48, 48),),
        ), 8,
    ),
    "mobile": Program(
        "inference: four depthwise and 1 x 1 convolutions with strides, one image of 32 x 56 x 56",
        network(
            (32, 1, 3, 3), (64, 32, 1, 1), (64,), (64, 1, 3, 3), (128, 64, 1, 1), (128,), (128, 1, 3, 3),
            (128, 128, 1, 1), (128,), (128, 1, 3, 3), (256, 128, 1, 1), (256,), (10, 256), images=((1, 32, 56, 56),),
        ), 0,
    ),
    "classifier": Program(
        "inference: six convolutions of 3 x 3 and maxima, on 4 images of 3 x 64 x 64",
        network(
            (32, 3, 3, 3), (32,), (32, 32, 3, 3), (32,), (64, 32, 3, 3), (64,), (64, 64, 3, 3), (64,),
            (128, 64, 3, 3), (128,), (128, 128, 3, 3), (128,), (10, 128), images=((4, 3, 64, 64),),
        ), 0,
    ),
    "excited": Program(
        "inverted residual with a gate for each channel, 16 images of 24 x 14 x 14",
        network(
            (96, 24, 1, 1), (96,), (96,), (96, 1, 5, 5), (96,), (96,), (24, 96), (96, 24), (24, 96, 1, 1), (24,), (24,),
            images=((16, 24, 14, 14),),
        ), 11,
    ),
    "pools": Program(
        "overlapping maxima and means of windows, between convolutions of 1 x 1, on 8 images of 16 x 32 x 32",
        network((32, 16, 1, 1), (64, 32, 1, 1), (64, 64, 1, 1), images=((8, 16, 32, 32),)), 3,
    ),
    "trained": Program(
        "training step: a small residual network with batch norm, 16 images of 3 x 32 x 32, Adam",
        classified((16, 3, 32, 32)), None,
        network(
            (16, 3, 3, 3), (16,), (16,), (16, 16, 3, 3), (16,), (16,), (16, 16, 3, 3), (16,), (16,),
            (32, 16, 3, 3), (32,), (32,), (32, 32, 3, 3), (32,), (32,), (32, 16, 1, 1), (32,), (32,),
            (10, 32), (10,), images=(),
        ),
    ),
}  # fmt: skip
