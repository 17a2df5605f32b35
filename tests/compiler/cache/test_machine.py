"""Thresholds of the machine: measured once, kept beside the programs, checked, of no effect on results."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from mycel.compiler import ops
from mycel.compiler.cache import machine
from mycel.compiler.cache.disk import CALIBRATION, DiskCache
from mycel.compiler.cache.machine import calibrate, thresholds_in
from mycel.compiler.ir.parser import parse
from mycel.compiler.memory.planner import make_plan
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime import calibration
from mycel.runtime.calibration import LEAST_WORK, MOST_WORK, Thresholds

CHAIN = "graph chain(%x: f32[1000, 100]) {" + "".join(
    f"%a{i}: f32[1000, 100] = {op}(%{'x' if not i else f'a{i - 1}'})"
    for i, op in enumerate(["tanh", "exp", "square", "negative", "exp"] * 4)
) + "return %a19 }"  # fmt: skip
SUMMED = CHAIN.replace("return %a19", "%s: f32[100] = sum(%a19, axis=(0,), keepdims=False) return %s")
FOUND = Thresholds(1 << 16, LEAST_WORK)


@pytest.fixture
def folder(tmp_path: Path):
    """A folder for a cache, and no memory of others."""
    with patch.dict(machine._known, clear=True):
        yield tmp_path / "cache"


def test_a_measurement_is_quick_and_sound() -> None:
    """It takes at most 100 ms, gives powers of two within bounds, or nothing on a busy machine."""
    began = time.thread_time()
    found = calibration.measure()
    assert time.thread_time() - began < 0.15
    if found is not None:
        assert found.tile_bytes <= calibration.fixed().tile_bytes
        assert LEAST_WORK <= found.thread_work <= MOST_WORK
        assert found.thread_work & (found.thread_work - 1) == 0


@pytest.mark.parametrize(
    ("costs", "share"),
    [((1.0, 1.0, 1.0), 0), ((1.0, 0.5, 0.6), 1), ((1.0, 0.6, 0.5), 2), ((1.0, 0.99, 0.99), 0), ((1.0, 2.0, 0.5), 2)],
)
def test_the_tile_that_is_quickest_by_the_clock(
    costs: tuple[float, ...], share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that the test moves on: the first, unless another is clearly better. One core needs no threads."""
    now = 0.0
    tiles = [int(calibration.cache_bytes() * part) // 12 for part in calibration.SHARES]

    def chain(source: np.ndarray, target: np.ndarray, tile: int) -> None:
        nonlocal now
        now += costs[tiles.index(tile)] * calibration.LONGEST / 1000

    monkeypatch.setattr(calibration, "_chain", chain)
    monkeypatch.setattr(calibration.time, "perf_counter", lambda: now)
    monkeypatch.setattr(calibration.time, "thread_time", lambda: now)
    monkeypatch.setattr(calibration, "thread_count", lambda: 1)
    expected = Thresholds(int(calibration.cache_bytes() * calibration.SHARES[share]), calibration.SMALLEST_FOR_THREADS)
    assert calibration.measure() == expected
    monkeypatch.setattr(calibration, "thread_count", lambda: 2)
    element = costs[share] * calibration.LONGEST / 1000 / (calibration.ELEMENTS * 4)
    for elements in (1 << 14, 1 << 15, 1 << 30, 1):
        handing = elements * element / calibration.MARGIN / 2
        monkeypatch.setattr(calibration, "_handing_over", lambda end, handing=handing: handing)
        found = calibration.measure()
        if handing > calibration.LONGEST_HANDING:
            assert found is None
        else:
            assert found == Thresholds(expected.tile_bytes, min(MOST_WORK, max(LEAST_WORK, elements)))
    monkeypatch.setattr(calibration.time, "thread_time", lambda: now / 1000)
    assert calibration.measure() is None  # other processes have the processor


def test_measured_once_and_kept(folder: Path) -> None:
    """The second process reads the measurements of the first."""
    with patch.object(calibration, "measure", return_value=FOUND) as measure:
        assert thresholds_in(folder) == FOUND
        assert thresholds_in(folder) == FOUND
        machine._known.clear()
        assert thresholds_in(folder) == FOUND
        assert measure.call_count == 1
        measure.return_value = Thresholds(1 << 17, MOST_WORK)
        assert calibrate(folder) == thresholds_in(folder) == measure.return_value


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_damaged_files_are_replaced(folder: Path, damage: bytes | None) -> None:
    """Files with a wrong checksum, or with numbers out of bounds, are measured again."""
    with patch.object(calibration, "measure", return_value=FOUND) as measure:
        thresholds_in(folder)
        (path,) = folder.glob(f"*{CALIBRATION}")
        if damage is None:
            machine.write_checked(path, b'{"format": 1, "tile_bytes": -5, "thread_work": 100000}')
        else:
            path.write_bytes(damage)
        machine._known.clear()
        assert thresholds_in(folder) == FOUND
        assert measure.call_count == 2


def test_a_busy_machine_keeps_nothing(folder: Path) -> None:
    """The fixed thresholds hold, and the next process tries again."""
    with patch.object(calibration, "measure", return_value=None):
        assert thresholds_in(folder) == calibration.fixed()
        assert calibrate(folder) is None
    assert not folder.exists()


def test_files_that_others_can_write_are_not_read(folder: Path) -> None:
    """As for programs."""
    with patch.object(calibration, "measure", return_value=FOUND) as measure:
        thresholds_in(folder)
        (path,) = folder.glob(f"*{CALIBRATION}")
        path.chmod(0o666)
        machine._known.clear()
        thresholds_in(folder)
        assert measure.call_count == (1 if sys.platform == "win32" else 2)


@pytest.mark.usefixtures("numpy_only")
def test_results_do_not_depend_on_it(folder: Path) -> None:
    """Groups with sums always run in the same blocks; other groups give the same numbers in any."""
    x = np.random.default_rng(0).standard_normal((1000, 100)).astype(np.float32)
    for text in (CHAIN, SUMMED):
        graph = parse(text, ops.OPS)
        plain = make_plan(compile_graph(graph, name="plain").plan.graph)
        other = make_plan(compile_graph(graph, name="plain").plan.graph, measured=lambda: FOUND)
        (ours,), (theirs,) = plain.blocks.values(), other.blocks.values()
        assert (ours.block.size == theirs.block.size) == (text is SUMMED)
        assert (ours.block.piece == theirs.block.piece) or text is CHAIN
    expected = compile_graph(parse(CHAIN, ops.OPS), name="plain").run(x)[0]
    with patch.object(machine, "thresholds_in", return_value=FOUND):
        found = compile_graph(parse(CHAIN, ops.OPS), name="plain", cache=DiskCache(folder))
    np.testing.assert_array_equal(found.run(x)[0], expected)


def test_programs_keep_what_they_were_compiled_with(folder: Path) -> None:
    """The plan of a loaded program is the one that it was made from, whatever is measured later."""
    graph, cache = parse(CHAIN, ops.OPS), DiskCache(folder)
    with patch.object(calibration, "measure", return_value=FOUND):
        first = compile_graph(graph, name="kept", cache=cache)
        calibrate(folder)
    with patch.object(calibration, "measure", return_value=Thresholds(1 << 20, MOST_WORK)):
        calibrate(folder)
        second = compile_graph(graph, name="kept", cache=cache)
    assert second.source == first.source
    assert [b.block.size for b in second.plan.blocks.values()] == [b.block.size for b in first.plan.blocks.values()]


@pytest.mark.usefixtures("numpy_only")
@pytest.mark.parametrize("off", ["pass", "cache"])
def test_it_can_be_switched_off(folder: Path, off: str) -> None:
    """By name like a pass, or for a cache."""
    disabled = frozenset({"calibration"} if off == "pass" else ())
    with patch.object(calibration, "measure") as measure:
        cache = DiskCache(folder, calibrated=off == "pass")
        compiled = compile_graph(parse(CHAIN, ops.OPS), name="off", options=Options(disabled), cache=cache)
        assert compiled.plan.blocks
        measure.assert_not_called()


def test_command(folder: Path) -> None:
    """`calibrate` measures again and prints the result, or says that the machine is busy."""
    run = subprocess.run(
        [sys.executable, "-m", "mycel", "calibrate"],
        env={**os.environ, "MYCEL_CACHE": str(folder)}, capture_output=True, text=True,
    )  # fmt: skip
    if run.returncode:
        assert "the machine is busy" in run.stderr
    else:
        assert "tiles of" in run.stdout
        assert list(folder.glob(f"*{CALIBRATION}"))
