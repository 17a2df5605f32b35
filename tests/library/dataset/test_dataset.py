"""Pipelines: rows, batches, order, and the errors of rows that don't fit."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, dataset as ds


class Squares:
    def __len__(self) -> int:
        return 5

    def __getitem__(self, index: int) -> tuple[np.ndarray, int]:
        return np.float32([index, index + 0.5]), index * index


def squares(**options: object) -> ds.GeneratorDataset:
    return ds.GeneratorDataset(Squares(), ["x", "y"], **options)


def labels(dataset: ds.Dataset) -> list[object]:
    return [row["y"].tolist() for row in dataset.create_dict_iterator(output_numpy=True)]


def test_rows_are_tensors_of_the_columns() -> None:
    rows = list(squares(shuffle=False).create_tuple_iterator())
    assert all(isinstance(part, Tensor) for part in rows[0])
    assert rows[3][0].dtype is ms.float32
    assert rows[3][1].dtype is ms.int64
    assert rows[3][1].item() == 9


def test_batches() -> None:
    whole = squares(shuffle=False).batch(2)
    assert labels(whole) == [[0, 1], [4, 9], [16]]
    assert whole.get_dataset_size() == 3
    assert whole.get_batch_size() == 2
    dropped = squares(shuffle=False).batch(2, drop_remainder=True)
    assert labels(dropped) == [[0, 1], [4, 9]]
    assert dropped.get_dataset_size() == 2


def test_each_pass_starts_anew_and_shuffles_anew() -> None:
    ds.config.set_seed(3)
    shuffled = squares()
    passes = [labels(shuffled) for _ in range(6)]
    assert all(sorted(found) == [0, 1, 4, 9, 16] for found in passes)
    assert len({tuple(found) for found in passes}) > 1
    ds.config.set_seed(3)
    assert [labels(shuffled) for _ in range(6)] == passes


def test_operations_chain() -> None:
    data = squares(shuffle=False).map(lambda y: y + 1, "y").filter(lambda y: y % 2 == 1, "y").rename("x", "z")
    assert labels(data) == [1, 5, 17]
    assert data.get_col_names() == ["z", "y"]
    assert labels(squares(shuffle=False).repeat(2).skip(4).take(3)) == [16, 0, 1]
    assert labels(squares(shuffle=False).concat(squares(shuffle=False)).project(["y"]).batch(10))[0][-1] == 16
    both = squares(shuffle=False).project("y").zip(squares(shuffle=False).project("x").rename("x", "z"))
    assert both.get_col_names() == ["y", "z"]
    assert both.output_shapes() == [[], [2]]
    assert sorted(labels(squares(shuffle=False).shuffle(3))) == [0, 1, 4, 9, 16]


def test_map_may_change_the_number_of_columns() -> None:
    data = squares(shuffle=False).map(lambda x, y: (x.sum(), x, y), ["x", "y"], ["total", "x", "y"])
    first = next(data.create_dict_iterator(output_numpy=True))
    assert list(first) == ["total", "x", "y"]
    assert first["total"] == 0.5


def test_split_covers_every_row_once() -> None:
    first, second = squares(shuffle=False).split([0.6, 0.4])
    assert len(first) == 3
    assert sorted(labels(first) + labels(second)) == [0, 1, 4, 9, 16]


def test_samplers_and_shards() -> None:
    assert labels(squares(sampler=ds.SubsetSampler([3, 1]))) == [9, 1]
    assert labels(squares(sampler=[4, 0])) == [16, 0]
    assert labels(squares(shuffle=False, num_shards=2, shard_id=1)) == [1, 9, 0]  # shards have equally many rows
    assert len(labels(squares(sampler=ds.RandomSampler(num_samples=2)))) == 2


def test_padded_batches() -> None:
    rows = ds.GeneratorDataset([np.arange(2), np.arange(3)], "a", shuffle=False)
    (batch,) = next(rows.padded_batch(2, pad_info={"a": ([None], -1)}).create_tuple_iterator(output_numpy=True))
    assert batch.tolist() == [[0, 1, -1], [0, 1, 2]]
    (batch,) = next(rows.padded_batch(2, pad_info={"a": ([2], -1)}).create_tuple_iterator(output_numpy=True))
    assert batch.tolist() == [[0, 1], [0, 1]]  # longer rows are cut off, as PadEnd does
    with pytest.raises(RuntimeError, match="cannot be padded to the shape"):
        next(rows.padded_batch(2, pad_info={"a": ([2, 2], -1)}).create_tuple_iterator())
    two = ds.GeneratorDataset([(np.arange(2), np.arange(1)), (np.arange(3), np.arange(2))], ["a", "b"], shuffle=False)
    with pytest.raises(RuntimeError, match="column 'b' differ in shape"):  # only the columns that are named are padded
        next(two.padded_batch(2, pad_info={"a": None}).create_tuple_iterator())
    with pytest.raises(RuntimeError, match="no column 'c'"):
        two.padded_batch(2, pad_info={"c": None})


def test_transforms() -> None:
    one_hot = ds.transforms.Compose([ds.transforms.OneHot(3), ds.transforms.TypeCast(ms.float32)])
    assert one_hot(np.int32(1)).tolist() == [0.0, 1.0, 0.0]
    assert one_hot(np.int32(1)).dtype == np.float32
    with pytest.raises(RuntimeError, match="out of range"):
        one_hot(np.int32(3))


def test_rows_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="parts"):
        next(ds.GeneratorDataset([(1, 2)], ["a"]).create_tuple_iterator())
    with pytest.raises(RuntimeError, match="differ in shape"):
        next(ds.GeneratorDataset([np.zeros(2), np.zeros(3)], ["a"]).batch(2).create_tuple_iterator())
    with pytest.raises(RuntimeError, match="no column 'q'"):
        squares().map(lambda q: q, "q")
    with pytest.raises(ValueError, match="batch_size"):
        squares().batch(0)
    with pytest.raises(TypeError, match="source"):
        ds.GeneratorDataset(3, ["a"])
    for wrong, error in (([], ValueError), ([0.5, 0.6], ValueError), ([2, 2], RuntimeError)):
        with pytest.raises(error, match="sizes"):
            squares().split(wrong)
    with pytest.raises(ValueError, match="two datasets"):
        ds.zip((squares(),))
    with pytest.raises(ValueError, match="at least one row"):
        ds.NumpySlicesDataset([])
    for operation in (squares().batch, squares().repeat):
        with pytest.raises(TypeError):
            operation("a")
    with pytest.raises(TypeError, match="pad_info"):
        squares().padded_batch(2, pad_info=3)


class Refused(Exception):
    def __init__(self, place: int, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place


def test_errors_of_functions_are_of_two_classes() -> None:
    def refuse(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        raise Refused(7, "no")

    rows = squares(shuffle=False)
    for function, kind in ((lambda y: 1 // int(y), ZeroDivisionError), (lambda y: {}["q"], KeyError)):
        for caught in (kind, RuntimeError):
            with pytest.raises(caught) as found:
                list(rows.map(function, "y"))
            assert [entry.name for entry in found.traceback][-1] == "<lambda>"
            own = sum("rows.py" in str(entry.path) for entry in found.traceback)
            assert own <= (sys.version_info < (3, 11))  # where Python adds the frame that raises again
    with pytest.raises(RuntimeError, match="7: no") as refused:
        list(rows.map(refuse, ["x", "y"], ["x"]))
    assert isinstance(refused.value, Refused)
    assert refused.value.place == 7
    with pytest.raises(FileNotFoundError, match="/nowhere"):  # it holds a file, and stays as it is
        list(rows.map(lambda y: Path("/nowhere").read_bytes(), "y"))


@pytest.mark.parametrize(
    ("mode", "bad", "expected"),
    [
        ("SKIP", (1,), [0, 2, 3, 4, 5]), ("SKIP", (0, 1, 2, 3, 4, 5), []), ("REPLACE", (1,), [0, 2, 3, 4, 5, 0]),
        ("REPLACE", (1, 3), [0, 2, 4, 5, 0, 2]), ("REPLACE", (0, 1, 2, 3), [4, 5, 4, 5, 4, 5]),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_made_are_left_out_or_replaced(
    mode: str, bad: tuple[int, ...], expected: list[int]
) -> None:
    """As in MindSpore 2.10."""

    def refuse(x: np.ndarray) -> np.ndarray:
        if int(x) in bad:
            raise KeyError("bad")
        return x

    rows = ds.NumpySlicesDataset(np.arange(6), ["a"], shuffle=False).map(refuse, ["a"])
    try:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode[mode])
        assert [int(row[0]) for row in rows] == expected
        assert rows.get_dataset_size() == 6
        bad = tuple(range(6))
        if mode == "REPLACE":
            with pytest.raises(RuntimeError, match="failed for each row"):
                list(rows)
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)
    with pytest.raises(RuntimeError, match="bad"):
        list(rows)
    with pytest.raises(TypeError, match="should be an ErrorSamplesMode"):
        ds.config.set_error_samples_mode("x")  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["SKIP", "REPLACE"])
def test_a_wrong_number_of_values_is_an_error_in_each_mode(mode: str) -> None:
    """As in MindSpore 2.10: else the pass would have no rows, and say nothing."""
    rows = ds.NumpySlicesDataset(np.arange(6), ["a"], shuffle=False).map(lambda x: (x, x), ["a"], ["b"])
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode[mode])
    try:
        with pytest.raises(RuntimeError, match="give 2 values for the columns"):
            list(rows)
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


def test_a_source_gives_single_rows() -> None:
    """Those that a pass visits, as in MindSpore 2.10."""
    data = {"a": np.arange(9), "b": np.arange(9) * 2.0}
    rows = ds.NumpySlicesDataset(data, sampler=[2, 7, 5])
    assert rows[1] == (7, 14.0)
    for wrong in (3, -1):
        with pytest.raises(RuntimeError, match=f"has no row {wrong}: a pass has 3"):
            rows[wrong]
    with pytest.raises(TypeError, match="should be an int"):
        rows[0:2]  # type: ignore[index]
    assert ds.NumpySlicesDataset(data, num_shards=3, shard_id=1, shuffle=False)[1] == (4, 8.0)
    rows = ds.NumpySlicesDataset(data, shuffle=True)
    places = [rows[place][0] for place in range(9)]
    assert sorted(places) == list(range(9))
    assert places == [rows[place][0] for place in range(9)]
    rows.use_sampler(ds.SequentialSampler())
    assert rows[8] == (8, 16.0)
    with pytest.raises(RuntimeError, match="a source without __getitem__"):
        ds.GeneratorDataset(lambda: iter([1]), ["a"])[0]


@pytest.mark.parametrize("shuffle", [False, True])
def test_what_a_source_raises_is_a_runtime_error_too(shuffle: bool) -> None:
    class Failing:
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Any:
            raise KeyError("no such row")

    rows = ds.GeneratorDataset(Failing(), ["x"], shuffle=shuffle)
    for ask in (rows.output_shapes, rows.output_types, rows.batch(1).output_shapes, lambda: list(rows)):
        for kind in (KeyError, RuntimeError):
            with pytest.raises(kind, match="no such row"):
                ask()


@pytest.mark.parametrize(
    "use",
    [
        list, len, ds.Dataset.output_shapes, lambda rows: list(rows.batch(2)), ds.Dataset.get_dataset_size,
        lambda rows: rows.save(str(Path(tempfile.mkdtemp(), "rows"))),
    ],
)  # fmt: skip
def test_errors_of_generators_are_of_two_classes(use: Any) -> None:
    def broken() -> Any:
        yield 1 // 0

    for caught in (ZeroDivisionError, RuntimeError):
        with pytest.raises(caught):
            use(ds.GeneratorDataset(broken, "x"))


def test_where_there_is_no_row_there_are_no_shapes() -> None:
    empty = ds.GeneratorDataset(lambda: iter(()), "x")
    assert empty.output_shapes() == empty.output_types() == empty.batch(2).output_shapes() == []


def test_flat_map_joins_the_datasets_of_rows() -> None:
    rows = ds.NumpySlicesDataset([[0, 1], [2, 3]], shuffle=False)
    flat = rows.flat_map(lambda row: ds.NumpySlicesDataset(row, shuffle=False).repeat(2))
    assert [int(item[0]) for item in flat] == [0, 1, 0, 1, 2, 3, 2, 3]
    assert flat.get_dataset_size() == 8
    pairs = ds.NumpySlicesDataset(([[0, 1]], [[5, 6]]), shuffle=False)
    both = pairs.flat_map(lambda a, b: ds.NumpySlicesDataset((a + 1, b - 1), shuffle=False))
    assert [[int(item) for item in row] for row in both] == [[1, 4], [2, 5]]
    with pytest.raises(TypeError, match="a function"):
        rows.flat_map(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Dataset"):
        rows.flat_map(lambda row: 3)  # type: ignore[arg-type, return-value]


def test_a_generator_has_columns() -> None:
    with pytest.raises(ValueError, match="column_names"):
        ds.GeneratorDataset([1], [])


def test_the_seed_is_the_one_given_last():
    ds.config.set_seed(4)
    assert ds.config.get_seed() == 4
    ms.set_seed(5)
    assert ds.config.get_seed() == 5
    ds.config.set_seed(6)
    assert ds.config.get_seed() == 6


def test_operations_that_cannot_be_called_and_sizes_that_are_no_ints():
    data = ds.NumpySlicesDataset([1, 2])
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match="map takes functions"):
            data.map(3)
    with pytest.raises(
        ValueError, match=r"map takes functions and transforms, but got the class Resize: write Resize\(…\)"
    ):
        data.map(ds.vision.Resize)
    with pytest.raises(ValueError, match=r"but got the class float32: write lambda x: float32\(x\)"):
        data.map(np.float32)
    with pytest.raises(TypeError, match=r"but got NoneType\. A function without 'return' gives None"):
        next(iter(data.map(lambda number: None)))
    with pytest.raises(TypeError, match="'buffer_size' should be an int"):
        data.shuffle(2.5)


CHANGES = [
    lambda data: data,
    lambda data: data.shuffle(5),
    lambda data: data.skip(3).take(9),
    lambda data: data.repeat(2),
    lambda data: data.rename("x", "z"),
    lambda data: data.split([0.5, 0.5])[0],
    lambda data: data.shuffle(4).repeat(2).skip(1),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("order", [{"shuffle": False}, {"shuffle": True}, {"num_shards": 2, "shard_id": 1}])
def test_batches_that_are_taken_from_arrays_at_once_are_those_of_rows(change, order):
    arrays = {"x": np.arange(28).reshape(14, 2), "y": np.arange(14, dtype=np.float32), "b": np.arange(14) > 6}
    found = []
    for rows in (ds.NumpySlicesDataset, type("Rows", (ds.NumpySlicesDataset,), {})):
        ds.config.set_seed(3)
        data = change(rows(arrays, **order)).batch(4)
        found.append([*data.create_tuple_iterator(output_numpy=True), *data.create_tuple_iterator(output_numpy=True)])
        assert (data.parent.picked() is None) == (rows is not ds.NumpySlicesDataset)
    assert len(found[0]) == len(found[1])
    for one, other in zip(*found, strict=True):
        for a, b in zip(one, other, strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)


def test_batches_of_arrays_are_copies_and_strings_are_stacked():
    x = np.zeros((4, 2), np.float32)
    (batch,) = next(iter(ds.NumpySlicesDataset(x, shuffle=False).batch(4).create_tuple_iterator(output_numpy=True)))
    batch[:] = 1
    assert not x.any()
    words = ds.NumpySlicesDataset({"w": np.array(["a", "bcd"])}, shuffle=False).batch(2)
    assert [row["w"].tolist() for row in words.create_dict_iterator(output_numpy=True)] == [["a", "bcd"]]


def test_a_source_that_is_a_class_is_told():
    class Data:
        def __getitem__(self, index):
            return index

        def __len__(self):
            return 2

    with pytest.raises(TypeError, match=r"got the class Data: write Data\(…\)"):
        ds.GeneratorDataset(Data, ["x"])
    assert len(list(ds.GeneratorDataset(Data(), ["x"]))) == 2


def test_a_source_may_be_a_class_that_is_a_sequence():
    class Sequences(type):
        def __getitem__(cls, index):
            return index

        def __len__(cls):
            return 3

    class Data(metaclass=Sequences):
        pass

    assert len(list(ds.GeneratorDataset(Data, ["x"]))) == 3
