// Making factors.
#include "lu_analysis.hpp"

#include "ddla/error.hpp"

#include <chrono>
#include <tuple>

namespace ddla::factor {

namespace {

using detail::factors_data;

template <scalar F>
lu_options lu_options_of(const options& o)
{
    const double negligible = words_of<F> == 1 ? 0 : 0x1p-96;
    return {
        o.threshold,          o.preferred_threshold,  o.negligible < 0 ? negligible : o.negligible,
        o.most_operations,    o.most_bytes,           o.watch,
        o.rows_without_pivot, o.columns_without_pivot};
}

template <class F>
void describe(const lu_columns<F>& f, report& r)
{
    r.end = f.end;
    r.rank = f.rank();
    r.entries = f.entries();
    r.operations = f.operations;
    r.bytes = f.bytes();
    r.making_bytes += f.making_bytes();
    r.growth = f.growth;
}

/// The rows and columns behind the pivots.
void list_pivotless(const std::vector<column_t>& of, index_t rank, std::vector<column_t>& list)
{
    list.assign(of.begin() + rank, of.end());
    std::sort(list.begin(), list.end());
}

template <scalar F>
void take(lu_columns<F> f, factors_data<F>& data)
{
    describe(f, data.about);
    if (f.end != factor_end::complete) return;
    lower_rows<F> l = rows_of_lower(f);
    data.lower = {std::move(l.square), {}, true};
    data.rest_of_lower = std::move(l.rest);
    data.upper = {rows_of_upper(f), std::move(f.pivot), false};
    data.rest_of_upper = skipped_columns_of(f);
    data.row_of = std::move(f.row_of);
    data.column_of = std::move(f.column_of);
    data.pivot_of = std::move(f.pivot_of);
    list_pivotless(data.row_of, data.about.rank, data.about.pivotless_rows);
    list_pivotless(data.column_of, data.about.rank, data.about.pivotless_columns);
    look_at_pivots(data);
}

template <scalar V>
void look_at_structure(const sparse_columns<V>& a, double most_operations, report& r)
{
    r.structural_rank = r.n;
    if (r.end != factor_end::complete || r.rank == r.n) return;
    const matching m = largest_matching(a, most_operations);
    if (!m.complete) return;
    r.structural_rank = m.size;
    r.unmatched_rows = m.free_rows();
    r.unmatched_columns = m.free_columns();
}

template <scalar F, scalar V>
void fill(lu_analysis<V> a, factors_data<F>& data)
{
    const options& o = data.wanted;
    if (!a.is_finite) {
        data.about.end = factor_end::not_finite;
        return;
    }
    data.about.making_bytes = a.columns.bytes() + a.columns.template bytes<F>();
    data.scaling = std::move(a.scaling);
    data.about.ordering = a.order.used;
    a.order.counted = {};  // which takes as much memory as A
    take(
        factorise(detail::scaled_columns<F>(a.columns, data.scaling), a.order, lu_options_of<F>(o)),
        data);
    look_at_structure(a.columns, o.most_operations, data.about);
}

}  // namespace

template <scalar F>
template <scalar V>
factors<F> factors<F>::make(const csr<V>& a, const options& options, lu_analysis<V>* known)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no LU factors to solve with");
    const auto begin = std::chrono::steady_clock::now();
    const auto data = std::make_shared<factors_data<F>>();
    data->wanted = options;
    auto told = std::make_tuple(index_t{0}, a.rows, std::int64_t{0}, 0.0);  // to the watch, last
    if (options.watch)
        data->wanted.watch = [&](index_t k, index_t n, std::int64_t entries, double operations) {
            told = {k, n, entries, operations};
            return options.watch(k, n, entries, operations);
        };
    data->about.n = a.rows;
    data->about.nonzeros = a.nonzeros();
    const auto goes_on = [&] { return !options.watch || std::apply(options.watch, told); };
    const auto work = [&] {
        fill(known ? std::move(*known) : analyse_lu<F>(a, data->wanted), *data);
    };
    if (!completed(goes_on, work)) data->about.end = factor_end::stopped;
    data->wanted.watch = options.watch;
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    factors f;
    f.data_ = data;
    return f;
}

template <scalar F>
const report& factors<F>::about() const
{
    return data_->about;
}
template <scalar F>
const std::vector<column_t>& factors<F>::row_of() const
{
    return data_->row_of;
}
template <scalar F>
const std::vector<column_t>& factors<F>::column_of() const
{
    return data_->column_of;
}
template <scalar F>
const exponents& factors<F>::scaling() const
{
    return data_->scaling;
}
template <scalar F>
const triangle<F>& factors<F>::part(factor_part which) const
{
    return data_->part(which);
}
template <scalar F>
const level_sets& factors<F>::levels(factor_part which) const
{
    return data_->levels[as_size(static_cast<int>(which))].get(
        [&] { return levels_of(part(which)); });
}

template class factors<double>;
template class factors<dd_real>;
template factors<double> factors<double>::make(const csr<double>&, const options&,
                                               lu_analysis<double>*);
template factors<double> factors<double>::make(const csr<dd_real>&, const options&,
                                               lu_analysis<dd_real>*);
template factors<dd_real> factors<dd_real>::make(const csr<double>&, const options&,
                                                 lu_analysis<double>*);
template factors<dd_real> factors<dd_real>::make(const csr<dd_real>&, const options&,
                                                 lu_analysis<dd_real>*);

}  // namespace ddla::factor
