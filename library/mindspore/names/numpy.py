"""Names of `mindspore.numpy` that mycel has for import only."""

NAMES = """\
[mindspore.numpy]
object absolute_import array_creations_module array_ops_module logic_module math_module
[mindspore.numpy.array_creations]
class MGridClass NdGrid OGridClass Tensor_
function copy_
instance asarray_const asfarray_const empty_compile nn_tril nn_triu tri_indices
object ARRAY_TYPES absolute_import division
value MAX_NUMPY_DIMS 32
[mindspore.numpy.array_ops]
cell UniqueNet
function roll_along_axis
instance convert_neg_indices
object absolute_import
value MAX_NUMPY_DIMS 32
[mindspore.numpy.dtypes]
object NINF PINF absolute_import all_types bool_ dtype_map dtype_tuple float16 float32 float64 float_ inf int16 int32
    int64 int8 int_ nan numeric_types promotion_rule rule_for_trigonometric uint uint16 uint32 uint64 uint8
value pi 3.141592653589793
[mindspore.numpy.fft]
object absolute_import
[mindspore.numpy.logic_ops]
object absolute_import
[mindspore.numpy.math_ops]
function check_gradient_arguments comput_avg compute_weights_for_mean divmod_ sum_
instance asarray_const
object ZERO_TENSOR absolute_import division dtype_map
from ops.composite.multitype_ops._compile_utils reduce_
[mindspore.numpy.utils]
object absolute_import
[mindspore.numpy.utils_const]
object absolute_import all_types dtype_map dtype_tuple promotion_rule rule_for_trigonometric
"""
