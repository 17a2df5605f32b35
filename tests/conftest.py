"""Shared configuration: how Hypothesis searches, and how pytest treats the repository root."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# Compiled programs go to a folder of this run alone, which its processes share, and never to the user's.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["MYCEL_CACHE"] = tempfile.mkdtemp(prefix="mycel-test-cache-")

# Machine code for pairs of bfloat16 is tested wherever it runs, also where it is slower than that for float32.
os.environ.setdefault("MYCEL_BF16", "on")

# A shell has what it starts in the background ignore Ctrl-C; tests of interrupts would wait for it forever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent

# Times on a shared machine vary too much for a deadline per example to mean anything.
settings.register_profile("default", deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
# The same examples in every run, so that a change cannot fail by another's bad luck.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None, print_blob=True)
# For `make test-slow`: many more examples than a developer would wait for.
settings.register_profile("long", settings.get_profile("default"), max_examples=2000)

# It would also draw numbers that stand in the code. For these it reads all modules that are loaded, which takes ten
# seconds in a new checkout; and any change of the code would change the examples.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))


@pytest.fixture
def as_without_mindspore() -> Iterator[None]:
    """Restore the meaning of `import mindspore` after the test."""
    import mycel
    from mycel.library.mindspore.modules import _Finder

    finders, modules = list(sys.meta_path), set(sys.modules)
    attributes = {name: value for name, value in vars(mycel).items() if isinstance(value, ModuleType)}
    yield
    sys.meta_path[:] = finders
    for name in set(sys.modules) - modules:
        made = getattr(sys.modules[name].__spec__, "loader", None)
        if name.partition(".")[0] == "mindspore" or type(made) is _Finder:
            parent, _, child = name.rpartition(".")
            if parent in modules and parent in sys.modules:  # imported by an earlier test, which keeps it
                vars(sys.modules[parent]).pop(child, None)
            del sys.modules[name]
    for name, value in list(vars(mycel).items()):
        if isinstance(value, ModuleType) and name not in attributes:
            delattr(mycel, name)
    for name, value in attributes.items():
        setattr(mycel, name, value)


class RootIsPlainDirectory:
    """Keeps pytest from importing the root as a package named after its directory, a second mycel."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect the root as a directory, though it has an __init__.py."""
        return pytest.Dir.from_parent(parent, path=path) if path == ROOT else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep Python's garbage collector from what stays to the end: with 29,000 tests, each search takes a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(100_000)  # most tests compile, and make so many objects that it would run for each
        gc.enable()


class Shared:
    """What differs in a process that shares the tests with others."""

    done = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Put long tests first: files near the root have them, which build the wheel or start programs. Otherwise all
        other processes would wait for the last of these."""
        items.sort(key=lambda item: len(item.path.parts))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """Report only the call of a test that passes, without its keywords, not its setup and teardown, and no end but
        that of the last: messages take long, here and where they are read."""
        if item.config.getoption("durations") is not None or item.config.getoption("xmlpath"):
            return None
        self.done += 1
        if self.done % 1000 == 0:  # what tests leave would be searched by each of those that collect garbage
            gc.collect()
            gc.freeze()
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "call" or not report.passed:
                report.keywords = {}
                item.ihook.pytest_runtest_logreport(report=report)
        if nextitem is None:
            item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


def pytest_unconfigure() -> None:
    """Delete the folder of compiled programs."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(os.environ["MYCEL_CACHE"], ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin above; as a hook of this file it would not be asked about directories above its own."""
    config.pluginmanager.register(RootIsPlainDirectory())
    if "PYTEST_XDIST_WORKER" in os.environ:
        config.pluginmanager.register(Shared())


@pytest.fixture(scope="module")
def collects_own() -> Iterator[None]:
    """The garbage collector searches what the tests of a file make, and not what those of other files have left: that
    takes up to a second each time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def numpy_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled functions run on NumPy alone, as on machines without machine code."""
    monkeypatch.setattr("mycel.compiler.kernels.eligible.is_available", lambda: False)
    monkeypatch.setattr("mycel.compiler.ops.linalg.has_products", lambda: False)
    monkeypatch.setattr("mycel.compiler.ops.linalg.has_small", lambda: False)
