// What is done to a matrix before it is factored incompletely: matching, scaling, order.
#pragma once

#include "factor/lu/factors_data.hpp"
#include "row_factors.hpp"
#include "row_scaling.hpp"

#include "ddla/error.hpp"

#include <optional>

namespace ddla::factor::detail {

/// Powers of two from the duals of a matching: matched entries come near 1, no other is far above.
inline exponents dual_scaling(const matching& m)
{
    const auto rounded_exponents = [](const std::vector<std::int64_t>& dual) {
        std::vector<int> e(dual.size());
        for (std::size_t k = 0; k < e.size(); ++k)
            e[k] = static_cast<int>((dual[k] + (1 << 23)) >> 24);
        return e;
    };
    return {rounded_exponents(m.row_dual), rounded_exponents(m.column_dual)};
}

/// An entry of A that its mirror image is not equal to.
struct asymmetry {
    column_t row, column;
    bool mirrored;  ///< the mirror image is stored
};

/// The one of the smallest column, or of the smallest row.
template <scalar V>
std::optional<asymmetry> asymmetry_of(const sparse_columns<V>& a)
{
    const sparse_columns<V> t = transposed(a);
    for (index_t j = 0; j < a.columns; ++j) {
        const index_t end = a.begin[as_size(j) + 1], mirrored_end = t.begin[as_size(j) + 1];
        const auto column = static_cast<column_t>(j);
        for (index_t k = a.begin[as_size(j)], l = t.begin[as_size(j)]; k < end || l < mirrored_end;
             ++k, ++l) {
            if (l == mirrored_end || (k < end && a.row[as_size(k)] < t.row[as_size(l)]))
                return asymmetry{a.row[as_size(k)], column, false};
            if (k == end || t.row[as_size(l)] < a.row[as_size(k)])
                return asymmetry{column, t.row[as_size(l)], false};
            if (!(t.value.get(l) == a.value.get(k)))
                return asymmetry{a.row[as_size(k)], column, true};
        }
    }
    return {};
}

/// Throws input_error with the place of an asymmetry.
template <scalar V>
void require_symmetric(const sparse_columns<V>& a)
{
    const std::optional<asymmetry> found = asymmetry_of(a);
    if (!found) return;
    const auto entry = [](column_t i, column_t j) {
        return "entry (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + ")";
    };
    throw input_error("IC(0) needs a symmetric matrix, but " + entry(found->row, found->column) +
                      (found->mirrored ? " differs from " : " is stored, not ") +
                      entry(found->column, found->row) + "; take ILU, which needs no symmetry");
}

/// Entry (row_of[k], column_of[l]) of A, scaled, at (k, l).
template <scalar F, scalar V>
sparse_rows<F> permuted(const sparse_columns<V>& a, const ordered_rows<F>& order)
{
    std::vector<column_t> place(as_size(a.rows));
    for (std::size_t k = 0; k < order.row_of.size(); ++k)
        place[as_size(order.row_of[k])] = static_cast<column_t>(k);
    sparse_rows<F> r;
    r.begin.assign(as_size(a.rows) + 1, 0);
    for (const column_t i : a.row) ++r.begin[as_size(place[as_size(i)]) + 1];
    std::partial_sum(r.begin.begin(), r.begin.end(), r.begin.begin());
    r.column.resize(a.row.size());
    r.value.resize_unfilled(a.entries());
    std::vector<index_t> next(r.begin.begin(), r.begin.end() - 1);
    for (std::size_t l = 0; l < order.column_of.size(); ++l) {
        const column_t j = order.column_of[l];
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k) {
            const column_t i = a.row[as_size(k)];
            const index_t to = next[as_size(place[as_size(i)])]++;
            r.column[as_size(to)] = static_cast<column_t>(l);
            r.value.set(to,
                        scaled(rounded<F>(a.value.get(k)),
                               order.scaling.row[as_size(i)] + order.scaling.column[as_size(j)]));
        }
    }
    return r;
}

/// Another order than that of A: columns are needed, and a copy.
template <scalar F, scalar V>
void reorder(const sparse_columns<V>& a, bool matches, const incomplete_options& o,
             ordered_rows<F>& r)
{
    std::vector<column_t> diagonal;
    if (matches) {
        const matching m = largest_product(a, o.most_operations);
        if (m.complete) diagonal = m.completed();
        if (m.complete && o.scale) r.scaling = dual_scaling(m);
        r.matched = m.complete;
    }
    const elimination_order order = order_columns(pattern_of(a), r.used, diagonal);
    const std::vector<column_t>& row = diagonal.empty() ? order.preferred : diagonal;
    r.column_of = order.column;
    r.row_of.reserve(r.column_of.size());
    for (const column_t j : r.column_of) r.row_of.push_back(row.empty() ? j : row[as_size(j)]);
    r.rows = permuted<F>(a, r);
}

/// Of clean rows.
template <scalar F, scalar V>
ordered_rows<F> ordered(const csr<V>& a, const incomplete_options& o)
{
    ordered_rows<F> r;
    const bool symmetric = o.kind == incomplete_kind::ic;
    r.scaling = symmetric && o.scale ? symmetric_scaling(a, o.run) : scaling_of(a, o.scale, o.run);
    const bool matches =
        !symmetric && (o.match == match_rows::always || (o.match == match_rows::automatic &&
                                                         !has_large_diagonal(a, r.scaling, o.run)));
    r.used = o.order == ordering::automatic ? ordering::natural : o.order;
    r.as_stored = !matches && r.used == ordering::natural;
    if (!r.as_stored) {
        reorder(columns_of(a), matches, o, r);
        return r;
    }
    r.row_of.resize(as_size(a.rows));
    std::iota(r.row_of.begin(), r.row_of.end(), column_t{0});
    r.column_of = r.row_of;
    return r;
}

}  // namespace ddla::factor::detail
