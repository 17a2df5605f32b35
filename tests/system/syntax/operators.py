"""Programs of operators, values and modes."""

# ruff: noqa: UP031 programs as people write them

from tensors import T

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, dtype as mstype, jit, jit_class, mutable, nn, ops


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
