"""Names of `mindspore.rewrite` that mycel has for import only."""

NAMES = """\
[mindspore.rewrite]
class SparseFunc
function sparsify
from rewrite.api.node Node
from rewrite.api.node_type NodeType
from rewrite.api.pattern_engine PatternEngine PatternNode Replacement VarNode
from rewrite.api.scoped_value ScopedValue ValueType
from rewrite.api.symbol_tree SymbolTree
enum ArgType {'NONSPARSE': 1, 'CSR': 2, 'COO': 3, 'ANY': 4}
[mindspore.rewrite.api]
[mindspore.rewrite.api.node]
class Node NodeImpl SymbolTreeImpl
from rewrite.api.node_type NodeType
from rewrite.api.scoped_value ScopedValue
[mindspore.rewrite.api.node_type]
enum NodeType {'Unknown': 0, 'CallCell': 1, 'CallPrimitive': 2, 'CallModule': 3, 'CallFunction': 4, 'CallMethod': 5,
    'Python': 6, 'Input': 7, 'Output': 8, 'Tree': 9, 'CellContainer': 10, 'MathOps': 11, 'ControlFlow': 12}
[mindspore.rewrite.api.pattern_engine]
class PatternEngine PatternNode Replacement VarNode
from rewrite.api.node Node
from rewrite.api.node_type NodeType
from rewrite.api.symbol_tree SymbolTree
[mindspore.rewrite.api.scoped_value]
class ScopedValue
enum ValueType {'ConstantValue': 0, 'TupleValue': 20, 'ListValue': 21, 'DictValue': 22, 'NamingValue': 40,
    'CustomObjValue': 41, 'UnsupportedValue': 50}
[mindspore.rewrite.api.symbol_tree]
class Position SymbolTree SymbolTreeBuilder SymbolTreeImpl
object MsDtypes ParamTypes
from rewrite.api.node Node
[mindspore.rewrite.common]
[mindspore.rewrite.common.namespace]
class ModuleNamespace
function get_functional get_top_level_module_path is_functional is_ms_function is_subtree is_third_party
"""
