# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.mint import *
from mycel.library.ops import *
from mycel.frontend.values.dispatch import cast as cast
from mycel.library.mint import (
    add as add, addcdiv as addcdiv, addcmul as addcmul, all as all, amax as amax, amin as amin, any as any,
    arange as arange, arcsin as arcsin, argmax as argmax, argmin as argmin, baddbmm as baddbmm, bmm as bmm,
    cat as cat, cdist as cdist, chunk as chunk, concat as concat, cummax as cummax, cummin as cummin,
    cumprod as cumprod, cumsum as cumsum, diag as diag, diff as diff, dot as dot, equal as equal,
    flatten as flatten, frac as frac, full as full, gather as gather, index_add as index_add,
    index_select as index_select, isnan as isnan, linspace as linspace, max as max, meshgrid as meshgrid,
    min as min, mv as mv, narrow as narrow, nonzero as nonzero, norm as norm, ones as ones, permute as permute,
    prod as prod, rand as rand, rand_like as rand_like, randn as randn, randn_like as randn_like,
    randperm as randperm, remainder as remainder, repeat_interleave as repeat_interleave, reshape as reshape,
    scatter as scatter, scatter_add as scatter_add, select as select, softmax as softmax, split as split,
    sqrt as sqrt, squeeze as squeeze, stack as stack, std as std, std_mean as std_mean, transpose as transpose,
    unbind as unbind, unique as unique, var as var, var_mean as var_mean, where as where,
)
from mycel.library.mint.draws import (
    bernoulli as bernoulli, multinomial as multinomial, normal as normal, randint as randint,
    randint_like as randint_like,
)
from mycel.library.mint.reductions import (
    argsort as argsort, count_nonzero as count_nonzero, kthvalue as kthvalue, mean as mean, median as median,
    sort as sort, topk as topk,
)
