#include "ddla/solve.hpp"

#include "ddla/text.hpp"

#include "place_of.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ddla {

using namespace api;

std::string_view to_string(method m)
{
    return m == method::cg ? "cg" : "bicgstab";
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
    }
    return "unknown";
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

void check_options(const solve_options& o)
{
    if (!(o.tolerance >= 0 && o.tolerance < 1))
        throw input_error("solve: the tolerance must be at least 0 and less than 1, not " +
                          to_string(dd_real(o.tolerance), 6));
    if (o.max_iterations < 0)
        throw input_error("solve: the iteration limit must not be negative, as " +
                          std::to_string(o.max_iterations) + " is");
    if (o.check_every < 0)
        throw input_error("solve: the check interval must not be negative, as " +
                          std::to_string(o.check_every) + " is");
}

template <scalar T>
void require_finite(engine& here, const char* name, vec<const T> x)
{
    const index_t i = here.vectors<T>().first_not_finite(x);
    if (i != steps::first_index::none)
        throw input_error(std::string("solve: element ") + std::to_string(i) + " of " + name +
                          " is Inf or NaN");
}

template <scalar T, scalar V>
engine& check_system(const csr_matrix<V>& a, const vector<T>& b, const vector<T>& x,
                     const solve_options& options)
{
    if (a.rows() != a.columns())
        throw input_error("solve: the matrix is " + std::to_string(a.rows()) + " x " +
                          std::to_string(a.columns()) + ", not square");
    engine& here = engine_for("solve", a, "x", x, "b", b);
    if (x.size() > 0 && x.view().high == b.view().high)
        throw input_error("solve: x and b are the same vector, the report would judge x by itself");
    check_options(options);
    require_finite(here, "the values of A", a.view().value);
    require_finite(here, "b", b.view());
    require_finite(here, "x", x.view());
    if (options.precond == preconditioner::jacobi) {
        const index_t i = here.matrices<T, V>().first_zero_diagonal(a.view());
        if (i != steps::first_index::none)
            throw input_error("solve: Jacobi needs a diagonal without zeros, row " +
                              std::to_string(i + 1) + " of A has none");
    }
    return here;
}

/// Whatever the recurrence thought: an x whose recomputed residual meets the tolerance is an
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
steps::ending run(engine& here, const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                  const solve_options& options, std::vector<double>* history)
{
    const index_t interval =
        options.check_every > 0 ? options.check_every : here.usual_check_interval();
    solve_request<T, V> request{
        a.view(),
        b.view(),
        x.view(),
        options.method == method::cg ? krylov_method::cg : krylov_method::bicgstab,
        options.precond == preconditioner::jacobi,
        {options.tolerance, options.max_iterations,
         std::clamp<index_t>(interval, 1, std::max<index_t>(1, options.max_iterations))},
        history,
        {}};
    if (options.watch)
        request.look = [&](index_t iterations, double relative_residual) {
            return options.watch({iterations, relative_residual});
        };
    return here.matrices<T, V>().solve(request);
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const solve_options& options)
{
    engine& here = check_system(a, b, x, options);
    solve_report report;
    report.where = a.where();
    report.threads = host_threads();
    std::vector<double>* const history = options.record_history ? &report.history : nullptr;

    const auto started = std::chrono::steady_clock::now();
    steps::ending e;
    if (here.vectors<T>().largest_magnitude(b.view()) == 0) {
        here.vectors<T>().scal(T(0), x.view());
        e.end = steps::end_of_solve::recurrence_met;
        if (history) history->push_back(0);
    } else {
        e = run(here, a, b, x, options, history);
    }
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

    report.interrupted = e.end == steps::end_of_solve::none;
    report.breakdown = name_of(e.culprit);
    report.iterations = e.iterations;
    report.relative_residual = e.relative_residual;
    report.true_relative_residual = true_residual(a, x, b).relative;
    report.status = status_of(e, report.true_relative_residual, options.tolerance);
    if (!report.interrupted && !std::isfinite(report.true_relative_residual)) {
        // The recurrence may have missed that x itself overflowed.
        report.status = solve_status::not_finite;
        if (report.breakdown.empty()) report.breakdown = "x";
    }
    if (report.status == solve_status::converged) report.breakdown.clear();
    report.solution_hash = hash_of(x);
    return report;
}

template solve_report solve(const csr_matrix<double>&, const vector<double>&, vector<double>&,
                            const solve_options&);
template solve_report solve(const csr_matrix<double>&, const vector<dd_real>&, vector<dd_real>&,
                            const solve_options&);
template solve_report solve(const csr_matrix<dd_real>&, const vector<dd_real>&, vector<dd_real>&,
                            const solve_options&);

}  // namespace ddla
