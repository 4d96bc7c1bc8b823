// The plan of a solve as it is carried out: stages with their times, and progress for the caller.
#pragma once

#include "ddla/solve.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace ddla::refine {

class stage_recorder {
public:
    /// `steps`: corrections of all stages.
    stage_recorder(std::vector<solve_stage>& plan, const std::int64_t& steps,
                   const std::function<bool(const solve_progress&)>& watch)
        : plan_(plan), steps_(steps), watch_(watch), scope_([this] {
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
    }
    /// Of factors, in the stage that has ended.
    void note_too_large(limit_kind passed)
    {
        plan_.back().name += ", too large";
        plan_.back().passed = passed;
        plan_.back().limited = limit_subject::factors;
    }
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
    const std::int64_t& steps_;
    const std::function<bool(const solve_progress&)>& watch_;
    std::chrono::steady_clock::time_point started_;
    double last_error_ = HUGE_VAL, last_done_ = -1;
    std::int64_t last_steps_ = 0;
    bool interrupted_ = false;
    const watched_scope scope_;  ///< last: it uses the others
};

}  // namespace ddla::refine
