// Elimination modulo a prime.
#include "modular.hpp"

#include "factors_data.hpp"
#include "residue.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace detail {

struct modular_data {
    modular_report about;
    lu_columns<residue> f;
    sparse_rows<residue> rest_of_lower;  ///< rows of dependent rows of A
};

}  // namespace detail

namespace {

using detail::modular_data;
using residues = std::vector<residue>;

/// Place rank + k of a dependent row or column.
index_t place_of(const std::vector<column_t>& of, column_t number)
{
    return std::find(of.begin(), of.end(), number) - of.begin();
}

template <scalar V>
sparse_columns<residue> residues_of(const sparse_columns<V>& a)
{
    sparse_columns<residue> r{a.rows, a.columns, a.begin, a.row, {}};
    r.value.reserve(a.entries());
    for (index_t k = 0; k < a.entries(); ++k) r.value.push_back(residue(a.value.get(k)));
    return r;
}

/// L y = b in all rows of A, by pivots; y in place rank + k is what row k is left with.
void eliminate(const lu_columns<residue>& f, residues& y)
{
    for (column_t k = 0; k < f.rank(); ++k) {
        const residue u = y[as_size(k)];
        if (u == residue()) continue;
        for (index_t e = 0; e < f.length(k); ++e) {
            residue& t =
                y[as_size(f.pivot_of[as_size(f.l_row[as_size(f.row_begin[as_size(k)] + e)])])];
            t = t - f.l_value.get(f.value_begin[as_size(k)] + e) * u;
        }
    }
}

/// U z = y.
void substitute(const lu_columns<residue>& f, residues& y)
{
    for (index_t k = f.rank() - 1; k >= 0; --k) {
        if (y[as_size(k)] == residue()) continue;
        const residue z = y[as_size(k)] = y[as_size(k)] / f.pivot.get(k);
        for (index_t e = f.u_begin[as_size(k)]; e < f.u_begin[as_size(k) + 1]; ++e)
            y[as_size(f.u_row[as_size(e)])] =
                y[as_size(f.u_row[as_size(e)])] - f.u_value.get(e) * z;
    }
}

/// L^T z = y.
void substitute_transposed(const lu_columns<residue>& f, residues& y)
{
    for (index_t k = f.rank() - 1; k >= 0; --k)
        for (index_t e = 0; e < f.length(static_cast<column_t>(k)); ++e) {
            const index_t i = f.pivot_of[as_size(f.l_row[as_size(f.row_begin[as_size(k)] + e)])];
            if (i < f.rank())
                y[as_size(k)] =
                    y[as_size(k)] - f.l_value.get(f.value_begin[as_size(k)] + e) * y[as_size(i)];
        }
}

std::vector<column_t> support(const residues& z, const std::vector<column_t>& of, column_t itself)
{
    std::vector<column_t> where{itself};
    for (std::size_t k = 0; k < z.size(); ++k)
        if (z[k] != residue()) where.push_back(of[k]);
    std::sort(where.begin(), where.end());
    return where;
}

/// z = the row, by pivots.
residues spread(const sparse_rows<residue>& rows, index_t k, index_t rank)
{
    residues z(as_size(rank));
    for (index_t e = rows.begin[as_size(k)]; e < rows.begin[as_size(k) + 1]; ++e)
        z[as_size(rows.column[as_size(e)])] = rows.value.get(e);
    return z;
}

void describe(const lu_columns<residue>& f, modular_report& r)
{
    r.end = f.end;
    r.rank = f.rank();
    r.operations = f.operations;
    r.entries = f.entries();
    r.bytes = f.bytes();
    r.making_bytes += f.making_bytes();
    if (f.end != factor_end::complete) return;
    r.dependent_rows.assign(f.row_of.begin() + f.rank(), f.row_of.end());
    r.dependent_columns = f.skipped;
    std::sort(r.dependent_columns.begin(), r.dependent_columns.end());
}

template <scalar V>
void fill(const csr<V>& a, const options& o, modular_data& data)
{
    const sparse_columns<V> columns = columns_of(a);
    data.about.structural_rank = a.rows;
    if (!detail::all_finite(columns)) {
        data.about.end = factor_end::not_finite;
        return;
    }
    data.about.making_bytes = columns.bytes() + columns.template bytes<residue>();
    const elimination_order order =
        detail::order_for<residue>(columns, scaling_of(columns, o.scale), o);
    const lu_options limits{.most_operations = o.most_operations,
                            .most_bytes = o.most_bytes,
                            .watch = o.watch,
                            .rows_without_pivot = o.rows_without_pivot};
    data.f = factorise(residues_of(columns), order, limits);
    describe(data.f, data.about);
    if (data.about.end != factor_end::complete) return;
    data.rest_of_lower = rows_of_lower(data.f).rest;
    if (data.about.rank == a.rows) return;
    const matching m = largest_matching(columns, o.most_operations);
    if (m.complete) data.about.structural_rank = m.size;
}

const modular_data& complete(const modular_data& data)
{
    if (data.about.end != factor_end::complete)
        throw input_error("an elimination modulo a prime that ended early has no rank");
    return data;
}

/// b modulo the prime, in the order of pivots.
template <scalar T>
residues residues_by_pivot(const lu_columns<residue>& f, vec<const T> b)
{
    if (b.size != f.n)
        throw input_error("b has " + std::to_string(b.size) + " elements, and A " +
                          std::to_string(f.n) + " rows");
    residues y(as_size(f.n));
    for (index_t i = 0; i < f.n; ++i) {
        if (!isfinite(b.get(i)))
            throw input_error("element " + std::to_string(i) + " of b is Inf or NaN");
        y[as_size(f.pivot_of[as_size(i)])] = residue(b.get(i));
    }
    return y;
}

void require_dependent(const modular_report& r, index_t k)
{
    if (k < 0 || k >= r.n - r.rank)
        throw input_error("null vector " + std::to_string(k) + " of a matrix of rank " +
                          std::to_string(r.rank) + " with " + std::to_string(r.n) + " rows");
}

}  // namespace

template <scalar V>
modular_factors modular_factors::make(const csr<V>& a, const options& options)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no LU factors");
    const auto begin = std::chrono::steady_clock::now();
    const auto data = std::make_shared<modular_data>();
    data->about.n = a.rows;
    const auto goes_on = [&] { return !options.watch || options.watch(0, a.rows, 0, 0); };
    if (!completed(goes_on, [&] { fill(a, options, *data); }))
        data->about.end = factor_end::stopped;
    data->about.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    modular_factors m;
    m.data_ = data;
    return m;
}

const modular_report& modular_factors::about() const
{
    return data_->about;
}

template <scalar T>
bool modular_factors::is_consistent(vec<const T> b) const
{
    const lu_columns<residue>& f = complete(*data_).f;
    residues y = residues_by_pivot(f, b);
    if (f.rank() == f.n) return true;
    eliminate(f, y);
    return std::all_of(y.begin() + f.rank(), y.end(), [](residue r) { return r == residue(); });
}

template <scalar T>
std::vector<bool> modular_factors::zeros_of_solution(vec<const T> b) const
{
    const lu_columns<residue>& f = complete(*data_).f;
    if (f.rank() < f.n)
        throw input_error("zeros of a solution: A is singular, of rank " +
                          std::to_string(f.rank()) + " with " + std::to_string(f.n) + " rows");
    residues y = residues_by_pivot(f, b);
    eliminate(f, y);
    substitute(f, y);
    std::vector<bool> zero(as_size(f.n));
    for (std::size_t k = 0; k < y.size(); ++k) zero[as_size(f.column_of[k])] = y[k] == residue();
    return zero;
}

std::vector<column_t> modular_factors::right_null_support(index_t k) const
{
    const lu_columns<residue>& f = complete(*data_).f;
    require_dependent(data_->about, k);
    const column_t j = data_->about.dependent_columns[as_size(k)];
    residues z = spread(skipped_columns_of(f), place_of(f.skipped, j), f.rank());
    substitute(f, z);
    return support(z, f.column_of, j);
}

std::vector<column_t> modular_factors::left_null_support(index_t k) const
{
    const lu_columns<residue>& f = complete(*data_).f;
    require_dependent(data_->about, k);
    residues z = spread(data_->rest_of_lower, k, f.rank());
    substitute_transposed(f, z);
    return support(z, f.row_of, data_->about.dependent_rows[as_size(k)]);
}

options modular_factors::with_this_rank(options options) const
{
    options.rows_without_pivot = data_->about.dependent_rows;
    options.columns_without_pivot = data_->about.dependent_columns;
    return options;
}

template modular_factors modular_factors::make(const csr<double>&, const options&);
template modular_factors modular_factors::make(const csr<dd_real>&, const options&);
template bool modular_factors::is_consistent(vec<const double>) const;
template bool modular_factors::is_consistent(vec<const dd_real>) const;
template std::vector<bool> modular_factors::zeros_of_solution(vec<const double>) const;
template std::vector<bool> modular_factors::zeros_of_solution(vec<const dd_real>) const;

}  // namespace ddla::factor
