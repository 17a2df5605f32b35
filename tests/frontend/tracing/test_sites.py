"""The places of traced code."""

import gc

import numpy as np

import mycel as ms
from mycel import Tensor
from mycel.compiler.ir.values import Location


def test_places_live_no_longer_than_what_was_traced_there(tmp_path) -> None:
    """A program that makes functions without end does not grow."""
    for number in range(3):
        path = tmp_path / f"made_{number}.py"
        path.write_text("def f(x):\n    return x * 2 + 1\n", encoding="utf-8")
        scope: dict = {}
        exec(compile(path.read_text("utf-8"), str(path), "exec"), scope)
        np.testing.assert_array_equal(ms.jit(scope["f"])(Tensor([1.0])).asnumpy(), [3.0])
    del scope
    gc.collect()
    made = [each for each in gc.get_objects() if isinstance(each, Location) and "made_" in each.file]
    assert {each.file for each in made} <= {str(path)}
