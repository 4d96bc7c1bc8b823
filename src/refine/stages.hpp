// The plan of a solve as it is carried out: stages with their times, and progress for the caller.
#pragma once

#include "ddla/solve.hpp"

#include <chrono>
#include <utility>

namespace ddla::refine {

class stage_recorder {
public:
    /// `steps`: corrections of all stages.
    stage_recorder(std::vector<solve_stage>& plan, const std::int64_t& steps,
                   const std::function<bool(const solve_progress&)>& watch)
        : plan_(plan), steps_(steps), watch_(watch)
    {
    }

    void begin(std::string name)
    {
        plan_.push_back({std::move(name)});
        plan_.back().iterations = steps_;
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
    /// Whether to go on.
    bool report(std::int64_t steps, double error, double done)
    {
        if (watch_ && !watch_({steps, error, plan_.back().name, done})) interrupted_ = true;
        return !interrupted_;
    }
    bool interrupted() const { return interrupted_; }

private:
    std::vector<solve_stage>& plan_;
    const std::int64_t& steps_;
    const std::function<bool(const solve_progress&)>& watch_;
    std::chrono::steady_clock::time_point started_;
    bool interrupted_ = false;
};

}  // namespace ddla::refine
