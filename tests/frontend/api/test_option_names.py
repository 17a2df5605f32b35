"""Options that do not exist, or have no such value: an error with the nearest name, and all of MindSpore's accepted."""

from __future__ import annotations

from typing import Any

import pytest

import mycel as ms
from mycel import Tensor
from mycel.compiler.options import FORMER_NAMES
from mycel.compiler.pipeline import PASSES, SWITCHES


def double(x: Tensor) -> Tensor:
    return x * 2


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"fulgraph": True}, TypeError, "unexpected keyword argument 'fulgraph': did you mean 'fullgraph'?"),
        ({"memorylimit": 3}, TypeError, "unexpected keyword argument 'memorylimit': did you mean 'memory_limit'?"),
        ({"pases_off": []}, TypeError, "unexpected keyword argument 'pases_off': did you mean 'passes_off'?"),
        ({"nosuch": 1}, TypeError, "unexpected keyword argument 'nosuch'$"),
        ({"passes_off": ["kernel"]}, ValueError, "holds 'kernel', .* did you mean 'kernels'?"),
        (
            {"passes_off": ["fuse", "qqqq"]},
            ValueError,
            "holds 'qqqq', .*threads, tiny_loops, .*triangles, whole_loops, windows$",
        ),
        ({"passes_off": "fuse"}, TypeError, r"should be a list of names, such as \['fuse'\], but got 'fuse'"),
        ({"passes_off": 3}, TypeError, "should be a list of names"),
        ({"jit_level": "STRCT"}, ValueError, "but got 'STRCT'. Did you mean 'STRICT'?"),
        ({"capture_mode": "bytecodes"}, ValueError, "Did you mean 'bytecode'?"),
    ],
)
def test_options_of_jit_that_do_not_exist(options: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        ms.jit(double, **options)
    with pytest.raises(kind, match=text):
        ms.jit(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"infer_boost": "on"}, {"exec_order": "bfs"}, {"disable_format_transform": True}, {"auto_offload": ""},
        {"ge_options": {}}, {"mode": "PIJit"}, {"jit_config": None}, {"input_signature": None}, {"hash_args": None},
        {"compile_once": True}, {"backend": "ms_backend"}, {"dynamic": 1}, {"capture_mode": "trace"},
        {"jit_level": "O1"}, {"debug_level": "RELEASE"}, {"exc_mode": "auto"}, {"passes_off": None},
        *[{"passes_off": [name]} for name in sorted({*SWITCHES, *FORMER_NAMES})],
    ],
)  # fmt: skip
def test_options_of_jit_that_exist(options: dict[str, Any]) -> None:
    assert ms.jit(double, **options)(Tensor([1.0])).asnumpy() == 2.0


def test_every_pass_can_be_left_out() -> None:
    assert {name for name, _ in PASSES} <= SWITCHES


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"modee": 0}, "the keyword argument modee is not recognized! Did you mean 'mode'?"),
        ({"device_targt": "CPU"}, "Did you mean 'device_target'?"),
        ({"qqqq": 1}, "is not recognized!$"),
        ({"jit_level": "O7"}, "must be one of"),
        ({"jit_config": {"jit_leve": "O0"}}, "but got jit_leve: did you mean 'jit_level'?"),
        ({"deterministic": "ONN"}, "Did you mean 'ON'?"),
    ],
)
def test_settings_that_do_not_exist(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ms.set_context(**settings)


def test_a_setting_that_cannot_be_read() -> None:
    with pytest.raises(ValueError, match=r"argument mod is not recognized! Did you mean 'mode'?"):
        ms.get_context("mod")


def test_options_of_a_configuration() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'memry_limit': did you mean 'memory_limit'?"):
        ms.JitConfig(memry_limit="1GB")
    with pytest.raises(ValueError, match=r"but got 'LAXX'. Did you mean 'LAX'?"):
        ms.JitConfig(jit_syntax_level="LAXX")
    assert ms.JitConfig(debug_level="RELEASE", infer_boost="on", backend="GE", exec_order="bfs").jit_config_dict
