"""The same programs with and without machine code: results agree, and neither loads the other's cached programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mycel as ms
from mycel import ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

PROGRAM = """
import mycel as ms
from mycel import Tensor, nn, ops

ms.set_seed(1)
net = nn.SequentialCell(nn.Dense(6, 8), nn.Tanh(), nn.LayerNorm((8,)), nn.Dense(8, 3))
loss = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), 0.01)
gradient = ms.value_and_grad(lambda x, y: loss(net(x), y), None, net.trainable_params())

@ms.jit
def step(x, y):
    value, grads = gradient(x, y)
    optimizer(grads)
    return value

x, y = ops.reshape(ops.arange(30).astype(ms.float32), (5, 6)) * 0.1 - 1.0, Tensor([0, 1, 2, 1, 0], ms.int32)
for _ in range(4):
    print(float(step(x, y)))
for parameter in net.trainable_params():
    print(*parameter.asnumpy().ravel().tolist())
print("kernels" if "compile_kernel" in step.stages(x, y).program else "calls of NumPy")
"""


def run(folder: Path, **variables: str) -> tuple[list[list[float]], str]:
    """The numbers that the program prints in a process of its own, and how it was compiled."""
    environment = {**os.environ, "MYCEL_CACHE": str(folder), **variables}
    script = folder.parent / "program.py"
    script.write_text(PROGRAM, "utf-8")
    found = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
    *numbers, kind = found.stdout.splitlines()
    return [[float(word) for word in line.split()] for line in numbers], kind


def test_machine_code_can_be_switched_off(tmp_path: Path) -> None:
    """In one folder of compiled programs, in any order, and once more from the cache."""
    folder = tmp_path / "cache"
    results = [run(folder, MYCEL_NATIVE=switch) for switch in ("on", "off", "on", "off")]
    assert [kind for _, kind in results] == ["kernels", "calls of NumPy"] * 2
    for numbers, _ in results[1:]:
        for found, wanted in zip(numbers, results[0][0], strict=True):
            np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)
    assert results[0][0] == results[2][0]
    assert results[1][0] == results[3][0]


def test_gradients_of_a_recurrence_in_the_memory_of_its_inputs() -> None:
    """The cotangents of the iterations overwrite the products of the inputs, part by part."""
    rng = np.random.default_rng(0)
    x, first, second = (ms.Tensor(rng.normal(size=shape).astype(np.float32)) for shape in ((6, 4, 8), (8, 8), (8, 8)))

    def function(x: ms.Tensor, first: ms.Tensor, second: ms.Tensor) -> ms.Tensor:
        state = x[0] * 0
        for step in range(6):
            state = ops.tanh(ops.matmul(x[step], first) + ops.matmul(state, second))
        return (state * state).mean()

    gradient = ms.value_and_grad(function, (0, 1, 2))
    quick, plain = ms.jit(gradient), ms.jit(gradient, passes_off=["kernels", "in_place"])
    for _ in range(2):
        (value, found), (other, wanted) = quick(x, first, second), plain(x, first, second)
        np.testing.assert_allclose(value.asnumpy(), other.asnumpy(), rtol=1e-5)
        for one, two in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one.asnumpy(), two.asnumpy(), rtol=1e-4, atol=1e-6)
    used = [jitted.stages(x, first, second).plan.nbytes for jitted in (quick, plain)]
    assert used[0] < used[1]
