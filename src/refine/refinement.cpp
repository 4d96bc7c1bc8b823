// Iterative refinement.
#include "refinement.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::refine {
namespace {

constexpr double first_digit = 0.25;
/// Corrections that end above this, times the rounding of x, are noise of the factors, which says
/// little of the error.
constexpr double highest_floor = 0x1p10;
constexpr int steps_without_gain = 3;
/// What is smaller counts as zero.
constexpr double smallest_normal = std::numeric_limits<double>::min();

/// What corrections of one kind have been: max |d| / max |x|, or max |d_i| / |x_i|.
class corrections {
public:
    explicit corrections(double rounding) : rounding_(rounding) {}
    /// The first correction of x = 0 is all of x, infinitely more than 0.
    void add(double error) { seen_.push_back(std::min(error, 1.0)); }
    /// The largest quotient of successive ones from where the first digit stood, as long as they
    /// were well above the smallest; 1 if there was none.
    double rate() const
    {
        if (seen_.empty()) return 1;
        const double floor = std::max(*std::min_element(seen_.begin(), seen_.end()), rounding_);
        if (floor > highest_floor * rounding_) return 1;
        std::size_t from = 0;
        for (std::size_t k = 0; k < seen_.size(); ++k)
            if (seen_[k] > first_digit) from = k;
        double most = 0;
        for (std::size_t k = from + 1; k < seen_.size(); ++k)
            if (seen_[k - 1] > 16 * floor) most = std::max(most, seen_[k] / seen_[k - 1]);
        return most > 0 ? most : floor <= 16 * rounding_ ? rounding_ : 1;
    }

private:
    double rounding_;
    std::vector<double> seen_;
};

struct iterate {
    double normwise = HUGE_VAL, componentwise = HUGE_VAL, residual = HUGE_VAL;
    double of_all = 0;  ///< as the scaled system sees it, where some components alone are judged
    index_t open = 0;   ///< components whose correction is not below half of them

    bool is_better_than(const iterate& other) const
    {
        if (componentwise < 0.5 * other.componentwise) return true;
        if (componentwise > 2 * other.componentwise) return false;
        if (open != other.open) return open < other.open;
        if (normwise < 0.5 * other.normwise) return true;
        if (normwise > 2 * other.normwise) return false;
        return residual < other.residual;
    }
    /// `by_residual`: a smaller residual is a gain, too.
    bool gains_over(const iterate& other, bool by_residual) const
    {
        return normwise < 0.5 * other.normwise || componentwise < 0.5 * other.componentwise ||
               open < other.open || (by_residual && residual < 0.5 * other.residual);
    }
    /// A residual of 0 beside b may have underflowed: where all are waited for, not with a
    /// component that is 0 and will move.
    bool is_settled(double rounding, bool waits_for_all) const
    {
        return (open == 0 && componentwise <= rounding / 2 && of_all <= 2 * rounding) ||
               (residual == 0 && !(waits_for_all && std::isinf(componentwise)));
    }
};

/// A copy of an x.
class solution {
public:
    explicit solution(const_solution_view x) : high_(x.high.size), low_(x.low.size)
    {
        copy(x, view());
    }
    solution_view view() { return {high_.view(), low_.view()}; }
    const_solution_view view() const { return {high_.view(), low_.view()}; }
    void copy_to(solution_view x) const { copy(view(), x); }

private:
    static void copy(const_solution_view from, solution_view to)
    {
        for (index_t i = 0; i < from.high.size; ++i) to.high.set(i, from.high.get(i));
        for (index_t i = 0; i < from.low.size; ++i) to.low.set(i, from.low.get(i));
    }

    vector<dd_real> high_, low_;
};

template <scalar V>
class refiner {
public:
    refiner(const host_system<V>& system, const correction& correct, solution_view x,
            const refinement_limits& limits)
        : system_(system), correct_(correct), x_(x), limits_(limits), now_(x), best_x_(x),
          best_d_(x.size()), r_(x.size()), d_(x.size())
    {
    }

    refinement_result run()
    {
        int without_gain = 0;
        while (look()) {
            const bool gains = current_.gains_over(best_values_, counts_residual());
            without_gain = gains ? 0 : without_gain + 1;
            remember(result_.steps == 0 || current_.is_better_than(best_));
            if (current_.is_settled(rounding_, limits_.waits_for_all) ||
                without_gain >= steps_without_gain || result_.steps >= limits_.steps)
                break;
            if (limits_.watch && !limits_.watch(result_.steps, current_.normwise)) {
                result_.stopped = true;
                break;
            }
            add_correction();
        }
        best_x_.copy_to(x_);
        describe();
        result_.residual = best_.residual;
        return std::move(result_);
    }

private:
    double rate_of(const corrections& c) const { return std::max(c.rate(), limits_.least_rate); }

    /// Once the largest components have settled only zeros, or tiny ones, make residuals smaller.
    bool counts_residual() const
    {
        return limits_.waits_for_all || !(best_values_.normwise <= 2 * rounding_);
    }
    void describe()
    {
        result_.scaled_rate = rate_of(scaled_);
        result_.observed_rate = componentwise_.rate();
        result_.errors = component_errors(std::as_const(best_d_).view(), scaled_norm());
        for (std::size_t i = 0; i < result_.errors.size(); ++i)
            if (is_known_zero(static_cast<index_t>(i))) result_.errors[i] = 0;
        result_.normwise = {largest_error_over_norm(), rate_of(normwise_), rounding_};
        result_.componentwise = {largest_error(), rate_of(componentwise_), rounding_};
        if (limits_.contracts_as_a_whole)
            result_.normwise.rate = result_.componentwise.rate = result_.observed_rate =
                result_.scaled_rate;
        else if (limits_.judged)
            for (observed_error* e : {&result_.normwise, &result_.componentwise})
                e->rate = std::max(e->rate, result_.scaled_rate);
        result_.next = std::move(best_d_);
    }
    error_norm scaled_norm() const
    {
        return {limits_.column_scale, rate_of(scaled_) * unlucky_probe(x_.size())};
    }

    /// The residual of x and the next correction; false if something is not finite.
    bool look()
    {
        const vec<dd_real> x = now_.view().high, r = r_.view(), d = d_.view();
        const double scale = system_.residual(now_.view(), r), back = 1 / scale;
        const double b = system_.largest_of_b() * scale;
        current_.residual = b > 0 ? largest_magnitude(r) / b : largest_magnitude(r);
        result_.history.push_back(current_.residual);
        correct_(r, d);
        if (!scale_back(d, back)) return result_.finite = false;
        measure(x, d);
        return true;
    }
    /// Known zeros get no correction; false if something is not finite.
    bool scale_back(vec<dd_real> d, double back)
    {
        for (index_t i = 0; i < d.size; ++i) {
            if (is_known_zero(i)) d.set(i, dd_real(0));
            d.set(i, d.get(i) * back);
            if (std::isfinite(d.word(0)[i])) continue;
            result_.overflowed = i;
            return false;
        }
        return true;
    }
    void measure(vec<const dd_real> x, vec<const dd_real> d)
    {
        double most_d = 0, most_x = 0, most_ratio = 0;
        current_.open = 0;
        for (index_t i = 0; i < d.size; ++i) {
            if (!is_judged(i) || is_known_zero(i)) continue;
            const double di = std::fabs(d.word(0)[i]), xi = std::fabs(x.word(0)[i]);
            most_d = std::max(most_d, di);
            most_x = std::max(most_x, xi);
            if (di > xi / 2) ++current_.open;
            if (di > 0) most_ratio = std::max(most_ratio, xi > 0 ? di / xi : HUGE_VAL);
        }
        current_.normwise = most_d == 0 ? 0 : most_x > 0 ? most_d / most_x : HUGE_VAL;
        current_.componentwise = most_ratio;
        normwise_.add(current_.normwise);
        componentwise_.add(current_.componentwise);
        const error_norm scaled{limits_.column_scale};
        const double of_all = scaled.of(d) / std::max(scaled.of(x), smallest_normal);
        scaled_.add(of_all);
        if (limits_.judged) current_.of_all = of_all;
    }
    bool is_judged(index_t i) const { return !limits_.judged || limits_.judged->has(i); }
    double largest_error_over_norm() const
    {
        if (!limits_.judged) return best_.normwise;
        double most_e = 0, most_x = 0;
        for (index_t i = limits_.judged->begin; i < limits_.judged->end; ++i) {
            const double e = result_.errors[static_cast<std::size_t>(i)];
            if (e > std::numeric_limits<double>::denorm_min()) most_e = std::max(most_e, e);
            most_x = std::max(most_x, std::fabs(best_x_.view().high.word(0)[i]));
        }
        return most_e == 0 ? 0 : most_x > 0 ? most_e / most_x : HUGE_VAL;
    }
    /// The largest e_i / |x_i| of the best iterate.
    double largest_error() const
    {
        double most = 0;
        for (index_t i = 0; i < x_.size(); ++i) {
            if (!is_judged(i) || is_known_zero(i)) continue;
            const double xi = std::fabs(best_x_.view().high.word(0)[i]);
            const double e = result_.errors[static_cast<std::size_t>(i)];
            most = std::max(most, xi > 0 ? e / xi : HUGE_VAL);
        }
        return most;
    }
    bool is_known_zero(index_t i) const
    {
        return !limits_.known_zero.empty() && limits_.known_zero[static_cast<std::size_t>(i)];
    }
    void remember(bool is_best)
    {
        best_values_.normwise = std::min(best_values_.normwise, current_.normwise);
        best_values_.componentwise = std::min(best_values_.componentwise, current_.componentwise);
        best_values_.open =
            result_.steps == 0 ? current_.open : std::min(best_values_.open, current_.open);
        best_values_.residual = std::min(best_values_.residual, current_.residual);
        if (!is_best) return;
        best_ = current_;
        best_x_ = now_;
        best_d_ = d_;
    }
    void add_correction()
    {
        add_to(now_.view(), d_.view());
        ++result_.steps;
    }

    const host_system<V>& system_;
    const correction& correct_;
    const solution_view x_;
    const refinement_limits& limits_;
    const double rounding_ = rounding_of(x_.words());
    solution now_, best_x_;
    vector<dd_real> best_d_, r_, d_;
    iterate current_, best_, best_values_;
    corrections normwise_{rounding_}, componentwise_{rounding_}, scaled_{rounding_};
    refinement_result result_;
};

}  // namespace

template <scalar V>
refinement_result refine(const host_system<V>& system, const correction& correct, solution_view x,
                         const refinement_limits& limits)
{
    return refiner<V>(system, correct, x, limits).run();
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template refinement_result refine(const host_system<V>&, const correction&, solution_view,     \
                                      const refinement_limits&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
