"""The names of Parameters in containers of Cells, which are in every checkpoint: as MindSpore 2.10 gives them."""

from __future__ import annotations

import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mycel import Parameter, Tensor, nn

RECORDED = json.loads((Path(__file__).parents[1] / "recorded" / "parameter_names.json").read_text())


def D() -> Any:
    """A layer with one Parameter."""
    return nn.Dense(1, 1, has_bias=False)


class Wrap(nn.Cell):
    """A Cell around another one."""

    def __init__(s, cell):
        super().__init__()
        s.body = cell


class Two(nn.Cell):
    """The same with a layer of its own."""

    def __init__(s, a):
        super().__init__()
        s.a = a
        s.b = D()


def block():
    s = nn.SequentialCell()
    s.append(D())
    s.append(D())
    return s


def blockl():
    s = nn.CellList()
    s.append(D())
    s.append(D())
    return s


PROGRAMS = {}


def prog(function):
    PROGRAMS[function.__name__] = function
    return function


@prog
def seq_append():
    return block()


@prog
def list_append():
    return blockl()


@prog
def wrap_seq_append():
    return Wrap(block())


@prog
def wrap_list_append():
    return Wrap(blockl())


@prog
def seq_of_two():
    s = nn.SequentialCell()
    s.append(Two(D()))
    s.append(Two(D()))
    return s


@prog
def list_of_two():
    s = nn.CellList()
    s.append(Two(D()))
    s.append(Two(D()))
    return s


@prog
def list_of_blocks():
    s = nn.CellList()
    s.append(block())
    s.append(block())
    return s


@prog
def list_of_two_blocks():
    s = nn.CellList()
    s.append(Two(block()))
    s.append(Two(blockl()))
    return s


@prog
def seq_of_two_blocks():
    s = nn.SequentialCell()
    s.append(Two(block()))
    s.append(Two(blockl()))
    return s


@prog
def wrap_list_of_two_blocks():
    return Wrap(list_of_two_blocks())


@prog
def wrap_seq_of_two_blocks():
    return Wrap(seq_of_two_blocks())


@prog
def extend_empty():
    s = nn.CellList()
    s.extend([D(), D()])
    return s


@prog
def extend_empty_two():
    s = nn.CellList()
    s.extend([Two(D()), Two(D())])
    return s


@prog
def extend_full():
    s = nn.CellList([D()])
    s.extend([Two(D()), Two(D())])
    return s


@prog
def insert_empty():
    s = nn.CellList()
    s.insert(0, Two(D()))
    s.insert(0, D())
    return s


@prog
def insert_full():
    s = nn.CellList([Two(D()), D()])
    s.insert(0, D())
    s.insert(2, Two(D()))
    return s


@prog
def insert_negative():
    s = nn.CellList([Two(D()), D()])
    s.insert(-1, D())
    return s


@prog
def seq_full_append():
    s = nn.SequentialCell(D(), Two(D()))
    s.append(D())
    s.append(Two(D()))
    return s


@prog
def list_full_append():
    s = nn.CellList([D(), Two(D())])
    s.append(D())
    s.append(Two(D()))
    return s


@prog
def seq_odict():
    return nn.SequentialCell(OrderedDict([("x", Two(D())), ("y", D())]))


@prog
def seq_odict_append():
    s = nn.SequentialCell(OrderedDict([("x", Two(D())), ("y", D())]))
    s.append(D())
    return s


@prog
def held_then_append():
    w = Wrap(nn.SequentialCell())
    w.body.append(D())
    w.body.append(Two(D()))
    return w


@prog
def held_list_then_append():
    w = Wrap(nn.CellList())
    w.body.append(D())
    w.body.append(Two(D()))
    return w


@prog
def held_full_then_append():
    w = Wrap(nn.SequentialCell(D()))
    w.body.append(D())
    w.body.append(Two(D()))
    return w


@prog
def held_full_list_then_append():
    w = Wrap(nn.CellList([D()]))
    w.body.append(D())
    w.body.append(Two(D()))
    return w


@prog
def held_list_insert():
    w = Wrap(nn.CellList([D()]))
    w.body.insert(0, Two(D()))
    return w


@prog
def held_list_extend():
    w = Wrap(nn.CellList([D()]))
    w.body.extend([D(), Two(D())])
    return w


@prog
def set_item():
    s = nn.SequentialCell(D(), Two(D()))
    s[0] = Two(D())
    return Wrap(s)


@prog
def set_item_held():
    w = Wrap(nn.CellList([D(), Two(D())]))
    w.body[1] = Two(D())
    return w


@prog
def del_item():
    s = nn.SequentialCell(D(), Two(D()), D())
    del s[0]
    return s


@prog
def del_item_list():
    s = nn.CellList([D(), Two(D()), D()])
    del s[0]
    return s


@prog
def del_slice():
    s = nn.CellList([D(), Two(D()), D(), D()])
    del s[1:3]
    return s


@prog
def del_named():
    s = nn.SequentialCell(OrderedDict([("x", Two(D())), ("y", D()), ("z", Two(D()))]))
    s.append(D())
    del s[0]
    return s


@prog
def slice_list():
    return nn.CellList([D(), Two(D()), D()])[1:]


@prog
def slice_seq():
    return nn.SequentialCell(D(), Two(D()), D())[1:]


@prog
def slice_held():
    return Wrap(Wrap(nn.SequentialCell(D(), Two(D()), D()))).body.body[1:]


@prog
def star_list():
    return nn.SequentialCell(*[D(), Two(block())])


@prog
def list_arg():
    return nn.SequentialCell([D(), Two(block())])


@prog
def celllist_arg():
    return nn.SequentialCell(nn.CellList([D(), D()]))


@prog
def seq_of_list():
    return nn.SequentialCell(list(nn.CellList([Two(D()), D()])))


@prog
def celldict():
    s = nn.CellDict({"x": D()})
    s["y"] = Two(D())
    s.update({"z": Two(block())})
    return Wrap(s)


@prog
def celldict_empty():
    s = nn.CellDict()
    s["y"] = Two(D())
    s.update([("z", D())])
    return s


@prog
def auto_prefix_false():
    return nn.CellList([Two(D()), Two(D())], auto_prefix=False)


@prog
def insert_child():
    c = nn.Cell()
    c.insert_child_to_cell("k", Two(D()))
    return c


@prog
def nested_seq():
    return nn.SequentialCell(nn.SequentialCell(D(), D()), nn.SequentialCell(Two(D())))


@prog
def deep():
    layers = nn.CellList()
    for _i in range(2):
        stage = nn.SequentialCell()
        for _j in range(2):
            stage.append(Two(nn.SequentialCell(D())))
        layers.append(stage)
    return Wrap(layers)


@prog
def deep_extend():
    layers = nn.CellList()
    for _i in range(2):
        stage = nn.CellList()
        stage.extend([Two(nn.CellList([D()])) for j in range(2)])
        layers.extend([stage])
    return Wrap(layers)


@prog
def append_params():
    class P(nn.Cell):
        def __init__(s):
            super().__init__()
            s.w = Parameter(Tensor(np.ones(1, np.float32)), name="my_w")
            s.v = Parameter(Tensor(np.ones(1, np.float32)))

    s = nn.SequentialCell()
    s.append(P())
    s.append(P())
    t = nn.SequentialCell(P(), P())
    return Two(nn.CellList([s, t]))


@prog
def reuse_same():
    d = D()
    s = nn.SequentialCell()
    s.append(d)
    s.append(d)
    return s


@prog
def twice_in_two():
    s = nn.SequentialCell(D())
    return nn.CellList([Wrap(s), Wrap(nn.SequentialCell(s, D()))])


@prog
def named_attr_seq():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.SequentialCell()
            self.layers.append(D())
            blocks = []
            for _i in range(2):
                blocks.append(Two(D()))
            self.blocks = nn.CellList(blocks)
            self.tail = nn.CellList()
            for _i in range(2):
                self.tail.append(nn.SequentialCell([D(), nn.ReLU(), Two(D())]))

    return Wrap(N())


@prog
def append_after_attr_list():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.up = nn.CellList()
            for _i in range(2):
                block = nn.CellList()
                attn = nn.CellList()
                block.append(D())
                attn.append(D())
                up = nn.Cell()
                up.block = block
                up.attn = attn
                self.up.append(up)

    return N()


@pytest.mark.parametrize("name", PROGRAMS)
def test_names(name: str) -> None:
    cell = PROGRAMS[name]()
    names = [own.name for own in cell.get_parameters()]
    assert [path for path, _ in cell.parameters_and_names()] == RECORDED[name]["paths"]
    assert names == RECORDED[name]["names"]
    assert [path for path, _ in cell.cells_and_names()] == RECORDED[name]["cells"]


def test_all_are_tried() -> None:
    assert set(PROGRAMS) == set(RECORDED)
