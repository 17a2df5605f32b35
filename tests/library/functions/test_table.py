"""The function table: each record's names lead to its function, and the functions are like functions written out."""

from __future__ import annotations

import importlib
import inspect
import pickle
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, ops
from mycel.library.functions import records, table
from mycel.library.functions.table import PLACES

RECORDS = [*{id(record): record for place in PLACES for record in records(place).values()}.values()]
MADE = [record for record in RECORDS if inspect.unwrap(record.run).__closure__ is not None and record.ops]


def test_no_name_of_a_place_stands_in_two_records() -> None:
    for place in PLACES:
        found = [name for record in RECORDS for name in getattr(record, place)]
        assert sorted(found) == sorted(set(found)), place
        assert len(found) >= {"functional": 25, "numpy": 55, "inplace": 25}.get(place, 120)

    with pytest.raises(ValueError, match=r"tan and square_of have the same name 'tan' in 'ops'"):

        @table.known_as("tan")
        def square_of(x: Tensor) -> Tensor:
            return x * x


@pytest.mark.parametrize(
    ("place", "home"), [("ops", "ops"), ("mint", "mint"), ("functional", "mint.nn.functional"), ("method", "Tensor")]
)
def test_names_with_the_same_arguments_are_the_function_itself(place: str, home: str) -> None:
    where: Any = Tensor if home == "Tensor" else importlib.import_module(f"mycel.{home}")
    for name, record in records(place).items():
        assert getattr(where, name) is record.run


def test_names_in_numpy_take_sequences_and_a_dtype() -> None:
    mnp = importlib.import_module("mycel.numpy")
    for name, record in records("numpy").items():
        parameters = [*inspect.signature(getattr(mnp, name)).parameters]
        assert parameters == (["x", "dtype"] if record.operands == 1 else ["x1", "x2", "dtype"])
    assert mnp.tanh([0, 0], ms.float64).dtype is ms.float64
    assert mnp.add([1, 2], 1).tolist() == [2, 3]


def test_methods_in_place_change_the_tensor_and_have_the_arguments_of_the_function() -> None:
    for name, record in records("inplace").items():
        method = getattr(Tensor, name)
        assert method.__name__ == name
        assert inspect.signature(method) == inspect.signature(record.run)
    x = Tensor([0.0, 1.0])
    assert x.tanh_() is x
    np.testing.assert_allclose(x.asnumpy(), np.tanh([0, 1]), rtol=1e-6)


def test_primitives_are_the_functions_as_objects() -> None:
    for name, record in records("primitive").items():
        made = getattr(ops, name)()
        assert made.name == name
        if record.operands == 1 and record.floats:
            x = Tensor([0.25, 0.5])
            np.testing.assert_array_equal(made(x).asnumpy(), record.run(x).asnumpy())


@pytest.mark.parametrize("record", MADE, ids=lambda record: record.name)
def test_functions_that_records_make_are_like_functions_written_out(record: table.Function) -> None:
    function = record.run
    assert function.__name__ == function.__qualname__ == record.name
    assert repr(function).startswith(f"<function {record.name} at ")
    module = importlib.import_module(function.__module__)
    assert getattr(module, record.name) is function
    assert pickle.loads(pickle.dumps(function)) is function
    signature = inspect.signature(function)
    assert all(item.annotation is not inspect.Parameter.empty for item in signature.parameters.values())
    assert signature.return_annotation in ("Tensor", "tuple[Tensor, Tensor]")
    with pytest.raises(TypeError, match=rf"^{record.name}\(\) missing \d required positional argument"):
        function()


def test_errors_name_the_function_and_the_argument() -> None:
    with pytest.raises(TypeError, match=r"^tanh: 'input' should be a Tensor"):
        ops.tanh(1)
    with pytest.raises(TypeError, match=r"^sqrt: 'x' should be a Tensor"):
        mint.sqrt("a")
    with pytest.raises(TypeError, match=r"^tanh: the dtype of 'input' should be a floating-point one"):
        Tensor([1]).tanh()
    with pytest.raises(TypeError, match=r"^less: 'other' should be a Tensor or a number"):
        ops.less(Tensor([1.0]), "a")


def test_the_largest_number_of_records_is_made_from_ops() -> None:
    assert len(MADE) >= 60
