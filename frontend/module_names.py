"""The modules of MindSpore that mycel has names for, and where these names are found."""

from __future__ import annotations

# MindSpore's module (without "mindspore.") -> where its names are found, in this order; "" is the package itself.
MODULES: dict[str, tuple[str, ...]] = {
    "_c_expression": ("frontend.internals",),
    "_c_expression.security": ("frontend.internals",),
    "_c_expression.typing": ("frontend.internals", "frontend.dtype_names"),
    "_checkparam": ("frontend.checks",),
    "amp": ("frontend.amp",),
    "common": ("", "frontend.initializer", "frontend.inlining", "runtime.dtypes"),
    "common._decorator": ("frontend.inlining",),
    "common._register_for_tensor": ("frontend.internals",),
    "common._stub_tensor": ("frontend.internals",),
    "common._utils": ("frontend.internals",),
    "common.api": ("frontend.jit", "frontend.executors", "frontend.inlining", ""),
    "common.dtype": ("frontend.dtype_names",),
    "common.dynamic_shape": ("frontend.inlining",),
    "common.dynamic_shape.enable_dynamic": ("frontend.inlining",),
    "common.hook_handle": ("frontend.cell",),
    "common.initializer": ("frontend.initializer",),
    "common.jit_config": ("frontend.context",),
    "common.lazy_inline": ("frontend.inlining",),
    "common.mutable": ("frontend.mutable",),
    "common.no_inline": ("frontend.inlining",),
    "common.parameter": ("frontend.parameter",),
    "common.recompute": ("",),
    "common.seed": ("frontend.ops", "frontend.ops.random"),
    "common.sparse_tensor": ("frontend.sparse",),
    "common.symbol": ("frontend.inlining",),
    "common.tensor": ("frontend.tensor", "frontend.sparse"),
    "communication": ("frontend.parallel",),
    "communication.comm_func": ("frontend.parallel",),
    "communication.management": ("frontend.parallel",),
    "context": ("frontend.context", "frontend.parallel"),
    "dataset": ("frontend.dataset",),
    "dataset.config": ("frontend.dataset.config",),
    "dataset.core": ("frontend.dataset",),
    "dataset.core.config": ("frontend.dataset.config",),
    "dataset.text": ("frontend.dataset.text",),
    "dataset.text.transforms": ("frontend.dataset.text",),
    "dataset.text.utils": ("frontend.dataset.text",),
    "dataset.transforms": ("frontend.dataset.transforms",),
    "dataset.transforms.c_transforms": ("frontend.dataset.transforms",),
    "dataset.transforms.py_transforms": ("frontend.dataset.transforms",),
    "dataset.transforms.transforms": ("frontend.dataset.transforms",),
    "dataset.vision": ("frontend.dataset.vision",),
    "dataset.vision.c_transforms": ("frontend.dataset.vision",),
    "dataset.vision.py_transforms_util": ("frontend.dataset.vision.base", "frontend.dataset.vision"),
    "dataset.vision.transforms": ("frontend.dataset.vision",),
    "dataset.vision.utils": ("frontend.dataset.vision",),
    "experimental": ("frontend.experimental",),
    "experimental.optim": ("frontend.experimental.optim",),
    "experimental.optim.lr_scheduler": ("frontend.experimental.schedules",),
    "hal": ("frontend.device",),
    "log": ("frontend.log",),
    "mindrecord": ("frontend.mindrecord",),
    "mint": ("frontend.mint",),
    "mint.linalg": ("frontend.mint_linalg",),
    "mint.nn": ("frontend.mint_nn",),
    "mint.nn.functional": ("frontend.mint_functional",),
    "mint.optim": ("frontend.experimental.mint_optim",),
    "mint.special": ("frontend.mint_special",),
    "nn": ("frontend.nn",),
    "nn.probability": ("frontend.nn.probability",),
    "nn.probability.bijector": ("frontend.nn.probability.bijector",),
    "nn.probability.distribution": ("frontend.nn.probability.distribution",),
    "numpy": ("frontend.numpy",),
    "numpy.fft": ("frontend.numpy_fft",),
    "ops": ("frontend.ops",),
    "ops._primitive_cache": ("frontend.ops.primitives.cache",),
    "ops.signature": ("frontend.ops.primitives.signatures",),
    "parallel": ("frontend.parallel", "frontend.auto_parallel"),
    "parallel.auto_parallel": ("frontend.auto_parallel",),
    "parallel.nn": ("frontend.parallel_cells",),
    "parallel.shard": ("frontend.parallel",),
    "profiler": ("frontend.reports.profiler",),
    "profiler.common": ("frontend.reports.profiler",),
    "scipy": ("frontend.scipy",),
    "scipy.linalg": ("frontend.scipy_linalg",),
    "runtime": ("frontend.device", "frontend.auto_parallel", "runtime"),
    "train": ("frontend.train",),
    "train.amp": ("frontend.amp",),
    "train.loss_scale_manager": ("frontend.amp",),
    "train.metrics": ("frontend.nn",),
    "train.summary": ("frontend.reports.summary",),
    "train.serialization": ("frontend.train", "frontend.exported", "frontend.auto_parallel", ""),
}

# Modules that hold a part of their parent's names in MindSpore; here each knows all of them.
_PARTS = {
    "dataset": "engine",
    "dataset.engine": "cache_client datasets datasets_standard_format datasets_text datasets_user_defined "
    "datasets_vision iterators samplers",
    "experimental.optim": "adadelta adagrad adam adamax adamw asgd nadam optimizer radam rmsprop rprop sgd",
    "hal": "device event memory stream",
    "mindrecord": "filereader filewriter",
    "nn": "cell dynamic_lr layer learning_rate_schedule loss metrics optim utils wrap",
    "nn.layer": "activation basic channel_shuffle combined container conv dense embedding image math normalization "
    "padding pooling rnn_cells rnns timedistributed transformer",
    "nn.loss": "loss",
    "nn.optim": "ada_grad adadelta adafactor adam adamax adasum asgd ftrl lamb lars lazyadam momentum optimizer "
    "proximal_ada_grad rmsprop rprop sgd thor",
    "nn.wrap": "cell_wrapper grad_reducer loss_scale",
    "numpy": "array_creations array_ops logic_ops math_ops",
    "ops": "auto_generate composite deprecated function functional functional_overload operations primitive",
    "ops.auto_generate": "gen_extend_func gen_ops_def gen_ops_prim pyboost_inner_prim",
    "ops.composite": "base math_ops multitype_ops",
    "ops.composite.multitype_ops": "add_impl div_impl equal_impl floordiv_impl greater_equal_impl greater_impl "
    "less_equal_impl less_impl logical_and_impl logical_not_impl logical_or_impl mod_impl mul_impl negative_impl "
    "not_equal_impl ones_like_impl pow_impl sub_impl zeros_like_impl",
    "ops.function": "array_func clip_func debug_func fft_func image_func linalg_func math_func nn_func other_func "
    "parameter_func random_func sparse_func spectral_func vmap_func",
    "ops.operations": "_grad_ops _inner_ops _quant_ops _rl_inner_ops _scalar_ops _sequence_ops array_ops comm_ops "
    "control_ops debug_ops image_ops inner_ops linalg_ops manually_defined math_ops nn_ops other_ops random_ops "
    "sparse_ops spectral_ops",
    "ops.operations.manually_defined": "ops_def",
    "parallel": "_auto_parallel_context _utils algo_parameter_config",
    "profiler": "experimental_config profiler",
    "profiler.common": "constant",
    "runtime": "device event executor memory stream",
    "train": "callback dataset_helper model",
    "train.callback": "_callback _checkpoint _early_stop _history _lambda_callback _loss_monitor "
    "_lr_scheduler_callback _reduce_lr_on_plateau _summary_collector _time_monitor",
    "train.summary": "summary_record",
    "train.metrics": "accuracy confusion_matrix error fbeta loss metric perplexity precision recall topk",
}  # fmt: skip

for _parent, _names in _PARTS.items():
    for _name in _names.split():
        MODULES[f"{_parent}.{_name}"] = MODULES[_parent]
MODULES["ops.functional_overload"] = ("frontend.mint", "frontend.ops")
MODULES["ops.primitive"] = ("frontend.ops", "frontend.inlining")
MODULES["ops.functional"] = ("frontend.ops", "frontend.ops.containers")
for _name in ("_inner_ops", "_scalar_ops", "_sequence_ops"):
    MODULES[f"ops.operations.{_name}"] = ("frontend.ops", "frontend.ops.containers")
MODULES["ops.composite.multitype_ops"] = ("frontend.ops.multitype", "frontend.ops")
