"""Batch normalization over each channel, and its gradient, in blocks of images that fit into the cache.

A sum over images is a product with a vector of ones, which takes a sixth of the time of `add.reduce`. On 32 images of
64 channels of 32x32, forward and backward take 6.4 ms; arithmetic on whole arrays takes 8.6 ms. Only x is kept for the
backward pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..processors import thread_count, worth_sharing
from ..threads import share
from .precision import Array, compute_dtype, is_half

# Elements of a block of images: 256 KiB in single precision, with as much again for a partial result.
BLOCK_ELEMENTS = 64 * 1024


# Elements from which on threads share the blocks.
PARALLEL_ELEMENTS = 200_000


class _Channels:
    """Block by block work on arrays (images, channels, other axes), with one sum for each channel."""

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.images, self.channels, self.length = shape[0], shape[1], math.prod(shape[2:])
        self.shape = (self.images, self.channels, self.length)
        count = max(1, BLOCK_ELEMENTS // max(1, self.channels * self.length))
        self.blocks = [slice(first, first + count) for first in range(0, self.images, count)]
        most = max(1, min(thread_count(), len(self.blocks)))
        self.threads = worth_sharing(most, math.prod(self.shape), PARALLEL_ELEMENTS)
        self.buffers = np.empty((self.threads, min(count, self.images), self.channels, self.length), dtype)
        self.ones = np.ones((self.length, 1), dtype)

    def view(self, x: Array) -> Array:
        """The array in three dimensions, contiguous and in the dtype of the computation; a copy if needed."""
        return np.ascontiguousarray(x, self.buffers.dtype).reshape(self.shape)

    def total(self, x: Array) -> Array:
        """The sum of each channel of a contiguous block."""
        if self.length == 1:
            return np.add.reduce(x[:, :, 0], axis=0)
        return np.add.reduce(np.matmul(x.reshape(-1, self.length), self.ones).reshape(x.shape[:2]), axis=0)

    def for_each_block(self, work: Callable[[slice, Array], tuple[Array, ...]], sums: int = 0) -> Array:
        """Call `work(block, buffer)` for every block, and add up the sums for each channel that it returns.

        The sums are added in the order of the blocks, whichever thread computed them.
        """
        partial = np.empty((sums, len(self.blocks), self.channels), self.buffers.dtype)

        def of_block(number: int, thread: int) -> None:
            block = self.blocks[number]
            buffer = self.buffers[thread, : min(block.stop, self.images) - block.start]
            for position, total in enumerate(work(block, buffer)):
                partial[position, number] = total

        if self.threads > 1:
            share(of_block, len(self.blocks), self.threads)
        else:
            for number in range(len(self.blocks)):
                of_block(number, 0)
        return np.add.reduce(partial, axis=1)

    def target(self, out: Array) -> Array:
        """The array to compute `out` in: `out` itself, or another array that is copied there in the end."""
        ready = out.dtype == self.buffers.dtype and out.flags.c_contiguous
        return out.reshape(self.shape) if ready else np.empty(self.shape, self.buffers.dtype)


def batch_norm(
    x: Array, gamma: Array, beta: Array, epsilon: float, *, out: tuple[Array, Array, Array] | None = None
) -> tuple[Array, Array, Array]:
    """x (N, C, …) normalized over all axes but C, times gamma plus beta; also the mean and the (biased) variance of
    each channel."""
    compute = compute_dtype(x.dtype)
    channels = _Channels(x.shape, compute)
    images, number = channels.view(x), channels.images * channels.length
    (mean,) = channels.for_each_block(lambda block, buffer: (channels.total(images[block]),), 1)
    mean /= number
    centre = mean[:, None]

    def squares(block: slice, buffer: Array) -> tuple[Array, ...]:
        np.subtract(images[block], centre, out=buffer)
        np.multiply(buffer, buffer, out=buffer)
        return (channels.total(buffer),)

    (variance,) = channels.for_each_block(squares, 1)
    variance /= number
    scale = (gamma.astype(compute, copy=False) / np.sqrt(variance + compute.type(epsilon)))[:, None]
    shift = beta.astype(compute, copy=False)[:, None]
    results = (np.empty(x.shape, x.dtype), *np.empty((2, x.shape[1]), compute)) if out is None else out
    target = channels.target(results[0])

    def normalize(block: slice, buffer: Array) -> tuple[Array, ...]:
        part = target[block]
        np.subtract(images[block], centre, out=part)
        np.multiply(part, scale, out=part)
        np.add(part, shift, out=part)
        return ()

    channels.for_each_block(normalize)
    _deliver(results, (target, mean, variance))
    return results


def batch_norm_grad(
    x: Array, gamma: Array, mean: Array, variance: Array, dout: Array, epsilon: float, *,
    out: tuple[Array, Array, Array] | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """The gradients of the first result of `batch_norm` by x, gamma and beta."""
    compute = compute_dtype(x.dtype)
    channels = _Channels(x.shape, compute)
    images, gradient, number = channels.view(x), channels.view(dout), channels.images * channels.length
    centre = mean.astype(compute, copy=False)[:, None]

    def project(block: slice, buffer: Array) -> tuple[Array, ...]:
        here = gradient[block]
        np.subtract(images[block], centre, out=buffer)
        np.multiply(buffer, here, out=buffer)
        return channels.total(here), channels.total(buffer)

    dbeta, projected = channels.for_each_block(project, 2)
    inverse = 1 / np.sqrt(variance.astype(compute, copy=False) + compute.type(epsilon))
    dgamma = projected * inverse
    scale = (gamma.astype(compute, copy=False) * inverse)[:, None]
    slope = (dgamma * inverse / number)[:, None]
    shift = (dbeta / number)[:, None]
    results = (np.empty(x.shape, x.dtype), *np.empty((2, x.shape[1]), gamma.dtype)) if out is None else out
    target = channels.target(results[0])

    def pull(block: slice, buffer: Array) -> tuple[Array, ...]:
        part = target[block]
        np.subtract(images[block], centre, out=buffer)
        np.multiply(buffer, slope, out=buffer)
        np.add(buffer, shift, out=buffer)
        np.subtract(gradient[block], buffer, out=part)
        np.multiply(part, scale, out=part)
        return ()

    channels.for_each_block(pull)
    _deliver(results, (target, dgamma, dbeta))
    return results


def _deliver(outs: tuple[Array, ...], arrays: tuple[Array, ...]) -> None:
    """Copy the results that were not computed in place."""
    for out, array in zip(outs, arrays, strict=True):
        if not np.shares_memory(out, array):
            np.copyto(out, array.reshape(out.shape), casting="unsafe" if is_half(out.dtype) else "same_kind")
