// Choices that look random and are the same everywhere.
#pragma once

#include "steps/random_bits.hpp"

namespace ddla::factor {

/// A bijection of 64-bit words that spreads every bit.
constexpr std::uint64_t hashed(std::uint64_t x)
{
    return steps::random_bits(0, x);
}

constexpr std::uint64_t hashed(std::uint64_t seed, std::uint64_t x)
{
    return hashed(seed ^ hashed(x));
}

}  // namespace ddla::factor
