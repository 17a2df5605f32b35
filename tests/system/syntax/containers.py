"""Programs of comprehensions, containers, calls and names."""

from collections import OrderedDict

from tensors import T

import mycel as ms
from mycel import Parameter, Tensor, jit, jit_class, nn


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
