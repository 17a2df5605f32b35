"""Names of `mindspore.scipy` that mycel has for import only."""

NAMES = """\
[mindspore.scipy.fft]
function dct dctn idct idctn
object absolute_import division
from ops.auto_generate.gen_ops_prim DCT DCTN IDCT IDCTN
[mindspore.scipy.linalg]
function lu_pivots_to_permutation
object absolute_import
from ops.operations.linalg_ops Eigh
from scipy.ops LU SolveTriangular
[mindspore.scipy.ops]
class SolveTriangular
primitive Eig LU LinearSumAssignment
from ops.auto_generate.gen_ops_def solve_triangular
[mindspore.scipy.ops_grad]
function get_bprpo_eig get_bprpo_eigh
object bprop_getters
from ops.operations.linalg_ops Eigh
from scipy.ops Eig
from scipy.ops_wrapper matrix_set_diag
[mindspore.scipy.ops_wrapper]
function matrix_set_diag
[mindspore.scipy.optimize]
from scipy.optimize.line_search line_search
from scipy.optimize.linear_sum_assignment linear_sum_assignment
from scipy.optimize.minimize minimize
[mindspore.scipy.optimize._bfgs]
cell MinimizeBfgs
function minimize_bfgs
from scipy.optimize.line_search LineSearch
[mindspore.scipy.optimize._lagrange]
cell AugmentLagrangeMethod Loss
function check_tol minimize_lagrange
[mindspore.scipy.optimize._lbfgs]
cell SearchVector
class AlgorithmLbfgs
function minimize_lbfgs
from scipy.optimize.gradient_optimization_algorithm GradientOptimizationAlgorithm GradientOptimizationResults
[mindspore.scipy.optimize.gradient_optimization_algorithm]
class GradientOptimizationAlgorithm GradientOptimizationResults
from scipy.optimize.line_search LineSearch
[mindspore.scipy.optimize.line_search]
cell LineSearch
function line_search
[mindspore.scipy.optimize.linear_sum_assignment]
function linear_sum_assignment
from scipy.ops LinearSumAssignment
[mindspore.scipy.optimize.minimize]
class OptimizeResults
function lagrange_para_check minimize
from scipy.optimize._bfgs minimize_bfgs
from scipy.optimize._lagrange minimize_lagrange
from scipy.optimize._lbfgs minimize_lbfgs
[mindspore.scipy.utils]
function sparse_dot
instance pack
object division
[mindspore.scipy.utils_const]
class StringDict
function mstype_to_pytype
instance pack
object absolute_import
"""
