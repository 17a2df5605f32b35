"""Transformations of images, columns and text: recorded results, random ones, pipelines, and Pillow missing."""

from __future__ import annotations

import doctest
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from recordings import DIRECTORY, cases

import mycel as ms
from mycel import dataset as ds
from mycel.dataset import text, transforms, vision
from mycel.dataset.vision import Inter

Image = pytest.importorskip("PIL.Image")


def array_differs(value: Any, expected: Any) -> str:
    """The difference of an array, a PIL image, or a tuple of them from the recorded one; an empty text if there is
    none."""
    if isinstance(expected, list) and isinstance(value, list) and len(value) == len(expected):
        return "; ".join(filter(None, map(array_differs, value, expected)))
    if not isinstance(expected, dict):
        return "" if value == expected else f"{value!r} is not {expected!r}"
    if "tuple" in expected:
        if not isinstance(value, tuple) or len(value) != len(expected["tuple"]):
            return f"{value!r} should be a tuple of {len(expected['tuple'])}"
        return "; ".join(filter(None, map(array_differs, value, expected["tuple"])))
    if "image" in expected:
        if not isinstance(value, Image.Image) or value.mode != expected["image"]:
            return f"{value!r} should be a PIL image of mode {expected['image']}"
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        return f"{type(value)} should be an array"
    dtype = "str" if value.dtype.kind == "U" else str(value.dtype)
    if (dtype, list(value.shape)) != (expected["dtype"], expected["shape"]):
        return f"{dtype} {value.shape} should be {expected['dtype']} {expected['shape']}"
    wanted = np.reshape(np.array(expected["data"]), value.shape)
    if value.dtype.kind == "f":
        return "" if np.allclose(value, wanted, rtol=1e-5, atol=1e-5) else f"{value} should be {wanted}"
    return "" if (value == wanted).all() else f"{value} should be {wanted}"


def evaluate(expression: str, definitions: tuple[str, ...]) -> Any:
    names: dict[str, Any] = {"np": np, "ms": ms, "ds": ds, "Image": Image}
    names.update(vision=vision, transforms=transforms, text=text)
    for statement in definitions:
        exec(statement, names)
    return eval(expression, names)


PACKAGES = ("mycel.library.dataset.vision.", "mycel.library.dataset.text.")
MODULES = [name for name in sys.modules if name.startswith(PACKAGES)]
RECORDED = [case for name in ("vision", "transforms") for case in cases(name)]


@pytest.mark.parametrize(("expression", "definitions", "expected"), RECORDED, ids=[case[0] for case in RECORDED])
def test_as_recorded(expression: str, definitions: tuple[str, ...], expected: Any) -> None:
    if isinstance(expected, dict) and "error" in expected:
        with pytest.raises(Exception, match=r".+") as caught:
            evaluate(expression, definitions)
        assert type(caught.value).__name__ == expected["error"]
    else:
        assert array_differs(evaluate(expression, definitions), expected) == ""


def test_recordings_are_many() -> None:
    assert DIRECTORY.joinpath("vision.json").exists()
    assert len(RECORDED) > 500


def image(height: int = 24, width: int = 20) -> np.ndarray:
    rows, columns, channels = np.ogrid[:height, :width, :3]
    return (rows * columns // 4 + (rows + columns) % 3 * 9 + channels * 30 + 9).astype(np.uint8)


RANDOM: dict[str, Callable[[], Any]] = {
    "flip": lambda: vision.RandomHorizontalFlip(),
    "flip upside down": lambda: vision.RandomVerticalFlip(),
    "crop": lambda: vision.RandomCrop(8),
    "padded crop": lambda: vision.RandomCrop((30, 26), 2, True),
    "resized crop": lambda: vision.RandomResizedCrop((7, 9)),
    "resize": lambda: vision.RandomResize((31, 30)),
    "rotation": lambda: vision.RandomRotation(45),
    "affine": lambda: vision.RandomAffine(20, (0.2, 0.3), (0.7, 1.4), (5, 20, 3, 6), Inter.BILINEAR),
    "color adjust": lambda: vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.2),
    "color": lambda: vision.RandomColor(),
    "sharpness": lambda: vision.RandomSharpness(),
    "posterize": lambda: vision.RandomPosterize((1, 8)),
    "solarize": lambda: vision.RandomSolarize((0, 255)),
    "lighting": lambda: vision.RandomLighting(0.3),
    "invert": lambda: vision.RandomInvert(),
    "equalize": lambda: vision.RandomEqualize(),
    "contrast": lambda: vision.RandomAutoContrast(),
    "adjust sharpness": lambda: vision.RandomAdjustSharpness(3.0),
    "cut out": lambda: vision.CutOut(5, 2),
    "erasing": lambda: vision.RandomErasing(0.8, value="random"),
    "auto augment": lambda: vision.AutoAugment(),
    "auto augment of digits": lambda: vision.AutoAugment(vision.AutoAugmentPolicy.SVHN),
    "auto augment of small images": lambda: vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10, Inter.BILINEAR, 9),
    "random augment": lambda: vision.RandAugment(3, 20),
    "trivial augment": lambda: vision.TrivialAugmentWide(),
    "uniform augment": lambda: vision.UniformAugment([vision.Invert(), vision.HorizontalFlip()], 2),
    "subpolicy": lambda: vision.RandomSelectSubpolicy([[(vision.Invert(), 0.5)], [(vision.VerticalFlip(), 1.0)]]),
    "apply": lambda: transforms.RandomApply([vision.Invert()]),
    "choice": lambda: transforms.RandomChoice([vision.Invert(), vision.VerticalFlip()]),
    "order": lambda: transforms.RandomOrder([vision.Posterize(3), vision.AdjustBrightness(1.3), vision.Invert()]),
}


@pytest.fixture(autouse=True)
def unseeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test starts, and leaves the others, without a seed of pipelines."""
    monkeypatch.setitem(ds.config._settings, "seed", None)
    monkeypatch.setattr(ds.config, "_generators", {})


@pytest.mark.parametrize("make", RANDOM.values(), ids=RANDOM)
@pytest.mark.parametrize("seed", [ds.config.set_seed, ms.set_seed], ids=["config", "global"])
def test_draws_differ_and_follow_the_seed(make: Callable[[], Any], seed: Callable[[int], None]) -> None:
    transform, runs = make(), []
    for _ in range(2):
        seed(7)
        runs.append([transform(image()) for _ in range(20)])
    for first, second in zip(*runs, strict=True):
        np.testing.assert_array_equal(first, second)
    assert len({(found.shape, found.tobytes()) for found in runs[0]}) > 1
    assert len({found.dtype for found in runs[0]}) == 1


PICTURES = ("flip", "crop", "resized crop", "rotation", "affine", "color adjust", "color", "sharpness", "lighting")


@pytest.mark.parametrize("name", PICTURES)
def test_pil_images_stay_pil_images(name: str) -> None:
    ds.config.set_seed(3)
    transform, picture = RANDOM[name](), Image.fromarray(image())
    found = [transform(picture) for _ in range(20)]
    assert all(isinstance(item, Image.Image) and item.mode == "RGB" for item in found)
    assert len({item.tobytes() for item in found}) > 1


def test_contrast_rounds_halves_as_opencv_does() -> None:
    image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3) * 20
    image[0, 0, 0] += 7
    assert vision.AdjustContrast(0.0)(image).ravel()[0] == 106  # of a mean of 106.5


def test_a_probability_is_kept() -> None:
    ds.config.set_seed(5)
    for probability in (0.2, 0.8):
        flip = vision.RandomHorizontalFlip(probability)
        picture = image()
        share = np.mean([not np.array_equal(flip(picture), picture) for _ in range(2000)])
        assert abs(share - probability) < 0.04


def test_crops_come_from_everywhere() -> None:
    ds.config.set_seed(5)
    places = np.arange(16).reshape(4, 4).astype(np.uint8)
    corners = [int(vision.RandomCrop(2)(places)[0, 0]) for _ in range(900)]
    assert set(corners) == {0, 1, 2, 4, 5, 6, 8, 9, 10}
    assert min(np.bincount(corners)[sorted(set(corners))]) > 60


def test_resized_crops_have_the_areas_and_proportions_asked_for() -> None:
    ds.config.set_seed(5)
    crop = vision.RandomResizedCrop(4, (0.3, 0.5), (0.5, 2.0))
    parts = np.array([crop.part(100, 120) for _ in range(500)])
    areas, ratios = parts[:, 2] * parts[:, 3] / 12000, parts[:, 3] / parts[:, 2]
    assert 0.28 < areas.min() < 0.32 < 0.48 < areas.max() < 0.52
    assert 0.45 < ratios.min() < 0.6 < 1.7 < ratios.max() < 2.1
    assert (parts[:, 0] + parts[:, 2] <= 100).all()
    assert (parts[:, 1] + parts[:, 3] <= 120).all()
    assert crop.__class__(4, (2.0, 2.0), (1.0, 1.0)).part(100, 120) == (0, 10, 100, 100)


def test_several_images_are_treated_alike() -> None:
    ds.config.set_seed(1)
    first = image()
    for transform in (vision.RandomHorizontalFlip(), vision.RandomCrop(5), vision.RandomResizedCrop(6)):
        for _ in range(8):
            one, other = transform(first, first)
            np.testing.assert_array_equal(one, other)


def test_mixtures_of_batches() -> None:
    ds.config.set_seed(2)
    images = np.stack([np.full((6, 8, 3), value, np.float32) for value in (0, 1, 2, 3)])
    labels = np.eye(4, dtype=np.int32)
    numbers = np.arange(4)
    for transform in (vision.MixUpBatch(), vision.CutMixBatch(vision.ImageBatchFormat.NHWC)):
        mixed, shares = transform(images, labels)
        assert shares.dtype == np.float32
        np.testing.assert_allclose(shares.sum(1), 1, rtol=1e-6)
        np.testing.assert_allclose(mixed.mean((1, 2, 3)), shares @ numbers, rtol=1e-5, atol=1e-6)
        assert not np.array_equal(mixed, images)
    turned, shares = vision.CutMixBatch(vision.ImageBatchFormat.NCHW)(images.transpose(0, 3, 1, 2), labels)
    np.testing.assert_allclose(turned.mean((1, 2, 3)), shares @ numbers, rtol=1e-5, atol=1e-6)
    single = vision.MixUp(4, 0.5)(images, labels)
    np.testing.assert_allclose(single[0].mean((1, 2, 3)), single[1] @ numbers, rtol=1e-6)
    following = vision.MixUp(4, 0.5, is_single=False)
    np.testing.assert_array_equal(following(images, labels)[0], images)
    later = following(images[::-1], labels[::-1])
    np.testing.assert_allclose(later[0].mean((1, 2, 3)), later[1] @ numbers, rtol=1e-6)


def test_erased_parts_have_the_values_asked_for() -> None:
    ds.config.set_seed(4)
    ones = np.ones((3, 20, 20), np.float32)
    found = vision.RandomErasing(1.0, value=(5, 6, 7))(ones)
    assert [set(np.unique(channel)) for channel in found] == [{1.0, 5.0}, {1.0, 6.0}, {1.0, 7.0}]
    assert (ones == 1).all()
    assert vision.RandomErasing(1.0, inplace=True)(ones) is ones
    assert (ones == 0).any()
    cut = vision.CutOut(4, is_hwc=False)(np.ones((3, 20, 20), np.float32))
    assert 0 < (cut == 0).sum() <= 3 * 16


def test_boxes_follow_their_image() -> None:
    ds.config.set_seed(4)
    picture = np.zeros((30, 40, 3), np.uint8)
    picture[8:14, 10:20] = 255
    boxes = np.array([[10, 8, 10, 6, 3]], np.float32)
    for transform in (
        vision.RandomHorizontalFlipWithBBox(),
        vision.RandomCropWithBBox((24, 30), 2),
        vision.RandomResizeWithBBox((60, 80)),
    ):
        for _ in range(6):
            made, (found,) = transform(picture, boxes)
            rows, columns = np.nonzero(made[..., 0] > 127)
            seen = [columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1]
            np.testing.assert_allclose(found[:4], seen, atol=1)
            assert found[4] == 3
    small = vision.RandomResizedCropWithBBox((12, 12), (0.01, 0.01), (1.0, 1.0))
    assert any((small(picture, boxes)[1] == 0).all() for _ in range(10))
    inverted, _ = vision.BoundingBoxAugment(vision.Invert(), 1.0)(picture, boxes)
    assert (inverted == 0).all()


def test_a_usual_pipeline() -> None:
    encoded = [vision.encode_png(image(30 + number, 28)) for number in range(6)]
    source = ds.GeneratorDataset(
        list(zip(encoded, np.arange(6, dtype=np.int32), strict=True)), ["image", "label"], shuffle=False
    )
    operations = [
        vision.Decode(),
        vision.RandomCrop(28),
        vision.RandomHorizontalFlip(),
        vision.Resize((12, 14), Inter.BICUBIC),
        vision.Rescale(1 / 255, 0.0),
        vision.Normalize([0.5, 0.4, 0.3], [0.2, 0.2, 0.2]),
        vision.HWC2CHW(),
    ]
    data = source.map(operations, "image").map(transforms.OneHot(6), "label").batch(3)
    rows = list(data.create_dict_iterator())
    assert [row["image"].shape for row in rows] == [(3, 3, 12, 14)] * 2
    assert rows[0]["image"].dtype is ms.float32
    assert rows[1]["label"].asnumpy().argmax(1).tolist() == [3, 4, 5]


def test_a_pipeline_of_pil_images() -> None:
    encoded = [vision.encode_png(image())] * 4
    source = ds.GeneratorDataset(encoded, ["image"], shuffle=False)
    steps = [vision.Decode(to_pil=True), vision.RandomResizedCrop(8), vision.Grayscale(3), vision.ToTensor()]
    for data in (source.map(steps, ["image"]), source.map(transforms.Compose(steps), "image")):
        assert [row["image"].shape for row in data.create_dict_iterator()] == [(3, 8, 8)] * 4
    crop = vision.RandomCropDecodeResize((5, 6))
    assert [part.shape for (part,) in source.map(crop, "image")] == [(5, 6, 3)] * 4


def test_compose_gives_a_tuple_where_mindspore_does() -> None:
    steps = [vision.Resize((4, 4)), vision.HWC2CHW()]
    assert transforms.Compose(steps)(image()).shape == (3, 4, 4)
    assert transforms.Compose([lambda x: x])(image()).shape == image().shape
    for python in ([vision.ToPIL(), *steps[:1], vision.ToTensor()], [transforms.Compose([vision.ToPIL()])]):
        assert len(transforms.Compose(python)(image())) == 1
    assert transforms.Compose([vision.Resize((4, 4)), vision.ToTensor()])(vision.ToPIL()(image()))[0].shape == (3, 4, 4)
    assert transforms.RandomApply([vision.ToPIL()], 1.0)(image()).size == image().shape[1::-1]
    assert transforms.RandomOrder([vision.ToPIL()])(image()).size == image().shape[1::-1]


def test_batches_are_mixed_in_a_pipeline() -> None:
    source = ds.NumpySlicesDataset((np.zeros((4, 3, 5, 5), np.float32), np.eye(4)), ["image", "label"]).batch(2)
    data = source.map(vision.CutMixBatch(vision.ImageBatchFormat.NCHW), ["image", "label"])
    assert [(row[0].shape, row[1].shape) for row in data] == [((2, 3, 5, 5), (2, 4))] * 2


def test_files(tmp_path: Any) -> None:
    picture = image()
    for name, write in (("a.png", vision.write_png), ("a.jpg", vision.write_jpeg)):
        write(str(tmp_path / name), picture)
        read = vision.read_image(str(tmp_path / name))
        assert read.shape == picture.shape
        assert np.abs(read.astype(int) - picture).max() <= (0 if name == "a.png" else 60)
    gray = vision.read_image(str(tmp_path / "a.png"), vision.ImageReadMode.GRAYSCALE)
    assert gray.shape == (24, 20, 1)
    vision.write_file(str(tmp_path / "b"), ms.Tensor([1, 2], ms.uint8))
    assert vision.read_file(str(tmp_path / "b")).tolist() == [1, 2]
    assert vision.get_image_size(picture) == [24, 20]
    assert vision.get_image_num_channels(picture) == 3
    with pytest.raises(RuntimeError, match="uint8"):
        vision.write_file(str(tmp_path / "b"), np.zeros(2))


def test_without_pillow_arrays_work_and_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = vision.encode_png(image())
    for name in [name for name in sys.modules if name.split(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert vision.Resize(10)(image()).shape == (12, 10, 3)
    assert vision.RandomColorAdjust(0.3)(image()).shape == (24, 20, 3)
    for call in (lambda: vision.Decode()(encoded), lambda: vision.ToPIL()(image()), lambda: vision.encode_png(image())):
        with pytest.raises(ImportError, match=r"pip install pillow"):
            call()


@pytest.mark.parametrize("name", ["mycel.library.dataset.transforms", *sorted(MODULES)])
def test_examples_of_docstrings(name: str) -> None:
    assert doctest.testmod(sys.modules[name]).failed == 0


def test_words_of_a_file(tmp_path: Any) -> None:
    file = tmp_path / "words.txt"
    file.write_text("hello,5\nworld,3\nthere,1\n")
    vocab = text.Vocab.from_file(str(file), ",", 2, ["<s>"])
    assert vocab.vocab() == {"<s>": 0, "hello": 1, "world": 2}
    with pytest.raises(RuntimeError, match="nowhere"):
        text.Vocab.from_file(str(tmp_path / "nowhere"))


def test_text_as_it_should_be_where_mindspore_slips() -> None:
    assert text.RegexReplace("a", "b", False)(["aa", "ca"]).tolist() == ["ba", "cb"]
    assert text.to_str(text.to_bytes(np.array(["a", "é"]))).tolist() == ["a", "é"]


def test_one_word_in_a_list_has_one_number() -> None:
    vocab = text.Vocab.from_list(["b", "a"])
    assert vocab.tokens_to_ids(["a"]) == vocab.tokens_to_ids(np.array(["a"])) == 1
    assert vocab.ids_to_tokens([1]) == vocab.ids_to_tokens(np.array([1])) == "a"
    assert vocab.tokens_to_ids(["a", "b"]) == [1, 0]


def test_a_pipeline_of_text() -> None:
    rows = ds.NumpySlicesDataset({"text": np.array(["Good day!", "Bad day"])}, shuffle=False)
    lower = rows.map(text.BasicTokenizer(lower_case=True), "text")
    vocab = text.Vocab.from_dataset(lower, "text", special_tokens=["<pad>"])
    assert vocab.tokens_to_ids(["<pad>", "day", "!", "bad", "good"]) == [0, 1, 2, 3, 4]
    steps = [text.Lookup(vocab), transforms.PadEnd([4], 0)]
    assert [row[0].tolist() for row in lower.map(steps, "text").batch(2)] == [[[4, 1, 2, 0], [3, 1, 0, 0]]]


def test_a_mark_changes_nothing() -> None:
    assert transforms.not_random(abs_of)(-3) == 3
    assert abs_of.random is False  # type: ignore[attr-defined]


def abs_of(value: int) -> int:
    return abs(value)
