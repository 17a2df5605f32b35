"""Names of `mindspore._extends` that mycel has for import only."""

NAMES = """\
[+1]
function can_constant_fold check_attr_is_property check_attrs check_event_record_wait check_is_subclass check_obj_bool
    convert_cell_list_to_sequence convert_class_to_function convert_to_ms_cootensor convert_to_ms_csrtensor
    convert_to_ms_tensor convert_to_mutable convert_to_namedtuple create_instance create_slice_obj eval_script
    expand_expr_statement generate_lambda_object generate_scope get_arg_spec_and_default_values get_args
    get_args_default_values get_ast_augassign_namespace_symbol get_ast_namespace_symbol get_ast_type
    get_attr_from_object get_bprop_method_of_class get_class_instance_type get_class_member_namespace_symbol
    get_const_abs get_const_len get_const_round get_dtype get_global_params get_method_info get_module_namespace
    get_ms_class_name get_node_type get_obj_defined_from_obj_type get_obj_from_sequence get_obj_id get_obj_type
    get_object_description get_object_key get_operation_namespace_symbol get_operation_symbol
    get_original_cell_construct get_parse_method_of_class get_scope_name get_script_id_attrs get_type hook_wrapper
    is_cell_list is_class_member_of_self is_class_member_recursive is_class_type is_from_third_party_library
    is_supported_create_instance_type mark_deprecated ms_isinstance parse_cb python_isinstance resolve_symbol
class Parser
object absolute_import
[mindspore._extends]
object absolute_import
[mindspore._extends.ast_checker]
class AstChecker
[mindspore._extends.builtin_operations]
function Depend DynamicBroadcastGradientArgs Load OnesLike ScalarAdd ScalarMod ScalarMul ScalarSub ScalarUsub
    StopGradient StridedSlice Switch TensorShape TupleGetItem UpdateState bool_and bool_not bool_or identity
    list_getitem list_len make_list mark_deprecated mixed_precision_cast scalar_cast scalar_eq scalar_gt scalar_le
    scalar_lt scalar_ne tuple_to_array typeof zeros_like_tensor
class CTensor
object absolute_import
[mindspore._extends.parse]
like +1
[mindspore._extends.parse.parser]
like +1
value AST_MAIN_TYPE_STMT 0
class ClassMemberNamespace ClosureNamespace ModuleNamespace Namespace
value RESOLVE_TYPE_METHOD 2
value AST_SUB_TYPE_AND 3
value RESOLVE_TYPE_NUMPY_FLOAT_NUMBER 7
value RESOLVE_TYPE_FUNCTION 1
value SYMBOL_UNDEFINE 255
value RESOLVE_TYPE_NUMPY_BOOL_NUMBER 8
value SYNTAX_HYBRID_TYPE 3
value AST_SUB_TYPE_OR 4
value AST_MAIN_TYPE_UNKNOWN 255
value SYNTAX_UNSUPPORTED_NAMESPACE 4
value RESOLVE_TYPE_LIST 10
function is_lambda_function
value AST_SUB_TYPE_ATTRIBUTE 10
value CLASS_INSTANCE_TYPE_PRIMITIVE 1
value RESOLVE_TYPE_NAMESPACE_INSTANCE 5
value RESOLVE_TYPE_CLASS_INSTANCE 4
value RESOLVE_TYPE_BUILTIN_METHOD 11
value AST_SUB_TYPE_STARRED 9
value CLASS_INSTANCE_TYPE_INVALID 255
value SYNTAX_SUPPORTED 0
value parse_expr_statement_white_list ('append', 'insert', 'clear', 'reverse', 'extend', 'update', 'register_hook')
value SYNTAX_UNSUPPORTED_INTERNAL_TYPE 1
value AST_SUB_TYPE_LIST 7
value AST_SUB_TYPE_NAME 5
value SYNTAX_UNSUPPORTED_EXTERNAL_TYPE 2
value CLASS_INSTANCE_TYPE_CELL 0
value RESOLVE_TYPE_EVENT 12
value RESOLVE_TYPE_INVALID 255
value AST_MAIN_TYPE_SLICE 2
value RESOLVE_TYPE_NONE 0
value CLASS_INSTANCE_TYPE_NUMPY_ARRAY 2
value AST_SUB_TYPE_UNKNOWN 255
value AST_MAIN_TYPE_EXPR 1
value AST_SUB_TYPE_DICT 11
value CLASS_INSTANCE_TYPE_TENSOR 3
value RESOLVE_TYPE_NUMPY_INT_NUMBER 6
value RESOLVE_TYPE_CLASS_TYPE 3
value RESOLVE_TYPE_TUPLE 9
value AST_SUB_TYPE_TUPLE 6
value AST_SUB_TYPE_SUBSCRIPT 8
object constant_fold_functions convert_class_to_function_map convert_object_map ops_symbol_map
    parse_augassign_object_map parse_object_map third_party_checker trope_ns
from graph.mutable mutable
from runtime.stream_limit StreamLimitCtx
from _extends.ast_checker AstChecker
[mindspore._extends.utils]
function cell_attr_register mark_deprecated
object absolute_import
"""
