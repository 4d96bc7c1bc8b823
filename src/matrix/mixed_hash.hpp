// The hash of ddla: words are mixed in one by one.
#pragma once

#include <cstdint>

namespace ddla::api {

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014): every bit of the result depends on
/// every bit of the input.
inline std::uint64_t mixed(std::uint64_t h, std::uint64_t word)
{
    h = (h ^ word) + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

}  // namespace ddla::api
