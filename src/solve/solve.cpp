#include "ddla/solve.hpp"
#include "ddla/factors.hpp"
#include "ddla/fp_mode.hpp"
#include "ddla/text.hpp"

#include "calls/own_mode.hpp"
#include "calls/place_of.hpp"
#include "checked_system.hpp"
#include "direct/answer_request.hpp"
#include "direct/judged_digits.hpp"
#include "direct/lu_parts.hpp"
#include "direct/solve_by_factors.hpp"
#include "matrix/mixed_hash.hpp"
#include "operators/matrix_system.hpp"
#include "plan_runner.hpp"
#include "refine/factor_stages.hpp"
#include "solve_on.hpp"

namespace ddla {

using namespace api;

namespace {

/// The bytes of A and of so many b and x.
template <scalar T>
std::size_t bytes_of_system(const system_map<T>& a, std::size_t columns = 1)
{
    return a.bytes() + columns * static_cast<std::size_t>(a.rows() + a.columns()) * sizeof(T);
}

/// What each report begins with.
solve_report report_at(place where, int words)
{
    solve_report r;
    r.where = where;
    r.threads = host_threads();
    r.solution_words = words;
    return r;
}

/// The options of system j: its `watch` is told j, and ends all systems.
solve_options options_of_column(const solve_options& all, std::size_t j,
                                const std::shared_ptr<bool>& stopped)
{
    solve_options o = in_own_mode(all);
    if (!all.watch) return o;
    o.watch = [watch = o.watch, j, stopped](solve_progress now) {
        now.column = j;
        *stopped = *stopped || !watch(now);
        return !*stopped;
    };
    return o;
}

template <scalar T>
void solve_columns(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                   std::span<const system_column<T>> all)
{
    const plan p = plan_of({a.rows(), a.columns(), a.has_entries(), !k.is_none(),
                            k.is_symmetric_positive(), a.is_shared()},
                           all.front().options);
    if (!p.is_of_one) return plan_runner<T>(here, a, k, all, nullptr).run(p);
    refine::kept_factors kept;  // a single system lets go of each before it makes the next
    for (const system_column<T>& one : all)
        plan_runner<T>(here, a, k, {&one, 1}, all.size() > 1 ? &kept : nullptr).run(p);
}

}  // namespace

template <scalar T>
std::vector<solve_report>
api::solve_on(engine& here, const system_map<T>& a, const preconditioner<T>& k,
              std::span<const system_vectors<T>> each, const solve_options& options)
{
    for (const auto& [b, x] : each) check_system<T>(here, a, k, b, x, options);
    std::vector<solve_report> reports(each.size());
    std::vector<system_column<T>> all;
    const auto stopped = std::make_shared<bool>(false);
    for (std::size_t j = 0; j < each.size(); ++j) {
        reports[j] = report_at(a.where(), words_of<T>);
        all.push_back({each[j].b, each[j].x, options_of_column(options, j, stopped), reports[j]});
    }
    if (!all.empty()) solve_columns<T>(here, a, k, all);
    for (const system_column<T>& one : all) {
        one.report.peak_bytes += bytes_of_system(a, all.size()) + k.built().bytes;
        one.report.solution_hash = hash_of<T>(one.x, a.where());
    }
    return reports;
}

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report> solve(const csr_matrix<V>& a,
                                                       const std::vector<vector<T>>& b,
                                                       std::vector<vector<T>>& x,
                                                       const solve_options& options)
{
    const fp_mode_guard exact;
    return solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report>
solve(const csr_matrix<V>& a, const preconditioner<T>& k, const std::vector<vector<T>>& b,
      std::vector<vector<T>>& x, const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows(), a.columns());
    require_as_many("solve", "b", b.size(), "x", x.size());
    for (std::size_t j = 0; j < b.size(); ++j) engine_for("solve", a, "x", x[j], "b", b[j]);
    engine& here = engine_at(a.where());
    look_at_values(here, a);
    return api::solve_on<T>(here, matrix_system<T, V>(a), k, views_of(b, x), options);
}

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const solve_options& options)
{
    const fp_mode_guard exact;
    return solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const preconditioner<T>& k,
                                          const vector<T>& b, vector<T>& x,
                                          const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows(), a.columns());
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    return api::solve_on<T>(here, matrix_system<T, V>(a), k, b.view(), x.view(), options);
}

template <scalar V>
solve_report solve(const csr_matrix<V>& a, const vector<dd_real>& b, vector<dd_real>& x,
                   vector<dd_real>& x_low, const solve_options& options)
{
    const fp_mode_guard exact;
    engine& here = engine_for("solve", a, "x", x, "b", b);
    look_at_values(here, a);
    const place at = a.where();
    const matrix_system<dd_real, V> system(a);
    check_low_part(here, x, x_low, options);
    check_system<dd_real>(here, system, {}, b.view(), x.view(), with_low_part(options));
    solve_report report = report_at(at, 4);
    const stopwatch clock;
    const auto limit =
        solve_by_factors<dd_real, V>(here, at, a.view(), b.view(), {x.view(), x_low.view()},
                                     in_own_mode(options), report, nullptr);
    if (limit) throw limit->error_of("solve");
    report.seconds = clock.seconds();
    if (!options.record_history) report.history.clear();
    report.peak_bytes += bytes_of_system(system) + x_low.size() * sizeof(dd_real);
    report.solution_hash = mixed(hash_of<dd_real>(std::as_const(x).view(), at),
                                 hash_of<dd_real>(std::as_const(x_low).view(), at));
    return report;
}

template <scalar T>
solve_report solve(const linear_operator<T>& a, const vector<T>& b, vector<T>& x,
                   const solve_options& options)
{
    const fp_mode_guard exact;
    return solve(a, preconditioner<T>(), b, x, options);
}

template <scalar T>
solve_report solve(const linear_operator<T>& a, const preconditioner<T>& k, const vector<T>& b,
                   vector<T>& x, const solve_options& options)
{
    const fp_mode_guard exact;
    const auto system = system_of(a, b, x, options);
    return api::solve_on<T>(engine_at(b.where()), *system, k, b.view(), x.view(), options);
}

template <scalar T, scalar V, scalar F>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const lu_factors<F>& factors,
                                          const solve_options& options)
{
    const fp_mode_guard exact;
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
    checked.method = method::automatic;
    checked.precond = preconditioning::none;
    const matrix_system<T, V> system(a);
    check_system<T>(here, system, {}, b.view(), x.view(), checked);
    solve_report report = report_at(a.where(), words_of<T>);
    const stopwatch clock;
    solve_by_corrections<T, V>(here, a.where(), a.view(), b.view(), x.view(),
                               factors.implementation().inverse(), in_own_mode(options), report);
    report.seconds = clock.seconds();
    report.peak_bytes += bytes_of_system(system);
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
    template solve_report solve(const csr_matrix<V>&, const preconditioner<T>&, const vector<T>&,  \
                                vector<T>&, const solve_options&);                                 \
    template std::vector<solve_report> solve(const csr_matrix<V>&, const std::vector<vector<T>>&,  \
                                             std::vector<vector<T>>&, const solve_options&);       \
    template std::vector<solve_report> solve(const csr_matrix<V>&, const preconditioner<T>&,       \
                                             const std::vector<vector<T>>&,                        \
                                             std::vector<vector<T>>&, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(V)                                                                        \
    template solve_report solve(const csr_matrix<V>&, const vector<dd_real>&, vector<dd_real>&,    \
                                vector<dd_real>&, const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T)                                                                        \
    template solve_report solve(const linear_operator<T>&, const vector<T>&, vector<T>&,           \
                                const solve_options&);                                             \
    template solve_report solve(const linear_operator<T>&, const preconditioner<T>&,               \
                                const vector<T>&, vector<T>&, const solve_options&);               \
    template std::vector<solve_report> api::solve_on(                                              \
        engine&, const system_map<T>&, const preconditioner<T>&,                                   \
        std::span<const system_vectors<T>>, const solve_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
