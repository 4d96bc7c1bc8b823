// Ctrl-C as a flag that the work polls.
#pragma once

#include <csignal>

namespace ddla::cli {

/// From here to the end of the process, the first SIGINT or SIGTERM only sets a flag; a second one
/// ends the process.  Not for the life of the object alone: the reports are still to be written.
class interrupt_guard {
public:
    interrupt_guard();
    interrupt_guard(const interrupt_guard&) = delete;
    interrupt_guard& operator=(const interrupt_guard&) = delete;

    bool requested() const;
};

/// From construction to destruction SIGINT and SIGTERM wait: for what leaves a file behind if it is
/// cut, before a flag is polled.
class held_signals {
public:
    held_signals();
    held_signals(const held_signals&) = delete;
    held_signals& operator=(const held_signals&) = delete;
    ~held_signals();

private:
    sigset_t before_;
};

}  // namespace ddla::cli
