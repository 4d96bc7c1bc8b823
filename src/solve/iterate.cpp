// Solves by Krylov methods.
#include "iterate.hpp"

#include "calls/place_of.hpp"
#include "solve_on.hpp"
#include "storage/asked_loops.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace ddla::api {

const char* name_of(steps::named_scalar s)
{
    switch (s) {
#define DDLA_CASE(name, text)                                                                      \
    case steps::named_scalar::name:                                                                \
        return text;
        DDLA_FOR_NAMED_SCALARS(DDLA_CASE)
#undef DDLA_CASE
    }
    return "";
}

namespace {

/// Whatever the recurrence residual says: an x whose recomputed residual meets the tolerance is an
/// answer; so is, for least squares, one where A^T r does.
solve_status status_of(const steps::ending& e, const solve_report& r, double tolerance)
{
    const bool met = r.true_relative_residual <= tolerance ||
                     (r.normal_residual && *r.normal_residual <= tolerance);
    if (e.end != steps::end_of_solve::none && met) return solve_status::converged;
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
                        .l = options.l,
                        .s = options.s,
                        .jacobi = options.precond == preconditioning::jacobi,
                        .rule = {options.tolerance.value_or(usual_tolerance),
                                 options.max_iterations, options.check_every},
                        .history = history,
                        .look = {}};
    if (options.watch)
        q.look = [&](index_t iterations, double relative_residual) {
            return options.watch({iterations, relative_residual});
        };
    return q;
}

/// Requests that differ in b, x, history and look alone.  Where memory does not suffice for a
/// basis, the message says what to do.
template <scalar T>
std::vector<solve_result> solve_as_programs(engine& here, const system_map<T>& a,
                                            const std::vector<krylov_request<T>>& all)
try {
    const krylov_request<T>& q = all.front();
    program_request<T> request{q, &a, 1, {}};
    if (q.jacobi) request.invert_diagonal = [&](vec<T> d) { a.invert_diagonal(here, d); };
    // (A K^-1 v, A K^-1 v) squares A K^-1, whose entries are about one with a preconditioner.  CG
    // squares no product, and takes A as it is.
    const bool preconditioned = q.jacobi || q.inverse_diagonal || q.preconditioner;
    if (!preconditioned && q.method != method::cg) request.largest_a = a.largest(here);
    if (q.method == method::lsmr) {
        request.transposed = &a.transposed();
        request.norm_a = a.frobenius_norm(here);
    }
    request.share_of_product = [&](std::size_t systems) {
        return static_cast<double>(a.product_bytes(here, systems)) / static_cast<double>(systems);
    };
    std::vector<program_request<T>> each(all.size(), request);
    for (std::size_t j = 0; j < all.size(); ++j) static_cast<krylov_request<T>&>(each[j]) = all[j];
    return here.programs<T>().solve(each);
} catch (const resource_error& e) {
    if (all.front().method != method::fgmres) throw;
    throw resource_error(std::string(e.what()) + "; FGMRES keeps a vector, or two with a " +
                         "preconditioner, for each iteration of a cycle: choose a restart below " +
                         std::to_string(all.front().restart));
}

/// Looks at solves, in the middle of long products, too: there the watch is told again what it was
/// told last.
template <scalar T>
class lasting_look {
public:
    explicit lasting_look(std::vector<krylov_request<T>>& all)
    {
        for (std::size_t j = 0; j < all.size(); ++j) {
            looks_.push_back(all[j].look);
            if (!all[j].look) continue;
            all[j].look = [this, j](index_t iterations, double relative_residual) {
                last_ = {j, iterations, relative_residual};
                return goes_on();
            };
        }
    }
    lasting_look(const lasting_look&) = delete;
    lasting_look& operator=(const lasting_look&) = delete;

private:
    bool goes_on()
    {
        if (last_ && !has_ended_)
            has_ended_ = !looks_[last_->column](last_->iterations, last_->relative_residual);
        return !has_ended_;
    }

    struct told {
        std::size_t column;
        index_t iterations;
        double relative_residual;
    };
    std::vector<std::function<bool(index_t, double)>> looks_;
    std::optional<told> last_;
    bool has_ended_ = false;
    const loop_question question_{[this] { return goes_on(); }};
};

/// Systems with b != 0.
template <scalar T>
std::vector<solve_result> solve_nonzero(engine& here, const system_map<T>& a,
                                        const preconditioner<T>& k,
                                        std::vector<krylov_request<T>>& all)
{
    if (all.empty()) return {};
    std::shared_ptr<const linear_map<T>> map;
    if (k.inverse_diagonal())
        require_same_place("solve", "the preconditioner", k.where(), "b", a.where());
    else if (!k.is_none())
        map = k.map_at(a.where());
    for (krylov_request<T>& request : all) {
        if (k.inverse_diagonal())
            request.inverse_diagonal = std::as_const(*k.inverse_diagonal()).view();
        request.preconditioner = map.get();
    }
    const lasting_look<T> looks(all);
    const method m = all.front().method;
    if (all.size() == 1 && a.has_schedule(m) && !map)
        return {a.solve_by_schedule(here, all.front())};
    return solve_as_programs(here, a, all);
}

/// The same, also with b = 0, whose answer is x = 0.
template <scalar T>
std::vector<solve_result> solve_each(engine& here, const system_map<T>& a,
                                     const preconditioner<T>& k,
                                     std::span<const system_column<T>> all)
{
    std::vector<solve_result> results(all.size());
    std::vector<krylov_request<T>> requests;
    std::vector<std::size_t> number;
    for (std::size_t j = 0; j < all.size(); ++j) {
        auto* const history = all[j].options.record_history ? &all[j].report.history : nullptr;
        if (here.vectors<T>().largest_magnitude(all[j].b) == 0) {
            here.vectors<T>().scal(T(0), all[j].x);
            here.wait();
            if (history) history->push_back(0);
            results[j] = {{.end = steps::end_of_solve::recurrence_met}, 0};
        } else {
            requests.push_back(request_of(all[j].b, all[j].x, all[j].options, history));
            number.push_back(j);
        }
    }
    const std::vector<solve_result> found = solve_nonzero(here, a, k, requests);
    for (std::size_t i = 0; i < found.size(); ++i) results[number[i]] = found[i];
    return results;
}

void judge(solve_report& report, const steps::ending& e, double tolerance)
{
    report.interrupted = e.end == steps::end_of_solve::none;
    report.breakdown = name_of(e.culprit);
    report.iterations = e.iterations;
    report.relative_residual = e.relative_residual;
    report.status = status_of(e, report, tolerance);
    if (!report.interrupted && !std::isfinite(report.true_relative_residual)) {
        // The recurrence may have missed that x itself overflowed.
        report.status = solve_status::not_finite;
        if (report.breakdown.empty()) report.breakdown = "x";
    }
    if (report.status == solve_status::converged) report.breakdown.clear();
}

/// What is found of x in the end.
struct final_residuals {
    double relative;
    std::optional<double> normal;
    std::size_t working_bytes;
};

/// Of twice the digits of the solve.
template <scalar T>
final_residuals exact_residuals(engine& here, const system_map<T>& a,
                                const system_column<T>& column, bool normal)
{
    const auto& [b, x, options, report] = column;
    const scaled_norms truth = a.true_residual(here, x, b);
    final_residuals found{unscaled(truth).relative, {}, truth.working_bytes};
    if (normal)
        found.normal = truth.right_hand_side == dd_real(0) ? 0.0 : a.normal_residual(here, x, b);
    return found;
}

/// The same, unless the watch ends it.
template <scalar T>
std::optional<final_residuals> watched_residuals(engine& here, const system_map<T>& a,
                                                 const system_column<T>& column, bool normal,
                                                 const std::function<bool()>& goes_on)
try {
    constexpr std::int64_t times_product = 4;
    const loop_question question(goes_on);
    std::optional<asked_loops> residuals;
    if (a.has_entries()) residuals.emplace(times_product);
    return exact_residuals<T>(here, a, column, normal);
} catch (const interrupted_error&) {
    if (work_has_ended()) throw;
    return {};
}

/// After an interruption: what takes little time.
template <scalar T>
final_residuals hasty_residuals(engine& here, const system_map<T>& a,
                                const system_column<T>& column, bool normal, double claimed)
{
    const auto hasty = a.hasty_residuals(here, column.x, column.b, normal, claimed);
    if (hasty)
        return {hasty->relative, hasty->normal,
                static_cast<std::size_t>(column.b.size) * sizeof(T)};
    return exact_residuals<T>(here, a, column, false);
}

/// What the report says of a solve that has taken so long.
template <scalar T>
void fill_report(engine& here, const system_map<T>& a, const system_column<T>& column,
                 const solve_result& result, double seconds)
{
    const auto& [b, x, options, report] = column;
    steps::ending ending = result.ending;
    report.seconds = seconds;
    report.iteration_seconds = ending.seconds;
    report.bytes_per_iteration = bytes_of_iteration<T>(a.rows(), ending);
    const bool least_squares = options.method == method::lsmr;
    const auto goes_on = [&] {
        return !options.watch || options.watch({ending.iterations, ending.relative_residual});
    };
    std::optional<final_residuals> found;
    if (ending.end != steps::end_of_solve::none)
        found = watched_residuals<T>(here, a, column, least_squares, goes_on);
    if (!found) {
        found = hasty_residuals<T>(here, a, column, least_squares, ending.relative_residual);
        // A solve that had ended has its report, where that could still be made.
        if (std::isnan(found->relative)) ending.end = steps::end_of_solve::none;
    }
    report.true_relative_residual = found->relative;
    report.normal_residual = found->normal;
    if (least_squares) report.goal = solve_goal::least_squares;
    judge(report, ending, options.tolerance.value_or(usual_tolerance));
    report.peak_bytes = std::max(result.working_bytes, found->working_bytes);
}

template <scalar T>
void iterate_in_lockstep(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                         std::span<const system_column<T>> all)
{
    const stopwatch clock;
    const std::vector<solve_result> results = solve_each(here, a, k, all);
    const double seconds = clock.seconds();
    for (std::size_t j = 0; j < all.size(); ++j) {
        fill_report(here, a, all[j], results[j], seconds);
        if (!k.is_none()) all[j].report.preconditioner = {k.name(), k.built()};
    }
}

template <scalar T>
std::size_t most_in_lockstep(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                             method m)
{
    const bool elementwise = k.is_none() || k.inverse_diagonal();
    const bool scheduled = a.has_schedule(m) && elementwise;
    return scheduled && !a.gains_in_lockstep(here) ? 1 : here.programs<T>().most_in_lockstep();
}

}  // namespace

template <scalar T>
std::size_t bytes_of_iteration(index_t rows, const steps::ending& e)
{
    const auto all =
        static_cast<std::size_t>(e.traffic.products) * e.product_bytes +
        static_cast<std::size_t>(e.traffic.vectors) * static_cast<std::size_t>(rows) * sizeof(T);
    return all / static_cast<std::size_t>(e.traffic.iterations);
}

template <scalar T>
solve_result krylov_solve(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                          vec<const T> b, vec<T> x, const solve_options& options,
                          std::vector<double>* history, const renewal<T>& renew)
{
    std::vector<krylov_request<T>> only = {request_of(b, x, options, history)};
    only.front().renew = renew;
    return solve_nonzero(here, a, k, only).front();
}

template <scalar T>
void iterate(engine& here, const system_map<T>& a, const preconditioner<T>& k,
             std::span<const system_column<T>> all)
{
    if (all.empty()) return;
    const std::size_t most = most_in_lockstep(here, a, k, all.front().options.method);
    while (!all.empty()) {
        const std::size_t count = std::min(most, all.size());
        iterate_in_lockstep(here, a, k, all.first(count));
        all = all.subspan(count);
    }
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template std::size_t bytes_of_iteration<T>(index_t, const steps::ending&);                     \
    template solve_result krylov_solve(engine&, const system_map<T>&, const preconditioner<T>&,    \
                                       vec<const T>, vec<T>, const solve_options&,                 \
                                       std::vector<double>*, const renewal<T>&);                   \
    template void iterate(engine&, const system_map<T>&, const preconditioner<T>&,                 \
                          std::span<const system_column<T>>);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
