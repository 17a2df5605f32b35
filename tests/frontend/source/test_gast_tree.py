"""Trees of gast are those that gast itself makes."""

from __future__ import annotations

import ast
from pathlib import Path

import gast
import pytest

import mycel as ms
from mycel.frontend.source.gast_tree import KeptAssign, from_gast, to_gast

FILES = sorted(Path(ms.__file__).parent.glob("frontend/*/*.py"))
STATEMENTS = '''
async def f(a, /, b: int = 1, *c, d, e=2, **g) -> None:
    async with a as x, b: yield (await x)
    async for i, (j, *k) in [z async for z in c if z]: del i.j, k[1:2, ::3, ...]
class A(B, metaclass=C):
    """Text."""
    x: int = 1; (y): str
    @property
    def z(self): global q; return f"{self!r:>{q}} {1:.2f}" "s"
try: raise E from None
except (E, F) as e: pass
except G: nonlocal_ = lambda *a, **k: (yield)
else: assert 1 < x <= 2 != 3, "no"
finally:
    while not True: break
    else: x @= -1 if x else ~y
match p:
    case {"a": 1, **rest} | [_, *others] if rest: {**rest, "b": [*others]}
    case Point(x=0) as q: {1, *q}; (n := 10j); print(*q, **rest)
import a.b as c; from . import *
'''


# gast takes long to print trees: every eighth file by default, all of them among the slow tests.
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_trees_are_those_of_gast(step: int) -> None:
    texts = [STATEMENTS.replace("nonlocal_", "n"), *[path.read_text(encoding="utf-8") for path in FILES[::step]]]
    assert len(texts) > 130 // step
    for text in texts:
        tree = ast.parse(text)
        expected = gast.dump(gast.ast_to_gast(tree), include_attributes=True)
        assert gast.dump(to_gast(tree), include_attributes=True) == expected


@pytest.mark.parametrize("text", ["def f(x): return x + y", "f = lambda x: x[0]"])
def test_a_tree_is_new(text: str) -> None:
    tree = ast.parse(text)
    first, second = to_gast(tree), to_gast(tree)
    first.body[0].lineno = 77
    first.body.clear()
    assert len(second.body) == len(tree.body) == 1
    assert second.body[0].lineno == tree.body[0].lineno == 1


KEPT = ("y = x", "y = z = -x * (2 + x) @ x", "y = 'text'")
CONVERTED = (
    "y = f(x)", "y = not x", "y, z = x", "y.a = x", "y = x.a", "y = '%s' % x", "y = x[0]", "y = x if x else 1",
    "y += x", "y: int = x", "y = (z := x)", "y = f'{x}'", "y = x == 1", "y = [x]",
)  # fmt: skip


@pytest.mark.parametrize("text", [*KEPT, *CONVERTED])
def test_only_assignments_of_numbers_and_names_are_kept(text: str) -> None:
    tree = ast.parse(f"def f(x):\n    {text}")
    function = to_gast(tree, keeps=True).body[0]
    assert isinstance(function.body[0], KeptAssign) == (text in KEPT)
    assert ast.dump(from_gast(to_gast(tree, keeps=True)), include_attributes=True) == ast.dump(
        ast.fix_missing_locations(gast.gast_to_ast(gast.ast_to_gast(tree))), include_attributes=True
    )
    if text in KEPT:
        assert function.body[0].origin is tree.body[0].body[0]  # type: ignore[attr-defined]
