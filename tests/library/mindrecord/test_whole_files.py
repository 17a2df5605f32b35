"""MindRecord files are complete or absent: after kills, errors and dropped writers the earlier file is still there."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mycel.library.saving import whole_files
from mycel.mindrecord import FileReader, FileWriter

SCHEMA = {"number": {"type": "int64"}, "text": {"type": "string"}}


def writer(path: Path, shards: int = 1) -> FileWriter:
    made = FileWriter(str(path), shards, overwrite=True)
    made.set_header_size(1 << 14)
    made.set_page_size(1 << 15)
    made.add_schema(SCHEMA)
    return made


def rows(start: int, count: int) -> list[dict[str, Any]]:
    return [{"number": start + number, "text": f"row {start + number}"} for number in range(count)]


def save(path: Path, start: int, count: int, shards: int = 1) -> None:
    made = writer(path, shards)
    made.write_raw_data(rows(start, count))
    made.commit()


def numbers(path: Path) -> list[int]:
    return [row["number"] for row in FileReader(str(path)).get_next()]


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_nothing_is_there_before_the_commit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    made = writer(path)
    made.write_raw_data(rows(0, 5))
    assert all(name.endswith(".unfinished") for name in names(tmp_path))
    made.commit()
    assert names(tmp_path) == ["file", "file.db"]
    made.commit()  # again does nothing
    assert numbers(path) == list(range(5))


def test_what_was_there_stays_until_the_commit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    save(path, 0, 3)
    made = writer(path)
    made.write_raw_data(rows(10, 4))
    assert numbers(path) == [0, 1, 2]
    made.commit()
    assert numbers(path) == [10, 11, 12, 13]
    more = FileWriter.open_for_append(str(path))
    more.write_raw_data(rows(20, 2))
    assert numbers(path) == [10, 11, 12, 13]
    more.commit()
    assert numbers(path) == [10, 11, 12, 13, 20, 21]
    FileWriter.open_for_append(str(path)).commit()
    assert numbers(path) == [10, 11, 12, 13, 20, 21]


def test_a_dropped_writer_leaves_nothing(tmp_path: Path) -> None:
    save(tmp_path / "file", 0, 3)
    made = writer(tmp_path / "file", 1)
    made.write_raw_data(rows(9, 1))
    more = FileWriter.open_for_append(str(tmp_path / "file"))
    more.write_raw_data(rows(9, 1))
    del made, more
    gc.collect()
    assert names(tmp_path) == ["file", "file.db"]
    assert numbers(tmp_path / "file") == [0, 1, 2]


@pytest.mark.parametrize("call", ["fsync", "replace", "database"])
@pytest.mark.parametrize("append", [False, True])
def test_a_commit_that_fails(call: str, append: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    save(path, 0, 3)
    made = FileWriter.open_for_append(str(path)) if append else writer(path)
    made.write_raw_data(rows(9, 1))

    def failing(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        if call == "database":
            patch.setattr("mycel.library.mindrecord.writer.sqlite3.connect", failing)
        else:
            patch.setattr(whole_files.os, call, failing)
        with pytest.raises(OSError, match="No space left"):
            made.commit()
    assert numbers(path) == [0, 1, 2] if call != "replace" else "file" in names(tmp_path)
    assert not [name for name in names(tmp_path) if name.endswith(".unfinished")]
    for use in (made.commit, lambda: made.write_raw_data(rows(1, 1))):
        with pytest.raises(RuntimeError, match="make a new FileWriter"):
            use()
    save(path, 5, 1)
    assert numbers(path) == [5]


def test_a_header_without_room_leaves_what_was_there(tmp_path: Path) -> None:
    save(tmp_path / "file", 0, 3)
    made = FileWriter(str(tmp_path / "file"), overwrite=True)
    made.set_header_size(1 << 14)
    made.add_schema({f"field_{number}_{'x' * 40}": {"type": "int32"} for number in range(400)})
    made.write_raw_data([{f"field_{number}_{'x' * 40}": 1 for number in range(400)}])
    with pytest.raises(RuntimeError, match=r"the header of .* takes"):
        made.commit()
    assert names(tmp_path) == ["file", "file.db"]
    assert numbers(tmp_path / "file") == [0, 1, 2]


KILLS = """
import os, random, signal, sys, time
from mycel.mindrecord import FileReader, FileWriter
sys.path.insert(0, sys.argv[1])
from test_whole_files import numbers, rows, save, writer
from pathlib import Path
path, kills, chance = Path(sys.argv[2]) / "file", int(sys.argv[3]), random.Random(1)
save(path, 0, 3)
before, seen, took = numbers(path), set(), 0.0

def change(kill):
    made = FileWriter.open_for_append(str(path)) if kill % 2 else writer(path)
    for part in range(6):
        made.write_raw_data(rows(1000 * kill + 100 * part, 10))
    made.commit()

for number in range(6):
    began = time.monotonic()
    change(number)
    took = max(took, time.monotonic() - began)
before = numbers(path)
for kill in range(kills):
    child = os.fork()
    if not child:
        try:
            change(kill)
        finally:
            os._exit(0)
    time.sleep(chance.random() * 2 * took * (1 + kill / 10))  # later ones may finish, also on a busy machine
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    new = [1000 * kill + 100 * part + number for part in range(6) for number in range(10)]
    after = before + new if kill % 2 else new
    assert path.exists()
    if not Path(f"{path}.db").exists():  # killed between the moves: it says so
        try:
            numbers(path)
        except Exception:
            save(path, 0, 3)
            before = numbers(path)
            seen.add("no database")
            continue
    found = numbers(path)
    assert found in (before, after), (kill, len(found), len(before))
    seen.add("new" if found == after else "old")
    before = found
save(path, 7, 1)
assert numbers(path) == [7]
assert sorted(os.listdir(path.parent)) == ["file", "file.db"], os.listdir(path.parent)
print(sorted(seen))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_kills_while_files_are_written(tmp_path: Path) -> None:
    script = [sys.executable, "-W", "ignore", "-c", KILLS, str(Path(__file__).parent), str(tmp_path), "60"]
    done = subprocess.run(script, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "old" in done.stdout
    assert "new" in done.stdout
