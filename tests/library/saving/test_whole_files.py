"""Files of checkpoints are whole or not there: failures, kills, threads, and what was left behind."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from saved_files import names, posix, saved, values

import mycel as ms
from mycel import Tensor, nn
from mycel.library.saving import checkpoint_files, whole_files


def test_what_was_there_stays_when_a_save_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ckpt"
    good = saved(path)
    for call, code in (("fsync", errno.EIO), ("replace", errno.EACCES), ("open", errno.ENOSPC)):
        real = getattr(os, call)

        def failing(*args: Any, call: str = call, code: int = code, real: Any = real, **options: Any) -> Any:
            if call == "open" and not args[1] & os.O_CREAT:
                return real(*args, **options)
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(os, call, failing)
        with pytest.raises(OSError, match=re.escape(os.strerror(code))) as caught:
            ms.save_checkpoint({"other": Tensor([1.0])}, path)
        monkeypatch.undo()
        assert caught.value.filename == str(path)
        assert path.read_bytes() == good
        assert names(tmp_path) == ["a.ckpt"]
    monkeypatch.setattr(checkpoint_files, "varint", lambda number: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ms.save_checkpoint(values(), path)
    assert path.read_bytes() == good
    assert names(tmp_path) == ["a.ckpt"]


@posix
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """A limit of the system on the size of files, which a write meets in its middle."""
    path = tmp_path / "a.ckpt"
    good = saved(path)
    script = f"""
import resource
import numpy as np, mycel as ms
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    ms.save_checkpoint({{"x": ms.Tensor(np.zeros(10 ** 6))}}, {str(path)!r})
except OSError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "File too large; the file is not written" in done.stdout
    assert str(path) in done.stdout
    assert path.read_bytes() == good
    assert names(tmp_path) == ["a.ckpt"]


def test_a_folder_of_the_name(tmp_path: Path) -> None:
    (tmp_path / "a.ckpt").mkdir()
    with pytest.raises(IsADirectoryError, match="folder of this name"):
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert names(tmp_path) == ["a.ckpt"]


def test_the_file_is_on_the_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, Any]] = []
    fsync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        calls.append(("fsync", os.fstat(handle).st_size if not os.path.isdir(f"/proc/self/fd/{handle}") else "folder"))
        fsync(handle)

    def replaced(*args: Any) -> None:
        calls.append(("replace", None))
        replace(*args)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    monkeypatch.undo()
    assert calls[:2] == [("fsync", (tmp_path / "a.ckpt").stat().st_size), ("replace", None)]
    assert sys.platform == "win32" or [name for name, _ in calls] == ["fsync", "replace", "fsync"]


@posix
def test_nobody_can_guess_or_prepare_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that lies where the file is to be written is not followed."""
    (tmp_path / "precious").write_text("precious")
    seen: list[str] = []
    real = os.open

    def opened(path: Any, flags: int, *args: Any, **options: Any) -> int:
        if flags & os.O_CREAT:
            assert flags & os.O_EXCL
            seen.append(os.fspath(path))
        return real(path, flags, *args, **options)

    monkeypatch.setattr(os, "open", opened)
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert len(set(seen)) == 2
    monkeypatch.setattr(whole_files.secrets, "token_hex", lambda size: "0" * 2 * size)
    (tmp_path / os.path.basename(re.sub("-[0-9a-f]{16}", "-" + "0" * 16, seen[0]))).symlink_to(tmp_path / "precious")
    with pytest.raises(FileExistsError):
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert (tmp_path / "precious").read_text() == "precious"


@posix
def test_the_mode_of_the_file_is_the_usual_one(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    finally:
        os.umask(before)
    assert (tmp_path / "a.ckpt").stat().st_mode & 0o777 == 0o640


@posix
def test_only_what_was_surely_abandoned_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = whole_files._machine()
    dead = f".mycel-{machine}-999999999-0123456789abcdef.unfinished"
    foreign = f".mycel-00000000-1-{'1' * 16}.unfinished"
    old = f".mycel-00000000-1-{'2' * 16}.unfinished"
    strangers = ["a.ckpt.12.part", ".mycel-x.unfinished", f"x{dead}", f"{dead}x", "b.unfinished"]
    for name in (dead, foreign, old, *strangers):
        (tmp_path / name).write_text("x")
    os.utime(tmp_path / old, (1000, 1000))
    (tmp_path / f".mycel-{machine}-1-{'3' * 16}.unfinished").symlink_to(tmp_path / "b.unfinished")
    (tmp_path / f".mycel-{machine}-1-{'4' * 16}.unfinished").mkdir()
    with whole_files.replacing(tmp_path / "c.ckpt") as file:  # somebody is at it
        file.write(b"x")
        (own,) = {name for name in names(tmp_path) if f"-{os.getpid()}-" in name}
        ms.save_checkpoint(values(), tmp_path / "a.ckpt")
        left = names(tmp_path)
    assert own in left
    assert dead not in left
    assert old not in left
    assert {foreign, *strangers} <= set(left)
    assert sum("3" * 16 in name or "4" * 16 in name for name in left) == 2
    assert names(tmp_path).count("c.ckpt") == 1
    assert own not in names(tmp_path)


@posix
def test_without_locks_age_and_process_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_files, "fcntl", None)
    machine = whole_files._machine()
    files = {"dead": 999999999, "alive": os.getpid(), "fresh": 999999999}
    paths = {}
    for number, (name, process) in enumerate(files.items()):
        paths[name] = tmp_path / f".mycel-{machine}-{process}-{number:016x}.unfinished"
        paths[name].write_text("x")
        if name != "fresh":
            os.utime(paths[name], (1000, 1000))
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert {name for name, path in paths.items() if path.exists()} == {"alive", "fresh"}


@posix
@pytest.mark.parametrize("still_there", [False, True])
def test_a_file_taken_for_abandoned_too_early_is_made_again(
    still_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may lock it, and delete it, between its creation and its own lock."""
    fcntl = pytest.importorskip("fcntl")
    real, taken = whole_files._lock, []

    def lock(handle: int) -> bool | None:
        if taken:
            return real(handle)
        (path,) = tmp_path.glob(".mycel-*")
        taken.append(path)
        other = os.open(path, os.O_RDWR)
        try:
            fcntl.flock(other, fcntl.LOCK_EX)
            if not still_there:
                path.unlink()
            return real(handle)
        finally:
            if still_there:
                path.unlink()
            os.close(other)

    monkeypatch.setattr(whole_files, "_lock", lock)
    ms.save_checkpoint(values(), tmp_path / "a.ckpt")
    assert names(tmp_path) == ["a.ckpt"]
    assert taken


KILLS = """
import os, random, signal, sys, time
import numpy as np
import mycel as ms

folder, kills, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
path, draw = os.path.join(folder, "a.ckpt"), random.Random(seed)


def tensors(number):
    return {f"w{name}": ms.Tensor(np.full(100_000, number, np.float32)) for name in range(4)}


ms.save_checkpoint(tensors(0), path)
began = time.perf_counter()
ms.save_checkpoint(tensors(0), path)
unit = time.perf_counter() - began
left = changed = 0
for kill in range(kills):
    before = float(ms.load_checkpoint(path)["w0"].asnumpy()[0])
    crc_check = bool(kill % 2)
    child = os.fork()
    if not child:
        number = before
        while True:
            number += 1
            ms.save_checkpoint(tensors(number), path, crc_check=crc_check)
    time.sleep(draw.random() * 6 * unit)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    loaded = ms.load_checkpoint(path)
    found = {float(number) for value in loaded.values() for number in np.unique(value.asnumpy())}
    assert len(loaded) == 4 and len(found) == 1 and found.pop() >= before, (list(loaded), found)
    files = os.listdir(folder)
    left += len(files) > 1
    succeeded = float(loaded["w0"].asnumpy()[0]) > before
    changed += succeeded
    unit *= 1 if succeeded else 1.2  # on busy cores a child is slow to begin
    ms.save_checkpoint({"y": ms.Tensor([1.0])}, os.path.join(folder, "b.ckpt"))
    assert sorted(os.listdir(folder)) == ["a.ckpt", "b.ckpt"], os.listdir(folder)
    os.unlink(os.path.join(folder, "b.ckpt"))
print(left, changed)
"""


def kill_saves(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """How often a kill left an unfinished file, and how often a save had succeeded before it."""
    script = [sys.executable, "-W", "ignore", "-c", KILLS, str(folder), str(kills), str(seed)]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    left, changed = map(int, done.stdout.split())
    return left, changed


@posix
def test_kills_during_saves(tmp_path: Path) -> None:
    """The old file or the new one is there, complete, and the next save deletes unfinished files."""
    left, changed = kill_saves(tmp_path, 25, 0)
    assert left >= 2
    assert changed >= 2


@posix
@pytest.mark.slow
def test_many_kills_during_saves(tmp_path: Path) -> None:
    left, changed = kill_saves(tmp_path, 1500, 1)
    assert left >= 200
    assert changed >= 200


def test_an_export_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.mycel"
    ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(path), file_format="MYCEL")
    good = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="the file is not written"):
        ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(path), file_format="MYCEL")
    monkeypatch.undo()
    assert path.read_bytes() == good
    assert names(tmp_path) == ["a.mycel"]
    (tmp_path / f".mycel-{whole_files._machine()}-999999999-{'0' * 16}.unfinished").write_text("x")
    ms.export(nn.Dense(2, 1), Tensor([[1.0, 2.0]]), file_name=str(path), file_format="MYCEL")
    assert names(tmp_path) == ["a.mycel"]


def test_many_threads_save_into_one_folder(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def save(number: int) -> None:
        for _ in range(40):
            ms.save_checkpoint({"x": Tensor(np.full(5_000, number))}, tmp_path / f"{number % 3}.ckpt", crc_check=True)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(save, range(6)))
    assert names(tmp_path) == ["0.ckpt", "1.ckpt", "2.ckpt"]
    for number in range(3):
        found = np.unique(ms.load_checkpoint(tmp_path / f"{number}.ckpt", crc_check=True)["x"].asnumpy())
        assert found.tolist() in ([number], [number + 3])
