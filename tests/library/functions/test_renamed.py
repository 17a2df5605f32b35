"""Arguments by the names that MindSpore has for them, where a function has other names elsewhere."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor, mint, ops
from mycel.library.functions.renamed import FUNCTIONS, INPLACE, METHODS, TWO_NAMES

PAIR = Tensor([[4.0, 9.0], [1.0, 16.0]])
ROWS = Tensor([0, 1])
TRUE = Tensor([True, False])

CALLS: dict[str, Any] = {
    "floor_div": (lambda: ops.floor_div(x=PAIR, y=2.0), [[2.0, 4.0], [0.0, 8.0]]),
    "floor_mod": (lambda: ops.floor_mod(x=PAIR, y=2.0), [[0.0, 1.0], [1.0, 0.0]]),
    "tensor_div": (lambda: ops.tensor_div(x=PAIR, y=2.0), [[2.0, 4.5], [0.5, 8.0]]),
    "arcsin": (lambda: ops.arcsin(x=Tensor([0.0])), [0.0]),
    "bessel": (lambda: ops.bessel_i0(x=Tensor([0.0])), [1.0]),
    "mint.sqrt": (lambda: mint.sqrt(input=PAIR), [[2.0, 3.0], [1.0, 4.0]]),
    "mint.ones": (lambda: mint.ones(size=(1, 2), dtype=ms.int32), [[1, 1]]),
    "mint.empty": (lambda: mint.empty(size=2), [0.0, 0.0]),
    "new_ones": (lambda: TRUE.new_ones(size=(2,)), [True, True]),
    "new_zeros": (lambda: PAIR.new_zeros(size=2), [0.0, 0.0]),
    "new_empty": (lambda: ROWS.new_empty(size=2), [0, 0]),
    "fill": (lambda: ROWS.fill(value=3), [3, 3]),
    "fills": (lambda: ROWS.fills(value=3), [3, 3]),
    "float_power": (lambda: ROWS.float_power(other=2), [0.0, 1.0]),
    "multiply": (lambda: ROWS.multiply(value=ROWS), [0, 1]),
    "approximate_equal": (lambda: PAIR[0].approximate_equal(other=PAIR[0]), [True, True]),
    "logical_and": (lambda: TRUE.logical_and(y=TRUE), [True, False]),
    "logical_or": (lambda: TRUE.logical_or(y=TRUE), [True, False]),
    "matmul": (lambda: PAIR.matmul(tensor2=Tensor([[1.0], [0.0]])), [[4.0], [1.0]]),
    "remainder": (lambda: PAIR.remainder(divisor=2.0), [[0.0, 1.0], [1.0, 0.0]]),
    "unsqueeze": (lambda: ROWS.unsqueeze(axis=1), [[0], [1]]),
    "sub_": (lambda: Tensor([3.0]).sub_(y=1.0), [2.0]),
    "copy_": (lambda: Tensor([3.0]).copy_(src=Tensor([5.0])), [5.0]),
    "bernoulli_": (lambda: Tensor([3.0]).bernoulli_(p=1.0, generator=None), [1.0]),
    "index_fill_": (lambda: Tensor([3, 4]).index_fill_(dim=0, index=Tensor([1]), value=9), [3, 9]),
    "index_add": (lambda: Tensor([3, 4]).index_add(indices=ROWS, y=ROWS, axis=0, use_lock=True), [3, 5]),
    "to": (lambda: Tensor([3.5]).to(other=ROWS), [3]),
    "view": (lambda: Tensor([1.0]).view(dtype=ms.int32), [0x3F800000]),
    "ReLU": (lambda: mint.nn.ReLU()(input=Tensor([-1.0, 1.0])), [0.0, 1.0]),
    "Linear": (lambda: mint.nn.Linear(2, 1, weight_init="ones", bias=False)(x=Tensor([[1.0, 2.0]])), [[3.0]]),
    "L1Loss": (lambda: mint.nn.L1Loss()(logits=Tensor([1.0]), labels=Tensor([3.0])), 2.0),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("compiled", [False, True])
def test_arguments_by_name(name: str, compiled: bool) -> None:
    call, wanted = CALLS[name]
    assert (ms.jit(call) if compiled else call)().tolist() == wanted


def test_each_renamed_function_is_tried() -> None:
    assert {*FUNCTIONS, *METHODS, *TWO_NAMES, *INPLACE} <= set(CALLS)


def test_second_names_are_no_positions() -> None:
    for name, (_, words) in TWO_NAMES.items():
        own, other = words.split()[1:]
        found = inspect.signature(getattr(Tensor, name)).parameters
        assert found[own].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert found[other].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"{own}, {other}:" in inspect.getdoc(getattr(Tensor, name))  # type: ignore[operator]


def test_an_unknown_keyword_of_a_layer_names_the_layer() -> None:
    with pytest.raises(TypeError, match=r"ReLU\.construct\(\) got an unexpected keyword argument 'x'"):
        mint.nn.ReLU()(x=PAIR)
