// Stages: incomplete factors and a method, by what A is; if the tolerance is not met, the next
// ones, from the best x so far.  Each method first finds corrections in double, then works in the
// solve's precision.  docs/preconditioners.md has the rule, and what it brought.
//
// What is done depends on the matrix, on counted iterations, work and bytes, and on the residuals:
// the same everywhere.
#include "ilu_stages.hpp"

#include "calls/place_of.hpp"
#include "calls/stopwatch.hpp"
#include "inner_solves.hpp"
#include "iterate.hpp"
#include "joined_report.hpp"
#include "precondition/make_preconditioner.hpp"
#include "solve_on.hpp"

#include <array>
#include <cmath>

namespace ddla::api {
namespace {

/// What incomplete LU factors are tried.
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
/// Products with A of a stage where another one follows.
constexpr std::int64_t patience = 1000;

std::int64_t iterations_of_patience(method m)
{
    return m == method::bicgstabl ? patience / 4 : m == method::bicgstab ? patience / 2 : patience;
}

/// Of a single correction in double: half of them, so that a hopeless one ends early.  All for CG,
/// which loses its directions where another correction begins.
std::int64_t iterations_of_correction(method m)
{
    return m == method::cg ? patience : iterations_of_patience(m) / 2;
}

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

    /// In the solve's precision.  False: the tolerance is met, or nothing is left to be done.
    bool run(const preconditioner<T>& k, method m, std::int64_t most_iterations)
    {
        return run(std::string(to_string(m)), k, most_iterations,
                   [&](solve_options& o, solve_report& stage) {
                       o.method = m;
                       iterate(here_, a_, k, b_, x_, o, stage);
                   });
    }
    /// By corrections in double.
    bool run_in_double(const preconditioner<T>& k, method m)
    {
        const auto in_double = k.in_double();
        return run(name_in_double(m), k, iterations_of_patience(m),
                   [&](const solve_options& o, solve_report& stage) {
                       refine_by_iterations<T>(here_, a_, *in_double, m, b_, x_, o, stage,
                                               iterations_of_correction(m));
                       stage.preconditioner = {k.name(), k.built()};
                   });
    }
    /// So, and if that does not meet the tolerance, in the solve's precision.
    bool run_both(const preconditioner<T>& k, method m)
    {
        return run_in_double(k, m) && run(k, m, iterations_of_patience(m));
    }
    /// Of the best x so far.
    double residual() const { return least_; }
    solve_report& report() { return report_; }
    /// So many bytes, for a while.
    void held(std::size_t bytes) { report_.peak_bytes = std::max(report_.peak_bytes, bytes); }
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
    template <class Solve>
    bool run(std::string name, const preconditioner<T>& k, std::int64_t most_iterations,
             const Solve& solve)
    {
        if (ended_) return false;
        solve_report stage;
        solve_options o = options_;
        o.max_iterations = std::min(left_, most_iterations);
        if (options_.watch)
            o.watch = [this](const solve_progress& now) {
                return options_.watch({iterations_ + now.iterations, now.relative_residual});
            };
        solve(o, stage);
        left_ -= stage.iterations;
        iterations_ += stage.iterations;
        add_stage(report_, std::move(name), stage.seconds, stage.true_relative_residual,
                  stage.iterations);
        take_better(stage.true_relative_residual);
        ended_ = stage.status == solve_status::converged || stage.interrupted || left_ <= 0;
        append(report_, std::move(stage),
               k.built().bytes + static_cast<std::size_t>(x_.size) * sizeof(T));
        report_.true_relative_residual = least_;  // of the best x, which is in x now
        return !ended_;
    }
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

/// Incomplete factors within their limits of work, and of memory of both kinds of factors; none if
/// they pass them, or if the watch ended their making, and with it the stages.  So many bytes are
/// held beside them.
template <scalar T>
preconditioner<T> within_limits(stages<T>& s, const system_map<T>& a, preconditioning kind,
                                const std::string& name, preconditioner_options o,
                                const solve_options& options, std::size_t bytes_held)
{
    solve_report& report = s.report();
    o.most_fill = std::min(o.most_fill, most_fill);
    o.most_memory = std::min(o.most_memory, options.factorisation.most_memory);
    o.scale = options.factorisation.scale;
    o.match = options.factorisation.match;
    const stopwatch clock;
    try {
        const auto k = a.make_preconditioner(kind, o, s.watch_of_factors());
        add_stage(report, name, clock.seconds());
        if (!k) {
            s.stop();
            return {};
        }
        // In the making: A permuted and scaled, the levels of the entries, lists that have room for
        // twice what is in them, and the result.
        s.held(bytes_held + 2 * a.bytes() + 3 * k->built().bytes);
        return *k;
    } catch (const limit_error&) {
        add_stage(report, name + ", too large", clock.seconds());
    } catch (const input_error&) {
        add_stage(report, name + ", not possible", clock.seconds());
    }
    return {};
}

template <scalar T>
preconditioner<T> ilu_within_limits(stages<T>& s, const system_map<T>& a, const attempt& t,
                                    const solve_options& options, std::size_t bytes_held)
{
    preconditioner_options o = options.preconditioner;
    o.fill = t.fill;
    o.ordering = t.ordering;
    return within_limits(s, a, preconditioning::ilu, "ilu(" + std::to_string(t.fill) + ")", o,
                         options, bytes_held);
}

/// The inverse diagonal, if all of it is there.
template <scalar T>
preconditioner<T> least_of_all(engine& here, const system_map<T>& a)
{
    if (!a.has_full_diagonal(here)) return {};
    return *a.make_preconditioner(preconditioning::polynomial, {.degree = 0}, {});
}

/// CG with incomplete Cholesky factors, for a matrix that may be definite: in the solve's precision
/// only where the corrections in double have brought three digits, for else ILU is the better
/// stage.
template <scalar T>
void run_cholesky(stages<T>& s, const system_map<T>& a, const solve_options& options)
{
    preconditioner_options o = options.preconditioner;
    o.ordering = column_ordering::natural;
    const preconditioner<T> k = within_limits(s, a, preconditioning::ic, "ic", o, options, 0);
    const double before = s.residual();
    if (!k.is_none() && s.run_in_double(k, method::cg) && s.residual() <= before / 1024)
        s.run(k, method::cg, patience);
}

/// A method with each; then FGMRES, and the method again, with the last that was built.
template <scalar T>
void run_attempts(stages<T>& s, engine& here, const system_map<T>& a, const solve_options& options)
{
    const matrix_shape shape = a.shape();
    s.held(a.bytes() + 2 * sizeof(index_t) * static_cast<std::size_t>(a.rows()));
    const method by = nonsymmetric_method(shape);
    if (shape.may_be_definite) run_cholesky(s, a, options);
    if (s.ended()) return;
    preconditioner<T> last;
    for (const attempt& t : attempts) {
        preconditioner<T> k = ilu_within_limits(s, a, t, options, last.built().bytes);
        if (s.ended()) return;
        if (k.is_none()) break;
        last = std::move(k);
        if (!s.run_both(last, by)) return;
    }
    if (last.is_none()) {
        last = ilu_within_limits(s, a, smallest, options, 0);
        if (s.ended()) return;
        if (last.is_none()) last = least_of_all(here, a);
        if (!s.run_both(last, by)) return;
    }
    if (!s.run(last, method::fgmres, patience / 2)) return;
    s.run(last, by, options.max_iterations);
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
