// One line on the terminal that shows how a solve gets on.
#pragma once

#include "ddla/solve.hpp"

#include <chrono>
#include <string>

namespace ddla::cli {

/// Writes to the standard error output, if that is a terminal; else does nothing.
class progress_line {
public:
    progress_line(std::string_view precision, bool quiet);
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;
    ~progress_line();

    /// Redraws at most ten times a second.
    void show(const solve_progress& progress);

private:
    using clock = std::chrono::steady_clock;

    std::string precision_;
    bool enabled_;
    bool drawn_ = false;
    clock::time_point start_ = clock::now();
    clock::time_point next_ = start_ + std::chrono::milliseconds(200);
};

}  // namespace ddla::cli
