"""Thousands of changed files of exported networks: refused with one error, or networks that run; never a crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "support" / "damaged_models.py"


def check(folder: Path, seed: int, count: int) -> None:
    """Change files in a child process, so that a crash is seen as one."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(SCRIPT), str(folder), str(seed), str(count)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, f"the process ended with {done.returncode}:\n{done.stderr[-3000:]}"
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["bad"] == []
    outcomes = found["outcomes"]
    assert sum(outcomes.values()) == 3 * count
    assert outcomes["refused"] > count, outcomes  # most are
    assert outcomes["ran"] > count // 10, outcomes  # but names and numbers may change
    assert "refused without the file's name" not in outcomes


def test_changed_files(tmp_path: Path) -> None:
    check(tmp_path, 0, 100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_many_changed_files(tmp_path: Path, seed: int) -> None:
    check(tmp_path, seed, 2000)
