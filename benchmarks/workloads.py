"""The workloads that all frameworks are measured on: their names, their inputs and their initial weights.

Sizes and numbers are the same for every framework, so that the results can be compared, not only the times. What a
workload computes is written once for each framework, in `workloads_mycel.py`, `workloads_jax.py`, `workloads_torch.py`.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import programs

WORKLOADS: dict[str, str] = {
    "dense_grad": "value and gradients of a dense layer of 3 x 1 and a squared error",
    "mlp_tiny": "training step: dense layers 32-32-32-1 with tanh, batch 16, momentum",
    "mlp_adam": "training step: dense layers 784-512-512-10 with ReLU, batch 64, Adam",
    "lenet": "training step: LeNet-5 on 32 x 32 images, batch 32, momentum",
    "chain_100": "value and gradient of an elementwise chain on 100 elements",
    "chain_1m": "value and gradient of an elementwise chain on a million elements",
    "transformer": "training step: a transformer block of 256, 8 heads, 128 positions, batch 8, Adam",
    "rnn": "value and weight gradients of 32 steps of a recurrent layer of 64, batch 16",
    "convnet": "training step: three convolutions, two batch norms, 32 x 32 images, batch 32, momentum",
    "while_50": "gradient through a loop of 50 Newton iterations on 16 elements",
    "stencil": "value and gradient of 10 steps of heat flow on 512 x 512, with zeros around it",
    "ring": "value and gradient of 10 upwind steps on a ring of 200,000 elements",
    "running_sums": "value and gradient of a function of running sums of 256 rows of 1024",
    "running_products": "value and gradient of a function of running products of 256 rows of 1024",
    "graph_net": "value and gradients of two rounds of messages along 10,000 edges between 2,000 nodes of 32",
    "factors": "value and gradients of a factorisation of rank 32, at 8192 entries of 5000 x 3000",
    "embedding": "training step: a table of 4000 x 64, 32 x 32 tokens, Adam",
    "points": "value and gradient of directions and soft choices of 65,536 points of 3",
    "kalman": "value and gradients of 64 steps of a filter of 4 states and 2 observations",
    "inverted": "training step: an inverted residual with depthwise convolution, and one of stride 2, momentum",
}
"""What each workload is."""

MOMENTUM_RATE, MOMENTUM, ADAM_RATE = 0.01, 0.9, 1e-3
BATCH, POSITIONS, SIZE, HEADS = 8, 128, 256, 8  # of the transformer block
STEPS, RNN_BATCH, RNN_SIZE = 32, 16, 64
ITERATIONS = 50
FLOW_STEPS = 10
NODES, EDGES = 2_000, 10_000
FILTER_STEPS = 64


class Indices(NamedTuple):
    """An input of so many different indices, in this shape."""

    count: int
    shape: tuple[int, ...]


_INPUTS: dict[str, tuple[tuple[int, ...] | Indices, ...]] = {
    "dense_grad": ((1, 3), ()),
    "mlp_tiny": ((16, 32), (16, 1)),
    "mlp_adam": ((64, 784),),
    "lenet": ((32, 1, 32, 32),),
    "chain_100": ((10, 10),),
    "chain_1m": ((1000, 1000),),
    "transformer": ((BATCH, POSITIONS, SIZE), (BATCH, POSITIONS, SIZE)),
    "rnn": ((STEPS, RNN_BATCH, RNN_SIZE),),
    "convnet": ((32, 3, 32, 32),),
    "while_50": ((16,),),
    "stencil": ((512, 512),),
    "ring": ((200_000,), (200_000,)),
    "running_sums": ((256, 1024),),
    "running_products": ((256, 1024),),
    "graph_net": (
        (NODES, 32), (32, 32), (EDGES, 1), Indices(NODES, (EDGES,)), Indices(NODES, (EDGES,)),
    ),
    "factors": ((5000, 32), (3000, 32), (8192,), Indices(5000, (8192,)), Indices(3000, (8192,))),
    "embedding": (Indices(4000, (32, 32)), (32, 32, 64)),
    "points": ((65_536, 3),),
    "kalman": ((4, 4), (2, 4), (FILTER_STEPS, 2, 1)),
    "inverted": ((8, 32, 28, 28), Indices(10, (8,))),
}  # fmt: skip
_CLASSES = {"mlp_adam": 64, "lenet": 32, "convnet": 32}  # workloads whose second input are class indices, and how many


def _dense(*sizes: int) -> list[tuple[int, ...]]:
    shapes: list[tuple[int, ...]] = []
    for given, made in itertools.pairwise(sizes):
        shapes += [(made, given), (made,)]
    return shapes


_WEIGHTS: dict[str, list[tuple[int, ...]]] = {
    "dense_grad": [(1, 3)],
    "mlp_tiny": _dense(32, 32, 32, 1),
    "mlp_adam": _dense(784, 512, 512, 10),
    "lenet": [(6, 1, 5, 5), (6,), (16, 6, 5, 5), (16,), *_dense(400, 120, 84, 10)],
    "transformer": [
        (SIZE,), (SIZE,), *_dense(SIZE, 3 * SIZE), *_dense(SIZE, SIZE), (SIZE,), (SIZE,), *_dense(SIZE, 4 * SIZE, SIZE),
    ],
    "rnn": [(RNN_SIZE, RNN_SIZE), (RNN_SIZE, RNN_SIZE)],
    "convnet": [
        (32, 3, 3, 3), (32,), (32,), (32,), (64, 32, 3, 3), (64,), (64,), (64,), (64, 64, 3, 3), (64,),
        *_dense(1024, 10),
    ],
    "embedding": [(4000, 64)],
    "inverted": [
        (96, 32, 1, 1), (96,), (96,), (96, 1, 3, 3), (96,), (96,), (32, 96, 1, 1), (32,), (32,),
        (64, 32, 3, 3), (64,), (64,), *_dense(64, 10),
    ],
}  # fmt: skip
_SCALES = {"transformer": (0, 4), "convnet": (2, 6), "inverted": (1, 4, 7, 10)}
"""The positions of the scales of normalisations, which start at one."""


def about(name: str) -> str:
    """What a workload or a program computes."""
    return programs.find(name).about if "/" in name else WORKLOADS[name]


def inputs(name: str) -> list[np.ndarray]:
    """The inputs of a workload or a program: float32 or float64, and int32 for indices."""
    generator = np.random.default_rng(0)
    if "/" in name:
        return programs.find(name).arrays(generator)
    arrays: list[np.ndarray] = []
    for given in _INPUTS[name]:
        if isinstance(given, Indices):
            arrays.append(generator.integers(0, given.count, given.shape).astype(np.int32))
        else:
            arrays.append(generator.standard_normal(given).astype(np.float32))
    if name in _CLASSES:
        arrays.append(generator.integers(0, 10, _CLASSES[name]).astype(np.int32))
    if name == "while_50":
        arrays[0] = np.abs(arrays[0]) + np.float32(1)
    return arrays


def weights(name: str) -> list[np.ndarray]:
    """The initial weights of a workload, layer by layer: matrix of (outputs, inputs), bias; or scale and shift."""
    generator = np.random.default_rng(1)
    if "/" in name:
        make = programs.find(name).weights
        return [] if make is None else make(generator)
    arrays = []
    for position, shape in enumerate(_WEIGHTS.get(name, [])):
        if position in _SCALES.get(name, ()):
            arrays.append(np.ones(shape, np.float32))
        elif len(shape) == 1:
            arrays.append(np.zeros(shape, np.float32))
        else:
            scale = 1 / np.sqrt(np.prod(shape[1:]))
            arrays.append((generator.standard_normal(shape) * scale).astype(np.float32))
    return arrays
