"""Code generation for kernels of machine code: their text, and a call."""

from __future__ import annotations

import ast
import math

from ...runtime.native.codegen import complete_kernel, remember
from ...runtime.native.language import SIZES
from ..ir.graph import Node
from ..ir.spelling import block_text
from ..ir.values import Operand, Value
from ..kernels.naming import text_with_names
from ..memory.plan import KernelPlan
from .python_code import CodeText, assign, call_text, evaluated, fill, parse_line
from .writer import Writer

MOST_MOVED = 4096  # elements; NumPy copies more as fast
FEW = 4096  # elements; kernels in loops that have no more do not flush denormals: setting the mode takes as long


def moved(writer: Writer, target: str, value: Value, source: str, operand: Operand) -> ast.stmt:
    """The statement that copies an operand, of the name `source`, to the array of a value: of few elements by a kernel,
    if the program has others."""
    type = value.type
    native = bool(writer.plan.kernels) and operand.type == type and type.is_static
    native = native and type.dtype.numpy_name in SIZES
    if not native or not source.isidentifier() or not 0 < type.size <= MOST_MOVED:
        return fill(target, source)
    shape, step = ",".join(map(str, type.static_shape)), SIZES[type.dtype.numpy_name] if type.size > 1 else 0
    array = f"{type.dtype.numpy_name}[{shape}] {step}"
    make = writer.function_named("compile_kernel", complete_kernel)
    text = f"over {type.size}\nin x {array}\nout y {array}\ny = x\n"
    name = writer.bound(f"{make}({block_text(text)})", "move")
    writer.written[name] = 1
    return evaluated(CodeText(call_text(name, source, target)))


def _filled(writer: Writer, target: str, value: Value, source: str, operand: Operand) -> ast.stmt:
    return fill(target, source)


class KernelEmitter:
    """Writes the statements of kernels."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.functions: dict[tuple[int, bool], str] = {}  # their names by ids of kernels, and whether loops are around

    def native(self, node: Node) -> None:
        """Emit a kernel's text, from which the program makes a function when it is loaded, and a call."""
        writer = self.writer
        planned = writer.plan.kernels[node]
        key = id(planned.kernel), writer.around > 0  # equal layers share their kernel
        name = self.functions.get(key)
        if name is None:
            name = self.functions[key] = self.function(planned)
        writer.kernel_nodes.setdefault(name, []).append(node)
        outputs = node.outputs
        names = {position: writer.target(outputs[position]) for position in dict.fromkeys(planned.outputs)}
        arrays = [writer.read(operand) for operand in planned.inputs]
        if not (planned.states or planned.sums or planned.kernel.pieces or node.attrs.get("until") is not None):
            arrays += map(names.__getitem__, planned.outputs)
            writer.body.append(evaluated(CodeText(call_text(name, *arrays))))
            return
        for number, initial in planned.states.items():
            if writer.same_memory(node.outputs[number], initial):
                continue
            move = moved if writer.around else _filled
            writer.body.append(move(writer, names[number], node.outputs[number], writer.read(initial), initial))
        ends, parts = [], dict[int, str]()
        for position in planned.outputs:
            target, allocation = names[position], planned.sums.get(position)
            if allocation is None:
                arrays.append(target)
                continue
            if position in parts:  # the accumulators of the columns of short rows
                arrays.append(parts[position])
                continue
            sums = parts[position] = writer.unique(allocation.name)  # one for each piece; they are combined in the end
            writer.prologue.append(assign(sums, writer.arena_array(allocation.offset, allocation.type)))
            arrays.append(sums)
            shape = allocation.type.static_shape
            if position in planned.turned:
                target = f"{target}.reshape({shape[:-3:-1]}).T"
                if len(shape) == 2:
                    ends.append(parse_line(f"{writer.lookup('np.copyto')}({target}, {sums})"))
                    continue
            reduce = writer.lookup(f"np.{planned.kernel.arrays[len(arrays) - 1].role}.reduce")
            ends.append(parse_line(f"{reduce}({sums}, 0, {writer.dtype(allocation.type.dtype)}, {target})"))
        if planned.kernel.pieces:
            writer.threaded.append(node)
        call: ast.stmt = evaluated(CodeText(call_text(name, *arrays)))
        until = node.attrs.get("until")
        if until is not None:  # the kernel returns now and then, so that Python can handle signals
            call = ast.While(ast.Name(names[until], ast.Load()), [call], [])
        writer.body += [call, *ends]

    def function(self, planned: KernelPlan) -> str:
        """The name of a kernel's function. Kernels that differ only in names share one function, which has the names of
        the first."""
        writer = self.writer
        is_left = writer.around and math.prod(planned.kernel.extents) <= FEW
        kernel = planned.kernel if is_left else planned.kernel.flushed()
        numbered = str(kernel)  # in the text, unlike in the kernel, 0.0 is not -0.0
        name = writer.native.get(numbered)
        if name is None:
            make = writer.function_named("compile_kernel", complete_kernel)
            text = text_with_names(kernel, planned.origins, planned.body)
            remember(text, kernel)
            name = writer.native[numbered] = writer.bound(f"{make}({block_text(text)})", "kernel")
            writer.written[name] = len(planned.outputs)
        return name
