// A matrix as the A of a system.
#pragma once

#include "calls/at_host.hpp"
#include "calls/finite_values.hpp"
#include "calls/place_of.hpp"
#include "ddla/sparse_format.hpp"
#include "direct/planned_factors.hpp"
#include "direct/solve_by_factors.hpp"
#include "formats/storage.hpp"
#include "matrix/rounded_to_double.hpp"
#include "precondition/inverted_diagonal.hpp"
#include "precondition/lu_preconditioner.hpp"
#include "precondition/make_preconditioner.hpp"
#include "system_map.hpp"

#include <string>

namespace ddla::api {

/// A matrix of its own from rows at the host.
template <scalar V>
csr_matrix<V> copy_of_rows(const csr<V>& a)
{
    std::vector<index_t> begin(static_cast<std::size_t>(a.rows) + 1);
    for (index_t i = 0; i <= a.rows; ++i) begin[static_cast<std::size_t>(i)] = a.row_begin[i];
    vector<V> value(a.nonzeros());
    for (index_t k = 0; k < a.nonzeros(); ++k) value.view().set(k, a.value.get(k));
    return {a.rows, a.columns, std::move(begin),
            std::vector<column_t>(a.column, a.column + a.nonzeros()), std::move(value)};
}

/// Without tiles and slices, which take the host up to ten times as long as compressed rows.
template <scalar V>
csr<V> without_slow_format(csr<V> a)
{
    if (a.storage && a.storage->patterns.count == 0) a.storage = nullptr;
    return a;
}

/// Of a matrix, which keeps its transpose, or of a view; `keep` keeps alive what must be.
template <scalar T, scalar V>
class matrix_system final : public system_map<T> {
public:
    matrix_system(const csr<V>& a, place where, std::shared_ptr<const void> keep = nullptr)
        : a_(a), at_(where), keep_(std::move(keep))
    {
    }
    explicit matrix_system(const csr_matrix<V>& a, std::shared_ptr<const void> keep = nullptr)
        : a_(a.view()), at_(a.where()), keep_(std::move(keep)), kept_(&a.kept())
    {
    }

    index_t rows() const override { return a_.rows; }
    index_t columns() const override { return a_.columns; }
    place where() const override { return at_; }
    bool is_recordable() const override { return true; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return here.matrices<T, V>().product(a_);
    }

    void require_finite(engine& here) const override
    {
        if (a_.largest_value < 0) require_finite_values(here, "solve", a_, at_);
    }
    void require_diagonal(engine& here) const override { api::require_diagonal<T>(here, a_); }
    void invert_diagonal(engine& here, vec<T> d) const override
    {
        here.matrices<T, V>().invert_diagonal(a_, d);
    }
    double largest(engine& here) const override
    {
        return a_.largest_value >= 0 ? a_.largest_value
                                     : here.vectors<V>().largest_magnitude(a_.value);
    }
    scaled_norms true_residual(engine& here, vec<const T> x, vec<const T> b) const override
    {
        return here.matrices<T, V>().true_residual(a_, x, b);
    }
    void scaled_residual(engine& here, vec<const T> x, vec<const T> b, double scale,
                         vec<dd_real> r) const override
    {
        here.matrices<T, V>().scaled_residual(a_, x, b, scale, r);
    }
    std::shared_ptr<const system_map<double>> in_double() const override
    {
        return std::make_shared<matrix_system<double, double>>(rounded_to_double(a_), at_, keep_);
    }
    bool has_entries() const override { return true; }
    bool has_schedule(method m) const override { return ddla::has_schedule(m); }
    index_t nonzeros() const override { return a_.nonzeros(); }
    bool has_full_diagonal(engine& here) const override
    {
        return here.matrices<T, V>().first_zero_diagonal(a_) == steps::first_index::none;
    }
    matrix_shape shape() const override
    {
        const auto rows = rows_at_host<V>(a_, at_);
        matrix_shape shape = shape_of(rows.view());
        shape.may_be_definite = refine::looks_definite(rows.view());
        return shape;
    }
    solve_result solve_by_schedule(engine& here, const krylov_request<T>& q) const override
    {
        return here.matrices<T, V>().solve({q, a_});
    }
    std::optional<refine::passed_limit> solve_by_factors(engine& here, vec<const T> b, vec<T> x,
                                                         const solve_options& options,
                                                         solve_report& report,
                                                         refine::kept_factors* kept) const override
    {
        return api::solve_by_factors<T, V>(here, at_, a_, b, unknowns<T>{x}, options, report, kept);
    }
    std::vector<std::optional<refine::counted_factors>>
    count_factors(const std::vector<refine::factor_work>& stages,
                  const factorisation_options& asked) const override
    {
        return api::count_factors(a_, at_, stages, asked);
    }
    std::shared_ptr<const system_map<T>> copy_at(place where) const override
    {
        const auto copy = std::make_shared<csr_matrix<V>>(
            copy_of_rows(rows_at_host<V>(a_, at_).view()).to(where));
        copy->remember_largest_value(a_.largest_value);
        set_format<T>(*copy);
        return std::make_shared<matrix_system>(*copy, copy);
    }
    std::optional<preconditioner<T>> lu(engine& here, const solve_options& options) const override
    {
        return lu_for_solve<T, V>(here, at_, a_, options);
    }
    const linear_map<T>& transposed() const override
    {
        if (!transposed_) {
            const auto make = [&] { return engine_at(at_).template formats<V>().transposed(a_); };
            const auto made =
                kept_ ? kept_->get(make) : std::make_shared<const csr_matrix<V>>(make());
            transposed_ = std::make_unique<matrix_system>(*made, made);
        }
        return *transposed_;
    }
    double frobenius_norm(engine& here) const override
    {
        return static_cast<double>(here.vectors<V>().nrm2(a_.value));
    }
    double normal_residual(engine& here, vec<const T> x, vec<const T> b) const override
    {
        vector<dd_real> r(rows(), at_);
        vector<T> products(columns(), at_);
        const double scale = steps::residual_scale(here.vectors<T>().largest_magnitude(b),
                                                   here.vectors<T>().largest_magnitude(x));
        here.matrices<T, V>().scaled_residual(a_, x, b, scale, r.view());
        const vec<const T> rounded = first_words<T>(r);
        transposed().bind(here)->apply(rounded, 1, products.view());
        const double norm = static_cast<double>(here.vectors<T>().nrm2(rounded));
        const double normal =
            static_cast<double>(here.vectors<T>().nrm2(std::as_const(products).view()));
        return normal > 0 ? normal / norm / frobenius_norm(here) : 0;
    }
    std::optional<refine::hasty_residuals> hasty_residuals(engine& here, vec<const T> x,
                                                           vec<const T> b, bool normal,
                                                           double claimed) const override
    {
        if (!at_.is_host()) return {};
        if (normal) transposed();
        const csr<V> t = normal ? without_slow_format(transposed_->a_) : csr<V>();
        return refine::quick_residuals_of<T>(here, without_slow_format(a_), normal ? &t : nullptr,
                                             x, b, claimed);
    }
    std::optional<preconditioner<T>>
    make_preconditioner(preconditioning kind, const preconditioner_options& options,
                        const std::function<bool(double)>& watch) const override
    {
        return api::make_preconditioner<T>(kind, a_, at_, options, watch);
    }
    std::size_t bytes() const override
    {
        const auto list = static_cast<std::size_t>(2 * a_.long_rows.count + 1) * sizeof(index_t);
        return (transposed_ ? transposed_->bytes() : 0) + (a_.storage ? a_.storage->bytes() : 0) +
               (a_.long_rows.count > 0 ? list : 0) + bytes_of_compressed_rows(a_);
    }
    std::size_t product_bytes(engine& here, std::size_t count) const override
    {
        return here.matrices<T, V>().bytes_of_products(a_, count);
    }
    bool gains_in_lockstep(engine& here) const override
    {
        return here.matrices<T, V>().gains_in_lockstep(a_);
    }

private:
    /// r rounded to T: its high words are that.
    template <scalar U>
    static vec<const U> first_words(const vector<dd_real>& r)
    {
        if constexpr (words_of<U> == 2)
            return r.view();
        else
            return vec<const U>::in_memory(r.word(0).data(), r.size());
    }

    csr<V> a_;
    place at_;
    std::shared_ptr<const void> keep_;
    const detail::kept_transpose<V>* kept_ = nullptr;  ///< of the matrix, if it is one
    mutable std::unique_ptr<matrix_system> transposed_;
};

}  // namespace ddla::api
