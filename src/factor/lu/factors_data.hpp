// What factors are made of.
#pragma once

#include "factors.hpp"

#include <memory>
#include <mutex>
#include <optional>

namespace ddla::factor::detail {

/// Made by the first thread that asks for it.
template <class X>
class lazy {
public:
    template <class Make>
    const X& get(const Make& make) const
    {
        std::call_once(once_, [&] { value_.emplace(make()); });
        return *value_;
    }

private:
    mutable std::once_flag once_;
    mutable std::optional<X> value_;
};

template <scalar F>
struct factors_data {
    report about;
    options wanted;
    exponents scaling;
    std::vector<column_t> row_of, column_of, pivot_of;
    triangle<F> lower, upper;
    sparse_rows<F> rest_of_lower;  ///< rows without pivot
    sparse_rows<F> rest_of_upper;  ///< columns without pivot, as rows
    lazy<triangle<F>> lower_transposed, upper_transposed;
    std::array<lazy<level_sets>, 4> levels;

    const triangle<F>& part(factor_part which) const
    {
        const auto transpose_of = [](const triangle<F>& t) {
            return triangle<F>{transposed(t.off_diagonal, t.rows()), t.pivot, !t.is_lower};
        };
        switch (which) {
        case factor_part::lower:
            return lower;
        case factor_part::upper:
            return upper;
        case factor_part::upper_transposed:
            return upper_transposed.get([&] { return transpose_of(upper); });
        default:
            return lower_transposed.get([&] { return transpose_of(lower); });
        }
    }
};

/// The matrix that is factored: its values in F, scaled.
template <scalar F, scalar V>
sparse_columns<F> scaled_columns(const sparse_columns<V>& a, const exponents& scaling)
{
    sparse_columns<F> s{a.rows, a.columns, a.begin, a.row, {}};
    s.value.resize_unfilled(a.entries());
    for (index_t j = 0; j < a.columns; ++j) {
        count_work(10 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k) {
            const int exponent =
                scaling.row[as_size(a.row[as_size(k)])] + scaling.column[as_size(j)];
            s.value.set(k, scaled(rounded<F>(a.value.get(k)), exponent));
        }
    }
    return s;
}

/// Rows of a matching in the order of columns, and, if it is perfect, powers of two that bring
/// their entries to about 1, all others to 1 at most.
struct matched_diagonal {
    std::vector<column_t> rows;
    exponents balance;
};

/// The exponent of a dual, rounded.
inline int exponent_of_dual(std::int64_t dual)
{
    return static_cast<int>((dual + (1 << 23)) >> 24);
}

/// Empty if the matching passes the limit of operations.
template <scalar V>
matched_diagonal match_diagonal(const sparse_columns<V>& a, const exponents& scaling,
                                double most_operations)
{
    const matching m = largest_product(scaled_columns<double>(a, scaling), most_operations);
    if (!m.complete) return {};
    matched_diagonal d{m.completed(), {}};
    if (m.size < a.columns) return d;
    for (const std::int64_t dual : m.row_dual) d.balance.row.push_back(exponent_of_dual(dual));
    for (const std::int64_t dual : m.column_dual)
        d.balance.column.push_back(exponent_of_dual(dual));
    return d;
}

/// Rows for the diagonal: empty where it suits AMD itself, or matched rows would not.  They are
/// looked for where a quarter of the entries off the diagonal have their mirror image: of 30 real
/// matrices where they suited AMD, 29 had.
template <scalar V>
matched_diagonal diagonal_for_amd(const sparse_columns<V>& a, const exponents& scaling,
                                  const symmetry_counts& natural, double most_operations)
{
    if (suits_amd(natural, a.columns, false) || 4 * natural.matched < natural.off_diagonal)
        return {};
    matched_diagonal d = match_diagonal(a, scaling, most_operations);
    if (d.rows.empty() || !suits_amd(count_symmetry(pattern_of(a), d.rows), a.columns, true))
        return {};
    return d;
}

/// A multiplication with a subtraction in F, as order_choice has it for LU.
template <class F>
inline constexpr double work_in_order = std::is_same_v<F, double> ? 2 : 20;

/// The order of elimination that the options ask for; factors in F.  balance: of the diagonal,
/// if it is that of a matching.
template <class F, scalar V>
elimination_order order_for(const sparse_columns<V>& a, const exponents& scaling, const options& o,
                            exponents* balance = nullptr,
                            double work_of_operation = work_in_order<F>)
{
    const pattern p = pattern_of(a);
    const bool asks = o.order == ordering::automatic,
               may_be_amd = asks || o.order == ordering::amd || o.order == ordering::dissection;
    matched_diagonal matched;
    symmetry_counts natural;
    if (may_be_amd) natural = count_symmetry(p, {});
    if (o.match == match_rows::always)
        matched = match_diagonal(a, scaling, o.most_operations);
    else if (o.match == match_rows::automatic && may_be_amd)
        matched = diagonal_for_amd(a, scaling, natural, o.most_operations);
    const std::vector<column_t>& diagonal = matched.rows;
    if (balance) *balance = std::move(matched.balance);
    const bool amd =
        !asks || (diagonal.empty() ? suits_amd(natural, a.columns, false)
                                   : suits_amd(count_symmetry(p, diagonal), a.columns, true));
    elimination_order order =
        !asks ? order_columns(p, o.order, diagonal, o.run)
        : amd ? order_by_counts(p, diagonal, {work_of_operation, o.run, o.known})
              : order_columns(p, ordering::colamd, diagonal);
    order.is_matched = !diagonal.empty();
    return order;
}

template <scalar V>
bool all_finite(const sparse_columns<V>& a)
{
    for (index_t k = 0; k < a.entries(); ++k)
        if (!isfinite(a.value.get(k))) return false;
    return true;
}

/// Fills in what the report says of pivots.
template <scalar F>
void look_at_pivots(factors_data<F>& f)
{
    const number_list<F>& pivot = f.upper.pivot;
    report& r = f.about;
    r.smallest_pivot = 0;
    r.smallest_pivot_row = r.smallest_pivot_column = -1;
    for (index_t k = 0; k < pivot.size(); ++k) {
        const double m = magnitude(pivot.get(k));
        if (k > 0 && m >= r.smallest_pivot) continue;
        r.smallest_pivot = m;
        r.smallest_pivot_row = f.row_of[as_size(k)];
        r.smallest_pivot_column = f.column_of[as_size(k)];
    }
}

}  // namespace ddla::factor::detail
