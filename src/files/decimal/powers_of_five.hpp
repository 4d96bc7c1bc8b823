// Powers of five to 192 bits: what turns a decimal exponent into a binary one.
#pragma once

#include <array>
#include <cstdint>

namespace ddla::text {

/// 5^e = (limb[2] 2^128 + limb[1] 2^64 + limb[0] + rest) 2^exponent with 0 <= rest < 1 and the top
/// bit of limb[2] set.
struct power_of_five {
    std::array<std::uint64_t, 3> limb;
    std::int32_t exponent;
    bool exact;  ///< rest == 0
};

/// Enough for every normal double or dd_real with a significand of up to 38 digits.
inline constexpr int least_power = -348;
inline constexpr int greatest_power = 308;

using powers_table = std::array<power_of_five, greatest_power - least_power + 1>;

powers_table build_powers_of_five();

/// Built on first use, in about a tenth of a millisecond.
inline const powers_table& powers_of_five()
{
    static const powers_table table = build_powers_of_five();
    return table;
}

}  // namespace ddla::text
