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

}  // namespace ddla::cli
