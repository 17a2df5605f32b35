"""Parameters of one name: who builds the Cell is told, and no file loses one of them."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn


def numbers(start: float) -> Tensor:
    return Tensor(np.array([start, start + 1], np.float32))


class Direct(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.a = Parameter(numbers(1), name="w")
        self.b = Parameter(numbers(3), name="w")

    def construct(self, x: Tensor) -> Any:
        return x * self.a + self.b


class Below(nn.Cell):
    def __init__(self, first: bool) -> None:
        super().__init__()
        if first:
            self.b = Parameter(numbers(1), name="a.weight")
        self.a = nn.Dense(2, 2)
        if not first:
            self.b = Parameter(numbers(1), name="a.weight")

    def construct(self, x: Tensor) -> Any:
        return self.a(x) * self.b


class Inserted(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Dense(2, 2)
        self.insert_param_to_cell("b", Parameter(numbers(1), name="a.bias"))


class Listed(nn.Cell):
    """Names that are not attribute names, so that nothing can be renamed."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Dense(2, 2)
        self.many = ms.ParameterTuple([Parameter(numbers(1), name="a.weight")])

    def construct(self, x: Tensor) -> Any:
        return self.a(x) * self.many[0]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (Direct, "Direct: the Parameters 'a' and 'b' have the same name 'w'"),
        (lambda: Below(True), "Below: the Parameters 'a.weight' and 'b' have the same name 'a.weight'"),
        (lambda: Below(False), "Below: the Parameters 'a.weight' and 'b' have the same name 'a.weight'"),
        (Inserted, "Inserted: the Parameters 'a.bias' and 'b' have the same name 'a.bias'"),
    ],
)
def test_who_builds_a_cell_is_told(make: Any, text: str) -> None:
    with pytest.warns(UserWarning, match=text) as found:
        make()
    assert len(found) == 1
    assert found[0].filename == __file__


def test_cells_with_names_of_their_own_are_built_in_silence() -> None:
    class Plain(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.a = Parameter(numbers(1))
            self.b = Parameter(numbers(1), name="other")
            self.again = self.b
            self.cells_ = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
            self.norm = nn.BatchNorm1d(2)
            self.a = Parameter(numbers(3))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net = Plain()
        nn.Adam(net.trainable_params())


@pytest.mark.filterwarnings("ignore:.*have the same name")
def test_a_checkpoint_before_the_first_call_holds_all_parameters(tmp_path: Path) -> None:
    file = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(Direct(), file)
    found = ms.load_checkpoint(file)
    assert {name: value.asnumpy().tolist() for name, value in found.items()} == {"a": [1, 2], "b": [3, 4]}
    net = Direct()
    net.a.set_data(numbers(7))
    assert ms.load_param_into_net(net, found) == ([], [])
    assert net.a.asnumpy().tolist() == [1, 2]
    assert list(Direct().parameters_dict()) == ["a", "b"]


def test_what_cannot_be_named_anew_is_an_error(tmp_path: Path) -> None:
    net, file = Listed(), str(tmp_path / "net.ckpt")
    for use in (
        lambda: ms.save_checkpoint(net, file),
        lambda: ms.load_param_into_net(net, {}),
        net.parameters_dict,
        lambda: net(Tensor(np.ones((2, 2), np.float32))),
    ):
        with pytest.raises(ValueError, match=r"two Parameters of Listed have the name 'a\.weight'.*name of its own"):
            use()
    with pytest.raises(ValueError, match=r"two Parameters have the name 'a\.weight'"):
        ms.save_checkpoint(list(net.get_parameters()), file)
    assert not Path(file).exists()


def test_a_shared_parameter_is_no_duplicate() -> None:
    class Sub(nn.Cell):
        def __init__(self, weight: Parameter) -> None:
            super().__init__()
            self.w = weight

        def construct(self, x: Tensor) -> Any:
            return x * self.w

    class Tied(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(numbers(1), name="w")
            self.a, self.b = Sub(self.w), Sub(self.w)

        def construct(self, x: Tensor) -> Any:
            return self.a(x) + self.b(x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(Tied().trainable_params()) == 1
