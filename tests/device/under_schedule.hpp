// A schedule for as long as a scope lasts, however it ends.
#pragma once

#include "device/schedule/schedule.hpp"

namespace test {

class under_schedule {
public:
    explicit under_schedule(const ddla::device_backend::schedule& s)
        : before_(ddla::device_backend::current_schedule())
    {
        ddla::device_backend::choose_schedule(s);
    }
    ~under_schedule() { ddla::device_backend::choose_schedule(before_); }
    under_schedule(const under_schedule&) = delete;
    under_schedule& operator=(const under_schedule&) = delete;

private:
    ddla::device_backend::schedule before_;
};

}  // namespace test
