// Work without the GIL that Ctrl-C can end.
#pragma once

#include "arrays.hpp"

#include "ddla/watched_scope.hpp"

#include <chrono>

namespace ddla::python {

/// Holds no GIL while it lives.  What this thread does meanwhile sees to signals every 50 ms, as
/// solves do: KeyboardInterrupt, or what a handler raises, passes through the work.  Python sees to
/// signals in its main thread alone.
class interruptible_work {
public:
    interruptible_work() = default;
    interruptible_work(const interruptible_work&) = delete;
    interruptible_work& operator=(const interruptible_work&) = delete;

private:
    static constexpr std::chrono::milliseconds apart{50};

    bool look()
    {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < apart) return true;
        last_ = now;
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return true;
    }

    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    const nb::gil_scoped_release released_;
    const watched_scope scope_{[this] { return look(); }};  // last: it uses the others
};

}  // namespace ddla::python
