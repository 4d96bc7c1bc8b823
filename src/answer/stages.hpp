// The plan of a solve as it is carried out: stages with their times, and progress for the caller.
#pragma once

#include "errors/work_budget.hpp"

#include "ddla/solve.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace ddla::refine {

class stage_recorder {
public:
    /// `steps`: corrections of all stages.  `work`: of each stage, as ddla::planned_stage counts
    /// it; that of corrections is charged to `budget`.
    stage_recorder(std::vector<solve_stage>& plan, std::vector<double>& work,
                   const std::int64_t& steps, const work_budget& budget,
                   const std::function<bool(const solve_progress&)>& watch)
        : plan_(plan), work_(work), steps_(steps), budget_(budget), watch_(watch), scope_([this] {
              // What a stage does before and after its own reports.
              return plan_.empty() || report(steps_, last_error_, -1);
          })
    {
    }
    stage_recorder(const stage_recorder&) = delete;
    stage_recorder& operator=(const stage_recorder&) = delete;

    void begin(std::string name)
    {
        plan_.push_back({std::move(name)});
        plan_.back().iterations = steps_;
        work_.push_back(0);
        spent_before_ = budget_.spent();
        last_done_ = -1;
        started_ = std::chrono::steady_clock::now();
    }
    /// Ends the stage; what it brought, if it was a solve.
    void end(std::optional<double> residual = {}, std::optional<double> digits = {})
    {
        solve_stage& stage = plan_.back();
        stage.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
        stage.true_relative_residual = residual;
        stage.digits = digits;
        stage.iterations = steps_;
        work_.back() += budget_.spent() - spent_before_;
        spent_before_ = budget_.spent();
    }
    /// Work of this stage that is not charged to the budget.
    void count(double operations) { work_.back() += operations; }
    /// x is another one from here on.
    void forget_error() { last_error_ = HUGE_VAL; }
    /// Of factors, in the stage that has ended.
    void note_too_large(limit_kind passed)
    {
        plan_.back().name += ", too large";
        plan_.back().passed = passed;
        plan_.back().limited = limit_subject::factors;
    }
    /// What is known of a stage, behind its name; of the one that began last, or an earlier one.
    void note(const std::string& what) { note(what, last()); }
    void note(const std::string& what, std::size_t stage) { plan_[stage].name += ", " + what; }
    std::size_t last() const { return plan_.size() - 1; }
    /// Of a stage that was interrupted.
    void cut()
    {
        if (!plan_.empty()) end();
    }
    /// Whether to go on.  What a stage has done never becomes less, nor do corrections: those under
    /// way are known to some who ask only.
    bool report(std::int64_t steps, double error, double done)
    {
        last_error_ = error;
        last_steps_ = std::max(last_steps_, steps);
        last_done_ = std::max(last_done_, done);
        if (watch_ && !watch_({last_steps_, error, plan_.back().name, last_done_}))
            interrupted_ = true;
        return !interrupted_;
    }
    bool interrupted() const { return interrupted_ || work_has_ended(); }

private:
    std::vector<solve_stage>& plan_;
    std::vector<double>& work_;
    const std::int64_t& steps_;
    const work_budget& budget_;
    const std::function<bool(const solve_progress&)>& watch_;
    std::chrono::steady_clock::time_point started_;
    double last_error_ = HUGE_VAL, last_done_ = -1, spent_before_ = 0;
    std::int64_t last_steps_ = 0;
    bool interrupted_ = false;
    const watched_scope scope_;  ///< last: it uses the others
};

}  // namespace ddla::refine
