"""Pipelines as dicts and files, and back; the rows as MindSpore 2.10 gives them after the same way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import dataset as ds
from mycel.dataset import transforms, vision


def rows(data: Any) -> list[Any]:
    return [[part.tolist() for part in row] for row in data.create_tuple_iterator(output_numpy=True)]


def pipelines(folder: Path) -> dict[str, Any]:
    (folder / "a.txt").write_text("x\ny\nz\n")
    (folder / "a.csv").write_text("1,2\n3,4\n5,6\n")
    data = ds.NumpySlicesDataset({"a": [1, 2, 3, 4], "b": [1.0, 2.0, 3.0, 4.0]}, shuffle=False)
    images = ds.NumpySlicesDataset(np.arange(48, dtype=np.uint8).reshape(1, 4, 4, 3), "image", shuffle=False)
    csv = ds.CSVDataset(str(folder / "a.csv"), column_defaults=[1, 1], column_names=["a", "b"], shuffle=False)
    cast = [transforms.TypeCast(ms.float16), transforms.Fill(3)]
    return {
        "text": ds.TextFileDataset(str(folder / "a.txt"), shuffle=False).skip(1).batch(2),
        "csv": csv.rename(["a"], ["c"]).project(["c"]).take(2),
        "map": data.map(cast, "a").batch(2).repeat(2),
        "image": images.map([vision.Resize((2, 2)), vision.Normalize([1.0] * 3, [2.0] * 3), vision.HWC2CHW()], "image"),
        "concat": data.concat(data.skip(2)).padded_batch(2, drop_remainder=True),
        "zip": data.project("a").zip(data.project("b")),
        "sampler": ds.NumpySlicesDataset([1, 2, 3], sampler=ds.SequentialSampler(1, 2)),
    }


def test_there_and_back(tmp_path: Path) -> None:
    for name, data in pipelines(tmp_path).items():
        content = json.loads(json.dumps(ds.serialize(data)))
        assert rows(ds.deserialize(content)) == rows(data), name
        assert ds.compare(data, ds.deserialize(content)), name


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = pipelines(tmp_path)["text"]
    content = ds.serialize(data, str(tmp_path / "p.json"))
    assert (content["op_type"], content["batch_size"], content["children"][0]["op_type"]) == ("Batch", 2, "Skip")
    assert rows(ds.deserialize(json_filepath=str(tmp_path / "p.json"))) == [[["y", "z"]]]
    assert not ds.compare(data, data.skip(1))
    ds.show(data)
    assert json.loads(capsys.readouterr().out) == content
    assert ds.deserialize() is None


def test_refusals(tmp_path: Path) -> None:
    data = ds.NumpySlicesDataset([1, 2], shuffle=False)
    with pytest.raises(TypeError, match="cannot be serialized"):
        ds.serialize(data.map(lambda x: x))
    with pytest.raises(TypeError, match="serialize takes a dataset"):
        ds.serialize(1)  # type: ignore[arg-type]
    content = ds.serialize(data.map(transforms.Fill(1)))
    text = json.dumps(content)
    for other in ("os:system", "..saving.serialization:load_checkpoint", "pipeline:json", "pipeline:Dataset"):
        with pytest.raises(ValueError, match="there is no transformation"):
            ds.deserialize(json.loads(text.replace("transforms:Fill", other)))
    for bad in ({}, {"op_type": "Batch", "children": []}, {"op_type": "serialize", "children": []}, [1]):
        with pytest.raises(ValueError, match=r"no dataset or operation|no description"):
            ds.deserialize(bad)  # type: ignore[arg-type]
