"""Writes random programs: Cells with Parameters, state, tensors, containers, helpers, closures and control flow."""

# ruff: noqa: E501 lines of program text read best whole

from __future__ import annotations

import itertools
from random import Random

SCALARS = ("s", "t")
VECTORS = ("v", "u")  # of 4
MATRICES = ("m",)  # 4 by 4
NUMBERS = ("n", "k")
RETURNED = "s, t, v, u, m, n, k, items, pair, table, flag"

HEAD = """
Pair = namedtuple("Pair", "first second")

def clipped(x, limit):
    if x.sum() > limit:
        return x * 0.5
    for _ in range(2):
        x = x - 0.25
        if x.max() < -1:
            return x * x
    return x + 0.125

def folded(values, start):
    total = start
    for position, value in enumerate(values):
        if value.sum() < -2:
            break
        total = total + value * (position + 1) * 0.25
    else:
        total = total * 0.5
    return total

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([0.5, -1.0, 0.25, 1.5], DTYPE), name="w")
        self.b = Parameter(Tensor(0.75, DTYPE), name="b")
        self.state = Tensor([1.0, 2.0, -1.0, 0.5], DTYPE)
        self.count = 1
        self.scale = 0.5
        self.cache = [Tensor([0.5, 0.5, -0.5, 1.0], DTYPE)]

    def mixed(self, x, y):
        if (x * y).sum() > self.b:
            self.count = self.count + 1
            return x * self.scale
        while y.max() > 1.5:
            y = y * 0.5
        return y + self.w * 0.25

    def moved(self, x):
        self.state = ops.tanh(self.state + x)
        return self.state * 2
"""


class Writer:
    """Writes one random program. Each name is given a separate tensor, so that no two names share one."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.counters = itertools.count()
        self.states = self.chance(0.7)  # whether Parameters and attributes change

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    # Expressions

    def index(self) -> str:
        """A position in 4."""
        return self.pick("0", "1", "-1", "2", "n % 4", "k % 4")

    def scalar(self, depth: int = 2) -> str:
        """A 0-d tensor."""
        if not depth or self.chance(0.3):
            v = self.vector(0)
            return self.pick(
                "s", "t", "self.b", f"{v}[{self.index()}]", f"m[{self.index()}, {self.index()}]", "table['s']"
            )
        x, y, v, m = self.scalar(depth - 1), self.scalar(depth - 1), self.vector(depth - 1), self.matrix(depth - 1)
        return self.pick(
            f"({x} + {y})", f"({x} - {y} * 0.5)", f"ops.tanh({x} * {y})", f"{v}.sum()", f"{v}.mean()", f"{v}.max()",
            f"({v} * {self.vector(0)}).sum()", f"{m}.mean()", f"{m}.min()", f"({x} * 0.5 + {self.number()})",
            f"({x} if {self.test(0)} else {y})", f"clipped({x}, {y})", f"ops.maximum({x}, {y})", f"{v}[{self.index()}]",
            f"({x} / (1.5 + abs({y})))", f"(lambda z: z * {x})({y})",
        )  # fmt: skip

    def vector(self, depth: int = 2) -> str:
        """A tensor of 4."""
        if not depth or self.chance(0.3):
            names = ["v", "u", "items[0]", "items[-1]", "pair.first", "pair[1]", "table['v']", "self.w", "self.state"]
            return self.pick(*names, f"m[{self.index()}]", f"m[:, {self.index()}]", "self.cache[0]")
        x, y, s, m = self.vector(depth - 1), self.vector(depth - 1), self.scalar(depth - 1), self.matrix(depth - 1)
        return self.pick(
            f"({x} + {y})", f"({x} - {y})", f"ops.tanh({x} * {y})", f"({x} * {s} * 0.25)", f"{m}.sum({self.pick('0', '1')})",
            f"ops.tanh({m} @ {x})", f"ops.where({x} > {y}, {x}, {y})", f"{m}[{self.index()}]", f"ops.maximum({x}, {s})",
            f"({x} if {self.test(0)} else {y})", f"clipped({x}, {s})", f"self.mixed({x}, {y})", f"folded(items, {x})",
            f"ops.concat([{x}[:2], {y}[2:]])", f"ops.stack([{s}, s, t, {s}])", f"sum([item * 0.5 for item in items], {x})",
            f"({x} * {self.number()} * 0.25)", f"ops.relu({x})", f"ops.sigmoid({x})", f"{x}.reshape((2, 2)).T.reshape((4,))",
            *([f"self.moved({x})"] if self.states else []),
        )  # fmt: skip

    def matrix(self, depth: int = 2) -> str:
        """A tensor of 4 by 4."""
        if not depth or self.chance(0.4):
            return self.pick("m", "m", "m.T", "table['m']")
        x, y, v = self.matrix(depth - 1), self.matrix(depth - 1), self.vector(depth - 1)
        return self.pick(
            f"({x} * 0.5 + {y})", f"({x} - {v})", f"ops.tanh({x} @ {y})", f"({v}.reshape((4, 1)) * u)", f"ops.sin({x})",
            f"ops.stack([{v}, v, u, {self.vector(0)}])", f"ops.where({x} > 0, {x}, {y} * 0.1)",
        )  # fmt: skip

    def number(self) -> str:
        """A Python int."""
        return self.pick("n", "k", "n + 1", "2", "len(items)", "self.count", "(n - k)", f"(n if {self.test(0)} else k)")

    def test(self, depth: int = 1) -> str:
        """A condition."""
        s, v = self.scalar(0), self.vector(0)
        simple = self.pick(
            f"{s} > {self.pick('0', '0.5', 't', 'k')}", f"{s} < {self.scalar(0)}", f"{v}.sum() > 1", f"({v} > 0).any()",
            f"({v} < 2).all()", f"-1 < {s} <= 1", "flag",
        )  # fmt: skip
        if not depth:
            return simple
        return self.pick(
            simple, simple, f"not {simple}", f"({simple} and {self.test(0)})", f"({simple} or {self.test(0)})", "n < 3",
            "k % 2 == 0", "len(items) > 2",
        )  # fmt: skip

    # Statements

    def block(self, depth: int, loops: int, size: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, size)):
            lines.extend(self.statement(depth, loops))
        return ["    " + line for line in lines]

    def statement(self, depth: int, loops: int) -> list[str]:
        if depth and self.chance(0.4):
            return self.compound(depth, loops)
        kind = self.random.randint(0, 14)
        s, v, m = self.pick(*SCALARS), self.pick(*VECTORS), "m"
        if kind <= 1:
            return [
                self.pick(
                    f"{s} = {self.scalar()} * 1.0", f"{v} = {self.vector()} * 1.0", f"{m} = {self.matrix()} * 1.0"
                )
            ]
        if kind <= 3:
            operator = self.pick("+", "-")
            return [
                self.pick(
                    f"{s} {operator}= {self.scalar()}",
                    f"{v} {operator}= {self.vector()}",
                    f"{v} *= 0.5",
                    f"{m} {operator}= {self.vector()}",
                )
            ]
        if kind <= 5:
            i, j = self.index(), self.index()
            return [
                self.pick(
                    f"{v}[{i}] = {self.scalar()}", f"m[{i}] = {self.vector()}", f"m[{i}, {j}] = {self.scalar()}",
                    f"{v}[1:3] = {self.vector()}[:2]", f"m[:, {j}] = {self.vector()}", f"{v}[{i}] += {self.scalar()}",
                    f"m[{i}, :2] = {self.scalar()}", f"{v}[::2] = {self.scalar()}", f"{v}[{v} > 1] = 0.5",
                )
            ]  # fmt: skip
        if kind == 6:
            return [f"{self.pick('n', 'k')} {self.pick('=', '+=')} {self.number()}", "n, k = n % 7, k % 5"]
        if kind == 7:
            return [
                self.pick(
                    f"items[{self.pick('0', '-1')}] = {self.vector()} * 1.0", f"table['v'] = {self.vector()} * 1.0",
                    f"table['s'] = {self.scalar()} * 1.0", f"pair = Pair({self.vector()} * 1.0, {self.vector()} * 1.0)",
                    f"items = [item * 0.5 + {self.scalar()} for item in items]", f"pair = pair._replace(first={self.vector()} * 1.0)",
                    "items = items[::-1]", f"first, *others = [{self.vector()} * 1.0, v * 1.0]",
                    "table = {name: value * 0.5 for name, value in table.items()}", f"s, t = t * 1.0, {self.scalar()} * 1.0",
                )
            ]  # fmt: skip
        if kind == 8:
            return [f"items.append({self.vector()} * 1.0)"] if not loops and depth == 3 else ["s = s * 0.5"]
        if kind in (9, 10) and self.states:
            return [
                self.pick(
                    f"self.w = {self.vector()} * 0.5", "self.w += v * 0.25", f"ops.assign(self.w, {self.vector()} * 1.0)",
                    f"self.b = {self.scalar()} * 1.0", f"ops.assign_add(self.b, {self.scalar()})", f"self.b.set_data({self.scalar()} * 1.0)",
                    f"self.state = {self.vector()} * 1.0", f"self.count = {self.number()} % 5", "self.count += 1",
                )
            ]  # fmt: skip
        if kind == 11:
            return [
                self.pick(
                    f"flag = {self.scalar()} > {self.scalar(0)}", f"flag = ({self.vector(0)} < {self.scalar(0)}).any()"
                )
            ]
        if kind in (12, 13):
            jump = (
                self.pick("break", "continue")
                if loops and self.chance(0.7)
                else f"return {RETURNED.replace('s', self.scalar() + ' * 1.0', 1)}"
            )
            return [f"if {self.test()}:", f"    {jump}"]
        name = f"inner{next(self.counters)}"
        return [
            f"def {name}(x, y=2):", "    nonlocal t", "    if x > t:", f"        return x * {self.scalar(1)}",
            "    t = t + x * 0.5", "    return x * y", f"s = {name}({self.scalar(1)})",
        ]  # fmt: skip

    def compound(self, depth: int, loops: int) -> list[str]:
        kind = self.random.randint(0, 10)
        if kind <= 4:
            lines = [f"if {self.test()}:", *self.block(depth - 1, loops)]
            if self.chance(0.3):
                lines += [f"elif {self.test()}:", *self.block(depth - 1, loops)]
            if self.chance():
                lines += ["else:", *self.block(depth - 1, loops)]
            return lines
        orelse = ["else:", *self.block(depth - 1, loops, 2)] if self.chance(0.25) else []
        i = f"i{next(self.counters)}"
        if kind <= 6:
            start, step = (f"{i} = 0", f"{i} += 1") if self.chance() else (f"{i} = s * 0", f"{i} = {i} + 1")
            test = f"{i} < {self.pick('2', '3')}" + self.pick("", f" and {self.test()}")
            return [start, f"while {test}:", f"    {step}", *self.block(depth - 1, loops + 1), *orelse]
        if kind == 7:
            bound = self.pick("2", "3", "n % 3", "int(abs(s) % 3)", "1, 3", "3, 0, -1", "LONG")
            if bound == "LONG" and not loops:  # one node of the graph where that can be
                body = [
                    *self.block(1, 1, 2),
                    f"    s, v = ops.tanh(s + {i} * 0.125), ops.tanh(v)",
                    "    t, u, m = ops.tanh(t), ops.tanh(u), ops.tanh(m)",
                ]
                return [f"for {i} in range({self.pick('45', '3, 93, 2')}):", *body, *orelse]
            return [
                f"for {i} in range({bound.replace('LONG', '2')}):",
                f"    s = s + {i} * 0.125",
                *self.block(depth - 1, loops + 1),
                *orelse,
            ]
        if kind == 8:
            head, use = self.random.choice([
                (f"for {i} in list(items):", f"v = v + {i} * 0.25"), (f"for {i} in m * 1.0:", f"u = u * 0.5 + {i}"),
                (f"for {i}, item in enumerate(pair):", f"v = item * 0.5 + {i}"), (f"for {i} in v * 1.0:", f"s = s * 0.5 + {i}"),
                (f"for {i}, item in zip(pair, list(items)):", f"u = u + {i} * item * 0.25"),
                (f"for {i} in sorted(table):", f"table[{i}] = table[{i}] * 0.5"),
            ])  # fmt: skip
            return [head, f"    {use}", *self.block(depth - 1, loops + 1), *orelse]
        if kind == 9:
            return ["try:", *self.block(depth - 1, loops, 2), "finally:", f"    t = t * 0.5 + {self.scalar(0)}"]
        handled = ["try:", *self.block(depth - 1, loops, 2)]
        handled += [f"    if {self.test(0)}:", "        raise ValueError('v')"] if self.chance(0.15) else []
        handled += ["    n = n + [1, 2][k % 3]"] if self.chance() else []
        return [*handled, "except (IndexError, ValueError):", *self.block(depth - 1, loops, 2)]

    def program(self) -> str:
        """The text of a Cell and its construct of a scalar, a vector and a matrix."""
        setup = [
            "def construct(self, s, v, m):", "    s, v, m = s * 1.0, v * 1.0, m * 1.0", "    t = s * 0.5 + 1", "    u = v * 0.5 - s", "    n, k = 1, 2",
            "    items = [v * 0.25, u * 1.0]", "    pair = Pair(v + 1, u * 0.5)", "    table = {'s': s * 2, 'v': v - 1, 'm': m * 0.5}",
            "    flag = s > 0.25", *self.block(3, 0, 6), f"    return {RETURNED}",
        ]  # fmt: skip
        return HEAD + "\n" + "\n".join("    " + line for line in setup) + "\n"


SHARED = ("v", "u", "p", "q")  # tensors of 4, of which several may be one
SHARING_HEAD = (
    HEAD.split("class Net")[0]
    + """
def bumped(x, y):
    x += y * 0.25
    return x

def chosen(x, y):
    if x.sum() > y.sum():
        x *= 0.5
        return x
    y[1] = 0.25
    return y

def searched(x, y):
    for i in range(int(abs(y.sum()) % 3)):
        if x[i] > 0.5:
            return x
        y = y * 0.5
        x[i] += 0.75
    return y

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([0.5, -1.0, 0.25, 1.5], DTYPE), name="w")
        self.b = Parameter(Tensor(0.75, DTYPE), name="b")
        self.state = Tensor([1.0, 2.0, -1.0, 0.5], DTYPE)
        self.count = 1
        self.cache = [Tensor([0.5, 0.5, -0.5, 1.0], DTYPE), self.state]
"""
)


class SharingWriter:
    """Writes one random program in which several names stand for one tensor that is updated in place."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.counters = itertools.count()

    pick, chance = Writer.pick, Writer.chance

    def name(self) -> str:
        """A place that holds a tensor of 4, which other places may hold too."""
        return self.pick(*SHARED, *SHARED, "items[0]", "items[-1]", "table['a']", "self.state", "self.cache[0]")

    def vector(self) -> str:
        x, y = self.name(), self.name()
        return self.pick(
            x, f"({x} + {y} * 0.5)", f"({x} - {y})", f"ops.tanh({x})", f"({x} * {self.scalar()})", "self.w",
            f"m[{self.index()}]", "h",
        )  # fmt: skip

    def scalar(self) -> str:
        return self.pick("s", "t", f"{self.name()}[{self.index()}]", f"{self.name()}.sum()", "0.5", "(s - t)")

    def index(self) -> str:
        return self.pick("0", "1", "-1", "n % 4", "int(abs(s) % 4)")

    def test(self) -> str:
        return self.pick(
            f"{self.name()}.sum() > {self.pick('0', '0.5', 's')}", "s > t", f"{self.name()}[1] < s", "s < 0.5", "n < 2",
            "t > 0 and s < 1",
        )  # fmt: skip

    def alias(self) -> str:
        """A statement that gives a tensor another name."""
        x, y, a = self.name(), self.name(), self.pick(*SHARED)
        held = "self.state" if x == "self.cache[0]" else x  # lists from outside are copies of the function's own
        return self.pick(
            f"{a} = {x}", f"{a} = {x} if {self.test()} else {y}", f"{held} = {y}", "p, q = q, p", f"{a} = bumped({x}, {y})",
            f"{a} = chosen({x}, {y})", f"{a} = items[{self.pick('0', '1', 'int(abs(t) % 2)')}]", f"items = [{x}, {y}]",
            "s = max(s, t)", "t = min(t, s)", "s = t", f"{a} = searched({x}, {y})", f"h = {self.pick('self.w', x)}",
            f"row = m[{self.index()}]", "row = m[1:][0]", "k = m", "s = s.sum() and t", "t = s or t",
            f"pair = Pair({x}, {y})", f"{a} = pair.first", f"{a} = pair[1]",
            f"opt = {x} if {self.test()} else None", "pair = pair if s > t else Pair(u, v)",
            "items = items if t > s else [p, q]", "table = dict(table)", f"table = {{'a': {x}, 'b': {y}}}",
        )  # fmt: skip

    def update(self) -> str:
        """A statement that updates a tensor in place."""
        x, op = self.pick(self.name(), self.name(), "h"), self.pick("+=", "-=", "+=")
        return self.pick(
            f"{x} {op} {self.vector()}", f"{x} *= 0.5", f"{x}[{self.index()}] = {self.scalar()}", "s += 0.25", "t *= 0.5",
            f"{x}[{self.index()}] *= 0.75", f"{x}[1:3] = {self.scalar()}", f"m[{self.index()}] = {self.vector()}",
            f"row[{self.index()}] = {self.scalar()}", f"m[{self.index()}][{self.index()}] = {self.scalar()}",
            "row += 0.5", f"k[{self.index()}, 1] = {self.scalar()}", f"m[{self.index()}] += {self.name()}",
            f"bumped({x}, {self.vector()})", f"chosen({x}, {self.name()})", "t += s",
            "if opt is not None:\n    opt += 0.5", f"pair.first[2] {op} {self.scalar()}",
        )  # fmt: skip

    def bind(self) -> str:
        """A statement that gives a name a tensor of its own."""
        x = self.name().replace("self.cache[0]", "self.state")
        return self.pick(
            f"{x} = {x} * 0.5", f"{x} = ops.tanh({x} + {self.vector()})", "s = s * 0.5", f"t = {x}.sum() * 0.5",
            "m = ops.tanh(m)", "n = n + 1", "row = row * 0.5",
        )  # fmt: skip

    def block(self, depth: int, loops: int, size: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, size)):
            lines.extend(self.statement(depth, loops))
        return ["    " + line for line in lines]

    def statement(self, depth: int, loops: int) -> list[str]:
        if depth and self.chance(0.3):
            return self.compound(depth - 1, loops)
        if self.chance(0.06):
            jump = self.pick("break", "continue") if loops and self.chance(0.7) else f"return {self.returned()}"
            return [f"if {self.test()}:", f"    {jump}"]
        return self.random.choice((self.alias, self.update, self.update, self.bind))().split("\n")

    def compound(self, depth: int, loops: int) -> list[str]:
        kind, i = self.random.randint(0, 13), f"i{next(self.counters)}"
        if kind <= 3:
            orelse = ["else:", *self.block(depth, loops)] if self.chance() else []
            return [f"if {self.test()}:", *self.block(depth, loops), *orelse]
        inside = self.block(depth, loops + 1)
        if kind <= 5:
            return [f"{i} = s * 0", f"while {i} < {self.pick('2', '3', '0', '1')}:", f"    {i} = {i} + 1", *inside]
        if kind == 6:
            bound = self.pick("2", "3", "int(abs(s) % 3)", "int(abs(t) % 2)")
            return [f"for {i} in range({bound}):", *inside]
        if kind == 7 and not loops:
            return [f"for {i} in range(43):", *self.block(0, 1), "    s, t = ops.tanh(s), ops.tanh(t)",
                    "    v, u = ops.tanh(v), ops.tanh(u)", "    p *= 0.5", "    q *= 0.5", "    m *= 0.5"]  # fmt: skip
        if kind == 8:
            source, use = self.random.choice(
                (("m", "u += r"), ("v", "s = s * 0.5 + r"), ("items", "r *= 0.5"), ("m", "r[1] = s"))
            )
            if source == "items":
                source = "list(items)"
            return [
                f"for {i} in {source}:",
                f"    {use}".replace("r", i, 1) if use[0] == "r" else f"    {use[:-1]}{i}",
                *inside,
            ]
        if kind == 9:
            return ["try:", *self.block(depth, loops), "finally:", f"    {self.pick('u += 0.25', 'v[0] = s', 'p = q')}"]
        if kind == 10:
            return ["match n % 2:", "    case 0:", *("    " + line for line in self.block(depth, loops)),
                    "    case _:", *("    " + line for line in self.block(depth, loops))]  # fmt: skip
        return self.inner(f"inner{i}", self.block(depth, 0))

    def inner(self, f: str, body: list[str]) -> list[str]:
        """A function that rebinds the variables around it, and a call of it: in any case, or where only the run knows."""
        early = [f"    if {self.test()}:", f"        return {self.pick('x', 'v', 'q')}"] if self.chance(0.3) else []
        x, y, a = self.name(), self.name(), self.pick("q", "v", "u")
        call = self.pick(
            f"{a} = {f}({x})", f"{a} = {f}({x})", f"{a} = {f}({x}) if {self.test()} else {y}",
            f"{a} = {f}({x}) if {self.test()} else {f}({y})", f"t = s if {self.test()} and {f}({x}).sum() > 0 else t * 0.5",
            f"t = t * 0.5 if {self.test()} or {f}({x})[1] < s else s", f"n = n + (1 if 0 < {f}({x}).sum() < {f}({y}).sum() else 0)",
            f"{a} = {f}({f}({x})) if {self.test()} else {y}", f"{a} = (u := {f}({x})) if {self.test()} else {y}",
        )  # fmt: skip
        return [f"def {f}(x):", "    nonlocal s, t, v, u, p, q, m, n, h, row, k, opt, items, pair, table", *early, *body,
                "    x += 0.125", f"    return {self.pick('x', 'u', 'p')}", call]  # fmt: skip

    def returned(self) -> str:
        return "s, t, v, u, p, q, m, n, h, row, k, items, pair, table, opt is None"

    def program(self) -> str:
        """The text of a Cell and its construct of a scalar, a vector and a matrix."""
        body = [line.replace("return s,", "return s * 1.0,") for line in self.block(3, 0, 9)]
        setup = [
            "def construct(self, s, v, m):", f"    t, n, k = {self.pick('s', 's * 0.5')}, 1, m", "    u, p, q = v * 0.5, v, self.state",
            "    h, row, opt = self.w, m[0], None", "    items, table, pair = [u, v], {'a': p, 'b': q}, Pair(v, q)", *body,
            f"    return {self.returned()}",
        ]  # fmt: skip
        return SHARING_HEAD + "\n" + "\n".join("    " + line for line in setup) + "\n"
