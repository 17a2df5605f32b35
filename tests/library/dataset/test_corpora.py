"""Corpora of texts with classes. Rows of one file are those of MindSpore."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mycel import dataset as ds

COLUMNS = {
    ds.AGNewsDataset: ["index", "title", "description"],
    ds.AmazonReviewDataset: ["label", "title", "content"],
    ds.DBpediaDataset: ["class", "title", "content"],
    ds.SogouNewsDataset: ["index", "title", "content"],
    ds.YahooAnswersDataset: ["class", "title", "content", "answer"],
    ds.YelpReviewDataset: ["label", "text"],
}


def texts(rows: Any) -> list[list[str]]:
    return [[str(value) for value in row] for row in rows]


def table(folder: Path, kind: str, count: int) -> None:
    lines = [[f'"{kind}{column}"' for column in range(count)], [f'"b ""q"" \\n, {column}"' for column in range(count)]]
    (folder / f"{kind}.csv").write_text("".join(",".join(line) + "\n" for line in lines), "utf-8")


@pytest.mark.parametrize("kind", COLUMNS)
def test_tables(kind: Any, tmp_path: Path) -> None:
    folder = tmp_path / "a [1] folder"
    folder.mkdir()
    columns = COLUMNS[kind]
    for name in ("train", "test"):
        table(folder, name, len(columns))
    train, test = ([f"{name}{k}" for k in range(len(columns))] for name in ("train", "test"))
    second = [f'b "q" \\n, {k}' for k in range(len(columns))]
    assert kind(str(folder)).get_col_names() == columns
    assert texts(kind(str(folder), "train", shuffle=False)) == [train, second]
    assert texts(kind(str(folder), "test", shuffle=False)) == [test, second]
    assert texts(kind(str(folder), shuffle=False)) == [test, train, second, second]
    assert sorted(texts(kind(str(folder)))) == sorted([test, train, second, second])
    assert texts(kind(str(folder), "train", shuffle=False, num_shards=2, shard_id=1)) == [second]
    table(folder, "train", len(columns) + 1)
    with pytest.raises(RuntimeError, match="line 1: there are"):
        list(kind(str(folder), "train", shuffle=False))


@pytest.mark.parametrize(
    ("kind", "name"), [(ds.PennTreebankDataset, "ptb.{}.txt"), (ds.WikiTextDataset, "wiki.{}.tokens")]
)
def test_lines_of_three_files(kind: Any, name: str, tmp_path: Path) -> None:
    folder = tmp_path / "a [1] folder"
    folder.mkdir()
    for part in ("train", "valid", "test"):
        (folder / name.format(part)).write_text(f" {part} é \n\n<unk> d", "utf-8")
    for part in ("train", "valid", "test"):
        assert texts(kind(str(folder), part, shuffle=False)) == [[f" {part} é "], ["<unk> d"]]
    assert sorted(texts(kind(str(folder)))) == [[" test é "], [" train é "], [" valid é "], *[["<unk> d"]] * 3]
    assert kind(str(folder)).get_col_names() == ["text"]
    assert kind(str(folder), "all").get_dataset_size() == 6
    with pytest.raises(ValueError, match=r"'usage' should be one of .*valid"):
        kind(str(folder), "dev")
    (folder / name.format("valid")).unlink()
    with pytest.raises(RuntimeError, match=f"there is no file {name.format('valid')}"):
        kind(str(folder), "valid")
    assert kind(str(folder)).get_dataset_size() == 4


def test_lines_of_an_encyclopedia(tmp_path: Path) -> None:
    (tmp_path / "enwik9").write_text("<a>\n\n  b\nc", "utf-8")
    assert texts(ds.EnWik9Dataset(str(tmp_path), shuffle=False)) == [["<a>"], [""], ["  b"], ["c"]]
    assert len(texts(ds.EnWik9Dataset(str(tmp_path), 2, shuffle=True))) == 2


def test_sentences_of_reviews(tmp_path: Path) -> None:
    for name in ("train", "dev"):
        (tmp_path / f"{name}.tsv").write_text(f'sentence\tlabel\na "{name}" one \t1\nbad\t0\n', "utf-8")
    (tmp_path / "test.tsv").write_text("index\tsentence\n0\tuneasy\n", "utf-8")
    folder = str(tmp_path)
    assert texts(ds.SST2Dataset(folder, shuffle=False)) == [['a "train" one ', "1"], ["bad", "0"]]
    assert texts(ds.SST2Dataset(folder, "dev", shuffle=False)) == [['a "dev" one ', "1"], ["bad", "0"]]
    assert texts(ds.SST2Dataset(folder, "test", shuffle=False)) == [["uneasy"]]
    assert ds.SST2Dataset(folder, "test").get_col_names() == ["sentence"]
    with pytest.raises(ValueError, match="'usage' should be one of"):
        ds.SST2Dataset(folder, "all")
    (tmp_path / "dev.tsv").write_text("sentence\tlabel\nno label\n", "utf-8")
    with pytest.raises(RuntimeError, match="a row should have two values"):
        texts(ds.SST2Dataset(folder, "dev"))


@pytest.fixture
def films(tmp_path: Path) -> str:
    for kind in ("train", "test"):
        for name in ("neg", "pos"):
            folder = tmp_path / kind / name
            folder.mkdir(parents=True)
            (folder / "1_7.txt").write_text(f"{kind} {name}\n", "utf-8")
            (folder / "0_3.txt").write_text("é", "utf-8")
            (folder / "urls").write_text("no review", "utf-8")
    return str(tmp_path)


def test_reviews_of_films(films: str) -> None:
    rows = ds.IMDBDataset(films, "train", shuffle=False)
    assert rows.get_col_names() == ["text", "label"]
    assert rows.output_types()[1] == np.int32
    assert texts(rows) == [["é", "1"], ["train pos", "1"], ["é", "0"], ["train neg", "0"]]
    assert texts(ds.IMDBDataset(films, sampler=ds.SubsetSampler([7, 1]))) == [["test neg", "0"], ["train pos", "1"]]
    assert sorted(texts(ds.IMDBDataset(films, "test")))[:2] == [["test neg", "0"], ["test pos", "1"]]
    assert ds.IMDBDataset(films, sampler=ds.PKSampler(2)).get_dataset_size() == 4


@pytest.mark.parametrize("kind", [*COLUMNS, ds.IMDBDataset])
def test_errors(kind: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        kind(str(tmp_path / "nowhere"))
    with pytest.raises(TypeError, match="dataset_dir"):
        kind(3)
    with pytest.raises(ValueError, match="'train', 'test', 'all'"):
        kind(str(tmp_path), "dev")
    with pytest.raises(RuntimeError, match=r"there (is no file train.csv|are no reviews)"):
        len(kind(str(tmp_path), "train"))


def test_damaged_reviews(films: str) -> None:
    (Path(films) / "test/pos/0_3.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(RuntimeError, match="0_3"):
        list(ds.IMDBDataset(films, "test"))


LINE = {
    "sentence1": "a", "sentence2": "b", "sentence": "s", "label": "1", "label_des": "d", "label_desc": "e", "id": 4,
    "keywords": "k", "abst": "x", "keyword": ["p", "q"], "idx": 7, "text": "t",
    "target": {"span1_index": 1, "span1_text": "u", "span2_index": 2, "span2_text": "v"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("task", "trained", "tested"),
    [
        ("AFQMC", {"label": "1", "sentence1": "a", "sentence2": "b"}, {"id": 4, "sentence1": "a", "sentence2": "b"}),
        ("CMNLI", {"label": "1", "sentence1": "a", "sentence2": "b"}, {"id": 4, "sentence1": "a", "sentence2": "b"}),
        ("IFLYTEK", {"label": "1", "label_des": "d", "sentence": "s"}, {"id": 4, "sentence": "s"}),
        (
            "TNEWS",
            {"keywords": "k", "label": "1", "label_desc": "e", "sentence": "s"},
            {"id": 4, "keywords": "k", "sentence": "s"},
        ),
        (
            "CSL",
            {"abst": "x", "id": 4, "keyword": ["p", "q"], "label": "1"},
            {"abst": "x", "id": 4, "keyword": ["p", "q"]},
        ),
        (
            "WSC",
            {"idx": 7, "label": "1", **LINE["target"], "text": "t"},
            {"idx": 7, **LINE["target"], "text": "t"},
        ),
    ],
)
def test_clue(tmp_path, task, trained, tested):
    file = tmp_path / "lines.json"
    file.write_text(f"{json.dumps(LINE)}\n\n{json.dumps(LINE)}\n")
    for usage, expected in (("train", trained), ("eval", trained), ("test", tested)):
        data = ds.CLUEDataset(str(file), task, usage, shuffle=False)
        assert (data.get_col_names(), data.get_dataset_size()) == (list(expected), 2)
        for row in data.create_dict_iterator(output_numpy=True, num_epochs=1):
            assert {name: part.tolist() for name, part in row.items()} == expected
            assert {part.dtype for part in row.values() if part.dtype.kind != "U"} <= {np.dtype(np.uint32)}


def test_clue_says_what_is_wrong(tmp_path):
    file = tmp_path / "lines.json"
    for text, message in (
        ("[1]", "is no object of JSON"),
        ('{"a": ', "is no object of JSON"),
        ('{"id": 1}', "needs 'label'"),
    ):
        file.write_text(text)
        with pytest.raises(RuntimeError, match=message):
            list(ds.CLUEDataset(str(file)))
    for options in ({"task": "SQuAD"}, {"usage": "all"}, {"task": 3}):
        with pytest.raises(ValueError, match=f"'{next(iter(options))}' should be"):
            ds.CLUEDataset(str(file), **options)
    with pytest.raises(ValueError, match="nope"):
        ds.CLUEDataset("nope.json")
