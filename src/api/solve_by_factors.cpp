// solve() with factors and refinement.
#include "solve_by_factors.hpp"

#include "answer_request.hpp"
#include "at_host.hpp"
#include "judged_digits.hpp"
#include "least_squares.hpp"
#include "range_of_b.hpp"
#include "refine/answer.hpp"

namespace ddla::api {
namespace {

/// find(system, x, request) on copies at the host.  Returns the limit that was passed, if one was.
template <scalar T, scalar V, class Find>
std::optional<refine::passed_limit>
solve_at_host(engine& here, place at, const csr<V>& a, vec<const T> b, unknowns<T> x,
              const refine::answer_request& request, const solve_options& options,
              solve_report& report, const Find& find)
{
    here.wait();
    const rows_at_host<V> rows(a, at);
    vector<dd_real> right_hand_side = at_host<T>(b, at);
    vector<dd_real> solution = at_host<T>(x.x, at), low = at_host<dd_real>(x.low, at);
    const refine::solution_view unknown(solution.view(), low.view());
    scaled_right_hand_side scaled(right_hand_side, exponent_of_b);
    scaled.take_in(unknown);
    refine::answer answer = find_in_range(
        scaled,
        [&](int exponent) {
            const refine::host_system<V> system(rows.view(), std::as_const(right_hand_side).view());
            refine::answer_request mine = request;
            mine.exponent = exponent;
            return find(system, unknown, mine);
        },
        [&] {
            const vector<dd_real> guess = at_host<T>(x.x, at), rest = at_host<dd_real>(x.low, at);
            host_engine().vectors<dd_real>().copy(guess.view(), unknown.high);
            host_engine().vectors<dd_real>().copy(rest.view(), unknown.low);
            scaled.take_in(unknown);
        });
    scaled.give_back(unknown);
    answer.working_bytes +=
        static_cast<std::int64_t>(rows.bytes()) +
        (2 * a.rows + low.size()) * static_cast<std::int64_t>(sizeof(dd_real));  // b and x
    if (answer.limit) {
        report.peak_bytes = static_cast<std::size_t>(answer.working_bytes);
        report.plan = std::move(answer.plan);
        return answer.limit;
    }
    if (answer.overflowed < 0) {  // else x stays what it was
        copy_back(solution, x.x, at);
        copy_back(low, x.low, at);
    }
    const bool has_residual_alone = answer.unjudged || (answer.rank && answer.rank->value < a.rows);
    fill(report, std::move(answer), has_residual_alone ? solve_goal::residual : request.goal);
    note_unjudged_digits(report, options);
    return {};
}

}  // namespace

template <scalar T, scalar V>
std::optional<refine::passed_limit>
solve_by_factors(engine& here, place at, const csr<V>& a, vec<const T> b, unknowns<T> x,
                 const solve_options& options, solve_report& report, refine::kept_factors* kept)
{
    if (a.rows != a.columns)
        return least_squares_by_factors<T, V>(here, at, a, b, x, options, report, kept);
    const auto goal =
        options.method == method::automatic ? solve_goal::digits : solve_goal::residual;
    refine::answer_request request = request_of(options, x.words(), goal);
    request.kept = kept;
    return solve_at_host<T>(here, at, a, b, x, request, options, report,
                            [](auto&&... all) { return refine::find_answer(all...); });
}

template <scalar T, scalar V>
void solve_by_corrections(engine& here, place at, const csr<V>& a, vec<const T> b, vec<T> x,
                          const refine::approximate_inverse& approximate,
                          const solve_options& options, solve_report& report)
{
    solve_at_host<T>(here, at, a, b, unknowns<T>{x},
                     request_of(options, words_of<T>, solve_goal::digits), options, report,
                     [&](const auto& system, auto at_x, const auto& request) {
                         return refine::improve_answer(system, at_x, approximate, request);
                     });
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::optional<refine::passed_limit> solve_by_factors(                                 \
        engine&, place, const csr<V>&, vec<const T>, unknowns<T>, const solve_options&,            \
        solve_report&, refine::kept_factors*);                                                     \
    template void solve_by_corrections(engine&, place, const csr<V>&, vec<const T>, vec<T>,        \
                                       const refine::approximate_inverse&, const solve_options&,   \
                                       solve_report&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
