// Iterations instead of factors.
#include "fallback.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/place_of.hpp"
#include "ilu_stages.hpp"
#include "iterate.hpp"
#include "joined_report.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::api {
namespace {

constexpr int most_restarts = 10;

std::size_t bytes_of_word(index_t n)
{
    return static_cast<std::size_t>(n) * sizeof(double);
}

/// Whether a new residual and a new direction may help.
bool may_begin_again(const solve_report& r)
{
    return !r.interrupted && std::isfinite(r.true_relative_residual) &&
           (r.status == solve_status::breakdown || r.status == solve_status::stagnated);
}

template <scalar T>
void iterate_for_least_squares(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x,
                               const solve_options& options, solve_report& report)
{
    solve_options mine = options;
    mine.method = method::lsmr;
    const std::size_t bytes_before = report.peak_bytes;
    iterate<T>(here, a, preconditioner<T>(), b, x, mine, report);
    report.plan.push_back({std::string(to_string(mine.method)),
                           report.seconds,
                           report.true_relative_residual,
                           {},
                           report.iterations});
    report.peak_bytes = std::max(report.peak_bytes, bytes_before);
}

template <scalar T>
void iterate_where_it_is(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                         vec<const T> b, vec<T> x, const solve_options& options,
                         solve_report& report)
{
    if (a.rows() != a.columns()) return iterate_for_least_squares(here, a, b, x, options, report);
    if (k.is_none() && a.has_entries()) return iterate_by_stages(here, a, b, x, options, report);
    solve_options mine = options;
    mine.method = method::bicgstab;
    mine.precond = preconditioning::none;
    const std::string name(to_string(mine.method));
    const std::size_t bytes_before = report.peak_bytes;
    iterate(here, a, k, b, x, mine, report);
    report.plan.push_back(
        {name, report.seconds, report.true_relative_residual, {}, report.iterations});
    report.peak_bytes = std::max(report.peak_bytes, bytes_before);
    if (!may_begin_again(report)) return;

    vector<T> before(a.rows(), a.where());
    const auto bytes_before_restart = static_cast<std::size_t>(a.rows()) * sizeof(T);
    for (int restart = 1; restart <= most_restarts && may_begin_again(report); ++restart) {
        mine.max_iterations = options.max_iterations - report.iterations;
        if (mine.max_iterations <= 0) break;
        if (options.watch)
            mine.watch = [&, done = report.iterations](const solve_progress& now) {
                return options.watch({done + now.iterations, now.relative_residual});
            };
        here.vectors<T>().copy(x, before.view());
        solve_report next;
        iterate(here, a, k, b, x, mine, next);
        report.plan.push_back({name + ", restart " + std::to_string(restart),
                               next.seconds,
                               next.true_relative_residual,
                               {},
                               report.iterations + next.iterations});
        const double last = report.true_relative_residual;
        if (!(next.true_relative_residual < last)) {
            here.vectors<T>().copy(std::as_const(before).view(), x);
            here.wait();
            next.status = report.status;
            next.breakdown = report.breakdown;
            append(report, std::move(next), bytes_before_restart);
            report.true_relative_residual = last;
            break;
        }
        append(report, std::move(next), bytes_before_restart);
        if (!(report.true_relative_residual <= last / 2)) break;
    }
}

}  // namespace

template <scalar T>
void iterate_without_factors(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                             vec<const T> b, vec<T> x, const solve_options& options,
                             solve_report& report)
{
    const bool may_move = options.place_of_iterations && k.is_none() && a.has_entries();
    const auto asked = [&] {
        const fp_mode_guard as_before;  // should the caller's code leave another mode
        return options.place_of_iterations();
    };
    const place from = a.where(), to = may_move ? asked() : from;
    if (to == from) return iterate_where_it_is(here, a, k, b, x, options, report);
    here.wait();
    const auto there = a.copy_at(to);
    vector<T> right(b.size, to), guess(x.size, to);
    for (int w = 0; w < words_of<T>; ++w) {
        copy_bytes(right.view().word(w), to, b.word(w), from, bytes_of_word(b.size));
        copy_bytes(guess.view().word(w), to, x.word(w), from, bytes_of_word(x.size));
    }
    iterate_where_it_is(engine_at(to), *there, k, std::as_const(right).view(), guess.view(),
                        options, report);
    for (int w = 0; w < words_of<T>; ++w)
        copy_bytes(x.word(w), from, guess.view().word(w), to, bytes_of_word(x.size));
    report.where = to;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void iterate_without_factors(engine&, const system_map<T>&, const preconditioner<T>&, \
                                          vec<const T>, vec<T>, const solve_options&,              \
                                          solve_report&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
