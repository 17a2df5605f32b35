"""Users' names that are words of the language of kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

WORDS = (
    "at",
    "within",
    "over",
    "out",
    "shared",
    "state",
    "maximum",
    "inf",
    "nan",
    "True_",
    "float32",
    "copy",
    "select",
)


@pytest.mark.parametrize("word", WORDS)
def test_a_value_may_have_any_name(word: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"named_{word}.py").write_text(
        "from mycel import ops\n"
        f"def f(x, {word}):\n"
        f"    {word} = ops.tanh({word}) * x\n"
        f"    x = {word} + x.sum(1, keepdims=True)\n"
        f"    return x, {word}, {word}[0]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    function = __import__(f"named_{word}").f
    given = [Tensor(np.random.default_rng(i).standard_normal((3, 5)).astype(np.float32)) for i in range(2)]
    for one, other in zip(ms.jit(function)(*given), function(*given), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_positions_may_be_called_at() -> None:
    def chosen(x: Any) -> Any:
        at = ops.argmax(x, 1)
        return at + 1, x[at] * 2

    given = Tensor(np.eye(4, dtype=np.float32)[::-1].copy())
    for one, other in zip(ms.jit(chosen)(given), chosen(given), strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
