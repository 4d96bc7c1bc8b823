// Iterative refinement whose corrections are solved for in double by an iteration.
//
// All is done by operations of the engine, at the place of A: the bits are the same everywhere.
// Memory is shared where it can be: the values of A in double are the high words of those of A, the
// residual in double is the high word of r, and the correction that the iteration finds is the high
// word of d, whose low word stays 0.
//
// Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 12.1; with
// corrections from an iteration: Anzt, Heuveline, Rocker, PARA 2010, "Mixed precision iterative
// refinement methods for linear systems".  Searches that go on after a correction: Sleijpen, van
// der Vorst, "Reliable updated residuals in hybrid Bi-CG methods", Computing 56, 1996.
#include "inner_solves.hpp"

#include "calls/place_of.hpp"
#include "calls/stopwatch.hpp"
#include "returned_x.hpp"
#include "solve_on.hpp"
#include "storage/asked_loops.hpp"

#include <cmath>
#include <optional>

namespace ddla::api {
namespace {

/// Bits that a correction takes off the residual, at most: double has enough left to reach it.
constexpr int most_bits = 34;

/// The part of the residual that a correction may leave, of corrections as few as can be, alike: a
/// power of two, so that no library's logarithm decides.
double part_to_leave(double relative, double tolerance)
{
    if (!(tolerance > 0)) return std::ldexp(1.0, -most_bits);
    const double far = std::min(relative / tolerance, 0x1p+1000);
    const int bits = std::ilogb(far) + 2;
    const int corrections = (bits + most_bits - 1) / most_bits;
    return std::ldexp(1.0, -((bits + corrections - 1) / corrections));
}

template <scalar T>
vec<double> high(vector<T>& x)
{
    return vec<double>(x.word(0).data(), x.size());
}

template <scalar T>
class corrector {
public:
    corrector(engine& here, const system_map<T>& a, const preconditioner<double>& k, method m,
              vec<const T> b, vec<T> x, const solve_options& options, solve_report& report,
              std::int64_t most_of_each)
        : here_(here), a_(a), in_double_(a.in_double()), k_(k), method_(m), b_(b), x_(x),
          options_(options), report_(report), most_of_each_(most_of_each),
          tolerance_(options.tolerance.value_or(usual_tolerance)),
          largest_b_(here.vectors<T>().largest_magnitude(b)), norm_b_(here.vectors<T>().nrm2(b)),
          r_(b.size, a.where()), d_(b.size, a.where()), before_(b.size, a.where())
    {
    }

    void improve()
    {
        const stopwatch clock;
        if (largest_b_ == 0)
            here_.vectors<T>().scal(T(0), x_);
        else
            measure();
        if (options_.record_history) report_.history.assign(1, relative_);
        while (relative_ > tolerance_ && left() > 0 && !is_ended_ && correct()) {
        }
        here_.wait();
        report_.interrupted |= is_ended_;
        report_.seconds = clock.seconds();
        report_.relative_residual = relative_;
        judge();
    }

private:
    std::int64_t left() const { return options_.max_iterations - report_.iterations; }

    /// r of x, in scale_; once the solve was ended, its norm alone, where that takes little time.
    void measure()
    {
        if (is_ended_ || report_.interrupted) return measure_hastily();
        try {
            const loop_question question([this] {
                const double known = relative_ > 0 ? relative_ : 1;
                return !options_.watch || options_.watch({report_.iterations, known});
            });
            constexpr std::int64_t times_product = 4;
            const asked_loops residual(times_product);
            measure_exactly();
        } catch (const interrupted_error&) {
            if (work_has_ended()) throw;
            is_ended_ = true;
            measure_hastily();
        }
    }
    void measure_hastily()
    {
        if (const auto hasty = a_.hasty_residuals(here_, x_, b_, false, relative_))
            relative_ = hasty->relative;
        else
            measure_exactly();
    }
    void measure_exactly()
    {
        const double largest_x = here_.vectors<T>().largest_magnitude(x_);
        scale_ = steps::residual_scale(largest_b_, largest_x);
        if (largest_x == 0)
            take_right_hand_side();
        else
            a_.scaled_residual(here_, x_, b_, scale_, r_.view());
        const dd_real norm = here_.vectors<dd_real>().nrm2(std::as_const(r_).view());
        relative_ = double(norm / (norm_b_ * scale_));
    }
    /// r = scale_ b.
    void take_right_hand_side()
    {
        const vec<T> r = vec<T>::in_memory(r_.word(0).data(), r_.size());
        here_.vectors<T>().copy(b_, r);
        here_.vectors<T>().scal(T(scale_), r);
    }
    /// The corrections of one search; false if another search is of no use.
    bool correct()
    {
        first_ = relative_;
        search();
        return relative_ <= first_ / 2 && !report_.interrupted;
    }
    /// A search for A^-1 r in double.  Where it has met its tolerance the correction is taken, and
    /// it goes on from the residual of the new x, with the directions that it has.
    void search()
    {
        vector_operations<double>& vectors = here_.vectors<double>();
        const vec<double> r = high(r_);
        to_one_ = steps::scale_to_one(vectors.largest_magnitude(r));
        scale_of_search_ = scale_;
        aim_ = part_to_leave(relative_, tolerance_) * relative_;
        vectors.scal(to_one_, r);
        vectors.scal(0.0, high(d_));
        renewal<double> renew;
        bool is_taken = false;
        if (!k_.is_none() && !k_.inverse_diagonal())  // these have a faster schedule, without it
            renew = [&](vec<double> inner, double scale) {
                const auto next = take_correction() ? next_part() : std::nullopt;
                is_taken = !next;
                if (next) give_residual(inner, scale);
                return next;
            };
        std::vector<double> history;
        add(krylov_solve<double>(here_, *in_double_, k_, r, high(d_), inner(),
                                 options_.record_history ? &history : nullptr, renew),
            history);
        if (!is_taken) take_correction();
    }
    /// x += d, d = 0.  If that does not make the residual smaller x stays what it is.  False if it
    /// does not halve it.
    bool take_correction()
    {
        vector_operations<T>& vectors = here_.vectors<T>();
        vectors.copy(x_, before_.view());
        here_.vectors<double>().scal(1 / to_one_, high(d_));
        vectors.axpyz(T(1 / scale_of_search_), std::as_const(d_).view(), x_, x_);
        here_.vectors<double>().scal(0.0, high(d_));
        const double last = relative_;
        measure();
        const bool helps = relative_ <= last / 2;
        if (!(relative_ < last)) {
            vectors.copy(std::as_const(before_).view(), x_);
            if (is_ended_ || report_.interrupted)
                relative_ = last;  // r is of no more use
            else
                measure();
        } else {
            has_moved_ = true;
        }
        return helps;
    }
    /// What the search goes on to, relative to where it began; nothing if the tolerance is met.
    std::optional<double> next_part()
    {
        if (is_ended_ || relative_ <= tolerance_ || relative_ > 2 * aim_) return {};
        aim_ = part_to_leave(relative_, tolerance_) * relative_;
        return aim_ / first_;
    }
    /// As the search scales it.
    void give_residual(vec<double> inner, double scale)
    {
        here_.vectors<double>().copy(high(r_), inner);
        here_.vectors<double>().scal(to_one_ * (scale_of_search_ / scale_) * scale, inner);
    }
    solve_options inner() const
    {
        solve_options o{.method = method_, .tolerance = part_to_leave(relative_, tolerance_)};
        o.max_iterations = std::min(left(), most_of_each_);
        o.check_every = options_.check_every;
        if (options_.watch)
            o.watch = [this](const solve_progress& now) {
                return options_.watch(
                    {report_.iterations + now.iterations, first_ * now.relative_residual});
            };
        return o;
    }
    void add(const solve_result& found, const std::vector<double>& history)
    {
        last_ = found.ending;
        report_.iterations += last_.iterations;
        report_.iteration_seconds += last_.seconds;
        report_.interrupted = is_ended_ || last_.end == steps::end_of_solve::none;
        report_.bytes_per_iteration = bytes_of_iteration<double>(a_.rows(), last_);
        inner_bytes_ = std::max(inner_bytes_, found.working_bytes);
        if (history.empty()) return;
        // A search begins where the one before it ended, but for the residual.
        report_.history.pop_back();
        for (const double h : history) report_.history.push_back(first_ * h);
    }
    void judge()
    {
        const bool is_rounded = has_moved_ && round_returned(here_, x_, a_.where());
        // By the same operations.
        const bool is_known = scale_ == 1 && largest_b_ > 0 && !is_rounded;
        report_.true_relative_residual = is_known ? relative_ : recomputed();
        if (is_rounded) report_.relative_residual = report_.true_relative_residual;
        const std::size_t own =
            (sizeof(dd_real) + 2 * sizeof(T)) * static_cast<std::size_t>(b_.size);
        report_.peak_bytes = own + inner_bytes_;
        report_.status = status();
        if (report_.status == solve_status::not_finite || report_.status == solve_status::breakdown)
            report_.breakdown = std::isfinite(relative_) ? name_of(last_.culprit) : "x";
    }
    /// Of x; after an interruption by a single product, where that is enough.
    double recomputed()
    {
        const auto hasty = report_.interrupted ? a_.hasty_residuals(here_, x_, b_, false, relative_)
                                               : std::nullopt;
        return hasty ? hasty->relative : unscaled(a_.true_residual(here_, x_, b_)).relative;
    }
    solve_status status() const
    {
        if (report_.true_relative_residual <= tolerance_) return solve_status::converged;
        const bool is_unknown = report_.interrupted && std::isnan(relative_);
        if (!std::isfinite(relative_) && !is_unknown) return solve_status::not_finite;
        if (report_.interrupted || left() <= 0) return solve_status::iteration_limit;
        switch (last_.end) {
        case steps::end_of_solve::breakdown:
            return solve_status::breakdown;
        case steps::end_of_solve::not_finite:
            return solve_status::not_finite;
        default:
            return solve_status::stagnated;
        }
    }

    engine& here_;
    const system_map<T>& a_;
    const std::shared_ptr<const system_map<double>> in_double_;
    const preconditioner<double>& k_;
    const method method_;
    const vec<const T> b_;
    const vec<T> x_;
    const solve_options& options_;
    solve_report& report_;
    const std::int64_t most_of_each_;
    const double tolerance_, largest_b_;
    const dd_real norm_b_;
    vector<dd_real> r_;
    vector<T> d_, before_;
    double scale_ = 1, relative_ = 0;  ///< of r
    bool has_moved_ = false;           ///< x is not the guess
    bool is_ended_ = false;            ///< by the watch, in a residual
    double aim_ = 0;                   ///< what a correction is to leave, relative to b
    double first_ = 0, to_one_ = 1, scale_of_search_ = 1;  ///< of the residual a search began with
    steps::ending last_ = {};
    std::size_t inner_bytes_ = 0;
};

}  // namespace

template <scalar T>
void correct_in_double(engine& here, const system_map<T>& a, const preconditioner<double>& k,
                       method m, vec<const T> b, vec<T> x, const solve_options& options,
                       solve_report& report, std::int64_t most_of_each)
{
    corrector<T>(here, a, k, m, b, x, options, report, most_of_each).improve();
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void correct_in_double(engine&, const system_map<T>&, const preconditioner<double>&,  \
                                    method, vec<const T>, vec<T>, const solve_options&,            \
                                    solve_report&, std::int64_t);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
