"""Programs of one feature of graph mode each, whose results MindSpore 2.10 gave (recorded/syntax.json)."""

# ruff: noqa: E721, E741, E742, UP031 programs as people write them

import functools
import math
from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import numpy as np

import mycel as ms
import mycel.ops.composite as C
import mycel.ops.functional as F
import mycel.ops.operations as P
from mycel import (
    JitConfig,
    Parameter,
    ParameterTuple,
    Tensor,
    context,
    dtype as mstype,
    jit,
    jit_class,
    mutable,
    nn,
    ops,
)
from mycel.common.initializer import initializer
from mycel.ops import constexpr
from mycel.ops.primitive import _primexpr


def T(values, dtype=ms.float32):
    return Tensor(np.array(values), dtype)


def program_for_range_add():
    @jit
    def f(x):
        for i in range(1, 10, 3):
            x = x + i
        return x

    return f(T([1.0, 2.0]))


def program_for_tensor_rows():
    @jit
    def f(x):
        out = []
        for row in x:
            out.append(row * 2)
        return out

    return f(T([[1, 2], [3, 4]]))


def program_for_dict_items():
    @jit
    def f(x):
        d = {"a": x, "b": x + 1}
        s = 0
        for k, v in d.items():
            if k == "b":
                s = s + v
        return s

    return f(T([1.0]))


def program_for_enumerate_start():
    @jit
    def f(x):
        r = 0
        for i, v in enumerate((x, x + 1, x + 2), start=10):
            r = r + v * i
        return r

    return f(T(2.0))


def program_enumerate_tensor():
    @jit
    def f(x):
        out = ()
        for i, v in enumerate(x):
            out = (*out, v + i)
        return out

    return f(T([[1, 2], [3, 4]]))


def program_enumerate_start_kw_str():
    @jit
    def f():
        return list(enumerate("abc"))

    return f()


def program_zip_three():
    @jit
    def f(x, y):
        r = 0
        for a, b, c in zip((1, 2), [x, y], (y, x), strict=False):
            r += a * b + c
        return r

    return f(T(1.0), T(3.0))


def program_while_tensor():
    @jit
    def f(x, n):
        i = Tensor(0)
        while i < n:
            x = x * 2
            i = i + 1
        return x, i

    return f(T([1.0]), Tensor(4))


def program_while_const_and_break():
    @jit
    def f(x):
        i = 0
        while True:
            i += 1
            if i == 3:
                continue
            x = x + i
            if i > 5:
                break
        return x

    return f(T([1.0]))


def program_while_in_while():
    @jit
    def f(x, y):
        while x < 3:
            y0 = y
            while y0 < 5:
                y0 = y0 + 1
                x = x + 0.25
            x = x + y0 * 0 + 1
        return x

    return f(T(0.0), T(2.0))


def program_for_else_like():
    @jit
    def f(x):
        found = False
        for i in [1, 3, 5]:
            if i == 3:
                found = True
                break
        return x if found else -x

    return f(T(2.0))


def program_nested_for_break():
    @jit
    def f(x):
        n = 0
        for i in range(3):
            for j in range(3):
                if j > i:
                    break
                n += 1
        return x + n

    return f(T(1.0))


def program_for_return_inside():
    @jit
    def f(x):
        for i in range(5):
            x = x + i
            if x > 3:
                return x * 10
        return x

    return f(T(1.0)), f(T(-30.0))


def program_for_cell_list():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.l = nn.CellList([nn.ReLU(), nn.Sigmoid(), nn.Tanh()])

        def construct(self, x):
            for i, c in enumerate(self.l):
                x = c(x) + i
            return x

    return N()(T([1.0, -1.0]))


def program_for_range_mutable():
    @jit
    def f(n, x):
        for i in range(n):
            x = x + i
        return x

    return f(mutable(4), T(1.0))


def program_listcomp_tuple_target():
    @jit
    def f(x):
        return [x * a + b for a, b in ((1, 2), (3, 4))]

    return f(T(2.0))


def program_listcomp_zip():
    @jit
    def f(x, y):
        return [a + b for a, b in zip(x, y, strict=False)]

    return f(T([1, 2]), T([3, 4]))


def program_listcomp_nested():
    @jit
    def f():
        return [[i * j for j in range(3)] for i in range(2)]

    return f()


def program_genexp_sum():
    @jit
    def f(x):
        return sum(x * i for i in range(4))

    return f(T(2.0))


def program_listcomp_cond_expr():
    @jit
    def f(x):
        return [i if i > 1 else -i for i in range(4)]

    return f(T(1.0))


def program_listcomp_attr_dtype():
    @jit
    def f(x, y):
        return [i.dtype == ms.float32 for i in (x, y)]

    return f(T(1.0), T(1, ms.int32))


def program_dict_get():
    @jit
    def f(x):
        d = {"x": x, "n": 3}
        return d.get("x"), d.get("z", 7), d.get("zz")

    return f(T(1.0))


def program_dict_keys_values():
    @jit
    def f(x):
        d = {"x": x, 1: 3}
        return tuple(d.keys()), tuple(d.values())

    return f(T(1.0))


def program_dict_update():
    @jit
    def f(x):
        d = {"x": x}
        d.update({"y": x + 1, "x": x - 1})
        return d

    return f(T(1.0))


def program_dict_setitem_in_loop():
    @jit
    def f(x):
        d = {}
        for i in range(3):
            d[str(i)] = x * i
        return d

    return f(T(1.0))


def program_dict_in_len():
    @jit
    def f(x):
        d = {"a": 1, "b": x}
        return "a" in d, "z" not in d, len(d)

    return f(T(1.0))


def program_dict_setdefault_items():
    @jit
    def f(x):
        d = {"a": 1, "b": 2}
        return d.items()

    return f(T(1.0))


def program_dict_arg_mutable():
    @jit
    def f(d):
        d["b"] = d["a"] * 2
        return d["b"]

    return f({"a": T(3.0)})


def program_dict_returned_with_tensor():
    @jit
    def f(d, x):
        return {"u": d["u"] + x, "v": {"w": x}}

    return f({"u": T(1.0)}, T(2.0))


def program_ordered_dict_input():
    @jit
    def f(d):
        return d["a"] + d["b"]

    return f(OrderedDict(a=T(1.0), b=T(2.0)))


def program_star_target():
    @jit
    def f(x):
        a, *b, c = (x, x + 1, x + 2, x + 3)
        return a, b, c

    return f(T(1.0))


def program_star_call():
    def g(a, b, c=1, *args, **kw):
        return a + b * 10 + c * 100 + sum(args) * 1000 + kw.get("z", 0)

    @jit
    def f(x):
        t = (x, 2)
        k = {"z": 5}
        return g(*t, *(3, 4, 5), **k)

    return f(T(1.0))


def program_star_in_list():
    @jit
    def f(x):
        a = [1, 2]
        return [*a, x, *(3, 4)], (*a, 5)

    return f(T(1.0))


def program_nested_unpack():
    @jit
    def f(x):
        (a, b), c = (x, x * 2), x * 3
        [d, e] = c, a
        return a + b + d + e

    return f(T(1.0))


def program_lambda_default():
    @jit
    def f(x):
        def g(a, b=3):
            return a * b

        return g(x) + g(x, b=2)

    return f(T(2.0))


def program_lambda_ifexp():
    @jit
    def f(x):
        return (lambda a: a if a > 0 else -a)(x)

    return f(T(-2.0))


def program_lambda_in_map_filter():
    @jit
    def f():
        return [a + 1 for a in [1, 2, 3]], list(filter(lambda a: a > 1, [1, 2, 3]))

    return f()


def program_unpack_tensor():
    @jit
    def f(x):
        a, b = x
        return a - b

    return f(T([[1, 2], [5, 7]]))


def program_isinstance_many():
    @jit
    def f(x):
        return (
            isinstance(x, Tensor),
            isinstance(1, int),
            isinstance((1,), (list, tuple)),
            isinstance("a", str),
            isinstance(True, int),
            isinstance(None, type(None)),
            isinstance({}, dict),
            isinstance(1.0, (int, float)),
        )

    return f(T(1.0))


def program_isinstance_cell():
    class A(nn.Cell):
        def construct(self, x):
            return x

    class B(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = A()
            self.p = Parameter(T([1.0]), name="p")

        def construct(self, x):
            return (
                isinstance(self.a, nn.Cell),
                isinstance(self.a, A),
                isinstance(self.p, Parameter),
                isinstance(self.p, Tensor),
            )

    return B()(T(1.0))


def program_hasattr_cell():
    class B(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = 3

        def construct(self, x):
            if hasattr(self, "a") and not hasattr(self, "zzz"):
                return x + self.a + getattr(self, "q", 10)
            return x

    return B()(T(1.0))


def program_getattr_tensor():
    @jit
    def f(x):
        return x.shape, x.dtype == ms.float32, getattr(x, "nothing", None)

    return f(T([1.0]))


def program_getattr_jit_class():
    @jit_class
    class A:
        def __init__(self):
            self.x = 3

        def m(self, y):
            return self.x * y

    a = A()

    @jit
    def f(y):
        return a.x + a.m(y) + A().m(y)

    return f(T(2.0))


def program_is_none_default():
    @jit
    def f(x, m=None):
        if m is None:
            return x
        return x * m

    return f(T(1.0)), f(T(1.0), T(3.0))


def program_is_true():
    @jit
    def f(x, flag):
        return x if flag is True else -x

    return f(T(1.0), True), f(T(1.0), False)


def program_in_tuple():
    @jit
    def f(x):
        return 1 in (1, 2), "a" in ["b"], "b" in "abc", 3 not in [3]

    return f(T(1.0))


def program_is_tensor_vs_none_branch():
    @jit
    def f(x):
        y = None
        if x.shape[0] > 1:
            y = x
        return y is None

    return f(T([1.0]))


def program_str_methods():
    @jit
    def f():
        return (
            "Abc".lower(),
            ["a", "b"],
            "-".join(["x", "y"]),
            "abc".startswith("ab"),
            f"a{3}",
            f"{1}-{2}",
            "abc"[::-1],
            "ab" * 2,
        )

    return f()


def program_str_compare_branch():
    @jit
    def f(x, mode):
        if mode == "sum":
            return x.sum()
        elif mode in ("mean", "avg"):
            return x.mean()
        return x

    return f(T([1.0, 3.0]), "sum"), f(T([1.0, 3.0]), "avg"), f(T([1.0, 3.0]), "")


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


def program_return_nested():
    @jit
    def f(x):
        return {"a": [x, (x + 1, 2)], "b": None, "c": "s", "d": True, "e": 1.5}

    return f(T(1.0))


def program_list_in_list_out():
    @jit
    def f(l):
        l.append(4)
        return l

    a = [1, 2]
    r = f(a)
    return r


def program_list_methods():
    @jit
    def f(x):
        a = [1, x, 3]
        a.append(5)
        a.insert(0, 9)
        a.extend([7, 8])
        b = a.pop()
        a.reverse()
        return a, b, len(a)

    return f(T(1.0))


def program_list_slice_assign():
    @jit
    def f():
        a = [1, 2, 3, 4]
        a[1:3] = [9, 9, 9]
        a[0] = 7
        return a, a[::2], a[-1]

    return f()


def program_list_mul_add():
    @jit
    def f(x):
        return [x] * 2 + [1], (1, 2) * 2 + (x,)

    return f(T(1.0))


def program_list_count_index():
    @jit
    def f():
        return [1, 2, 1].count(1), [1, 2].index(2), (1, 2, 1).count(1), (5, 6).index(6)

    return f()


def program_tuple_compare():
    @jit
    def f():
        return (1, 2) == (1, 2), (1, 2) < (1, 3), [1] != [2]

    return f()


def program_tuple_slices():
    @jit
    def f(x):
        return (1, x, 3, 4)[1:3], (1, 2, 3)[::-1], (1, 2, 3)[-2]

    return f(T(1.0))


def program_tensor_index_tuple():
    @jit
    def f(i):
        return (10, 20, 30)[i]

    return f(Tensor(1))


def program_list_sort():
    @jit
    def f():
        a = [3, 1, 2]
        return sorted(a, reverse=True)

    return f()


def program_fb_np_return():
    @jit
    def f():
        return np.array([1, 2, 3])

    return f()


def program_fb_np_funcs():
    @jit
    def f():
        x = np.array([1.0, 4.0])
        return Tensor(np.sqrt(x)), Tensor(np.concatenate((x, x))), float(np.mean(x)), Tensor(x.astype(np.int32))

    return f()


def program_fb_third_party_copy():
    import copy

    @jit
    def f(x):
        a = copy.deepcopy([1, 2])
        return x + a[1]

    return f(T(1.0))


def program_fb_dict_of_np():
    @jit
    def f(x):
        d = {"a": np.ones(2, np.float32)}
        return x + Tensor(d["a"])

    return f(T(1.0))


def program_fb_scalar_numpy():
    @jit
    def f(x):
        return x * np.float32(2.5)

    return f(T(2.0))


def program_fb_np_item_cond():
    @jit
    def f(x):
        if np.array([1, 2]).sum() > 2:
            return x
        return -x

    return f(T(2.0))


def program_fb_isinstance_np():
    @jit
    def f(x):
        return isinstance(np.array(1), np.ndarray), isinstance(np.int32(1), np.integer)

    return f(T(2.0))


def program_fb_type_annotation():
    @jit
    def f(x: Tensor, n: int = 2) -> Tensor:
        y: Tensor = x * n
        return y

    return f(T(2.0))


def program_fb_global():
    global G
    G = 5

    @jit
    def f(x):
        return x * G

    return f(T(2.0))


def program_fb_str_format_tensor_shape():
    @jit
    def f(x):
        return f"shape {x.shape}"

    return f(T([1.0]))


def program_fb_eval_len():
    @jit
    def f(x):
        return x.size, x.ndim, x.itemsize, x.nbytes, x.strides, x.T.shape

    return f(T([[1.0, 2.0]]))


def program_constexpr():
    @constexpr
    def g(n):
        return n * 2 + 1

    @jit
    def f(x):
        return x * g(3)

    return f(T(2.0))


def program_primexpr():
    @_primexpr
    def g(shape):
        return shape[0] * 2

    @jit
    def f(x):
        return x * g(x.shape)

    return f(T([2.0, 3.0]))


def program_multitype():
    add = C.MultitypeFuncGraph("add")

    @add.register("Number", "Number")
    def _n(a, b):
        return a + b

    @add.register("Tensor", "Tensor")
    def _t(a, b):
        return a * b

    @add.register("Tensor", "Number")
    def _m(a, b):
        return a - b

    @jit
    def f(x):
        return add(1, 2), add(x, x), add(x, 1)

    return f(T(3.0))


def program_hypermap_nested():
    sq = C.MultitypeFuncGraph("sq")

    @sq.register("Tensor")
    def _t(a):
        return a * a

    h = C.HyperMap()

    @jit
    def f(x):
        return h(sq, ((x, x + 1), x))

    return f(T(3.0))


def program_hypermap_partial():
    scale = C.MultitypeFuncGraph("scale")

    @scale.register("Number", "Tensor")
    def _t(s, a):
        return a * s

    @jit
    def f(x):
        return C.HyperMap()(F.partial(scale, 3), (x, x + 1))

    return f(T(3.0))


def program_map_op():
    @jit
    def f(x):
        return C.Map()(lambda a, b: a + b, (x, 1), (x, 2))

    return f(T(3.0))


def program_depend():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(T(1.0), name="p")

        def construct(self, x):
            a = ops.assign_add(self.p, x)
            x = ops.depend(x, a)
            return x + self.p

    n = N()
    return n(T(2.0)), n.p.value()


def program_tuple_to_array():
    @jit
    def f():
        return F.tuple_to_array((1, 2, 3)), F.scalar_to_tensor(3, ms.int32)

    return f()


def program_partial_chain():
    def g(a, b, c):
        return a + b * 10 + c * 100

    @jit
    def f(x):
        return F.partial(F.partial(g, x), 2)(3)

    return f(T(1.0))


def program_partial_op():
    @jit
    def f(x):
        return P.Partial()(lambda a, b: a - b, x)(T1)

    global T1
    T1 = T(5.0)
    return f(T(1.0))


def program_identity_stopgrad():
    @jit
    def f(x):
        return F.stop_gradient(x) * x

    return ms.grad(f)(T(3.0))


def program_shape_ops():
    @jit
    def f(x):
        return F.shape(x), P.Shape()(x), P.DType()(x), F.rank(x), P.Size()(x)

    r = f(T([[1.0]]))
    return r[0], r[1], str(r[2]), r[3], r[4]


def program_get_cache_prim():
    from mycel.ops._primitive_cache import _get_cache_prim

    @jit
    def f(x):
        return _get_cache_prim(P.ReduceSum)(True)(x, 0)

    return f(T([1.0, 2.0]))


def program_cell_bprop():
    class M(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return 2 * x, 3 * y

    return ops.GradOperation(get_all=True)(M())(T(2.0), T(5.0))


def program_bprop_nested():
    class I(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (dout * 100,)

    class O(nn.Cell):
        def __init__(self):
            super().__init__()
            self.i = I()

        def construct(self, x):
            return self.i(x) * 3

    return ms.grad(O())(T(2.0))


def program_insert_gradient_of():
    def clip(d):
        return ops.clip_by_value(d, T(-0.5), T(0.5))

    ig = P.InsertGradientOf(clip)

    @jit
    def f(x):
        return ig(x) * 10

    return ms.grad(f)(T(3.0))


def program_grad_in_construct():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.d = nn.Dense(2, 1, weight_init="ones")

        def construct(self, x):
            return self.d(x).sum()

    class G(nn.Cell):
        def __init__(self, n):
            super().__init__()
            self.n = n
            self.w = ParameterTuple(n.trainable_params())
            self.g = ops.GradOperation(get_by_list=True, get_all=True)

        def construct(self, x):
            return self.g(self.n, self.w)(x)

    return G(N())(T([[1.0, 2.0]]))


def program_grad_sens():
    class N(nn.Cell):
        def construct(self, x):
            return x * x

    return ops.GradOperation(sens_param=True)(N())(T([1.0, 2.0]), T([10.0, 1.0]))


def program_grad_second_order():
    @jit
    def f(x):
        return x**3

    return ms.grad(ms.grad(f))(T(2.0))


def program_grad_while():
    @jit
    def f(x):
        i = Tensor(0)
        while i < 3:
            x = x * x
            i = i + 1
        return x

    return f(T(1.1)), ms.grad(f)(T(1.1))


def program_grad_if_in_for():
    @jit
    def f(x):
        for _i in range(3):
            if x > 2:
                x = x * 0.5
            else:
                x = x * 3
        return x

    return f(T(1.0)), ms.grad(f)(T(1.0))


def program_grad_while_break_continue():
    @jit
    def f(x, y):
        while y < 10:
            y = y + 1
            if x > 20:
                break
            if y == 3:
                continue
            x = x * 2
        return x + y

    return f(T(1.0), T(0.0)), ms.grad(f, (0, 1))(T(1.0), T(0.0))


def program_grad_has_aux():
    def f(x, y):
        return x * y, x + y

    return ms.grad(f, 0, has_aux=True)(T(2.0), T(3.0)), ms.value_and_grad(f, (0, 1), has_aux=True)(T(2.0), T(3.0))


def program_param_update_loop():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(T(0.0), name="p")

        def construct(self, x):
            for _i in range(3):
                self.p = self.p + x
            return self.p

    n = N()
    n(T(1.0))
    return n(T(1.0)), n.p.value()


def program_param_assign_ops():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(T([1.0, 2.0]), name="p")
            self.a = P.Assign()

        def construct(self, x):
            self.a(self.p, x)
            ops.assign_sub(self.p, x * 0.5)
            return self.p

    n = N()
    return n(T([4.0, 6.0])), n.p.value()


def program_param_setitem():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(T([1.0, 2.0]), name="p")

        def construct(self, x):
            self.p[0] = x
            return self.p * 2

    n = N()
    return n(T(4.0)), n.p.value()


def program_param_names():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.Dense(2, 2)
            self.b = nn.SequentialCell(nn.Dense(2, 1), nn.ReLU())
            self.p = Parameter(T(1.0))
            self.t = ParameterTuple((Parameter(T(1.0), name="u"), Parameter(T(2.0), name="v")))

    return [p.name for p in N().get_parameters()]


def program_param_same_name():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(T(1.0), name="w")
            self.b = Parameter(T(1.0), name="w")

        def construct(self, x):
            return self.a + self.b + x

    return N()(T(1.0))


def program_param_shared():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.Dense(2, 2)
            self.b = nn.Dense(2, 2)
            self.b.weight = self.a.weight

    return len(list(N().get_parameters())), [p.name for p in N().trainable_params()]


def program_param_as_input():
    p = Parameter(T(2.0), name="p")

    @jit
    def f(a, x):
        return a * x

    return f(p, T(3.0)), ms.grad(f)(p, T(3.0))


def program_param_requires_grad():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(T(1.0), requires_grad=False)
            self.b = Parameter(T(2.0))

        def construct(self, x):
            return self.a * self.b * x

    n = N()
    return len(n.trainable_params()), len(n.untrainable_params()), ms.grad(n, None, n.trainable_params())(T(3.0))


def program_param_clone_init():
    p = Parameter(initializer("ones", [2], ms.float32), name="p")
    q = p.clone()
    q.name = "q"
    p.set_data(T([5.0, 6.0]))
    return p.value(), q.value(), q.name, p.requires_grad


def program_set_inputs_dynamic():
    class N(nn.Cell):
        def construct(self, x):
            return x.shape, x.sum(0)

    n = N()
    n.set_inputs(Tensor(shape=[None, 2], dtype=ms.float32))
    return n(T(np.ones((3, 2)))), n(T(np.ones((4, 2))))


def program_input_signature():
    @jit(dynamic=1)
    def f(x):
        return x * 2

    return f(T([1.0])), f(T([1.0, 2.0])), f(T([1.0, 2.0, 3.0]))


def program_nonzero_dynamic():
    @jit
    def f(x):
        i = ops.nonzero(x > 1)
        return i, i.shape, x[x > 1]

    return f(T([1.0, 2.0, 3.0]))


def program_unique_dyn():
    @jit
    def f(x):
        return ops.unique(x)

    return f(T([1, 2, 1], ms.int32))


def program_bool_ops():
    @jit
    def f(x, y):
        return (x > 0 and y > 0), (x > 0 or y > 0), not x > 0, 0, 3

    return f(T(1.0), T(-1.0))


def program_chain_compare():
    @jit
    def f(x):
        return 0 < x < 5, 1 < 2 < 3

    return f(T(1.0))


def program_int_ops():
    @jit
    def f():
        return 7 // 2, -7 // 2, 7 % -3, 2**3, 5 & 3, 5 | 3, 5 ^ 3, 1 << 3, 16 >> 2, ~5, 7 / 2

    return f()


def program_tensor_ops():
    @jit
    def f(x, y):
        return x // y, x % y, x**2, 2**x, -x, +x, x @ y, x != y, x >= 2

    return f(T([5.0, -3.0]), T([2.0, 2.0]))


def program_aug_ops():
    @jit
    def f(x):
        y = x * 1
        y += 1
        y -= 0.5
        y *= 2
        y /= 4
        y //= 0.1
        y **= 2
        y %= 7
        return y

    return f(T([5.0, -3.0]))


def program_ternary():
    @jit
    def f(x):
        return (x * 2 if x > 0 else x * 3), (1 if x.ndim else 2)

    return f(T(1.0))


def program_getitem_forms():
    @jit
    def f(x):
        return (
            x[0],
            x[:, 1],
            x[..., None].shape,
            x[None].shape,
            x[::2],
            x[[0, 1]],
            x[x > 2],
            x[-1, ::-1] if False else x[-1, -1],
        )

    return f(T([[1.0, 2.0], [3.0, 4.0]]))


def program_none_compare():
    @jit
    def f(x):
        return x is not None, None is None, x is None

    return f(T(1.0))


def program_const_tensor_cond():
    @jit
    def f(x):
        if Tensor(True):
            return x
        return -x

    return f(T(1.0))


def program_pass_ellipsis_docstring():
    @jit
    def f(x):
        """doc"""
        pass
        ...
        return x

    return f(T(1.0))


def program_return_nothing():
    @jit
    def f(x):
        x + 1

    return f(T(1.0))


def program_global_func_kw():
    def g(*, a, b=2):
        return a + b

    @jit
    def f(x):
        return g(a=x) + g(b=1, a=x)

    return f(T(1.0))


def program_closure_counter():
    def outer(k):
        def inner(x):
            return x * k

        return inner

    @jit
    def f(x):
        return sum([outer(i)(x) for i in range(3)])

    return f(T(1.0))


def program_set_train_flag():
    class N(nn.Cell):
        def construct(self, x):
            if self.training:
                return x * 2
            return x

    n = N()
    a = n(T(1.0))
    n.set_train()
    b = N().set_train()(T(1.0))
    return a, b


def program_dropout_modes():
    n = nn.Dropout(p=0.5)
    n.set_train(False)
    return n(T([1.0, 2.0]))


def program_cell_attr_list():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.ks = [1, 2, 3]
            self.d = {"a": 2}
            self.t = T([1.0])

        def construct(self, x):
            return x * sum(self.ks) * self.d["a"] + self.t

    return N()(T(1.0))


def program_cell_repr():
    return repr(nn.SequentialCell(nn.Dense(2, 3), nn.ReLU()))


def program_dtype_compare():
    @jit
    def f(x):
        return x.dtype == mstype.float32, x.dtype in (mstype.float16, mstype.float32), x.astype(mstype.int32).dtype

    r = f(T(1.0))
    return r[0], r[1], str(r[2])


def program_tensor_methods_chain():
    @jit
    def f(x):
        return (
            x.reshape(2, 2).transpose(1, 0).view(4).sum().asnumpy()
            if False
            else x.reshape((2, 2)).swapaxes(0, 1).flatten().mean()
        )

    return f(T([1.0, 2.0, 3.0, 4.0]))


def program_if_while_if_grad():
    @jit
    def f(x, y):
        out = x * 1
        if x > y:
            while y < 8:
                y = y + 2
                if out < 20:
                    out = out * x
                else:
                    out = out + 1
        else:
            out = out - y
        return out

    return f(T(3.0), T(1.0)), ms.grad(f, (0, 1))(T(3.0), T(1.0)), f(T(1.0), T(3.0))


def program_while_for_if_grad():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(T(2.0), name="w")
            self.b = Parameter(T(1.0), name="b")

        def construct(self, x):
            n = Tensor(0)
            while n < 3:
                for i in range(2):
                    if n + i > 2:
                        x = x * self.w
                    else:
                        x = x + self.b
                n = n + 1
            return x

    n = N()
    return n(T(1.0)), ms.grad(n, 0, n.trainable_params())(T(1.0))


def program_for_while_break_grad():
    @jit
    def f(x):
        for i in range(3):
            j = Tensor(0)
            while j < 5:
                j = j + 1
                if j == 4:
                    break
                x = x * 1.1 + i
        return x

    return f(T(1.0)), ms.grad(f)(T(1.0))


def program_param_updates_in_while_if():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(T(1.0), name="a")
            self.b = Parameter(T(0.0), name="b")

        def construct(self, x):
            while self.a < x:
                self.a = self.a * 2
                if self.a > 4:
                    ops.assign_add(self.b, self.a)
            return self.a + self.b

    n = N()
    return n(T(10.0)), n.a.value(), n.b.value()


def program_return_in_nested():
    @jit
    def f(x):
        for i in range(4):
            while x < 10:
                x = x + 3
                if x > 7:
                    return x * i
            x = x - 9
        return x

    return f(T(1.0)), f(T(20.0))


def program_return_tuple_in_branches():
    @jit
    def f(x, y):
        if x > y:
            return x, y + 1
        return y, x - 1

    return f(T(1.0), T(2.0)), f(T(3.0), T(2.0))


def program_nested_functions_in_branch():
    @jit
    def f(x):
        def a(v):
            return v * 2

        def b(v):
            return v + 10

        g = a if x > 0 else b
        return g(x)

    return f(T(1.0)), f(T(-1.0))


def program_cells_in_branch():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.ReLU()
            self.b = nn.Sigmoid()

        def construct(self, x, i):
            return self.a(x) if i > 0 else self.b(x)

    n = N()
    return n(T(-1.0), T(1)), n(T(0.0), T(-1))


def program_switch_layer_list():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.ls = nn.CellList([nn.ReLU(), nn.Tanh()])

        def construct(self, i, x):
            return self.ls[i](x)

    n = N()
    return n(Tensor(0, ms.int32), T(-1.0)), n(Tensor(1, ms.int32), T(0.0))


def program_while_list_append_const():
    @jit
    def f(x):
        out = []
        i = 0
        while len(out) < 3:
            out.append(x * i)
            i += 1
        return out

    return f(T(2.0))


def program_while_tensor_tuple_state():
    @jit
    def f(x):
        s = (x, x + 1)
        while s[0] < 10:
            s = (s[0] * 2, s[1] + s[0])
        return s

    return f(T(1.0))


def program_while_shape_invariant():
    @jit
    def f(x, w):
        i = Tensor(0)
        while i < 3:
            x = ops.relu(ops.matmul(x, w))
            i += 1
        return x.sum()

    w = T([[0.5, 0.1], [0.2, 0.3]])
    return f(T([[1.0, 2.0]]), w), ms.grad(f, (0, 1))(T([[1.0, 2.0]]), w)


def program_if_none_output():
    @jit
    def f(x):
        if x.shape == ():
            return None
        return x

    return f(T(1.0)), f(T([1.0]))


def program_elif_chain_tensor():
    @jit
    def f(x):
        if x < 0:
            y = x * 0
        elif x < 1:
            y = x * 1
        elif x < 2:
            y = x * 2
        else:
            y = x * 3
        return y

    return [f(T(v)) for v in (-1.0, 0.5, 1.5, 5.0)], ms.grad(f)(T(1.5))


def program_second_order_control():
    @jit
    def f(x):
        if x > 0:
            return x**3
        return x**2

    return ms.grad(ms.grad(f))(T(2.0)), ms.grad(ms.grad(f))(T(-2.0))


def program_recursive_tensor():
    @jit
    def f(x, n):
        if n < 1:
            return x
        return f(x * 2, n - 1)

    return f(T(1.0), Tensor(3))


def program_jit_calls_jit():
    @jit
    def a(x):
        return x + 1

    @jit
    def b(x):
        return a(x) * a(x * 2)

    return b(T(1.0)), ms.grad(b)(T(1.0))


def program_grad_ops_gradoperation_variants():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(T(2.0), name="w")

        def construct(self, x, y):
            return x * y * self.w

    n = N()
    w = ParameterTuple(n.trainable_params())
    a = (T(3.0), T(4.0))
    return (
        ops.GradOperation()(n)(*a),
        ops.GradOperation(get_all=True)(n)(*a),
        ops.GradOperation(get_by_list=True)(n, w)(*a),
        ops.GradOperation(get_all=True, get_by_list=True)(n, w)(*a),
        ops.GradOperation(get_all=True, sens_param=True)(n)(*a, T(10.0)),
    )


def program_vmap_jvp_vjp():
    def f(x, y):
        return x * x * y

    return (
        ms.vmap(f, (0, None))(T([1.0, 2.0]), T(3.0)),
        ms.jvp(f, (T(1.0), T(2.0)), (T(1.0), T(0.0))),
        ms.vjp(f, T(1.0), T(2.0))[1](T(1.0)),
        ms.jacfwd(f)(T([1.0, 2.0]), T(1.0)),
        ms.jacrev(f, (0, 1))(T([1.0, 2.0]), T(1.0)),
    )


def program_infer_none_args():
    class N(nn.Cell):
        def construct(self, x, mask=None, scale=2, *rest, flag=True, **kw):
            if mask is not None:
                x = x * mask
            for r in rest:
                x = x + r
            return x * scale if flag else x + kw.get("k", 0)

    n = N()
    return (
        n(T(1.0)),
        n(T(1.0), T(3.0)),
        n(T(1.0), None, 5),
        n(T(1.0), None, 5, T(1.0), T(2.0)),
        n(T(1.0), flag=False, k=7),
    )


def program_multi_assign_attr():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.c = 0
            self.h = None

        def construct(self, x):
            self.c = self.c + 1
            self.h = x * self.c
            return self.h

    n = N()
    return n(T(1.0)), n(T(1.0)), n.c, n.h


def program_nested_container_param():
    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.ps = ParameterTuple([Parameter(T(float(i)), name=f"p{i}") for i in range(3)])

        def construct(self, x):
            s = x
            for i, p in enumerate(self.ps):
                s = s + p * i
            return s, len(self.ps), self.ps[1] * 2

    n = N()
    return n(T(1.0)), [p.name for p in n.trainable_params()]


def program_switch_dtype_keyword():
    @jit
    def f(x):
        return (
            ops.cast(x, ms.int32),
            x.astype("float16"),
            x.to(ms.float64),
            ops.zeros((2,), ms.int8),
            ops.ones_like(x),
            ops.full((2,), 3, dtype=ms.float32),
            ops.arange(3),
            ops.eye(2),
        )

    return f(T([1.6, 2.0]))


def program_string_index_format_percent():
    @jit
    def f():
        return (
            "%s-%d" % ("a", 3),
            "abc"[1],
            "abc"[-2:],
            "a" in "abc",
            len("abc"),
            "A".lower() + "b".upper(),
            "x".join(["a", "b"]),
            "a.b".replace(".", "-"),
            "ab".find("b"),
            " a ".strip(),
        )

    return f()


def program_tuple_of_dicts():
    @jit
    def f(d):
        r = ()
        for e in d:
            r += (e["a"] * e["n"],)
        return r

    return f(({"a": T(1.0), "n": 2}, {"a": T(2.0), "n": 3}))


def program_jit_class_methods():
    @jit_class
    class Scale:
        def __init__(self, k):
            self.k = k

        def __call__(self, x):
            return self.run(x)

        def run(self, x):
            if x > 0:
                return x * self.k
            return x - self.k

    s = Scale(3)

    @jit
    def f(x):
        return s(x) + Scale(1)(x)

    return f(T(2.0)), f(T(-2.0))


def program_isinstance_mutable():
    @jit
    def f(x, n):
        return isinstance(n, int), isinstance(x, Tensor), isinstance((x,), tuple)

    return f(T(1.0), mutable(3))


def program_len_types():
    @jit
    def f(x):
        return len(x), len((1, 2)), len([]), len({"a": 1}), len("abc")

    return f(T([[1.0], [2.0]]))


def program_range_forms():
    @jit
    def f():
        return list(range(3)), tuple(range(1, 4)), list(range(5, 0, -2)), len(range(4)), 2 in range(3)

    return f()


def program_tensor_bool_index_assign():
    @jit
    def f(x):
        x[x > 2] = 0
        x[1, ...] = T2
        return x

    global T2
    T2 = T([5.0, 6.0])
    return f(T([[1.0, 3.0], [4.0, 2.0]]))


def program_inplace_view():
    @jit
    def f(x):
        y = x.view(4)
        return y.expand_dims(0).squeeze(), x.ravel(), x.split(1)[0], ops.stack([x, x]).shape

    return f(T([[1.0, 3.0], [4.0, 2.0]]))
