"""Programs of gradients and Parameters, and of shapes that only the run knows."""

# ruff: noqa: E742 programs as people write them

import numpy as np
from tensors import T

import mycel as ms
import mycel.ops.operations as P
from mycel import Parameter, ParameterTuple, Tensor, jit, nn, ops
from mycel.common.initializer import initializer


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
