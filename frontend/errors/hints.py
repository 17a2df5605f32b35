"""Migration hints: names of PyTorch and NumPy that MindSpore lacks, each with its replacement."""

from __future__ import annotations

_GRADIENTS = "gradients come from mycel.value_and_grad(function, None, net.trainable_params()), called with the inputs"
_NO_TAPE = (
    "gradients are computed only by mycel.grad and mycel.value_and_grad, so nothing has to switch them off: leave it "
    "out; ops.stop_gradient(x) keeps them from flowing through x"
)
_CPU = "everything runs on the CPU: leave it out"
_STEP = "call the optimizer with the gradients of its Parameters, optimizer(gradients)"
_NO_ZERO = "gradients are not added up from step to step, so there is nothing to set to zero: leave it out"
_OPTIMIZERS = "the optimizers are in mycel.nn, such as nn.Adam(net.trainable_params(), learning_rate=0.001)"

_EVERYWHERE = {
    "no_grad": _NO_TAPE, "inference_mode": _NO_TAPE, "enable_grad": _NO_TAPE, "set_grad_enabled": _NO_TAPE,
    "autograd": _GRADIENTS, "backward": _GRADIENTS,
    "cuda": _CPU, "device": _CPU, "backends": _CPU,
    "Module": "derive from nn.Cell, and name its method construct in place of forward",
    "ModuleList": "write nn.CellList", "ModuleDict": "write nn.CellDict", "Sequential": "write nn.SequentialCell",
    "ParameterList": "write mycel.ParameterTuple",
    "optim": _OPTIMIZERS,
    "functional": "functions are in mycel.ops, such as ops.relu; mint.nn.functional has them under PyTorch's names",
    "init": "initializers are in mycel.common.initializer",
    "save": "write mycel.save_checkpoint(net, file)",
    "ndarray": "write mycel.Tensor",
    "as_tensor": "write mycel.Tensor(data)", "asarray": "write mycel.Tensor(data)",
    "FloatTensor": "write mycel.Tensor(data, mycel.float32)", "LongTensor": "write mycel.Tensor(data, mycel.int64)",
    "concatenate": "write ops.cat(tensors, axis)",
    "compile": "write mycel.jit",
    "newaxis": "write None as the index",
    "random": "random tensors come from ops.rand, ops.randn and ops.randint; mycel.set_seed starts them",
    "linalg": "write ops.norm, ops.inverse, ops.det and so on; mint.linalg has them under PyTorch's names",
    "clip_grad_norm_": "write ops.clip_by_global_norm(gradients, norm)",
    "DataLoader": "write mycel.dataset.GeneratorDataset(source, columns).batch(size)",
}  # fmt: skip
MODULE_HINTS: dict[str, dict[str, str]] = {"": _EVERYWHERE}
"""Module (without `mycel.`; "" for every one) to name to what to write."""

TENSOR_HINTS = {
    "backward": f"tensors keep no graph; {_GRADIENTS}",
    "cuda": _CPU, "cpu": _CPU, "npu": _CPU, "is_cuda": _CPU, "pin_memory": _CPU,
    "detach": "tensors keep no graph, so outside of a gradient leave it out; inside write ops.stop_gradient(x)",
    "detach_": "tensors keep no graph, so outside of a gradient leave it out; inside write ops.stop_gradient(x)",
    "requires_grad": "only Parameters have it; mycel.grad differentiates by every tensor that it is asked to",
    "grad": f"tensors keep no gradient; {_GRADIENTS}",
    "grad_fn": f"tensors keep no graph; {_GRADIENTS}",
    "retain_grad": f"tensors keep no gradient; {_GRADIENTS}",
    "is_leaf": f"tensors keep no graph; {_GRADIENTS}",
    "element_size": "write x.itemsize",
    "conjugate": "write x.conj()",
    "tobytes": "write x.asnumpy().tobytes()", "tofile": "write x.asnumpy().tofile(file)",
    "flat": "write x.flatten()",
}  # fmt: skip
"""Attribute of tensors to what to write."""

CELL_HINTS = {
    "forward": "the method is called construct here; call the Cell itself, net(x)",
    "parameters": "write net.trainable_params(), or net.get_parameters() for all",
    "named_parameters": "write net.parameters_and_names()",
    "modules": "write net.cells_and_names()", "named_modules": "write net.cells_and_names()",
    "children": "write net.cells()", "named_children": "write net.name_cells().items()",
    "cuda": _CPU, "cpu": _CPU, "npu": _CPU,
    "eval": "write net.set_train(False)", "train": "write net.set_train()",
    "half": "write net.to(mycel.float16)", "float": "write net.to(mycel.float32)",
    "double": "write net.to(mycel.float64)",
    "zero_grad": _NO_ZERO, "step": _STEP,
    "backward": _GRADIENTS,
    "requires_grad_": "write p.requires_grad = False for each p in net.get_parameters()",
    "register_parameter": "write net.insert_param_to_cell(name, parameter)",
    "add_module": "write net.insert_child_to_cell(name, cell)",
}  # fmt: skip
"""Attribute of Cells, optimizers among them, to what to write."""

NO_KEYWORDS = {
    "inplace": "layers and functions give new tensors: leave it out",
    "device": _CPU, "requires_grad": "mycel.grad differentiates by every tensor that it is asked to: leave it out",
    "pin_memory": _CPU, "non_blocking": _CPU,
}  # fmt: skip
"""Keyword of some libraries that nothing has here, and what to write."""

KEYWORD_HINTS: dict[str, tuple[str, ...]] = {
    "dim": ("axis", "dims", "axes"), "axis": ("dim", "dims"), "dims": ("axis", "dim"), "axes": ("axis", "dim", "dims"),
    "keepdim": ("keepdims", "keep_dims"), "keepdims": ("keepdim", "keep_dims"), "keep_dims": ("keepdim", "keepdims"),
    "input": ("x", "input_x", "logits"), "x": ("input", "input_x"), "other": ("y",), "y": ("other",),
    "in_features": ("in_channels",), "out_features": ("out_channels",), "bias": ("has_bias",), "has_bias": ("bias",),
    "lr": ("learning_rate",), "learning_rate": ("lr",), "parameters": ("params",), "params": ("parameters",),
    "eps": ("epsilon",), "epsilon": ("eps",), "betas": ("beta1",), "num_embeddings": ("vocab_size",),
    "embedding_dim": ("embedding_size",), "padding_mode": ("pad_mode",), "target": ("label", "labels"),
    "dtype": ("type",), "name": ("param_name",), "a_min": ("min",), "a_max": ("max",), "repeats": ("dims",),
}  # fmt: skip
"""Keyword of some libraries to those that a function may have for it."""
