"""Compiled programs on disk: found again, equal to fresh ones, safe against bad files and many writers, and bounded."""

import json
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.compiler import pipeline
from mycel.compiler.cache import disk as disk_cache
from mycel.compiler.cache.disk import DiskCache, Record
from mycel.compiler.cache.structural_hash import NotCacheable, structural_hash
from mycel.frontend.compilation import compile_cache
from mycel.library.command import main

KEY = "0123456789abcdef"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MYCEL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def random(*shape):
    return Tensor(np.random.default_rng(0).standard_normal(shape).astype(np.float32))


def function(x):
    for step in range(6):
        x = ops.tanh(x) * 1.5 + ops.sigmoid(x) * step - x.max()
    return x.sum(), x


def loaded(compiled, *args):
    return "cache" in compiled.stages(*args).seconds


def programs(folder):
    return sorted(folder.glob("*.program"))


def record(**changes):
    return Record(**{"name": "f", "source": "", "nbytes": 0, "constants": {}, "kernels": {}, "nodes": 1, **changes})


def test_the_second_compilation_is_loaded_and_gives_the_same(folder):
    x = random(4, 5)
    fresh = ms.jit(function)
    first = fresh(x)
    assert not loaded(fresh, x)
    assert len(programs(folder)) == 1
    again = ms.jit(function)
    second = again(x)
    assert loaded(again, x)
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())
    assert fresh.stages(x).program == again.stages(x).program


def test_stages_and_profile_of_a_loaded_program(folder):
    x = random(4, 5)
    fresh, again = ms.jit(function), ms.jit(function)
    fresh(x)
    again(x)
    assert loaded(again, x)
    ours, theirs = dict(fresh.stages(x).items()), dict(again.stages(x).items())
    assert ours == theirs
    assert list(fresh.stages(x).passes) == list(again.stages(x).passes)
    assert len(again.profile(x).lines) > 1


def test_training_by_a_loaded_program_goes_the_same_way(folder):
    def losses():
        ms.set_seed(3)
        net = nn.SequentialCell(nn.Dense(6, 8), nn.Tanh(), nn.Dropout(p=0.3), nn.Dense(8, 1))
        net.set_train()
        optimizer = nn.Adam(net.trainable_params(), 0.05)
        gradient = ms.value_and_grad(lambda x: ops.square(net(x) - 1.0).mean(), None, optimizer.parameters)

        @ms.jit
        def step(x):
            loss, gradients = gradient(x)
            optimizer(gradients)
            return loss

        x = random(5, 6)
        return [float(step(x)) for _ in range(5)], loaded(step, x)

    fresh, was_loaded = losses()
    assert not was_loaded
    again, was_loaded = losses()
    assert was_loaded
    assert again == fresh
    assert fresh[-1] < fresh[0]


def test_loops_with_stacks_and_fused_groups_are_kept(folder):
    def f(x, count):
        y = x
        while count < 30:
            y = ops.tanh(y) * 0.9 + x / (ops.square(y) + 1.0) - ops.exp(-y)
            count = count + 1
        return y.sum()

    x, zero = random(300, 300), Tensor(0, ms.int32)
    results = []
    for expected in (False, True):
        gradient = ms.grad(f)
        results.append(gradient(x, zero).asnumpy())
        assert ("cache" in gradient.stages(x, zero).seconds) == expected
    np.testing.assert_array_equal(*results)
    kernels = json.loads(programs(folder)[0].read_bytes().partition(b"\n")[2])["kernels"]
    assert kernels, "the example should need kernels that are found by name"


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-40] + b"x" + content[-39:],
        lambda content: b"no checksum at all",
    ],
)
def test_a_damaged_file_is_ignored_and_replaced(folder, damage):
    x = random(4, 5)
    expected = ms.jit(function)(x)[0].asnumpy()
    (path,) = programs(folder)
    good = path.read_bytes()
    path.write_bytes(damage(good))
    compiled = ms.jit(function)
    np.testing.assert_array_equal(compiled(x)[0].asnumpy(), expected)
    assert not loaded(compiled, x)
    assert path.read_bytes() == good


@pytest.mark.parametrize("source", ["def bind(", "nonsense", "import numpy as np\n", "constants['absent']\n"])
def test_a_whole_file_with_a_program_that_does_not_load_is_replaced(folder, source):
    x = random(4, 5)
    compiled = ms.jit(function)
    expected = compiled(x)[0].asnumpy()
    (path,) = programs(folder)
    key = path.stem
    assert DiskCache(folder).store(key, record(source=source))
    compiled = ms.jit(function)
    np.testing.assert_array_equal(compiled(x)[0].asnumpy(), expected)
    assert not loaded(compiled, x)
    kept = DiskCache(folder).load(key).source.splitlines()
    shown = str(compiled.stages(x).program).splitlines()
    assert [line.split("#")[0] for line in kept] == [line.split("#")[0] for line in shown]


def test_other_graphs_commits_options_and_versions_have_other_keys(monkeypatch):
    def graph(scale, shape=(4, 5)):
        return ms.jit(lambda x: function(x * scale)).stages(random(*shape)).joint

    keys = {
        structural_hash(graph(2.0)), structural_hash(graph(3.0)), structural_hash(graph(2.0, (4, 6))),
        structural_hash(replace(graph(2.0), donated={0: 0})), structural_hash(graph(2.0), ["cse"]),
    }  # fmt: skip
    assert len(keys) == 5
    same = structural_hash(graph(2.0))
    assert same in keys
    monkeypatch.setattr(np, "__version__", "0.0.0")
    assert structural_hash(graph(2.0)) not in keys


def test_literals_that_differ_in_sign_or_kind_have_other_keys():
    def key(value):
        return structural_hash(ms.jit(lambda x: ops.atan2(x, x + value)).stages(random(3)).joint)

    assert key(0.0) != key(-0.0)
    assert key(1) != key(2)
    assert key(float("nan")) == key(float("nan"))


def test_constants_of_every_kind_come_back(tmp_path):
    cache = DiskCache(tmp_path / "cache")
    constants = {
        "none": None, "text": "ä", "number": 3, "truth": True, "half": 0.1, "zero": -0.0, "infinite": float("inf"),
        "complex": 1 - 2j, "pair": (1, (2.5, "x")), "dtype": np.dtype(np.float16), "type": ms.int32,
        "rows": np.arange(6, dtype=np.int16).reshape(2, 3), "columns": np.asfortranarray(np.eye(3, 4) * 1j),
        "scalar": np.array(np.pi), "empty": np.zeros((0, 3), bool),
    }  # fmt: skip
    assert cache.store(KEY, record(constants=constants))
    found = cache.load(KEY).constants
    assert list(found) == list(constants)
    for name, value in constants.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(found[name], value)
            assert (found[name].dtype, found[name].strides) == (value.dtype, value.strides)
        else:
            assert repr(found[name]) == repr(value)
            assert type(found[name]) is type(value)
    frozen = np.ones(3)
    frozen.flags.writeable = False
    cache.store(KEY, record(constants={"frozen": frozen}))
    assert not cache.load(KEY).constants["frozen"].flags.writeable


@pytest.mark.parametrize("value", [object(), np.array([object()]), np.ones((4, 4))[::2, ::2], lambda: 0, {1: 2}])
def test_what_has_no_plain_form_is_not_kept(tmp_path, value):
    cache = DiskCache(tmp_path / "cache")
    assert not cache.store(KEY, record(constants={"value": value}))
    assert not cache.store(KEY, record(kernels={"value": value}))
    assert cache.load(KEY) is None
    with pytest.raises(NotCacheable):
        disk_cache._encode(record(constants={"value": value}), KEY)


def test_kernels_are_found_by_op_or_by_name(tmp_path):
    from mycel.compiler.ops import OPS
    from mycel.runtime.arena import Stack
    from mycel.runtime.blocks import run_blocks

    cache = DiskCache(tmp_path / "cache")
    kernels = {"erf": OPS["erf"].kernel, "Stack": Stack, "run_blocks": run_blocks}
    assert cache.store(KEY, record(kernels=kernels))
    assert cache.load(KEY).kernels == kernels


def test_many_threads_may_write_and_read_at_once(tmp_path):
    cache = DiskCache(tmp_path / "cache")
    sources = [f"# {number}\n" * 2000 for number in range(4)]
    start = threading.Barrier(8)

    def work(number):
        start.wait()
        seen = set()
        for _ in range(25):
            assert cache.store(KEY, record(source=sources[number % 4]))
            seen.add(cache.load(KEY).source)
        return seen

    with ThreadPoolExecutor(8) as pool:
        seen = set().union(*pool.map(work, range(8)))
    assert seen <= set(sources)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [f"{KEY}.program"]


def test_the_longest_unused_goes_when_the_limit_is_reached(tmp_path):
    cache = DiskCache(tmp_path / "cache", limit=3000)
    keys = [f"{number:016x}" for number in range(1, 5)]
    for age, key in enumerate(reversed(keys)):
        cache.store(key, record(source="#" * 900))
        os.utime(cache._path(key), (1000 - age, 1000 - age))
    assert cache.load(keys[0]) is not None  # the oldest, but used now
    cache.store(f"{9:016x}", record(source="#" * 900))
    kept = {path.stem for path in programs(tmp_path / "cache")}
    assert keys[0] in kept
    assert f"{9:016x}" in kept
    assert keys[1] not in kept
    assert cache.info().nbytes <= 3000


def test_unfinished_files_go_after_a_while_and_strangers_stay(tmp_path):
    cache = DiskCache(tmp_path / "cache")
    cache.store(KEY, record())
    for name in ("old.unfinished", "new.unfinished", "stranger.txt"):
        (tmp_path / "cache" / name).write_text("x")
    os.utime(tmp_path / "cache" / "old.unfinished", (1000, 1000))
    cache.trim()
    assert {path.name for path in (tmp_path / "cache").iterdir()} == {
        f"{KEY}.program",
        "new.unfinished",
        "stranger.txt",
    }
    assert cache.clear() == 1
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["stranger.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files")
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path):
    cache = DiskCache(tmp_path / "cache")
    assert cache.store(KEY, record())
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    (tmp_path / "cache").chmod(0o777)
    assert cache.load(KEY) is None
    assert not cache.store(KEY, record())
    (tmp_path / "cache").chmod(0o700)
    assert cache.load(KEY) is not None


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MYCEL_CACHE", str(tmp_path / "file" / "cache"))
    compiled = ms.jit(function)
    compiled(random(4, 5))
    assert not loaded(compiled, random(4, 5))


def test_switches(folder, monkeypatch):
    x = random(4, 5)
    ms.set_context(enable_compile_cache=False)
    try:
        ms.jit(function)(x)
        assert not folder.exists()
    finally:
        ms.set_context(enable_compile_cache=True)
    monkeypatch.setenv("MYCEL_CACHE", "OFF")
    assert compile_cache.compile_cache() is None
    monkeypatch.setenv("MYCEL_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    assert compile_cache.cache_folder() == folder / "mycel"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(folder))
    assert compile_cache.cache_folder() == folder / ".cache" / "mycel"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert compile_cache.cache_folder() == folder / "Library" / "Caches" / "mycel"


def test_a_path_in_the_context_comes_first(folder, tmp_path):
    ms.set_context(compile_cache_path=str(tmp_path / "other"))
    try:
        ms.jit(function)(random(4, 5))
    finally:
        ms.set_context(compile_cache_path="")
    assert len(programs(tmp_path / "other")) == 1
    assert not folder.exists()


def test_small_graphs_are_not_kept(folder):
    ms.jit(lambda x: x + 1)(random(3))
    assert not folder.exists()
    assert pipeline.SMALLEST_CACHED > 1


def test_the_command_shows_and_clears(folder, capsys):
    ms.jit(function)(random(4, 5))
    assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out.startswith("1 program, ")
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"deleted 1 programs from {folder}\n"
    assert programs(folder) == []
    assert main(["cache", "info"]) == 0
    assert capsys.readouterr().out.startswith("0 programs, ")


SCRIPT = """
import numpy as np
import mycel as ms
from mycel import Tensor, ops

@ms.jit
def f(x):
    for step in range(6):
        x = ops.tanh(x) * 1.5 + ops.sigmoid(x) * step - x.max()
    return x.sum()

x = Tensor(np.arange(6, dtype=np.float32))
print(repr(float(f(x))), "cache" in f.stages(x).seconds)
"""


def test_another_process_finds_it(folder, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    lines = [
        subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert lines[0][0] == lines[1][0]
    assert [line[1] for line in lines] == ["False", "True"]
    assert len(programs(Path(folder))) == 1


MOVED = """
def moved(x):
    for step in range(6):
        x = ops.tanh(x) * 1.5 + ops.sigmoid(x) * step - x.max()
    text = x * 2.0
    print("  # @@0  tanh", x.sum() > 1e9)
    return text
"""


def test_a_loaded_program_names_the_lines_of_the_source_that_it_serves(folder, tmp_path, capsys):
    """Lines are in the program, but not in the key; strings in it do not change."""
    x = random(4, 5)
    shown = []
    for name, before in (("first.py", 0), ("second.py", 7)):
        text = "\n" * before + MOVED
        file = tmp_path / name
        file.write_text(text)
        space = {"ops": ops}
        exec(compile(text, str(file), "exec"), space)
        compiled = ms.jit(space["moved"])
        compiled(x)
        assert loaded(compiled, x) == bool(before)
        shown.append(compiled.stages(x).program)
        assert f"  # {name}:{before + 5}  multiply" in shown[-1] or f"{name}:{before + 5}  " in shown[-1]
        assert "@@" not in shown[-1].replace("'  # @@0  tanh'", "").replace('"  # @@0  tanh"', "")
    assert capsys.readouterr().out.count("  # @@0  tanh False") == 2
    assert shown[0] != shown[1]


def test_functions_that_differ_in_names_have_programs_of_their_own(folder):
    def one(x):
        wanted = ops.tanh(x @ x)
        for _ in range(16):
            wanted = wanted @ x
        return wanted

    def other(x):
        given = ops.tanh(x @ x)
        for _ in range(16):
            given = given @ x
        return given

    x = random(4, 4)
    assert "wanted" in ms.jit(one).stages(x).program
    assert "given" in ms.jit(other).stages(x).program
