// L D L^T of a symmetric matrix.
#include "symmetric.hpp"

#include "factor/lu/factors_data.hpp"
#include "factor/scaled_vectors.hpp"
#include "ldlt_bound.hpp"
#include "lower_triangle.hpp"
#include "symmetric_order.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace detail {

template <scalar F>
struct symmetric_data {
    symmetric_report about;
    symmetric_order order;
    ldlt_pattern pattern;
    ldlt_values<F> values;
    triangle<F> lower, upper;
};

}  // namespace detail

namespace {

using detail::symmetric_data;

/// The largest row sum of the magnitudes of both triangles.
template <scalar F>
double largest_row_sum(const sparse_columns<F>& lower)
{
    std::vector<double> sum(as_size(lower.columns), 0);
    for (index_t j = 0; j < lower.columns; ++j)
        for (index_t e = lower.begin[as_size(j)]; e < lower.begin[as_size(j) + 1]; ++e) {
            const double m = magnitude(lower.value.get(e));
            sum[as_size(lower.row[as_size(e)])] += m;
            if (lower.row[as_size(e)] != j) sum[as_size(j)] += m;
        }
    return sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end());
}

/// L by rows, both ways.
template <scalar F>
void make_triangles(symmetric_data<F>& f)
{
    const ldlt_pattern& p = f.pattern;
    sparse_rows<F> columns;
    columns.value = std::move(f.values.l);
    columns.begin.assign(p.value_begin.begin(), p.value_begin.end());
    columns.column.reserve(as_size(columns.value.size()));
    for (std::size_t s = 0; s < as_size(p.supernodes()); ++s)
        for (column_t k = p.first_column[s]; k < p.first_column[s + 1]; ++k) {
            count_work(2 * (p.last_column(s) - k + p.rows_below(s)));
            for (column_t i = k + 1; i <= p.last_column(s); ++i) columns.column.push_back(i);
            columns.column.insert(columns.column.end(), p.row.begin() + p.row_begin[s],
                                  p.row.begin() + p.row_begin[s + 1]);
        }
    f.lower = {transposed(columns, p.size()), {}, true};
    f.upper = {std::move(columns), {}, false};
}

/// y of D y = y.
template <scalar T, scalar F>
void divide_by_pivots(const ldlt_pattern& p, const ldlt_values<F>& f, vec<T> y)
{
    for (column_t k = 0; k < p.size(); ++k) {
        if (!p.starts_pair(k)) {
            y.set(k, y.get(k) / f.d.get(k));
            continue;
        }
        // As the factorisation divides: docs/factorisation.md.
        const T b(f.beside.get(k)), v = y.get(k), w = y.get(k + 1);
        const T q0 = T(f.d.get(k)) / b, q1 = T(f.d.get(k + 1)) / b,
                s = T(1) / (b * (q0 * q1 - T(1)));
        y.set(k, s * (q1 * v - w));
        y.set(k + 1, s * (q0 * w - v));
        ++k;
    }
}

template <scalar F, scalar V>
void fill(const csr<V>& a, const symmetric_options& o, symmetric_data<F>& f)
{
    symmetric_report& r = f.about;
    const sparse_columns<V> columns = columns_of(a);
    const auto ends = [&](factor_end e) { r.end = e; };
    if (!detail::all_finite(columns)) return ends(factor_end::not_finite);
    if (!is_symmetric(columns)) return ends(factor_end::not_symmetric);
    f.order = order_symmetric(columns, o.scale, o.pair, o.most_operations, o.order,
                              {words_of<F> == 1 ? 1.0 : 10.0, o.run});
    if (f.order.too_many_operations > 0) {
        r.operations = static_cast<double>(f.order.too_many_operations);
        return ends(factor_end::over_work);
    }
    if (!f.order.exists) return ends(factor_end::no_pivots);
    const sparse_columns<F> lower = lower_triangle<F>(columns, f.order.row, f.order.exponent);
    f.pattern = pattern_of_ldlt(pattern_of(lower), f.order.blocks, o.most_operations, o.most_bytes,
                                index_t{sizeof(F)});
    r.operations = f.pattern.operations;
    r.entries = f.pattern.entries;
    r.bytes = f.pattern.bytes;
    r.pairs = r.n + 1 - static_cast<index_t>(f.order.blocks.size());
    if (!f.pattern.complete)
        return ends(r.operations > o.most_operations ? factor_end::over_work
                                                     : factor_end::over_memory);
    f.values = factorise_symmetric(lower, f.pattern, false, o.watch);
    r.end = f.values.end;
    if (f.values.failed >= 0) r.singular_row = f.order.row[as_size(f.values.failed)];
    if (r.end != factor_end::complete || r.n == 0) return;
    const std::vector<double> sums = row_sums_of_product(f.pattern, f.values);
    r.growth = *std::max_element(sums.begin(), sums.end()) / largest_row_sum(lower);
    r.signs = inertia_of(f.pattern, f.values);
    if (!(r.growth <= o.most_growth)) return ends(factor_end::unstable);
    make_triangles(f);
}

}  // namespace

template <scalar F>
template <scalar V>
symmetric_factors<F> symmetric_factors<F>::make(const csr<V>& a, const symmetric_options& options)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no L D L^T");
    const auto begin = std::chrono::steady_clock::now();
    const auto data = std::make_shared<symmetric_data<F>>();
    data->about.n = a.rows;
    double last = 0;  // what was told of the part that is done
    symmetric_options mine = options;
    if (options.watch) mine.watch = [&](double done) { return options.watch(last = done); };
    const auto goes_on = [&] { return !options.watch || options.watch(last); };
    if (!completed(goes_on, [&] { fill(a, mine, *data); })) data->about.end = factor_end::stopped;
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    symmetric_factors f;
    f.data_ = data;
    return f;
}

template <scalar F>
template <scalar T>
void symmetric_factors<F>::solve(vec<const T> b, vec<T> x) const
{
    using W = wider<T, F>;
    const symmetric_data<F>& f = *data_;
    require_complete(f.about.end);
    if (b.size != x.size || b.size != f.about.n)
        throw input_error("solve: b has " + std::to_string(b.size) + " elements, x " +
                          std::to_string(x.size) + ", and A " + std::to_string(f.about.n) +
                          " rows");
    const int common = common_exponent(b, f.order.exponent);
    vector<W> y = gathered<W>(b, f.order.row, f.order.exponent, common);
    solve_in_place(f.lower, y.view());
    divide_by_pivots(f.pattern, f.values, y.view());
    solve_in_place(f.upper, y.view());
    scatter<W>(std::as_const(y).view(), f.about.n, f.order.row, f.order.exponent, common, x);
}

template <scalar F>
const symmetric_report& symmetric_factors<F>::about() const
{
    return data_->about;
}
template <scalar F>
const std::vector<column_t>& symmetric_factors<F>::row_of() const
{
    return data_->order.row;
}
template <scalar F>
const std::vector<int>& symmetric_factors<F>::exponent() const
{
    return data_->order.exponent;
}
template <scalar F>
const ldlt_pattern& symmetric_factors<F>::pattern() const
{
    return data_->pattern;
}
template <scalar F>
const ldlt_values<F>& symmetric_factors<F>::values() const
{
    return data_->values;
}

template class symmetric_factors<double>;
template class symmetric_factors<dd_real>;
#define DDLA_INSTANTIATE(F, T)                                                                     \
    template symmetric_factors<F> symmetric_factors<F>::make(const csr<T>&,                        \
                                                             const symmetric_options&);            \
    template void symmetric_factors<F>::solve(vec<const T>, vec<T>) const;
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

}  // namespace ddla::factor
