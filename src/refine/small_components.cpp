// Digits of components that are far smaller than others.
#include "small_components.hpp"

#include "rounding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ddla::refine {
namespace {

constexpr int corrections_at_once = 3;
/// Of corrections: slower ones would take too many.
constexpr double small_rate = 0x1p-7;

template <scalar V>
class small_components {
public:
    small_components(const host_system<V>& system, const correction& correct,
                     const refinement_limits& limits, const refinement_result& result)
        : system_(system), correct_(correct), limits_(limits), high_(system.size()),
          low_(system.size()), r_(system.size()), d_(result.next),
          error_(result.normwise.estimate()), norm_{limits.column_scale,
                                                    limits.least_rate *
                                                        unlucky_probe(system.size())}
    {
        hold_zeros();  // the correction may be older than what is known of them
    }

    /// Whether corrections can lower the errors of x enough, each by the rate.
    bool may_help(vec<const dd_real> x, double enough) const
    {
        if (!(norm_.rate < small_rate)) return false;
        const double rate_of_all = std::pow(norm_.rate, corrections_at_once);
        return largest_error(component_errors(std::as_const(d_).view(), {norm_.scale, 1}), x) *
                   rate_of_all <=
               enough;
    }

    /// The errors of x(), which is x with as many corrections as it takes; empty if they do not
    /// contract.  The rate is that of the probe or of what these corrections leave of one another,
    /// for it is not hidden by the rounding of x.
    std::vector<double> errors(vec<const dd_real> x, double enough)
    {
        for (index_t i = 0; i < x.size; ++i) high_.set(i, x.get(i));
        std::vector<double> e;
        double last = norm_.of(std::as_const(d_).view());
        for (int k = 0; k < corrections_at_once; ++k) {
            if (limits_.watch && !limits_.watch(0, error_)) return {};
            add_to(wide(), std::as_const(d_).view());
            if (!look()) return {};
            const double size = norm_.of(std::as_const(d_).view());
            if (size > 0) norm_.rate = std::max(norm_.rate, unlucky_probe(x.size) * size / last);
            if (!(norm_.rate < small_rate)) return {};
            last = size;
            e = component_errors(std::as_const(d_).view(), norm_);
            for (std::size_t i = 0; i < limits_.known_zero.size(); ++i)
                if (limits_.known_zero[i]) e[i] = 0;
            if (largest_error(e, this->x()) <= enough) break;
        }
        return e;
    }
    /// Rounds x() to two words; returns at least its changes.
    std::vector<double> round()
    {
        const vector<dd_real> high = high_, low = low_;
        const std::vector<double> changes = round_to(wide(), {0, system_.size()}, {2});
        for (index_t i = 0; i < high.size(); ++i)
            d_.set(i, d_[i] + difference({high.view(), low.view()}, wide(), i));
        return changes;
    }
    vec<const dd_real> x() const { return high_.view(); }
    vector<dd_real>& next() { return d_; }
    double rate() const { return norm_.rate; }

    /// The largest e_i / |x_i| of components that are judged and not known to be zero.
    double largest_error(const std::vector<double>& e, vec<const dd_real> x) const
    {
        double most = 0;
        for (index_t i = 0; i < x.size; ++i) {
            if (is_known_zero(i) || (limits_.judged && !limits_.judged->has(i))) continue;
            const double size = std::fabs(x.word(0)[i]), error = e[static_cast<std::size_t>(i)];
            most = std::max(most, size > 0 ? error / size : HUGE_VAL);
        }
        return most;
    }

private:
    solution_view wide() { return {high_.view(), low_.view()}; }
    /// The correction that would come next; false if it is not finite.
    bool look()
    {
        const double back = 1 / system_.residual(wide(), r_.view());
        correct_(std::as_const(r_).view(), d_.view());
        for (index_t i = 0; i < d_.size(); ++i) d_.set(i, d_[i] * back);
        hold_zeros();
        return all_finite(std::as_const(d_).view());
    }
    void hold_zeros()
    {
        for (index_t i = 0; i < d_.size(); ++i)
            if (is_known_zero(i)) d_.set(i, dd_real(0));
    }
    bool is_known_zero(index_t i) const
    {
        return !limits_.known_zero.empty() && limits_.known_zero[static_cast<std::size_t>(i)];
    }

    const host_system<V>& system_;
    const correction& correct_;
    const refinement_limits& limits_;
    vector<dd_real> high_, low_, r_, d_;
    double error_;  ///< of x before, normwise
    error_norm norm_;
};

}  // namespace

template <scalar V>
std::optional<double> refine_small_components(const host_system<V>& system,
                                              const correction& correct, const solution_view& x,
                                              const refinement_limits& limits, double enough,
                                              refinement_result& result)
{
    if (!result.finite || result.stopped || !(result.scaled_rate < 0.5) || x.words() != 2)
        return {};
    if (result.steps + corrections_at_once > limits.steps) return {};
    small_components<V> small(system, correct, limits, result);
    const double before = small.largest_error(result.errors, x.high);
    if (!(before > enough) || !small.may_help(x.high, enough)) return {};
    std::vector<double> e = small.errors(x.high, enough);
    if (e.empty()) return {};
    const std::vector<double> changes = small.round();
    for (std::size_t i = 0; i < e.size(); ++i) e[i] += changes[i];
    const double after = small.largest_error(e, small.x());
    if (!(after <= before / 2)) return {};
    for (index_t i = 0; i < x.size(); ++i) x.high.set(i, small.x().get(i));
    result.errors = std::move(e);
    result.componentwise.error = after;
    result.next = std::move(small.next());
    return small.rate();
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::optional<double> refine_small_components(                                        \
        const host_system<V>&, const correction&, const solution_view&, const refinement_limits&,  \
        double, refinement_result&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
