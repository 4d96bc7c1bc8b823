// solve() with factors and refinement.
#include "solve_by_factors.hpp"

#include "answer/answer.hpp"
#include "answer/moved_rows.hpp"
#include "answer/range_of_b.hpp"
#include "answer_request.hpp"
#include "calls/at_host.hpp"
#include "factors_at.hpp"
#include "judged_digits.hpp"
#include "least_squares.hpp"

namespace ddla::api {
namespace {

/// The unknowns at the host, as many words as there are.
struct unknowns_at_host {
    vector<dd_real> high, low;

    refine::solution_view view() { return {high.view(), low.view()}; }
};

/// find(system, x, request) of A and b at the host, from the guess in x, in the range that b has
/// room in.
template <scalar T, scalar V, class Find>
refine::answer find_at_host(const csr<V>& a, vector<dd_real> right, unknowns<T> guess, place where,
                            unknowns_at_host& x, const refine::answer_request& request,
                            const Find& find)
{
    scaled_right_hand_side scaled(right, exponent_of_b);
    const auto take_guess = [&] {
        x.high = at_host<T>(guess.x, where);
        x.low = at_host<dd_real>(guess.low, where);
        scaled.take_in(x.view());
    };
    take_guess();
    refine::answer answer = find_in_range(
        scaled,
        [&](int exponent) {
            const refine::host_system<V> system(a, std::as_const(right).view());
            refine::answer_request mine = request;
            mine.exponent = exponent;
            return find(system, x.view(), mine);
        },
        take_guess);
    scaled.give_back(x.view());
    return answer;
}

/// Whether products of A with x, or x itself while it was computed, were out of range.
bool has_overflowed(const refine::answer& a)
{
    if (a.interrupted || a.limit || a.status == solve_status::singular) return false;
    return a.overflowed_inside || !a.errors.componentwise_backward_error;
}

/// The same of A and b anywhere.  `moves_rows`: where products with x overflow, with rows of A that
/// are moved, and factors of their own.  Returns the limit that was passed, if one was.
template <scalar T, scalar V, class Find>
std::optional<refine::passed_limit>
solve_at_host(engine& here, place where, const csr<V>& a, vec<const T> b, unknowns<T> x,
              const refine::answer_request& request, const solve_options& options,
              solve_report& report, bool moves_rows, const Find& find)
{
    here.wait();
    const rows_at_host<V> rows(a, where);
    unknowns_at_host found;
    refine::answer answer =
        find_at_host<T>(rows.view(), at_host<T>(b, where), x, where, found, request, find);
    if (moves_rows && has_overflowed(answer)) {
        moved_rows<V> moved(rows.view(), at_host<T>(b, where));
        refine::answer_request mine = request;
        mine.kept = nullptr;
        if (moved.any())
            answer = find_at_host<T>(moved.matrix(), std::move(moved.right_hand_side()), x, where,
                                     found, mine, find);
    }
    answer.working_bytes +=
        static_cast<std::int64_t>(rows.bytes()) +
        (2 * a.rows + found.low.size()) * static_cast<std::int64_t>(sizeof(dd_real));  // b and x
    if (answer.limit) {
        report.peak_bytes = static_cast<std::size_t>(answer.working_bytes);
        report.plan = std::move(answer.plan);
        return answer.limit;
    }
    if (answer.overflowed < 0) {  // else x stays what it was
        copy_back(found.high, x.x, where);
        copy_back(found.low, x.low, where);
    }
    const bool has_residual_alone = answer.unjudged || (answer.rank && answer.rank->value < a.rows);
    fill(report, std::move(answer), has_residual_alone ? solve_goal::residual : request.goal);
    note_unjudged_digits(report, options);
    return {};
}

}  // namespace

template <scalar T, scalar V>
std::optional<refine::passed_limit>
solve_by_factors(engine& here, place where, const csr<V>& a, vec<const T> b, unknowns<T> x,
                 const solve_options& options, solve_report& report, refine::kept_factors* kept)
{
    if (a.rows != a.columns)
        return least_squares_by_factors<T, V>(here, where, a, b, x, options, report, kept);
    const auto goal =
        options.method == method::automatic ? solve_goal::digits : solve_goal::residual;
    refine::answer_request request = request_of(options, x.words(), goal);
    request.kept = kept;
    request.factors_at = factors_at(here, options.place_of_factors);
    return solve_at_host<T>(here, where, a, b, x, request, options, report, true,
                            [](auto&&... all) { return refine::find_answer(all...); });
}

template <scalar T, scalar V>
void solve_by_corrections(engine& here, place where, const csr<V>& a, vec<const T> b, vec<T> x,
                          const refine::approximate_inverse& approximate,
                          const solve_options& options, solve_report& report)
{
    solve_at_host<T>(here, where, a, b, unknowns<T>{x},
                     request_of(options, words_of<T>, solve_goal::digits), options, report, false,
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
