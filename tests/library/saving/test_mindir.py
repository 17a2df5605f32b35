"""MINDIR files of MindSpore 2.10: the same values, and errors for unsupported and damaged files."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn
from mycel.library.saving.wire import bytes_field, number_field

FOLDER = Path(__file__).resolve().parents[2] / "recorded" / "mindir"
NETS = ["attention", "conv", "plain"]


def recorded(name: str) -> tuple[Tensor, list[np.ndarray]]:
    """The input and the results of MindSpore."""
    with np.load(FOLDER / f"{name}.npz") as found:
        return Tensor(found["x"]), [found[f"y{number}"] for number in range(len(found.files) - 1)]


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("name", NETS)
def test_the_values_are_mindspores(name: str, mode: int) -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        cell = nn.GraphCell(ms.load(str(FOLDER / f"{name}.mindir")))
        x, expected = recorded(name)
        found = cell(x)
        for left, right in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
            assert left.shape == right.shape
            np.testing.assert_allclose(left.asnumpy(), right, rtol=1e-5, atol=1e-5)
    finally:
        ms.set_context(mode=before)


def test_weights_are_parameters_that_can_be_trained() -> None:
    cell = nn.GraphCell(ms.load(str(FOLDER / "conv.mindir")))
    names = {parameter.name for parameter in cell.get_parameters()}
    assert names == {"conv.weight", "conv.bias", "bn.gamma", "bn.beta", "bn.moving_mean", "bn.moving_variance",
                     "fc.weight", "fc.bias"}  # fmt: skip
    x, _ = recorded("conv")
    (weight,) = [parameter for parameter in cell.trainable_params() if parameter.name == "fc.weight"]
    slope = ms.grad(lambda x: (cell(x) ** 2).sum(), None, weight)(x)
    assert slope.shape == (2, 4)
    assert np.abs(slope.asnumpy()).max() > 0


def test_an_input_of_another_shape_is_told() -> None:
    cell = nn.GraphCell(ms.load(str(FOLDER / "plain.mindir")))
    with pytest.raises(ValueError, match=r"should have the shape \(3, 4\)"):
        cell(ms.ops.ones((4, 4)))


def test_branches_are_not_read() -> None:
    with pytest.raises(NotImplementedError, match=r"branch\.mindir, .*the operation 'Partial' \(Default/Partial-op0\)"):
        ms.load(str(FOLDER / "branch.mindir"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x00" * 100, b"\x12\x09MindSpore", b"\xff" * 30])
def test_other_files(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.mindir"
    path.write_bytes(content)
    with pytest.raises(ms.DamagedFileError, match=r"x\.mindir"):
        ms.load(str(path))


@pytest.mark.parametrize("name", NETS)
def test_changed_files(tmp_path: Path, name: str) -> None:
    """Each is refused with one of two errors, or it is a network."""
    whole = (FOLDER / f"{name}.mindir").read_bytes()
    draw, path, refused = random.Random(name), tmp_path / "x.mindir", 0
    for number in range(60):
        content = bytearray(whole)
        if number % 3 == 0:
            content = content[: draw.randrange(len(content))]
        elif number % 3 == 1:
            content[draw.randrange(len(content))] = draw.randrange(256)
        else:
            start, end = sorted(draw.randrange(len(content)) for _ in range(2))
            content[start:end] = content[end : end + draw.randrange(200)]
        path.write_bytes(content)
        try:
            found = ms.load(str(path))
        except (ms.DamagedFileError, NotImplementedError) as error:
            refused += "x.mindir" in str(error)
        else:
            assert str(found).startswith("graph ")
    assert refused > 25


def test_tuples_of_tuples_are_bounded(tmp_path: Path) -> None:
    tensor = number_field(1, 2) + number_field(2, 1)
    nodes, before = b"", b"x"
    for number in range(200):
        name = f"t{number}".encode()
        node = bytes_field(1, before) + bytes_field(1, before) + bytes_field(2, name) + bytes_field(4, b"MakeTuple")
        nodes, before = nodes + bytes_field(1, node), name
    graph = (
        nodes + bytes_field(5, bytes_field(1, b"x") + bytes_field(2, tensor)) + bytes_field(6, bytes_field(1, before))
    )
    path = tmp_path / "wide.mindir"
    path.write_bytes(bytes_field(2, b"MindSpore") + bytes_field(7, graph))
    with pytest.raises(ms.DamagedFileError, match="has more than 10000 parts"):
        ms.load(str(path))


def test_containers_are_bounded(tmp_path: Path) -> None:
    """Containers inside of one another are bounded, before Python's own limit."""
    value = number_field(16, 7)
    for _ in range(3000):
        value = number_field(16, 20) + bytes_field(17, value)
    node = bytes_field(2, b"c") + bytes_field(4, b"Constant") + bytes_field(5, bytes_field(1, b"value") + value)
    path = tmp_path / "deep.mindir"
    path.write_bytes(bytes_field(2, b"MindSpore") + bytes_field(7, bytes_field(1, node)))
    with pytest.raises(ms.DamagedFileError, match="containers are too deep"):
        ms.load(str(path))


def change_fields(folder: Path, seed: int, count: int) -> None:
    """Change fields in a child process, so that a crash is seen as one."""
    script = Path(__file__).resolve().parents[2] / "support" / "damaged_mindir.py"
    command = [sys.executable, "-X", "faulthandler", str(script), str(folder), str(seed), str(count)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, f"the process ended with {done.returncode}:\n{done.stderr[-3000:]}"
    outcomes = json.loads(done.stdout.splitlines()[-1])
    assert sum(outcomes.values()) == count
    assert outcomes["DamagedFileError"] > count // 10
    assert outcomes["ran"] > count // 10
    assert "refused without the file's name" not in outcomes


def test_changed_fields(tmp_path: Path) -> None:
    change_fields(tmp_path, 0, 40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
def test_many_changed_fields(tmp_path: Path, seed: int) -> None:
    change_fields(tmp_path, seed, 2500)
