// How many digits of an x are right, as estimated.
#include "ddla/check.hpp"

#include "ddla/fp_mode.hpp"

#include "answer/answer.hpp"
#include "answer/moved_rows.hpp"
#include "answer/range_of_b.hpp"
#include "calls/at_host.hpp"
#include "calls/finite_values.hpp"
#include "calls/own_mode.hpp"
#include "calls/place_of.hpp"
#include "calls/stopwatch.hpp"
#include "check_least_squares.hpp"
#include "errors/backward_error.hpp"
#include "errors/digits.hpp"

#include <algorithm>
#include <cmath>

namespace ddla {

using namespace api;

namespace {

/// Digits of the better x beyond those that are asked for, at least.
constexpr int spare_digits = 3;

using x_view = refine::const_solution_view;

/// Whole digits of which the last element of a histogram counts all from on.
constexpr int most_digits(int words)
{
    return words == 4 ? 64 : 32;
}

/// Most digits that can be asked for.
constexpr int digits_to_ask(int words)
{
    return words == 4 ? 60 : 31;
}

/// |x_i - better_i| over |better_i|, and the error that the better one may have.  A better one that
/// is 0 is known to be so.
double error_of(x_view x, x_view better, index_t i, double its_error)
{
    const double size = std::fabs(better.high.word(0)[i]), xi = std::fabs(x.high.word(0)[i]);
    if (size == 0) return xi == 0 ? 0 : HUGE_VAL;
    const double error = std::fabs(difference(x, better, i).hi) / size + its_error;
    return std::isnan(error) ? HUGE_VAL : error;
}

checked_component component_of(x_view x, x_view better, index_t i, double digits)
{
    checked_component c{i, digits, x.high.get(i), better.high.get(i)};
    if (x.words() == 4) c.x_low = x.low.get(i);
    if (better.words() == 4) c.better_low = better.low.get(i);
    return c;
}

/// A component with its error, which decides: digits are only shown.
struct ranked_component {
    double error;
    checked_component component;
};

void find_worst(solution_check& found, std::vector<ranked_component>& all, double most_digits)
{
    const auto less = [](const ranked_component& a, const ranked_component& b) {
        return a.error != b.error ? a.error > b.error : a.component.index < b.component.index;
    };
    const auto five = all.begin() + std::min<std::ptrdiff_t>(5, std::ssize(all));
    std::partial_sort(all.begin(), five, all.end(), less);
    for (auto c = all.begin(); c != five && c->error > 0; ++c)
        found.worst_five.push_back(c->component);
    found.worst = all.empty() ? most_digits : all.front().component.digits;
    const auto middle = all.begin() + std::ssize(all) / 2;
    std::nth_element(all.begin(), middle, all.end(), less);
    found.median = all.empty() ? most_digits : middle->component.digits;
}

/// Digits of the largest component against the better x, whose own normwise error is trusted.
void compare_largest(solution_check& found, x_view x, x_view better, const error_estimates& its)
{
    const double largest = refine::largest_magnitude(better.high);
    double most = 0;
    for (index_t i = 0; i < x.size(); ++i)
        most = std::max(most, std::fabs(difference(x, better, i).hi));
    const double normwise = (largest > 0 ? most / largest
                             : most > 0  ? HUGE_VAL
                                         : 0) +
                            *its.normwise;
    found.errors.normwise = normwise;
    found.errors.trusted = its.trusted;
    found.normwise =
        refine::digits_of(std::isnan(normwise) ? HUGE_VAL : normwise, most_digits(better.words()));
}

/// Digits against the better x, as far as its own errors are trusted.  Those of the largest
/// component are told, too, where too little is known of the others that were asked for.
void compare(solution_check& found, x_view x, x_view better, const error_estimates& its,
             bool normwise)
{
    if (found.why.empty() || (!normwise && its.trusted)) compare_largest(found, x, better, its);
    if (!found.why.empty() || !its.componentwise_trusted) return;
    const double most_digits = ddla::most_digits(better.words());
    const auto digits_of = [&](double error) { return refine::digits_of(error, most_digits); };
    std::vector<ranked_component> all;
    double worst = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        const double error = error_of(x, better, i, *its.componentwise);
        all.push_back({error, component_of(x, better, i, digits_of(error))});
        ++found.histogram[static_cast<std::size_t>(all.back().component.digits)];
        worst = std::max(worst, error);
    }
    found.errors.componentwise = worst;
    found.errors.componentwise_trusted = true;
    find_worst(found, all, most_digits);
}

/// After an interruption what takes little time: no backward errors, and perhaps no residual.
template <scalar V>
void look_back(solution_check& found, const refine::host_system<V>& system, x_view x, double eps)
{
    if (found.interrupted) {
        found.true_relative_residual = system.hasty_relative_residual(x);
        return;
    }
    const refine::backward_errors back = refine::backward_errors_of(system, x, eps);
    refine::store(back, found.errors);
    found.true_relative_residual =
        back.relative_residual ? *back.relative_residual : system.relative_residual(x);
}

/// Why there is no better x; empty if there is one that can tell so many digits.
std::string reason(const refine::answer& better, index_t n, bool normwise, int digits)
{
    const error_estimates& e = better.errors;
    if (better.interrupted) return "interrupted";
    if (better.status == solve_status::singular) return "A is singular, and no x solves the system";
    if (better.rank && better.rank->value < n) return "A is singular: many x solve the system";
    if (better.overflowed >= 0)
        return "component " + std::to_string(better.overflowed + 1) +
               " of the better x is out of the range of double";
    if (!normwise && e.unsettled.count > 0) return text_of_unknown(e.unsettled);
    if (better.unjudged) return better.unjudged->text;
    if (normwise ? !e.trusted : !e.componentwise_trusted)
        return "no better x was found that can be trusted";
    if (!refine::has_digits(normwise ? *e.normwise : *e.componentwise, digits))
        return "fewer digits of the better x are known than are asked for";
    return {};
}

/// What is known of the system, and of which components of the better x.
void take_over(error_estimates& found, const error_estimates& better)
{
    found.condition = better.condition;
    found.condition_1 = better.condition_1;
    found.pivot_growth = better.pivot_growth;
    found.data_digits = better.data_digits;
    found.proved_zeros = better.proved_zeros;
    found.certain_zeros = better.certain_zeros;
    found.unsettled = better.unsettled;
}

/// What the solve for the better x has found of the system.
void take_over(solution_check& found, const refine::answer& better)
{
    found.interrupted = better.interrupted;
    found.rank = better.rank;
    found.plan = better.plan;
    found.bound = better.bound;
    take_over(found.errors, better.errors);
}

/// The solve for the better x, which is left in `better`.
template <scalar V>
refine::answer solve_for_better(const csr<V>& a, vec<const dd_real> b, x_view x,
                                refine::solution_view better, const check_options& options)
{
    vector<dd_real> right(b.size), high(x.high.size), low(x.low.size);
    for (index_t i = 0; i < b.size; ++i) right.set(i, b.get(i));
    scaled_right_hand_side scaled(right, exponent_of_b);
    const auto find = [&](int exponent) {
        for (index_t i = 0; i < x.high.size; ++i) high.set(i, x.high.get(i));
        for (index_t i = 0; i < x.low.size; ++i) low.set(i, x.low.get(i));
        const refine::solution_view certified(high.view(), low.view());
        refine::multiply_by_power(certified, scaled.power());
        const refine::host_system<V> system(a, std::as_const(right).view());
        return refine::find_answer(
            system, better,
            {.factorisation = options.factorisation,
             .digits = std::min(options.digits + spare_digits, digits_to_ask(x.words())),
             .normwise = options.normwise,
             .words = x.words(),
             .exponent = exponent,
             .certify = options.certify,
             .certified = certified,
             .watch = options.watch});
    };
    refine::answer answer = find_in_range(scaled, find, [&] {
        for (index_t i = 0; i < better.size(); ++i) better.set_zero(i);
    });
    scaled.give_back(better);
    return answer;
}

/// Whether x passes, by a bound that is proved or by the comparison.
bool passes(const solution_check& found, const check_options& options)
{
    const auto has = [&](const std::optional<double>& error) {
        return error && refine::has_digits(*error, options.digits);
    };
    if (found.bound && found.bound->certified &&
        has(options.normwise ? found.bound->normwise : found.bound->componentwise))
        return true;
    return found.why.empty() &&
           has(options.normwise ? found.errors.normwise : found.errors.componentwise);
}

template <scalar V>
solution_check check_at_host(const csr<V>& a, vec<const dd_real> b, x_view x, double eps,
                             const check_options& options)
{
    const refine::host_system<V> system(a, b);
    vector<dd_real> high(a.rows), low(x.low.size);
    const refine::solution_view better(high.view(), low.view());
    refine::answer answer = solve_for_better(a, b, x, better, options);
    if (answer.overflowed_inside) {
        moved_rows<V> moved(a, at_host<dd_real>(b, host));
        if (moved.any()) {
            for (index_t i = 0; i < better.size(); ++i) better.set_zero(i);
            answer = solve_for_better(moved.matrix(), moved.right_hand_side().view(), x, better,
                                      options);
        }
    }
    if (answer.limit) throw answer.limit->error_of("check");
    solution_check found;
    found.histogram.resize(most_digits(x.words()) + 1);
    take_over(found, answer);
    if (answer.unjudged) found.limited = answer.unjudged->subject;
    found.why = reason(answer, a.rows, options.normwise, options.digits);
    look_back(found, system, x, eps);
    if (!answer.interrupted && answer.overflowed < 0)
        compare(found, x, better, answer.errors, options.normwise);
    found.passed = passes(found, options);
    if (found.passed) found.why.clear();
    return found;
}

/// Of least squares, or the answer of least norm.
template <scalar V>
solution_check check_rectangular(const csr<V>& a, vec<const dd_real> b, x_view x,
                                 const check_options& options)
{
    vector<dd_real> high(a.columns), low(x.low.size);
    const refine::solution_view better(high.view(), low.view());
    const int digits = std::min(options.digits + spare_digits, digits_to_ask(x.words()));
    better_least_squares of = find_better(a, b, better, digits, options);
    solution_check found;
    found.histogram.resize(most_digits(x.words()) + 1);
    found.why = of.why;
    found.limited = of.limited;
    found.interrupted = of.interrupted;
    found.plan = std::move(of.plan);
    found.rank = std::move(of.rank);
    take_over(found.errors, of.errors);
    store_residuals(a, b, x, found);
    compare(found, x, better, of.errors, options.normwise);
    const auto& error = options.normwise ? found.errors.normwise : found.errors.componentwise;
    found.passed = found.why.empty() && error && refine::has_digits(*error, options.digits);
    return found;
}

/// With the low part of x, or without one.
template <scalar T, scalar V>
solution_check check_anywhere(const csr_matrix<V>& a, const vector<T>& b, const vector<T>& x,
                              vec<const dd_real> x_low, double eps, const check_options& options)
{
    if (options.certify && a.rows() != a.columns())
        throw input_error("check: a bound of the error is proved of square matrices, A is " +
                          std::to_string(a.rows()) + " x " + std::to_string(a.columns()));
    check_limits("check", options.digits, digits_to_ask(x_low.size > 0 ? 4 : 2),
                 options.factorisation);
    engine& here = engine_for("check", a, "x", x, "b", b);
    require_finite_values(here, "check", a.view(), a.where());
    require_finite(here, "check", "b", b.view());
    const stopwatch clock;
    here.wait();
    const rows_at_host<V> rows(a.view(), a.where());
    const vector<dd_real> wide_b = at_host<T>(b.view(), a.where());
    const vector<dd_real> wide_x = at_host<T>(x.view(), a.where());
    const vector<dd_real> low = at_host<dd_real>(x_low, a.where());
    const x_view all(wide_x.view(), low.view());
    solution_check found = a.rows() == a.columns()
                               ? check_at_host(rows.view(), wide_b.view(), all, eps, options)
                               : check_rectangular(rows.view(), wide_b.view(), all, options);
    found.seconds = clock.seconds();
    return found;
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> solution_check check(const csr_matrix<V>& a, const vector<T>& b,
                                            const vector<T>& x, const check_options& options)
{
    const fp_mode_guard exact;
    return check_anywhere(a, b, x, {}, words_of<T> == 1 ? 0x1p-52 : 0x1p-104, in_own_mode(options));
}

template <scalar V>
solution_check check(const csr_matrix<V>& a, const vector<dd_real>& b, const vector<dd_real>& x,
                     const vector<dd_real>& x_low, const check_options& options)
{
    const fp_mode_guard exact;
    require_same_size("check", "x", x.size(), "x_low", x_low.size());
    require_same_place("check", "x", x.where(), "x_low", x_low.where());
    return check_anywhere(a, b, x, x_low.view(), 0x1p-208, in_own_mode(options));
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template solution_check check(const csr_matrix<V>&, const vector<T>&, const vector<T>&,        \
                                  const check_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(V)                                                                        \
    template solution_check check(const csr_matrix<V>&, const vector<dd_real>&,                    \
                                  const vector<dd_real>&, const vector<dd_real>&,                  \
                                  const check_options&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
