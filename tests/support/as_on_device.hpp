// A call of the host that decides as a device does: its rules are one text for both.
#pragma once

#include "device/tuning.hpp"
#include "host/context.hpp"

namespace test {

struct call_as_on_device : ddla::host_backend::call {
    static constexpr const ddla::formats::tuning& tuned = ddla::device_backend::tuning::of_formats;
};

}  // namespace test
