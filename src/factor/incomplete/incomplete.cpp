// Making incomplete factors.
#include "ic.hpp"
#include "ilu.hpp"
#include "ilut.hpp"
#include "prepare.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace {

using namespace detail;

template <scalar F>
row_factors<F> made(const sparse_rows<F>& a, const incomplete_options& o, incomplete_report& r)
{
    switch (o.kind) {
    case incomplete_kind::ilut:
        return ilut<F>(a, o).run();
    case incomplete_kind::ic:
        return ic(a, o, r.diagonal_shift);
    case incomplete_kind::ilu:
        break;
    }
    return ilu(a, o);
}

template <scalar F>
bool all_finite(const sparse_rows<F>& a)
{
    for (index_t k = 0; k < a.entries(); ++k)
        if (!isfinite(a.value.get(k))) return false;
    return true;
}

template <scalar F>
void describe(const row_factors<F>& f, const ordered_rows<F>& order, incomplete_report& r)
{
    r.end = f.end;
    if (r.end == incomplete_end::complete && !(all_finite(f.lower) && all_finite(f.upper)))
        r.end = incomplete_end::not_finite;
    r.entries = f.entries();
    r.operations = f.operations;
    r.bytes = f.bytes();
    r.shifts = f.shifts;
    if (f.bad_row >= 0) r.bad_row = order.row_of[at(f.bad_row)];
    r.bad_part = f.bad_part;
    r.used = order.used;
    r.matched = order.matched;
}

/// As a solve takes them.
template <scalar F>
std::shared_ptr<factors_data<F>> triangles_of(row_factors<F> f, ordered_rows<F> order,
                                              incomplete_kind kind)
{
    const auto data = std::make_shared<factors_data<F>>();
    const index_t n = order.n();
    const bool ic = kind == incomplete_kind::ic;
    data->about.n = data->about.rank = data->about.structural_rank = n;
    data->about.entries = f.entries();
    data->about.operations = f.operations;
    data->about.used = order.used;
    data->scaling = std::move(order.scaling);
    data->row_of = std::move(order.row_of);
    data->column_of = std::move(order.column_of);
    data->pivot_of.resize(at(n));
    for (std::size_t k = 0; k < at(n); ++k)
        data->pivot_of[at(data->row_of[k])] = static_cast<column_t>(k);
    if (ic) f.upper = transposed(f.lower, n);
    data->lower = {std::move(f.lower), ic ? f.pivot : number_list<F>{}, true};
    data->upper = {std::move(f.upper), std::move(f.pivot), false};
    look_at_pivots(*data);
    return data;
}

template <scalar V>
void check(const sparse_columns<V>& columns, const incomplete_options& o)
{
    if (o.fill < 0) throw input_error("fill must not be negative, as " + std::to_string(o.fill));
    if (o.kind == incomplete_kind::ic) require_symmetric(columns);
}

}  // namespace

template <scalar F>
template <scalar V>
incomplete_factors<F> incomplete_factors<F>::make(const csr<V>& a, const incomplete_options& o)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no incomplete factors");
    const auto begin = std::chrono::steady_clock::now();
    incomplete_factors k;
    incomplete_report& r = k.about_;
    const sparse_columns<V> columns = columns_of(a);
    check(columns, o);
    r.n = a.rows;
    r.entries_of_a = columns.entries();
    if (!detail::all_finite(columns)) {
        r.end = incomplete_end::not_finite;
        return k;
    }
    if (!goes_on(o, 0, 1)) {
        r.end = incomplete_end::stopped;
        return k;
    }
    ordered_rows<F> order = ordered<F>(columns, o);
    row_factors<F> f = made(order.rows, o, r);
    describe(f, order, r);
    if (r.end == incomplete_end::complete) {
        const auto data = triangles_of(std::move(f), std::move(order), o.kind);
        r.smallest_pivot = data->about.smallest_pivot;
        r.smallest_pivot_row = data->about.smallest_pivot_row;
        r.smallest_pivot_column = data->about.smallest_pivot_column;
        k.triangles_ = factors<F>::of(data);
    }
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return k;
}

template class incomplete_factors<double>;
template class incomplete_factors<dd_real>;
#define DDLA_MAKE(F, V)                                                                            \
    template incomplete_factors<F> incomplete_factors<F>::make(const csr<V>&,                      \
                                                               const incomplete_options&);
DDLA_MAKE(double, double)
DDLA_MAKE(double, dd_real)
DDLA_MAKE(dd_real, double)
DDLA_MAKE(dd_real, dd_real)
#undef DDLA_MAKE

}  // namespace ddla::factor
