// One line on the terminal that shows how a solve gets on.
#include "progress.hpp"

#include "text_format.hpp"

#include <iostream>
#include <unistd.h>

namespace ddla::cli {

progress_line::progress_line(std::string_view precision, bool quiet)
    : precision_(precision), enabled_(!quiet && ::isatty(STDERR_FILENO) == 1)
{
}

progress_line::~progress_line()
{
    if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
}

void progress_line::show(const solve_progress& progress)
{
    const clock::time_point now = clock::now();
    if (!enabled_ || now < next_) return;
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const auto iterations = static_cast<long long>(progress.iterations);
    std::cerr << print("\r\x1b[K%s: iteration %lld, residual %s, %.0f iterations/s",
                       precision_.c_str(), iterations,
                       scientific(progress.relative_residual).c_str(),
                       static_cast<double>(iterations) / elapsed)
              << std::flush;
    drawn_ = true;
    next_ = now + std::chrono::milliseconds(100);
}

}  // namespace ddla::cli
