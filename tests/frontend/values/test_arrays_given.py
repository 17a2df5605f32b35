"""Arrays that users get share only the memory of a tensor: changes of their attributes change no tensor."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel.runtime.arena import aligned_empty, shared_view

# What users may do with their arrays, NumPy warns of from 2.5 on.
pytestmark = pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")

GIVEN: dict[str, Callable[[Any], np.ndarray]] = {
    "asnumpy": lambda tensor: tensor.asnumpy(),
    "numpy": lambda tensor: tensor.numpy(),
    "asarray": np.asarray,
    "array without a copy": lambda tensor: np.array(tensor, copy=None),
    "of a view": lambda tensor: tensor.reshape(tensor.shape).asnumpy(),
    "pickled": lambda tensor: tensor.__reduce__()[1][0],
    "of its copy": lambda tensor: copy.copy(tensor).asnumpy(),
}


def bases(array: Any) -> list[Any]:
    """The array, and its bases, as far as they can be followed."""
    found = []
    while array is not None:
        found.append(array)
        array = getattr(array, "base", None)
    return found


@pytest.mark.parametrize("how", GIVEN)
@pytest.mark.parametrize("size", [12, 40_000])
def test_what_is_set_of_an_array_changes_no_tensor(how: str, size: int) -> None:
    tensor = ms.Tensor(np.arange(size, dtype=np.float32))
    captured = ms.jit(lambda: tensor + 1)
    argument = ms.jit(lambda x: x + 1)
    want = np.arange(size, dtype=np.float32) + 1
    for run in (captured, partial(argument, tensor)):
        assert (run().asnumpy() == want).all()
        for given in bases(GIVEN[how](tensor)):
            if isinstance(given, np.ndarray):
                for refcheck in (True, False):
                    with pytest.raises(ValueError, match="resize"):
                        given.resize(2 * size, refcheck=refcheck)
                given.shape = (2, size // 2)
                given.dtype = np.int16
                given.setflags(write=False)
        assert tensor.shape == (size,)
        assert tensor.dtype is ms.float32
        assert (run().asnumpy() == want).all()
        tensor += 0  # and it can be written to


@pytest.mark.parametrize("how", ["asnumpy", "numpy", "asarray"])
def test_memory_is_shared_as_in_mindspore(how: str) -> None:
    tensor = ms.Tensor([1.0, 2.0])
    given = GIVEN[how](tensor)
    given[0] = 5.0
    assert tensor.asnumpy().tolist() == [5.0, 2.0]
    assert ms.jit(lambda x: x * 1)(tensor).asnumpy().tolist() == [5.0, 2.0]


def test_given_arrays_keep_their_memory() -> None:
    given = ms.ops.ones((1000, 100), ms.float32).asnumpy()
    others = [ms.ops.zeros((1000, 100), ms.float32) for _ in range(4)]
    assert given.sum() == 100_000
    assert len(others) == 4


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint64, np.float16, np.float32, np.complex64, np.dtype(">f4"), "bfloat16"]
)
@pytest.mark.parametrize("shape", [(), (0, 3), (2, 3)])
def test_shared_views_are_of_every_type(dtype: Any, shape: tuple[int, ...]) -> None:
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    array = np.ones(shape, dtype).T
    given = shared_view(array)
    assert type(given) is np.ndarray
    assert (given.dtype, given.shape) == (array.dtype, array.shape)
    assert given.strides == array.strides or not array.size  # of no elements they mean nothing
    assert given.flags.writeable
    assert (given == array).all()
    assert not any(found is array for found in bases(given))
    given[...] = 0
    assert (array == 0).all()
    array.flags.writeable = False
    assert not shared_view(array).flags.writeable


def test_shared_views_of_aligned_memory_do_not_reach_it() -> None:
    assert [type(found) for found in bases(shared_view(aligned_empty((1 << 18,), np.float32)))].count(np.ndarray) == 1


def test_what_a_custom_function_sets_of_its_inputs_changes_no_tensor() -> None:
    kept = []

    def double(x: np.ndarray) -> np.ndarray:
        result = x * 2
        kept.append(x)
        x.shape = (2, 2)
        return result

    op = ms.ops.Custom(double, lambda x: x, lambda x: x, "pyfunc")
    tensor = ms.Tensor(np.arange(4, dtype=np.float32))
    assert op(tensor).asnumpy().tolist() == [0.0, 2.0, 4.0, 6.0]
    assert tensor.shape == (4,)
    assert op(tensor).asnumpy().tolist() == [0.0, 2.0, 4.0, 6.0]
    with pytest.raises(ValueError, match="resize"):
        kept[0].resize(100, refcheck=False)


def test_an_initializer_may_keep_its_array() -> None:
    kept = []

    class Three(ms.common.initializer.Initializer):
        def _initialize(self, arr: np.ndarray) -> None:
            kept.append(arr)
            arr[...] = 3

    w = ms.Parameter(ms.common.initializer.initializer(Three(), (4,)), name="w")
    kept[0].shape = (2, 2)
    with pytest.raises(ValueError, match="resize"):
        kept[0].resize(100, refcheck=False)
    assert ms.jit(lambda: w + 0)().asnumpy().tolist() == [3.0] * 4


def test_arrays_that_tensors_are_made_of_are_copied() -> None:
    for make in (ms.Tensor, ms.Parameter, lambda a: ms.Parameter(ms.ops.zeros(4)).set_data(a)):
        array = np.ones(4, np.float32)
        tensor = make(array)
        array[0] = 7
        array.resize(100, refcheck=False)
        assert ms.jit(lambda t=tensor: t + 0)().asnumpy().tolist() == [1.0] * 4


@pytest.mark.parametrize("whole", [True, False])
def test_an_array_whose_memory_a_tensor_shares_is_not_resized(whole: bool) -> None:
    array = np.ones(4, np.float32)
    tensor = ms.Tensor.from_numpy(array if whole else array[:])
    array[0] = 7
    with pytest.raises(ValueError, match="resize"):
        array.resize(1_000_000, refcheck=False)
    array.shape = (2, 2)
    assert ms.jit(lambda t: t + 0)(tensor).asnumpy().tolist() == [7.0, 1.0, 1.0, 1.0]
    del tensor
    array.resize(100, refcheck=False)


def test_a_pickle_of_what_is_no_tensor_is_refused() -> None:
    build = ms.Tensor([1.0]).__reduce__()[0]
    with pytest.raises(TypeError, match="object"):
        build(np.array([object()]))
    assert pickle.loads(pickle.dumps(ms.Tensor([1.0, 2.0]))).asnumpy().tolist() == [1.0, 2.0]


RACE = """
import sys, threading, time
import numpy as np
import mycel as ms
from mycel import nn

sys.setswitchinterval(1e-6)
small, large = np.ones((4, 8), np.float32), np.ones((400, 512), np.float32)
w = ms.Parameter(ms.Tensor(large), name="w")
t = ms.Tensor(small)
net = nn.Dense(8, 4)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.01, 0.9))
data = ms.Tensor(np.ones((2, 8), np.float32)), ms.Tensor(np.ones((2, 4), np.float32))

@ms.jit
def changes():
    ms.ops.assign(w, w * 0.5 + 0.5)
    return (w * 2).sum()

@ms.jit
def reads():
    return ms.ops.exp(w - 1.0) + 0.0

@ms.jit
def takes(x):
    return x * 2.0

end = time.monotonic() + float(sys.argv[1])
wrong, counts = [], {}
COUNTED = ("resize", "sum", "reads", "takes", "step")

def goes_on():  # on a busy machine, some calls come late
    now = time.monotonic()
    return now < end or (now < end + 40 and min(counts.get(name, 0) for name in COUNTED) <= 3)

def again(name, call):
    def run():
        while not wrong and goes_on():
            try:
                found = call()
                counts[name] = counts.get(name, 0) + 1
            except Exception as error:
                wrong.append((name, repr(error)))
    return threading.Thread(target=run)

def resize():
    w.set_data(ms.Tensor(small), slice_shape=True)
    t.assign_value(ms.Tensor(large))
    w.set_data(ms.Tensor(large), slice_shape=True)
    t.assign_value(ms.Tensor(small))

def check_sum():
    got = float(changes().asnumpy())
    if got not in (2.0 * small.size, 2.0 * large.size):
        wrong.append(("sum", got))

def check_reads():
    got = reads().asnumpy()
    if got.shape not in (small.shape, large.shape) or not (got == 1).all():
        wrong.append(("reads", got.shape))

def check_takes():
    got = takes(t).asnumpy()
    if got.shape not in (small.shape, large.shape) or not (got == 2).all():
        wrong.append(("takes", got.shape))

threads = [again("resize", resize), again("sum", check_sum), again("reads", check_reads), again("takes", check_takes),
           again("sum again", check_sum), again("step", lambda: step(*data)),
           again("gradient", lambda: ms.grad(lambda x: (net(x) * w.sum()).sum())(data[0]))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(counts)
print(wrong)
assert not wrong, wrong
assert all(counts.get(name, 0) > 3 for name in COUNTED), counts
"""


def race(seconds: float) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RACE, str(seconds)], capture_output=True, text=True, timeout=60 + 5 * seconds
    )
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr[-3000:])


def test_a_program_runs_on_the_arrays_that_were_checked() -> None:
    race(1.0)


@pytest.mark.slow
def test_a_program_runs_on_the_arrays_that_were_checked_for_long() -> None:
    race(60.0)


def test_the_array_behind_a_memoryview_keeps_its_size() -> None:
    """The tensor's memory is the array's, whatever stands between them."""
    array = np.arange(1_000_000, dtype=np.float32)
    tensor = ms.Tensor.from_numpy(np.asarray(memoryview(memoryview(array)))[5:])
    with pytest.raises(ValueError, match="cannot resize"):
        array.resize(100, refcheck=False)
    assert tensor.asnumpy()[-1] == 999_999
    del tensor
    array.resize(100, refcheck=False)
