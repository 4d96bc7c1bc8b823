// L U with static pivots.
#include "static_factors.hpp"

#include "factor_operations.hpp"
#include "static_lu.hpp"
#include "static_order.hpp"
#include "two_triangles.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace detail {

template <scalar F>
struct static_data {
    static_report about;
    chunk_runner run;
    double most_growth = 0;
    exponents scaling;
    int largest = 0;                 ///< exponent of the largest entry, scaled
    std::vector<column_t> diagonal;  ///< rows that are the diagonal of columns
    supernodes parts;
    std::unique_ptr<static_lu<F>> values;
    std::shared_ptr<placed_factors<F>> there;  ///< null: they are here alone
    std::vector<column_t> row_of, column_of;
    std::vector<column_t> rows_of_lower;  ///< of L by pivots; empty: those of parts
    shared_sweeps sweeps;
};

}  // namespace detail

namespace {

using detail::static_data;

/// Of a positive number: that of the power of two above it.
int exponent_of(double x)
{
    int e = 0;
    std::frexp(x, &e);
    return e;
}

void add(std::vector<int>& to, const std::vector<int>& more)
{
    for (std::size_t k = 0; k < more.size(); ++k) to[k] += more[k];
}

/// The scaled matrix, rows and columns in the order of elimination, which `parts` has.
template <scalar F, scalar V>
sparse_columns<F> in_order(const sparse_columns<V>& a, const static_data<F>& f)
{
    return in_order_of<F>(f.parts, a, f.diagonal, [&](const V& v, column_t i, column_t j) {
        return scaled(rounded<F>(v), f.scaling.row[as_size(i)] + f.scaling.column[as_size(j)]);
    });
}

/// What L and U store; whether that is within the limits.
template <scalar F, scalar V>
bool fits(const lu_analysis<V>& l, const static_options& o, static_data<F>& f)
{
    f.parts = supernodes_on_diagonal(l.columns, l.order);
    f.values = std::make_unique<static_lu<F>>(f.parts);
    static_report& r = f.about;
    const supernodes& s = f.parts;
    r.ordering = l.order.used;
    r.entries = 2 * s.exact_entries - r.n;
    r.operations = 2 * s.exact_operations - static_cast<double>(s.exact_entries - r.n);
    r.bytes = f.values->l.bytes() + f.values->u.bytes() + s.bytes() +
              static_cast<std::int64_t>(s.row.size() * sizeof(column_t));
    if (r.operations > o.most_operations)
        r.end = factor_end::over_work;
    else if (r.bytes > o.common.most_bytes)
        r.end = factor_end::over_memory;
    return r.end == factor_end::complete;
}

template <scalar F>
void look_at_pivots(double largest, static_data<F>& f)
{
    static_report& r = f.about;
    const supernodes& s = f.parts;
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t k = 0; k < s.width(q); ++k) {
            const double m = f.values->u.pivot_size(s, q, k);
            if (r.smallest_pivot_row >= 0 && m >= r.smallest_pivot) continue;
            const std::size_t place = as_size(s.first[as_size(q)] + k);
            r.smallest_pivot = m;
            r.smallest_pivot_row = f.row_of[place];
            r.smallest_pivot_column = f.column_of[place];
        }
    r.replaced = f.values->replaced;
    r.rank = r.n;
    r.growth = largest > 0 ? f.values->u.largest() / largest : 0;
    r.largest_multiplier = f.values->l.largest();
    if (!(r.growth < HUGE_VAL && r.largest_multiplier < HUGE_VAL)) r.end = factor_end::not_finite;
}

/// Rows of A, and of L, by pivots.
template <scalar F>
void number_rows(static_data<F>& f)
{
    const std::vector<column_t>& place = f.values->row;
    f.column_of = f.parts.order;
    for (const column_t k : place)
        f.row_of.push_back(f.diagonal[as_size(f.parts.order[as_size(k)])]);
    if (f.values->moved) f.rows_of_lower = rows_by_pivots(f.parts, *f.values);
}

/// All that is known before the first operation; false where that ends it.
template <scalar F, scalar V>
bool analyse(const csr<V>& a, const static_options& o, std::optional<lu_analysis<V>>& l,
             static_data<F>& f)
{
    static_report& r = f.about;
    if (!l) l = analyse_lu<F>(a, o.common, work_in_static_order<F>);
    r.making_bytes = l->columns.bytes() + l->columns.entries() * 6 * index_t{sizeof(column_t)} +
                     r.n * 12 * index_t{sizeof(column_t)};
    if (!l->is_finite)
        r.end = factor_end::not_finite;
    else if (!(l->static_operations >= o.least_operations && l->static_operations < HUGE_VAL))
        r.end = factor_end::unsuited;
    return r.end == factor_end::complete && fits(*l, o, f);
}

/// L and U of the scaled matrix, in the order of elimination, and of its transpose.
template <scalar F>
void make_numbers(const sparse_columns<F>& columns, const sparse_columns<F>& rows,
                  const place_of_factors& at, std::atomic<double>& done, static_data<F>& f)
{
    static_report& r = f.about;
    r.making_bytes =
        std::max(r.making_bytes, r.bytes + columns.bytes() + rows.bytes() +
                                     std::max(1, f.run.threads()) * r.n * index_t{sizeof(index_t)});
    const double largest = largest_entry(columns);
    const pivot_rule rule = static_rule<F>(largest);
    const column_t failed = make_anywhere<F>(
        at, r,
        [&](factors_elsewhere<F>& there) {
            return there.make_static_lu(f.parts, columns, rows, rule, *f.values, done, f.there);
        },
        [&] {
            f.values->allocate();
            return make_static_lu(f.parts, columns, rows, rule, *f.values, f.run, done);
        });
    r.done = failed < 0 ? r.operations : std::min(2 * done, r.operations);
    if (failed >= 0) {
        r.end = factor_end::not_finite;
        return;
    }
    f.sweeps = {f.run, f.there ? sweep_plan{} : plan_of_sweeps(f.parts, f.run)};
    number_rows(f);
    look_at_pivots(largest, f);
}

template <scalar F, scalar V>
void fill(const csr<V>& a, const static_options& o, std::optional<lu_analysis<V>>& l,
          std::atomic<double>& done, static_data<F>& f)
{
    if (!analyse(a, o, l, f)) return;
    l->order.counted = {};  // which takes as much memory as A
    f.run = o.common.run;
    f.most_growth = o.common.most_growth;
    f.scaling = std::move(l->scaling);
    add(f.scaling.row, l->balance.row);
    add(f.scaling.column, l->balance.column);
    f.diagonal = std::move(l->order.preferred);
    const sparse_columns<F> columns = in_order(l->columns, f);
    l.reset();
    f.largest = exponent_of(largest_entry(columns));
    make_numbers(columns, transposed(columns), o.at, done, f);
}

/// Whether every entry below the diagonal has a place in L.
template <scalar F>
bool is_below(const sparse_columns<F>& a, const supernodes& s)
{
    std::vector<column_t> seen(as_size(a.rows), -1);
    for (column_t q = 0; q < s.size(); ++q) {
        const column_t end = s.first[as_size(q) + 1];
        for (column_t k = 0; k < s.below(q); ++k) seen[as_size(s.rows(q)[k])] = q;
        for (index_t e = a.begin[as_size(s.first[as_size(q)])]; e < a.begin[as_size(end)]; ++e) {
            const column_t i = a.row[as_size(e)];
            if (i >= end && seen[as_size(i)] != q) return false;
        }
    }
    return true;
}

/// What depends on the pattern alone, or is kept with it.
template <scalar F>
std::shared_ptr<static_data<F>> analysed_as(const static_data<F>& old)
{
    const auto f = std::make_shared<static_data<F>>();
    f->about.n = old.about.n;
    f->about.ordering = old.about.ordering;
    f->about.entries = old.about.entries;
    f->about.operations = old.about.operations;
    f->about.bytes = old.about.bytes;
    f->run = old.run;
    f->most_growth = old.most_growth;
    f->scaling = old.scaling;
    f->largest = old.largest;
    f->diagonal = old.diagonal;
    f->parts = old.parts;
    f->values = std::make_unique<static_lu<F>>(f->parts);
    return f;
}

/// All entries times a power of two that makes the largest as large as that of the old values.
template <scalar F, scalar V>
std::optional<sparse_columns<F>> scaled_alike(const sparse_columns<V>& a, static_data<F>& f)
{
    sparse_columns<F> columns = in_order(a, f);
    const double largest = largest_entry(columns);
    if (!(largest > 0 && largest < HUGE_VAL)) return std::nullopt;
    const int more = f.largest - exponent_of(largest);
    if (more == 0) return columns;
    for (int& e : f.scaling.row) e += more;
    return in_order(a, f);
}

/// work(done, data), which the watch can stop; done: of L L^T.
template <scalar F, scalar V, class Work>
std::shared_ptr<static_data<F>> watched(const csr<V>& a, const static_options& options,
                                        const Work& work)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no LU factors to solve with");
    const auto begin = std::chrono::steady_clock::now();
    const auto data = std::make_shared<static_data<F>>();
    static_report& about = data->about;
    about.n = a.rows;
    about.nonzeros = a.nonzeros();
    std::atomic<double> done = 0;
    const auto goes_on = [&] { return may_go_on(options, about, done); };
    if (!completed(goes_on, [&] { work(done, *data); })) about.end = factor_end::stopped;
    if (about.end == factor_end::stopped) about.done = std::min(2 * done, about.operations);
    if (about.end != factor_end::complete) {
        data->values.reset();
        data->there.reset();
    }
    about.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return data;
}

template <scalar F>
two_triangles<F> forward(const static_data<F>& f)
{
    const column_t* const lower =
        f.rows_of_lower.empty() ? f.parts.row.data() : f.rows_of_lower.data();
    return {f.parts,
            f.values->l,
            f.values->u,
            lower,
            f.parts.row.data(),
            f.row_of,
            f.column_of,
            f.scaling.row,
            f.scaling.column,
            f.sweeps,
            nullptr,
            f.there.get()};
}
template <scalar F>
two_triangles<F> transposed_way(const static_data<F>& f)
{
    const two_triangles<F> w = forward(f);
    return {w.parts,     w.second,   w.first,  w.second_rows, w.first_rows, w.out, w.in,
            w.scale_out, w.scale_in, w.sweeps, nullptr,       w.there,      true};
}

}  // namespace

template <scalar F>
template <scalar V>
static_factors<F> static_factors<F>::make(const csr<V>& a, const static_options& options,
                                          std::optional<lu_analysis<V>>* analysis)
{
    std::optional<lu_analysis<V>> mine;
    static_factors f;
    f.data_ = watched<F>(a, options, [&](std::atomic<double>& done, static_data<F>& data) {
        fill(a, options, analysis ? *analysis : mine, done, data);
    });
    return f;
}

template <scalar F>
template <scalar V>
static_report static_factors<F>::count(const csr<V>& a, const static_options& options)
{
    std::optional<lu_analysis<V>> mine;
    return watched<F>(
               a, options,
               [&](std::atomic<double>&, static_data<F>& data) { analyse(a, options, mine, data); })
        ->about;
}

template <scalar F>
template <scalar T>
void static_factors<F>::solve(vec<const T> b, vec<T> x) const
{
    require_complete(data_->about.end);
    solve_through<F>(forward(*data_), b, x);
}
template <scalar F>
template <scalar T>
void static_factors<F>::solve_transposed(vec<const T> b, vec<T> x) const
{
    require_complete(data_->about.end);
    solve_through<F>(transposed_way(*data_), b, x);
}

template <scalar F>
template <scalar V>
bool static_factors<F>::refactor(const csr<V>& a, const place_of_factors& at)
{
    const auto begin = std::chrono::steady_clock::now();
    const static_data<F>& old = *data_;
    if (a.rows != old.about.n || a.columns != old.about.n)
        throw input_error("refactor: the factors are of a matrix with " +
                          std::to_string(old.about.n) + " rows, the new one has " +
                          std::to_string(a.rows));
    if (old.about.end != factor_end::complete) return false;
    const sparse_columns<V> given = columns_of(a);
    if (!detail::all_finite(given)) return false;
    const auto data = analysed_as(old);
    static_report& about = data->about;
    about.nonzeros = a.nonzeros();
    const auto columns = scaled_alike(given, *data);
    if (!columns) return false;
    const sparse_columns<F> rows = transposed(*columns);
    if (!is_below(*columns, data->parts) || !is_below(rows, data->parts)) return false;
    std::atomic<double> done = 0;
    make_numbers(*columns, rows, at, done, *data);
    if (about.end != factor_end::complete || has_weak_pivots(about, data->most_growth))
        return false;
    about.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    data_ = data;
    return true;
}

template <scalar F>
int static_factors<F>::device() const
{
    return data_->there ? data_->there->device() : -1;
}

template <scalar F>
template <scalar T>
std::unique_ptr<placed_solver<T>>
static_factors<F>::solver_there(factor_operations& operations) const
{
    const static_data<F>& f = *data_;
    require_complete(f.about.end);
    return operations.in<F>().template solver<T>(
        f.there, {f.row_of, f.column_of, f.scaling.row, f.scaling.column});
}

template <scalar F>
const static_report& static_factors<F>::about() const
{
    return data_->about;
}
template <scalar F>
const supernodes& static_factors<F>::parts() const
{
    return data_->parts;
}
template <scalar F>
const std::vector<column_t>& static_factors<F>::row_of() const
{
    return data_->row_of;
}
template <scalar F>
const std::vector<column_t>& static_factors<F>::column_of() const
{
    return data_->column_of;
}
template <scalar F>
const exponents& static_factors<F>::scaling() const
{
    return data_->scaling;
}
template <scalar F>
const std::vector<column_t>& static_factors<F>::places() const
{
    return data_->values->row;
}
template <scalar F>
F static_factors<F>::entry(index_t i, index_t j) const
{
    const supernodes& s = data_->parts;
    const bool is_lower = i > j;
    const index_t column = std::min(i, j), row = std::max(i, j);
    const column_t q = s.of_column[as_size(column)], first = s.first[as_size(q)];
    const index_t w = s.width(q);
    const llt_values<F>& values = is_lower ? data_->values->l : data_->values->u;
    if (row < first + w) return values.get(s, q, row - first, column - first);
    const std::vector<column_t>& rows =
        is_lower && !data_->rows_of_lower.empty() ? data_->rows_of_lower : s.row;
    const auto begin = rows.begin() + s.row_begin[as_size(q)], end = begin + s.below(q);
    const auto found = std::find(begin, end, static_cast<column_t>(row));
    return found == end ? F(0) : values.get(s, q, w + (found - begin), column - first);
}

template class static_factors<double>;
template class static_factors<dd_real>;
#define DDLA_INSTANTIATE(F, T)                                                                     \
    template static_factors<F> static_factors<F>::make(const csr<T>&, const static_options&,       \
                                                       std::optional<lu_analysis<T>>*);            \
    template static_report static_factors<F>::count(const csr<T>&, const static_options&);         \
    template bool static_factors<F>::refactor(const csr<T>&, const place_of_factors&);             \
    template void static_factors<F>::solve(vec<const T>, vec<T>) const;                            \
    template void static_factors<F>::solve_transposed(vec<const T>, vec<T>) const;                 \
    template std::unique_ptr<placed_solver<T>> static_factors<F>::solver_there(factor_operations&) \
        const;
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

}  // namespace ddla::factor
