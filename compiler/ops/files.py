"""Which file has which op: it is imported when the op is asked for.

tools/index.py writes this page, as `make stubs` does. A line begins with the file.
"""

from __future__ import annotations


def _places(text: str, package: str) -> dict[str, str]:
    """For each name its file."""
    found: dict[str, str] = {}
    for word in text.split():
        if word.endswith(":"):
            home = word[:-1]
            found[home] = home
        else:
            found[word] = home
    return found


PLACES = _places(
    """
activation: gelu log_sigmoid relu sigmoid softplus
along: take_along take_along_add
arithmetic: LARGEST_ROW absolute absolute_of_parts add clamp clip divide infer_real is_number maximum minimum multiply
multiply_add negative neutral reciprocal rsqrt sign sqrt square subtract within_range
assembling: assembled first_part in_box interleaved write_box
collectives: advance all_gather all_reduce all_reduce_start all_reduce_wait all_to_all broadcast broadcast_update
exchange gather_to match_collectives receive reduce_scatter reduce_to reduced_dtype scatter_from send synchronize
comparison: bitwise_and bitwise_not bitwise_or bitwise_xor equal greater greater_equal left_shift less less_equal
logical_and logical_not logical_or logical_xor not_equal right_shift same_inputs select
control: cond finish_cond infer_scan join_types kernel_scan record_cond scan while_loop
conversion: FEW_CAST assign assume_shape cast complex complex_dtype computed_outside conj copy imag in_single
infer_in_reals part real real_dtype separate stop_gradient
convolution: check_windows conv conv_input_grad conv_weight_grad either input_grad_as output_size product_conv
product_input_grad product_weight_grad weight_grad_as
counting: bincount distinct nonzero unique unique_consecutive
creation: constant full iota undefined zeros_as zeros_like zeros_of
cross_entropy: class_indices softmax_cross_entropy softmax_cross_entropy_grad
cumulative: check_axis cummax cummin cumprod cumsum linear_recurrence logcumsumexp run_sums running_maximum
running_minimum shift
custom: barrier custom_call recomputed
decompositions: LARGE cholesky complement eig eigenvalues eigh eigvals pseudo_inverse qr_factors singular_values svd
symmetrize triangular_factor
determinants: adjugate adjugate_slope determinant pivots slogdet
diagonals: MOST_CHOSEN MOST_MASKED diagonal diagonal_scatter flat_diagonal tril triu
discrete: bit_count bitcast floor_divide fmod gcd mask_bits nextafter remainder
effects: assert_ print_ raise_ record
einsum: einsum_plan parse_einsum
elementwise: acos acosh asin asinh atan atan2 atanh ceil cos cosh exp expm1 floor isfinite isinf isnan log log10 log1p
log2 logit power round sin sinh tan tanh trunc
error_functions: erf erfc erfinv erfinv_in_kernels polynomial samples_between special_function
extent: extent open_full open_iota
fourier: LONGEST_CHIRP SHORTEST_CHIRP by_chirps convenient dft dft_parts half_dft half_dft_parts real_dft
real_dft_parts
fused: fused kernel loop_kernel
gathering: dynamic_slice dynamic_update_slice take take_add
hurwitz: zeta zeta_by_order
incomplete: STEPS betainc betainc_by_order broadcast_in_float64 if_any igamma igamma_by_order igammac
index_batching: OPERAND inputs_of read_rows write_rows
index_plan: add_item get_item parse_index plan_assignment plan_index set_item symbol_type
indexing: MOST_ASSIGNED MOST_PAIRED MOST_SELECTED axes_of_positions index index_add index_key index_last index_update
may_repeat positions range_error
joining: SHORT_ROW concatenate pad_like part_like
linalg: attempt_small banded_matmul matmul paired_matmul pairs shared_matmul swap_last
loop_residuals: LEAST_RESIDUAL MOST_NODES computed_again
normalization: batch_norm batch_norm_grad
packed_factors: exchanges geqrf householder_product lu pivot_order
packing: pack unpack
parts: Parts have_one_shape minus of_choice of_each of_exact_product of_negative of_product of_sum plus
places: AT FEW LAST along_axis by_spec combine elements_along gather_by gathered identity scatter_by scattered
scattered_parts taken
pooling: adaptive_avg_pool adaptive_avg_pool_grad adaptive_max_pool adaptive_max_pool_grad adaptive_max_pool_indices
avg_pool avg_pool_grad max_pool max_pool_grad max_pool_indices
random: random_bernoulli random_exponential random_gamma random_integers random_laplace random_multinomial
random_normal random_permutation random_poisson random_truncated_normal random_uniform
reduction: LONGEST_SUM LONG_ROW MOST_APART MOST_BOOLS MOST_POSITIONS SHORT_BOOLS all any argmax argmin infer_reduction
max mean min no_axes prod reduction_op reduction_samples restore sum sum_as
regions: check_bound check_position infer_region
sampling: grid_sample resize resize_grad
scatter: gather_elements gather_nd one_hot scatter_elements scatter_elements_last scatter_nd segment_places
shape: broadcast_as broadcast_like broadcast_to drop_axes drop_axes_step expand_axes expand_dims flatten_axes
insert_axes insert_axes_step inverse_permutation merge_axes reshape reshape_as reshape_like squeeze
static_reshape_attr sum_like transpose
sharding: shard
slicing: check_fits normalize_slice pad reverse roll slice slice_axis sliced_size start_from update_slice
softmaxes: log_softmax logsumexp softmax
solving: HALVED SIDES all_finite always attempt_elimination emit_elimination halves inverse is_halved need_matrices
of_linalg of_ufunc scratch_of sizes_of solve solve_triangle square_samples square_type well_conditioned
sorting: MOST_COMPARED MOST_EXCHANGES MOST_HALVED SORTED_AT_ONCE argsort check_positions ordered searchsorted sort
topk
special: MOST_DERIVATIVES Terms bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e
bessel_k1 bessel_k1e bessel_y0 bessel_y1 by_kernel digamma digamma_in_float64 in_float64 lgamma lgamma_in_float64
polygamma polygamma_in_float64 trigamma_in_float64
turning: LEAST NARROW apart copied is_worth_turning turned
unfolding: blocks fold unfold
whole_means: FEWEST_GRAD FEWEST_IN_BLOCKS equal_windows mean_of_blocks mean_of_blocks_grad
""",
    "compiler.ops",
)
"""The file of each name of the package."""
