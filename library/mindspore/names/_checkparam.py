"""Names of `mindspore._checkparam` that mycel has for import only."""

NAMES = """\
[mindspore._checkparam]
class Tensor_
function check_and_canonicalize_axes check_astype_dtype check_axis_type check_axis_valid check_coo_tensor_dtype
    check_coo_tensor_input check_coo_tensor_shape check_csr_tensor_dtype check_csr_tensor_input check_csr_tensor_shape
    check_element_type_of_dict check_file_name_by_regular check_flatten_order check_hook_fn check_input_dataset
    check_input_format check_output_data check_pad_value_by_mode check_positive_float_sequence check_reduce_shape
    check_reshape_shp check_scalar_or_tensor_types_same check_size_and_element_type_of_tuple check_sparse_tensor_input
    check_str_and_none_by_regular check_swapaxes_axis check_transpose_axis check_type_support check_valid_input
    expanded_shape infer_out_shape max_ min_ once_sequence prepare_shape_for_squeeze triple_sequence tuple_slice
    twice_sequence
object absolute_import
"""
