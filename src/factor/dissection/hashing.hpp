// Choices that look random and are the same everywhere.
#pragma once

#include <cstdint>

namespace ddla::factor {

/// A bijection of 64-bit words that spreads every bit (the finaliser of splitmix64: Steele, Lea,
/// Flood, OOPSLA 2014).
constexpr std::uint64_t hashed(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

constexpr std::uint64_t hashed(std::uint64_t seed, std::uint64_t x)
{
    return hashed(seed ^ hashed(x));
}

}  // namespace ddla::factor
