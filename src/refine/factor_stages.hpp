// Factors as stages of a solve use them.
#pragma once

#include "inverse.hpp"

#include "factor/factors.hpp"

#include "ddla/factorisation.hpp"

namespace ddla::refine {

/// A multiplication with a subtraction in double-double, in those of double.
constexpr double work_in_dd = 10;

/// Sees the part of the columns that is done; false ends the factorisation.
using factor_watch = std::function<bool(double done)>;

factor::ordering ordering_of(column_ordering o);

factor::options options_of(const factorisation_options& asked, bool in_double,
                           const factor_watch& watch);

template <scalar F, scalar V>
factor::factors<F> factor_in(const csr<V>& a, const factorisation_options& asked,
                             const factor_watch& watch)
{
    return factor::factors<F>::make(a, options_of(asked, words_of<F> == 1, watch));
}

inline bool passes_limits(factor::lu_end end)
{
    return end == factor::lu_end::over_work || end == factor::lu_end::over_memory;
}

/// "factors take more than 4e+09 operations (most_work), …"
std::string limit_text(const factor::report& about, const factorisation_options& asked);

/// Corrections by solves with these factors, which must outlive them.  Factors in double are
/// applied in double, to the high words: a correction needs no more.
approximate_inverse inverse_by(const factor::factors<double>& f);
approximate_inverse inverse_by(const factor::factors<dd_real>& f);
/// The same by factors in double that are applied in double-double.
approximate_inverse inverse_in_double_double(const factor::factors<double>& f);

}  // namespace ddla::refine
