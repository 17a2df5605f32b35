"""Functions and primitives of communication: values across processes; errors and defaults in one."""

from __future__ import annotations

import pytest
from ranks import check_ranks

import mycel as ms
from mycel import Tensor, mint, ops
from mycel.runtime.distributed.machines import SHARED_VARIABLE


@pytest.mark.parametrize("shared", ["", "0"])
def test_functions_across_processes_and_handles_that_wait(shared: str) -> None:
    """With 0 no two processes share memory, as on several machines: MPI reduces."""
    environment = {SHARED_VARIABLE: shared, "OMP_NUM_THREADS": ""}  # mpirun sets no threads
    assert check_ranks(2, "several.py", "+", "functions.py", "+", "handles.py", **environment).count("is done") == 4


@pytest.mark.slow
@pytest.mark.parametrize("program", ["functions.py", "handles.py"])
@pytest.mark.parametrize("shared", ["", "2", "3"])
def test_functions_across_four_processes(program: str, shared: str) -> None:
    """On one machine; on two machines with two processes each; with three and one."""
    assert check_ranks(4, program, **{SHARED_VARIABLE: shared}).count("is done") == 4


def test_one_process_keeps_what_it_has() -> None:
    x = Tensor([1.0, 2.0])
    assert mint.distributed.all_reduce(x) is None
    assert x.asnumpy().tolist() == [1.0, 2.0]
    assert ops.AllGather()(x).asnumpy().tolist() == [1.0, 2.0]
    assert ops.AlltoAll(1, 0, 0)(x) is x
    assert "all_reduce" not in str(ms.jit(lambda x: ops.AllReduce()(x) * 2).stages(x).forward)
    with pytest.raises(RuntimeError, match="several processes"):
        ops.Send(0, 1)(x)


def test_several_processes_have_to_be_started() -> None:
    with pytest.raises(RuntimeError, match="mpirun -n 4"):
        mint.distributed.init_process_group(world_size=4, rank=0)


def test_another_launcher_is_told_of_mpirun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK_SIZE", "8")
    with pytest.raises(RuntimeError, match=r"RANK_SIZE asks for 8 processes.*mpirun -n 8"):
        ms.communication.init()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: mint.distributed.all_reduce(1.0), TypeError, "takes a Tensor"),
        (lambda: mint.distributed.all_reduce(Tensor([1.0]), "mean"), TypeError, "sum, prod, min, max, avg"),
        (lambda: mint.distributed.broadcast(Tensor([1.0]), 1), ValueError, "rank 1"),
        (lambda: ms.communication.get_rank("nobody"), ValueError, "no group 'nobody'.*create_group"),
        (lambda: ms.communication.create_group("two", [0, 1]), ValueError, "from 0 to 0"),
        (lambda: ms.communication.init("gloo"), RuntimeError, "hccl, nccl, mccl"),
        (lambda: mint.distributed.all_gather([], Tensor([1.0])), TypeError, "list of 1 output"),
        (lambda: mint.distributed.all_gather([Tensor([1.0, 2.0])], Tensor([1.0])), ValueError, r"shape \(1,\)"),
        (lambda: mint.distributed.all_reduce(Tensor([1.0]), async_op=1), TypeError, "'async_op' must be a bool"),
        (
            lambda: mint.distributed.all_gather_into_tensor_uneven(Tensor([1.0]), Tensor([1.0, 2.0]), [1]),
            ValueError,
            "rank 0 should have 1 rows",
        ),
        (
            lambda: mint.distributed.reduce_scatter_tensor_uneven(Tensor([1.0]), Tensor([1.0, 2.0]), [1]),
            ValueError,
            "1 sizes whose sum is 2",
        ),
    ],
)  # fmt: skip
def test_errors(call: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()  # type: ignore[operator]
