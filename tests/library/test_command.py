"""The command line: scripts written for MindSpore run unchanged, and the stages of a function are shown."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from shell import Shown

from mycel.library.command import main


def mycel(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    return subprocess.run(
        [sys.executable, "-m", "mycel", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        timeout=120,
        check=False,
    )


@pytest.fixture
def dump(command: Callable[..., Shown], tmp_path: Path) -> Callable[..., Shown]:
    """`mycel dump` in this process, in a folder with a script."""
    name = script(tmp_path, FUNCTIONS)
    return lambda target, *arguments: command("dump", target.replace("SCRIPT", name), *arguments)


def script(folder: Path, text: str, name: str = "script.py") -> str:
    """Write a script; its name."""
    (folder / name).write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
    return name


def output(folder: Path, text: str, *arguments: str) -> str:
    """The output of a script under `mycel run`."""
    result = mycel(folder, "run", script(folder, text), *arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_import_styles_of_the_package_and_its_modules(tmp_path: Path) -> None:
    shown = output(
        tmp_path,
        """
        import mindspore
        import mindspore as ms
        import mindspore.nn as nn
        import mindspore.ops as ops
        import mindspore.common.dtype as mstype
        import mindspore.ops.operations as P
        from mindspore import Parameter, Tensor, context, nn as layers
        from mindspore import ParameterTuple, dtype, grad, jit, set_context, value_and_grad
        from mindspore.common import initializer as init, set_seed
        from mindspore.common.api import jit as also_jit
        from mindspore.common.initializer import Normal, One, initializer
        from mindspore.common.parameter import Parameter as AlsoParameter
        from mindspore.common.tensor import Tensor as AlsoTensor
        from mindspore.nn import Cell, Dense
        from mindspore.nn.optim import Adam, Momentum
        from mindspore.ops import composite as C, functional as F, operations
        from mindspore.ops.composite import GradOperation
        from mindspore.train.callback import LossMonitor, TimeMonitor
        from mindspore.train import Model
        from mindspore.parallel._utils import _get_device_num
        from mindspore.amp import all_finite

        context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
        assert mindspore is ms and layers is nn and nn.Cell is Cell and also_jit is jit
        assert AlsoTensor is Tensor and AlsoParameter is Parameter
        assert P.ReLU is operations.ReLU is ops.ReLU
        assert F.grad is grad and C.GradOperation is GradOperation
        assert mstype.float32 is ms.float32 and dtype.float32 is ms.float32
        print(P.ReLU()(Tensor([-1.0, 2.0], mstype.float32)))
        print(F.relu(Tensor([-1.0, 3.0])), C.HyperMap()(F.neg, (Tensor(1.0),))[0])
        print(initializer(One(), (2,), mstype.float16), init.Zero is not None)
        net = Dense(2, 1, weight_init=Normal(0.02), bias_init="zeros")
        print(type(Adam(net.trainable_params())).__name__, _get_device_num(), all_finite((Tensor(1.0),)))
        print(__name__, ms.__name__, nn.__name__)
        assert ms.ops.operations.ReLU is P.ReLU and ms.ops.composite.GradOperation is GradOperation
        assert ms.common.initializer.Normal is Normal and ms.nn.optim.Adam is Adam
        """,
    )
    assert shown.splitlines() == [
        "[0. 2.]",
        "[0. 3.] -1.0",
        "[1. 1.] True",
        "Adam 1 True",
        "__main__ mindspore mindspore.nn",
    ]


def test_a_training_script(tmp_path: Path) -> None:
    shown = output(
        tmp_path,
        """
        import numpy as np
        import mindspore as ms
        from mindspore import nn, ops, Tensor
        from mindspore.common.initializer import Constant

        ms.set_context(mode=ms.GRAPH_MODE)

        class Line(nn.Cell):
            def __init__(self):
                super().__init__()
                self.dense = nn.Dense(1, 1, weight_init=Constant(0.5), bias_init="zeros")

            def construct(self, x):
                if x.shape[0] > 100:
                    return ops.zeros_like(x)
                return self.dense(x)

        net = Line()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
        step.set_train()
        x = np.linspace(-1, 1, 16, dtype=np.float32).reshape(-1, 1)
        for _ in range(200):
            loss = step(Tensor(x), Tensor(3 * x + 1))
        print(loss < 1e-6)
        for parameter in net.get_parameters():
            print(parameter.name, np.round(parameter.asnumpy().ravel(), 3))
        """,
    )
    assert shown == "True\ndense.weight [3.]\ndense.bias [1.]\n"


def test_a_script_gets_its_arguments_and_finds_its_neighbours(tmp_path: Path) -> None:
    script(tmp_path, "FACTOR = 4.0\n", "neighbour.py")
    shown = output(
        tmp_path,
        """
        import sys
        from pathlib import Path
        from mindspore import Tensor
        from neighbour import FACTOR
        print(sys.argv, Path(__file__).name, Tensor(2.0) * FACTOR)
        """,
        "--epochs",
        "3",
    )
    assert shown == "['script.py', '--epochs', '3'] script.py 8.0\n"


@pytest.mark.parametrize("arguments", [["--"], ["--", "x"], ["x", "--", "y"], ["--", "--"]])
def test_a_script_gets_dashes_as_from_python(tmp_path: Path, arguments: list[str]) -> None:
    assert output(tmp_path, "import sys\nprint(sys.argv[1:])\n", *arguments) == f"{arguments}\n"


def test_the_exit_status_of_a_script(tmp_path: Path) -> None:
    assert mycel(tmp_path, "run", script(tmp_path, "import sys\nsys.exit(7)\n")).returncode == 7


def test_names_that_are_not_there(tmp_path: Path) -> None:
    shown = output(
        tmp_path,
        """
        import mindspore as ms
        import mindspore.ops as ops
        for line in [
            "import mindspore.nosuchmodule",
            "from mindspore.nn import NoSuchLayer",
            "from mindspore import no_such_name",
            "ms.nn.NoSuchLayer",
            "ms.no_such_name",
            "ops.no_such_op",
            "ops.operations.NoSuchOp",
        ]:
            try:
                exec(line)
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
        """,
    )
    expected = [
        "ModuleNotFoundError: mycel has no module 'mindspore.nosuchmodule'",
        "ImportError: cannot import name 'NoSuchLayer' from 'mindspore.nn'.*",
        "ImportError: cannot import name 'no_such_name' from 'mindspore'.*",
        "AttributeError: 'mindspore.nn' has no 'NoSuchLayer' in mycel",
        "AttributeError: 'mindspore' has no 'no_such_name' in mycel",
        "AttributeError: 'mindspore.ops' has no 'no_such_op' in mycel",
        "AttributeError: 'mindspore.ops.operations' has no 'NoSuchOp' in mycel",
    ]
    lines = shown.splitlines()
    assert len(lines) == len(expected)
    for line, pattern in zip(lines, expected, strict=True):
        assert re.fullmatch(pattern, line)


def test_the_traceback_of_a_script_shows_its_line(tmp_path: Path) -> None:
    name = script(
        tmp_path,
        """
        import mindspore as ms
        from mindspore import nn, ops

        ms.set_context(mode=ms.GRAPH_MODE)

        class Net(nn.Cell):
            def construct(self, x, y):
                return ops.matmul(x, y)

        Net()(ops.ones((2, 3)), ops.ones((4, 5)))
        """,
    )
    result = mycel(tmp_path, "run", name)
    assert result.returncode == 1
    assert re.search(r'script\.py", line 10, in <module>', result.stderr)
    assert re.search(r"script\.py:8, in construct\n\s+return ops\.matmul\(x, y\)", result.stderr)
    assert "matmul" in result.stderr.split("Error:")[-1]


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    result = mycel(tmp_path, "run", "nothing.py")
    assert result.returncode == 2
    assert result.stderr == "mycel: there is no file nothing.py\n"


FUNCTIONS = """
    import mindspore as ms
    from mindspore import nn, ops, Tensor

    def scaled(x, factor):
        y = ops.tanh(x)
        return y * factor

    def total(x):
        return (x * x).sum()

    gradient = ms.grad(total)
    total_inputs = [Tensor([1.0, 2.0, 3.0])]
    gradient_inputs = total_inputs

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(4, 2)

        def construct(self, x):
            return self.dense(x)

    class Sized(nn.Cell):
        def __init__(self, size):
            super().__init__()

    net = Net()
    number = 3

    class Plain:
        pass
"""
STAGES = ["converted", "forward", "joint", "optimized", "plan", "program"]


def stages_in(text: str) -> list[str]:
    """The stages whose headings a dump shows."""
    return re.findall(r"^# ---- (\w+) ----$", text, re.M)


def test_dump_shows_every_stage(dump: Callable[..., Shown]) -> None:
    result = dump("SCRIPT:scaled", "--input", "f32[8,4]", "-i", "2.0")
    assert result.returncode == 0, result.stderr
    assert stages_in(result.stdout) == STAGES
    assert "tanh" in result.stdout
    assert "def scaled(x, factor):" in result.stdout
    assert "f32[8, 4]" in result.stdout
    assert "script.py:5" in result.stdout


def test_dump_of_a_gradient_with_inputs_from_the_file(dump: Callable[..., Shown]) -> None:
    result = dump("SCRIPT:gradient")
    assert result.returncode == 0, result.stderr
    assert stages_in(result.stdout) == [*STAGES[:2], "backward", *STAGES[2:]]
    assert "f32[3]" in result.stdout


def test_dump_of_a_cell_class_and_of_a_cell(dump: Callable[..., Shown]) -> None:
    for target in ("Net", "net", "net.dense"):
        result = dump(f"SCRIPT:{target}", "--input", "f32[8, 4]", "--stage", "forward")
        assert result.returncode == 0, result.stderr
        assert stages_in(result.stdout) == ["forward"]
        assert "weight: f32[2, 4]" in result.stdout


@pytest.mark.parametrize(("format", "first"), [("mermaid", "flowchart TD"), ("dot", 'digraph "total')])
def test_dump_as_a_drawing(dump: Callable[..., Shown], format: str, first: str, tmp_path: Path) -> None:
    result = dump("SCRIPT:total", "--format", format, "-s", "optimized")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(first)
    result = dump("SCRIPT:total", "--format", format, "--out", "drawn")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / result.stdout.strip()).read_text(encoding="utf-8").startswith(first)
    result = dump("SCRIPT:total", "--format", format, "-s", "plan")
    assert result.returncode == 2
    assert "the stage 'plan' is no graph; there are forward, joint, optimized" in result.stderr


def test_dump_to_files(dump: Callable[..., Shown], tmp_path: Path) -> None:
    result = dump("SCRIPT:total", "--out", "stages")
    assert result.returncode == 0, result.stderr
    listed = [Path(line) for line in result.stdout.split()]
    written = [path for path in listed if "_pass_" not in path.name]
    assert "total_pass_00_dce.ir" in {path.name for path in listed}
    assert [path.name for path in written] == [
        f"total_{number:02d}_{stage}.{ {'plan': 'txt', 'converted': 'py', 'program': 'py'}.get(stage, 'ir') }"
        for number, stage in enumerate(STAGES)
    ]
    for path in written:
        assert (tmp_path / path).read_text(encoding="utf-8").strip()


def test_show_writes_a_page(dump: Callable[..., Shown], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dump("SCRIPT:total").returncode == 0
    script = next(tmp_path.glob("*.py")).name
    assert main(["show", f"{script}:scaled", "-i", "f32[8,4]", "-i", "2.0", "--profile"]) == 0
    assert capsys.readouterr().out.split() == ["scaled.html"]
    assert "<title>scaled" in (tmp_path / "scaled.html").read_text(encoding="utf-8")
    assert main(["show", f"{script}:total", "--out", "nowhere/page.html"]) == 2
    assert "there is no folder nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["script.py"], "should be FILE.py:NAME"),
        (["nothing.py:f"], "there is no file nothing.py"),
        (["script.py:nothing"], "script.py has no 'nothing'"),
        (["script.py:number"], "'number' is int, not a function or Cell"),
        (["script.py:Plain"], "'Plain' is a class, but no Cell"),
        (["script.py:Sized"], "'Sized' needs size: make one in the file and name that"),
        (["script.py:scaled", "-i", "f32(3)"], "cannot read the input 'f32(3)'"),
        (["script.py:scaled", "-i", "f31[3]"], "cannot read the input 'f31[3]'"),
        (["script.py:total", "--stage", "forwards"], "there is no stage 'forwards'; there are converted, forward"),
        (["script.py:scaled"], "--input"),
        (["script.py:Net"], "--input"),
    ],
)
def test_mistakes_in_a_dump(dump: Callable[..., Shown], arguments: list[str], words: str) -> None:
    result = dump(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("mycel: ")
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_help(tmp_path: Path) -> None:
    result = mycel(tmp_path, "--help")
    assert result.returncode == 0
    assert "run" in result.stdout
    assert "dump" in result.stdout
    for arguments in (["nonsense"], []):
        with pytest.raises(SystemExit, match="2"):
            main(arguments)
