"""Functions of object detection: overlaps of boxes, their encoding, suppression of doubles, and pooling of regions."""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...frontend.control_flow.conversion import mark_convertible
from ...frontend.values.arguments import choice, cut, insert_axes
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_shape import reshape, transpose
from .documentation import common
from .nn_activation import floating
from .overloads import call
from .seeds import draw, takes_seed
from .table import known_as

__all__ = [
    "bounding_box_decode", "bounding_box_encode", "check_valid", "choice_with_mask", "iou", "nms_with_mask",
    "roi_align",
]  # fmt: skip


def _columns(boxes: Any, function: str, name: str) -> list[Tensor]:
    """The four columns of boxes (N, 4), each (N, 1)."""
    table = floating(boxes, function, name)
    if table.ndim != 2 or int(table.shape[1]) < 4:
        raise ValueError(f"{function}: '{name}' should be of shape (N, 4), but its shape is {table.shape}")
    return [cut(table, 1, place, place + 1) for place in range(4)]


def _overlap(first: list[Tensor], second: list[Tensor], extra: float, over_second_only: bool = False) -> Tensor:
    """The areas that boxes of two lists have in common over the area of both: (N, M). `extra` is added to each side."""
    others = [transpose(column, (1, 0)) for column in second]

    def side(low: Tensor, high: Tensor) -> Tensor:
        return apply(prims.add, apply(prims.subtract, high, low), extra)

    def area(columns: list[Tensor]) -> Tensor:
        return apply(prims.multiply, side(columns[0], columns[2]), side(columns[1], columns[3]))

    sides = []
    for low, high in ((0, 2), (1, 3)):
        begin, end = apply(prims.maximum, first[low], others[low]), apply(prims.minimum, first[high], others[high])
        sides.append(apply(prims.maximum, side(begin, end), 0.0))
    common = apply(prims.multiply, *sides)
    whole = area(others)
    if not over_second_only:
        whole = apply(prims.subtract, apply(prims.add, area(first), whole), common)
    return apply(prims.divide, common, whole)


@common
def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = "iou") -> Tensor:
    """The overlap of each true box with each anchor box, (true boxes, anchors): common area over the area of both.

    No gradient passes through it.

    Args:
        anchor_boxes: boxes of shape (anchors, 4).
        gt_boxes: boxes of shape (true boxes, 4).
        mode: "iou"; "iof": over the area of the true box.

    Raises:
        ValueError: if a shape or `mode` is not as said.

    Examples:
        >>> print(ops.iou(Tensor([[0.0, 0.0, 2.0, 2.0]]), Tensor([[0.0, 0.0, 2.0, 2.0]])))
        [[1.]]
    """
    choice(mode, ("iou", "iof"), "iou", "mode")
    anchors, truth = _columns(anchor_boxes, "iou", "anchor_boxes"), _columns(gt_boxes, "iou", "gt_boxes")
    return apply(prims.stop_gradient, transpose(_overlap(anchors, truth, 1.0, mode == "iof"), (1, 0)))


def _centred(columns: list[Tensor]) -> list[Tensor]:
    """Centres and sizes of boxes."""
    sizes = [apply(prims.add, apply(prims.subtract, columns[2 + axis], columns[axis]), 1.0) for axis in range(2)]
    middles = [apply(prims.multiply, apply(prims.add, columns[axis], columns[2 + axis]), 0.5) for axis in range(2)]
    return [*middles, *sizes]


@common
def bounding_box_encode(
    anchor_box: Tensor, groundtruth_box: Tensor, means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
) -> Tensor:  # fmt: skip
    """True boxes relative to anchors: shifts over the anchor's size, logarithms of the ratios of sizes.

    Args:
        anchor_box: boxes of shape (N, 4).
        groundtruth_box: the true boxes of shape (N, 4).
        means: what the result is shifted by.
        stds: what it is divided by.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.bounding_box_encode(Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([[0.0, 0.0, 1.0, 1.0]])))
        [[0. 0. 0. 0.]]
    """
    x, y, width, height = _centred(_columns(anchor_box, "bounding_box_encode", "anchor_box"))
    tx, ty, twidth, theight = _centred(_columns(groundtruth_box, "bounding_box_encode", "groundtruth_box"))
    parts = [
        apply(prims.divide, apply(prims.subtract, tx, x), width),
        apply(prims.divide, apply(prims.subtract, ty, y), height),
        apply(prims.log, apply(prims.divide, twidth, width)),
        apply(prims.log, apply(prims.divide, theight, height)),
    ]
    scaled = [
        apply(prims.divide, apply(prims.subtract, part, float(mean)), float(std))
        for part, mean, std in zip(parts, means, stds, strict=True)
    ]
    return apply(prims.concatenate, *scaled, axis=1)


@common
def bounding_box_decode(
    anchor_box: Tensor, deltas: Tensor, max_shape: tuple[int, int], means: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    stds: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0), wh_ratio_clip: float = 0.016,
) -> Tensor:  # fmt: skip
    """The reverse of `bounding_box_encode`, inside an image of `max_shape` (height, width).

    Args:
        anchor_box: boxes of shape (N, 4).
        deltas: what `bounding_box_encode` gave, of shape (N, 4).
        max_shape: height and width of the image.
        means: what the deltas were shifted by.
        stds: what they were divided by.
        wh_ratio_clip: how far width and height may change.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.bounding_box_decode(Tensor([[0.0, 0.0, 1.0, 1.0]]), ops.zeros((1, 4)), (4, 4)))
        [[0. 0. 1. 1.]]
    """
    x, y, width, height = _centred(_columns(anchor_box, "bounding_box_decode", "anchor_box"))
    parts = [
        apply(prims.add, apply(prims.multiply, part, float(std)), float(mean))
        for part, mean, std in zip(_columns(deltas, "bounding_box_decode", "deltas"), means, stds, strict=True)
    ]
    limit = abs(math.log(wh_ratio_clip))
    ends: list[list[Tensor]] = [[], []]
    for axis, (centre, size) in enumerate(((x, width), (y, height))):
        middle = apply(prims.add, centre, apply(prims.multiply, size, parts[axis]))
        wide = apply(prims.multiply, size, apply(prims.exp, apply(prims.clip, parts[2 + axis], -limit, limit)))
        half = apply(prims.subtract, apply(prims.multiply, wide, 0.5), 0.5)
        largest = float(max_shape[1 - axis])
        ends[0].append(apply(prims.clip, apply(prims.subtract, middle, half), 0.0, largest))
        ends[1].append(apply(prims.clip, apply(prims.add, middle, half), 0.0, largest))
    return apply(prims.concatenate, *ends[0], *ends[1], axis=1)


@known_as(primitive="CheckValid")
def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Which boxes (x0, y0, x1, y1) lie inside an image of (height, width, ratio).

    Args:
        bboxes: boxes of shape (N, 4).
        img_metas: height, width and ratio, of shape (3).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.check_valid(Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([4.0, 4.0, 1.0])))
        [ True]
    """
    x0, y0, x1, y1 = _columns(bboxes, "check_valid", "bboxes")
    meta = cast(need_tensor(img_metas, "check_valid", "img_metas"), x0.dtype)
    height, width, ratio = (reshape(cut(meta, 0, place, place + 1), ()) for place in range(3))
    bottom = apply(prims.subtract, apply(prims.multiply, height, ratio), 1.0)
    right = apply(prims.subtract, apply(prims.multiply, width, ratio), 1.0)
    conditions = [
        apply(prims.greater_equal, x0, 0.0),
        apply(prims.greater_equal, y0, 0.0),
        apply(prims.less_equal, x1, right),
        apply(prims.less_equal, y1, bottom),
    ]
    result = conditions[0]
    for condition in conditions[1:]:
        result = apply(prims.logical_and, result, condition)
    return reshape(result, (-1,))


@common
def nms_with_mask(bboxes: Tensor, iou_threshold: float = 0.5) -> tuple[Tensor, Tensor, Tensor]:
    """Boxes (x0, y0, x1, y1, score) in descending order of score, their positions there, and which of them stay.

    A box goes if it overlaps one with a higher score that stays by more than the threshold.

    Args:
        bboxes: boxes with scores, floating-point numbers of shape (N, 5).
        iou_threshold: the overlap from which on the worse box is left out.

    Raises:
        ValueError: if the shape is another.

    Examples:
        >>> print(ops.nms_with_mask(Tensor([[0.0, 0.0, 1.0, 1.0, 0.9]]))[2])
        [ True]
    """
    boxes = floating(bboxes, "nms_with_mask", "bboxes")
    if boxes.ndim != 2 or int(boxes.shape[1]) != 5:
        raise ValueError(f"nms_with_mask: 'bboxes' should be of shape (N, 5), but its shape is {boxes.shape}")
    scores = reshape(cut(boxes, 1, 4, 5), (-1,))
    order = apply(prims.argsort, scores, axis=0, descending=True, dtype=dtypes.int32)
    ordered = apply(prims.take, boxes, order, axis=0)
    columns = _columns(ordered, "nms_with_mask", "bboxes")
    close = apply(prims.greater, _overlap(columns, columns, 0.0), float(iou_threshold))
    earlier = apply(prims.triu, close, k=1)
    keep = apply(prims.greater_equal, apply(prims.stop_gradient, apply(prims.zeros_like, scores)), 0.0)
    places = apply(prims.iota, start=0, step=1, size=int(boxes.shape[0]), dtype=dtypes.int32)
    return ordered, places, call(_suppress, earlier, keep)


def _suppressed(earlier: Tensor, keep: Tensor) -> Tensor:
    """The boxes that remain if the marked ones do."""
    hit = apply(prims.logical_and, earlier, insert_axes(keep, (1,)))
    return apply(prims.logical_not, apply(prims.any, hit, axis=(0,), keepdims=False))


def _differs(x: Tensor, y: Tensor) -> Tensor:
    return apply(prims.any, apply(prims.not_equal, x, y), axis=(0,), keepdims=False)


@mark_convertible
def _suppress(earlier: Any, keep: Any) -> Any:
    """Repeat until nothing changes: with every turn at least one more box is decided for good."""
    after = _suppressed(earlier, keep)
    while _differs(after, keep):
        keep = after
        after = _suppressed(earlier, keep)
    return after


def _spots(regions: Tensor, axis: int, count: int, scale: float, end_mode: int) -> Tensor:
    """Where the samples of each region lie along an axis: (regions, count)."""
    begin = apply(prims.multiply, cut(regions, 1, 2 - axis, 3 - axis), float(scale))
    last = apply(prims.add, cut(regions, 1, 4 - axis, 5 - axis), float(end_mode))
    span = apply(prims.subtract, apply(prims.multiply, last, float(scale)), begin)
    if not end_mode:
        span = apply(prims.maximum, span, 1.0)
    steps = Tensor([(place + 0.5) / count for place in range(count)], regions.dtype)
    return apply(prims.add, begin, apply(prims.multiply, span, steps))


@common
def roi_align(
    features: Tensor, rois: Tensor, pooled_height: int, pooled_width: int, spatial_scale: float, sample_num: int = 2,
    roi_end_mode: int = 1,
) -> Tensor:  # fmt: skip
    """Regions of feature maps as grids of means of bilinear samples: (regions, C, pooled height, pooled width).

    No gradient flows to the regions.

    Args:
        features: of shape (N, C, H, W).
        rois: (image, x0, y0, x1, y1) of each region.
        pooled_height, pooled_width: the size of the grids.
        spatial_scale: by which the regions' coordinates are multiplied.
        sample_num: samples a cell in each direction, positive.
        roi_end_mode: 1 if the last pixel belongs to the region; 0 if not, and a region spans at least one pixel.

    Raises:
        ValueError: if a shape does not fit.

    Examples:
        >>> print(ops.roi_align(ops.ones((1, 1, 4, 4)), Tensor([[0.0, 0.0, 0.0, 2.0, 2.0]]), 1, 1, 1.0).shape)
        (1, 1, 1, 1)
    """
    from .nn_sampling import corners, pixels

    maps = floating(features, "roi_align", "features")
    regions = apply(prims.stop_gradient, floating(rois, "roi_align", "rois"))
    if maps.ndim != 4 or regions.ndim != 2 or int(regions.shape[1]) != 5 or sample_num < 1:
        raise ValueError(
            f"roi_align: features (N, C, H, W), regions (R, 5) and a positive sample_num are expected, but got "
            f"{maps.shape}, {regions.shape} and {sample_num}"
        )
    count = int(regions.shape[0])
    sizes = tuple(map(int, maps.shape[2:]))
    owners = cast(reshape(cut(regions, 1, 0, 1), (-1,)), dtypes.int64)
    spots = []
    inside: Tensor | None = None
    for axis, (size, cells) in enumerate(zip(sizes, (pooled_height, pooled_width), strict=True)):
        spot = _spots(regions, axis, cells * sample_num, spatial_scale, roi_end_mode)
        near = apply(
            prims.logical_and, apply(prims.greater_equal, spot, -1.0), apply(prims.less_equal, spot, float(size))
        )
        near = insert_axes(near, (2,) if axis == 0 else (1,))
        inside = near if inside is None else apply(prims.logical_and, inside, near)
        spots.append(apply(prims.clip, spot, 0.0, float(size - 1)))
    shape = (count, pooled_height * sample_num, pooled_width * sample_num)
    rows = apply(prims.broadcast_to, insert_axes(spots[0], (2,)), shape=shape)
    columns = apply(prims.broadcast_to, insert_axes(spots[1], (1,)), shape=shape)
    picked = apply(prims.take, maps, owners, axis=0)
    total: Tensor | None = None
    for indices, weight in corners([rows, columns], "bilinear"):
        part = apply(prims.multiply, pixels(picked, indices, sizes), insert_axes(weight, (1,)))
        total = part if total is None else apply(prims.add, total, part)
    assert inside is not None
    samples = apply(prims.select, insert_axes(inside, (1,)), total, 0.0)
    whole = {"padding": ((0, 0), (0, 0)), "ceil_mode": False, "count_include_pad": True, "divisor": None}
    window = (sample_num, sample_num)
    return apply(prims.avg_pool, samples, kernel=window, stride=window, **whole)


@common
@takes_seed
def choice_with_mask(input_x: Tensor, count: int = 256, seed: Any = None) -> tuple[Tensor, Tensor]:
    """Up to `count` positions, drawn at random, where a Bool tensor is True, and which of the rows hold one.

    Args:
        input_x: a Bool tensor of one to five dimensions.
        count: how many positions.
        seed: of a generator for these draws; None: the global one. `set_seed` begins both anew.

    Raises:
        ValueError: if `input_x` is not as said.

    Examples:
        >>> print(*ops.choice_with_mask(Tensor([[True, False]]), 1))
        [[0 0]] [ True]
    """
    mask = need_tensor(input_x, "choice_with_mask", "input_x")
    if not mask.dtype.is_bool:
        raise TypeError(f"choice_with_mask: 'input_x' should be Bool, but its dtype is {mask.dtype}")
    shape = mask._type.static_shape
    flat = reshape(mask, (-1,))
    noise = draw(prims.random_uniform, shape=(mask.size,), low=0.0, high=1.0, dtype=dtypes.float32)
    ranked = apply(prims.select, flat, noise, 2.0)
    order = apply(prims.argsort, ranked, axis=0, descending=False, dtype=dtypes.int32)
    drawn = min(count, mask.size)
    first = cut(order, 0, 0, drawn)
    valid = apply(prims.take, flat, first, axis=0)
    columns, rest = [], first
    for size in reversed(shape):
        columns.append(insert_axes(apply(prims.remainder, rest, size), (1,)))
        rest = apply(prims.floor_divide, rest, size)
    rows = apply(prims.concatenate, *reversed(columns), axis=1)
    rows = apply(prims.select, insert_axes(valid, (1,)), rows, 0)
    if drawn < count:
        rows = apply(prims.pad, rows, low=(0, 0), high=(count - drawn, 0), value=0)
        valid = apply(prims.pad, valid, low=(0,), high=(count - drawn,), value=False)
    return rows, valid
