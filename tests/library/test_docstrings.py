"""Docstrings of public functions: each has all its parts, and each example prints the output in it."""

from __future__ import annotations

import doctest
import enum
import importlib
import inspect
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor
from mycel.frontend.compilation.doors import guarded
from mycel.library.docstrings import Shared, docstring, like, split, with_imports

SPACES = ("ops", "mint", "mint.nn.functional", "mint.linalg", "mint.special", "numpy", "Tensor")
"""Their docstrings have all parts."""
MORE_SPACES = (
    "", "amp", "common.initializer", "communication", "communication.comm_func", "dataset", "dataset.audio",
    "dataset.text", "dataset.transforms", "dataset.vision", "experimental.optim",
    "experimental.optim.lr_scheduler", "mint.distributed", "mint.nn", "mint.optim", "nn",
    "nn.probability.bijector", "nn.probability.distribution", "numpy.fft", "scipy.linalg", "scipy.optimize", "train",
)  # fmt: skip
"""Their docstrings have an example at least. Enumerations need none: their members say all."""
_TENSOR_WORDS = re.compile(
    r"shape|broadcast|dtype|vector|matri|scalar|dimension|-d|float|integer|Bool|complex|number|\(\w*[N*.…]|image"
)

_REAL = re.compile(r"[-+]?\d+\.\d*(?:e[-+]?\d+)?")


class CloseNumbers(doctest.OutputChecker):
    """Takes output whose real numbers differ in the last digits.

    NumPy computes exponentials and logarithms with other code on a processor with AVX-512 than on one without.
    """

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if super().check_output(want, got, optionflags):
            return True
        wanted, found = _REAL.findall(want), _REAL.findall(got)
        texts = ["".join(_REAL.sub("#", text).split()) for text in (want, got)]
        close = [
            math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-7) for a, b in zip(wanted, found, strict=False)
        ]
        return texts[0] == texts[1] and len(wanted) == len(found) and all(close)


@cache
def top_level() -> list[str]:
    """The names of the package in a new process: other tests may have asked for some that load late."""
    code = "import mycel; print(*dir(mycel))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def names_of(space: str) -> Iterator[tuple[str, Any]]:
    where: Any = Tensor if space == "Tensor" else importlib.import_module(f"mycel.{space}".rstrip("."))
    room = "mycel.library." if space else "mycel."
    for name in top_level() if not space else dir(where):
        item = None if name.startswith("_") else getattr(where, name, None)
        if callable(item) and getattr(item, "__module__", "").startswith(room):
            yield name, item


@cache
def documented(spaces: tuple[str, ...] = SPACES) -> dict[int, tuple[str, Any]]:
    """Each function and class once, with a name that it is found under."""
    found: dict[int, tuple[str, Any]] = {}
    for space in spaces:
        for name, item in names_of(space):
            if inspect.isfunction(item) or inspect.isclass(item):
                found.setdefault(id(item), (f"{space}.{name}", item))
    return found


def module_of(item: Any) -> str:
    return str(item.__module__).removeprefix("mycel.library.")


def parameters_of(item: Any) -> dict[str, inspect.Parameter]:
    found = inspect.signature(item).parameters
    return {name: parameter for name, parameter in found.items() if name != "self" and name[0] != "_"}


def missing_parts(item: Any) -> list[str]:
    """The parts that a docstring lacks."""
    text = inspect.cleandoc(item.__doc__ or "")
    summary = " ".join(text.partition("\n\n")[0].split())
    problems = [] if summary and summary[-1] in ".?:" else ["a summary that ends with a full stop"]
    sections = dict(re.findall(r"^(Args|Inputs|Returns|Raises|Examples):\n((?:(?:    .*)?\n?)*)", text, re.M))
    described = sections.get("Args", "") + sections.get("Inputs", "")
    for name, parameter in parameters_of(item).items():
        entry = re.search(rf"^    (?:\**\w+, )*\**{name}(?:, \**\w+)*: (.*(?:\n {{8}}.*)*)", described, re.M)
        if entry is None:
            problems.append(f"the argument '{name}'")
        elif "Tensor" in str(parameter.annotation) and not _TENSOR_WORDS.search(entry.group(1)):
            problems.append(f"shape or dtype of '{name}'")
    if issubclass(item, ms.ops.Primitive) if inspect.isclass(item) else False:
        problems += [] if "Inputs" in sections else ["Inputs"]
    problems += [part for part in ("Raises", "Examples") if part not in sections]
    return problems + ([] if ">>> " in sections.get("Examples", "") else ["an example"])


def test_docstrings_have_all_parts() -> None:
    problems = {
        f"{module_of(item)}: {name}": missing
        for name, item in documented().values()
        if (missing := missing_parts(item))
    }
    assert problems == {}
    assert len(documented()) > 1200


def test_docstrings_of_layers_and_tools_have_an_example() -> None:
    lacking = [
        name
        for name, item in documented(MORE_SPACES).values()
        if ">>> " not in (item.__doc__ or "") and not (inspect.isclass(item) and issubclass(item, enum.Enum))
    ]
    assert lacking == []
    assert len(documented(MORE_SPACES)) > 600


def test_numbers_of_examples_may_differ_in_their_last_digits() -> None:
    check = CloseNumbers().check_output
    assert check("[0.6931472 1.3132616]\n", "[0.6931472 1.3132617]\n", 0)
    assert check("[-0.3034014  0.         1.9439589]\n", "[-0.30340147  0.          1.9439589 ]\n", 0)
    assert not check("[0.6931472 1.3132616]\n", "[0.6931472 1.3132716]\n", 0)
    assert not check("[0.6931472 1.3132616]\n", "[0.6931472]\n", 0)
    assert not check("(2, 3) 0.5\n", "(2, 4) 0.5\n", 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spaces", [SPACES, MORE_SPACES], ids=["functions", "layers and tools"])
def test_examples_print_what_they_say(spaces: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ml_dtypes")
    if spaces is MORE_SPACES:
        pytest.importorskip("PIL")
    monkeypatch.chdir(tmp_path)  # some examples write files
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(CloseNumbers(), verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    failures: list[str] = []
    count = 0
    for name, item in documented(spaces).values():
        test = parser.get_doctest(item.__doc__ or "", {}, name, None, None)
        if test.examples:
            count += 1
            runner.run(test, out=failures.append, clear_globs=True)
    assert "".join(failures) == ""
    assert count > 500


def wrong_claims(space: str) -> Iterator[str]:
    """The functions of a module that take what their docstrings say raises TypeError."""
    for name, function in names_of(space):
        raises = re.search(r"^Raises:\n((?:    .*\n)+)", inspect.cleandoc(function.__doc__ or "") + "\n", re.M)
        claims = re.findall(r"^    TypeError: if ([^.]*?) is (no Tensor|neither)", raises[1] if raises else "", re.M)
        for words, claim in claims if inspect.isfunction(function) else ():
            needed = {key: 1 for key, item in parameters_of(function).items() if item.default is item.empty}
            claimed = re.findall(r"`(\w+)`", words)
            needed |= dict.fromkeys(set(claimed) & set(needed), Tensor([[1.0, 2.0], [3.0, 4.0]]))
            for argument in claimed:
                if argument not in parameters_of(function):
                    yield f"{space}.{name} has no argument '{argument}'"
                    continue
                variadic = parameters_of(function)[argument].kind is inspect.Parameter.VAR_POSITIONAL
                for wrong in () if variadic else ("text", object(), *([2.0] if claim == "no Tensor" else [])):
                    try:
                        function(**{**needed, argument: wrong})
                        yield f"{space}.{name} takes {wrong} as '{argument}'"
                    except TypeError:
                        pass
                    except Exception as error:  # another argument of this test may be refused first
                        if not isinstance(error, ValueError | IndexError | RuntimeError):
                            yield f"{space}.{name} with {wrong} as '{argument}': {error!r}"


@pytest.mark.filterwarnings("ignore")
def test_type_errors_that_docstrings_name_are_raised() -> None:
    spaces = ("ops", "mint", "mint.nn.functional", "mint.linalg", "mint.special")
    assert [problem for space in spaces for problem in wrong_claims(space)] == []


SHARED = Shared(
    """
    Args:
        x: a tensor.
        axis: the axis.
        first, second: two numbers.

    Raises:
        TypeError: if `x` is no Tensor.
        ValueError: if `axis` is out of range,
            or no int.
    """
)


def test_shared_entries_stand_in_the_order_of_the_signature() -> None:
    def function(axis: int, y: int, first: int, second: int, *x: int) -> None:
        """Something.

        Args:
            y: its own.
        """

    assert SHARED(function) is function
    assert docstring(function).split("\n") == [
        "Something.",
        "",
        "Args:",
        "    axis: the axis.",
        "    y: its own.",
        "    first, second: two numbers.",
        "    x: a tensor.",
        "",
        "Raises:",
        "    TypeError: if `x` is no Tensor.",
        "    ValueError: if `axis` is out of range,",
        "        or no int.",
        "",
    ]


def test_a_docstring_is_completed_when_its_function_gets_a_door() -> None:
    @SHARED
    def function(axis: int) -> None:
        """Something."""

    assert function.__doc__ == "Something."
    guarded(function)
    assert "    axis: the axis.\n" in (function.__doc__ or "")
    text = docstring(function)
    assert text == function.__doc__  # once


def test_what_a_docstring_says_itself_is_not_shared() -> None:
    @SHARED
    class Layer:
        """Something.

        Args:
            axis, first: its own.

        Raises:
            KeyError: always.
        """

        def __init__(self, axis: int, first: int, second: int) -> None:
            pass

    text = Layer.__doc__ or ""
    assert "    axis, first: its own.\n" in text
    assert "the axis" not in text
    assert "two numbers" not in text
    assert "KeyError" in text
    assert "TypeError" not in text


def test_a_shared_text_has_a_base_and_only_errors_of_arguments_that_there_are() -> None:
    more = Shared("\nRaises:\n    ValueError: if `k` is odd.\n    TypeError: if `k` is no int.\n", SHARED)
    text = more.completed("Something.", ("k", "x"))
    assert text.index("`x` is no Tensor") < text.index("`k` is no int") < text.index("`k` is odd")
    assert "axis" not in text
    assert more.completed("Nothing shared.", ("other",)) == "Nothing shared.\n"


def test_an_example_without_an_import_begins_with_the_shared_ones() -> None:
    more = Shared("", SHARED, imports="import numpy as np\nfrom mycel import ops")
    text = "Something.\n\nExamples:\n    {}>>> ops.abs(-1)\n    1\n"
    begun = text.format(">>> import numpy as np\n    >>> from mycel import ops\n    ")
    assert more.completed(text.format(""), ()) == begun
    assert Shared("", more).completed(text.format(""), ()) == begun
    assert SHARED.completed(text.format(""), ()) == text.format("")
    own = text.format(">>> import mycel.ops as ops\n    ")
    assert more.completed(own, ()) == own


@pytest.mark.parametrize("indentation", ["", "    "], ids=["as Python 3.13 keeps it", "as written"])
def test_imports_are_indented_as_the_example(indentation: str) -> None:
    lines = ("Something.\n", "Examples:", "    >>> one()", "    1\n")
    text = f"\n{indentation}".join(lines)
    assert with_imports(text, "import one") == f"\n{indentation}".join((*lines[:2], "    >>> import one", *lines[2:]))
    assert with_imports("No example.", "import one") == "No example."


def test_a_docstring_is_completed_from_another_one() -> None:
    @like(with_imports)
    def shorter(text: str, imports: str) -> str:
        """Something else.

        Examples:
            >>> shorter("", "")
        """
        return text

    def sections(function: Any) -> dict[str, str]:
        return split(docstring(function))[1]

    assert docstring(shorter).startswith("Something else.\n\nExamples:\n    >>> shorter")
    given = like(ms.ops.fftshift)(lambda input, dim=None: input)
    assert given.__doc__ is None  # without a docstring there is nothing to complete
    own, other = sections(ms.ops.ifftshift), sections(ms.ops.fftshift)
    assert (own["Args"], own["Raises"]) == (other["Args"], other["Raises"])
    assert own["Examples"].startswith("    >>> from mycel import Tensor, ops\n    >>> print(ops.ifftshift")
