// What a refined x is worth.
#include "judge.hpp"

#include "errors/digits.hpp"
#include "refine/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::refine {
namespace {

constexpr double default_tolerance = 1e-12;
/// What depends on the words of x.
struct limits_of_words {
    double eps;  ///< with twice the rounding of each word
    double most_digits;
    double smallest_exact_row;    ///< below, products of a row are not exact in residuals
    double small_backward_error;  ///< that no x has a much smaller one
};

constexpr limits_of_words limits_of(int words)
{
    if (words == 4) return {0x1p-208, 64, 0x1p-754, 0x1p-206};
    return {words == 1 ? 0x1p-52 : 0x1p-104, 32, 0x1p-860, words == 1 ? 0x1p-50 : 0x1p-100};
}

bool is_complete(const std::optional<condition_number>& c)
{
    return c && !c->at_least;
}

}  // namespace

template <scalar V>
std::vector<double> judge<V>::round(solution_view x, answer& found) const
{
    std::vector<double> changes = round_to(x, range(), {request_.words, request_.exponent});
    found.overflowed = first_overflow(x, range(), request_.exponent);
    return changes;
}

template <scalar V>
backward_errors judge<V>::measure(solution_view x, std::vector<double>& rounded,
                                  answer& found) const
{
    rounded = round(x, found);
    const backward_errors back = backward_errors_of(system_, x, limits_of(request_.words).eps);
    found.relative_residual = request_.least_squares || !back.relative_residual
                                  ? residual_of(x)
                                  : *back.relative_residual;
    // That of the augmented system, whose two blocks A would change apart, is none of least
    // squares.
    if (!request_.least_squares) store(back, found.errors);
    return back;
}

template <scalar V>
void judge<V>::look_in_haste(solution_view x, answer& found) const
{
    error_estimates& e = found.errors;
    e.backward_error.reset();
    e.componentwise_backward_error.reset();
    e.omega1.reset();
    e.omega2.reset();
    e.normwise.reset();
    e.componentwise.reset();
    e.trusted = e.componentwise_trusted = false;
    e.condition.reset();  // it is one of A and x
    e.data_digits.reset();
    e.unsettled = {};
    found.digits.reset();
    found.normwise_digits.reset();
    found.digits_proved = false;
    round(x, found);
    found.relative_residual = residual_of(x, true);
}

template <scalar V>
void judge<V>::look(solution_view x, const refined_x& known, answer& found) const
{
    const limits_of_words limits = limits_of(request_.words);
    std::vector<double> others;
    const backward_errors back = measure(x, others, found);
    error_estimates& e = found.errors;
    const bool solves = back.componentwise == 0 && back.smallest_row > limits.smallest_exact_row &&
                        tells_little(x, known, others);
    if (solves || needs_errors_of_residuals(x, back.smallest_row, found)) {
        const std::vector<double> lost = known.of_residuals(x);
        for (std::size_t i = 0; i < others.size(); ++i)
            others[i] = (solves ? 0 : others[i]) + lost[i];
    }
    // x - A^-1 b = A^-1 r: without a residual x is wrong by what rounding hides of it, alone.
    const std::vector<double> none(solves ? known.errors.size() : 0, 0);
    const observed_error of_none{0, known.normwise.rate, known.normwise.rounding};
    estimate(x,
             solves ? refined_x{of_none, none, known.rate, known.zeros, known.of_residuals} : known,
             others, e);
    const bool complete = may_be_trusted(x, known.zeros, found) && found.overflowed < 0;
    // An x that is right to a relative E, of its largest component or in each, has a backward error
    // of that kind of at most E/(1-E).
    e.trusted = complete && (known.normwise.contracts() || known.rate < 0.5) &&
                (request_.least_squares || !(back.normwise > 2 * *e.normwise));
    e.componentwise_trusted =
        complete && known.rate < 0.5 && e.unsettled.count == 0 &&
        (request_.least_squares || back.componentwise <= 2 * *e.componentwise);
    e.data_digits.reset();
    if (is_complete(e.condition) && e.condition->is_known())
        e.data_digits = digits_of(std::ldexp(e.condition->value, -52), 16);
    found.digits.reset();
    found.normwise_digits.reset();
    found.digits_proved = false;
    if (const auto error = error_of(found)) found.digits = digits_of(*error, limits.most_digits);
    if (e.trusted) found.normwise_digits = digits_of(*e.normwise, limits.most_digits);
}

template <scalar V>
bool judge<V>::needs_errors_of_residuals(const_solution_view x, double smallest_row,
                                         const answer& found) const
{
    constexpr double wide = 0x1p+100, hard = 0x1p+100;
    if (!(smallest_row > limits_of(request_.words).smallest_exact_row)) return true;
    if (found.errors.condition_1 && !(found.errors.condition_1->value < hard)) return true;
    double largest = 0, smallest = HUGE_VAL;
    for (index_t i = 0; i < x.size(); ++i)
        if (const double m = std::fabs(x.high.word(0)[i]); m > 0) {
            largest = std::max(largest, m);
            smallest = std::min(smallest, m);
        }
    return !(largest < wide * smallest) && largest > 0;
}

template <scalar V>
void judge<V>::estimate(const_solution_view x, const refined_x& known,
                        const std::vector<double>& others, error_estimates& estimates) const
{
    const double least = request_.words == 1 ? 0x1p-53 : 0;
    const double largest_x = largest_magnitude(range().part(x.high));
    double largest = 0, largest_of_others = 0;
    for (index_t i = range().begin; i < range().end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (known.errors[at] > std::numeric_limits<double>::denorm_min())
            largest = std::max(largest, known.errors[at]);
        largest_of_others = std::max(largest_of_others, others[at]);
    }
    const auto over_norm = [&](double e) { return e > 0 ? e / largest_x : 0; };
    const double rate = std::min(known.normwise.rate, known.rate);
    const observed_error all{over_norm(largest), rate, known.normwise.rounding};
    estimates.normwise = all.estimate() + std::max(least, over_norm(largest_of_others));
    estimates.unsettled = {};
    const observed_error components{largest_error(x, known, others, estimates.unsettled),
                                    known.rate, known.normwise.rounding};
    estimates.componentwise = std::max(components.estimate(), least);
}

template <scalar V>
double judge<V>::largest_error(const_solution_view x, const refined_x& known,
                               const std::vector<double>& others, unsettled_components& open) const
{
    constexpr double no_digit = 0.1;
    const component_range judged = range();
    double most = 0;
    for (index_t i = judged.begin; i < judged.end; ++i) {
        if (known.zeros.has(i)) continue;
        const auto at = static_cast<std::size_t>(i);
        const double size = std::fabs(x.high.word(0)[i]), e = known.errors[at] + others[at];
        // Of the true component, which may be smaller than x_i by e.
        const double relative = size > e ? e / (size - e) : HUGE_VAL;
        most = std::max(most, relative);
        if (relative <= no_digit) continue;
        if (open.count++ == 0) open.first = i - judged.begin;
    }
    return most;
}

template <scalar V>
bool judge<V>::tells_little(const_solution_view x, const refined_x& known,
                            const std::vector<double>& others) const
{
    unsettled_components open;
    return !(largest_error(x, known, others, open) <= 8 * known.normwise.rounding);
}

template <scalar V>
void judge<V>::take_bound(answer& found) const
{
    if (!found.bound || !found.bound->certified || found.overflowed >= 0) return;
    const double most_digits = limits_of(request_.words).most_digits;
    if (found.bound->normwise)
        found.normwise_digits = digits_of(*found.bound->normwise, most_digits);
    const auto& proved = request_.normwise ? found.bound->normwise : found.bound->componentwise;
    if (!proved || !(*proved < 1)) return;
    found.digits = digits_of(*proved, most_digits);
    found.digits_proved = true;
}

template <scalar V>
component_range judge<V>::range() const
{
    return request_.least_squares ? request_.least_squares->x : component_range{0, system_.size()};
}

template <scalar V>
double judge<V>::residual_of(const_solution_view x) const
{
    return request_.least_squares ? request_.least_squares->residual(x)
                                  : system_.relative_residual(x);
}

template <scalar V>
double judge<V>::residual_of(const_solution_view x, bool hasty) const
{
    if (!hasty) return residual_of(x);
    // Who asks for least squares computes residuals of x itself.
    return request_.least_squares ? std::numeric_limits<double>::quiet_NaN()
                                  : system_.hasty_relative_residual(x);
}

template <scalar V>
bool judge<V>::may_be_trusted(const_solution_view x, const known_zeros& zeros,
                              const answer& found) const
{
    const double largest = largest_magnitude(range().part(x.high));
    // x = 0 where b is 0, or orthogonal to the range of A; not where x underflowed.
    bool is_zero =
        request_.least_squares ? found.relative_residual == 0 : system_.largest_of_b() == 0;
    if (request_.least_squares)
        for (index_t i = range().begin; i < range().end; ++i) is_zero = is_zero && zeros.has(i);
    return is_complete(found.errors.condition) && is_complete(found.errors.condition_1) &&
           (is_zero || largest > 0);
}

template <scalar V>
std::optional<double> judge<V>::error_of(const answer& found) const
{
    const error_estimates& e = found.errors;
    if (found.digits_proved)
        return request_.normwise ? found.bound->normwise : found.bound->componentwise;
    if (request_.normwise) return e.trusted ? e.normwise : std::nullopt;
    return e.componentwise_trusted ? e.componentwise : std::nullopt;
}

template <scalar V>
bool judge<V>::has_digits(const answer& found) const
{
    const auto error = error_of(found);
    return error && refine::has_digits(*error, request_.digits);
}

template <scalar V>
bool judge<V>::is_met(const answer& found, bool is_singular) const
{
    const bool residual_counts = by_residual() || is_singular;
    const double tolerance =
        request_.tolerance.value_or(residual_counts ? default_tolerance : HUGE_VAL);
    if (!(found.relative_residual <= tolerance)) return false;
    return residual_counts || has_digits(found);
}

template <scalar V>
solve_status judge<V>::status_of(const answer& found) const
{
    if (!std::isfinite(found.relative_residual)) return solve_status::not_finite;
    const bool is_right = by_residual() || has_digits(found);
    return is_at_floor(found) && is_right ? solve_status::at_floor : solve_status::stagnated;
}

template <scalar V>
bool judge<V>::is_at_floor(const answer& found) const
{
    const double small = limits_of(request_.words).small_backward_error;
    const error_estimates& e = found.errors;
    if (request_.least_squares) return e.componentwise_trusted && *e.componentwise <= small;
    return e.componentwise_backward_error && *e.componentwise_backward_error <= small;
}

template class judge<double>;
template class judge<dd_real>;

}  // namespace ddla::refine
