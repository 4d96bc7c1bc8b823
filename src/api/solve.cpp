#include "ddla/solve.hpp"
#include "ddla/factors.hpp"

#include "ddla/text.hpp"

#include "formats/storage.hpp"
#include "place_of.hpp"
#include "refine/factor_stages.hpp"
#include "solve_by_factors.hpp"
#include "solve_on.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ddla {

using namespace api;

std::string_view to_string(method m)
{
    switch (m) {
    case method::automatic:
        return "auto";
    case method::refinement:
        return "refine";
    case method::bicgstab:
        return "bicgstab";
    case method::cg:
        return "cg";
    }
    return "unknown";
}

std::string_view to_string(preconditioner p)
{
    return p == preconditioner::jacobi ? "jacobi" : "none";
}

std::string_view to_string(solve_status s)
{
    switch (s) {
    case solve_status::converged:
        return "converged";
    case solve_status::iteration_limit:
        return "iteration_limit";
    case solve_status::breakdown:
        return "breakdown";
    case solve_status::stagnated:
        return "stagnated";
    case solve_status::not_finite:
        return "not_finite";
    case solve_status::singular:
        return "singular";
    case solve_status::at_floor:
        return "at_floor";
    }
    return "unknown";
}

std::string_view to_string(solve_goal g)
{
    return g == solve_goal::digits ? "digits" : "residual";
}

namespace {

const char* name_of(steps::named_scalar s)
{
    switch (s) {
    case steps::named_scalar::none:
        return "";
    case steps::named_scalar::rho:
        return "rho";
    case steps::named_scalar::r0_v:
        return "(r0, v)";
    case steps::named_scalar::alpha:
        return "alpha";
    case steps::named_scalar::omega:
        return "omega";
    case steps::named_scalar::p_ap:
        return "(p, A p)";
    case steps::named_scalar::residual:
        return "residual";
    }
    return "";
}

constexpr double default_tolerance = 1e-12;

bool uses_factors(method m)
{
    return m == method::automatic || m == method::refinement;
}

/// `most_digits` is what the numbers of x hold.
void check_options(const solve_options& o, int most_digits)
{
    const double tolerance = o.tolerance.value_or(default_tolerance);
    if (!(tolerance >= 0 && tolerance < 1))
        throw input_error("solve: the tolerance must be at least 0 and less than 1, not " +
                          to_string(dd_real(tolerance), 6));
    check_limits("solve", o.digits, most_digits, o.factorisation);
    if (o.max_iterations < 0)
        throw input_error("solve: the iteration limit must not be negative, as " +
                          std::to_string(o.max_iterations) + " is");
    if (o.check_every < 0)
        throw input_error("solve: the check interval must not be negative, as " +
                          std::to_string(o.check_every) + " is");
}

template <scalar T, scalar V>
void check_system(engine& here, const csr<V>& a, vec<const T> b, vec<const T> x,
                  const solve_options& options)
{
    if (x.size > 0 && x.word(0) == b.word(0))
        throw input_error("solve: x and b are the same vector, the report would judge x by itself");
    check_options(options, words_of<T> == 1 ? 15 : 31);
    if (a.largest_value < 0) require_finite(here, "solve", "the values of A", a.value);
    require_finite(here, "solve", "b", b);
    require_finite(here, "solve", "x", x);
    if (options.precond == preconditioner::jacobi && !uses_factors(options.method)) {
        const index_t i = here.matrices<T, V>().first_zero_diagonal(a);
        if (i != steps::first_index::none)
            throw input_error("solve: Jacobi needs a diagonal without zeros, row " +
                              std::to_string(i + 1) + " of A has none");
    }
}

/// Whatever the recurrence residual says: an x whose recomputed residual meets the tolerance is an
/// answer.
solve_status status_of(const steps::ending& e, double true_residual, double tolerance)
{
    if (e.end != steps::end_of_solve::none && true_residual <= tolerance)
        return solve_status::converged;
    switch (e.end) {
    case steps::end_of_solve::breakdown:
        return solve_status::breakdown;
    case steps::end_of_solve::not_finite:
        return solve_status::not_finite;
    case steps::end_of_solve::recurrence_met:
        return solve_status::stagnated;
    case steps::end_of_solve::iteration_limit:
    case steps::end_of_solve::none:
        break;
    }
    return solve_status::iteration_limit;
}

template <scalar T, scalar V>
solve_result run(engine& here, const csr<V>& a, vec<const T> b, vec<T> x,
                 const solve_options& options, std::vector<double>* history)
{
    if (here.vectors<T>().largest_magnitude(b) == 0) {
        here.vectors<T>().scal(T(0), x);
        here.wait();
        if (history) history->push_back(0);
        return {{.end = steps::end_of_solve::recurrence_met}, 0};
    }
    solve_request<T, V> request{a,
                                b,
                                x,
                                options.method == method::cg ? krylov_method::cg
                                                             : krylov_method::bicgstab,
                                options.precond == preconditioner::jacobi,
                                {options.tolerance.value_or(default_tolerance),
                                 options.max_iterations, options.check_every},
                                history,
                                {}};
    if (options.watch)
        request.look = [&](index_t iterations, double relative_residual) {
            return options.watch({iterations, relative_residual});
        };
    return here.matrices<T, V>().solve(request);
}

/// The bytes of A, b and x.
template <scalar T, scalar V>
std::size_t bytes_of_system(const csr<V>& a)
{
    const auto n = static_cast<std::size_t>(a.rows);
    const auto list = static_cast<std::size_t>(2 * a.long_rows.count + 1) * sizeof(index_t);
    return (a.storage ? a.storage->bytes() : 0) + (a.long_rows.count > 0 ? list : 0) +
           bytes_of_compressed_rows(a) + 2 * n * sizeof(T);
}

/// The bytes that one iteration moves.
template <scalar T>
std::size_t bytes_moved(index_t rows, const steps::ending& e)
{
    return static_cast<std::size_t>(e.traffic.products) * e.product_bytes +
           static_cast<std::size_t>(e.traffic.vectors) * static_cast<std::size_t>(rows) * sizeof(T);
}

void judge(solve_report& report, const steps::ending& e, double tolerance)
{
    report.interrupted = e.end == steps::end_of_solve::none;
    report.breakdown = name_of(e.culprit);
    report.iterations = e.iterations;
    report.relative_residual = e.relative_residual;
    report.status = status_of(e, report.true_relative_residual, tolerance);
    if (!report.interrupted && !std::isfinite(report.true_relative_residual)) {
        // The recurrence may have missed that x itself overflowed.
        report.status = solve_status::not_finite;
        if (report.breakdown.empty()) report.breakdown = "x";
    }
    if (report.status == solve_status::converged) report.breakdown.clear();
}

class stopwatch {
public:
    double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

private:
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// By a Krylov method.
template <scalar T, scalar V>
void iterate(engine& here, const csr<V>& a, vec<const T> b, vec<T> x, const solve_options& options,
             solve_report& report)
{
    const stopwatch clock;
    const solve_result result =
        run(here, a, b, x, options, options.record_history ? &report.history : nullptr);
    report.seconds = clock.seconds();
    report.iteration_seconds = result.ending.seconds;
    report.bytes_per_iteration = bytes_moved<T>(a.rows, result.ending);
    const scaled_norms truth = here.matrices<T, V>().true_residual(a, x, b);
    report.true_relative_residual = unscaled(truth).relative;
    judge(report, result.ending, options.tolerance.value_or(default_tolerance));
    report.peak_bytes = std::max(result.working_bytes, truth.working_bytes);
}

/// What is iterated where factors would be too large: the method by what the matrix is.
template <scalar T, scalar V>
solve_options iteration_instead(engine& here, const csr<V>& a, solve_options options)
{
    const bool has_diagonal =
        here.matrices<T, V>().first_zero_diagonal(a) == steps::first_index::none;
    options.method = method::bicgstab;
    options.precond = has_diagonal ? preconditioner::jacobi : preconditioner::none;
    return options;
}

/// Factors first; iterations where they would be too large.
template <scalar T, scalar V>
void answer(engine& here, place at, const csr<V>& a, vec<const T> b, vec<T> x,
            const solve_options& options, solve_report& report)
{
    const stopwatch clock;
    const std::string limit = solve_by_factors<T>(here, at, a, b, x, options, report);
    if (!limit.empty()) {
        if (options.method == method::refinement) throw resource_error("solve: " + limit);
        iterate(here, a, b, x, iteration_instead<T>(here, a, options), report);
        report.plan.push_back({std::string(to_string(method::bicgstab)), report.seconds,
                               report.true_relative_residual});
    }
    report.seconds = clock.seconds();
    if (!options.record_history) report.history.clear();
}

}  // namespace

template <scalar T, scalar V>
solve_report api::solve_on(engine& here, place at, const csr<V>& a, vec<const T> b, vec<T> x,
                           const solve_options& options)
{
    check_system<T>(here, a, b, x, options);
    solve_report report;
    report.where = at;
    report.threads = host_threads();
    if (uses_factors(options.method))
        answer<T>(here, at, a, b, x, options, report);
    else
        iterate<T>(here, a, b, x, options, report);
    report.peak_bytes += bytes_of_system<T>(a);
    report.solution_hash = hash_of<T>(x, at);
    return report;
}

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const solve_options& options)
{
    require_square("solve", a.rows(), a.columns());
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    return api::solve_on<T, V>(here, a.where(), a.view(), b.view(), x.view(), options);
}

template <scalar T, scalar V, scalar F>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const lu_factors<F>& factors,
                                          const solve_options& options)
{
    require_square("solve", a.rows(), a.columns());
    require_fit("solve", "the factors", factors.about().n, "rows", a.rows());
    if (factors.about().rank < factors.about().n)
        throw input_error("solve: the factors have no pivot in " +
                          std::to_string(factors.about().n - factors.about().rank) + " of " +
                          std::to_string(factors.about().n) +
                          " columns, which method::automatic can tell more of");
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    solve_options checked = options;
    checked.precond = preconditioner::none;
    check_system<T, V>(here, a.view(), b.view(), x.view(), checked);
    solve_report report;
    report.where = a.where();
    report.threads = host_threads();
    const stopwatch clock;
    solve_by_corrections<T, V>(here, a.where(), a.view(), b.view(), x.view(),
                               refine::inverse_by(factors.implementation()), options, report);
    report.seconds = clock.seconds();
    report.peak_bytes += bytes_of_system<T>(a.view());
    report.solution_hash = hash_of<T>(std::as_const(x).view(), a.where());
    return report;
}

#define DDLA_INSTANTIATE_WITH(T, V, F)                                                             \
    template solve_report solve(const csr_matrix<V>&, const vector<T>&, vector<T>&,                \
                                const lu_factors<F>&, const solve_options&);
#define DDLA_INSTANTIATE(T, V)                                                                     \
    DDLA_INSTANTIATE_WITH(T, V, double)                                                            \
    DDLA_INSTANTIATE_WITH(T, V, dd_real)
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE
#undef DDLA_INSTANTIATE_WITH

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template solve_report solve(const csr_matrix<V>&, const vector<T>&, vector<T>&,                \
                                const solve_options&);                                             \
    template solve_report api::solve_on(engine&, place, const csr<V>&, vec<const T>, vec<T>,       \
                                        const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
