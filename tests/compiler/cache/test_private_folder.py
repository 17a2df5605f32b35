"""The folder of compiled programs: nobody else's program is loaded, whatever paths lead to, and no file hurts."""

import errno
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from damage import damaged

from mycel.compiler.cache import disk as disk_cache, private_folder
from mycel.compiler.cache.disk import CHECKSUM_BYTES, DiskCache, Record
from mycel.compiler.cache.private_folder import PrivateFolder

KEY = "0123456789abcdef"
posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of files")
OURS, PLANTED = "# ours\n" * 50, "# planted\n" * 50


def record(**changes):
    return Record(**{"name": "f", "source": OURS, "nbytes": 0, "constants": {}, "kernels": {}, "nodes": 1, **changes})


def stored(folder: Path, source: str = OURS) -> Path:
    cache = DiskCache(folder)
    assert cache.store(KEY, record(source=source))
    return folder / f"{KEY}.program"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Who may have written it


FLIP = """
import os, sys
place, *targets = sys.argv[1:]
print("ready", flush=True)
number = 0
while True:
    for target in targets:
        number += 1
        if os.path.islink(target) or os.path.isdir(target):
            os.symlink(target, f"{place}.{number % 2}")
        else:
            os.link(target, f"{place}.{number % 2}")
        os.replace(f"{place}.{number % 2}", place)
"""


def loads_while_flipping(cache: DiskCache, place: Path, *targets: Path, count: int = 3000) -> list[str | None]:
    """The programs that are loaded while another process switches a path between targets."""
    script = [sys.executable, "-c", FLIP, str(place), *map(str, targets)]
    with subprocess.Popen(script, stdout=subprocess.PIPE) as child:
        try:
            assert child.stdout is not None
            child.stdout.readline()
            found = [cache.load(KEY) for _ in range(count)]
        finally:
            child.kill()
    return [None if each is None else each.source for each in found]


@posix
def test_a_file_that_is_switched_while_it_is_read(tmp_path):
    """The path shows now our own file, now a link to one that others may write to."""
    ours, theirs = tmp_path / "cache", tmp_path / "theirs"
    path = stored(ours)
    os.link(path, tmp_path / "kept")
    stored(theirs, PLANTED).chmod(0o666)
    link = tmp_path / "link"
    link.symlink_to(theirs / path.name)
    found = loads_while_flipping(DiskCache(ours), path, link, tmp_path / "kept")
    assert found.count(PLANTED) == 0
    assert found.count(OURS) > 100


@posix
def test_a_folder_that_is_switched_while_it_is_read(tmp_path):
    """The path of the folder shows now our own, now one that others may write to."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    stored(ours)
    stored(theirs, PLANTED)
    theirs.chmod(0o777)
    found = loads_while_flipping(DiskCache(tmp_path / "cache"), tmp_path / "cache", ours, theirs)
    assert found.count(PLANTED) == 0
    assert found.count(OURS) > 100


@posix
@pytest.mark.parametrize("depth", [1, 2])
def test_a_folder_above_that_others_may_write_to(tmp_path, depth):
    shared = tmp_path / "shared"
    folder = shared / Path(*["below"] * (depth - 1)) / "cache"
    stored(folder)
    cache = DiskCache(folder)
    assert cache.problem() is None
    shared.chmod(0o777)
    private_folder._checked.clear()  # as in another process
    assert cache.load(KEY) is None
    assert not cache.store(KEY, record())
    assert cache.info().programs == 0
    assert cache.clear() == 0
    assert "shared" in str(cache.problem())
    assert "other users" in str(cache.problem())
    shared.chmod(0o1777)  # in such a folder nobody moves what belongs to others
    assert cache.load(KEY) is not None
    shared.chmod(0o700)
    assert cache.store(KEY, record())


@posix
def test_a_link_in_a_folder_that_others_may_write_to(tmp_path):
    """The target of the link belongs to the user, but others may change the link."""
    stored(tmp_path / "ours")
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "cache").symlink_to(tmp_path / "ours")
    assert DiskCache(shared / "cache").load(KEY) is not None
    shared.chmod(0o777)
    private_folder._checked.clear()
    assert DiskCache(shared / "cache").load(KEY) is None


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files to others")
def test_what_belongs_to_others(tmp_path):
    path = stored(tmp_path / "above" / "cache")
    cache = DiskCache(tmp_path / "above" / "cache")
    for place in (path, path.parent, path.parent.parent):
        os.chown(place, 12345, -1)
        private_folder._checked.clear()
        assert cache.load(KEY) is None
        os.chown(place, os.geteuid(), -1)
    assert cache.load(KEY) is not None


@posix
def test_the_group_of_the_user_alone_may_write_above(tmp_path, monkeypatch):
    folder = tmp_path / "above" / "cache"
    stored(folder)
    (tmp_path / "above").chmod(0o775)
    for alone, loaded in ((False, False), (True, True)):
        private_folder._checked.clear()
        monkeypatch.setattr(private_folder, "_is_own_group", lambda group, alone=alone: alone)
        assert (DiskCache(folder).load(KEY) is not None) == loaded


@posix
def test_what_is_no_plain_file_is_not_read(tmp_path):
    path = stored(tmp_path / "cache")
    (tmp_path / "elsewhere").write_bytes(path.read_bytes())
    path.unlink()
    cache = DiskCache(tmp_path / "cache")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.load(KEY) is None
    path.unlink()
    os.mkfifo(path)
    assert cache.load(KEY) is None  # at once: nobody writes to this pipe
    path.unlink()
    path.mkdir()
    assert cache.load(KEY) is None
    assert not cache.store(KEY, record())
    assert names(tmp_path / "cache") == [path.name]


@posix
def test_missing_folders_are_made_for_the_user_alone(tmp_path):
    before = os.umask(0o002)
    try:
        stored(tmp_path / "a" / "b" / "cache")
    finally:
        os.umask(before)
    for folder in ("a", "a/b", "a/b/cache"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700


def test_names_stay_in_the_folder(tmp_path):
    with private_folder.private_folder(tmp_path / "cache", make=True) as folder:
        for name in ("", "../x", "a/b", "/etc/passwd"):
            with pytest.raises(ValueError, match="no folders in it"):
                folder.read(name, 10)


# Limits, and writes that fail


def body_size(source: str) -> int:
    return len(json.dumps(disk_cache._encode(record(source=source), KEY)).encode())


def test_programs_up_to_the_limit_are_kept(tmp_path, monkeypatch):
    size = body_size("#" * 500)
    for limit, kept in ((size, True), (size - 1, False)):
        assert DiskCache(tmp_path / f"limit{limit}", limit=limit).store(KEY, record(source="#" * 500)) == kept
        monkeypatch.setattr(disk_cache, "LARGEST", limit)
        cache = DiskCache(tmp_path / f"largest{limit}")
        assert cache.store(KEY, record(source="#" * 500)) == kept
        assert (cache.load(KEY) is not None) == kept
        monkeypatch.undo()


def test_a_file_that_is_too_large_is_not_read(tmp_path, monkeypatch):
    path = stored(tmp_path / "cache")
    cache = DiskCache(tmp_path / "cache")
    size = path.stat().st_size - CHECKSUM_BYTES
    monkeypatch.setattr(disk_cache, "LARGEST", size)
    assert cache.load(KEY) is not None
    monkeypatch.setattr(disk_cache, "LARGEST", size - 1)
    assert cache.load(KEY) is None
    monkeypatch.undo()
    os.truncate(path, 1 << 40)
    began = time.perf_counter()
    assert cache.load(KEY) is None
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("call", ["write", "replace", "open"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, call, code):
    path = stored(tmp_path / "cache")
    good = path.read_bytes()
    real = getattr(os, call)

    def failing(*args, **options):
        if call == "open" and not args[1] & os.O_CREAT:
            return real(*args, **options)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, failing)
    assert not DiskCache(tmp_path / "cache").store(KEY, record(source="# new"))
    monkeypatch.undo()
    assert path.read_bytes() == good
    assert names(tmp_path / "cache") == [path.name]


def test_an_interrupt_leaves_no_half_file(tmp_path, monkeypatch):
    path = stored(tmp_path / "cache")

    def interrupted(handle, data):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        DiskCache(tmp_path / "cache").store(KEY, record())
    assert names(tmp_path / "cache") == [path.name]


def test_writes_in_parts_are_completed(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:7]))
    stored(tmp_path / "cache")
    assert DiskCache(tmp_path / "cache").load(KEY).source == OURS


@posix
def test_a_disk_that_is_full(tmp_path):
    """A limit of the system on the size of files, which a write meets in its middle."""
    script = f"""
import resource
from pathlib import Path
from mycel.compiler.cache.disk import CHECKSUM_BYTES, DiskCache, Record
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
cache = DiskCache(Path({str(tmp_path / "cache")!r}))
print(cache.store({KEY!r}, Record("f", "#" * 5000, 0, {{}}, {{}}, 1)), cache.load({KEY!r}))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "None"]
    assert names(tmp_path / "cache") == []


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read(tmp_path):
    stored(tmp_path / "cache")
    (tmp_path / "cache").chmod(0o500)
    cache = DiskCache(tmp_path / "cache")
    assert not cache.store(KEY, record(source="# new"))
    assert cache.load(KEY).source == OURS
    (tmp_path / "cache").chmod(0o700)


def test_a_folder_where_a_file_is(tmp_path):
    (tmp_path / "cache").write_text("")
    cache = DiskCache(tmp_path / "cache")
    assert not cache.store(KEY, record())
    assert cache.load(KEY) is None
    assert (cache.info().programs, cache.clear()) == (0, 0)
    cache.trim()


def test_a_file_that_goes_while_the_folder_is_listed(tmp_path, monkeypatch):
    stored(tmp_path / "cache")

    class Gone:
        name = f"gone{disk_cache.SUFFIX}"

        def is_file(self, follow_symlinks):
            raise FileNotFoundError(self.name)

    real = os.scandir

    class Listing:
        def __init__(self, place):
            self.entries = real(place)

        def __enter__(self):
            return iter([Gone(), *self.entries])

        def __exit__(self, *error):
            self.entries.close()

    monkeypatch.setattr(os, "scandir", Listing)
    assert DiskCache(tmp_path / "cache").info().programs == 1


# Damaged files


def test_paths_are_used_where_there_are_no_handles(tmp_path, monkeypatch):
    monkeypatch.setattr(private_folder, "BY_HANDLE", False)
    path = stored(tmp_path / "cache")
    cache = DiskCache(tmp_path / "cache")
    assert cache.load(KEY).source == OURS
    assert cache.info().programs == 1
    assert names(path.parent) == [path.name]
    assert cache.clear() == 1
    assert DiskCache(tmp_path / "none").load(KEY) is None
    assert PrivateFolder(str(tmp_path), None).remove("absent") is False


def search_damage(folder: Path, count: int, seed: int) -> tuple[int, int]:
    """How many damaged files were loaded, and how many not; any exception goes through."""
    import numpy as np

    from mycel.compiler.ops import OPS

    constants = {"a": np.arange(6.0).reshape(2, 3), "t": (1, 2.5, "x", None, 1 + 2j), "d": np.dtype(np.int8)}
    cache = DiskCache(folder)
    assert cache.store(KEY, record(constants=constants, kernels={"erf": OPS["erf"].kernel}, source="x = 1\n"))
    path = folder / f"{KEY}.program"
    body = path.read_bytes()[CHECKSUM_BYTES:]
    draw, loaded = random.Random(seed), 0
    for number in range(count):
        new = damaged(body, draw)
        whole = hashlib.sha256(new).hexdigest().encode() + b"\n" + new  # the checksum of what is there now
        path.write_bytes(whole if number % 4 else damaged(whole, draw))
        found = cache.load(KEY)
        assert found is None or (type(found.source) is str and type(found.nbytes) is int)
        loaded += found is not None
    return loaded, count - loaded


def test_damaged_files_are_not_loaded_and_raise_nothing(tmp_path):
    loaded, refused = search_damage(tmp_path / "cache", 1000, 0)
    assert refused > 500
    assert loaded > 10  # some damage only changes numbers: the search reaches the inner parts


@pytest.mark.slow
def test_many_damaged_files(tmp_path):
    loaded, refused = search_damage(tmp_path / "cache", 100_000, 1)
    assert refused > 50_000
    assert loaded > 1000


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"format": 2}',
        b"9" * 10_000,
    ],
)
def test_files_that_are_no_record(tmp_path, body):
    path = stored(tmp_path / "cache")
    path.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    assert DiskCache(tmp_path / "cache").load(KEY) is None


def test_kernels_are_those_of_the_package(tmp_path):
    path = stored(tmp_path / "cache")
    data = json.loads(path.read_bytes()[CHECKSUM_BYTES:])
    data["kernels"] = {"k": ["name", "os", "system"]}
    body = json.dumps(data).encode()
    path.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
    assert DiskCache(tmp_path / "cache").load(KEY) is None
