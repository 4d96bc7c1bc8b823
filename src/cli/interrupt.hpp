// Ctrl-C as a flag that the work polls.
#pragma once

namespace ddla::cli {

/// While one lives, the first SIGINT or SIGTERM only sets a flag; a second one ends the process.
class interrupt_guard {
public:
    interrupt_guard();
    interrupt_guard(const interrupt_guard&) = delete;
    interrupt_guard& operator=(const interrupt_guard&) = delete;
    ~interrupt_guard();

    bool requested() const;
};

}  // namespace ddla::cli
