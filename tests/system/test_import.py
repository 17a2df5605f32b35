"""What `import mycel` loads: the API and the ops; what traces and compiles comes with the first function."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

IMPORTED = """
import sys
import numpy
before = set(sys.modules)
import mycel
print(*sorted(set(sys.modules) - before))
"""

FIRST_CALL = """
import sys
import mycel as ms
ms.jit(lambda x: ms.ops.tanh(x) * 2 + 1)(ms.Tensor([1.0, 2.0]))
print(*sorted(sys.modules))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package has its name, whatever the folder of the repository is called."""
    folder = tmp_path_factory.mktemp("linked")
    (folder / "mycel").symlink_to(ROOT, target_is_directory=True)
    return folder


def modules(program: str, folder: Path) -> set[str]:
    """The modules that a program prints, without the package's name."""
    file = folder / "program.py"
    file.write_text(program, encoding="utf-8")
    run = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    return {name.removeprefix("mycel.") for name in run.stdout.split()}


@pytest.fixture(scope="module")
def imported(folder: Path) -> set[str]:
    return modules(IMPORTED, folder)


LATE = (
    "compiler.cache.",
    "compiler.codegen.",
    "compiler.ir.printer",
    "compiler.kernels.",
    "compiler.ops.control_batching",
    "compiler.ops.loop_derivative",
    "compiler.passes.",
    "compiler.pipeline",
    "compiler.transforms.branch_templates",
    "frontend.compilation.make_entry",
    "frontend.compilation.stages",
    "frontend.control_flow.loops",
    "frontend.control_flow.numbers",
    "frontend.control_flow.tracer",
    "frontend.page.",
    "frontend.transforms.tape",
    "library.dataset.",
    "library.functions.random",
    "library.initializer",
    "library.mindspore.sparse",
    "library.saving.",
    "runtime.distributed.",
    "runtime.machine.assembler",
    "runtime.machine.executable",
    "runtime.machine.product_code",
    "runtime.native.codegen",
)
"""What a first call loads, or a program that uses it: names of modules, or their beginnings."""

FOREIGN = {"PIL", "difflib", "hashlib", "json", "matplotlib", "mpi4py", "onnx", "pathlib", "random", "secrets", "tqdm"}
"""Modules of others that few programs need, and that take milliseconds."""


def test_import_loads_no_compiler(imported: set[str]) -> None:
    """No tracer, no pass, no code generation, no assembler, no program cache; no datasets and no checkpoints."""
    assert {"frontend.api.jit", "compiler.ops.elementwise", "library.nn"} <= imported
    assert sorted(name for name in imported if name.startswith(LATE)) == []


def test_import_loads_few_functions_ops_and_layers(imported: set[str]) -> None:
    """Files of these come when one of their names is asked for."""
    for package, most in (("library.functions", 20), ("compiler.ops", 40), ("library.nn", 0)):
        loaded = [name for name in imported if name.startswith(f"{package}.")]
        files = [*ROOT.joinpath(*package.split(".")).glob("*.py")]
        assert len(loaded) <= most < len(files) * 2 / 3, (package, sorted(loaded))
    assert len([name for name in imported if (ROOT / f"{name.replace('.', '/')}.py").exists()]) <= 230


def test_import_loads_nothing_foreign_that_few_programs_need(imported: set[str]) -> None:
    """Neither optional packages nor slow modules of the standard library."""
    assert sorted(imported & FOREIGN) == []


def test_a_first_call_loads_what_import_does_not(folder: Path) -> None:
    """The names above are those of modules that there are."""
    found = modules(FIRST_CALL, folder)
    assert {
        "compiler.pipeline",
        "compiler.passes.cse",
        "compiler.codegen.emitter",
        "frontend.control_flow.tracer",
    } <= found
    for beginning in LATE:
        place = ROOT.joinpath(*beginning.rstrip(".").split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), beginning


def test_a_first_call_loads_nothing_that_few_programs_need(folder: Path) -> None:
    """Neither hashes, the log and JSON nor convolutions, which bfloat16 has rules of."""
    found = modules(FIRST_CALL, folder)
    assert sorted(found & {"hashlib", "json", "logging", "queue", "tracemalloc"}) == []
    assert sorted(found & {"compiler.ops.convolution", "runtime.kernels.conv", "runtime.kernels.direct_conv"}) == []


def test_a_program_loads_no_ops_that_neighbours_of_its_ops_need(folder: Path) -> None:
    """The file of relu has gelu, too, which computes the error function."""
    found = modules(FIRST_CALL.replace("tanh", "relu"), folder)
    assert "compiler.ops.activation" in found
    assert "compiler.ops.error_functions" not in found


@pytest.mark.parametrize("name", ["erf", "gelu"])
def test_the_error_function_comes_without_gamma_and_bessel_functions(name: str, folder: Path) -> None:
    found = modules(FIRST_CALL.replace("tanh", name), folder)
    assert "compiler.ops.error_functions" in found
    assert not any(
        one.startswith(("compiler.ops.special", "runtime.kernels.gamma", "runtime.kernels.bessel")) for one in found
    )
