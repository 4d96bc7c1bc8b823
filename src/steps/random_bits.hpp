// Numbers that look random and are the same everywhere: an integer hash of what they are for.
#pragma once

#include "ddla/eft.hpp"

#include <cstdint>

namespace ddla::steps {

/// 64 bits of an index and a column; the finaliser of splitmix64 (Steele, Lea and Flood 2014).
DDLA_HD constexpr std::uint64_t random_bits(std::uint64_t column, std::uint64_t index)
{
    std::uint64_t h = (column + 1) * 0x9e3779b97f4a7c15 + index;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
    h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
    return h ^ (h >> 31);
}

/// In [-1, 1), a multiple of 2^-52.
DDLA_HD constexpr double random_number(std::uint64_t column, std::uint64_t index)
{
    return static_cast<double>(random_bits(column, index) >> 11) * 0x1p-52 - 1;
}

}  // namespace ddla::steps
