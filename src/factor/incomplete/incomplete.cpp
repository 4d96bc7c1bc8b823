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
row_factors<F> made(const scaled_rows<F>& a, row_look& look, const incomplete_options& o,
                    incomplete_report& r)
{
    switch (o.kind) {
    case incomplete_kind::ilut:
        return ilut<F>(a, o).run();
    case incomplete_kind::ic:
        return ic(a, look, o, r.diagonal_shift);
    case incomplete_kind::ilu:
        break;
    }
    return ilu(a, std::move(look), o);
}

template <scalar F>
void describe(const row_factors<F>& f, const ordered_rows<F>& order, incomplete_report& r)
{
    r.end = f.end;
    if (r.end == factor_end::complete && !f.is_finite) r.end = factor_end::not_finite;
    r.entries = f.entries();
    r.operations = f.operations;
    r.bytes = f.bytes();
    r.shifts = f.shifts;
    if (f.bad_row >= 0) r.bad_row = order.row_of[as_size(f.bad_row)];
    r.bad_part = f.bad_part;
    r.ordering = order.used;
    r.matched = order.matched;
}

/// Levels that are there need not be found again.
template <scalar F>
void keep_levels(factors_data<F>& of, factor_part part, level_sets& found)
{
    of.levels[as_size(static_cast<int>(part))].get([&] { return std::move(found); });
}

/// As a solve takes them.
template <scalar F>
std::shared_ptr<factors_data<F>> triangles_of(row_factors<F> f, ordered_rows<F>& order,
                                              incomplete_kind kind)
{
    const auto data = std::make_shared<factors_data<F>>();
    const index_t n = order.n();
    const bool ic = kind == incomplete_kind::ic;
    data->about.n = data->about.rank = data->about.structural_rank = n;
    data->about.entries = f.entries();
    data->about.operations = f.operations;
    data->about.ordering = order.used;
    data->scaling = std::move(order.scaling);
    data->row_of = std::move(order.row_of);
    data->column_of = std::move(order.column_of);
    data->pivot_of.resize(as_size(n));
    for (std::size_t k = 0; k < as_size(n); ++k)
        data->pivot_of[as_size(data->row_of[k])] = static_cast<column_t>(k);
    data->lower = {std::move(f.lower), ic ? f.pivot : number_list<F>{}, true};
    data->upper = {std::move(f.upper), std::move(f.pivot), false};
    if (f.levels.lower.levels() > 0) {
        keep_levels(*data, factor_part::lower, f.levels.lower);
        keep_levels(*data, factor_part::upper, f.levels.upper);
    }
    look_at_pivots(*data);
    return data;
}

/// A with its rows in order: itself, or a copy.
template <scalar V>
class clean_matrix {
public:
    clean_matrix(const csr<V>& a, const chunk_runner& run) : view_(a), look_(look_at(a, run))
    {
        if (look_.is_clean) return;
        clean_rows<V> rows = clean_rows_of(a);
        begin_ = std::move(rows.begin);
        column_ = std::move(rows.column);
        value_ = std::move(rows.value);
        view_ = {a.rows, a.columns, row_offsets(begin_.data()), column_.data(),
                 std::as_const(value_).view()};
        look_ = look_at(view_, run);
    }
    const csr<V>& view() const { return view_; }
    row_look& look() { return look_; }

private:
    csr<V> view_;
    row_look look_;
    std::vector<index_t> begin_;
    std::vector<column_t> column_;
    number_list<V> value_;
};

template <scalar V>
void check(const csr<V>& a, const row_look& look, const incomplete_options& o)
{
    if (o.fill < 0) throw input_error("fill must not be negative, as " + std::to_string(o.fill));
    if (o.kind == incomplete_kind::ic && !is_symmetric(a, look, o.run))
        require_symmetric(columns_of(a));
}

/// The triangles of rows in the order of pivots; empty unless they are complete.
template <scalar F>
std::shared_ptr<factors_data<F>> made_of(const scaled_rows<F>& a, row_look& look,
                                         ordered_rows<F>& order, const incomplete_options& o,
                                         incomplete_report& r)
{
    row_factors<F> f = made(a, look, o, r);
    describe(f, order, r);
    if (r.end != factor_end::complete) return {};
    if (o.kind == incomplete_kind::ic) f.upper = mirrored(a, look.upper, f.lower, o.run);
    return triangles_of(std::move(f), order, o.kind);
}

}  // namespace

template <scalar F>
template <scalar V>
incomplete_factors<F> incomplete_factors<F>::make(const csr<V>& a, const incomplete_options& o)
{
    incomplete_factors k;
    double last = 0;  // what was told of the part that is done
    incomplete_options mine = o;
    if (o.watch) mine.watch = [&](double done) { return o.watch(last = done); };
    const auto goes_on = [&] { return !o.watch || o.watch(last); };
    if (!completed(goes_on, [&] { k = made_unwatched(a, mine); }))
        k.about_.end = factor_end::stopped;
    return k;
}

template <scalar F>
template <scalar V>
incomplete_factors<F> incomplete_factors<F>::made_unwatched(const csr<V>& a,
                                                            const incomplete_options& o)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no incomplete factors");
    const auto begin = std::chrono::steady_clock::now();
    incomplete_factors k;
    incomplete_report& r = k.about_;
    clean_matrix<V> clean(a, o.run);
    const csr<V>& rows = clean.view();
    check(rows, clean.look(), o);
    r.n = a.rows;
    r.nonzeros = rows.nonzeros();
    if (!clean.look().is_finite) {
        r.end = factor_end::not_finite;
        return k;
    }
    if (!goes_on(o, 0, 1)) {
        r.end = factor_end::stopped;
        return k;
    }
    // Passes on all threads are not ended: between them a watch is asked.
    const std::int64_t time_of_pass = 10 * rows.nonzeros();
    count_work(time_of_pass);
    ordered_rows<F> order = ordered<F>(rows, o);
    count_work(time_of_pass);
    std::shared_ptr<factors_data<F>> data;
    if (order.as_stored) {
        data = made_of(scaled_rows<F>(rows, &order.scaling), clean.look(), order, o, r);
    } else {
        const csr<F> permuted = view_of(order.rows);
        row_look look = look_at(permuted, o.run);
        data = made_of(scaled_rows<F>(permuted), look, order, o, r);
    }
    if (data) {
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
