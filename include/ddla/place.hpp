// Where data lives: the host, or one of the devices.
//
//     const ddla::vector<double> there(1000, 1.0, ddla::device(0));
//     const ddla::vector<double> here = there.to(ddla::host);  // copied
#pragma once

#include <string>

namespace ddla {

/// A memory that an engine works on.  Copies between places are explicit.
struct place {
    int device_index = -1;  ///< -1 is the host

    constexpr bool is_host() const { return device_index < 0; }
    friend constexpr bool operator==(place, place) = default;
};

inline constexpr place host{};

constexpr place device(int index)
{
    return {index};
}

/// "host", "device 0", …
inline std::string to_string(place where)
{
    return where.is_host() ? "host" : "device " + std::to_string(where.device_index);
}

}  // namespace ddla
