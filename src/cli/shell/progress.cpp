// One line on the terminal that shows progress.
#include "progress.hpp"

#include <iostream>
#include <unistd.h>

namespace ddla::cli {

progress_line::progress_line(bool quiet) : enabled_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

progress_line::~progress_line()
{
    if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
}

void progress_line::show(const std::string& text)
{
    std::cerr << "\r\x1b[K" + text << std::flush;
    drawn_ = true;
    next_ = clock::now() + std::chrono::milliseconds(100);
}

double progress_line::elapsed() const
{
    return std::chrono::duration<double>(clock::now() - start_).count();
}

watched_work::watched_work(std::string what, const interrupt_guard& interrupt, bool quiet)
    : what_(std::move(what)), line_(quiet), scope_([this, &interrupt] {
          if (line_.due())
              line_.show(what_ + ", " + std::to_string(static_cast<long>(line_.elapsed())) + " s");
          return !interrupt.requested();
      })
{
}

}  // namespace ddla::cli
