"""The modules of MindSpore that mycel has names for, and where these names are found."""

from __future__ import annotations

# MindSpore's module (without "mindspore.") -> where its names are found, in this order; "" is the package itself.
MODULES: dict[str, tuple[str, ...]] = {
    "graph": (
        "frontend.api.jit",
        "library.mindspore.executors",
        "frontend.api.inlining",
        "library.mindspore.common_names",
        "",
    ),
    "graph.api": (
        "frontend.api.jit",
        "library.mindspore.executors",
        "frontend.api.inlining",
        "library.mindspore.common_names",
        "",
    ),
    "common.jit_begin_end": ("library.mindspore.common_names",),
    "_extends": ("library.mindspore.common_names",),
    "graph._utils": ("library.mindspore.common_names",),
    "graph._utils.cell_attr_register": ("library.mindspore.common_names",),
    "common._grad_function": ("library.mindspore.custom_function",),
    "common.generator": ("library.mindspore.random_state", "library.functions.random", "frontend.api.jit"),
    "communication._comm_helper": ("library.distributed.communication", "library.mindspore.parallel_names"),
    "device_context": ("library.mindspore.device_context",),
    "device_context.ascend": ("library.mindspore.device_context",),
    "device_context.gpu": ("library.mindspore.device_context",),
    "device_context.cpu": ("library.mindspore.device", "library.mindspore.device_context"),
    "device_manager": ("library.mindspore.device", "frontend.api.context"),
    "boost": ("library.nn.boost",),
    "ops.op_info_register": ("library.mindspore.kernel_info",),
    "train._utils": ("library.train.internal_names",),
    "train.train_thor": ("library.train", "library.train.internal_names"),
    "_c_expression": ("library.mindspore.internals", "library.mindspore.switches"),
    "common.np_dtype": ("library.mindspore.switches",),
    "multiprocessing": ("library.mindspore.processes",),
    "_c_expression.security": ("library.mindspore.internals",),
    "_c_expression.typing": ("library.mindspore.internals", "library.mindspore.kinds", "frontend.values.dtype_names"),
    "_checkparam": ("frontend.api.checks", "library.mindspore.checks_more", "library.mindspore.internals"),
    "amp": ("library.train.amp", "library.train.loss_scaling", "library.train.internal_names"),
    "common": (
        "",
        "library.initializer",
        "frontend.api.inlining",
        "runtime.dtypes",
        "library.mindspore.kinds",
        "library.mindspore.random_state",
        "library.mindspore.common_names",
    ),
    "common._decorator": ("frontend.api.inlining",),
    "common._register_for_tensor": ("library.mindspore.internals",),
    "common._stub_tensor": ("library.mindspore.internals",),
    "common._utils": ("library.mindspore.internals",),
    "common.api": (
        "frontend.api.jit",
        "library.mindspore.executors",
        "frontend.api.inlining",
        "library.mindspore.common_names",
        "",
    ),
    "common.dtype": ("frontend.values.dtype_names", "library.mindspore.kinds"),
    "common.dynamic_shape": ("frontend.api.inlining",),
    "common.dynamic_shape.enable_dynamic": ("frontend.api.inlining",),
    "common.hook_handle": ("frontend.values.cell",),
    "common.initializer": ("library.initializer", "library.mindspore.initializing"),
    "common.jit_config": ("frontend.api.context",),
    "common.lazy_inline": ("frontend.api.inlining",),
    "common.mutable": ("frontend.values.mutable",),
    "common.no_inline": ("frontend.api.inlining",),
    "common.parameter": (
        "frontend.values.parameter",
        "library.mindspore.common_names",
        "library.mindspore.parallel_names",
    ),
    "common.recompute": ("",),
    "common.seed": ("library.ops", "library.functions.random"),
    "common.sparse_tensor": ("library.mindspore.sparse",),
    "common.symbol": ("frontend.api.inlining",),
    "common.tensor": ("frontend.values.tensor", "library.mindspore.sparse"),
    "communication": ("library.distributed.communication",),
    "communication.comm_func": ("library.distributed.comm_func", "library.distributed.communication"),
    "communication.management": ("library.distributed.communication",),
    "context": (
        "frontend.api.context",
        "library.distributed.parallel",
        "library.mindspore.parallel_names",
        "library.train.internal_names",
    ),
    "dataset": ("library.dataset",),
    "dataset.audio": ("library.dataset.audio",),
    "dataset.audio.transforms": ("library.dataset.audio",),
    "dataset.audio.utils": ("library.dataset.audio",),
    "dataset.config": ("library.dataset.config",),
    "dataset.core": ("library.dataset",),
    "dataset.core.config": ("library.dataset.config",),
    "dataset.debug": ("library.dataset.debug",),
    "dataset.debug.debug_hook": ("library.dataset.debug",),
    "dataset.debug.pre_defined_hook": ("library.dataset.debug",),
    "dataset.engine.serializer_deserializer": ("library.dataset.serializing",),
    "dataset.text": ("library.dataset.text",),
    "dataset.text.transforms": ("library.dataset.text",),
    "dataset.text.utils": ("library.dataset.text",),
    "dataset.transforms": ("library.dataset.transforms",),
    "dataset.transforms.c_transforms": ("library.dataset.transforms",),
    "dataset.transforms.py_transforms": ("library.dataset.transforms", "library.dataset.operations"),
    "dataset.transforms.transforms": ("library.dataset.transforms", "library.dataset.operations"),
    "dataset.vision": ("library.dataset.vision",),
    "dataset.vision.c_transforms": ("library.dataset.vision",),
    "dataset.vision.py_transforms_util": ("library.dataset.vision.plain_functions", "library.dataset.vision.base"),
    "dataset.vision.transforms": ("library.dataset.vision", "library.dataset.operations"),
    "dataset.vision.utils": ("library.dataset.vision",),
    "experimental": ("library.experimental",),
    "experimental.optim": ("library.experimental.optim",),
    "experimental.optim.lr_scheduler": ("library.experimental.schedules",),
    "hal": ("library.mindspore.device",),
    "log": ("library.log",),
    "mindrecord": ("library.mindrecord",),
    "mint": ("library.mint",),
    "mint.distributed": ("library.distributed.process_groups", "library.distributed.tensor_collectives"),
    "mint.distributed.distributed": ("library.distributed.process_groups", "library.distributed.tensor_collectives"),
    "mint.linalg": ("library.mint.linalg",),
    "mint.nn": ("library.mint.nn",),
    "mint.nn.functional": ("library.mint.functional",),
    "mint.optim": ("library.experimental.mint_optim",),
    "mint.special": ("library.mint.special",),
    "nn": ("library.nn", "library.nn.gradient_cells"),
    "nn.probability": ("library.nn.probability",),
    "nn.probability.bijector": ("library.nn.probability.bijector",),
    "nn.probability.distribution": ("library.nn.probability.distribution",),
    "numpy": ("library.numpy",),
    "numpy.fft": ("library.numpy.fft",),
    "ops": ("library.ops", "library.mindspore.kernel_info", "library.mindspore.operations", "library.nn.fractional"),
    "ops.communication": ("library.distributed.process_groups", "library.distributed.tensor_collectives"),
    "ops._primitive_cache": ("library.ops.primitives.cache",),
    "ops.signature": ("library.ops.primitives.signatures",),
    "parallel": (
        "library.distributed.parallel",
        "library.distributed.auto_parallel",
        "library.mindspore.parallel_names",
    ),
    "parallel.auto_parallel": ("library.distributed.auto_parallel",),
    "parallel.nn": ("library.nn.parallel_cells",),
    "parallel.shard": ("library.distributed.parallel",),
    "profiler": ("library.reports.profiler",),
    "profiler.common": ("library.reports.profiler",),
    "rewrite": ("library.rewrite",),
    "rewrite.api": ("library.rewrite",),
    "rewrite.api.pattern_engine": ("library.rewrite",),
    "rewrite.api.node": ("library.rewrite",),
    "rewrite.api.node_type": ("library.rewrite",),
    "rewrite.api.scoped_value": ("library.rewrite",),
    "rewrite.api.symbol_tree": ("library.rewrite.symbol_tree",),
    "scipy": ("library.scipy",),
    "scipy.linalg": ("library.scipy.linalg",),
    "runtime": ("library.mindspore.device", "library.distributed.auto_parallel", "runtime"),
    "train": (
        "library.train",
        "library.reports.callbacks",
        "library.train.internal_names",
        "library.saving.exported",
        "library.distributed.auto_parallel",
    ),
    "train.amp": ("library.train.amp", "library.train.loss_scaling", "library.train.internal_names"),
    "train.loss_scale_manager": ("library.train.loss_scaling",),
    "train.metrics": ("library.nn",),
    "train.summary": ("library.reports.summary",),
    "train.serialization": (
        "library.train",
        "library.saving.exported",
        "library.distributed.auto_parallel",
        "",
        "library.mindspore.switches",
        "library.train.internal_names",
    ),
}

# Modules that hold a part of their parent's names in MindSpore; here each knows all of them.
_PARTS = {
    "boost": "adasum base boost boost_cell_wrapper dim_reduce grad_accumulation grad_freeze group_loss_scale_manager "
    "less_batch_normalization",
    "dataset": "callback callback.ds_callback engine",
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
    "ops.function": "array_func clip_func debug_func fft_func grad image_func linalg_func math_func nn_func other_func "
    "grad.grad_func parameter_func random_func sparse_func spectral_func vmap_func",
    "ops.operations": "_grad_ops _inner_ops _quant_ops _rl_inner_ops _scalar_ops _sequence_ops array_ops comm_ops "
    "control_ops debug_ops image_ops inner_ops linalg_ops manually_defined math_ops nn_ops other_ops random_ops "
    "sparse_ops spectral_ops",
    "ops.operations.manually_defined": "ops_def",
    "device_context.ascend": "device op_debug op_precision op_tuning",
    "device_context.cpu": "device op_tuning",
    "device_context.gpu": "device op_precision op_tuning",
    "parallel": "_auto_parallel_context _cost_model_context _ps_context _utils algo_parameter_config",
    "profiler": "experimental_config profiler",
    "profiler.common": "constant",
    "runtime": "device event executor memory stream",
    "train": "callback dataset_helper model",
    "train.callback": "_callback _flops_collector _on_request_exit _checkpoint _early_stop _history _lambda_callback "
    "_loss_monitor _lr_scheduler_callback _reduce_lr_on_plateau _summary_collector _time_monitor",
    "train.summary": "summary_record",
    "train.metrics": "accuracy confusion_matrix error fbeta loss metric perplexity precision recall topk",
}  # fmt: skip

for _parent, _names in _PARTS.items():
    for _name in _names.split():
        MODULES[f"{_parent}.{_name}"] = MODULES[_parent]
for _name in ("layer.activation", "layer.rnn_cells", "loss.loss", "wrap.cell_wrapper", "wrap.loss_scale"):
    MODULES[f"nn.{_name}"] = (
        "library.nn",
        "library.nn.internal_names",
        "library.nn.recurrent",
        "library.nn.normalization",
    )
MODULES["nn.layer.normalization"] = ("library.nn", "library.nn.normalization")
for _name in ("nn.grad", "nn.grad.cell_grad"):
    MODULES[_name] = ("library.nn.gradient_cells",)
MODULES["ops.function.nn_func"] = (*MODULES["ops"], "library.functions.attention_forward", "library.nn.fractional")
for _name in ("graph._parse", "graph._parse.trope", "_extends.parse", "_extends.parse.trope"):
    MODULES[_name] = ("library.mindspore.operations", "library.functions.multitype")
MODULES["dtype"] = MODULES["common.dtype"]
MODULES["ops.functional_overload"] = ("library.mint", "library.ops")
MODULES["ops.primitive"] = ("library.ops", "frontend.api.inlining")
MODULES["ops.functional"] = ("library.ops", "library.functions.containers")
for _name in ("_inner_ops", "_scalar_ops", "_sequence_ops"):
    MODULES[f"ops.operations.{_name}"] = (*MODULES["ops"], "library.functions.containers")
MODULES["ops.composite.multitype_ops"] = ("library.functions.multitype", "library.ops")

# What `mindspore` itself has beside what `mycel` has.
ROOT = (
    "", "library.mindspore.kinds", "library.mindspore.random_state", "library.mindspore.common_names",
    "library.mindspore.device", "library.mindspore.parallel_names", "library.mindspore.custom_function",
    "library.train.internal_names",
)  # fmt: skip
# What MindSpore's own modules import from others, so that programs find it there: modules by the names they have there,
ALIASES = {
    "C": "mindspore.ops.composite",
    "F": "mindspore.ops.functional",
    "G": "mindspore.ops.operations._grad_ops",
    "P": "mindspore.ops.operations",
    "Validator": "mindspore._checkparam",
    "context": "mindspore.context",
    "inner": "mindspore.ops.operations._inner_ops",
    "logger": "mindspore.log",
    "math": "math",
    "mint": "mindspore.mint",
    "mnp": "mindspore.numpy",
    "ms": "mindspore",
    "mstype": "mindspore.common.dtype",
    "nn": "mindspore.nn",
    "np": "numpy",
    "ops": "mindspore.ops",
    "os": "os",
    "validator": "mindspore._checkparam",
}
# and where their other names are found.
COMMON = (
    "", "library.ops", "library.initializer", "library.distributed.parallel", "library.distributed.communication",
    "frontend.api.checks",
)  # fmt: skip
