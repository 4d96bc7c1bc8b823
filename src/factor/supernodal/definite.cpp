// L L^T of a symmetric positive definite matrix.
#include "definite.hpp"

#include "factor_operations.hpp"
#include "llt.hpp"
#include "llt_bound.hpp"
#include "two_triangles.hpp"

#include "factor/symmetric/lower_triangle.hpp"
#include "factor/symmetric/symmetric_order.hpp"

#include "ddla/error.hpp"

#include <array>
#include <chrono>

namespace ddla::factor {

namespace detail {

template <scalar F>
struct definite_data {
    definite_report about;
    std::vector<int> exponent;
    supernodes parts;
    std::unique_ptr<llt_values<F>> values;
    std::shared_ptr<placed_factors<F>> there;  ///< null: they are here alone
    shared_sweeps sweeps;
};

}  // namespace detail

namespace {

using detail::definite_data;

/// The order and what L stores; whether that is within the limits.
template <scalar F, scalar V>
bool fits(const sparse_columns<V>& columns, const definite_options& o, definite_data<F>& f)
{
    definite_report& r = f.about;
    const symmetric_order order =
        order_symmetric(columns, o.scale, false, o.most_operations, o.order,
                        {words_of<F> == 1 ? 1.0 : 10.0, o.run, o.known});
    f.exponent = order.exponent;
    f.parts = supernodes_of_pivots(pattern_of(columns), order);
    f.values = std::make_unique<llt_values<F>>(f.parts);
    r.operations = f.parts.exact_operations;
    r.entries = f.parts.exact_entries;
    r.bytes = f.values->bytes() + f.parts.bytes();
    if (r.operations > o.most_operations)
        r.end = factor_end::over_work;
    else if (r.bytes > o.most_bytes)
        r.end = factor_end::over_memory;
    return r.end == factor_end::complete;
}

template <scalar F>
void look_at_pivots(definite_data<F>& f)
{
    definite_report& r = f.about;
    for (column_t q = 0; q < f.parts.size(); ++q)
        for (column_t k = 0; k < f.parts.width(q); ++k) {
            const double root = f.values->pivot_size(f.parts, q, k);
            if (r.smallest_pivot_row >= 0 && root * root >= r.smallest_pivot) continue;
            r.smallest_pivot = root * root;
            r.smallest_pivot_row = r.smallest_pivot_column =
                f.parts.order[as_size(f.parts.first[as_size(q)] + k)];
        }
    r.growth = 1;
    r.rank = r.n;
}

/// The columns of A, and all that is known before the first operation; nothing where that ends it.
template <scalar F, scalar V>
std::optional<sparse_columns<V>> analyse(const csr<V>& a, const definite_options& o,
                                         definite_data<F>& f)
{
    definite_report& r = f.about;
    r.end = definite_end(a, o.run);
    if (r.end != factor_end::complete) return std::nullopt;
    sparse_columns<V> columns = columns_of_symmetric(a, o.run);
    // Its graph and the order take a few lists as long as its pattern.
    r.making_bytes = columns.bytes() + columns.entries() * 6 * index_t{sizeof(column_t)} +
                     columns.columns * 12 * index_t{sizeof(column_t)};
    if (!fits(columns, o, f)) return std::nullopt;
    return columns;
}

/// The matrix as make_llt takes it; its columns are let go of.
template <scalar F, scalar V>
std::optional<sparse_columns<F>> prepare(const csr<V>& a, const definite_options& o,
                                         definite_data<F>& f)
{
    const auto columns = analyse(a, o, f);
    if (!columns) return std::nullopt;
    return lower_triangle<F>(*columns, f.parts.order, f.exponent, o.run);
}

/// The first column without a positive pivot, or -1.
template <scalar F>
column_t make(const sparse_columns<F>& lower, const definite_options& o, std::atomic<double>& done,
              definite_data<F>& f)
{
    return make_anywhere<F>(
        o.at, f.about,
        [&](factors_elsewhere<F>& at) {
            return at.make_llt(f.parts, lower, *f.values, done, f.there);
        },
        [&] {
            f.values->allocate();
            return make_llt(f.parts, lower, *f.values, o.run, done);
        });
}

template <scalar F, scalar V>
void fill(const csr<V>& a, const definite_options& o, std::atomic<double>& done,
          definite_data<F>& f)
{
    definite_report& r = f.about;
    const auto lower = prepare(a, o, f);
    if (!lower) return;
    r.making_bytes =
        std::max(r.making_bytes, r.bytes + lower->bytes() +
                                     std::max(1, o.run.threads()) * r.n * index_t{sizeof(index_t)});
    const column_t bad = make(*lower, o, done, f);
    if (bad < 0) {
        r.done = r.operations;
        f.sweeps = {o.run, f.there ? sweep_plan{} : plan_of_sweeps(f.parts, o.run)};
        return look_at_pivots(f);
    }
    for (column_t q = 0; q < f.parts.of_column[as_size(bad)]; ++q) r.done += f.parts.operations(q);
    r.done = std::min(r.done, r.operations);
    f.values.reset();
    r.bytes = f.parts.bytes();
    r.bad_row = f.parts.order[as_size(bad)];
    r.end = factor_end::not_definite;
}

/// work(done, data), which the watch can stop.
template <scalar F, scalar V, class Work>
std::shared_ptr<definite_data<F>> watched(const csr<V>& a, const definite_options& options,
                                          const Work& work)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no L L^T");
    const auto begin = std::chrono::steady_clock::now();
    const auto data = std::make_shared<definite_data<F>>();
    data->about.n = a.rows;
    std::atomic<double> done = 0;
    const auto goes_on = [&] {
        const double all = data->about.operations;
        return !options.watch || options.watch(all > 0 ? std::min(done / all, 1.0) : 0);
    };
    if (!completed(goes_on, [&] { work(done, *data); })) data->about.end = factor_end::stopped;
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return data;
}

}  // namespace

template <scalar F>
template <scalar V>
definite_factors<F> definite_factors<F>::make(const csr<V>& a, const definite_options& options)
{
    definite_factors f;
    f.data_ = watched<F>(a, options, [&](std::atomic<double>& done, definite_data<F>& data) {
        fill(a, options, done, data);
    });
    return f;
}

template <scalar F>
template <scalar V>
definite_report definite_factors<F>::count(const csr<V>& a, const definite_options& options)
{
    return watched<F>(
               a, options,
               [&](std::atomic<double>&, definite_data<F>& data) { analyse(a, options, data); })
        ->about;
}

template <scalar F>
template <scalar T>
void definite_factors<F>::solve(vec<const T> b, vec<T> x) const
{
    const definite_data<F>& f = *data_;
    require_complete(f.about.end);
    const column_t* const rows = f.parts.row.data();
    solve_through<F>({f.parts, *f.values, *f.values, rows, rows, f.parts.order, f.parts.order,
                      f.exponent, f.exponent, f.sweeps, nullptr, f.there.get()},
                     b, x);
}

template <scalar F>
double definite_factors<F>::backward_error_bound() const
{
    require_complete(data_->about.end);
    return factor::backward_error_bound(data_->parts, *data_->values);
}

template <scalar F>
const definite_report& definite_factors<F>::about() const
{
    return data_->about;
}
template <scalar F>
const supernodes& definite_factors<F>::parts() const
{
    return data_->parts;
}
template <scalar F>
const std::vector<int>& definite_factors<F>::exponent() const
{
    return data_->exponent;
}
template <scalar F>
F definite_factors<F>::entry(index_t i, index_t j) const
{
    const supernodes& s = data_->parts;
    const column_t q = s.of_column[as_size(j)], first = s.first[as_size(q)];
    const index_t w = s.width(q);
    if (i < first + w) return data_->values->get(s, q, i - first, j - first);
    const column_t *const row = s.rows(q), *const end = row + s.below(q),
                          *const found = std::lower_bound(row, end, static_cast<column_t>(i));
    if (found == end || *found != i) return F(0);
    return data_->values->get(s, q, w + (found - row), j - first);
}

template class definite_factors<double>;
template class definite_factors<dd_real>;
#define DDLA_INSTANTIATE(F, T)                                                                     \
    template definite_factors<F> definite_factors<F>::make(const csr<T>&,                          \
                                                           const definite_options&);               \
    template definite_report definite_factors<F>::count(const csr<T>&, const definite_options&);   \
    template void definite_factors<F>::solve(vec<const T>, vec<T>) const;
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

}  // namespace ddla::factor
