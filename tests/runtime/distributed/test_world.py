"""The launcher's environment and missing packages: clear errors before anything waits."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mycel.runtime.distributed.errors import CommunicationError
from mycel.runtime.distributed.group import TIMEOUT_VARIABLE, WORLD, default_timeout
from mycel.runtime.distributed.world import World, launched_size, wanted_size


@pytest.mark.parametrize(
    ("environment", "size"),
    [
        ({}, 1),
        ({"PMI_SIZE": "4", "PMI_RANK": "1"}, 4),
        ({"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": "0"}, 3),
        ({"SLURM_STEP_NUM_TASKS": "8"}, 1),  # in an allocation, but not started by srun
        ({"SLURM_STEP_NUM_TASKS": "8", "PMIX_RANK": "2"}, 8),
        ({"PMI_SIZE": "many", "PMI_RANK": "1"}, 1),
        ({"PMI_SIZE": "²", "PMI_RANK": "1"}, 1),
    ],
)
def test_how_many_processes_were_launched(environment: dict[str, str], size: int) -> None:
    assert launched_size(environment) == size


def test_other_launchers_are_seen() -> None:
    assert wanted_size({"MS_WORKER_NUM": "2"}) == (2, "MS_WORKER_NUM")
    assert wanted_size({}) == (1, "")


def test_without_mpi4py_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMI_SIZE", "2")
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    world = World()
    with pytest.raises(CommunicationError, match=r"started 2 processes, but mpi4py cannot.*mycel-graph\[mpi\]"):
        world.init()
    with pytest.raises(CommunicationError, match="has not begun"):
        world.group(WORLD)


@pytest.mark.parametrize("name", ["", "a\0b", "two\nlines", "\udc80", 3])
def test_names_that_no_group_may_have(name: Any) -> None:
    """The other processes could not read them: a notice without a group says that a process has ended."""
    world = World()
    world.init()
    with pytest.raises(ValueError, match="the name of a group should be a string that can be printed"):
        world.create(name, [0])


def test_groups_of_one_process() -> None:
    world = World()
    world.init()
    world.create("own", [0])
    assert world.group("own").ranks == (0,)
    world.create("own", [0])  # the same again is the same
    with pytest.raises(ValueError, match="cannot be destroyed"):
        world.destroy(WORLD)
    world.destroy("own")
    with pytest.raises(ValueError, match="no group 'own'"):
        world.group("own")
    world.release()
    assert not world.inited


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan"])
def test_a_timeout_that_is_no_time_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TIMEOUT_VARIABLE, text)
    with pytest.raises(ValueError, match=f"{TIMEOUT_VARIABLE} should be a number of seconds above 0"):
        default_timeout()
