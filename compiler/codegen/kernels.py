"""Emission of kernels of machine code: their text, and a call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...runtime.native.calls import by_copies, share_kernel
from ...runtime.native.codegen import compile_kernel
from ..ir.graph import Node
from ..ir.spelling import block_text, spell
from .nodes import NodeEmitter
from .python_code import assign, call_code, name_code, parse_line, value_code


class KernelEmitter(NodeEmitter):
    """Writes the statements of kernels."""

    def native(self, node: Node) -> None:
        """A kernel's text, made into a function when the program is loaded, and a call of it."""
        planned = self.plan.kernels[node]
        self.kernels["compile_kernel"] = compile_kernel
        make = self.outside("kernels", "compile_kernel", "compile_kernel")
        name = self.bound(f"{make}({block_text(str(planned.kernel))})", "kernel")
        written = [node.outputs[position] for position in planned.outputs]
        targets = [self.target(value) for value in written]
        read = [self.read(operand) for operand in planned.inputs]
        for number, initial in planned.states.items():
            self.body.append(ast.Expr(call_code(self.lookup("np.copyto"), targets[number], self.read(initial))))
        if planned.pieces:
            self.shared(node, name, read, targets)
            return
        arrays = [*read, *targets]
        call = call_code(name, *arrays)
        self.kernels["by_copies"] = by_copies
        other = call_code(self.outside("kernels", "by_copies", "by_copies"), name)
        other.args += [value_code(len(written)), *map(name_code, arrays)]
        self.body.append(ast.Expr(ast.BoolOp(ast.Or(), [call, other])))

    def shared(self, node: Node, name: str, read: Sequence[str], targets: Sequence[str]) -> None:
        """A call that threads share; what adds up does so in every piece by itself, and is added up in the end."""
        planned = self.plan.kernels[node]
        self.threaded.append(node)
        pieces = self.unique(f"{name}_pieces")
        code = ", ".join(f"np.array({spell(tuple(piece))}, np.int64)" for piece in planned.pieces)
        self.statics.append(parse_line(f"{pieces} = ({code},)"))
        arrays, ends = [*read], []
        for position, target in zip(planned.outputs, targets, strict=True):
            allocation = planned.sums.get(position)
            if allocation is None:
                arrays.append(target)
                continue
            sums = self.unique(allocation.name)
            self.prologue.append(assign(sums, self.arena_array(allocation.offset, allocation.type)))
            arrays.append(sums)
            role = planned.kernel.arrays[len(arrays) - 1].role
            ends.append(
                parse_line(
                    f"{self.lookup(f'np.{role}.reduce')}({sums}, 0, {self.dtype(allocation.type.dtype)}, {target})"
                )
            )
        self.kernels["share_kernel"] = share_kernel
        call = call_code(self.outside("kernels", "share_kernel", "share_kernel"), name, pieces)
        call.args += [value_code(planned.threads), value_code(len(targets)), *map(name_code, arrays)]
        self.body += [ast.Expr(call), *ends]
