// Stages: incomplete factors of a level of fill and BiCGStab; if the tolerance is not met, the next
// level, from the best x so far.  docs/preconditioners.md says what that brought.
//
// What is done depends on counted iterations, work and bytes, and on the residuals: the same
// everywhere.
#include "ilu_stages.hpp"

#include "iterate.hpp"
#include "joined_report.hpp"
#include "make_preconditioner.hpp"
#include "place_of.hpp"
#include "solve_on.hpp"
#include "stopwatch.hpp"

#include <array>
#include <cmath>

namespace ddla::api {
namespace {

/// What incomplete factors are tried.
struct attempt {
    int fill;
    column_ordering ordering;
};
/// The next one where the one before did not bring the tolerance.
constexpr std::array attempts = {attempt{2, column_ordering::natural},
                                 attempt{6, column_ordering::amd},
                                 attempt{20, column_ordering::amd}};
/// Where the first of these is too large.
constexpr attempt smallest = {0, column_ordering::natural};
/// Entries of the factors over those of A, at most.
constexpr double most_fill = 10;
/// Iterations of a stage where another one follows.
constexpr std::int64_t patience = 500;

void add_stage(solve_report& report, std::string name, double seconds,
               std::optional<double> residual = {}, std::int64_t iterations = 0)
{
    report.plan.push_back({std::move(name), seconds, residual, {}, report.iterations + iterations});
}

template <scalar T>
class stages {
public:
    stages(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x,
           const solve_options& options, solve_report& report)
        : here_(here), a_(a), b_(b), x_(x), options_(options), report_(report),
          best_x_(x.size, a.where()), left_(options.max_iterations)
    {
        options_.precond = preconditioning::none;
        here_.vectors<T>().copy(x_, best_x_.view());
        least_ = unscaled(a_.true_residual(here_, x_, b_)).relative;
    }

    /// False: the tolerance is met, or nothing is left to be done.
    bool run(const preconditioner<T>& k, method m, std::int64_t most_iterations)
    {
        if (ended_) return false;
        solve_report stage;
        solve_options o = options_;
        o.method = m;
        o.max_iterations = std::min(left_, most_iterations);
        if (options_.watch)
            o.watch = [this](const solve_progress& now) {
                return options_.watch({iterations_ + now.iterations, now.relative_residual});
            };
        iterate(here_, a_, k, b_, x_, o, stage);
        left_ -= stage.iterations;
        iterations_ += stage.iterations;
        add_stage(report_, std::string(to_string(m)), stage.seconds, stage.true_relative_residual,
                  stage.iterations);
        take_better(stage.true_relative_residual);
        ended_ = stage.status == solve_status::converged || stage.interrupted || left_ <= 0;
        append(report_, std::move(stage),
               k.built().bytes + static_cast<std::size_t>(x_.size) * sizeof(T));
        report_.true_relative_residual = least_;  // of the best x, which is in x now
        return !ended_;
    }
    solve_report& report() { return report_; }
    bool ended() const { return ended_; }
    /// What the watch sees while factors are made.
    std::function<bool(double)> watch_of_factors() const
    {
        if (!options_.watch) return {};
        return [this](double done) {
            return options_.watch({iterations_, least_, "factor", done});
        };
    }
    /// The watch ended the making of factors: x is the best that there was.
    void stop()
    {
        ended_ = report_.interrupted = true;
        report_.status = solve_status::iteration_limit;
        report_.true_relative_residual = least_;
    }

private:
    /// Goes on from the better x.
    void take_better(double residual)
    {
        vector_operations<T>& vectors = here_.vectors<T>();
        if (residual < least_) {
            least_ = residual;
            vectors.copy(x_, best_x_.view());
        } else {
            vectors.copy(std::as_const(best_x_).view(), x_);
        }
        here_.wait();
    }

    engine& here_;
    const system_map<T>& a_;
    vec<const T> b_;
    vec<T> x_;
    solve_options options_;
    solve_report& report_;
    vector<T> best_x_;
    std::int64_t left_, iterations_ = 0;
    double least_;  ///< the residual of best_x_
    bool ended_ = false;
};

/// ILU within its limits of work, and of memory of both kinds of factors; none if it passes them,
/// or if the watch ended it, and with it the stages.  So many bytes are held beside it.
template <scalar T>
preconditioner<T> ilu_within_limits(stages<T>& s, const system_map<T>& a, const attempt& t,
                                    const solve_options& options, std::size_t bytes_held)
{
    solve_report& report = s.report();
    preconditioner_options o = options.preconditioner;
    o.fill = t.fill;
    o.ordering = t.ordering;
    o.most_fill = std::min(o.most_fill, most_fill);
    o.most_memory = std::min(o.most_memory, options.factorisation.most_memory);
    o.scale = options.factorisation.scale;
    o.match = options.factorisation.match;
    const stopwatch clock;
    const std::string name = "ilu(" + std::to_string(t.fill) + ")";
    try {
        const auto k = a.make_preconditioner(preconditioning::ilu, o, s.watch_of_factors());
        add_stage(report, name, clock.seconds());
        if (!k) {
            s.stop();
            return {};
        }
        // In the making: A permuted and scaled, the levels of the entries, lists that have room for
        // twice what is in them, and the result.
        report.peak_bytes =
            std::max(report.peak_bytes, bytes_held + 2 * a.bytes() + 3 * k->built().bytes);
        return *k;
    } catch (const limit_error&) {
        add_stage(report, name + ", too large", clock.seconds());
    } catch (const input_error&) {
        add_stage(report, name + ", not possible", clock.seconds());
    }
    return {};
}

/// The inverse diagonal, if all of it is there.
template <scalar T>
preconditioner<T> least_of_all(engine& here, const system_map<T>& a)
{
    if (!a.has_full_diagonal(here)) return {};
    return *a.make_preconditioner(preconditioning::polynomial, {.degree = 0}, {});
}

/// BiCGStab with each; then FGMRES, and BiCGStab again, with the last that was built.
template <scalar T>
void run_attempts(stages<T>& s, engine& here, const system_map<T>& a, const solve_options& options)
{
    preconditioner<T> last;
    for (const attempt& t : attempts) {
        preconditioner<T> k = ilu_within_limits(s, a, t, options, last.built().bytes);
        if (s.ended()) return;
        if (k.is_none()) break;
        last = std::move(k);
        if (!s.run(last, method::bicgstab, patience)) return;
    }
    if (last.is_none()) {
        last = ilu_within_limits(s, a, smallest, options, 0);
        if (s.ended()) return;
        if (last.is_none()) last = least_of_all(here, a);
        if (!s.run(last, method::bicgstab, patience)) return;
    }
    if (!s.run(last, method::fgmres, patience)) return;
    s.run(last, method::bicgstab, options.max_iterations);
}

}  // namespace

template <scalar T>
void iterate_by_stages(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x,
                       const solve_options& options, solve_report& report)
{
    stages<T> s(here, a, b, x, options, report);
    run_attempts(s, here, a, options);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void iterate_by_stages(engine&, const system_map<T>&, vec<const T>, vec<T>,           \
                                    const solve_options&, solve_report&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
