"""Small programs with the results, or the kinds of errors, that MindSpore 2.10 on a CPU gave: compiled and eager."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import recorded_programs as recorded

import mycel as ms

FILES = sorted(recorded.RECORDED.glob("programs*.txt"))
# Without jit only the branch taken runs, items are assigned in place, nothing has to be a graph, and `y /= 2` makes
# floats of integers.
NOT_WITHOUT_JIT = {
    *("fullgraph_asnumpy", "fullgraph_np_result", "fg_tolist", "untaken_compiled", "while_dtype_x"),
    *("g_append", "g_item", "g_item_tensor", "g_append_tensor", "g_append_noreturn", "g_slice", "g_nested_append"),
    *("g_nested_reverse", "arg_append", "arg_item", "arg_item_x", "arg_tensors", "arg_tensors_append", "arg_mutable"),
    *("closure_list", "g_list_in_loop", "real_augmented"),
}
# Every sixth program runs by default, of files with a program for each function every 24th; all of them among the slow
# tests.
THINNED = {
    "programs_arrays",
    "programs_layers",
    "programs_mathematics",
    "programs_mint_numpy",
    "programs_names",
    "programs_rarer",
}
# Where MindSpore's graphs do what Python does not, or refuse it, and mycel follows Python; and a gradient that is wrong
# there (docs/differences.md).
NOT_AS_MINDSPORE = {"setitem_caller", "grd_none_output", "dt_bool_plus", "ch_inv_1"}
PROGRAMS = [
    (program, count % (24 if file.stem in THINNED else 6) != 0)
    for file in FILES
    for count, program in enumerate(recorded.programs(file.read_text(encoding="utf-8")))
]


def modes(program: recorded.Program) -> list[str]:
    """The modes in which a program does what MindSpore's does; docs/differences.md says why not in others."""
    if program.name in NOT_AS_MINDSPORE:
        return []
    if program.mode == "graph":
        return ["graph"]
    without = "jit" in program.code and program.name not in NOT_WITHOUT_JIT
    return [*(["graph"] if not program.mode else []), "eager", *(["without jit"] if without else [])]


CASES = [
    pytest.param(program, mode, id=f"{mode}-{program.name}", marks=[pytest.mark.slow] * slow)
    for program, slow in PROGRAMS
    for mode in modes(program)
]


def close(value: Any, expected: Any, rtol: float = 1e-4) -> bool:
    """Whether two told values are the same but for the rounding of floats; an error may have several classes."""
    if isinstance(expected, dict) and "raises" in expected:
        return isinstance(value, dict) and expected["raises"] in value.get("raises", ())
    if isinstance(expected, dict) and "unsupported" in expected:
        return True  # MindSpore has no kernel for it on a CPU.
    if isinstance(value, float) and isinstance(expected, float):
        return bool(np.isclose(value, expected, rtol=rtol, atol=rtol / 10))
    if type(value) is not type(expected):
        return False
    if isinstance(value, list):
        if value[:1] == expected[:1] and value[:1] in (["Float16"], ["BFloat16"]):
            rtol = 1e-2
        return len(value) == len(expected) and all(map(partial(close, rtol=rtol), value, expected))
    if isinstance(value, dict):
        return value.keys() == expected.keys() and all(close(item, expected[key], rtol) for key, item in value.items())
    return bool(value == expected)


def result(program: recorded.Program, mode: str, file: Path) -> Any:
    """What a program gives, or its error."""
    file.write_text(program.code, encoding="utf-8")
    names = {**recorded.names(ms, mode == "graph"), "__name__": "program", "__file__": str(file)}
    np.random.seed(1)
    try:
        exec(compile(program.code, str(file), "exec", dont_inherit=True), names)
    except Exception as error:
        if not isinstance(program.expected, dict) or "raises" not in program.expected:
            raise
        return recorded.raised(error)
    return json.loads(json.dumps(names["RESULT"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for all programs."""
    return tmp_path_factory.mktemp("recorded")


@pytest.mark.filterwarnings("ignore::mycel.frontend.errors.classes.FallbackWarning")
@pytest.mark.filterwarnings("ignore:.*have the same name:UserWarning", "ignore:.*has been traced:UserWarning")
@pytest.mark.filterwarnings(
    "ignore:a graph changes a copy of:UserWarning", "ignore:.*is left out, as that is no:UserWarning"
)
@pytest.mark.filterwarnings("ignore:.*is rounded to Int:UserWarning", "ignore:.*becomes an integer of:UserWarning")
@pytest.mark.filterwarnings("ignore:.*broadcast:UserWarning", "ignore:.*are cut off:UserWarning")
@pytest.mark.parametrize(("program", "mode"), CASES)
def test_a_program(program: recorded.Program, mode: str, folder: Path) -> None:
    file = folder / f"{mode.replace(' ', '_')}_{program.name}.py"
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    try:
        if mode == "without jit":
            with ms.disable_jit():
                found = result(program, mode, file)
        else:
            found = result(program, mode, file)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    # The recurrent kernels of MindSpore approximate tanh and sigmoid.
    rtol = 5e-3 if program.name.startswith("lay_rnn") else 1e-4
    assert close(found, program.expected, rtol), f"{found}\nshould be\n{program.expected}"


def test_there_are_many() -> None:
    for mode, least in (("graph", 3050), ("eager", 3000), ("without jit", 570)):
        assert sum(mode in modes(program) for program, _ in PROGRAMS) >= least
