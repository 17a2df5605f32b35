"""The root installs the services of Tensor and Cell: these functions and no others."""

from __future__ import annotations

import dataclasses

import pytest

from mycel.frontend.api.jit import compile_cell
from mycel.frontend.transforms.cell_run import run_cell
from mycel.frontend.values import services
from mycel.library.initializer import filled, initializer
from mycel.runtime import dtypes


def test_the_root_installs_every_service() -> None:
    installed = {field.name: getattr(services.SERVICES, field.name) for field in dataclasses.fields(services.Services)}
    expected = {"run_cell": run_cell, "compile_cell": compile_cell}
    late = {"filled": filled, "initial_tensor": initializer}  # which are imported when they are called
    assert installed == expected | {name: installed[name] for name in late}
    for name, function in late.items():
        assert (installed[name]("ones", (2,), dtypes.float32) == function("ones", (2,), dtypes.float32)).all()


def test_a_service_that_is_missing_says_so() -> None:
    """While the package is loaded nothing is installed."""
    with pytest.raises(RuntimeError, match="import mycel first"):
        services._not_installed()
