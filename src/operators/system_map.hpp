// What solve() asks of the A of a system, be it a matrix or the caller's code.
#pragma once

#include "engine/engine.hpp"
#include "matrix/matrix_shape.hpp"
#include "refine/hasty_residuals.hpp"

#include "ddla/solve.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ddla {

namespace refine {
enum class factor_work;
struct counted_factors;
struct kept_factors;
struct passed_limit;
}  // namespace refine

template <scalar T>
class system_map : public linear_map<T> {
public:
    /// Throws input_error for a value that is not finite, as far as values are known.
    virtual void require_finite(engine& here) const = 0;
    /// Whether it is a matrix; only then the next nine may be called.
    virtual bool has_entries() const = 0;
    /// Whether solve_by_schedule() has the method.
    virtual bool has_schedule(method m) const = 0;
    /// Whether its rows, and the vectors, are those of one rank among several.
    virtual bool is_shared() const { return false; }
    /// r = scale (b - A x) with at least twice the digits of T, rounded once; scale a power of two.
    virtual void scaled_residual(engine& here, vec<const T> x, vec<const T> b, double scale,
                                 vec<dd_real> r) const = 0;
    /// With its values rounded to double, of the same memory, which must outlive it.
    virtual std::shared_ptr<const system_map<double>> in_double() const = 0;
    virtual bool has_full_diagonal(engine& here) const = 0;
    /// See api::shape_of.
    virtual api::matrix_shape shape() const = 0;
    virtual solve_result solve_by_schedule(engine& here, const krylov_request<T>& q) const = 0;
    /// See api::solve_by_factors.
    virtual std::optional<refine::passed_limit>
    solve_by_factors(engine& here, vec<const T> b, vec<T> x, const solve_options& options,
                     solve_report& report, refine::kept_factors* kept) const = 0;
    /// See api::count_factors.
    virtual std::vector<std::optional<refine::counted_factors>>
    count_factors(const std::vector<refine::factor_work>& stages,
                  const factorisation_options& asked) const = 0;
    /// A copy at another place, in the format that suits it there.
    virtual std::shared_ptr<const system_map> copy_at(place where) const = 0;
    /// See api::lu_for_solve.
    virtual std::optional<preconditioner<T>> lu(engine& here,
                                                const solve_options& options) const = 0;
    /// Of these entries, for a kind that is neither none nor jacobi; input_error if A has none.
    /// See api::make_preconditioner.
    virtual std::optional<preconditioner<T>>
    make_preconditioner(preconditioning kind, const preconditioner_options& options,
                        const std::function<bool(double)>& watch) const = 0;
    /// Throws input_error unless there is a diagonal without zeros.
    virtual void require_diagonal(engine& here) const = 0;
    virtual void invert_diagonal(engine& here, vec<T> d) const = 0;
    /// The largest entry by magnitude; 1 if unknown.
    virtual double largest(engine& here) const = 0;
    virtual scaled_norms true_residual(engine& here, vec<const T> x, vec<const T> b) const = 0;
    /// A^T at the same place; made when it is first asked for, and kept as long as this.  Throws
    /// input_error if only products with A are known.
    virtual const linear_map<T>& transposed() const = 0;
    /// The Frobenius norm; and ||A^T r|| / (||A|| ||r||) for r = b - A x, of which r has at least
    /// twice the digits of the solve.  Only where there is a transpose.
    virtual double frobenius_norm(engine& here) const = 0;
    virtual double normal_residual(engine& here, vec<const T> x, vec<const T> b) const = 0;
    /// See refine::quick_residuals_of; of a matrix at the host alone.  `normal`: by the transpose,
    /// too.
    virtual std::optional<refine::hasty_residuals> hasty_residuals(engine& here, vec<const T> x,
                                                                   vec<const T> b, bool normal,
                                                                   double claimed) const = 0;
    /// The entries of A; 0 where they are not known.
    virtual index_t nonzeros() const = 0;
    /// The bytes of A, as far as they are known.
    virtual std::size_t bytes() const = 0;
    /// Those that `count` products together read.
    virtual std::size_t product_bytes(engine& here, std::size_t count) const = 0;
    /// Whether several systems with it gain by lock-step although there is a schedule for each.
    virtual bool gains_in_lockstep(engine& here) const = 0;
};

}  // namespace ddla
