"""The modules of MindSpore that mycel has names for, and where these names are found.

A line of a table has modules of MindSpore (without "mindspore.") and the modules where their names are looked up, in
this order: those of the library; after "/" those of another room; "/" is the package itself.
"""

from __future__ import annotations

_PLACES = """
_c_expression.amp: train.internal_names
_c_expression.security common._register_for_tensor common._stub_tensor common._utils: mindspore.internals
_c_expression.typing: mindspore.internals mindspore.kinds /frontend.values.dtype_names
_c_expression: mindspore.internals mindspore.switches
_checkparam: /frontend.api.checks mindspore.checks_more mindspore.internals
amp train.amp: train.amp train.loss_scaling train.internal_names
boost: nn.boost
common._decorator common.dynamic_shape common.dynamic_shape.enable_dynamic common.lazy_inline common.no_inline
  common.symbol: /frontend.api.inlining
common._grad_function: mindspore.custom_function
common.dtype: /frontend.values.dtype_names mindspore.kinds
common.generator: mindspore.random_state functions.random /frontend.api.jit
common.hook_handle: /frontend.values.cell
common.initializer: initializer mindspore.initializing
common.jit_begin_end _extends graph._utils graph._utils.cell_attr_register: mindspore.common_names
common.jit_config: /frontend.api.context
common.mutable: /frontend.values.mutable
common.np_dtype: mindspore.switches
common.parameter: /frontend.values.parameter mindspore.common_names mindspore.parallel_names
common.recompute: /
common.seed: ops functions.random
common.sparse_tensor: mindspore.sparse
common.tensor: /frontend.values.tensor mindspore.sparse mindspore.common_names
common: / initializer /frontend.api.inlining /runtime.dtypes mindspore.kinds mindspore.random_state
  mindspore.common_names mindspore.custom_function
communication communication.management: distributed.communication
communication._comm_helper: distributed.communication mindspore.parallel_names
communication.comm_func: distributed.comm_func distributed.communication
context: /frontend.api.context distributed.parallel mindspore.parallel_names train.internal_names mindspore.switches
dataset dataset.core: dataset
dataset.audio dataset.audio.transforms dataset.audio.utils: dataset.audio
dataset.config dataset.core.config: dataset.config
dataset.debug dataset.debug.debug_hook dataset.debug.pre_defined_hook: dataset.debug
dataset.engine.serializer_deserializer: dataset.serializing
dataset.text dataset.text.transforms dataset.text.utils: dataset.text
dataset.transforms dataset.transforms.c_transforms: dataset.transforms
dataset.transforms.py_transforms dataset.transforms.transforms: dataset.transforms dataset.operations
dataset.vision dataset.vision.c_transforms dataset.vision.utils: dataset.vision
dataset.vision.py_transforms_util: dataset.vision.plain_functions dataset.vision.base
dataset.vision.transforms: dataset.vision dataset.operations
device_context device_context.ascend device_context.gpu: mindspore.device_context
device_context.cpu: mindspore.device mindspore.device_context
device_manager: mindspore.device /frontend.api.context
experimental.optim.lr_scheduler: experimental.schedules
experimental.optim: experimental.optim
experimental: experimental
graph graph.api common.api: /frontend.api.jit mindspore.executors /frontend.api.inlining mindspore.common_names /
hal: mindspore.device
log: log
mindrecord: mindrecord
mint.distributed mint.distributed.distributed ops.communication: distributed.process_groups
  distributed.tensor_collectives
mint.linalg: mint.linalg
mint.nn.functional: mint.functional
mint.nn: mint.nn
mint.optim: experimental.mint_optim
mint.special: mint.special
mint: mint
multiprocessing: mindspore.processes
nn.probability.bijector: nn.probability.bijector
nn.probability.distribution: nn.probability.distribution
nn.probability: nn.probability
nn: nn nn.gradient_cells
numpy.fft: numpy.fft
numpy: numpy
ops._primitive_cache: ops.primitives.cache
ops.op_info_register: mindspore.kernel_info
ops.signature: ops.primitives.signatures
ops: ops mindspore.kernel_info mindspore.operations nn.fractional
parallel.auto_parallel: distributed.auto_parallel
parallel.nn: nn.parallel_cells
parallel.shard: distributed.parallel
parallel: distributed.parallel distributed.auto_parallel mindspore.parallel_names
profiler profiler.common: reports.profiler
rewrite rewrite.api rewrite.api.node rewrite.api.node_type rewrite.api.scoped_value: rewrite
rewrite.api.pattern_engine: rewrite.patterns
rewrite.common rewrite.common.namespace: rewrite.nodes
rewrite.api.symbol_tree: rewrite.symbol_tree
runtime: mindspore.device distributed.auto_parallel /runtime
scipy.fft: scipy.fft
scipy.linalg: scipy.linalg
scipy.optimize: scipy.optimize
scipy: scipy
train._utils: train.internal_names
train.loss_scale_manager: train.loss_scaling
train.metrics: nn
train.serialization: train saving.exported saving.serialization distributed.auto_parallel / mindspore.switches
  train.internal_names
train.summary: reports.summary
train.train_thor: train train.internal_names
train: train reports.callbacks train.internal_names saving.exported distributed.auto_parallel
"""

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
}


# Parts whose names are found elsewhere than those of their parents.
_PARTS_ELSEWHERE = """
dtype: /frontend.values.dtype_names mindspore.kinds
graph._parse graph._parse.trope _extends.parse _extends.parse.trope: mindspore.operations functions.multitype
nn.grad nn.grad.cell_grad: nn.gradient_cells
nn.layer.activation nn.layer.rnn_cells nn.loss.loss nn.wrap.cell_wrapper nn.wrap.loss_scale: nn nn.internal_names
  nn.recurrent nn.normalization
nn.layer.container: nn mindspore.function_parts
nn.layer.normalization: nn nn.normalization
ops.composite.multitype_ops: functions.multitype ops
ops.function.nn_func: ops mindspore.kernel_info mindspore.operations nn.fractional functions.attention_forward
  mindspore.function_parts
ops.functional: ops functions.containers
ops.functional_overload: mint ops
ops.operations._inner_ops ops.operations._scalar_ops ops.operations._sequence_ops: ops mindspore.kernel_info
  mindspore.operations nn.fractional functions.containers
ops.primitive: ops /frontend.api.inlining
train.summary.summary_record: reports.summary reports.summary_data
"""


def _places(text: str) -> tuple[str, ...]:
    return tuple(place[1:] if place.startswith("/") else f"library.{place}" for place in text.split())


def _read(table: str) -> dict[str, tuple[str, ...]]:
    """The places of each module of a table."""
    rows = (line.partition(":") for line in table.strip().replace("\n ", "").split("\n"))
    return {module: _places(places) for modules, _, places in rows for module in modules.split()}


MODULES = _read(_PLACES)
"""MindSpore's module -> where its names are found."""
for _parent, _names in _PARTS.items():
    MODULES |= dict.fromkeys((f"{_parent}.{_name}" for _name in _names.split()), MODULES[_parent])
MODULES |= _read(_PARTS_ELSEWHERE)

# What `mindspore` itself has beside what `mycel` has.
ROOT = _places(
    "/ mindspore.kinds mindspore.random_state mindspore.common_names mindspore.device mindspore.parallel_names "
    "mindspore.custom_function train.internal_names"
)
# What MindSpore's own modules import from others, so that programs find it there: modules by the names they have there,
_ALIASES = """
    C=mindspore.ops.composite F=mindspore.ops.functional G=mindspore.ops.operations._grad_ops
    P=mindspore.ops.operations Validator=mindspore._checkparam context=mindspore.context
    inner=mindspore.ops.operations._inner_ops logger=mindspore.log math=math mint=mindspore.mint mnp=mindspore.numpy
    ms=mindspore mstype=mindspore.common.dtype nn=mindspore.nn np=numpy ops=mindspore.ops os=os
    validator=mindspore._checkparam
"""
ALIASES = dict(alias.split("=") for alias in _ALIASES.split())
# and where their other names are found.
COMMON = _places("/ ops initializer distributed.parallel distributed.communication /frontend.api.checks")
