// What LU is made from, with pivots of either kind.
#pragma once

#include "factors_data.hpp"

namespace ddla::factor {

/// A by columns, how it is scaled, and the order of its columns.
template <scalar V>
struct lu_analysis {
    sparse_columns<V> columns;
    bool is_finite = true;
    exponents scaling;
    /// With these more, entries of a matched diagonal are about 1, others 1 at most; empty: the
    /// diagonal is that of A.
    exponents balance = {};
    elimination_order order = {};
    /// Of LU whose pivots are those of the diagonal, by the symmetrised pattern, at most; infinity
    /// where there is no diagonal to begin with, of which a tenth may be missing.
    double static_operations = std::numeric_limits<double>::infinity();
};

/// For factors in F; work_of_operation: as order_choice has it.  Cost: that of the order, mostly.
template <scalar F, scalar V>
lu_analysis<V> analyse_lu(const csr<V>& a, const options& o,
                          double work_of_operation = detail::work_in_order<F>)
{
    lu_analysis<V> l{.columns = columns_of(a), .scaling = {}};
    l.is_finite = detail::all_finite(l.columns);
    if (!l.is_finite) return l;
    l.scaling = scaling_of(l.columns, o.scale);
    l.order = detail::order_for<F>(l.columns, l.scaling, o, &l.balance, work_of_operation);
    // A diagonal of a matching that is not perfect lacks entries for good.
    const bool is_whole = !l.order.is_matched || !l.balance.row.empty();
    if (!o.scale) l.balance = {};
    const bool has_diagonal =
        is_whole && !l.order.preferred.empty() &&
        (l.order.used == ordering::amd || l.order.used == ordering::dissection);
    if (has_diagonal && l.order.operations == 0)
        l.order.operations = operations_of(pattern_of(l.columns), l.order);
    if (has_diagonal || a.rows == 0) l.static_operations = 2 * l.order.operations;
    return l;
}

}  // namespace ddla::factor
