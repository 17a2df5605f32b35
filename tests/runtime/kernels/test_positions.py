"""Positions, masks and keys that another thread changes while NumPy uses them."""

from __future__ import annotations

from hostile_arrays import child

RACE = """
    import threading, time
    import numpy as np
    from mycel import Tensor, ops

    size = 20_000
    places, x = np.random.default_rng(0).integers(0, size, size), Tensor(np.zeros(size))
    odd, far = places % 2 == 1, np.full(size, 1 << 62)
    cases = {
        "order": (lambda i: ops.argsort(i), places.astype(np.int16), np.full(size, 7, np.int16)),
        "counts": (lambda i: ops.bincount(i), places, np.zeros(size, np.int64)),
        "masked": (lambda i: x[i], odd, np.ones(size, bool)),
        "taken": (lambda i: ops.gather(x, i, 0), places, far),
    }
    for name, (use, first, other) in cases.items():
        print(name, flush=True)
        given, end = first.copy(), time.perf_counter() + 0.3
        shared = Tensor.from_numpy(given)

        def change():
            while time.perf_counter() < end:
                np.copyto(given, other)
                np.copyto(given, first)

        thread = threading.Thread(target=change)
        thread.start()
        while time.perf_counter() < end:
            try:
                use(shared)
            except IndexError:
                pass
        thread.join()
"""


def test_what_another_thread_changes_is_read_once() -> None:
    """NumPy wrote outside of its arrays, and the process ended; to turn a number around took for ever."""
    assert child(RACE, timeout=60).split() == ["order", "counts", "masked", "taken"]
