"""Programs for one feature of graph mode each, against results of MindSpore 2.10."""

from __future__ import annotations

import importlib.util
import json
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor

HERE = Path(__file__).resolve().parent
RECORDED = json.loads((HERE.parent / "recorded" / "syntax.json").read_text())


def programs_in(path: Path) -> dict[str, Callable[[], Any]]:
    """The programs of a file, by their names."""
    spec = importlib.util.spec_from_file_location(f"syntax_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: value for name, value in vars(module).items() if name.startswith("program_")}


PROGRAMS: dict[str, Callable[[], Any]] = {}
for _file in sorted((HERE / "syntax").glob("*.py")):
    PROGRAMS |= programs_in(_file)


@pytest.fixture(autouse=True)
def graph_mode() -> Iterator[None]:
    """Programs may fall back to Python: only their results count."""
    ms.set_context(mode=ms.GRAPH_MODE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ms.FallbackWarning)
        yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def plain(value: Any) -> Any:
    """A value as it was recorded."""
    if isinstance(value, Tensor):
        return ["T", str(value.dtype).lower(), list(value.shape), value.asnumpy().ravel().tolist()]
    if isinstance(value, np.ndarray):
        return ["A", str(value.dtype), list(value.shape), value.ravel().tolist()]
    if isinstance(value, (tuple, list)):
        return ["tuple" if isinstance(value, tuple) else "list", *map(plain, value)]
    if isinstance(value, dict):
        return ["dict", *[[plain(key), plain(item)] for key, item in value.items()]]
    return value


def same(found: Any, expected: Any) -> bool:
    """Whether values are equal; numbers to the recorded precision."""
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, float) and isinstance(found, float):
        return math.isclose(found, expected, rel_tol=1e-3, abs_tol=1e-5)
    return type(found) is type(expected) and bool(found == expected)


@pytest.mark.filterwarnings("ignore:.*have the same name:UserWarning")
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_program(name: str) -> None:
    found = plain(PROGRAMS[name]())
    assert same(found, RECORDED[name]), (found, RECORDED[name])


def test_every_program_is_recorded() -> None:
    assert sorted(RECORDED) == sorted(PROGRAMS)
