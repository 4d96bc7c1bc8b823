// The A of a system whose rows are shared among ranks.
#pragma once

#include "rank_product.hpp"
#include "rank_rows.hpp"
#include "ranks/agreement.hpp"
#include "ranks/moved.hpp"
#include "ranks/rank_sums.hpp"

#include "calls/at_host.hpp"
#include "calls/stopwatch.hpp"
#include "direct/solve_by_factors.hpp"
#include "matrix/rounded_to_double.hpp"
#include "operators/system_map.hpp"
#include "precondition/make_preconditioner.hpp"
#include "steps/scaling.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <string>

namespace ddla::distributed {

/// What the ranks of a solve have in common.
struct shared_solve {
    std::shared_ptr<ranks::common_answer> answer = std::make_shared<ranks::common_answer>();
    std::shared_ptr<ranks::traffic> traffic = std::make_shared<ranks::traffic>();
};

/// Copies numbers of the host to a place.
template <scalar T>
void copy_to(place where, vec<const T> from, vec<T> to)
{
    for (int w = 0; w < words_of<T>; ++w)
        copy_bytes(to.word(w), where, from.word(w), host,
                   static_cast<std::size_t>(from.size) * sizeof(double));
}
/// ... and from there.
template <scalar T>
vector<T> copy_from(place where, vec<const T> from)
{
    vector<T> here(from.size);
    for (int w = 0; w < words_of<T>; ++w)
        copy_bytes(here.view().word(w), host, from.word(w), where,
                   static_cast<std::size_t>(from.size) * sizeof(double));
    return here;
}

/// Products and norms of a system_map are those of all ranks; its rows and columns, and vectors,
/// are those of this one.
template <scalar T, scalar V>
class distributed_system final : public system_map<T> {
public:
    distributed_system(const std::shared_ptr<const placed_rows<V>>& rows, shared_solve with)
        : distributed_system(rows->layout(), rows->lists(), rows->parts(), rows->on_host(), rows,
                             std::move(with))
    {
    }
    /// `keep` keeps the entries alive.
    distributed_system(std::shared_ptr<const rank_layout> layout,
                       std::shared_ptr<const product_lists> lists, const row_parts<V>& parts,
                       const row_parts<V>& on_host, std::shared_ptr<const void> keep,
                       shared_solve with)
        : layout_(std::move(layout)), lists_(std::move(lists)), parts_(parts), on_host_(on_host),
          keep_(std::move(keep)), with_(std::move(with))
    {
    }

    index_t rows() const override { return layout_->rows(); }
    index_t columns() const override { return layout_->columns(); }
    place where() const override { return lists_->at; }
    bool is_recordable() const override { return false; }
    bool is_shared() const override { return true; }
    bool has_entries() const override { return true; }
    /// One rank has all rows, and nothing travels.
    bool has_schedule(method m) const override
    {
        return among().size() == 1 && ddla::has_schedule(m);
    }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return std::make_unique<rank_product<T, V>>(*layout_, *lists_, parts_, *with_.traffic,
                                                    here);
    }

    void require_finite(engine&) const override
    {
        const bool is_wrong = !std::isfinite(own_largest());
        const index_t wrong = ranks::smallest_of(among(), is_wrong ? among().rank() : INT64_MAX);
        if (wrong != INT64_MAX)
            throw input_error("solve: a value of A on rank " + std::to_string(wrong) +
                              " is Inf or NaN");
    }
    void require_diagonal(engine&) const override
    {
        const index_t i = first_zero_diagonal();
        if (i != steps::first_index::none)
            throw input_error("solve: Jacobi needs a diagonal without zeros, row " +
                              std::to_string(i + 1) + " of A has none");
    }
    bool has_full_diagonal(engine&) const override
    {
        return first_zero_diagonal() == steps::first_index::none;
    }
    void invert_diagonal(engine&, vec<T> d) const override
    {
        copy_to<T>(where(), inverted_diagonal().view(), d);
    }
    double largest(engine&) const override { return ranks::largest_of(among(), own_largest()); }
    scaled_norms true_residual(engine& here, vec<const T> x, vec<const T> b) const override
    {
        vector_operations<T>& vectors = here.vectors<T>();
        const double scale =
            steps::residual_scale(vectors.largest_magnitude(b), vectors.largest_magnitude(x));
        vector<dd_real> r(rows(), where());
        scaled_residual(here, x, b, scale, r.view());
        vector<T> scaled_b(rows(), where());
        vectors.copy(b, scaled_b.view());
        vectors.scal(T(scale), scaled_b.view());
        return {here.vectors<dd_real>().nrm2(std::as_const(r).view()),
                dd_real(vectors.nrm2(std::as_const(scaled_b).view())), scale,
                static_cast<std::size_t>(rows()) * (sizeof(dd_real) + sizeof(T))};
    }
    void scaled_residual(engine& here, vec<const T> x, vec<const T> b, double scale,
                         vec<dd_real> r) const override
    {
        rank_residual<T, V>(*layout_, *lists_, parts_, *with_.traffic, here, x, b, scale, r);
    }
    std::shared_ptr<const system_map<double>> in_double() const override
    {
        const auto rounded = [](const row_parts<V>& of) {
            return row_parts<double>{api::rounded_to_double(of.interior),
                                     api::rounded_to_double(of.boundary)};
        };
        return std::make_shared<distributed_system<double, double>>(
            layout_, lists_, rounded(parts_), rounded(on_host_), keep_, with_);
    }
    const linear_map<T>& transposed() const override
    {
        if (!transposed_)
            transposed_ = std::make_unique<distributed_system>(
                std::make_shared<const placed_rows<V>>(
                    std::make_shared<const rank_rows<V>>(transposed_rows(*layout_, on_host_)),
                    where()),
                with_);
        return *transposed_;
    }
    double frobenius_norm(engine&) const override;
    double normal_residual(engine& here, vec<const T> x, vec<const T> b) const override;
    std::optional<refine::hasty_residuals> hasty_residuals(engine&, vec<const T>, vec<const T>,
                                                           bool, double) const override
    {
        return {};
    }
    std::optional<preconditioner<T>>
    make_preconditioner(preconditioning kind, const preconditioner_options& options,
                        const std::function<bool(double)>& watch) const override;
    std::optional<refine::passed_limit> solve_by_factors(engine& here, vec<const T> b, vec<T> x,
                                                         const solve_options& options,
                                                         solve_report& report,
                                                         refine::kept_factors* kept) const override;

    index_t nonzeros() const override { return parts_.nonzeros(); }
    std::size_t bytes() const override
    {
        constexpr std::size_t of_entry = sizeof(column_t) + sizeof(V);
        return static_cast<std::size_t>(nonzeros()) * of_entry +
               static_cast<std::size_t>(rows()) * sizeof(index_t) + layout_->bytes() +
               (transposed_ ? transposed_->bytes() : 0);
    }
    std::size_t product_bytes(engine& here, std::size_t count) const override
    {
        auto& operations = here.matrices<T, V>();
        return operations.bytes_of_products(parts_.interior, count) +
               operations.bytes_of_products(parts_.boundary, count);
    }
    bool gains_in_lockstep(engine&) const override { return true; }

    api::matrix_shape shape() const override { refuse("its shape"); }
    solve_result solve_by_schedule(engine& here, const krylov_request<T>& q) const override
    {
        return here.matrices<T, V>().solve({q, parts_.interior});
    }
    std::vector<std::optional<refine::counted_factors>>
    count_factors(const std::vector<refine::factor_work>&,
                  const factorisation_options&) const override
    {
        refuse("counted factors");
    }
    std::shared_ptr<const system_map<T>> copy_at(place) const override
    {
        refuse("a copy at a device");
    }
    std::optional<preconditioner<T>> lu(engine&, const solve_options& options) const override
    {
        require_preconditioner(options.precond, options.preconditioner);
        throw internal_error("solve: LU of a matrix of several ranks");
    }
    /// Throws input_error, on all ranks, for those that are of matrices of one rank.
    void require_preconditioner(preconditioning kind, const preconditioner_options& options) const;

private:
    [[noreturn]] static void refuse(const std::string& what)
    {
        throw internal_error("solve: " + what + " of a matrix of several ranks");
    }
    communicator& among() const { return layout_->among(); }
    /// NaN if one is.
    double own_largest() const
    {
        const auto largest_in = [](const csr<V>& a) {
            return steps::largest{a.largest_value >= 0
                                      ? a.largest_value
                                      : host_engine().vectors<V>().largest_magnitude(a.value)};
        };
        return (largest_in(on_host_.interior) + largest_in(on_host_.boundary)).value;
    }
    /// On the host.
    vector<T> inverted_diagonal() const
    {
        const csr_matrix<V> diagonal = diagonal_entries(*layout_, on_host_);
        vector<T> inverse(rows());
        host_engine().matrices<T, V>().invert_diagonal(diagonal.view(), inverse.view());
        return inverse;
    }
    index_t first_zero_diagonal() const
    {
        const csr_matrix<V> diagonal = diagonal_entries(*layout_, on_host_);
        const index_t mine = host_engine().matrices<T, V>().first_zero_diagonal(diagonal.view());
        const index_t begin = layout_->row_ranges().begin(among().rank());
        return ranks::smallest_of(among(), mine == steps::first_index::none ? mine : begin + mine);
    }
    std::optional<preconditioner<T>> block_jacobi(const preconditioner_options& options,
                                                  const std::function<bool(double)>& watch) const;
    build_report joined_report(const build_report& mine, index_t begin,
                               index_t entries_of_own) const;
    preconditioner<T> polynomial(const preconditioner_options& options) const;
    double largest_row_sum() const;

    std::shared_ptr<const rank_layout> layout_;
    std::shared_ptr<const product_lists> lists_;
    row_parts<V> parts_, on_host_;
    std::shared_ptr<const void> keep_;
    shared_solve with_;
    mutable std::unique_ptr<distributed_system> transposed_;
};

}  // namespace ddla::distributed
