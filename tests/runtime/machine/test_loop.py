"""Loops of calls in machine code: the same results as Python's, whatever arrays they are given."""

from __future__ import annotations

import _thread
import gc
import itertools
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mycel.runtime.machine import loop_text
from mycel.runtime.machine.array_functions import compile_small
from mycel.runtime.machine.executable import code_address, unavailable
from mycel.runtime.machine.loop import compile_loop
from mycel.runtime.machine.product import compile_matmul
from mycel.runtime.native.arguments import by_copies
from mycel.runtime.native.codegen import compile_kernel, complete_kernel
from mycel.runtime.program_text import register

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

MIX = """
over 6
in s float32[6] 4
in x float32[6] 4
out y float32[6] 4
t = multiply(s, 0.5)
y = add(t, x)
"""
ADD = """
over 1
in x float64[] 0
in n int64[] 0
out y float64[] 0
m = cast(n, float64)
y = add(x, m)
"""
TEST = """
over 1
in x float64[] 0
out more bool[] 0
more = less(x, 50.0)
"""
CLIMB = """
over 1
in x float64[] 0
out y float64[] 0
out more bool[] 0
y = add(x, 1.0)
more = less(y, 50.0)
"""
PICK = """
over 3
in table float32[5] 0 at ids 4 5
index ids int64[3] 8
out y float32[3] 4
y = table
"""
GLOBALS = {
    "mix": lambda: compile_kernel(MIX),
    "complete": lambda: complete_kernel(MIX),
    "add_number": lambda: compile_kernel(ADD),
    "is_less": lambda: compile_kernel(TEST),
    "climb": lambda: compile_kernel(CLIMB),
    "pick": lambda: compile_kernel(PICK),
    "matmul": lambda: compile_matmul("float32"),
    "inverse": lambda: compile_small("inverse", "float32", (3, 3), (3, 3)),
}
FILES = itertools.count()


def functions(body: str, **more: Any) -> tuple[Callable[..., Any], Callable[..., Any], str]:
    """A loop in machine code, the same in Python, and the file that they are in."""
    file = f"<loops {next(FILES)}>"
    space = {name: make() for name, make in GLOBALS.items()}
    space |= {"np": np, "by_copies": by_copies, "compile_loop": compile_loop, **more}
    text = f"@compile_loop\n{body}\nplain = {body.replace('def loop', 'def plain').strip()}".replace("plain = ", "")
    register(file, text)
    exec(compile(text, file, "exec"), space)
    return space["loop"], space["plain"], file


MIXED = """def loop(x, s, y):
    for i in range({bounds}):
        row = x[i]
        result = y[i]
        (mix(s, row, s) or by_copies(mix, 1, s, row, s))
        complete(row, s, result)
"""


def mixed(bounds: str) -> tuple[Callable[..., Any], Callable[..., Any], str]:
    """Loops whose rows are read and written."""
    return functions(MIXED.format(bounds=bounds))


def both(loop: Callable[..., Any], plain: Callable[..., Any], make: Callable[[], list[np.ndarray]]) -> None:
    """Machine code and Python change equal arrays in the same way."""
    found, wanted = make(), make()
    assert loop(*found) or not code_address(loop)
    plain(*wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)


def arrays(rows: int, *extra: int) -> list[np.ndarray]:
    random = np.random.default_rng(rows)
    return [np.float32(random.normal(size=shape)) for shape in ((rows, 6), (6,), (rows + sum(extra), 6))]


@pytest.mark.parametrize("bounds", ["1", "9", "200", "8, -1, -1", "2, 7", "7, 2, -1", "0, 9, 4"])
def test_it_goes_from_row_to_row(bounds: str) -> None:
    loop, plain, _ = mixed(bounds)
    assert code_address(loop)
    assert not code_address(plain)
    both(loop, plain, lambda: arrays(200 if bounds == "200" else 9))
    both(loop, plain, lambda: arrays(200, 3))


@pytest.mark.parametrize("bounds", ["0", "3, 3", "5, -2, -1"])
def test_other_ranges_are_left_to_python(bounds: str) -> None:
    loop, _, _ = mixed(bounds)
    assert code_address(loop) is None


STRANGE: dict[str, Callable[[np.ndarray], Any]] = {
    "other rows": lambda x: x[::2],
    "backwards": lambda x: x[::-1],
    "gaps in rows": lambda x: np.repeat(x, 2, 1)[:, ::2],
    "transposed": lambda x: np.asfortranarray(x),
    "one row for all": lambda x: np.broadcast_to(x[0], x.shape),
    "a list": list,
    "big endian": lambda x: x.astype(">f4"),
    "a subclass": lambda x: x.view(type("Other", (np.ndarray,), {})),
    "not aligned": lambda x: np.frombuffer(b"0" + x.tobytes(), np.float32, x.size, 1).reshape(x.shape),
}


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("bounds", ["9", "8, -1, -1"])
def test_any_rows_give_what_they_give_in_python(kind: str, bounds: str) -> None:
    loop, plain, _ = mixed(bounds)

    def make() -> list[Any]:
        x, s, y = arrays(18)
        return [STRANGE[kind](x), s, y]

    both(loop, plain, make)


def test_a_statement_left_to_python_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    real = loop_text.made_function
    monkeypatch.setattr(loop_text, "made_function", lambda *given: made.append(given) or real(*given))
    loop, _, _ = mixed("9")
    x, given, y = arrays(9)
    del made[:]
    for _ in range(3):
        loop(STRANGE["gaps in rows"](x), given, y)
    assert len(made) == 2  # of the two statements


def test_what_python_refuses_is_refused() -> None:
    loop, plain, _ = mixed("9")
    x, s, y = arrays(9)
    fixed = y.copy()
    fixed.flags.writeable = False
    double = x.astype(np.float64)
    for wrong in ([x[:5], s, y], [x, s, fixed], [x, s[:3].copy(), y], [double, s, y], [x, None, y], [x, s]):
        raised = []
        for function in (loop, plain):
            with pytest.raises((IndexError, ValueError, TypeError, AttributeError)) as caught:
                function(*wrong)
            raised.append(caught.type)
        assert raised[0] is raised[1] or len(wrong[0]) < 9


def test_memory_behind_the_rows_stays() -> None:
    loop, _, _ = mixed("9")
    x, s, _ = arrays(9)
    guarded = np.full((11, 6), 7, np.float32)
    loop(x, s, guarded[1:-1])
    assert (guarded[[0, -1]] == 7).all()
    with pytest.raises(IndexError):
        loop(x, s, guarded[1:-4])
    assert (guarded[[0, -1]] == 7).all()


def test_views_of_rows_move_with_them() -> None:
    loop, plain, _ = functions("""def loop(a, out, flat, w):
    for i in range(4, -1, -1):
        m = a[i]
        t = m.T
        corner = m[1:3, ...]
        column = flat[i]
        wide = column.reshape((2, 3))
        number = w[i, ...]
        r = out[i]
        (matmul(t, m, r) or t.dot(m, r))
        r[...] = m
        np.add(r, number, r)
        np.multiply(r[:2], wide, out=r[:2])
        (inverse(m, r) or np.linalg.inv(m))
        r[0, ...] = corner[0]
""")
    random = np.random.default_rng(0)
    shapes = (5, 3, 3), (5, 3, 3), (5, 6), (5,)
    assert code_address(loop) is None  # the slice of a row inside a statement would be a view of the iteration
    loop, plain, _ = functions("""def loop(a, out, flat, w, base):
    for i in range(4, -1, -1):
        m = a[i]
        t = m.T
        corner = m[1:3, ...]
        column = flat[i]
        wide = column.reshape((2, 3))
        number = w[i, ...]
        r = out[i]
        part = r[:2]
        fixed = base.transpose((1, 0))
        (matmul(t, m, r) or t.dot(m, r))
        np.add(r, number, r)
        np.multiply(part, wide, out=part)
        np.add(part, corner, part)
        (inverse(r, r) or np.negative(r, r))
        np.add(r, fixed, r)
""")
    assert code_address(loop)
    numbers = [np.float32(random.normal(size=shape)) for shape in (*shapes, (3, 3))]
    both(loop, plain, lambda: [each.copy() for each in numbers])
    gaps = np.zeros((5, 12), np.float32)[:, ::2]  # whose reshaped rows are copies
    gaps[...] = numbers[2]
    both(loop, plain, lambda: [*[each.copy() for each in numbers[:2]], gaps, *[each.copy() for each in numbers[3:]]])


def test_where_a_function_finds_no_result_python_looks_for_it() -> None:
    found: list[float] = []

    def note(m: np.ndarray, out: np.ndarray) -> bool:
        found.append(float(m[0, 0]))
        out[...] = m
        return True

    loop, plain, _ = functions(
        """def loop(a, out):
    for i in range(4):
        m = a[i]
        r = out[i]
        (inverse(m, r) or note(m, r))
""",
        note=note,
    )
    a = np.float32([np.eye(3), np.zeros((3, 3)), 2 * np.eye(3), np.full((3, 3), np.nan)])
    both(loop, plain, lambda: [a.copy(), np.zeros_like(a)])
    assert np.array_equal(found, [0, np.nan] * 2, equal_nan=True)


def test_iterations_are_counted() -> None:
    loop, plain, _ = functions("""def loop(n, x):
    for i in range(9, 3, -2):
        n[()] = i
        (add_number(x, n, x) or by_copies(add_number, 1, x, n, x))
""")
    assert code_address(loop)
    both(loop, plain, lambda: [np.array(0), np.array(0.5)])
    for n in (np.array(0.0), np.zeros(1, np.int64), np.array(0, np.int32), 3):
        with pytest.raises((TypeError, IndexError)):
            loop(n, np.array(0.5))


@pytest.mark.parametrize("start", [0.0, 49.0, 60.0])
def test_a_test_ends_the_loop(start: float) -> None:
    loop, plain, _ = functions("""def loop(x, one, more, total):
    i = 0
    while True:
        if (not more):
            break
        (add_number(x, one, x) or by_copies(add_number, 1, x, one, x))
        (is_less(x, more) or by_copies(is_less, 1, x, more))
        i += 1
    total[()] = i
""")
    assert code_address(loop)
    both(loop, plain, lambda: [np.array(start), np.array(3), np.array(start < 50), np.array(0)])
    with pytest.raises(TypeError):
        loop(np.array(start), np.array(3), np.array(1, np.int8), np.array(0))


@pytest.mark.parametrize("start", [0.0, 60.0])
def test_views_that_cannot_be_made_are_left_to_python(start: float) -> None:
    """A test may end the loop before any is made; otherwise it is Python that raises, where it does."""
    loop, plain, _ = functions("""def loop(x, one, more, total):
    i = 0
    while True:
        if (not more):
            break
        (is_less(x, more) or by_copies(is_less, 1, x, more))
        step = one.reshape(())
        (add_number(x, step, x) or by_copies(add_number, 1, x, step, x))
        i += 1
    total[()] = i
""")
    assert code_address(loop)
    for one in (np.array([3]), np.array([], np.int64)):
        outcomes = []
        for function in (loop, plain):
            x, more, total = np.array(start), np.array(start < 50), np.array(-1)
            try:
                function(x, one, more, total)
                raised = ""
            except ValueError as error:
                raised = str(error)
            outcomes.append((float(x), bool(more), int(total), raised))
        assert outcomes[0] == outcomes[1]
        assert bool(outcomes[0][3]) is (one.size == 0 and start < 50)


def test_a_call_is_repeated_while_a_test_holds() -> None:
    loop, plain, _ = functions("""def loop(x, more, n, total):
    for i in range(5):
        row = x[i, ...]
        flag = more[i, ...]
        n[()] = i
        while flag:
            (climb(row, row, flag) or by_copies(climb, 2, row, row, flag))
        (add_number(row, n, total) or by_copies(add_number, 1, row, n, total))
""")
    assert code_address(loop)
    starts = np.array([0.0, 49.5, 70.0, 48.0, 3.0])

    def make() -> list[np.ndarray]:
        return [starts.copy(), starts != 3.0, np.array(0), np.array(0.0)]

    both(loop, plain, make)
    wanted = make()
    loop(*wanted)
    np.testing.assert_array_equal(wanted[0], [50.0, 50.5, 71.0, 50.0, 3.0])
    assert not wanted[1].any()
    with pytest.raises(TypeError):
        loop(starts.copy(), np.ones(5), np.array(0), np.array(0.0))


def test_an_error_names_its_line() -> None:
    loop, plain, file = functions("""def loop(table, ids, y):
    for i in range(3):
        row = ids[i]
        (mix(table, table, table) or True)
        (pick(table, row, y) or by_copies(pick, 1, table, row, y))
""")
    ids = np.array([[0, 1, 2], [3, 4, 5], [0, 0, 0]])
    lines = []
    for function in (loop, plain):
        with pytest.raises(IndexError) as caught:
            function(np.zeros(5, np.float32), ids, np.zeros(3, np.float32))
        entries = [each for each in traceback.extract_tb(caught.tb) if each.filename == file]
        lines.append(entries[-1].line)
    assert lines[0] == lines[1]
    assert "by_copies(pick" in str(lines[0])
    loop, _, file = functions("""def loop(x):
    for i in range(3):
        np.add(x, "a", x)
        (mix(x, x, x) or by_copies(mix, 1, x, x, x))
""")
    with pytest.raises(TypeError) as caught:
        loop(np.zeros(6, np.float32))
    assert 'np.add(x, "a", x)' in str([each.line for each in traceback.extract_tb(caught.tb)])


FOREVER = """def loop(x, s, y):
    for i in range(1 << 40):
        (mix(s, x, s) or by_copies(mix, 1, s, x, s))
        (mix(x, s, y) or by_copies(mix, 1, x, s, y))
""".replace("1 << 40", str(1 << 40))


REPEATED = """def loop(x, s, y):
    for i in range(9):
        while always:
            (mix(s, x, s) or by_copies(mix, 1, s, x, s))
"""


@pytest.mark.parametrize("text", [FOREVER, REPEATED])
def test_a_long_loop_can_be_interrupted_and_lets_others_run(text: str) -> None:
    loop, _, _ = functions(text, always=np.array(True))
    assert code_address(loop)
    others: list[float] = []

    def interrupt() -> None:
        for _ in range(3):
            time.sleep(0.01)
            others.append(time.perf_counter())
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        loop(*[np.zeros(6, np.float32) for _ in range(3)])
    thread.join()
    assert len(others) == 3


def test_references_are_given_up() -> None:
    loop, _, _ = mixed("9")
    given = arrays(9)
    short = given[0][:4]
    gc.collect()  # garbage of other tests has references, too
    before = [sys.getrefcount(each) for each in (*given, short, True, False)]
    for _ in range(500):
        loop(*given)
        with pytest.raises(IndexError):
            loop(short, *given[1:])
    gc.collect()
    after = [sys.getrefcount(each) for each in (*given, short, True, False)]
    assert all(abs(one - other) < 400 for one, other in zip(before, after, strict=True))
    assert before[:4] == after[:4]


def test_loops_inside_loops() -> None:
    space: dict[str, Any] = {}
    inner, plain_inner, _ = mixed("4")
    body = """def loop(xs, s, ys):
    for j in range(5):
        x = xs[j]
        y = ys[j]
        inner(x, s, y)
"""
    loop, _, _ = functions(body, inner=inner, **space)
    _, plain, _ = functions(body, inner=plain_inner, **space)
    assert code_address(loop)
    random = np.random.default_rng(1)
    numbers = [np.float32(random.normal(size=shape)) for shape in ((5, 4, 6), (6,), (5, 4, 6))]
    both(loop, plain, lambda: [each.copy() for each in numbers])


@pytest.mark.parametrize(
    "line",
    ["x = s", "y = x[j]", "if s.any(): s += 1", "row = x[[i]]", "row = x[i + 1]", "row = x[i]\n        row = x[i]",
     "for k in range(3): mix(s, s, s)", "row = x[i].astype(np.float32)", "import os", "z = x[i]\n        k = z[i]"],
)  # fmt: skip
def test_other_statements_are_left_to_python(line: str) -> None:
    loop, _, _ = functions(f"""def loop(x, s, y):
    for i in range(3):
        {line}
        (mix(s, s, s) or by_copies(mix, 1, s, s, s))
""")
    assert code_address(loop) is None


def test_breakpoints_stay_possible(tmp_path: Any) -> None:
    file, space = str(tmp_path / "program.py"), {"compile_loop": compile_loop, "mix": compile_kernel(MIX)}
    text = "@compile_loop\ndef loop(s):\n    for i in range(3):\n        (mix(s, s, s) or 0)\n"
    register(file, text)
    exec(compile(text, file, "exec"), space)
    assert code_address(space["loop"]) is None


def test_a_frame_may_take_pages() -> None:
    calls = "        (mix(s, x, s) or by_copies(mix, 1, s, x, s))\n"
    for count, fits in ((250, True), (400, False)):
        body = f"def loop(x, s):\n    for i in range(3):\n{calls * count}"
        loop, plain, _ = functions(body)
        assert (code_address(loop) is not None) is fits
        both(loop, plain, lambda: [np.ones(6, np.float32), np.zeros(6, np.float32)])


SWAPPED = """def loop(x, s, t, n):
    for i in range({bounds}):
        row = x[i]
        n[()] = i
        (mix(s, row, t) or by_copies(mix, 1, s, row, t))
        (s, t) = (t, s)
"""


@pytest.mark.parametrize("bounds", ["1", "2", "9", "8, -1, -1", "200"])
@pytest.mark.parametrize("kind", ["plain", "gaps in rows", "big endian"])
def test_arrays_change_roles(bounds: str, kind: str) -> None:
    loop, plain, _ = functions(SWAPPED.format(bounds=bounds))
    assert code_address(loop)

    def make() -> list[Any]:
        x, s, _ = arrays(200)
        return [STRANGE.get(kind, np.copy)(x), s, np.zeros(6, np.float32), np.zeros((), np.int64)]

    both(loop, plain, make)
    both(loop, plain, lambda: [*make()[:2], make()[1], make()[3]])


@pytest.mark.parametrize(
    "last",
    [
        "(s, x) = (x, t)",
        "(s, t) = (s, t)",
        "(s, s) = (s, s)",
        "(s, row) = (row, s)",
        "(s, t) = (t, s)\n        mix(s, row, t)",
        "(s, t) = (t, s)\n        (t, n) = (n, t)",
        "(s, t, n) = (t, n, s)",
    ],
)
def test_other_exchanges_are_left_to_python(last: str) -> None:
    loop, _, _ = functions(SWAPPED.format(bounds="9").replace("(s, t) = (t, s)", last))
    assert code_address(loop) is None


def test_views_of_what_changes_roles_are_left_to_python() -> None:
    text = SWAPPED.replace("row = x[i]", "row = x[i]\n        part = s[0:6]").replace("mix(s", "mix(part")
    loop, plain, _ = functions(text.format(bounds="9"))
    assert code_address(loop) is None
    both(loop, plain, lambda: [*arrays(9)[:2], np.zeros(6, np.float32), np.zeros((), np.int64)])


COUNTED_IN_TURN = """def loop(n, m):
    for i in range(5):
        n[()] = i
        (n, m) = (m, n)
"""


@pytest.mark.parametrize("other", [np.zeros(2, np.int64), np.zeros((), np.int32), np.zeros(()), [0]])
def test_numbers_that_change_roles_are_all_looked_at(other: Any) -> None:
    loop, plain, _ = functions(COUNTED_IN_TURN)
    assert code_address(loop)
    both(loop, plain, lambda: [np.zeros((), np.int64), np.zeros((), np.int64)])
    raised = []
    for function in (loop, plain):
        given = [np.zeros((), np.int64), other.copy()]
        try:
            function(*given)
        except TypeError as error:
            raised.append(str(error))
        else:
            raised.append([np.asarray(each).tolist() for each in given])
    assert raised[0] == raised[1]


HALVED = """def loop(x, s):
    for i in range(200):
        row = x[i]
        mix(s, row, s)
        look(s)
"""
TINY = np.float32(1e-20)


def keeps_denormals() -> bool:
    return bool(TINY * TINY > 0)


def test_denormals_vanish_in_machine_code_alone() -> None:
    """Python sees them as always: in an iteration, behind the loop, and behind an error in it."""
    seen: list[bool] = []

    def look(s: np.ndarray) -> None:
        seen.append(keeps_denormals())
        if s[0] > 1e30:
            raise ValueError("large")

    rows = np.zeros((200, 6), np.float32)
    loop, plain, _ = functions(HALVED, look=look)
    assert code_address(loop)
    state = np.ones(6, np.float32)
    python = state.copy()
    loop(rows, state)
    plain(rows, python)
    np.testing.assert_array_equal(state, python)
    rows[-1] = 1e-40
    loop(rows, state)
    assert (state == 0).all()
    rows[-1] = 0
    assert keeps_denormals()
    with pytest.raises(ValueError, match="large"):
        loop(rows, np.full(6, 1e32, np.float32))
    assert keeps_denormals()
    with pytest.raises((TypeError, AttributeError)):
        loop(rows, None)
    assert keeps_denormals()
    assert all(seen)
    assert len(seen) > 500
