"""Cells: names of Parameters, sub-cells, modes, hooks, containers and state, as MindSpore has them."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from nested_cells import Inner, Outer, Wrapper, names, parameter

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, nn, ops


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "eager"])
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    """Either mode."""
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


OUTER_NAMES = [
    "given", "shared.w", "shared.b", "sequence.0.w", "sequence.0.b", "sequence.2.w", "sequence.2.b", "several.0.w",
    "several.0.b", "several.1.w", "several.1.b",
]  # fmt: skip


def test_names_of_parameters() -> None:
    net = Outer()
    assert names(net) == OUTER_NAMES
    assert list(net.parameters_dict()) == OUTER_NAMES
    assert [item.name for item in net.trainable_params()] == OUTER_NAMES
    assert [item.name for item in net.get_parameters(expand=False)] == ["given"]
    assert [item.name for item in net.trainable_params(recurse=False)] == ["given"]
    assert [name for name, _ in net.parameters_and_names()] == [
        "c", "a.w", "a.b", "sequence.0.w", "sequence.0.b", "sequence.2.w", "sequence.2.b", "several.0.w", "several.0.b",
        "several.1.w", "several.1.b",
    ]  # fmt: skip


def test_names_under_wrappers() -> None:
    assert names(Wrapper(Outer(), auto_prefix=False)) == OUTER_NAMES
    assert names(Wrapper(Inner())) == ["network.w", "network.b"]
    assert names(Wrapper(Wrapper(Inner(), auto_prefix=False))) == ["network.network.w", "network.network.b"]
    inner = Inner()
    wrappers = [Wrapper(inner), Wrapper(inner)]
    assert names(wrappers[0]) == ["network.w", "network.b"]
    inner.late = parameter(name="late")
    assert names(wrappers[1]) == ["network.w", "network.b", "late"]


def test_parameters_that_two_cells_share() -> None:
    class Shares(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.x = Inner()
            self.y = Inner()
            self.y.w = self.x.w

    assert names(Shares()) == ["x.w", "x.b", "y.b"]


def test_parameters_in_tuples_and_cells_in_lists() -> None:
    class Holds(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.tuple = ParameterTuple([parameter(name="p0"), parameter(name="p1")])
            self.list = [Inner(), Inner()]  # a plain list: its Cells are not the Cell's own

    assert names(Holds()) == ["p0", "p1"]
    assert names(Wrapper(Holds())) == ["network.p0", "network.p1"]


def test_names_of_library_layers() -> None:
    assert names(nn.Dense(2, 3)) == ["weight", "bias"]
    assert names(nn.Conv2d(1, 2, 3, has_bias=True)) == ["weight", "bias"]
    assert names(nn.BatchNorm2d(2)) == ["mean", "variance", "gamma", "beta"]
    assert names(Wrapper(nn.BatchNorm2d(2)))[:2] == ["network.moving_mean", "network.moving_variance"]
    assert [item.name for item in nn.BatchNorm2d(2).trainable_params()] == ["gamma", "beta"]


def test_sub_cells() -> None:
    net = Outer()
    assert [(name, type(cell).__name__) for name, cell in net.cells_and_names()] == [
        ("", "Outer"), ("a", "Inner"), ("sequence", "SequentialCell"), ("sequence.0", "Inner"), ("sequence.1", "ReLU"),
        ("sequence.2", "Inner"), ("several", "CellList"), ("several.0", "Inner"), ("several.1", "Inner"),
    ]  # fmt: skip
    assert list(net.name_cells()) == ["a", "sequence", "several"]
    assert [type(cell).__name__ for cell in net.cells()] == ["Inner", "SequentialCell", "CellList"]
    assert net.get_sub_cell("sequence.2") is net.sequence[2]
    assert net.cls_name == "Outer"
    visited: list[str] = []
    Wrapper(Inner()).apply(lambda cell: visited.append(type(cell).__name__))
    assert visited == ["Inner", "Wrapper"]


def test_repr() -> None:
    assert repr(nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())) == (
        "SequentialCell(\n  (0): Dense(input_channels=2, output_channels=3, has_bias=True)\n  (1): ReLU()\n)"
    )
    assert repr(Wrapper(Inner())) == "Wrapper(\n  (network): Inner()\n)"


def test_modes() -> None:
    net = Outer()
    assert not any(cell.training for _, cell in net.cells_and_names())
    assert net.set_train() is net
    assert all(cell.training for _, cell in net.cells_and_names())
    net.set_train(False)
    assert not any(cell.training for _, cell in net.cells_and_names())
    assert net.set_grad().requires_grad
    assert not net.a.requires_grad
    with pytest.raises(TypeError, match="set_train takes a bool, but got str"):
        net.set_train("yes")  # type: ignore[arg-type]


def test_training_mode_is_seen_by_compiled_code(mode: int) -> None:
    class Net(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2 if self.training else x

    net = Net()
    assert net(Tensor(1.0)).asnumpy() == 1.0
    assert net.set_train()(Tensor(1.0)).asnumpy() == 2.0
    assert net.set_train(False)(Tensor(1.0)).asnumpy() == 1.0


def test_frozen_parameters() -> None:
    net = Outer()
    net.a.w.requires_grad = False
    assert [item.name for item in net.untrainable_params()] == ["shared.w"]
    assert "shared.w" not in [item.name for item in net.trainable_params()]


def test_flags() -> None:
    net = Wrapper(Inner())
    net.add_flags(one=1)
    net.add_flags_recursive(two=2)
    assert (net.one, net.two, net.network.two) == (1, 2, 2)
    assert net.get_flags() == {"one": 1, "two": 2}


def assign(owner: nn.Cell, name: str, value: Any) -> Callable[[], None]:
    """A call that assigns an attribute."""
    return lambda: setattr(owner, name, value)


def test_assignment_to_attributes() -> None:
    net = Inner()
    net.w = Tensor([7.0])  # type: ignore[assignment]
    assert isinstance(net.w, Parameter)
    assert net.w.asnumpy() == [7.0]
    net.w = parameter(8.0, name="new")
    assert names(net) == ["new", "b"]
    net.w = None  # type: ignore[assignment]
    assert names(net) == ["b"]
    net.plain = 3
    net.plain = parameter(name="plain")
    assert names(net) == ["b", "plain"]
    outer = Outer()
    outer.a = nn.ReLU()  # type: ignore[assignment]
    assert isinstance(outer.a, nn.ReLU)
    assert outer.shared.w.name == "shared.w"
    outer.shared = None  # type: ignore[assignment]
    assert list(outer.name_cells()) == ["a", "sequence", "several"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: setattr(Inner(), "w", "text"),
            "Parameter 'w' already exists in network, can not assign this type: '<class 'str'>' as a parameter",
        ),
        (lambda: setattr(Inner(), "w", nn.ReLU()), "'w' of Inner is a Parameter already"),
        (lambda: setattr(Outer(), "a", 3), "'a' of Outer already exists as a Cell: assign a Cell or None to it"),
        (
            lambda: setattr(Outer(), "a", Tensor(1.0)),
            "'a' of Outer already exists as a Cell: assign a Cell or None to it",
        ),
        (lambda: setattr(Outer(), "a", parameter(name="a")), "'a' of Outer is a Cell already"),
    ],
)
def test_assignments_that_are_refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_deletion() -> None:
    net = Outer()
    del net.a
    assert list(net.name_cells()) == ["sequence", "several", "shared"]
    inner = Inner()
    del inner.w
    assert names(inner) == ["b"]
    with pytest.raises(AttributeError, match="nothing"):
        del inner.nothing


def test_insertion() -> None:
    net = Inner()
    net.insert_param_to_cell("z", parameter(name="own name"))
    net.insert_param_to_cell("y", parameter())
    assert names(net) == ["w", "b", "own name", "y"]
    net.insert_child_to_cell("k", nn.ReLU())
    assert isinstance(net.k, nn.ReLU)
    net.insert_child_to_cell("k", nn.Tanh())
    assert isinstance(net.k, nn.Tanh)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: Inner().insert_param_to_cell("z.z", parameter()), KeyError, "should not contain '.', but is 'z.z'"),
        (lambda: Inner().insert_param_to_cell("", parameter()), KeyError, "should not be empty"),
        (lambda: Inner().insert_param_to_cell("z", 3), TypeError, "'param' must be 'Parameter' if not None"),
        (lambda: Inner().insert_param_to_cell("construct", parameter()), KeyError, "is an attribute of Inner already"),
        (lambda: Inner().insert_child_to_cell("q", 3), TypeError, "'child_cell' must be 'Cell' if not None"),
        (lambda: Inner().insert_child_to_cell(3, Inner()), TypeError, "'child_name' must be str"),
        (lambda: Inner().insert_child_to_cell("w", Inner()), KeyError, "'w' is an attribute of Inner already"),
    ],
)
def test_insertions_that_are_refused(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_cell_lists() -> None:
    cells = nn.CellList([Inner(), Inner()])
    cells.append(Inner())
    assert names(cells) == ["0.w", "0.b", "1.w", "1.b", "2.w", "2.b"]
    cells.insert(0, Inner())
    cells.extend([Inner()])
    assert len(cells) == 5
    assert isinstance(cells[1:3], nn.CellList)
    assert len(cells[1:3]) == 2
    assert cells[-1] is cells[4]
    cells[0] = nn.ReLU()
    assert isinstance(cells[0], nn.ReLU)
    del cells[0]
    assert list(cells.name_cells()) == ["0", "1", "2", "3"]
    assert [type(cell).__name__ for cell in cells] == ["Inner"] * 4


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: nn.CellList([3]), TypeError, "CellList holds Cells, but got int"),
        (
            lambda: nn.SequentialCell(Inner(), ops.relu),
            TypeError,
            r"holds Cells, but got a function: .*, such as nn.ReLU\(\) for",
        ),
        (lambda: nn.CellList([Inner()]).append(3), TypeError, "CellList holds Cells, but got int"),
        (lambda: nn.CellList([Inner()])[4], IndexError, "CellList has 1 cells, but the index is 4"),
        (lambda: nn.CellList([Inner()])(Tensor(1.0)), NotImplementedError, "computes nothing itself"),
        (lambda: nn.SequentialCell(3), TypeError, "SequentialCell takes Cells, a list of Cells or an OrderedDict"),
    ],
)
def test_mistakes_with_containers(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_sequences(mode: int) -> None:
    cells = nn.SequentialCell([Inner(), nn.ReLU()])
    assert cells(Tensor([1.0])).asnumpy() == [3.0]
    cells.append(Inner())
    assert names(cells) == ["0.w", "0.b", "2.w", "2.b"]
    assert cells(Tensor([1.0])).asnumpy() == [5.0]
    assert isinstance(cells[0:2], nn.SequentialCell)
    named = nn.SequentialCell(OrderedDict([("one", Inner()), ("two", Inner())]))
    assert names(named) == ["one.w", "one.b", "two.w", "two.b"]


def test_hooks(mode: int) -> None:
    net = Inner()
    before = net.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 10,))
    after = net.register_forward_hook(lambda cell, inputs, output: output + 1)
    assert net(Tensor([1.0])).asnumpy() == [13.0]
    before.remove()
    assert net(Tensor([1.0])).asnumpy() == [4.0]
    after.remove()
    after.remove()
    assert net(Tensor([1.0])).asnumpy() == [3.0]
    with pytest.raises(TypeError, match="callable hook function, but got int"):
        net.register_forward_hook(3)  # type: ignore[arg-type]


def test_hooks_see_cell_inputs_and_output() -> None:
    net, seen = Inner(), []
    net.register_forward_pre_hook(lambda cell, inputs: seen.append((type(cell).__name__, len(inputs))))
    net.register_forward_hook(lambda cell, inputs, output: seen.append((output.shape, len(inputs))))
    net(Tensor([1.0]))
    assert seen == [("Inner", 1), ((1,), 1)]


def test_backward_hooks(mode: int) -> None:
    net = Inner()
    handle = net.register_backward_hook(lambda cell, grad_input, grad_output: (grad_output[0] * 10,))
    assert ms.grad(net)(Tensor([1.0])).asnumpy() == [10.0]
    handle.remove()
    assert ms.grad(net)(Tensor([1.0])).asnumpy() == [1.0]


def test_copies_are_independent(mode: int) -> None:
    net = Outer()
    net(Tensor([1.0]))
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert names(other) == names(net)
        assert other.shared is other.a
        other.a.w.set_data(Tensor([50.0]))
        assert net.a.w.asnumpy() == [1.0]
        assert other(Tensor([1.0])).asnumpy() == [156.0]
        assert net(Tensor([1.0])).asnumpy() == [9.0]


class CopiedSlots(nn.Cell):
    __slots__ = ("__hidden", "empty", "weight")

    def __init__(self) -> None:
        super().__init__()
        self.__hidden = [5]
        self.weight = Parameter(Tensor([1.0]), name="w")

    def hidden(self) -> list[int]:
        return self.__hidden


def test_copies_have_what_is_in_slots() -> None:
    net = CopiedSlots()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert other.hidden() == [5]
        assert other.hidden() is not net.hidden()
        assert other.weight.asnumpy() == [1.0]
        assert other.weight is not net.weight
        assert not hasattr(other, "empty")


def test_keyword_arguments(mode: int) -> None:
    assert Inner()(x=Tensor([1.0])).asnumpy() == [3.0]


def test_a_cell_in_a_lower_precision(mode: int) -> None:
    net = nn.Dense(2, 1, weight_init="ones").to_float(ms.float16)
    assert net(Tensor([[1.0, 2.0]])).dtype == ms.float16
    assert net.weight.dtype == ms.float32
    with pytest.raises(ValueError, match="to_float takes float32, float16 or bfloat16, but got Int32"):
        net.to_float(ms.int32)


def test_param_prefix_is_the_path_of_a_cell():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.SequentialCell(nn.ReLU()))
    assert net[1][0].param_prefix == ""
    net.update_cell_prefix()
    assert [net.param_prefix, net[0].param_prefix, net[1][0].param_prefix] == ["", "0", "1.0"]
    net.update_cell_type("second-order")
    assert net.cell_type == "second-order"


def test_a_description_of_several_lines_is_indented():
    class Net(nn.Cell):
        def extend_repr(self):
            return "a=1,\nb=2"

    assert repr(Net()) == "Net(\n  a=1,\n  b=2\n)"
    assert repr(nn.SequentialCell(Net())) == "SequentialCell(\n  (0): Net(\n    a=1,\n    b=2\n  )\n)"


def test_a_linear_layer_of_mint_takes_the_initial_bias():
    layer = ms.mint.nn.Linear(2, 3, weight_init="ones", bias_init="ones")
    assert layer(Tensor([[1.0, 2.0]])).asnumpy().tolist() == [[4, 4, 4]]
    assert [parameter.name for parameter in layer.get_parameters()] == ["weight", "bias"]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_blank_name_is_none(name: str) -> None:
    parameter = ms.Parameter(ms.Tensor([1.0]), name=name)
    assert parameter.name.startswith("Parameter#")
    cell = ms.nn.Cell()
    cell.weight = ms.Parameter(ms.Tensor([1.0]), name=name)
    assert cell.weight.name == "weight"


def test_a_parameter_is_not_made_of_a_bool():
    with pytest.raises(ValueError, match="cannot be made of a bool"):
        Parameter(True)
    assert Parameter(Tensor(True)).dtype == ms.bool_


class Slotted(nn.Cell):
    __slots__ = ("k", "w")

    def __init__(self) -> None:
        super().__init__()
        self.k = 2.0
        self.w = Parameter(Tensor([1.0]), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.w * self.k


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_parameters_may_have_slots(mode: int) -> None:
    ms.set_context(mode=mode)
    net = Slotted()
    assert net(Tensor([3.0])).asnumpy() == 6.0
    net.k = 3.0
    net.w = Tensor([2.0])
    assert net(Tensor([3.0])).asnumpy() == 18.0
    assert [p.name for p in net.trainable_params()] == ["w"]
    with pytest.raises(KeyError, match="attribute of Slotted already"):
        net.k = Parameter(Tensor([1.0]))
