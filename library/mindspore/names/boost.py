"""Names of `mindspore.boost` that mycel has for import only."""

NAMES = """\
[mindspore.boost]
object absolute_import
from boost.adasum AdaSum
from boost.base OptimizerProcess ParameterProcess
from boost.dim_reduce DimReduce
from boost.grad_freeze FreezeOpt GradientFreeze freeze_cell
from boost.group_loss_scale_manager GroupLossScaleManager
from boost.less_batch_normalization LessBN
[mindspore.boost.adasum]
cell AdaSum
object absolute_import
[mindspore.boost.base]
class OptimizerProcess ParameterProcess
object absolute_import
from boost.less_batch_normalization CommonHeadLastFN
[mindspore.boost.boost]
object absolute_import
from boost.base OptimizerProcess ParameterProcess
from boost.grad_freeze GradientFreeze
from boost.less_batch_normalization LessBN
[mindspore.boost.boost_cell_wrapper]
class AscendEnvChecker MSContext
function tensor_grad_scale tensor_grad_scale_row_tensor
instance ascend_grad_overflow grad_overflow
object absolute_import
from boost.adasum AdaSum
from boost.dim_reduce DimReduce
from boost.grad_freeze FreezeOpt freeze_cell
from common.sparse_tensor RowTensorInner
from ops.operations.math_ops NPUClearFloatStatusV2 NPUGetFloatStatusV2
from ops.operations.nn_ops AllFinite
[mindspore.boost.dim_reduce]
cell DimReduce
object absolute_import
[mindspore.boost.grad_accumulation]
object absolute_import division
[mindspore.boost.grad_freeze]
cell FreezeOpt
class GradientFreeze
function freeze_cell
object absolute_import division
from boost.base ParameterProcess
value CONTINUOUS_STRATEGY 0
value INTERVAL_STRATEGY 1
[mindspore.boost.group_loss_scale_manager]
cell GroupLossScaleManager
object absolute_import division
[mindspore.boost.less_batch_normalization]
cell CommonHeadLastFN LessBN
object absolute_import
"""
