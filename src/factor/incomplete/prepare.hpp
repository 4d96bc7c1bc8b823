// What is done to a matrix before it is factored incompletely: matching, scaling, order.
#pragma once

#include "factor/factors_data.hpp"
#include "row_factors.hpp"

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

/// Powers of two by which the diagonal comes near 1, the same for a row and its column.
template <scalar V>
exponents symmetric_scaling(const sparse_columns<V>& a)
{
    std::vector<int> e(at(a.columns), 0);
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t k = a.begin[at(j)]; k < a.begin[at(j) + 1]; ++k)
            if (a.row[at(k)] == j) e[at(j)] = -(exponent_of(word<0>(a.value.get(k))) >> 1);
    return {e, e};
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
        const index_t end = a.begin[at(j) + 1], mirrored_end = t.begin[at(j) + 1];
        const auto column = static_cast<column_t>(j);
        for (index_t k = a.begin[at(j)], l = t.begin[at(j)]; k < end || l < mirrored_end;
             ++k, ++l) {
            if (l == mirrored_end || (k < end && a.row[at(k)] < t.row[at(l)]))
                return asymmetry{a.row[at(k)], column, false};
            if (k == end || t.row[at(l)] < a.row[at(k)])
                return asymmetry{column, t.row[at(l)], false};
            if (!(t.value.get(l) == a.value.get(k))) return asymmetry{a.row[at(k)], column, true};
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

/// Whether each |a_jj| is at least 2^-7 of the largest entry of its row, as scaled.
template <scalar V>
bool has_large_diagonal(const sparse_columns<V>& a, const exponents& scaling)
{
    std::vector<double> diagonal(at(a.columns), 0), largest(at(a.rows), 0);
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t k = a.begin[at(j)]; k < a.begin[at(j) + 1]; ++k) {
            const column_t i = a.row[at(k)];
            const double m = magnitude(scaled(rounded<double>(a.value.get(k)),
                                              scaling.row[at(i)] + scaling.column[at(j)]));
            largest[at(i)] = std::max(largest[at(i)], m);
            if (i == j) diagonal[at(j)] = m;
        }
    for (std::size_t j = 0; j < diagonal.size(); ++j)
        if (!(diagonal[j] > 0 && diagonal[j] >= 0x1p-7 * largest[j])) return false;
    return true;
}

/// Entry (row_of[k], column_of[l]) of A, scaled, at (k, l).
template <scalar F, scalar V>
sparse_rows<F> permuted(const sparse_columns<V>& a, const ordered_rows<F>& order)
{
    std::vector<column_t> place(at(a.rows));
    for (std::size_t k = 0; k < order.row_of.size(); ++k)
        place[at(order.row_of[k])] = static_cast<column_t>(k);
    sparse_rows<F> r;
    r.begin.assign(at(a.rows) + 1, 0);
    for (const column_t i : a.row) ++r.begin[at(place[at(i)]) + 1];
    std::partial_sum(r.begin.begin(), r.begin.end(), r.begin.begin());
    r.column.resize(a.row.size());
    r.value.resize(a.entries());
    std::vector<index_t> next(r.begin.begin(), r.begin.end() - 1);
    for (std::size_t l = 0; l < order.column_of.size(); ++l) {
        const column_t j = order.column_of[l];
        for (index_t k = a.begin[at(j)]; k < a.begin[at(j) + 1]; ++k) {
            const column_t i = a.row[at(k)];
            const index_t to = next[at(place[at(i)])]++;
            r.column[at(to)] = static_cast<column_t>(l);
            r.value.set(to, scaled(rounded<F>(a.value.get(k)),
                                   order.scaling.row[at(i)] + order.scaling.column[at(j)]));
        }
    }
    return r;
}

template <scalar F, scalar V>
ordered_rows<F> ordered(const sparse_columns<V>& a, const incomplete_options& o)
{
    ordered_rows<F> r;
    const bool symmetric = o.kind == incomplete_kind::ic;
    r.scaling = symmetric && o.scale ? symmetric_scaling(a) : scaling_of(a, o.scale);
    std::vector<column_t> diagonal;
    if (!symmetric && (o.match == match_rows::always ||
                       (o.match == match_rows::automatic && !has_large_diagonal(a, r.scaling)))) {
        const matching m = largest_product(a);
        diagonal = m.completed();
        if (o.scale) r.scaling = dual_scaling(m);
        r.matched = true;
    }
    r.used = o.order == ordering::automatic ? ordering::natural : o.order;
    const elimination_order order = order_columns(pattern_of(a), r.used, diagonal);
    const std::vector<column_t>& row = diagonal.empty() ? order.preferred : diagonal;
    r.column_of = order.column;
    r.row_of.reserve(r.column_of.size());
    for (const column_t j : r.column_of) r.row_of.push_back(row.empty() ? j : row[at(j)]);
    r.rows = permuted<F>(a, r);
    return r;
}

}  // namespace ddla::factor::detail
