"""Programs of sequences, of what Python itself does, and of MindSpore's helpers."""

# ruff: noqa: E741 programs as people write them

import numpy as np
from tensors import T

import mycel as ms
import mycel.ops.composite as C
import mycel.ops.functional as F
import mycel.ops.operations as P
from mycel import Parameter, Tensor, jit, nn, ops
from mycel.ops import constexpr
from mycel.ops.primitive import _primexpr


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
