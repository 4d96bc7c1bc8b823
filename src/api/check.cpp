// How many digits of an x are right, as estimated.
#include "ddla/check.hpp"

#include "at_host.hpp"
#include "place_of.hpp"
#include "refine/answer.hpp"
#include "refine/backward_error.hpp"
#include "refine/digits.hpp"
#include "stopwatch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla {

using namespace api;

namespace {

constexpr double smallest_normal = std::numeric_limits<double>::min();
constexpr double most_digits = 32;
/// Digits of the better x beyond those that are asked for, at least.
constexpr int spare_digits = 3;

double digits_of(double error)
{
    return refine::digits_of(error, most_digits);
}

/// |x - better| over |better|, and the error that the better one may have.
double error_of(dd_real x, dd_real better, double its_error)
{
    const double size = std::fabs(better.hi);
    if (size < smallest_normal) return std::fabs(x.hi) < smallest_normal ? 0 : HUGE_VAL;
    const double error = std::fabs((x - better).hi) / size + its_error;
    return std::isnan(error) ? HUGE_VAL : error;
}

/// A component with its error, which decides: digits are only shown.
struct ranked_component {
    double error;
    checked_component component;
};

void find_worst(solution_check& found, std::vector<ranked_component>& all)
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

/// Digits against the better x, as far as its own errors are trusted.
void compare(solution_check& found, vec<const dd_real> x, vec<const dd_real> better,
             const error_estimates& its)
{
    const double largest = refine::largest_magnitude(better);
    double most = 0;
    for (index_t i = 0; i < x.size; ++i)
        most = std::max(most, std::fabs((x.get(i) - better.get(i)).hi));
    const double normwise = (largest > 0 ? most / largest
                             : most > 0  ? HUGE_VAL
                                         : 0) +
                            *its.normwise;
    found.errors.normwise = normwise;
    found.errors.trusted = its.trusted;
    found.normwise = digits_of(std::isnan(normwise) ? HUGE_VAL : normwise);
    if (!its.componentwise_trusted) return;
    std::vector<ranked_component> all;
    double worst = 0;
    for (index_t i = 0; i < x.size; ++i) {
        const double error = error_of(x.get(i), better.get(i), *its.componentwise);
        all.push_back({error, {i, digits_of(error), x.get(i), better.get(i)}});
        ++found.histogram[static_cast<std::size_t>(all.back().component.digits)];
        worst = std::max(worst, error);
    }
    found.errors.componentwise = worst;
    found.errors.componentwise_trusted = true;
    find_worst(found, all);
}

template <scalar V>
void look_back(solution_check& found, const refine::host_system<V>& system, vec<const dd_real> x,
               double eps)
{
    refine::store(refine::backward_errors_of(system, x, eps), found.errors);
    found.true_relative_residual = system.relative_residual(x);
}

/// Why there is no better x; empty if there is one.
std::string reason(const refine::answer& better, index_t n, bool normwise)
{
    if (better.interrupted) return "interrupted";
    if (better.status == solve_status::singular) return "A is singular, and no x solves the system";
    if (better.rank && better.rank->value < n) return "A is singular: many x solve the system";
    if (normwise ? !better.errors.trusted : !better.errors.componentwise_trusted)
        return "no better x was found that can be trusted";
    return {};
}

/// What the solve for the better x has found of the system.
void take_over(solution_check& found, const refine::answer& better)
{
    found.interrupted = better.interrupted;
    found.rank = better.rank;
    found.plan = better.plan;
    found.errors.condition = better.errors.condition;
    found.errors.condition_1 = better.errors.condition_1;
    found.errors.pivot_growth = better.errors.pivot_growth;
    found.errors.data_digits = better.errors.data_digits;
}

template <scalar V>
solution_check check_at_host(const csr<V>& a, vec<const dd_real> b, vec<const dd_real> x,
                             double eps, const check_options& options)
{
    const refine::host_system<V> system(a, b);
    vector<dd_real> better(a.rows);
    const refine::answer answer =
        refine::find_answer(system, better.view(),
                            {.factorisation = options.factorisation,
                             .digits = std::min(options.digits + spare_digits, 31),
                             .normwise = options.normwise,
                             .watch = options.watch});
    if (answer.too_large) throw resource_error("check: " + answer.limit);
    solution_check found;
    take_over(found, answer);
    found.why = reason(answer, a.rows, options.normwise);
    look_back(found, system, x, eps);
    if (found.why.empty()) compare(found, x, better.view(), answer.errors);
    const auto& error = options.normwise ? found.errors.normwise : found.errors.componentwise;
    found.passed = found.why.empty() && error && refine::has_digits(*error, options.digits);
    return found;
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> solution_check check(const csr_matrix<V>& a, const vector<T>& b,
                                            const vector<T>& x, const check_options& options)
{
    require_square("check", a.rows(), a.columns());
    check_limits("check", options.digits, 31, options.factorisation);
    engine& here = engine_for("check", a, "x", x, "b", b);
    require_finite(here, "check", "the values of A", a.view().value);
    require_finite(here, "check", "b", b.view());
    const stopwatch clock;
    here.wait();
    const rows_at_host<V> rows(a.view(), a.where());
    const vector<dd_real> wide_b = at_host<T>(b.view(), a.where());
    const vector<dd_real> wide_x = at_host<T>(x.view(), a.where());
    solution_check found = check_at_host(rows.view(), wide_b.view(), wide_x.view(),
                                         words_of<T> == 1 ? 0x1p-52 : 0x1p-104, options);
    found.seconds = clock.seconds();
    return found;
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template solution_check check(const csr_matrix<V>&, const vector<T>&, const vector<T>&,        \
                                  const check_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
