// solve() with factors and refinement.
#include "solve_by_factors.hpp"

#include "at_host.hpp"
#include "refine/answer.hpp"

#include <algorithm>
#include <chrono>

namespace ddla::api {
namespace {

template <scalar T>
refine::answer_request request_of(const solve_options& o)
{
    const bool automatic = o.method == method::automatic;
    return {.factorisation = o.factorisation,
            .goal = automatic ? solve_goal::digits : solve_goal::residual,
            .digits = o.digits,
            .normwise = o.normwise,
            .tolerance = o.tolerance,
            .words = words_of<T>,
            .watch = o.watch};
}

void fill(solve_report& report, refine::answer&& a, solve_goal goal)
{
    report.status = a.status;
    report.interrupted = a.interrupted;
    report.iterations = a.steps;
    report.relative_residual = report.true_relative_residual = a.relative_residual;
    report.goal = goal;
    report.plan = std::move(a.plan);
    report.errors = a.errors;
    report.digits = a.digits;
    report.rank = a.rank;
    if (report.status == solve_status::not_finite) report.breakdown = "x";
}

}  // namespace

template <scalar T, scalar V>
std::string solve_by_factors(engine& here, place at, const csr<V>& a, vec<const T> b, vec<T> x,
                             const solve_options& options, solve_report& report)
{
    here.wait();
    const rows_at_host<V> rows(a, at);
    const vector<dd_real> right_hand_side = at_host<T>(b, at);
    vector<dd_real> solution = at_host<T>(x, at);
    const refine::host_system<V> system(rows.view(), right_hand_side.view());
    const refine::answer_request request = request_of<T>(options);
    refine::answer answer = refine::find_answer(system, solution.view(), request);
    if (answer.too_large) {
        report.plan = std::move(answer.plan);
        return answer.limit;
    }
    copy_back(solution, x, at);
    report.peak_bytes = static_cast<std::size_t>(answer.factor_bytes);
    const bool is_singular = answer.rank && answer.rank->value < a.rows;
    fill(report, std::move(answer), is_singular ? solve_goal::residual : request.goal);
    return {};
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::string solve_by_factors(engine&, place, const csr<V>&, vec<const T>, vec<T>,     \
                                          const solve_options&, solve_report&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
