"""Programs of loops and branches."""

from tensors import T

import mycel as ms
from mycel import Parameter, Tensor, jit, mutable, nn, ops


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
