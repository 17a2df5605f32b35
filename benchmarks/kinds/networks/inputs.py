"""Networks of matrix products: dense layers, attention, transformers, mixers, gates, large vocabularies."""

from collections.abc import Callable

import numpy as np
from programs import Program

Shape = tuple[int, ...]


def network(
    *shapes: Shape, given: tuple[Shape, ...] = (), indices: tuple[tuple[int, Shape], ...] = (),
) -> Callable[[np.random.Generator], list[np.ndarray]]:  # fmt: skip
    """Makes weights (inputs, outputs), scaled by what they add up, vectors around zero, numbers, and indices."""

    def make(generator: np.random.Generator) -> list[np.ndarray]:
        made = []
        for shape in shapes:
            drawn = generator.standard_normal(shape)
            made.append(drawn / np.sqrt(shape[-2]) if len(shape) > 1 else 0.1 * drawn)
        arrays = [array.astype(np.float32) for array in [*made, *(generator.standard_normal(shape) for shape in given)]]
        return [*arrays, *(generator.integers(0, count, shape).astype(np.int32) for count, shape in indices)]

    return make


def trained(generator: np.random.Generator) -> list[np.ndarray]:
    """Makes the weights of two transformer blocks: matrices (outputs, inputs), scales of one."""
    made: list[np.ndarray] = []
    for _ in range(2):
        for outputs, inputs in ((384, 128), (128, 128), (512, 128), (128, 512)):
            if outputs in (384, 512):
                made += [np.ones(128), np.zeros(128)]
            made += [generator.standard_normal((outputs, inputs)) / np.sqrt(inputs), np.zeros(outputs)]
    return [array.astype(np.float32) for array in made]


_BLOCK = ((192, 576), (192, 192), (192, 768), (768, 192))

PROGRAMS = {
    "vision": Program(
        "inference: an image of 3 x 64 x 64 in 64 patches, 4 transformer blocks of 192",
        network((192, 192), (64, 192), *_BLOCK * 4, (192, 10), given=((1, 3, 64, 64),)), 0,
    ),
    "text": Program(
        "a causal block of 256 and 4 heads on one text of 64 tokens out of 512, and its loss",
        network(
            (512, 256), (64, 256), (256, 768), (256, 256), (256, 1024), (1024, 256), (256, 512),
            indices=((512, (1, 64)), (512, (1, 64))),
        ), 7,
    ),
    "blocks": Program(
        "training step: two transformer blocks of 128, 4 heads, 16 texts of 32 positions, Adam",
        network(given=((16, 32, 128), (16, 32, 128))), None, trained,
    ),
    "causal": Program(
        "causal attention of 8 heads of 32 over 256 positions, 2 texts, gradients by queries, keys and values",
        network(given=((2, 8, 256, 32), (2, 8, 256, 32), (2, 8, 256, 32))), 3,
    ),
    "cross": Program(
        "attention of 48 positions to 96 others, some of them masked, batch 8, 128 in 4 heads",
        network((128, 128), (128, 256), (128, 128), given=((8, 48, 128), (8, 96, 128)), indices=((4, (8, 96)),)), 3,
    ),
    "cached": Program(
        "inference: one token for each of 4 texts, attention to 255 keys and values kept before, 8 heads of 32",
        network(
            (256, 768), (256, 256), (256, 1024), (1024, 256),
            given=((4, 256), (4, 8, 255, 32), (4, 8, 255, 32)),
        ), 0,
    ),
    "mixer": Program(
        "a block that mixes 64 patches and then 128 channels, 8 images",
        network((64, 256), (256, 64), (128, 512), (512, 128), given=((8, 64, 128),)), 4,
    ),
    "autoencoder": Program(
        "dense layers 784-256-64-256-784 with biases, batch 64",
        network((784, 256), (256,), (256, 64), (64,), (64, 256), (256,), (256, 784), (784,), given=((64, 784),)), 8,
    ),
    "gates": Program(
        "8 steps of a gated recurrent cell of 128, batch 16",
        network((128, 512), (128, 512), (512,), given=((8, 16, 128),)), 3,
    ),
    "adapter": Program(
        "three dense layers of 512 with adapters of rank 8, whose gradients are taken, batch 64",
        network(
            (512, 8), (8, 512), (512, 8), (8, 512), (512, 8), (8, 512), (512, 512), (512, 512), (512, 512),
            given=((64, 512),),
        ), 6,
    ),
    "vocabulary": Program(
        "cross entropy of 128 positions of 128 over 8,192 words",
        network((128, 8192), given=((128, 128),), indices=((8192, (128,)),)), 1,
    ),
    "experts": Program(
        "256 small products: 8 experts of 32 x 64 x 32, each on 32 rows, by einsum",
        network((8, 32, 64), (8, 64, 32), given=((32, 8, 32),)), 2,
    ),
    "normalized": Program(
        "three dense layers of 256 with layer norm and GELU, batch 32",
        network((256, 256), (256,), (256, 256), (256,), (256, 256), (256,), given=((32, 256),)), 6,
    ),
    "tiny": Program(
        "dense layers 16-64-64-4 with tanh on 8 rows",
        network((16, 64), (64,), (64, 64), (64,), (64, 4), (4,), given=((8, 16),)), 6,
    ),
}  # fmt: skip
