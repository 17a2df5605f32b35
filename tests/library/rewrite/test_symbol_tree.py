"""Networks that are edited by their statements; nodes and programs as MindSpore 2.10 gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.library.rewrite import Node, NodeType, ScopedValue, SymbolTree


class Sub(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.relu = nn.ReLU()
        self.dense = nn.Dense(4, 4)

    def construct(self, x: Any) -> Any:
        x = self.dense(x)
        return self.relu(x)


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 4)
        self.relu = nn.ReLU()
        self.sub = Sub()
        self.block = nn.SequentialCell([nn.Dense(4, 4), nn.Tanh()])
        self.add = ops.Add()
        self.k = 2

    def construct(self, x: Any, y: Any = None) -> Any:
        a = self.dense(x)
        b = self.relu(a + 1) * self.k
        b = self.sub(b)
        c = self.block(b)
        if self.k > 1:
            c = ops.tanh(c)
        else:
            c = ops.sin(c)
        for i in range(2):
            c = c + i
        d, e = ops.split(c, 2, axis=1)
        out = self.add(d, e.sum())
        return ops.concat((out, d), axis=1)


class Plain(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, 4)
        self.norm = nn.LayerNorm((4,))
        self.relu = nn.ReLU()

    def construct(self, x: Any) -> Any:
        x = self.dense(x)
        x = self.norm(x)
        x = self.relu(x)
        return x


X = Tensor(np.linspace(-1, 1, 8, dtype=np.float32).reshape(2, 4))


def name(text: str) -> ScopedValue:
    return ScopedValue.create_naming_value(text)


def body(tree: SymbolTree) -> list[str]:
    """The statements of construct."""
    return [line.strip() for line in tree.get_code().rpartition("def construct")[2].splitlines()[1:] if line.strip()]


def same(one: Any, other: Any) -> bool:
    return bool(np.allclose(one.asnumpy(), other.asnumpy(), atol=1e-6))


def test_nodes() -> None:
    tree = SymbolTree.create(Net())
    found = [
        (
            node.get_name(),
            node.get_node_type().name,
            list(map(str, node.get_targets())),
            list(map(str, node.get_args())),
        )
        for node in tree.nodes()
    ]
    assert found[:9] == [
        ("input_x", "Input", ["x"], []),
        ("input_y", "Input", ["y"], []),
        ("dense", "CallCell", ["a"], ["x"]),
        ("binop_add", "MathOps", ["add_var"], ["a", "1"]),
        ("relu", "CallCell", ["relu_var"], ["add_var"]),
        ("binop_mult", "MathOps", ["b"], ["relu_var", "self.k"]),
        ("sub", "Tree", ["b"], ["b"]),
        ("block", "CellContainer", ["c"], ["b"]),
        ("compare_gt", "MathOps", ["compare_var"], ["self.k", "1"]),
    ]
    kinds = [kind for _, kind, _, _ in found[9:]]
    calls = ["ControlFlow"] * 2 + ["CallFunction", "ControlFlow", "CallFunction", "CallFunction", "CallPrimitive"]
    assert kinds == [*calls, "CallMethod", "CallFunction", "Output"]
    split = tree.get_node("split")
    assert split is not None
    assert ({key: str(value) for key, value in split.get_kwargs().items()}) == {"axis": "1"}
    assert [node.get_name() for node in split.get_users()] == ["add", "tuple"]
    dense = tree.get_node("dense")
    assert dense is not None
    assert dense.get_instance_type() is nn.Dense
    assert [node.get_name() for node in dense.get_inputs()] == ["input_x"]
    assert tree.get_node("nothing") is None
    assert [node.get_name() for node in tree.get_inputs()] == ["input_x", "input_y"]
    assert "relu" in [node.get_name() for node in tree.nodes(all_nodes=True)][-3:]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("kind", [Net, Plain, Sub])
def test_an_unedited_network_computes_the_same(kind: Any, mode: Any) -> None:
    ms.set_context(mode=mode)
    try:
        net = kind()
        tree = SymbolTree.create(net)
        for node in list(tree.nodes()):
            if node.get_node_type() is NodeType.Tree:
                node.get_sub_tree()
        made = tree.get_network()
        assert isinstance(made, kind)
        assert same(made(X), net(X))
        assert [p.name for p in made.trainable_params()] == [p.name for p in net.trainable_params()]
        grads = [ms.grad(n, None, net.trainable_params())(X) for n in (net, made)]
        assert all(map(same, *grads))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_edits() -> None:
    net = Plain()
    tree = SymbolTree.create(net)
    relu, norm = tree.get_node("relu"), tree.get_node("norm")
    assert relu is not None
    assert norm is not None
    tree.insert(tree.before(relu), Node.create_call_cell(nn.Tanh(), ["x"], [name("x")], name="relu"))
    tree.insert(tree.after("relu"), Node.create_call_cell(nn.ReLU6(), ["x"], [relu.get_targets()[0]]))
    assert tree.erase(norm) is norm
    lines = ["x = self.dense(x)", "x = self.relu_1(x)", "x = self.relu(x)", "x = self.ReLU6(x)", "return x"]
    assert body(tree) == lines
    sigmoid = Node.create_call_cell(nn.Sigmoid(), ["p"], [name("x")], name="sig")
    absolute = Node.create_call_function(ops.abs, ["x"], [name("p")])
    assert tree.replace(relu, [sigmoid, absolute]) is absolute
    six = tree.get_node("ReLU6")
    assert six is not None
    six.set_arg(0, "p")
    tree.set_output(0, "p")
    assert body(tree)[2:] == ["p = self.sig(x)", "x = abs(p)", "x = self.ReLU6(p)", "return p"]
    assert same(tree.get_network()(X), ops.sigmoid(ops.tanh(net.dense(X))))
    assert (tree.unique_name("x"), tree.unique_name("new")) == ("x_1", "new")
    six.set_arg_by_node(0, absolute)
    assert str(six.get_args()[0]) == "x"


def test_the_program_runs(tmp_path: Path) -> None:
    """The text that get_code gives, as a file of its own."""
    net = Net()
    tree = SymbolTree.create(net)
    sub = tree.get_node("sub")
    assert sub is not None
    inner = sub.get_sub_tree()
    inner.insert(inner.after("dense"), Node.create_call_function(ops.exp, ["x"], [name("x")]))
    tree.set_saved_file_name(str(tmp_path / "program"))
    tree.save_network_to_file()
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile((tmp_path / "program.py").read_text(encoding="utf-8"), tree.get_saved_file_name(), "exec"), names)
    made = names["NetOpt"](net)
    assert same(made(X), tree.get_network()(X))
    assert not same(made(X), net(X))
    assert type(net.sub) is Sub


def test_closures_super_and_nested_calls() -> None:
    factor = 3.0

    class Base(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x + 1

    class Local(Base):
        def construct(self, x: Any, *args: Any, scale: Any = 2) -> Any:
            """The docstring is no statement."""
            a, b = x.shape
            x = super().construct(x) * factor
            rows = [row * scale for row in (x, x)]
            y = rows[0] if a > 1 and b else rows[1]
            return y.reshape(b, -1), -ops.sum(y * y) / 2

    net = Local()
    tree = SymbolTree.create(net)
    assert "return (reshape_var, div_var)" in tree.get_code()
    for one, other in zip(tree.get_network()(X), net(X), strict=True):
        assert same(one, other)


def test_the_table_of_nodes(capsys: pytest.CaptureFixture[str]) -> None:
    SymbolTree.create(Plain()).print_node_tabulate()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "node type"
    assert "x = self.norm(x)" in lines[4]
    assert "['relu']" in lines[4]


def test_values() -> None:
    assert str(ScopedValue.create_naming_value("x", "self")) == "self.x"
    assert str(ScopedValue.create_name_values(["a", "b"])) == "[a, b]"
    assert str(ScopedValue.create_variable_value((1, "a"))) == "(1, 'a')"
    assert name("x") == name("x") != name("y")
    assert str(ScopedValue.create_variable_value("s")) == "s"


def test_refusals() -> None:
    tree = SymbolTree.create(Plain())
    node = Node.create_call_cell(nn.ReLU(), ["x"], [name("x")])
    tries: list[tuple[type[Exception], str, Any]] = [
        (TypeError, "type of 'network' should be 'Cell'", lambda: SymbolTree.create(1)),  # type: ignore[arg-type]
        (RuntimeError, "not belong to current SymbolTree", lambda: tree.erase("nothing")),
        (RuntimeError, "not belong to current SymbolTree", lambda: tree.after("nothing")),
        (TypeError, "type of 'position' should be", lambda: tree.insert(None, node)),  # type: ignore[arg-type]
        (TypeError, "type of 'cell' should be 'Cell'", lambda: Node.create_call_cell(1, ["x"])),  # type: ignore[arg-type]
        (TypeError, "type of 'function' should be", lambda: Node.create_call_function(1, ["x"])),
        (TypeError, "type of 'name' should be 'str'", lambda: name(1)),  # type: ignore[arg-type]
        (ValueError, r"range of \[0, 1\)", lambda: next(n for n in tree.nodes() if n.call).set_arg(5, "x")),
        (TypeError, "should be 'NodeType.Tree'", lambda: tree.get_node("relu").get_sub_tree()),  # type: ignore[union-attr]
        (RuntimeError, "another SymbolTree", lambda: tree.insert(SymbolTree.create(Plain()).after("relu"), node)),
    ]
    for kind, text, run in tries:
        with pytest.raises(kind, match=text):
            run()


class Chosen(Net):
    """Branches of which is known which side runs, and one that a tensor decides."""

    def construct(self, x: Any, relu: Any = None) -> Any:
        if self.k is None:
            x = self.sub(x)
        elif self.k > 1:
            x = self.dense(x)
            if X is not None:
                x = self.relu(x)
        if relu is not None:
            x = relu(x)
        if x.sum() > 0:
            x = x + 1
        return x


def test_known_branches_are_replaced_by_the_side_that_runs() -> None:
    net = Chosen()
    tree = SymbolTree.create(net)
    tree.flatten_static_if_control_flow()
    kinds = [node.get_node_type() for node in tree.nodes()]
    assert kinds.count(NodeType.ControlFlow) == 2
    assert [line for line in body(tree) if "self.sub" in line or "self.relu" in line] == ["x = self.relu(x)"]
    assert same(tree.get_network()(X), net(X))


class Nested(nn.Cell):
    """Networks of its own class inside of it, of which other sides run."""

    def __init__(self, *inner: nn.Cell) -> None:
        super().__init__()
        self.first, self.second = inner or (None, None)

    def construct(self, x: Any) -> Any:
        if self.first is None:
            x = x + 1
        else:
            x = self.second(self.first(x) * 2) + 10
        return x


def test_networks_of_one_class_that_are_edited_differently() -> None:
    net = Nested(Nested(), Nested(Nested(), Nested()))
    tree = SymbolTree.create(net)
    tree.flatten_static_if_control_flow()
    assert same(tree.get_network()(X), net(X))
    assert "if " not in tree.get_code()
    names: dict[str, Any] = {}
    exec(tree.get_code(), names)
    assert same(names["NestedOpt"](net)(X), net(X))


class Unknown(Net):
    """Conditions that look as if it were known which side runs."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 2
        self.scale = Parameter(Tensor(np.float32(1)), name="scale")

    def construct(self, x: Any) -> Any:
        first = second = third = True
        if x.sum() > 100:
            first = False
        second, k = False, 1
        third &= False
        self.count = 0
        if first:
            x = x + 1
        if second:
            x = x + 10
        if third:
            x = x + 100
        if self.count:
            x = x + 1000
        if not self.scale:
            x = x * 3
        if self.scale is not None and self.k > 1:
            x = x * 5
        return x - k


def test_branches_that_a_run_decides_stay() -> None:
    net = Unknown()
    tree = SymbolTree.create(net)
    tree.flatten_static_if_control_flow()
    assert [line for line in body(tree) if "x *" in line] == ["x = x * 3", "x = x * 5"]
    assert [node.get_node_type() for node in tree.nodes()].count(NodeType.ControlFlow) == 6
    new = tree.get_network()
    for scale in (1, 0):
        net.scale.set_data(Tensor(np.float32(scale)))
        for x in (X, X + 100):
            assert same(new(x), net(x))


def test_cells_that_a_library_lists_are_called_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    from mycel.library.rewrite import nodes

    assert SymbolTree.create(Net()).get_node("sub").get_node_type() is NodeType.Tree
    monkeypatch.setattr(nodes, "_subtree_black_list", [*nodes._subtree_black_list, Sub])
    assert SymbolTree.create(Net()).get_node("sub").get_node_type() is NodeType.CallCell


def test_attributes_and_handlers_of_nodes() -> None:
    tree = SymbolTree.create(Plain())
    node = tree.get_node("relu")
    assert node.get_attribute("policy") is None
    node.set_attribute("policy", 3)
    assert (node.get_attribute("policy"), node.get_attributes()) == (3, {"policy": 3})
    with pytest.raises(TypeError, match="'key' should be str"):
        node.set_attribute(1, 2)
    made = Node.create_call_cell(nn.Tanh(), node.get_targets(), node.get_args(), name="tanh")
    SymbolTree(node.get_handler().get_belong_symbol_tree()).replace(node, [made])
    assert isinstance(node.get_instance(), nn.ReLU)
    assert [line.split()[-1] for line in body(tree)][-2:] == ["self.tanh(x)", "x"]
