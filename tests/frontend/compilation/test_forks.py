"""Processes that are forked while another thread compiles."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.frontend.values.parameter import Layouts


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_compiles_what_another_thread_was_compiling() -> None:
    inside, go_on = threading.Event(), threading.Event()

    def slow(x: Tensor) -> Tensor:
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            go_on.wait(20)
        return x * 2

    compiled = ms.jit(slow)

    def other() -> None:
        with Layouts.lock:
            compiled(Tensor(np.ones(3, np.float32)))

    thread = threading.Thread(target=other)
    thread.start()
    assert inside.wait(20)
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # where it hangs, it ends
        os._exit(int(float(compiled(Tensor([2.0])).asnumpy()[0]) != 4.0))
    _, status = os.waitpid(child, 0)
    go_on.set()
    thread.join()
    assert status == 0
    assert compiled(Tensor([3.0])) == 6.0
