"""Small programs with the results, or the kinds of errors, that MindSpore 2.10 on a CPU gave: compiled and eager."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, context, jit, mutable, nn, ops
from mycel.ops import composite, functional, operations

FILES = sorted((Path(__file__).resolve().parent.parent / "recorded").glob("programs*.txt"))
# Without jit only the branch taken runs, items are assigned in place, and nothing has to be a graph.
NOT_WITHOUT_JIT = {
    *("fullgraph_asnumpy", "fullgraph_np_result", "fg_tolist", "untaken_compiled", "while_dtype_x"),
    *("g_append", "g_item", "g_item_tensor", "g_append_tensor", "g_append_noreturn", "g_slice", "g_nested_append"),
    *("g_nested_reverse", "arg_append", "arg_item", "arg_item_x", "arg_tensors", "arg_tensors_append", "arg_mutable"),
    *("closure_list", "g_list_in_loop"),
}
# Where MindSpore's graphs do what Python does not, and mycel follows Python.
NOT_AS_MINDSPORE = {"setitem_caller", "grd_none_output"}
PROGRAM = re.compile(r"^### (?P<name>\w+)(?P<graph> \(graph\))?\n(?P<code>.*?)^#= (?P<expected>.*?)\n", re.M | re.S)
PROGRAMS = [
    pytest.param(match["name"], match["code"], json.loads(match["expected"]), bool(match["graph"]), id=match["name"])
    for file in FILES
    for match in PROGRAM.finditer(file.read_text(encoding="utf-8"))
]


def tensor(values: Any, dtype: Any = None) -> Tensor:
    """A tensor, Float32 unless a dtype is given."""
    return Tensor(np.array(values), dtype or ms.float32)


def printed(function: Callable[..., Any], *arguments: Any) -> str:
    """The output of a call."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function(*arguments)
    return text.getvalue()


def told(value: Any) -> Any:
    """A value as the file writes it down: with the kinds of containers, dtypes and shapes."""
    if isinstance(value, Tensor):
        array = value.asnumpy()
        return {"tensor": [str(value.dtype), list(array.shape), told(array.tolist())]}
    if isinstance(value, np.ndarray):
        return {"array": [str(value.dtype), told(value.tolist())]}
    if isinstance(value, tuple):
        return {"tuple": [told(item) for item in value]}
    if isinstance(value, list):
        return [told(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[told(key), told(item)] for key, item in value.items()]}
    if isinstance(value, complex):
        return {"complex": [told(value.real), told(value.imag)]}
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return type(value).__name__


def close(value: Any, expected: Any) -> bool:
    """Whether two told values are the same but for the rounding of floats."""
    if isinstance(value, float) and isinstance(expected, float):
        return bool(np.isclose(value, expected, rtol=1e-4, atol=1e-5))
    if type(value) is not type(expected):
        return False
    if isinstance(value, list):
        return len(value) == len(expected) and all(map(close, value, expected))
    if isinstance(value, dict):
        return value.keys() == expected.keys() and all(close(item, expected[key]) for key, item in value.items())
    return bool(value == expected)


def is_different(name: str, graph: bool, mode: str) -> bool:
    """Whether a program behaves differently from MindSpore in this mode, on purpose."""
    if name in NOT_AS_MINDSPORE or (graph and mode != "graph"):
        return True
    return mode == "without jit" and name in NOT_WITHOUT_JIT


@pytest.fixture(params=["graph", "eager", "without jit"])
def mode(request: pytest.FixtureRequest) -> Any:
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    if request.param == "without jit":
        with ms.disable_jit():
            yield request.param
    else:
        yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.filterwarnings("ignore::mycel.frontend.errors.classes.FallbackWarning")
@pytest.mark.filterwarnings("ignore:.*have the same name:UserWarning", "ignore:.*has been traced:UserWarning")
@pytest.mark.parametrize(("name", "code", "expected", "graph"), PROGRAMS)
def test_a_program(name: str, code: str, expected: Any, graph: bool, mode: str, tmp_path: Path) -> None:
    if is_different(name, graph, mode):
        pytest.skip("docs/differences.md says how")
    file = tmp_path / "program.py"
    file.write_text(code, encoding="utf-8")
    names = {"ms": ms, "nn": nn, "ops": ops, "np": np, "Tensor": Tensor, "Parameter": Parameter, "tensor": tensor}
    names |= {"ParameterTuple": ParameterTuple, "told": told, "__name__": "program", "__file__": str(file)}
    names |= {"C": composite, "F": functional, "P": operations, "context": context, "jit": jit, "mutable": mutable}
    names |= {"printed": printed}
    run = compile(code, str(file), "exec")
    if isinstance(expected, dict) and "raises" in expected:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - the class is looked at below
            exec(run, names)
        assert expected["raises"] in [kind.__name__ for kind in type(caught.value).__mro__], caught.value
    else:
        exec(run, names)
        result = json.loads(json.dumps(names["RESULT"]))
        assert close(result, expected), result


def test_there_are_many() -> None:
    programs: list[Any] = [program.values for program in PROGRAMS]
    for mode, least in (("graph", 1170), ("eager", 1130), ("without jit", 1120)):
        assert sum(not is_different(name, graph, mode) for name, _, _, graph in programs) >= least
