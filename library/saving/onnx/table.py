"""The mapping of each op to ONNX operators, and the ops that have none."""

from __future__ import annotations

from . import control, elementwise, indexing, shapes, windows
from .writer import Rule

RULES: dict[str, Rule] = {**elementwise.RULES, **shapes.RULES, **indexing.RULES, **windows.RULES, **control.RULES}
"""By the op's name. Ops that are neither here nor in `WITHOUT` are defined by simpler ones (`Op.definition`)."""

_REASONS = {
    "it knows one process": (
        "all_gather all_reduce all_to_all broadcast broadcast_update exchange gather_to match_collectives receive "
        "reduce_scatter reduce_to scatter_from send synchronize"
    ),
    "it has no operators for factorizations of matrices": (
        "cholesky complement eig eigh geqrf householder_product inverse pivot_order pseudo_inverse qr slogdet solve "
        "solve_triangle svd"
    ),
    "it has no complex numbers": "complex conj dft half_dft imag real real_dft",
    "it has no such special function": (
        "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e "
        "bessel_y0 bessel_y1 betainc betainc_by_order digamma erfinv igamma igamma_by_order igammac lgamma polygamma "
        "zeta zeta_by_order"
    ),
    "it has no operators on the bits of numbers": "bit_count bitcast gcd nextafter",
    "its operators have no effects: they print, check and tell nothing": "assert_ print_ raise_ record",
    "it has no such distribution": (
        "random_gamma random_integers random_laplace random_multinomial random_permutation random_poisson "
        "random_truncated_normal"
    ),
    "it has no such operator, and none that it could be made of": (
        "adaptive_max_pool adaptive_max_pool_grad adaptive_max_pool_indices index_last "
        "scatter_elements_last unique_consecutive"
    ),
}

WITHOUT: dict[str, str] = {name: reason for reason, names in _REASONS.items() for name in names.split()}
"""Ops that have no form in ONNX, by name, and why."""
