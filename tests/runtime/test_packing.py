"""Adjacent arrays in memory: how they are made and recognised, and copies of other arrays."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mycel.runtime.commit import make_calls
from mycel.runtime.packing import SMALL, Packed, adjacent, adjoin, pack, unpack

SHAPES = ((2, 3), (), (4,), (1, 2, 2))


def arrays(dtype: str = "float32") -> list[np.ndarray]:
    """An array of each shape, no two numbers equal."""
    return list(map(np.array, unpack(np.arange(15).astype(dtype), shapes=SHAPES)))


def test_parts_of_a_vector() -> None:
    parts = arrays()
    flat = pack(*parts)
    np.testing.assert_array_equal(flat, np.arange(15))
    for part, again in zip(parts, unpack(flat, shapes=SHAPES), strict=True):
        np.testing.assert_array_equal(part, again)
        assert np.may_share_memory(again, flat)
    assert pack(*parts, out=flat) is flat


def test_parts_of_the_middle_of_a_vector() -> None:
    """The vector found is as long as the parts together, wherever they begin and end."""
    vector = np.arange(20.0)
    for cuts in ((0, 3, 9), (2, 5, 9), (11, 12, 20)):
        parts = [vector[start:stop] for start, stop in itertools.pairwise(cuts)]
        found = adjacent(parts)
        assert found is not None
        np.testing.assert_array_equal(found, vector[cuts[0] : cuts[-1]])


def test_two_small_arrays_are_laid_side_by_side() -> None:
    for count in (1, 2, 3):
        given = arrays()[:count]
        laid = adjoin(given)
        assert (adjacent(laid) is not None) == (count > 1)
        assert (laid[0] is given[0]) == (count == 1)


def test_small_arrays_are_laid_side_by_side() -> None:
    """By dtype; large and empty arrays are not moved, nor are adjacent ones."""
    large, empty = np.ones(SMALL // 4 + 1, np.float32), np.ones((0, 2), np.float32)
    mixed = [*arrays("float32"), large, *arrays("float64"), empty, np.ones(3, np.int32)]
    laid = adjoin(mixed)
    assert laid[4] is large
    assert laid[9] is empty
    assert laid[10] is mixed[10]
    for before, after in zip(mixed, laid, strict=True):
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype
    assert adjacent(mixed[:4]) is None
    for part in (laid[:4], laid[5:9]):
        vector = adjacent(part)
        assert vector is not None
        np.testing.assert_array_equal(vector, np.arange(15))
        assert np.may_share_memory(vector, part[0])
    assert all(after is before for before, after in zip(laid, adjoin(laid), strict=True))


@pytest.mark.parametrize(
    "choose",
    [
        lambda laid: [laid[1], laid[0]],  # in another order
        lambda laid: [laid[0], laid[2]],  # with a gap
        lambda laid: [laid[0], laid[1].copy()],  # one elsewhere
        lambda laid: [laid[0].T, laid[1]],  # not in C order
        lambda laid: [laid[0].view(np.int32), laid[1].view(np.int32)],  # of another dtype than the memory
        lambda laid: [laid[0], laid[0]],  # twice the same
        lambda laid: [laid[0].reshape(6)[:3], laid[1]],
    ],
)
def test_what_does_not_lie_side_by_side(choose: object) -> None:
    assert adjacent(choose(adjoin(arrays()))) is None  # type: ignore[operator]


def test_packed_arrays_are_updated_where_they_are() -> None:
    packed = Packed(SHAPES)
    side_by_side, apart = adjoin(arrays()), arrays()
    for given in (side_by_side, apart, side_by_side, apart):
        before = [array.copy() for array in given]
        flat = packed.load(*given)
        assert np.may_share_memory(flat, given[0]) == (given is side_by_side)
        flat *= 2
        make_calls(packed.moves(flat))
        for array, old in zip(given, before, strict=True):
            np.testing.assert_array_equal(array, old * 2)


def test_packed_arrays_take_other_vectors() -> None:
    """Results computed elsewhere are copied to the arrays."""
    packed = Packed(SHAPES)
    for given in (adjoin(arrays()), arrays()):
        packed.load(*given)
        make_calls(packed.moves(np.arange(15, 30).astype(np.float32)))
        np.testing.assert_array_equal(pack(*given), np.arange(15, 30))
