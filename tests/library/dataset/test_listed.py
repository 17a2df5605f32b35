"""Images that a file lists, rows that are made up, and text of several scripts: what MindSpore 2.10 gives."""

from __future__ import annotations

import json

import numpy as np
import pytest

import mycel as ms
from mycel import dataset as ds
from mycel.dataset import text


@pytest.fixture
def folder(tmp_path):
    for number in (1, 2, 3):
        (tmp_path / f"{number}.jpg").write_bytes(bytes([number]))
    return tmp_path


def rows_of(data):
    return [[part.tolist() for part in row] for row in data.create_tuple_iterator(output_numpy=True)]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [("all", [[[1], [0, 1]], [[2], [1, 1]], [[3], [1, 0]]]), ("train", [[[1], [0, 1]]]), ("test", [[[3], [1, 0]]])],
)
def test_celeba(folder, usage, expected):
    (folder / "list_attr_celeba.txt").write_text("3\nBald Young\n1.jpg -1  1\n2.jpg  1  1\n3.jpg 1 -1\n")
    (folder / "list_eval_partition.txt").write_text("1.jpg 0\n2.jpg 1\n3.jpg 2\n")
    assert rows_of(ds.CelebADataset(str(folder), usage=usage, shuffle=False)) == expected


def test_manifest(folder):
    entries = [("1", "TRAIN", ["dog"]), ("2", "TRAIN", ["cat", "dog"]), ("3", "EVAL", ["zebra"])]
    lines = [
        {"source": str(folder / f"{name}.jpg"), "usage": usage, "annotation": [{"name": each} for each in names]}
        for name, usage, names in entries
    ]
    file = folder / "list.manifest"
    file.write_text("\n".join(map(json.dumps, lines)))
    data = ds.ManifestDataset(str(file), shuffle=False)
    assert (data.get_class_indexing(), data.num_classes()) == ({"cat": 0, "dog": 1}, 2)
    assert rows_of(data) == [[[1], 1], [[2], [0, 1]]]
    data = ds.ManifestDataset(str(file), shuffle=False, class_indexing={"dog": 5})
    assert [label for _, label in rows_of(data)] == [5, 5]
    assert rows_of(ds.ManifestDataset(str(file), "eval")) == [[[3], 0]]


def test_flickr(folder):
    file = folder / "said.txt"
    file.write_text("2.jpg#0\tA cat .\n2.jpg#1\tAn animal .\n1.jpg#0\tX\n")
    expected = [[[1], ["X"]], [[2], ["A cat .", "An animal ."]]]
    assert rows_of(ds.FlickrDataset(str(folder), str(file), shuffle=False)) == expected


@pytest.mark.parametrize(
    ("make", "content", "kind"),
    [
        (lambda folder, file: ds.ManifestDataset(file), "{}", RuntimeError),
        (lambda folder, file: ds.ManifestDataset(file), "[1]", RuntimeError),
        (lambda folder, file: ds.ManifestDataset(file + "x"), "", ValueError),
        (lambda folder, file: ds.FlickrDataset(folder, file), "1.jpg a cat", RuntimeError),
        (lambda folder, file: ds.FlickrDataset(folder, file + "x"), "", ValueError),
        (lambda folder, file: ds.CelebADataset(folder), "", RuntimeError),
        (lambda folder, file: ds.CelebADataset(folder, usage="some"), "", ValueError),
    ],
)
def test_lists_that_are_none(folder, make, content, kind):
    file = folder / "list"
    file.write_text(content)
    with pytest.raises(kind):
        make(str(folder), str(file))


def test_random_rows():
    schema = ds.Schema()
    schema.add_column("image", ms.int8, [2, 3])
    schema.add_column("flag", ms.bool_, [1])
    schema.add_column("open", ms.float32)
    data = ds.RandomDataset(3, schema)
    rows = list(data.create_tuple_iterator(output_numpy=True))
    assert [part.dtype for part in rows[0]] == [np.int8, bool, np.float32]
    assert [part.shape for part in rows[0]] == [part.shape for part in rows[2]]
    assert len(rows) == 3
    assert ds.RandomDataset(2, schema, ["flag"]).get_col_names() == ["flag"]
    assert ds.RandomDataset().get_dataset_size() == 100
    with pytest.raises(ValueError, match="no column 'x'"):
        ds.RandomDataset(2, schema, ["x"])
    with pytest.raises(ValueError, match="'total_rows' should be positive"):
        ds.RandomDataset(-1)


def test_images_that_are_made_up():
    first, again = (list(ds.FakeImageDataset(3, (4, 5, 3), 2, shuffle=False)) for _ in range(2))
    assert [image.shape for image, _ in first] == [(4, 5, 3)] * 3
    assert all(int(label) < 2 for _, label in first)
    assert all((one == other).all() for (one, _), (other, _) in zip(first, again, strict=True))
    for wrong in ({"num_images": 0}, {"image_size": (4, 4)}, {"base_seed": -1}):
        with pytest.raises(ValueError, match="should"):
            ds.FakeImageDataset(**wrong)


def test_types_of_columns():
    data = ds.GeneratorDataset([1, 2], ["a"], column_types=[ms.float16])
    for kind in (TypeError, RuntimeError):
        with pytest.raises(kind, match="column 'a' should be Float16"):
            list(data)
    assert rows_of(ds.GeneratorDataset([1], ["a"], column_types=[ms.int64])) == [[1]]
    assert ds.NumpySlicesDataset({"a": [1]}).create_dict_iterator().get_col_names() == ["a"]


@pytest.mark.parametrize(
    ("string", "keep", "expected"),
    [
        ("Welcome to Beijing!", True, ["Welcome", " ", "to", " ", "Beijing", "!"]),
        ("北京, welcome 123", False, ["北京", ",", "welcome", "123"]),
        ("ひらカナ한국 a1b2 É", False, ["ひら", "カナ", "한국", "a", "1", "b", "2", "É"]),
        (" ", True, [" "]),
        (" ", False, [""]),
    ],
)
def test_scripts(string, keep, expected):
    assert text.UnicodeScriptTokenizer(keep)(string).tolist() == expected


def test_offsets_of_scripts():
    _, starts, ends = text.UnicodeScriptTokenizer(with_offsets=True)("北京, welcome 123")
    assert (starts.tolist(), ends.tolist()) == ([0, 6, 8, 16], [6, 7, 15, 19])


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("Welcome    to    China! <b>x</b> 12", "welcome to china one two"),
        ("{{tpl}} &nbsp; [[A|B]]\nend", "tpl a b end"),
        ("a <b\nc> d", "a d"),
        ("#REDIRECT [[X]]", ""),
    ],
)
def test_pages_of_wikipedia(page, expected):
    assert str(text.FilterWikipediaXML()(page)) == expected
