// One system on its way through a plan.
#pragma once

#include "iterate.hpp"
#include "plan.hpp"

#include <optional>
#include <string>

namespace ddla::api {

/// Owns what all stages of a solve share: the watch, whose iterations are those of the whole solve,
/// the iterations that are left, the seconds, the most bytes, the better x, and the report with its
/// list of stages.
template <scalar T>
class running_column {
public:
    running_column(engine& here, const system_map<T>& a, const system_column<T>& column);

    vec<const T> b() const { return b_; }
    vec<T> x() const { return x_; }
    const solve_options& options() const { return options_; }
    solve_report& report() { return report_; }

    /// From here on the same system elsewhere.
    void go_on_at(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x);

    bool has_ended() const { return has_ended_; }
    void end() { has_ended_ = true; }
    /// From here on x is the better one after each stage; at first it is what it is now.
    void keep_better();
    /// The residual of the better x, if it is known.
    std::optional<double> residual() const { return least_; }
    /// Whether a new residual and a new direction may help.
    bool may_begin_again() const;

    /// Of a stage by the method; `stopped`: it only says what x is.
    solve_options options_of(const stage& s, method by, bool stopped) const;
    /// What the watch sees while factors are made; true goes on.
    std::function<bool(double)> watch_of_making() const;

    /// A stage that does nothing to x.
    void add_stage(std::string name, double seconds, bool is_reported);
    /// A stage whose report this is; so many bytes were held beside what it counts.
    void take(const stage& s, std::string name, solve_report&& now, std::size_t bytes_beside);
    /// So many bytes, for a while.
    void hold(std::size_t bytes);
    /// The watch ended the making of a preconditioner; x is the better one, whose residual is
    /// known.
    void stop();

    /// Of the stages.
    double seconds() const { return seconds_; }

private:
    /// Whether x is the better one now.
    bool take_better(double residual);
    /// The residual of x; where the watch ends it, as far as it is known in little time.
    void measure();

    engine* here_;
    const system_map<T>* a_;
    vec<const T> b_;
    vec<T> x_;
    const solve_options& options_;
    solve_report& report_;
    std::optional<vector<T>> better_x_;
    std::optional<double> least_;  ///< its residual
    std::int64_t iterations_ = 0;
    double seconds_ = 0;
    bool has_halved_ = true;  ///< the last stage, or there was none
    bool has_ended_ = false;
};

}  // namespace ddla::api
