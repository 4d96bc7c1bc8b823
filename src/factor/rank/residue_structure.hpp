// Where L and U modulo a prime have their numbers: order, rows of the diagonal, supernodes.
#pragma once

#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/static_factors.hpp"
#include "factor/supernodal/static_order.hpp"
#include "factor/symmetric/symmetric_order.hpp"

#include <numeric>

namespace ddla::factor {

/// A by columns, the rows that are their diagonal, and what L and U store.
template <scalar V>
struct residue_structure {
    sparse_columns<V> columns;
    std::vector<column_t> diagonal;
    supernodes parts;
    ordering used = ordering::automatic;
};

namespace detail {

/// Of a symmetric A rows that need each other as pivots, as in saddle points, stay together.
template <scalar V>
bool find_pairs(const csr<V>& a, const static_options& o, residue_structure<V>& s)
{
    if (!is_symmetric(a, o.common.run)) return false;
    s.columns = columns_of_symmetric(a, o.common.run);
    const symmetric_order order =
        order_symmetric(s.columns, false, true, o.common.most_operations, ordering::automatic,
                        {work_in_static_order<double>, o.common.run});
    if (!order.exists || !order.has_matching) return false;
    s.parts = supernodes_of_pivots(pattern_of(s.columns), order);
    s.diagonal.resize(as_size(a.rows));
    std::iota(s.diagonal.begin(), s.diagonal.end(), 0);
    return true;
}

}  // namespace detail

/// complete, not_finite or unsuited: A has fewer than the least operations, or no diagonal.
template <scalar V>
factor_end find_residue_structure(const csr<V>& a, const static_options& o, residue_structure<V>& s)
{
    if (detail::find_pairs(a, o, s))
        return 2 * s.parts.exact_operations >= o.least_operations ? factor_end::complete
                                                                  : factor_end::unsuited;
    auto l = analyse_lu<double>(a, o.common, work_in_static_order<double>);
    if (!l.is_finite) return factor_end::not_finite;
    if (!(l.static_operations >= o.least_operations && l.static_operations < HUGE_VAL))
        return factor_end::unsuited;
    s.parts = supernodes_on_diagonal(l.columns, l.order);
    s.used = l.order.used;
    s.diagonal = std::move(l.order.preferred);
    s.columns = std::move(l.columns);
    return factor_end::complete;
}

}  // namespace ddla::factor
