"""Sources that read files, and samplers: columns, dtypes and order as MindSpore 2.10 gives them for these files."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tfrecords import example

import mycel as ms
from mycel import dataset as ds
from mycel.library.saving import wire


def first_numbers(dataset: ds.Dataset, column: int = 0) -> list[Any]:
    """The first element of a column, row by row."""
    return [row[column].ravel()[0].item() for row in dataset.create_tuple_iterator(output_numpy=True)]


def write_idx(folder: Path, kind: str, first: int, count: int) -> None:
    images = np.zeros((count, 28, 28), np.uint8)
    images[:, 0, 0] = first + np.arange(count)
    labels = (np.arange(count) * 2 % 10).astype(np.uint8)
    (folder / f"{kind}-images-idx3-ubyte").write_bytes(struct.pack(">4I", 2051, count, 28, 28) + images.tobytes())
    (folder / f"{kind}-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 2049, count) + labels.tobytes())


@pytest.fixture
def digits(tmp_path: Path) -> Path:
    write_idx(tmp_path, "train", 0, 5)
    write_idx(tmp_path, "t10k", 100, 3)
    return tmp_path


@pytest.mark.parametrize("kind", [ds.MnistDataset, ds.FashionMnistDataset, ds.KMnistDataset])
def test_mnist(digits: Path, kind: Any) -> None:
    rows = kind(str(digits), "train", shuffle=False)
    assert rows.get_col_names() == ["image", "label"]
    assert rows.output_types() == [np.uint8, np.uint32]
    assert rows.output_shapes() == [[28, 28, 1], []]
    assert rows.get_dataset_size() == 5
    assert first_numbers(rows, 1) == [0, 2, 4, 6, 8]
    assert first_numbers(kind(str(digits), shuffle=False)) == [100, 101, 102, 0, 1, 2, 3, 4]
    assert first_numbers(kind(str(digits), "test", shuffle=False, num_samples=2)) == [100, 101]
    assert sorted(first_numbers(kind(str(digits), "train"))) == [0, 1, 2, 3, 4]


def test_emnist(tmp_path: Path) -> None:
    write_idx(tmp_path, "emnist-letters-train", 0, 3)
    write_idx(tmp_path, "emnist-letters-test", 100, 2)
    write_idx(tmp_path, "emnist-mnist-test", 50, 2)
    rows = ds.EMnistDataset(str(tmp_path), "letters", "train", 2, shuffle=False)
    assert (first_numbers(rows), first_numbers(rows, 1)) == ([0, 1], [0, 2])
    assert rows.output_types() == [np.uint8, np.uint32]
    assert first_numbers(ds.EMnistDataset(str(tmp_path), "letters", shuffle=False)) == [100, 101, 0, 1, 2]
    assert first_numbers(ds.EMnistDataset(str(tmp_path), "mnist", "test", shuffle=False)) == [50, 51]
    with pytest.raises(ValueError, match="'name' should be one of"):
        ds.EMnistDataset(str(tmp_path), "words")
    with pytest.raises(RuntimeError, match="there is no file emnist-digits-test"):
        list(ds.EMnistDataset(str(tmp_path), "digits", "test"))


def test_qmnist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for first, kind in ((0, "qmnist-train"), (100, "qmnist-test"), (200, "xnist")):
        write_idx(tmp_path, kind, first, 3)
        (tmp_path / f"{kind}-labels-idx1-ubyte").unlink()
        labels = (np.arange(24) + first).astype(">i4")
        (tmp_path / f"{kind}-labels-idx2-int").write_bytes(struct.pack(">3I", 3074, 3, 8) + labels.tobytes())

    def read(*arguments: Any, column: int = 0) -> list[Any]:
        return first_numbers(ds.QMnistDataset(str(tmp_path), *arguments, shuffle=False), column)

    assert read("train") == [0, 1, 2]
    assert read("train", column=1) == [0, 8, 16]
    assert read("test") == read("test10k") == [100, 101, 102]
    assert read("test50k") == []
    monkeypatch.setattr(ds.QMnistDataset, "tested", 2)
    assert read("test10k") == [100, 101]
    assert read("test50k", column=1) == [116]
    assert read("nist") == [200, 201, 202]
    assert read() == read("all") == [100, 101, 102, 0, 1, 2, 200, 201, 202]
    image, labels = next(iter(ds.QMnistDataset(str(tmp_path), "train", False, shuffle=False)))
    assert image.shape == (28, 28, 1)
    assert (labels.shape, labels.dtype) == ((8,), ms.uint32)
    (tmp_path / "xnist-labels-idx2-int").write_bytes(struct.pack(">3I", 3074, 3, 8) + bytes(3 * 8))
    with pytest.raises(RuntimeError, match=r"should hold an array of shape \(3, 8\), but has 24 bytes"):
        read("nist")


def test_rows_are_ones_own(digits: Path) -> None:
    rows = ds.MnistDataset(str(digits), "train", shuffle=False)
    next(rows.create_tuple_iterator(output_numpy=True))[0][...] = 77
    assert first_numbers(rows)[0] == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"usage": "bad"}, ValueError, "'train', 'test', 'all'"),
        ({"num_samples": -1}, ValueError, "num_samples"),
        ({"num_samples": "3"}, TypeError, "num_samples"),
        ({"shuffle": 3}, TypeError, "shuffle"),
        ({"num_shards": 2, "shard_id": 2}, ValueError, "from 0 to 1"),
        ({"num_shards": 2}, RuntimeError, "'shard_id' is not given"),
        ({"shard_id": 2}, RuntimeError, "'num_shards' is not given"),
        ({"sampler": ds.SequentialSampler(), "shuffle": False}, RuntimeError, "'sampler' and 'shuffle'"),
        ({"sampler": ds.SequentialSampler(), "num_samples": 2}, RuntimeError, "'sampler' and 'num_samples'"),
        ({"sampler": 3.5}, TypeError, "float"),
    ],
)
def test_arguments_of_sources(digits: Path, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ds.MnistDataset(str(digits), **options)


def test_missing_and_damaged_files(digits: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        ds.MnistDataset(str(tmp_path / "nowhere"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(RuntimeError, match="images-idx3-ubyte"):
        len(ds.MnistDataset(str(tmp_path / "empty")))
    images = digits / "train-images-idx3-ubyte"
    images.write_bytes(images.read_bytes()[:-1])
    with pytest.raises(RuntimeError, match=r"shape \(5, 28, 28\)"):
        len(ds.MnistDataset(str(digits), "train"))
    images.write_bytes(struct.pack(">2I", 2049, 0) + bytes(16))
    with pytest.raises(RuntimeError, match="2049"):
        len(ds.MnistDataset(str(digits), "train"))


def test_cifar(tmp_path: Path) -> None:
    for name, first in (("data_batch_2.bin", 20), ("data_batch_1.bin", 10), ("test_batch.bin", 90)):
        block = np.zeros((2, 3073), np.uint8)
        block[:, 0], block[:, 1], block[:, 2], block[:, 1025] = [3, 4], first + np.arange(2), 7, 5
        (tmp_path / name).write_bytes(block.tobytes())
    rows = ds.Cifar10Dataset(str(tmp_path), shuffle=False)
    assert first_numbers(rows) == [10, 11, 20, 21, 90, 91]
    assert first_numbers(rows, 1) == [3, 4, 3, 4, 3, 4]
    image, label = next(rows.create_tuple_iterator(output_numpy=True))
    assert image.shape == (32, 32, 3)
    assert image[0, :2].tolist() == [[10, 5, 0], [7, 0, 0]]
    assert label.dtype == np.uint32
    assert first_numbers(ds.Cifar10Dataset(str(tmp_path), "test", shuffle=False)) == [90, 91]
    (tmp_path / "test_batch.bin").write_bytes(bytes(3072))
    with pytest.raises(RuntimeError, match="3073"):
        len(ds.Cifar10Dataset(str(tmp_path), "test"))


def test_cifar100(tmp_path: Path) -> None:
    for name, first in (("train.bin", 20), ("test.bin", 90)):
        block = np.zeros((2, 3074), np.uint8)
        block[:, 0], block[:, 1], block[:, 2] = [3, 4], [50, 51], first
        (tmp_path / name).write_bytes(block.tobytes())
    rows = ds.Cifar100Dataset(str(tmp_path), shuffle=False)
    assert rows.get_col_names() == ["image", "coarse_label", "fine_label"]
    assert rows.output_types() == [np.uint8, np.uint32, np.uint32]
    assert first_numbers(rows) == [90, 90, 20, 20]
    assert first_numbers(rows, 1) == [3, 4, 3, 4]
    assert first_numbers(rows, 2) == [50, 51, 50, 51]


def test_image_folder(tmp_path: Path) -> None:
    for name in ("dog/b.png", "dog/a.jpg", "cat/x.JPG", "cat/c.bmp", "Zebra/z.jpeg", "dog/inner/q.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "empty").mkdir()
    rows = ds.ImageFolderDataset(str(tmp_path), shuffle=False)
    found = [(bytes(image), label.item()) for image, label in rows.create_tuple_iterator(output_numpy=True)]
    assert found == [(b"Zebra/z.jpeg", 0), (b"cat/c.bmp", 1), (b"cat/x.JPG", 1), (b"dog/a.jpg", 2), (b"dog/b.png", 2)]
    assert rows.output_types() == [np.uint8, np.int32]
    assert rows.get_class_indexing() == {"Zebra": 0, "cat": 1, "dog": 2, "empty": 3}
    assert rows.num_classes() == rows.batch(1).num_classes() == 4
    chosen = ds.ImageFolderDataset(str(tmp_path), shuffle=False, class_indexing={"dog": 7, "cat": 3})
    assert first_numbers(chosen, 1) == [3, 3, 7, 7]
    assert first_numbers(ds.ImageFolderDataset(str(tmp_path), shuffle=False, extensions=[".png"]), 1) == [2]
    with pytest.raises(RuntimeError, match="'cow'"):
        len(ds.ImageFolderDataset(str(tmp_path), class_indexing={"cow": 1}))
    with pytest.raises(RuntimeError, match="gif"):
        len(ds.ImageFolderDataset(str(tmp_path), extensions=[".gif"]))


def test_image_folder_decodes(tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    (tmp_path / "cat").mkdir()
    images.fromarray(np.full((4, 5, 3), [9, 8, 7], np.uint8)).save(tmp_path / "cat" / "a.png")
    image, _ = next(iter(ds.ImageFolderDataset(str(tmp_path), decode=True)))
    assert image.shape == (4, 5, 3)
    assert image[0, 0].asnumpy().tolist() == [9, 8, 7]
    (tmp_path / "cat" / "a.png").write_bytes(b"nothing")
    with pytest.raises(RuntimeError, match=r"a\.png"):
        next(iter(ds.ImageFolderDataset(str(tmp_path), decode=True)))


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_bytes(b"first line\n\n  second \nthird\r\nlast")
    (tmp_path / "b.txt").write_bytes(b"B one\nB two\n")
    return tmp_path


def test_text_files(texts: Path) -> None:
    def lines(files: Any, **options: Any) -> list[str]:
        return first_numbers(ds.TextFileDataset(files, shuffle=False, **options))

    both = [str(texts / "b.txt"), str(texts / "a.txt")]
    assert lines(both[1]) == ["first line", "  second ", "third\r", "last"]
    mixed = ["first line", "B one", "  second ", "B two", "third\r", "last"]
    assert lines(both) == lines(str(texts / "*.txt")) == mixed
    assert lines(both, num_samples=3) == mixed[:3]
    assert lines(both, num_parallel_workers=1) == ["first line", "  second ", "third\r", "last", "B one", "B two"]
    shards = [lines(both, num_shards=3, shard_id=k) for k in range(3)]
    assert shards == [["first line", "  second "], ["third\r", "last"], ["B one", "B two"]]
    shuffled = ds.TextFileDataset(both)
    assert sorted(first_numbers(shuffled)) == sorted(mixed)
    assert shuffled.get_dataset_size() == 6
    with pytest.raises(ValueError, match="none"):
        ds.TextFileDataset(str(texts / "none*"))
    with pytest.raises(TypeError, match="3"):
        ds.TextFileDataset(3)
    with pytest.raises(TypeError, match="'x'"):
        ds.TextFileDataset(both, shuffle="x")


def test_csv_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,name,score\n1,ann,0.5\n2,"bob, jr",1.5\n3,,2\n')
    (tmp_path / "b.csv").write_text("id,name,score\n4,dd,0.25\n5,ee,7\n")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    plain = ds.CSVDataset(files[0], shuffle=False)
    assert plain.get_col_names() == ["id", "name", "score"]
    assert first_numbers(plain, 1) == ["ann", "bob, jr", ""]
    assert plain.output_types() == [np.dtype("U")] * 3
    typed = ds.CSVDataset(files, column_defaults=[0, "", 0.0], shuffle=False)
    assert first_numbers(typed) == [1, 4, 2, 5, 3]
    assert typed.output_types() == [np.int32, np.dtype("U"), np.float32]
    shards = [first_numbers(ds.CSVDataset(files, shuffle=False, num_shards=2, shard_id=k)) for k in range(2)]
    assert shards == [["1", "2", "3"], ["4", "1", "5"]]  # the last shard goes on at the first row
    (tmp_path / "c.csv").write_text('"a ""q"" b";2.5\n"two\nlines";4.5\n')
    named = ds.CSVDataset(str(tmp_path / "c.csv"), ";", ["", 0], ["x", "y"], shuffle=False)
    assert first_numbers(named) == ['a "q" b', "two\nlines"]
    assert first_numbers(named, 1) == [2, 4]


def test_errors_of_csv_files_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("1,2\n,5\n3\n")
    with pytest.raises(RuntimeError, match=r"bad\.csv, line 2: column 'a' .* ''"):
        list(ds.CSVDataset(str(path), column_names=["a", "b"], column_defaults=[7, 0], shuffle=False))
    with pytest.raises(RuntimeError, match=r"line 3: there are 1 values"):
        list(ds.CSVDataset(str(path), column_names=["a", "b"], shuffle=False))
    path.write_text("1,2.5\n1,1e99\n")
    with pytest.raises(RuntimeError, match=r"line 2: column 'b' should hold a float, but has '1e99'"):
        list(ds.CSVDataset(str(path), column_names=["a", "b"], column_defaults=[7, 0.0], shuffle=False))
    with pytest.raises(TypeError, match=r"column_defaults\[0\]"):
        ds.CSVDataset(str(path), column_defaults=[None])
    with pytest.raises(ValueError, match="field_delim"):
        ds.CSVDataset(str(path), ",,")


@pytest.fixture
def records(tmp_path: Path) -> list[str]:
    for name, numbers in (("a", range(5)), ("b", range(10, 13))):
        rows = [{"id": [i], "ids": [i, i + 1, -i], "f": [i / 2], "img": [b"\x89" * (i + 1)]} for i in numbers]
        (tmp_path / f"{name}.tfrecord").write_bytes(b"".join(wire.record(example(row)) for row in rows))
    return [str(tmp_path / "b.tfrecord"), str(tmp_path / "a.tfrecord")]


def test_checksums_are_those_of_crc32c() -> None:
    crc = 0xE3069283  # of "123456789", as RFC 3720's annex has it for CRC-32C
    assert wire.checksum(b"123456789") == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def test_records(records: list[str]) -> None:
    rows = ds.TFRecordDataset(records[1], shuffle=False)
    assert rows.get_col_names() == ["f", "id", "ids", "img"]
    assert rows.output_types() == [np.float32, np.int64, np.int64, np.uint8]
    assert rows.output_shapes() == [[1], [1], [3], [1]]
    row = list(rows.create_dict_iterator(output_numpy=True))[2]
    assert row["ids"].tolist() == [2, 3, -2]
    assert row["img"].tolist() == [137] * 3
    assert row["f"].tolist() == [1.0]
    assert first_numbers(ds.TFRecordDataset(records, columns_list=["id"], shuffle=False)) == [0, 10, 1, 11, 2, 12, 3, 4]

    def shards(count: int, equal: bool) -> list[list[int]]:
        options = {"columns_list": ["id"], "shuffle": False, "shard_equal_rows": equal, "num_shards": count}
        return [first_numbers(ds.TFRecordDataset(records, **options, shard_id=k)) for k in range(count)]

    assert shards(3, True) == [[0, 1, 2], [3, 10, 4], [11, 0, 12]]
    assert shards(2, False) == [[0, 1, 2, 3, 4], [10, 11, 12]]
    with pytest.raises(RuntimeError, match="shard_equal_rows"):
        shards(3, False)


def test_records_by_schema(records: list[str], tmp_path: Path) -> None:
    content = {"datasetType": "TF", "numRows": 3, "columns": {"id": {"type": "int32", "rank": 1, "shape": [1]},
               "img": {"type": "uint8", "rank": 1}}}  # fmt: skip
    (tmp_path / "schema.json").write_text(json.dumps(content))
    rows = ds.TFRecordDataset(records[1], str(tmp_path / "schema.json"), shuffle=False)
    assert rows.get_col_names() == ["id", "img"]
    assert rows.output_types() == [np.int32, np.uint8]
    assert first_numbers(rows) == [0, 1, 2]
    schema = ds.Schema()
    schema.add_column("ids", ms.int8, [3, 1])
    assert ds.TFRecordDataset(records[1], schema, shuffle=False).output_shapes() == [[3, 1]]
    schema.add_column("f", "float64", [2])
    with pytest.raises(RuntimeError, match=r"'f'.* 1 values.* \[2\]"):
        next(iter(ds.TFRecordDataset(records[1], schema)))
    with pytest.raises(RuntimeError, match="'q'"):
        next(iter(ds.TFRecordDataset(records[1], columns_list=["q"])))


def test_damaged_records(records: list[str], tmp_path: Path) -> None:
    path = Path(records[1])
    whole = path.read_bytes()
    for damaged in (whole[:-1], b"\x01" + whole[1:], whole + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(RuntimeError, match=r"a\.tfrecord"):
            ds.TFRecordDataset(records[1], columns_list=["id"]).get_dataset_size()


def test_schema() -> None:
    schema = ds.Schema()
    schema.add_column("c", ms.int8, [2])
    schema.add_column("a", "float32")
    assert json.loads(schema.to_json()) == {
        "columns": [
            {"name": "c", "rank": 1, "shape": [2], "type": "int8"},
            {"name": "a", "rank": 1, "type": "float32"},
        ]
    }
    schema.parse_columns([{"name": "image", "type": "int8", "shape": [3, 3]}])
    assert [column["name"] for column in schema.columns] == ["image"]
    with pytest.raises(TypeError, match="float31"):
        schema.add_column("x", "float31")
    with pytest.raises(TypeError, match="list"):
        schema.add_column("x", ms.int8, 3)
    with pytest.raises(ValueError, match=r"none\.json"):
        ds.Schema("/none.json")
    with pytest.raises(RuntimeError, match="datasetType"):
        schema.from_json({"columns": {}})


def visited(sampler: Any, size: int = 7) -> list[int]:
    """The rows that a sampler visits; the size that is told beforehand agrees."""
    rows = ds.NumpySlicesDataset(np.arange(size), sampler=sampler)
    found = first_numbers(rows)
    assert rows.get_dataset_size() == len(found)
    return found


def test_distributed_sampler() -> None:
    def shards(count: int, **options: Any) -> list[list[int]]:
        return [visited(ds.DistributedSampler(count, k, shuffle=False, **options)) for k in range(count)]

    assert shards(3) == [[0, 3, 6], [1, 4, 0], [2, 5, 1]]
    assert shards(4) == [[0, 4], [1, 5], [2, 6], [3, 0]]
    assert shards(3, num_samples=2) == [[0, 3], [1, 4], [2, 5]]
    assert shards(3, offset=0) == [[0, 3, 6], [1, 4], [2, 5]]
    assert shards(3, offset=1) == [[2, 5], [0, 3, 6], [1, 4]]
    parts = [ds.DistributedSampler(2, k) for k in range(2)]
    passes = [[visited(part) for part in parts] for _ in range(3)]
    assert all(sorted({*left, *right}) == list(range(7)) for left, right in passes)
    assert len({tuple(left) for left, _ in passes}) > 1
    with pytest.raises(RuntimeError, match="from 0 to 1"):
        ds.DistributedSampler(2, 2)


def test_samplers() -> None:
    assert visited(ds.SubsetSampler([3, 1, 1])) == [3, 1, 1]
    assert visited(ds.SubsetSampler([3, 1, 1], 2)) == [3, 1]
    assert sorted(visited(ds.SubsetRandomSampler([3, 1, 5]))) == [1, 3, 5]
    assert visited(ds.SequentialSampler(5, 9)) == [5, 6]
    assert visited(ds.SequentialSampler(0, 0)) == list(range(7))
    assert sorted(visited(ds.RandomSampler(num_samples=30))) == list(range(7))
    assert len(visited(ds.RandomSampler(True, 3))) == 3
    assert visited(ds.WeightedRandomSampler([0, 0, 1.0], 4)) == [2, 2, 2, 2]
    assert sorted(visited(ds.WeightedRandomSampler([0, 1.0, 1], 2, False))) == [1, 2]
    assert visited(ds.IterSampler([2, 1])) == [2, 1]
    for wrong in ([3, 9], [-1]):
        with pytest.raises(RuntimeError, match="out of range"):
            list(ds.NumpySlicesDataset([1, 2], sampler=ds.SubsetSampler(wrong)))
    with pytest.raises(RuntimeError, match="9 weights"):
        list(ds.NumpySlicesDataset([1, 2], sampler=ds.WeightedRandomSampler([1] * 9)))
    with pytest.raises(TypeError, match=r"indices\[1\]"):
        ds.SubsetSampler([3, "a"])
    with pytest.raises(NotImplementedError, match="num_class"):
        ds.PKSampler(1, 2)


def test_own_samplers() -> None:
    class Even(ds.Sampler):
        def __iter__(self) -> Any:
            yield from range(0, self.dataset_size, 2)

    assert visited(Even()) == [0, 2, 4, 6]
    assert visited(Even(2)) == [0, 2]


def test_samplers_choose_among_the_rows_of_others(digits: Path) -> None:
    sampler = ds.SequentialSampler(1, 4)
    sampler.add_child(ds.SubsetSampler([6, 5, 4, 3, 2, 1]))
    assert visited(sampler) == [5, 4, 3, 2]
    with pytest.raises(RuntimeError, match="child"):
        sampler.add_child(ds.SequentialSampler())

    def added(new: Any) -> list[int]:
        rows = ds.MnistDataset(str(digits), "train", sampler=ds.SubsetSampler([4, 3, 1]))
        rows.add_sampler(new)
        return first_numbers(rows)

    assert added(ds.SequentialSampler(0, 2)) == [4, 3]
    assert added(ds.SubsetSampler([2, 0])) == [1, 4]
    assert added(ds.DistributedSampler(2, 1, False)) == [3, 4]
    rows = ds.MnistDataset(str(digits), "train", shuffle=False)
    rows.use_sampler(ds.SubsetSampler([4, 1]))
    assert first_numbers(rows) == [4, 1]
    with pytest.raises(TypeError, match="list"):
        rows.use_sampler([1])


def test_rows_of_each_class(digits: Path) -> None:
    rows = ds.MnistDataset(str(digits), sampler=ds.PKSampler(3))
    assert first_numbers(rows, 1) == [0, 0, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6, 8, 8, 8]
    assert first_numbers(rows)[:6] == [100, 0, 100, 101, 1, 101]
    assert rows.get_dataset_size() == 15


def test_shards_of_objects_are_equally_long() -> None:
    found = [first_numbers(ds.NumpySlicesDataset(range(7), shuffle=False, num_shards=3, shard_id=k)) for k in range(3)]
    assert found == [[0, 3, 6], [1, 4, 0], [2, 5, 1]]
    with pytest.raises(ValueError, match="__getitem__"):
        ds.GeneratorDataset(lambda: iter([1]), ["x"], num_shards=2, shard_id=0)


def test_a_network_learns_from_files(digits: Path) -> None:
    train = ds.MnistDataset(str(digits), "train", shuffle=False)
    train = train.map(lambda image: np.eye(5, dtype=np.float32)[image[0, 0, 0]], "image")
    train = train.map(ds.transforms.TypeCast(ms.int32), "label").batch(5)
    net = ms.nn.Dense(5, 10)
    model = ms.Model(net, ms.nn.CrossEntropyLoss(), ms.nn.SGD(net.trainable_params(), 1.0))
    model.train(20, train)
    image, label = next(iter(train))
    assert net(image).argmax(1).asnumpy().tolist() == label.asnumpy().tolist()


def test_pipelines_are_described(digits: Path, tmp_path: Path) -> None:
    rows = ds.MnistDataset(str(digits), "train", shuffle=False)
    data = (rows + rows).shuffle(4).batch(2, drop_remainder=True).repeat(3).take(5)
    content = data.to_json(str(tmp_path / "pipeline.json"))
    assert content == json.loads((tmp_path / "pipeline.json").read_text("utf-8"))
    names = []
    while content:
        names.append(content["op_type"])
        last, content = content, (content["children"] or [None])[0]
    assert names == ["Take", "Repeat", "Batch", "Shuffle", "Concat", "MnistDataset"]
    assert last["usage"] == "train"
    assert last["sampler"] == {"sampler_name": "SequentialSampler", "num_samples": None, "start_index": 0}
    batch = data.to_json()["children"][0]["children"][0]
    assert (batch["batch_size"], batch["drop_remainder"]) == (2, True)
    assert isinstance(ds.zip((rows, rows.rename(["image", "label"], ["x", "y"]))), ds.ZipDataset)
    with pytest.raises(ValueError, match="equal columns"):
        rows.concat(rows.project("label"))
