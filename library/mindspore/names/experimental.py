"""Names of `mindspore.experimental` that mycel has for import only."""

NAMES = """\
[mindspore.experimental]
object absolute_import
from experimental.map_parameter MapParameter
[mindspore.experimental.map_parameter]
class MapParameter MapTensor_ Tensor_
object absolute_import
[mindspore.experimental.optim]
object absolute_import
[mindspore.experimental.optim.adadelta]
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.adagrad]
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.adam]
instance adam_op
object absolute_import
[mindspore.experimental.optim.adamax]
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.adamw]
cell SpeedAdamW
function prepare_func
instance op_maximum op_mul op_pow op_sqrt
object absolute_import
[mindspore.experimental.optim.asgd]
instance op_assign op_assignadd op_cast op_maximum op_pow
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.nadam]
instance op_sqrt
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.optimizer]
function check_not_less_than check_not_less_than_without_equal
instance op_add op_gather op_mul
object absolute_import
[mindspore.experimental.optim.radam]
instance op_cast op_pow op_sqrt
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.rmsprop]
instance op_mul op_sqrt
object absolute_import
from experimental.optim.optimizer check_not_less_than check_not_less_than_without_equal
[mindspore.experimental.optim.rprop]
instance op_assign op_assignadd op_cast op_fill op_oneslike op_select op_sign
object absolute_import
from experimental.optim.optimizer check_not_less_than_without_equal
[mindspore.experimental.optim.sgd]
object absolute_import
"""
