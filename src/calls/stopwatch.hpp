// How long something takes, for reports: it decides nothing.
#pragma once

#include <chrono>

namespace ddla::api {

class stopwatch {
public:
    double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

private:
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace ddla::api
