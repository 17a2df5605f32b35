"""Programs of objects, builtin functions, ways to compile, and mutable inputs."""

# ruff: noqa: E721 programs as people write them

import functools
import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
from tensors import T

import mycel as ms
import mycel.ops.composite as C
import mycel.ops.operations as P
from mycel import JitConfig, Parameter, Tensor, context, jit, jit_class, mutable, nn, ops


def program_create_cell_in_construct():
    @jit
    def f(x):
        return nn.ReLU()(x) + P.Add()(x, x)

    return f(T([-1.0, 2.0]))


def program_create_primitive_kwargs():
    @jit
    def f(x):
        return P.ReduceSum(keep_dims=True)(x, 1), ops.Concat(axis=1)((x, x))

    return f(T([[1.0, 2.0]]))


def program_create_tensor_inside():
    @jit
    def f(x):
        return x + Tensor([1, 2], ms.float32) + Tensor(np.ones(2), ms.float32)

    return f(T([1.0, 2.0]))


def program_inner_class():
    class Inner:
        def __init__(self, n):
            self.n = n

        def get(self, x):
            return x * self.n

    class N(nn.Cell):
        class K:
            v = 4

        def construct(self, x):
            return Inner(3).get(x) + self.K.v

    return N()(T(1.0))


def program_namedtuple_return():
    Point = namedtuple("Point", ["x", "y"])

    @jit
    def f(x):
        p = Point(x, x + 1)
        return p.x * p.y

    return f(T(3.0))


def program_dataclass_obj():
    @dataclass
    class Cfg:
        n: int = 3
        s: str = "a"

    cfg = Cfg()

    @jit
    def f(x):
        return x * cfg.n if cfg.s == "a" else x

    return f(T(3.0))


def program_operator_overload_class():
    @jit_class
    class V:
        def __init__(self, v):
            self.v = v

        def __add__(self, o):
            return self.v + o.v

        def __call__(self, x):
            return x * self.v

        def __len__(self):
            return 5

        def __getitem__(self, i):
            return self.v + i

    @jit
    def f(x):
        a, b = V(2), V(3)
        return a(x) + (a + b), len(a), a[4]

    return f(T(1.0))


def program_assert_pass():
    @jit
    def f(x):
        assert x.shape[0] == 1
        assert True
        return x

    return f(T([1.0]))


def program_raise_tensor_branch():
    @jit
    def f(x):
        if x > 10:
            raise RuntimeError("too large", x)
        return x + 1

    return f(T(1.0))


def program_int_of_str():
    @jit
    def f():
        return int("12"), float("1.5"), str(3), bool(0), int(3.7)

    return f()


def program_builtins_numbers():
    @jit
    def f():
        return abs(-3), max(1, 5, 2), min([3, 1]), sum([1, 2, 3]), round(2.567, 2), pow(2, 5), divmod(7, 3), len("abc")

    return f()


def program_builtins_tensor():
    @jit
    def f(x):
        return abs(x), max(x), min(x), sum(x), len(x), round(x)

    return f(T([1.0, -2.0, 3.4]))


def program_all_any():
    @jit
    def f(x):
        return all([1, 0]), any([0, 1]), all(()), any([])

    return f(T(1.0))


def program_sorted_reversed():
    @jit
    def f():
        return sorted([3, 1, 2]), list(reversed([1, 2, 3])), sorted((3, 1), reverse=True)

    return f()


def program_type_and_str():
    @jit
    def f(x):
        return int == int, type(x) == Tensor, type([]) is list

    return f(T(1.0))


def program_int_float_of_tensor():
    @jit
    def f(x):
        return int(x), float(x), bool(x)

    return f(T(2.0))


def program_list_tuple_of_tensor():
    @jit
    def f(x):
        return list(x), tuple(x)

    return f(T([1.0, 2.0]))


def program_functools_partial_reduce():
    @jit
    def f(x):
        g = functools.partial(lambda a, b: a - b, x)
        return g(3) + functools.reduce(lambda a, b: a + b, [1, 2, 3])

    return f(T(1.0))


def program_math_calls():
    @jit
    def f(x):
        return x * math.sqrt(4) + math.pi

    return f(T(1.0))


def program_map_two():
    @jit
    def f(x, y):
        return tuple(map(lambda a, b: a + b, (x, y), (1, 2)))

    return f(T(1.0), T(2.0))


def program_slice_builtin():
    @jit
    def f(x):
        return x[slice(0, 2)], (1, 2, 3)[slice(1, None)]

    return f(T([1.0, 2.0, 3.0]))


def program_id_hash_callable():
    @jit
    def f(x):
        return callable(nn.ReLU()), callable(3), ord("a"), chr(98), bin(5), hex(255)

    return f(T(1.0))


def program_super_init_property():
    class A(nn.Cell):
        @property
        def k(self):
            return 3

        def help(self, x):
            return x + 1

        def construct(self, x):
            return x * 2

    class B(A):
        def help(self, x):
            return super().help(x) * 10

        def construct(self, x):
            return super().construct(x) + self.help(x) + self.k

    return B()(T(1.0))


def program_jit_backend_ms():
    @jit(backend="ms_backend")
    def f(x):
        return x * 2

    return f(T(1.0))


def program_jit_capture_mode_bytecode_or_trace():
    @jit(capture_mode="ast", jit_level="O0", dynamic=0, fullgraph=False)
    def f(x):
        return x * 2

    return f(T(1.0))


def program_jit_jit_config_legacy():
    cfg = JitConfig(jit_level="O0", jit_syntax_level="LAX")

    class N(nn.Cell):
        def construct(self, x):
            return x * 2

    n = N()
    n.set_jit_config(cfg)
    return n(T(1.0))


def program_jit_of_cell_obj():
    n = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    return jit(n)(T([[1.0, 2.0]]))


def program_jit_on_construct():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(T([2.0]), name="p")

        @jit
        def construct(self, x):
            return x * self.p

    return N()(T(3.0))


def program_jit_method():
    class A:
        def __init__(self):
            self.k = 3

        @jit
        def f(self, x):
            return x * self.k

    return A().f(T(2.0))


def program_jit_function_call_style():
    def f(x, y=2):
        return x * y

    return jit(f)(T(2.0)), jit(f)(T(2.0), y=5), jit(f)(x=T(2.0))


def program_jit_numpy_arg():
    @jit
    def f(x):
        return x

    r = f(np.array([1, 2]))
    return type(r).__name__


def program_jit_recursion():
    @jit
    def fac(n):
        if n <= 1:
            return n
        return n * fac(n - 1)

    return fac(T(4.0))


def program_get_context_mode():
    return context.get_context("mode"), context.get_context("device_target")


def program_fullgraph_ok():
    @jit(fullgraph=True)
    def f(x, y):
        return x + y, [x, y], (x,)

    return f(T(1.0), T(2.0))


def program_mutable_tuple_input():
    @jit
    def f(t):
        return t[0] + t[1]

    return f(mutable((1, 2))), f(mutable((T(1.0), T(2.0))))


def program_mutable_dyn_len_sum():
    @jit
    def f(t):
        s = 0
        for i in range(len(t)):
            s = s + t[i]
        return s

    return f(mutable([1, 2, 3], True))


def program_mutable_dyn_len_len():
    @jit
    def f(t):
        return len(t)

    return f(mutable((1, 2, 3), True)), f(mutable((1, 2), True))


def program_mutable_dyn_len_index():
    @jit
    def f(t):
        return t[0], t[-1], 2 in t, t + t

    return f(mutable((1, 2, 3), True))


def program_mutable_types():
    return (
        isinstance(mutable(3), int),
        mutable((1, 2)) == (1, 2),
        mutable([1]) == [1],
        mutable({"a": 1}) == {"a": 1},
        mutable(1.5) + 1,
    )


def program_mutable_dict_grad():
    @jit
    def f(d):
        return d["a"] * d["b"]

    return ms.grad(f)(mutable({"a": T(2.0), "b": T(3.0)}))


def program_mutable_tuple_grad():
    def f(t):
        return t[0] * t[1]

    return ms.grad(f)(mutable((T(2.0), T(3.0))))


def program_mutable_list_grad_get_all():
    class N(nn.Cell):
        def construct(self, t, y):
            return t[0] * t[1] * y

    return C.GradOperation(get_all=True)(N())(mutable([T(2.0), T(3.0)]), T(4.0))


def program_mutable_in_graph():
    @jit
    def f(x):
        a = mutable(2)
        return x * a

    return f(T(2.0))


def program_mutable_scalar_ops():
    @jit
    def f(a, b):
        return a + b, a - b, a * b, a / b, a // b, a % b, a**b, a > b, a == b, -a

    return f(mutable(7), mutable(2))


def program_mutable_float_cond():
    @jit
    def f(a, x):
        if a > 1.5:
            return x * 2
        return x

    return f(mutable(2.0), T(1.0)), f(mutable(1.0), T(1.0))
