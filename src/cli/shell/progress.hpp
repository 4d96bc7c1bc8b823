// One line on the terminal that shows progress.
#pragma once

#include "interrupt.hpp"

#include "ddla/watched_scope.hpp"

#include <chrono>
#include <string>
#include <utility>

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

/// While it lives, a signal ends the long work of ddla, and a line says what is done: "reading
/// a.mtx, 3 s", then "working on a.mtx, 7 s".
class watched_work {
public:
    watched_work(std::string what, const interrupt_guard& interrupt, bool quiet);
    void begin(std::string what) { what_ = std::move(what); }

private:
    std::string what_;
    progress_line line_;
    const watched_scope scope_;
};

}  // namespace ddla::cli
