"""Images with annotations. The rows are MindSpore's of the same files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mycel import dataset as ds

OBJECT = (
    "<object><name>{}</name>{}<bndbox><xmin>{}</xmin><ymin>{}</ymin><xmax>{}</xmax><ymax>{}</ymax></bndbox></object>"
)
MARKS = "<difficult>1</difficult><truncated>0</truncated>"


@pytest.fixture
def voc(tmp_path):
    for folder in ("JPEGImages", "Annotations", "SegmentationClass", "ImageSets/Main", "ImageSets/Segmentation"):
        (tmp_path / folder).mkdir(parents=True)
    objects = {
        "a": [OBJECT.format("dog", MARKS, 1, 2, 5, 6), OBJECT.format("cat", "", 2.5, 2, 4, 4)],
        "b": [OBJECT.format("cat", "", 1, 1, 3, 3)],
    }
    for name, found in objects.items():
        (tmp_path / f"JPEGImages/{name}.jpg").write_text(f"image {name}")
        (tmp_path / f"SegmentationClass/{name}.png").write_text("segments")
        (tmp_path / f"Annotations/{name}.xml").write_text(f"<annotation>{''.join(found)}</annotation>")
    for kind in ("Main", "Segmentation"):
        (tmp_path / f"ImageSets/{kind}/train.txt").write_text("b\na\n")
        (tmp_path / f"ImageSets/{kind}/bad.txt").write_text("zz\n")
    return str(tmp_path)


def rows(data):
    found = list(data.create_tuple_iterator(output_numpy=True, num_epochs=1))
    assert len(found) == data.get_dataset_size()
    return [[part.tolist() for part in row[1:]] for row in found], [str(part.dtype) for part in found[0]]


def test_voc_objects(voc):
    data = ds.VOCDataset(voc, "Detection", shuffle=False)
    assert data.get_col_names() == ["image", "bbox", "label", "difficult", "truncate"]
    cat = [[[1.0, 1.0, 2.0, 2.0]], [[0]], [[0]], [[0]]]
    both = [[[1.0, 2.0, 4.0, 4.0], [2.5, 2.0, 1.5, 2.0]], [[1], [0]], [[1], [0]], [[0], [0]]]
    assert rows(data) == ([cat, both], ["uint8", "float32", "uint32", "uint32", "uint32"])
    assert data.get_class_indexing() == {"cat": 0, "dog": 1}
    assert rows(ds.VOCDataset(voc, "Detection", class_indexing={"dog": 4}, extra_metadata=True))[0] == [
        [[[1.0, 2.0, 4.0, 4.0]], [[4]], [[1]], [[0]], "a"]
    ]


def test_voc_segments(voc):
    data = ds.VOCDataset(voc, shuffle=False)
    assert [bytes(image) for image, _ in data.create_tuple_iterator(output_numpy=True)] == [b"image b", b"image a"]
    assert rows(data)[0] == [[list(b"segments")]] * 2
    with pytest.raises(NotImplementedError, match="Detection"):
        data.get_class_indexing()
    path = []
    image = next(iter(ds.VOCDataset(voc, decrypt=lambda name: path.append(name) or b"xy")))[0]
    assert (image.shape, path[0].startswith(voc)) == ((2,), True)


def test_voc_says_what_is_wrong(voc):
    for options in ({"task": "X"}, {"usage": "nope"}, {"class_indexing": {"cat": 1}}):
        with pytest.raises(ValueError, match=r"X|nope|alone"):
            ds.VOCDataset(voc, **options)
    with pytest.raises(TypeError, match="task"):
        ds.VOCDataset(voc, 3)
    for task in ("Segmentation", "Detection"):
        with pytest.raises(RuntimeError, match="zz"):
            list(ds.VOCDataset(voc, task, "bad"))


@pytest.mark.parametrize("task", ["Segmentation", "Detection"])
def test_voc_names_nothing_outside(voc, tmp_path, task):
    for kind in ("Main", "Segmentation"):
        (tmp_path / f"ImageSets/{kind}/train.txt").write_text("../../../secret\n")
    with pytest.raises(RuntimeError, match="not in the folder"):
        ds.VOCDataset(voc, task)


@pytest.mark.parametrize("mark", ["-1", "x", "4294967296"])
def test_voc_marks_out_of_range(voc, tmp_path, mark):
    text = OBJECT.format("dog", f"<difficult>{mark}</difficult>", 1, 2, 5, 6)
    (tmp_path / "Annotations/a.xml").write_text(f"<annotation>{text}</annotation>")
    with pytest.raises(RuntimeError, match=r"a\.xml cannot be read"):
        ds.VOCDataset(voc, "Detection")


CATEGORIES = [{"id": 18, "name": "dog", "isthing": 1}, {"id": 1, "name": "person", "isthing": 0}]
IMAGES = [{"id": id, "file_name": f"{name}.jpg"} for id, name in ((7, "b"), (3, "a"), (9, "c"))]
ITEMS = [
    {
        "image_id": 3, "bbox": [1, 2, 3, 4.5], "category_id": 18, "iscrowd": 0, "keypoints": [1, 2, 2],
        "num_keypoints": 1, "segmentation": [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12, 13, 14]], "caption": "one",
    },
    {
        "image_id": 7, "bbox": [0, 0, 1, 1], "category_id": 1, "iscrowd": 1, "keypoints": [0, 0, 0], "num_keypoints": 0,
        "segmentation": {"counts": [3, 4, 5], "size": [2, 3]}, "caption": "two",
    },
    {
        "image_id": 3, "bbox": [5, 5, 1, 1], "category_id": 1, "iscrowd": 0, "keypoints": [9, 9, 2], "num_keypoints": 1,
        "segmentation": [[1, 2, 3, 4]], "caption": "three",
    },
]  # fmt: skip


@pytest.fixture
def coco(tmp_path):
    for image in IMAGES:
        (tmp_path / image["file_name"]).write_text("image")
    whole = {"images": IMAGES, "annotations": ITEMS, "categories": CATEGORIES}
    segments = [{"bbox": [1, 2, 3, 4], "category_id": 18, "iscrowd": 0, "area": 12}]
    (tmp_path / "all.json").write_text(json.dumps(whole))
    (tmp_path / "panoptic.json").write_text(
        json.dumps(whole | {"annotations": [{"image_id": 3, "segments_info": segments}]})
    )
    (tmp_path / "few.json").write_text(json.dumps({"images": IMAGES, "annotations": ITEMS}))
    (tmp_path / "bad.json").write_text("[")
    return str(tmp_path)


@pytest.mark.parametrize(
    ("task", "first", "second", "types"),
    [
        (
            "Detection",
            [[[0, 0, 1, 1]], [[1]], [[1]]],
            [[[1, 2, 3, 4.5], [5, 5, 1, 1]], [[18], [1]], [[0], [0]]],
            ["float32", "uint32", "uint32"],
        ),
        (
            "Stuff",
            [[[3, 4, 5]], [[1]]],
            [[[1, 2, 3, 4, 5, 6, -1, -1], [7, 8, 9, 10, 11, 12, 13, 14], [1, 2, 3, 4, -1, -1, -1, -1]], [[0], [0]]],
            ["float32", "uint32"],
        ),
        ("Keypoint", [[[0, 0, 0]], [[0]]], [[[1, 2, 2], [9, 9, 2]], [[1], [1]]], ["float32", "uint32"]),
        ("Captioning", [[["two"]]], [[["one"], ["three"]]], ["<U3"]),
    ],
)
def test_coco(coco, task, first, second, types):
    data = ds.CocoDataset(coco, f"{coco}/all.json", task, shuffle=False)
    assert rows(data) == ([first, second], ["uint8", *types])
    assert len(data.get_col_names()) == len(types) + 1


def test_coco_classes(coco):
    data = ds.CocoDataset(coco, f"{coco}/panoptic.json", "Panoptic", extra_metadata=True)
    assert rows(data) == (
        [[[[1, 2, 3, 4]], [[18]], [[0]], [[12]], "a.jpg"]],
        ["uint8", "float32", *["uint32"] * 3, "<U5"],
    )
    assert data.get_class_indexing() == {"dog": [18, 1], "person": [1, 0]}
    assert ds.CocoDataset(coco, f"{coco}/all.json").get_class_indexing() == {"dog": [18], "person": [1]}
    with pytest.raises(NotImplementedError, match="Panoptic"):
        ds.CocoDataset(coco, f"{coco}/all.json", "Stuff").get_class_indexing()


def test_coco_decodes(coco):
    image_module = pytest.importorskip("PIL.Image")
    for image in IMAGES:
        image_module.fromarray(np.full((4, 5, 3), 7, np.uint8)).save(f"{coco}/{image['file_name']}")
    data = ds.CocoDataset(coco, f"{coco}/all.json", decode=True)
    assert {image.shape for image, *_ in data.create_tuple_iterator(output_numpy=True)} == {(4, 5, 3)}


def test_coco_says_what_is_wrong(coco):
    for file, task in (("nope", "Detection"), ("all", "X")):
        with pytest.raises(ValueError, match=r"nope|X"):
            ds.CocoDataset(coco, f"{coco}/{file}.json", task)
    for file in ("few", "bad"):
        with pytest.raises(RuntimeError, match=r"lacks the member 'categories'|cannot be read"):
            ds.CocoDataset(coco, f"{coco}/{file}.json")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"images": [{"id": 3, "file_name": "../secret.jpg"}]}, "not in the folder"),
        ({"images": [{"id": 3, "file_name": 5}]}, "cannot be read"),
        ({"annotations": [ITEMS[0] | {"category_id": -1}]}, "cannot be read"),
    ],
)
def test_coco_refuses(coco, tmp_path, changed, message):
    whole = {"images": IMAGES, "annotations": ITEMS, "categories": CATEGORIES} | changed
    (tmp_path / "all.json").write_text(json.dumps(whole))
    with pytest.raises(RuntimeError, match=message):
        ds.CocoDataset(coco, f"{coco}/all.json")
