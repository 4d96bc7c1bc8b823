// L D L^T of a symmetric matrix.
#include "symmetric.hpp"

#include "definite.hpp"
#include "factor_operations.hpp"
#include "ldlt_bound.hpp"
#include "two_triangles.hpp"

#include "factor/lu/factors_data.hpp"
#include "factor/symmetric/lower_triangle.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace detail {

template <scalar F>
struct symmetric_data {
    symmetric_report about;
    std::vector<int> exponent;
    supernodes parts;
    std::unique_ptr<ldlt_values<F>> values;
    std::shared_ptr<placed_factors<F>> there;  ///< null: they are here alone
    std::vector<column_t> row_of;
    std::vector<column_t> rows_of_lower;  ///< of L by pivots; empty: those of parts
    shared_sweeps sweeps;

    const column_t* rows() const
    {
        return rows_of_lower.empty() ? parts.row.data() : rows_of_lower.data();
    }
};

}  // namespace detail

namespace {

using detail::symmetric_data;

/// What L stores; whether that is within the limits.
template <scalar F, scalar V>
bool fits(const sparse_columns<V>& columns, const symmetric_order& order,
          const symmetric_options& o, symmetric_data<F>& f)
{
    f.parts = supernodes_of_pivots(pattern_of(columns), order);
    f.values = std::make_unique<ldlt_values<F>>(f.parts);
    symmetric_report& r = f.about;
    const supernodes& s = f.parts;
    r.entries = s.exact_entries;
    r.operations = s.exact_operations;
    r.bytes = f.values->l.bytes() + s.bytes() +
              static_cast<std::int64_t>(s.row.size() * sizeof(column_t)) +
              r.n * static_cast<std::int64_t>(2 * sizeof(F) + 2 * sizeof(column_t));
    if (o.is_wanted && !o.is_wanted(r.operations))
        r.end = factor_end::unsuited;
    else if (r.operations > o.most_operations)
        r.end = factor_end::over_work;
    else if (r.bytes > o.most_bytes)
        r.end = factor_end::over_memory;
    return r.end == factor_end::complete;
}

/// Rows of A, and of L, by pivots.
template <scalar F>
void number_rows(symmetric_data<F>& f)
{
    for (const column_t k : f.values->row) f.row_of.push_back(f.parts.order[as_size(k)]);
    if (f.values->moved) f.rows_of_lower = rows_by_pivots(f.parts, *f.values);
}

template <scalar F>
void look_at_pivots(double largest, symmetric_data<F>& f)
{
    symmetric_report& r = f.about;
    const block_diagonal<F>& d = f.values->d;
    for (index_t k = 0; k < r.n; ++k) {
        const double m = std::max(magnitude(d.diagonal.get(k)), magnitude(d.beside.get(k)));
        if (d.starts_pair(k)) ++k;
        if (r.smallest_pivot_row >= 0 && m >= r.smallest_pivot) continue;
        r.smallest_pivot = m;
        r.smallest_pivot_row = r.smallest_pivot_column = f.row_of[as_size(k)];
    }
    r.pairs = d.pairs();
    r.signs = d.signs();
    r.replaced = f.values->replaced;
    r.rank = r.n;
    r.growth = largest > 0 ? d.largest() / largest : 0;
    r.largest_multiplier = f.values->l.largest();
    if (!(r.growth < HUGE_VAL && r.largest_multiplier < HUGE_VAL)) r.end = factor_end::not_finite;
}

/// The order, and what is stored; nothing where the report says why it ends.
template <scalar F, scalar V>
std::optional<sparse_columns<F>> prepare(const csr<V>& a, const symmetric_options& o,
                                         symmetric_data<F>& f)
{
    symmetric_report& r = f.about;
    const bool symmetric = is_symmetric(a, o.run);
    const sparse_columns<V> columns = symmetric ? columns_of_symmetric(a, o.run) : columns_of(a);
    const auto ends = [&](factor_end e) {
        r.end = e;
        return std::nullopt;
    };
    r.making_bytes = columns.bytes() + columns.entries() * 6 * index_t{sizeof(column_t)} +
                     r.n * 12 * index_t{sizeof(column_t)};
    if (!detail::all_finite(columns)) return ends(factor_end::not_finite);
    if (!symmetric) return ends(factor_end::not_symmetric);
    symmetric_order order =
        o.given ? *o.given
                : order_symmetric(columns, o.scale, o.pair, o.most_matching_operations, o.order,
                                  {words_of<F> == 1 ? 1.0 : 10.0, o.run, o.known});
    if (!order.has_matching) {
        // As a share of what is allowed.
        r.operations =
            static_cast<double>(order.operations) * o.most_operations / o.most_matching_operations;
        return ends(o.is_wanted ? factor_end::unsuited : factor_end::over_work);
    }
    if (!order.exists) return ends(factor_end::no_pivots);
    if (!fits(columns, order, o, f)) return std::nullopt;
    order.counted = {};  // which takes as much memory as A
    f.exponent = order.exponent;
    return lower_triangle<F>(columns, f.parts.order, f.exponent, o.run);
}

template <scalar F, scalar V>
std::shared_ptr<symmetric_data<F>> begun(const csr<V>& a)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no L D L^T");
    auto data = std::make_shared<symmetric_data<F>>();
    data->about.n = a.rows;
    data->about.nonzeros = a.nonzeros();
    return data;
}

template <scalar F, scalar V>
void fill(const csr<V>& a, const symmetric_options& o, std::atomic<double>& done,
          symmetric_data<F>& f)
{
    symmetric_report& r = f.about;
    const auto lower = prepare(a, o, f);
    if (!lower) return;
    r.making_bytes =
        std::max(r.making_bytes, r.bytes + lower->bytes() +
                                     std::max(1, o.run.threads()) * r.n * index_t{sizeof(index_t)});
    const double largest = largest_entry(*lower);
    f.values->d.resize_unfilled(r.n);
    pivot_rule rule = static_rule<F>(largest);
    if (!o.replace) rule.negligible = 0;
    const column_t failed = make_anywhere<F>(
        o.at, r,
        [&](factors_elsewhere<F>& at) {
            return at.make_ldlt(f.parts, *lower, rule, *f.values, done, f.there);
        },
        [&] {
            f.values->l.allocate();
            return make_ldlt(f.parts, *lower, rule, *f.values, o.run, done);
        });
    r.done = failed < 0 ? r.operations : std::min<double>(done, r.operations);
    if (failed >= 0) {
        r.end = factor_end::not_finite;
        return;
    }
    f.sweeps = {o.run, f.there ? sweep_plan{} : plan_of_sweeps(f.parts, o.run)};
    number_rows(f);
    look_at_pivots(largest, f);
}

}  // namespace

template <scalar F>
template <scalar V>
symmetric_factors<F> symmetric_factors<F>::make(const csr<V>& a, const symmetric_options& options)
{
    const auto begin = std::chrono::steady_clock::now();
    symmetric_factors f;
    const auto data = begun<F>(a);
    symmetric_report& about = data->about;
    std::atomic<double> done = 0;
    const auto goes_on = [&] {
        const double all = about.operations;
        return !options.watch || options.watch(all > 0 ? std::min(done / all, 1.0) : 0);
    };
    if (!completed(goes_on, [&] { fill(a, options, done, *data); }))
        about.end = factor_end::stopped;
    if (about.end == factor_end::stopped) about.done = std::min<double>(done, about.operations);
    if (about.end != factor_end::complete) {
        data->values.reset();
        data->there.reset();
    }
    about.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    f.data_ = data;
    return f;
}

template <scalar F>
template <scalar V>
symmetric_report symmetric_factors<F>::count(const csr<V>& a, const symmetric_options& options)
{
    const auto data = begun<F>(a);
    const auto goes_on = [&] { return !options.watch || options.watch(0); };
    if (!completed(goes_on, [&] { (void)prepare(a, options, *data); }))
        data->about.end = factor_end::stopped;
    return data->about;
}

template <scalar F>
template <scalar T>
void symmetric_factors<F>::solve(vec<const T> b, vec<T> x) const
{
    const symmetric_data<F>& f = *data_;
    require_complete(f.about.end);
    solve_through<F>({f.parts, f.values->l, f.values->l, f.rows(), f.rows(), f.row_of, f.row_of,
                      f.exponent, f.exponent, f.sweeps, &f.values->d, f.there.get()},
                     b, x);
}

template <scalar F>
double symmetric_factors<F>::backward_error_bound() const
{
    require_complete(data_->about.end);
    if (data_->about.replaced > 0) return HUGE_VAL;
    return factor::backward_error_bound(data_->parts, data_->rows(), *data_->values);
}

template <scalar F>
const symmetric_report& symmetric_factors<F>::about() const
{
    return data_->about;
}
template <scalar F>
const supernodes& symmetric_factors<F>::parts() const
{
    return data_->parts;
}
template <scalar F>
const std::vector<column_t>& symmetric_factors<F>::row_of() const
{
    return data_->row_of;
}
template <scalar F>
const std::vector<int>& symmetric_factors<F>::exponent() const
{
    return data_->exponent;
}
template <scalar F>
const block_diagonal<F>& symmetric_factors<F>::pivots() const
{
    return data_->values->d;
}
template <scalar F>
const std::vector<column_t>& symmetric_factors<F>::places() const
{
    return data_->values->row;
}
template <scalar F>
F symmetric_factors<F>::entry(index_t i, index_t j) const
{
    const supernodes& s = data_->parts;
    const column_t q = s.of_column[as_size(j)], first = s.first[as_size(q)];
    const index_t w = s.width(q);
    if (i < first + w) return data_->values->l.get(s, q, i - first, j - first);
    const column_t *const begin = data_->rows() + s.row_begin[as_size(q)],
                          *const end = begin + s.below(q),
                          *const found = std::find(begin, end, static_cast<column_t>(i));
    return found == end ? F(0) : data_->values->l.get(s, q, w + (found - begin), j - first);
}

template class symmetric_factors<double>;
template class symmetric_factors<dd_real>;
#define DDLA_INSTANTIATE(F, T)                                                                     \
    template symmetric_factors<F> symmetric_factors<F>::make(const csr<T>&,                        \
                                                             const symmetric_options&);            \
    template symmetric_report symmetric_factors<F>::count(const csr<T>&,                           \
                                                          const symmetric_options&);               \
    template void symmetric_factors<F>::solve(vec<const T>, vec<T>) const;
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

}  // namespace ddla::factor
