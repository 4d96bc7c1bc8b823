#include "running_column.hpp"

#include "calls/place_of.hpp"
#include "joined_report.hpp"
#include "solve_on.hpp"
#include "storage/asked_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::api {

template <scalar T>
running_column<T>::running_column(engine& here, const system_map<T>& a,
                                  const system_column<T>& column)
    : here_(&here), a_(&a), b_(column.b), x_(column.x), options_(column.options),
      report_(column.report)
{
}

template <scalar T>
void running_column<T>::go_on_at(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x)
{
    here_ = &here;
    a_ = &a;
    b_ = b;
    x_ = x;
}

template <scalar T>
void running_column<T>::keep_better()
{
    if (better_x_) return;
    better_x_.emplace(x_.size, a_->where());
    here_->vectors<T>().copy(x_, better_x_->view());
    if (!least_) measure();
}

template <scalar T>
void running_column<T>::measure()
try {
    constexpr std::int64_t times_product = 4;
    const loop_question question([this] {
        return !options_.watch || options_.watch({iterations_, 1});
    });
    std::optional<asked_loops> residual;
    if (a_->has_entries()) residual.emplace(times_product);
    least_ = unscaled(a_->true_residual(*here_, x_, b_)).relative;
} catch (const interrupted_error&) {
    if (work_has_ended()) throw;
    const auto hasty = a_->hasty_residuals(*here_, x_, b_, false, 1);
    least_ = hasty ? hasty->relative : std::numeric_limits<double>::quiet_NaN();
    stop();
}

template <scalar T>
bool running_column<T>::may_begin_again() const
{
    const bool is_false =
        report_.status == solve_status::breakdown || report_.status == solve_status::stagnated;
    return is_false && has_halved_ && std::isfinite(report_.true_relative_residual);
}

template <scalar T>
solve_options running_column<T>::options_of(const stage& s, method by, bool stopped) const
{
    solve_options o = options_;
    o.method = by;
    o.precond = s.fuses_jacobi ? preconditioning::jacobi : preconditioning::none;
    o.max_iterations =
        std::min(options_.max_iterations - iterations_, iterations_of(by, s.most_products));
    if (options_.watch)
        o.watch = [this](const solve_progress& now) {
            return options_.watch({iterations_ + now.iterations, now.relative_residual});
        };
    if (stopped) {
        o.max_iterations = 0;
        o.watch = {};
    }
    return o;
}

template <scalar T>
std::function<bool(double)> running_column<T>::watch_of_making() const
{
    if (!options_.watch) return {};
    return [this](double done) {
        return options_.watch({iterations_, least_.value_or(1), "factor", done});
    };
}

template <scalar T>
void running_column<T>::add_stage(std::string name, double seconds, bool is_reported)
{
    seconds_ += seconds;
    if (is_reported) report_.plan.push_back({std::move(name), seconds, {}, {}, report_.iterations});
}

template <scalar T>
void running_column<T>::take(const stage& s, std::string name, solve_report&& now,
                             std::size_t bytes_beside)
{
    iterations_ += now.iterations;
    add_stage(std::move(name), now.seconds, s.is_reported);
    if (s.is_reported) {
        report_.plan.back().true_relative_residual = now.true_relative_residual;
        report_.plan.back().iterations += now.iterations;
    }
    has_halved_ = !least_ || now.true_relative_residual <= *least_ / 2;
    if (better_x_) bytes_beside += static_cast<std::size_t>(x_.size) * sizeof(T);
    const bool is_better = take_better(now.true_relative_residual);
    if (!is_better && s.follows == stage_condition::begins_again) {
        // It would begin again from the same x: what is said is of the stage that left it.
        now.status = report_.status;
        now.breakdown = report_.breakdown;
    }
    has_ended_ = now.status == solve_status::converged || now.interrupted ||
                 iterations_ >= options_.max_iterations;
    append(report_, std::move(now), bytes_beside);
    report_.true_relative_residual = *least_;
}

template <scalar T>
bool running_column<T>::take_better(double residual)
{
    vector_operations<T>& vectors = here_->vectors<T>();
    const bool is_better = !better_x_ || residual < *least_;
    if (is_better) least_ = residual;
    if (!better_x_) return true;
    if (is_better)
        vectors.copy(x_, better_x_->view());
    else
        vectors.copy(std::as_const(*better_x_).view(), x_);
    here_->wait();
    return is_better;
}

template <scalar T>
void running_column<T>::hold(std::size_t bytes)
{
    report_.peak_bytes = std::max(report_.peak_bytes, bytes);
}

template <scalar T>
void running_column<T>::stop()
{
    has_ended_ = report_.interrupted = true;
    report_.status = solve_status::iteration_limit;
    report_.true_relative_residual = *least_;
}

template class running_column<double>;
template class running_column<dd_real>;

}  // namespace ddla::api
