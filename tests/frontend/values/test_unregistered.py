"""Cells that a Cell holds in a plain list or dict: a warning says that they are not trained, and where the list is."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn


class InList(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = [nn.Dense(2, 2), nn.Dense(2, 2)]

    def construct(self, x: Any) -> Any:
        return self.layers[0](x)


class InTuple(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Dense(2, 2)
        self.layers = (1, nn.Dense(2, 2))


class InDict(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = {"a": nn.Dense(2, 2), "b": nn.ReLU()}


class InLists(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers: list[Any] = [[nn.SequentialCell(nn.Dense(2, 2))]]


class Inside(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.body = InListOfPart()


class InListOfPart(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.layers = []
        for _ in range(3):
            self.layers.append(nn.Dense(2, 2))


@pytest.mark.parametrize(
    ("kind", "owner", "count", "container"),
    [
        (InList, InList, 2, "CellList"),
        (InTuple, InTuple, 1, "CellList"),
        (InDict, InDict, 2, "CellDict"),
        (InLists, InLists, 1, "CellList"),
        (Inside, InListOfPart, 3, "CellList"),
    ],
)
def test_cells_in_a_plain_container(kind: Any, owner: type, count: int, container: str) -> None:
    lines, first = inspect.getsourcelines(owner)
    line = first + next(number for number, line in enumerate(lines) if "self.layers" in line)
    net = kind()
    with pytest.warns(UserWarning, match="not registered") as caught:
        net.trainable_params()
    (warning,) = caught
    text = str(warning.message)
    assert text.startswith(f"{__file__}:{line}: the {count} Cells in the ")
    assert f"'layers' of {owner.__name__} are not registered, so their Parameters are neither trained nor saved" in text
    assert text.endswith(f"write self.layers = nn.{container}(…)")
    assert warning.filename == __file__
    with warnings.catch_warnings():  # once for a class
        warnings.simplefilter("error")
        net.trainable_params()
        kind().trainable_params()


class Fine(nn.Cell):
    """Correct programs with Cells in lists: none of them loses Parameters."""

    def __init__(self, how: str) -> None:
        super().__init__()
        cells = [nn.Dense(2, 2), nn.Dense(2, 2)]
        if how == "cell list":
            self.blocks = nn.CellList(cells)
        elif how == "attributes":
            self.first, self.second = cells
        elif how == "insert":
            for position, cell in enumerate(cells):
                self.insert_child_to_cell(f"cell{position}", cell)
        elif how == "sequential":
            self.blocks = nn.SequentialCell(*cells)
        elif how == "append":
            self.blocks = nn.CellList()
            for cell in cells:
                self.blocks.append(cell)
        elif how == "no parameters":
            cells = [nn.ReLU(), nn.Dropout(p=0.5)]
        elif how == "frozen":
            for cell in cells:
                for parameter in cell.get_parameters():
                    parameter.requires_grad = False
        self.cells_again = cells
        self.by_name = {"a": cells[0]}
        self.sizes = [1, 2, 3]


@pytest.mark.parametrize(
    "how", ["cell list", "attributes", "insert", "sequential", "append", "no parameters", "frozen"]
)
def test_cells_that_are_registered_too(how: str) -> None:
    assert len(Fine(how).trainable_params()) in (0, 4)


def test_a_list_of_a_part_whose_cells_the_whole_has() -> None:
    class Part(nn.Cell):
        def __init__(self, cells: Any) -> None:
            super().__init__()
            self.cells_of_whole = list(cells)

    class Whole(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.CellList([nn.Dense(2, 2)])
            self.part = Part(self.layers)

    net = Whole()
    assert len(net.trainable_params()) == 2
    assert net.part.trainable_params() == []


def test_training_cells_and_optimizers_do_not_warn() -> None:
    net = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    train.trainable_params()
    train(Tensor(np.ones((1, 2), np.float32)), Tensor(np.ones((1, 2), np.float32)))


def test_names_of_parameters_that_are_alike() -> None:
    one, other = (ms.Parameter(Tensor([1.0]), name="w") for _ in range(2))
    with pytest.raises(ValueError, match=r"'w' already exists: give each a name of its own, Parameter\(…, name=…\)"):
        nn.SGD([one, other], 0.1)
