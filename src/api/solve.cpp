#include "ddla/solve.hpp"

#include "ddla/text.hpp"

#include "matrix_system.hpp"
#include "place_of.hpp"
#include "solve_on.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ddla {

using namespace api;

std::string_view to_string(preconditioning p)
{
    return p == preconditioning::jacobi ? "jacobi" : "none";
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
    case steps::named_scalar::h:
        return "h(j+1, j)";
    case steps::named_scalar::r_jj:
        return "r(j, j)";
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
    if (o.restart < 1)
        throw input_error("solve: a cycle must have an iteration, not " +
                          std::to_string(o.restart));
}

template <scalar T>
void check_preconditioner(const system_map<T>& a, const preconditioner<T>& k,
                          const solve_options& options)
{
    if (k.is_none()) return;
    if (options.precond != preconditioning::none)
        throw input_error("solve: " + std::string(to_string(options.precond)) +
                          " and a preconditioner object are one preconditioner too many");
    require_same_size("solve", "the preconditioner", k.size(), "b", a.rows());
}

template <scalar T>
void check_system(engine& here, const system_map<T>& a, const preconditioner<T>& k, vec<const T> b,
                  vec<const T> x, const solve_options& options)
{
    if (x.size > 0 && x.word(0) == b.word(0))
        throw input_error("solve: x and b are the same vector, the report would judge x by itself");
    check_options(options);
    check_preconditioner(a, k, options);
    a.require_finite(here);
    require_finite(here, "b", b);
    require_finite(here, "x", x);
    if (options.precond == preconditioning::jacobi) a.require_diagonal(here);
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
    case steps::end_of_solve::stagnated:
        return solve_status::stagnated;
    case steps::end_of_solve::iteration_limit:
    case steps::end_of_solve::none:
        break;
    }
    return solve_status::iteration_limit;
}

template <scalar T>
krylov_request<T> request_of(vec<const T> b, vec<T> x, const solve_options& options,
                             std::vector<double>* history)
{
    krylov_request<T> q{.b = b,
                        .x = x,
                        .method = options.method,
                        .restart = options.restart,
                        .jacobi = options.precond == preconditioning::jacobi,
                        .rule = {options.tolerance, options.max_iterations, options.check_every},
                        .history = history,
                        .look = {}};
    if (options.watch)
        q.look = [&](index_t iterations, double relative_residual) {
            return options.watch({iterations, relative_residual});
        };
    return q;
}

template <scalar T>
solve_result run_as_program(engine& here, const system_map<T>& a, const krylov_request<T>& q)
{
    program_request<T> request{q, &a, 1, {}};
    // (A K^-1 v, A K^-1 v) squares A K^-1, whose entries are about one with a preconditioner.
    if (q.jacobi)
        request.invert_diagonal = [&](vec<T> d) { a.invert_diagonal(here, d); };
    else if (q.inverse_diagonal.size == 0 && !q.preconditioner)
        request.largest_a = a.largest(here);
    solve_result result = here.programs<T>().solve(request);
    result.ending.product_bytes = a.product_bytes();
    return result;
}

/// The same; where memory does not suffice for a basis, the message says what to do.
template <scalar T>
solve_result run_with_basis(engine& here, const system_map<T>& a, const krylov_request<T>& q)
try {
    return run_as_program(here, a, q);
} catch (const resource_error& e) {
    throw resource_error(std::string(e.what()) + "; FGMRES keeps a vector, or two with a " +
                         "preconditioner, for each iteration of a cycle: choose a restart below " +
                         std::to_string(q.restart));
}

template <scalar T>
solve_result run(engine& here, const system_map<T>& a, const preconditioner<T>& k, vec<const T> b,
                 vec<T> x, const solve_options& options, std::vector<double>* history)
{
    if (here.vectors<T>().largest_magnitude(b) == 0) {
        here.vectors<T>().scal(T(0), x);
        here.wait();
        if (history) history->push_back(0);
        return {{.end = steps::end_of_solve::recurrence_met}, 0};
    }
    krylov_request<T> request = request_of(b, x, options, history);
    std::shared_ptr<const linear_map<T>> map;
    if (k.inverse_diagonal()) {
        require_same_place("solve", "the preconditioner", k.where(), "b", a.where());
        request.inverse_diagonal = std::as_const(*k.inverse_diagonal()).view();
    } else if (!k.is_none()) {
        map = k.map_at(a.where());
        request.preconditioner = map.get();
    }
    if (a.has_schedules() && has_schedule(options.method) && !map)
        return a.solve_by_schedule(here, request);
    return options.method == method::fgmres ? run_with_basis(here, a, request)
                                            : run_as_program(here, a, request);
}

/// The bytes that an iteration moves.
template <scalar T>
std::size_t bytes_moved(index_t rows, const steps::ending& e)
{
    const auto all =
        static_cast<std::size_t>(e.traffic.products) * e.product_bytes +
        static_cast<std::size_t>(e.traffic.vectors) * static_cast<std::size_t>(rows) * sizeof(T);
    return all / static_cast<std::size_t>(e.traffic.iterations);
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

}  // namespace

template <scalar T>
solve_report api::solve_on(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                           vec<const T> b, vec<T> x, const solve_options& options)
{
    check_system<T>(here, a, k, b, x, options);
    solve_report report;
    report.where = a.where();
    report.threads = host_threads();

    const auto started = std::chrono::steady_clock::now();
    const solve_result result =
        run(here, a, k, b, x, options, options.record_history ? &report.history : nullptr);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

    report.iteration_seconds = result.ending.seconds;
    report.bytes_per_iteration = bytes_moved<T>(a.rows(), result.ending);

    const scaled_norms truth = a.true_residual(here, x, b);
    report.true_relative_residual = unscaled(truth).relative;
    judge(report, result.ending, options.tolerance);
    report.peak_bytes = a.bytes() + k.built().bytes +
                        2 * static_cast<std::size_t>(a.rows()) * sizeof(T) +
                        std::max(result.working_bytes, truth.working_bytes);
    report.solution_hash = hash_of<T>(x, a.where());
    return report;
}

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const solve_options& options)
{
    return solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const preconditioner<T>& k,
                                          const vector<T>& b, vector<T>& x,
                                          const solve_options& options)
{
    require_square("solve", a.rows(), a.columns());
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    return api::solve_on<T>(here, matrix_system<T, V>(a.view(), a.where()), k, b.view(), x.view(),
                            options);
}

template <scalar T>
solve_report solve(const linear_operator<T>& a, const vector<T>& b, vector<T>& x,
                   const solve_options& options)
{
    return solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T>
solve_report solve(const linear_operator<T>& a, const preconditioner<T>& k, const vector<T>& b,
                   vector<T>& x, const solve_options& options)
{
    require_square("solve", a.rows(), a.columns());
    require_fit("solve", "b", b.size(), "rows", a.rows());
    require_fit("solve", "x", x.size(), "columns", a.columns());
    require_same_place("solve", "x", x.where(), "b", b.where());
    return api::solve_on<T>(engine_at(b.where()), *a.system_at(b.where()), k, b.view(), x.view(),
                            options);
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template solve_report solve(const csr_matrix<V>&, const vector<T>&, vector<T>&,                \
                                const solve_options&);                                             \
    template solve_report solve(const csr_matrix<V>&, const preconditioner<T>&, const vector<T>&,  \
                                vector<T>&, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T)                                                                        \
    template solve_report solve(const linear_operator<T>&, const vector<T>&, vector<T>&,           \
                                const solve_options&);                                             \
    template solve_report solve(const linear_operator<T>&, const preconditioner<T>&,               \
                                const vector<T>&, vector<T>&, const solve_options&);               \
    template solve_report api::solve_on(engine&, const system_map<T>&, const preconditioner<T>&,   \
                                        vec<const T>, vec<T>, const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
