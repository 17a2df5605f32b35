"""Pipelines as in real programs: rows from generators or dicts, waiting, callbacks, batches by length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mycel as ms

ds = ms.dataset


class Pairs:
    """Five rows of a vector and a number."""

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        return np.array([index], np.float32), np.array(index, np.int32)

    def __len__(self) -> int:
        return 5


def rows(data: Any, **options: Any) -> list[Any]:
    """One pass, as arrays."""
    return list(data.create_tuple_iterator(output_numpy=True, num_epochs=1, **options))


def test_rows_that_are_generators() -> None:
    def source() -> Iterator[Any]:
        for number in range(2):
            yield (part for part in (np.array([number]), np.array([number * 2])))

    found = rows(ds.GeneratorDataset(source, ["a", "b"]))
    assert [[part.tolist() for part in row] for row in found] == [[[0], [0]], [[1], [2]]]


class Passes:
    """An iterator that begins anew, with other rows, for each pass."""

    def __init__(self) -> None:
        self.passes = 0

    def __iter__(self) -> Passes:
        self.passes += 1
        self.left = 2
        return self

    def __next__(self) -> Any:
        if not self.left:
            raise StopIteration
        self.left -= 1
        return (np.array(10 * self.passes + self.left),)


def test_iterators_that_begin_anew() -> None:
    data = ds.GeneratorDataset(Passes(), ["a"])
    assert [[int(row[0]) for row in rows(data)] for _ in range(3)] == [[11, 10], [21, 20], [31, 30]]
    assert not data.source._read
    for source in ((x for x in [1.0, 2.0]), iter([1.0, 2.0]), zip([1.0, 2.0])):
        data = ds.GeneratorDataset(source, ["a"])
        next(iter(data))
        assert [[float(row[0]) for row in rows(data)] for _ in range(3)] == [[1, 2]] * 3


def test_a_column_of_dicts() -> None:
    class Source:
        def __getitem__(self, index: int) -> Any:
            return ({"x": np.array([index]), "y": 2.0},)

        def __len__(self) -> int:
            return 2

    data = ds.GeneratorDataset(Source(), ["d"], shuffle=False)
    assert [row[0]["x"].tolist() for row in rows(data)] == [[0], [1]]
    (first, _) = data.create_dict_iterator(num_epochs=1)
    assert isinstance(first["d"]["y"], ms.Tensor)
    assert first["d"]["y"].dtype is ms.float64
    with pytest.raises(RuntimeError, match="are dicts: put them together with 'per_batch_map'"):
        rows(data.batch(2))


def test_dicts_from_a_function_of_batches() -> None:
    def together(a: Any, b: Any, info: Any) -> Any:
        return {"n": np.stack(a)}, np.stack(b)

    data = ds.GeneratorDataset(Pairs(), ["a", "b"], shuffle=False)
    data = data.batch(2, per_batch_map=together, input_columns=["a", "b"], output_columns=["d", "b"])
    found = rows(data)
    assert [row[0]["n"].tolist() for row in found] == [[[0], [1]], [[2], [3]], [[4]]]
    assert [row[1].tolist() for row in found] == [[0, 1], [2, 3], [4]]


def test_samplers_by_what_they_do() -> None:
    class Some:
        def __iter__(self) -> Iterator[int]:
            return iter([3, 1])

        def __len__(self) -> int:
            return 2

    assert [row[1].item() for row in rows(ds.GeneratorDataset(Pairs(), ["a", "b"], sampler=Some()))] == [3, 1]


def test_updates_come_before_the_rows_that_wait() -> None:
    state = {"scale": 1}

    def update(data: Any = None) -> None:
        state["scale"] = data["scale"]

    data = ds.GeneratorDataset(Pairs(), ["a", "b"], shuffle=False)
    data = data.sync_wait("policy", callback=update).map(lambda a: a * state["scale"], "a").batch(1)
    found = []
    for number, row in enumerate(data.create_dict_iterator(output_numpy=True, num_epochs=1)):
        found.append(row["a"].item())
        data.sync_update("policy", data={"scale": 10 * (number + 1)})
    assert found == [0, 10, 40, 90, 160]
    with pytest.raises(RuntimeError, match="'other' not found"):
        data.sync_update("other")


def test_callbacks_of_map() -> None:
    told = []

    class Steps(ds.DSCallback):  # type: ignore[misc, name-defined]
        def ds_begin(self, ds_run_context: Any) -> None:
            told.append("begin")

        def ds_epoch_end(self, ds_run_context: Any) -> None:
            told.append(f"end of {ds_run_context.cur_epoch_num}")

        def ds_step_begin(self, ds_run_context: Any) -> None:
            told.append(ds_run_context.cur_step_num)

    data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).map(lambda x: x + 1, callbacks=[Steps(2)])
    assert [row[0].item() for row in rows(data)] == [2, 3, 4]
    rows(data)
    assert told == ["begin", 1, 3, "end of 1", 4, 6, "end of 2"]
    with pytest.raises(AttributeError, match="without overriding any methods"):
        data.map(lambda x: x, callbacks=ds.DSCallback())


def test_batches_by_length() -> None:
    data = ds.GeneratorDataset([(np.ones(size),) for size in (1, 2, 5, 3, 1)], ["a"], shuffle=False)
    padded = data.bucket_batch_by_length(["a"], [2, 4], [2, 2, 1], pad_info={"a": ([None], 0)})
    assert [row[0].shape for row in rows(padded)] == [(1, 5), (2, 3), (2, 1)]
    short = data.take(2).bucket_batch_by_length(
        ["a"], [3], [2, 2], lambda a: np.array(len(a)), {"a": ([None], -1)}, pad_to_bucket_boundary=True
    )
    assert rows(short)[0][0].tolist() == [[1, -1], [1, 1]]
    dropped = data.bucket_batch_by_length(["a"], [2, 4], [2, 3, 1], pad_info={"a": ([5], 0)}, drop_remainder=True)
    assert [row[0].shape for row in rows(dropped)] == [(1, 5), (2, 5)]
    with pytest.raises(ValueError, match="one element more"):
        data.bucket_batch_by_length(["a"], [2], [1])
    with pytest.raises(ValueError, match="strictly increasing"):
        data.bucket_batch_by_length(["a"], [3, 2], [1, 1, 1])


def test_settings_are_kept() -> None:
    config = ds.config
    assert (config.get_autotune_interval(), config.get_enable_shared_mem(), config.get_callback_timeout()) == (
        0,
        True,
        60,
    )
    config.set_callback_timeout(30)
    assert config.get_callback_timeout() == 30
    config.set_callback_timeout(60)
    with pytest.raises(TypeError, match="takes a value of type int"):
        config.set_callback_timeout("x")
    with pytest.raises(ValueError, match="at least 1"):
        config.set_callback_timeout(0)


def test_transformations_of_ones_own(as_without_mindspore: None) -> None:
    ms.install_as_mindspore()
    from mindspore.dataset.transforms.transforms import PyTensorOperation, TensorOperation

    class Times(PyTensorOperation):  # type: ignore[misc]
        def __init__(self, factor: int) -> None:
            super().__init__()
            self.factor = factor

        def _execute_py(self, array: Any) -> Any:
            return array * self.factor

    class Sum(TensorOperation):  # type: ignore[misc]
        def __call__(self, first: Any, second: Any) -> Any:
            return first + second, second

    data = ds.NumpySlicesDataset({"a": np.arange(2), "b": np.arange(2)}, shuffle=False)
    data = data.map(Times(3), "a").map(Sum(), ["a", "b"])
    rows = data.create_tuple_iterator(output_numpy=True, num_epochs=1)
    assert [[value.tolist() for value in row] for row in rows] == [[0, 0], [4, 1]]
    assert Times(2)(np.array(1), np.array(2)) == (2, 4)
    with pytest.raises(NotImplementedError, match="should define __call__ or _execute_py"):
        TensorOperation()(1)


def three_columns() -> Any:
    data = {"a": np.arange(4), "b": np.arange(8).reshape(4, 2), "c": np.arange(4) * 10}
    return ds.NumpySlicesDataset(data, shuffle=False)


@pytest.mark.parametrize(
    ("inputs", "outputs", "function", "names", "first"),
    [
        (["b"], ["z"], lambda b, info: (b,), ["a", "z", "c"], [[0, 1], [[0, 1], [2, 3]], [0, 10]]),
        (["b", "c"], ["z"], lambda b, c, info: (b,), ["z", "a"], [[[0, 1], [2, 3]], [0, 1]]),
        (["b", "a"], ["y", "z"], lambda b, a, info: (b, a), ["z", "y", "c"], [[0, 1], [[0, 1], [2, 3]], [0, 10]]),
        (None, ["p", "q"], lambda a, b, c, info: (a, b), ["p", "q"], [[0, 1], [[0, 1], [2, 3]]]),
        ("a", "z", lambda a, info: a, ["z", "b", "c"], [[0, 1], [[0, 1], [2, 3]], [0, 10]]),
        (["c"], ["y", "z"], lambda c, info: (c, c), ["y", "z", "a", "b"], [[0, 10], [0, 10], [0, 1], [[0, 1], [2, 3]]]),
    ],
)
def test_columns_of_functions_of_batches(inputs: Any, outputs: Any, function: Any, names: Any, first: Any) -> None:
    data = three_columns().batch(2, input_columns=inputs, output_columns=outputs, per_batch_map=function)
    assert data.get_col_names() == names
    assert [column.tolist() for column in rows(data)[0]] == first


def test_wrong_columns_of_functions_of_batches() -> None:
    with pytest.raises(RuntimeError, match=r"several columns of one name: \['b', 'b', 'c'\]"):
        three_columns().batch(2, input_columns=["a"], output_columns=["b"], per_batch_map=lambda a, info: (a,))
    data = three_columns().batch(2, input_columns=["a"], per_batch_map=lambda a, info: (a, a))
    with pytest.raises(RuntimeError, match="the function gave 2 columns, but 1 are expected"):
        rows(data)
