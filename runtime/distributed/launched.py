"""The environment of the launcher: how many processes it started, and the rank of this one."""

from __future__ import annotations

import os
from collections.abc import Mapping

# Each MPI says it in its own words: MPICH and Intel MPI, Open MPI, MVAPICH.
_LAUNCHERS = (
    ("PMI_SIZE", "PMI_RANK"),
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
    ("SLURM_STEP_NUM_TASKS", "PMIX_RANK"),
)

# Launchers of MindSpore's own, which do not start MPI.
_OTHERS = ("MS_WORKER_NUM", "RANK_SIZE")


def launched_size(environment: Mapping[str, str] = os.environ) -> int:
    """The number of processes that `mpiexec` started; 1 without it."""
    for size, rank in _LAUNCHERS:
        if environment.get(size, "").isdecimal() and rank in environment:
            return int(environment[size])
    return 1


def wanted_size(environment: Mapping[str, str] = os.environ) -> tuple[int, str]:
    """The number of processes that a launcher other than MPI's asks for, and the variable that says so."""
    for name in _OTHERS:
        if environment.get(name, "").isdecimal():
            return int(environment[name]), name
    return 1, ""
