// One line on the terminal that shows progress.
#pragma once

#include <chrono>
#include <string>

namespace ddla::cli {

/// Writes to the standard error output, if that is a terminal; else does nothing.
class progress_line {
public:
    explicit progress_line(bool quiet);
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;
    ~progress_line();

    /// True at most ten times a second: when the line is to be drawn anew.
    bool due() const { return enabled_ && clock::now() >= next_; }
    void show(const std::string& text);
    /// Seconds.
    double elapsed() const;

private:
    using clock = std::chrono::steady_clock;

    bool enabled_;
    bool drawn_ = false;
    clock::time_point start_ = clock::now();
    clock::time_point next_ = start_ + std::chrono::milliseconds(200);
};

}  // namespace ddla::cli
